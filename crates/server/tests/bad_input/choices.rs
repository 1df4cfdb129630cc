use chickenfoot_protocol::v1;
use chickenfoot_server::Reason;
use tonic_types::StatusExt;

use crate::common::{Service, moved, option, rounds};
use crate::scene::{Refused, Scene, check, play, refused_get, refused_play};

#[tokio::test]
async fn the_same_answer_again_is_the_same_ok_and_another_one_is_told_what_was_played() {
    let scene = Scene::set().await;
    let (whose, answered) = &scene.answered;
    let agent = &scene.players[*whose];
    let made = agent.client.play(option(answered, 0)).await.unwrap();
    let again = agent.client.play(by_move(answered, 0)).await.unwrap();
    assert_eq!(again, made);
    let as_made = v1::Choice { choice: Some(v1::choice::Choice::Move(made)), ..option(answered, 0) };
    assert_eq!(agent.client.play(as_made).await.unwrap(), made);
    let Refused::Call(status) = refused_play(agent, by_move(answered, 1)).await else {
        unreachable!("Play is a call")
    };
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.reason, Reason::DecisionAnswered.name());
    assert_eq!(info.metadata["open_decision"], scene.decision.number.to_string());
    let Some(v1::r#move::Kind::Play(play)) = made.kind else { panic!("a play, not {made:?}") };
    assert_eq!(info.metadata["line"], play.line.unwrap().to_string());
    let tile = play.tile.unwrap();
    let numbers = format!("{}-{}", tile.low.unwrap(), tile.high.unwrap());
    assert!(info.metadata["played"].contains(&numbers), "{:?}", info.metadata);
}

/// An answer that names its move by what is played.
fn by_move(decision: &v1::Decision, option: usize) -> v1::Choice {
    v1::Choice {
        match_id: decision.match_id.clone(),
        decision: decision.number,
        choice: Some(v1::choice::Choice::Move(decision.options[option])),
    }
}

#[tokio::test]
async fn malformed_ids_and_choices_are_refused_with_the_field_that_is_wrong() {
    let scene = Scene::set().await;
    for id in ["", "0", &"G".repeat(32), &"A".repeat(32), &"0".repeat(33), &"é".repeat(16), "\0"] {
        let refused = refused_get(&scene.stranger.wire, id).await;
        check(Reason::MatchIdInvalid, &refused, Some("match_id"));
    }
    let decision = &scene.decision;
    let cases = [
        (Reason::FieldMissing, "choice.choice", v1::Choice { choice: None, ..option(decision, 0) }),
        (
            Reason::FieldMissing,
            "choice.move.kind",
            v1::Choice { choice: Some(v1::choice::Choice::Move(v1::Move::default())), ..option(decision, 0) },
        ),
        (
            Reason::TileIncomplete,
            "choice.move.play.tile.low",
            moved(decision, play(None, None, Some(1), None)),
        ),
        (
            Reason::TileIncomplete,
            "choice.move.play.tile.high",
            moved(decision, play(Some(0), None, Some(0), None)),
        ),
        (Reason::FieldMissing, "choice.move.play.end", moved(decision, play(Some(0), Some(1), None, None))),
        (
            Reason::FieldOutOfRange,
            "choice.move.play.tile.high",
            moved(decision, play(Some(0), Some(19), Some(0), None)),
        ),
        (
            Reason::FieldOutOfRange,
            "choice.move.play.end",
            moved(decision, play(Some(0), Some(1), Some(u32::MAX), None)),
        ),
        (
            Reason::FieldOutOfRange,
            "choice.move.play.line",
            moved(decision, play(Some(0), Some(1), Some(0), Some(0))),
        ),
        (Reason::OptionOutOfRange, "choice.option", option(decision, u32::MAX)),
        (Reason::DecisionNotOpen, "choice.decision", v1::Choice { decision: 0, ..option(decision, 0) }),
        (
            Reason::DecisionNotOpen,
            "choice.decision",
            v1::Choice { decision: u32::MAX, ..option(decision, 0) },
        ),
    ];
    for (reason, field, choice) in cases {
        check(reason, &scene.refused(choice).await, Some(field));
    }
}

#[tokio::test]
async fn the_number_0_and_the_tile_0_0_are_values_like_any_other() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    // With a single round there are ten tiles with a blank among 55; every one that is offered is played by name.
    let game = ann.play_in(rounds(10, vec![ann.seat(), ann.seat()])).await;
    let (mut blanks, mut double_blank) = (0, false);
    loop {
        let decision = match session.next().await {
            v1::session_response::What::Decision(decision) => decision,
            v1::session_response::What::GameEnded(_) => break,
            v1::session_response::What::Refusal(refusal) => panic!("{refusal:?}"),
            _ => continue,
        };
        let blank = |option: &&v1::Move| matches!(option.kind, Some(v1::r#move::Kind::Play(play)) if play.end == Some(0));
        let Some(wanted) = decision.options.iter().rev().find(blank).copied() else {
            session.choose(option(&decision, 0)).await;
            continue;
        };
        blanks += 1;
        let zero = v1::Tile { low: Some(0), high: Some(0) };
        double_blank |= matches!(wanted.kind, Some(v1::r#move::Kind::Play(play)) if play.tile == Some(zero));
        let choice = v1::Choice { choice: Some(v1::choice::Choice::Move(wanted)), ..option(&decision, 0) };
        session.choose(choice).await;
    }
    assert!(blanks > 0 && double_blank, "{blanks} blanks, double blank: {double_blank}");
    assert_eq!(ann.client.record(&game.id).await.unwrap().verify(), Ok(()));
}

//! The life of an agent's session and of the matches that it carries.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::collections::{HashMap, HashSet};

use chickenfoot_protocol::v1::event::What;
use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use chickenfoot_server::{Limits, Reason, Server};
use common::{Service, Session, house, millis, next_decision, one_round, open_seat, option, rounds, within};
use tonic_types::StatusExt;

#[tokio::test]
async fn a_session_begins_with_open_and_with_nothing_else() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let choice = v1::Choice::default();
    for first in [None, Some(Up::Choice(choice)), Some(Up::OfferReply(v1::OfferReply::default()))] {
        let (up, down) = ann.call_session(1).await;
        up.send(v1::SessionRequest { what: first }).await.unwrap();
        let status = Session { up, down }.try_next().await.expect_err("Open comes first");
        let info = status.get_details_error_info().unwrap();
        assert_eq!(info.reason, Reason::SessionNotOpened.name());
    }
}

#[tokio::test]
async fn hello_names_the_agent_its_running_matches_and_the_limits() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (_, hello) = ann.open(false).await;
    let limits = Limits::default();
    assert_eq!(hello.agent, "ann");
    assert_eq!(hello.running_matches, 0);
    assert_eq!(hello.max_pending, limits.max_pending);
    assert_eq!(hello.max_message_bytes, limits.max_message);
    assert_eq!(hello.heartbeat_interval.unwrap().seconds, 10);
    assert_eq!(hello.server_version, env!("CARGO_PKG_VERSION"));
    ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
    ann.play_in(one_round(vec![ann.seat(), open_seat()])).await;
    let (_, hello) = ann.open(false).await;
    assert_eq!(hello.running_matches, 1, "an open match is not running");
}

#[tokio::test]
async fn an_agent_is_online_while_it_has_a_session() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let online = || async {
        let agents = ann.client.agents("").await.unwrap().entries;
        agents[0].online
    };
    assert!(!online().await);
    let session = ann.session().await;
    assert!(online().await);
    drop(session);
    within(async {
        while online().await {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn open_decisions_and_offers_are_sent_again_to_a_new_session() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut first = ann.session().await;
    let mut open = HashSet::new();
    for _ in 0..3 {
        ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
        let decision = first.decision().await;
        open.insert((decision.match_id, decision.number));
    }
    let offered = one_round(vec![ann.seat(), open_seat()]);
    let offered = ann.client.create_match(offered).await.unwrap();
    drop(first);
    let mut second = ann.session().await;
    let (mut started, mut again, mut offers) = (HashSet::new(), HashSet::new(), Vec::new());
    while again.len() < 3 || offers.is_empty() {
        match second.next().await {
            Down::GameStarted(game) => {
                assert_eq!(game.seats, [0]);
                assert!(started.insert(game.r#match.unwrap().id), "announced once");
            }
            Down::Decision(decision) => {
                assert!(started.contains(&decision.match_id), "announced first");
                assert!(again.insert((decision.match_id, decision.number)), "sent once");
            }
            Down::SeatOffer(offer) => offers.push((offer.r#match.unwrap().id, offer.seat)),
            Down::Heartbeat(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(again, open);
    assert_eq!(offers, [(offered.id, 0)]);
}

#[tokio::test]
async fn a_new_session_takes_over_and_the_old_one_is_told() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut old = ann.session().await;
    let game = ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
    let decision = old.decision().await;
    let mut new = ann.session().await;
    let goodbye = old
        .until(|message| match message {
            Down::Goodbye(goodbye) => Some(goodbye),
            _ => None,
        })
        .await;
    assert_eq!(goodbye.reason(), v1::GoodbyeReason::Replaced);
    assert_eq!(goodbye.retry_after, None);
    assert_eq!(old.try_next().await.unwrap(), None, "Goodbye is the last word");
    assert_eq!(new.decision().await.number, decision.number);
    new.choose(option(&decision, 0)).await;
    let ended = new.play_on(&game.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Finished);
}

#[tokio::test]
async fn a_server_that_stops_says_goodbye_and_when_to_come_back() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    service.tell_to_stop();
    let Down::Goodbye(goodbye) = session.next().await else { panic!("Goodbye is the next word") };
    assert_eq!(goodbye.reason(), v1::GoodbyeReason::Shutdown);
    assert!(goodbye.retry_after.is_some());
    assert_eq!(session.try_next().await.unwrap(), None);
    drop((session, ann));
    service.stop().await;
}

#[tokio::test]
async fn an_agent_with_two_reserved_seats_takes_both_with_one_reply_and_plays_against_itself() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let config = one_round(vec![ann.seat(), ann.seat()]);
    let game = ann.client.create_match(config).await.unwrap();
    let (mut decided, mut started) = (HashSet::new(), Vec::new());
    let ended = loop {
        match session.next().await {
            Down::SeatOffer(offer) => session.accept(&offer.r#match.unwrap().id).await,
            Down::GameStarted(game) => started.push(game.seats),
            Down::Decision(decision) => {
                decided.insert(decision.seat);
                session.choose(option(&decision, 0)).await;
            }
            Down::GameEnded(ended) => break ended,
            Down::ChoiceAccepted(_) | Down::Heartbeat(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(started, [[0, 1]]);
    assert_eq!(decided, HashSet::from([0, 1]));
    assert_eq!(ended.seats, [0, 1]);
    assert_eq!(ended.r#match.unwrap().id, game.id);
    assert_eq!(ann.client.record(&game.id).await.unwrap().verify(), Ok(()));
}

/// The seat whose tiles an event shows.
fn shown(event: &v1::Event) -> Option<u32> {
    match event.what.as_ref().unwrap() {
        What::HandDealt(dealt) if !dealt.tiles.is_empty() => Some(dealt.seat),
        What::Drew(drew) if drew.tile.is_some() => Some(drew.seat),
        What::Passed(passed) if passed.kept => Some(passed.seat),
        _ => None,
    }
}

#[tokio::test]
async fn events_on_request_have_no_gap_show_own_tiles_only_and_come_before_the_end() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (mut session, _) = ann.open(true).await;
    let mut config = rounds(3, vec![house("greedy"), ann.seat(), house("lowest")]);
    config.rules.as_mut().unwrap().preset = v1::Preset::Classic.into();
    let game = ann.play_in(config).await;
    let (mut seq, mut own) = (0, 0);
    let (mut unchecked, mut held) = (Vec::new(), None);
    let ended = loop {
        match session.next().await {
            Down::GameEvent(event) => {
                assert_eq!(event.match_id, game.id);
                let event = event.event.unwrap();
                seq += 1;
                assert_eq!(event.seq, seq);
                unchecked.push(event);
            }
            Down::Decision(decision) => held = Some((decision, ann.get(&game.id).await.head_seq)),
            Down::GameEnded(ended) => break ended.r#match.unwrap(),
            _ => {}
        }
        // Until ann answers, the match is running, and so it was when all that has come so far was sent.
        if let Some((decision, _)) = held.take_if(|(_, head)| *head == seq) {
            for event in unchecked.drain(..) {
                let seat = shown(&event);
                assert!(seat.is_none_or(|seat| seat == 1), "{event:?}");
                own += u32::from(seat.is_some());
            }
            session.choose(option(&decision, 0)).await;
        }
    };
    assert!(own > 2, "own hands are shown");
    assert_eq!(seq, ended.head_seq, "GameEnded comes after the last event");
    assert_eq!(ended.state(), v1::MatchState::Finished);
    assert_eq!(ended.seed, [7; 32]);
}

#[tokio::test]
async fn play_and_the_session_are_interchangeable() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let game = ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
    let (mut answered, mut accepted) = (0, 0);
    let mut made = HashMap::new();
    let ended = loop {
        match session.next().await {
            Down::Decision(decision) => {
                answered += 1;
                let choice = option(&decision, 0);
                if answered % 2 == 0 {
                    made.insert(decision.number, ann.client.play(choice.clone()).await.unwrap());
                }
                session.choose(choice).await;
            }
            Down::ChoiceAccepted(choice) => {
                accepted += 1;
                let made = match made.get(&choice.decision) {
                    Some(made) => *made,
                    None => ann.client.play(again(&choice)).await.unwrap(),
                };
                assert_eq!(choice.r#move, Some(made));
            }
            Down::GameEnded(ended) => break ended.r#match.unwrap(),
            Down::Refusal(refusal) => panic!("{refusal:?}"),
            _ => {}
        }
    };
    assert_eq!((ended.id.as_str(), ended.state()), (game.id.as_str(), v1::MatchState::Finished));
    assert!(answered > 3 && accepted + 1 >= answered, "{accepted} of {answered}");
}

/// The first option of a decision that was answered with it.
fn again(accepted: &v1::ChoiceAccepted) -> v1::Choice {
    v1::Choice {
        match_id: accepted.match_id.clone(),
        decision: accepted.decision,
        choice: Some(v1::choice::Choice::Option(0)),
    }
}

#[tokio::test]
async fn a_decision_that_is_not_answered_in_time_is_the_first_option_and_counts() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (mut session, _) = ann.open(true).await;
    let config = v1::MatchConfig {
        decision_time: Some(millis(10)),
        bank: Some(millis(0)),
        strikes: Some(1000),
        ..one_round(vec![ann.seat(), house("greedy")])
    };
    ann.play_in(config).await;
    let (mut offered, mut played) = (Vec::new(), Vec::new());
    let ended = loop {
        match session.next().await {
            Down::Decision(decision) => {
                assert!(decision.options.len() > 1);
                assert_eq!(decision.time_granted, Some(millis(10)));
                offered.push(decision.options[0].kind);
            }
            Down::GameEvent(event) => {
                if let Some(What::Played(played_by)) = event.event.unwrap().what
                    && played_by.seat == 0
                {
                    let play = v1::Play { line: None, ..played_by.play.unwrap() };
                    played.push(Some(v1::r#move::Kind::Play(play)));
                }
            }
            Down::GameEnded(ended) => break ended.r#match.unwrap(),
            _ => {}
        }
    };
    let ledger = |seat: usize| ended.seats[seat].ledger.unwrap();
    assert_eq!((ledger(0).late as usize, ledger(0).strikes as usize), (offered.len(), offered.len()));
    assert_eq!((ledger(0).gone, ledger(1).late), (0, 0));
    assert_eq!(ledger(0).out(), v1::OutReason::Unspecified);
    // Between them lie forced plays, which nobody was asked for.
    let mut played = played.into_iter();
    for first in &offered {
        assert!(played.any(|made| made == *first), "{first:?} was played in its turn");
    }
}

#[tokio::test]
async fn a_service_that_stalls_grants_the_time_once_more_and_it_runs() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let config = v1::MatchConfig {
        decision_time: Some(millis(100)),
        bank: Some(millis(0)),
        strikes: Some(1000),
        ..one_round(vec![ann.seat(), house("greedy")])
    };
    let game = ann.play_in(config).await;
    let stalled = session.decision().await;
    // The service runs on this thread, and cannot tell what came in meanwhile: nobody pays for that. The agent has the
    // decision already, so it is not sent again, but its clock has to learn that it is there.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(session.decision().await.number > stalled.number);
    let ledger = ann.client.get_match(&game.id).await.unwrap().seats[0].ledger.unwrap();
    assert!(ledger.late > 0 && ledger.gone == 0, "{ledger:?}");
}

#[tokio::test]
async fn an_answer_counts_though_its_agent_closes_the_stream_behind_it() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
    let mut last = 0;
    for _ in 0..5 {
        let decision = session.decision().await;
        assert!(decision.number > last, "decision {} is open again", decision.number);
        last = decision.number;
        session.choose(option(&decision, 1)).await;
        // Both arrive in one piece. What it is told then is not read.
        let Session { up, down } = session;
        drop(up);
        session = ann.session().await;
        drop(down);
    }
}

#[tokio::test]
async fn a_session_that_nobody_opens_ends() {
    let limits = Limits { heartbeat: 1, ..Limits::default() };
    let service = Service::run(Server::in_memory(limits)).await;
    let ann = service.agent("ann").await;
    let (_up, mut down) = ann.call_session(1).await;
    let status = within(down.message()).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::FailedPrecondition);
    assert!(status.message().contains("must be Open"), "{status:?}");
}

#[tokio::test]
async fn a_session_that_was_taken_over_before_anybody_opened_it_does_not_stay() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (_up, mut down) = ann.call_session(1).await;
    let _new = ann.session().await;
    // Long before the time is up that it would have else.
    let status = within(down.message()).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::FailedPrecondition);
}

#[tokio::test]
async fn a_session_that_was_not_opened_yet_is_taken_over_too() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (up, down) = ann.call_session(1).await;
    let mut old = Session { up, down };
    let _new = ann.session().await;
    // Its first word is Hello all the same: clients take anything else for a connection to be tried again.
    old.send(Up::Open(v1::Open::default())).await;
    assert!(matches!(old.next().await, Down::Hello(_)));
    let Down::Goodbye(goodbye) = old.next().await else { panic!("nothing stands between Hello and Goodbye") };
    assert_eq!(goodbye.reason(), v1::GoodbyeReason::Replaced);
    assert_eq!(old.try_next().await.unwrap(), None);
}

#[tokio::test]
async fn forced_moves_are_asked_for_if_the_match_says_so() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let config = v1::MatchConfig {
        forced_moves: v1::ForcedMoves::Asked.into(),
        ..one_round(vec![ann.seat(), ann.seat()])
    };
    let game = ann.play_in(config).await;
    assert_eq!(game.forced_moves(), v1::ForcedMoves::Asked);
    let (mut decisions, mut kinds) = (0, HashSet::new());
    loop {
        match session.next().await {
            Down::Decision(decision) => {
                decisions += 1;
                if decision.options.len() == 1 {
                    kinds.insert(std::mem::discriminant(&decision.options[0].kind.unwrap()));
                }
                session.choose(option(&decision, 0)).await;
            }
            Down::GameEnded(_) => break,
            _ => {}
        }
    }
    assert!(kinds.len() >= 2, "plays without an alternative and draws are asked for");
    let record = ann.client.record(&game.id).await.unwrap();
    assert_eq!(record.verify(), Ok(()));
    // Everything but the laying of the starting double was a decision.
    let moves: usize = record.rounds.iter().map(|round| round.moves.len() - 1).sum();
    assert_eq!(moves, decisions as usize);
}

#[tokio::test]
async fn leaving_an_open_match_frees_the_seats_again() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let bob = service.agent("bob").await;
    let game = ann.client.create_match(one_round(vec![open_seat(), open_seat()])).await.unwrap();
    ann.join(&game.id, None).await;
    let left = ann.client.leave_match(&game.id).await.unwrap();
    assert!(left.seats.iter().all(|seat| seat.name.is_empty()));
    assert_eq!(left.state(), v1::MatchState::Open);
    let joined = bob.join(&game.id, None).await;
    assert_eq!(joined.seats[0].name, "bob");
}

#[tokio::test]
async fn leaving_a_running_match_forfeits_and_ranks_last_and_the_others_play_on() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let bob = service.agent("bob").await;
    let mut sessions = [ann.session().await, bob.session().await];
    let seats = vec![ann.seat(), bob.seat(), house("lowest")];
    let game = ann.play_in(rounds(2, seats)).await;
    bob.join(&game.id, None).await;
    // Both ways: the one who leaves is the one who is asked, or is not.
    let (_, decision) = next_decision(&mut sessions).await;
    let left = ann.client.leave_match(&game.id).await.unwrap();
    assert_eq!(out(&left), [v1::OutReason::Left, v1::OutReason::Unspecified, v1::OutReason::Unspecified]);
    assert_eq!(left.state(), v1::MatchState::Running);
    assert_eq!(
        ann.client.leave_match(&game.id).await.unwrap().seats,
        left.seats,
        "leaving again is no error"
    );
    let [anns, bobs] = &mut sessions;
    if decision.seat == 1 {
        bobs.choose(option(&decision, 0)).await;
    }
    let ended = bobs.play_on(&game.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Finished);
    assert_eq!(ended.seats[0].place, 3);
    assert!(ended.seats[1].place < 3 && ended.seats[2].place < 3);
    assert_eq!(anns.ended().await.r#match.unwrap(), ended);
    assert_eq!(ann.client.record(&game.id).await.unwrap().verify(), Ok(()));
}

#[tokio::test]
async fn a_match_whose_agents_have_all_left_ends_by_itself() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let game = ann.play_in(rounds(2, vec![ann.seat(), ann.seat()])).await;
    session.decision().await;
    let left = ann.client.leave_match(&game.id).await.unwrap();
    assert_eq!(left.state(), v1::MatchState::Finished);
    assert_eq!(out(&left), [v1::OutReason::Left; 2]);
    assert_eq!(*session.ended().await.r#match.unwrap(), left);
    assert_eq!(ann.client.record(&game.id).await.unwrap().verify(), Ok(()));
}

#[tokio::test]
async fn the_creator_alone_can_abort_a_match() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let bob = service.agent("bob").await;
    let mut session = bob.session().await;
    let game = ann.client.create_match(one_round(vec![bob.seat(), house("greedy")])).await.unwrap();
    bob.join(&game.id, None).await;
    let decision = session.decision().await;
    let refused = bob.client.abort_match(&game.id).await.unwrap_err();
    assert_eq!(refused.reason(), Some(Reason::NotCreator.name()));
    let aborted = ann.client.abort_match(&game.id).await.unwrap();
    assert_eq!(aborted.state(), v1::MatchState::Aborted);
    assert_eq!(aborted.abort_reason, "CREATOR");
    assert!(aborted.seats.iter().all(|seat| seat.place == 0));
    assert_eq!(*session.ended().await.r#match.unwrap(), aborted);
    assert_eq!(ann.client.abort_match(&game.id).await.unwrap(), aborted, "aborting again is no error");
    let late = bob.client.play(option(&decision, 0)).await.unwrap_err();
    assert_eq!(late.reason(), Some(Reason::MatchOver.name()));
    let record = ann.client.record(&game.id).await.unwrap();
    assert_eq!(record.verify(), Ok(()));
    assert_eq!(record.outcome, chickenfoot_rules::Outcome::Aborted);
}

#[tokio::test]
async fn a_creator_cannot_do_away_with_a_rated_match_once_it_runs() {
    let service = Service::start().await;
    let (ann, bob) = (service.agent("ann").await, service.agent("bob").await);
    let seats = vec![ann.seat(), bob.seat()];
    let config = v1::MatchConfig { rated: true, seed: Vec::new(), ..one_round(seats) };
    let open = ann.client.create_match(config.clone()).await.unwrap();
    assert_eq!(ann.client.abort_match(&open.id).await.unwrap().abort_reason, "CREATOR");
    let game = ann.client.create_match(config).await.unwrap();
    ann.join(&game.id, None).await;
    bob.join(&game.id, None).await;
    for agent in [&ann, &bob] {
        let refused = agent.client.abort_match(&game.id).await.unwrap_err();
        assert_eq!(refused.reason(), Some(Reason::NotCreator.name()));
    }
    assert_eq!(ann.get(&game.id).await.state(), v1::MatchState::Running);
}

/// With one tile in each hand, all moves of this deal are forced.
#[tokio::test]
async fn a_match_that_is_over_before_the_agent_hears_of_it_is_announced_and_ended_all_the_same() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    for events in [false, true] {
        let (mut session, _) = ann.open(events).await;
        let mut config = one_round(vec![ann.seat(), house("greedy")]);
        config.rules.as_mut().unwrap().hand_size = Some(1);
        let game = within(async {
            // Some deals ask nobody anything.
            for seed in 0..=u8::MAX {
                config.seed = vec![seed; 32];
                let game = ann.play_in(config.clone()).await;
                let game = ann.get(&game.id).await;
                if game.state() == v1::MatchState::Finished {
                    return game;
                }
                ann.client.abort_match(&game.id).await.unwrap();
            }
            panic!("every deal asks for something")
        })
        .await;
        let (mut started, mut seq) = (0, 0);
        loop {
            match session.next().await {
                Down::GameStarted(news) if news.r#match.as_ref().unwrap().id == game.id => started += 1,
                Down::GameEvent(event) if event.match_id == game.id => seq = event.event.unwrap().seq,
                Down::GameEnded(ended) if ended.r#match.as_ref().unwrap().id == game.id => break,
                _ => {}
            }
        }
        assert_eq!(started, 1);
        assert_eq!(seq, if events { game.head_seq } else { 0 });
    }
}

/// Why each seat is out.
fn out(game: &v1::Match) -> Vec<v1::OutReason> {
    game.seats.iter().map(|seat| seat.ledger.unwrap().out()).collect()
}

//! Broken bots that connect by themselves.

use std::time::Duration;

use chickenfoot_bot::{Client, Session};
use chickenfoot_doctor::{Failure, Promise, Report, Subject, examine};
use chickenfoot_protocol::v1::{
    self, choice::Choice as Answer, r#move::Kind, session_request::What as Up, session_response::What as Down,
};
use tokio::task::JoinSet;

use crate::support::{Ready, assert_failed, plan};

/// What a bot does with a decision: the answers that it sends.
type Decide = fn(&mut Memory, &v1::Decision) -> Vec<v1::Choice>;

/// What a bot remembers.
#[derive(Default)]
struct Memory {
    decisions: u32,
    first: u32,
}

/// Plays as `decide` says until the session ends; `stays` tells when it hangs up. Comes back after a lost connection.
async fn play(address: String, token: String, decide: Decide, stays: fn(&Memory) -> bool) {
    let client = Client::connect(&address, Some(&token)).expect("a good address");
    let mut memory = Memory::default();
    loop {
        let opened = Session::open(&client, v1::Open::default()).await;
        let Ok((mut session, _)) = opened else { return };
        while let Ok(message) = session.next().await {
            let answers = match message {
                Down::SeatOffer(offer) => {
                    let match_id = offer.r#match.unwrap_or_default().id;
                    let accepted = v1::OfferReply { match_id, accept: true, ..v1::OfferReply::default() };
                    vec![Up::OfferReply(accepted)]
                }
                Down::Decision(decision) => {
                    memory.decisions += 1;
                    memory.first = if memory.first == 0 { decision.number } else { memory.first };
                    decide(&mut memory, &decision).into_iter().map(Up::Choice).collect()
                }
                _ => Vec::new(),
            };
            for answer in answers {
                if session.send(answer).await.is_err() {
                    break;
                }
            }
            if !stays(&memory) {
                return;
            }
        }
    }
}

async fn broken(
    check: &str,
    patience: Option<Duration>,
    decide: Decide,
    stays: fn(&Memory) -> bool,
) -> Report {
    let mut plan = plan(Subject::Agent { name: "broken".to_owned(), command: None }, &[check]);
    plan.patience = patience.unwrap_or(plan.patience);
    let mut bots = JoinSet::new();
    let mut ready = Ready(|address: &str, token: &str| {
        bots.spawn(play(address.to_owned(), token.to_owned(), decide, stays));
    });
    examine(&plan, &mut ready).await.expect("the server runs")
}

/// The bot must fail in this check, with this promise and these words.
async fn fails(check: &str, decide: Decide, promise: Promise, words: &str) -> Failure {
    assert_failed(&broken(check, None, decide, |_| true).await, promise, words)
}

fn choice(decision: &v1::Decision, answer: Answer) -> v1::Choice {
    v1::Choice { match_id: decision.match_id.clone(), decision: decision.number, choice: Some(answer) }
}

/// The first option, with something changed in its play.
fn changed(decision: &v1::Decision, change: impl FnOnce(&mut v1::Play)) -> v1::Choice {
    let mut first = decision.options[0];
    if let Some(Kind::Play(play)) = &mut first.kind {
        change(play);
    }
    choice(decision, Answer::Move(first))
}

#[tokio::test]
async fn a_wrong_tile_is_named() {
    let decide: Decide = |_, decision| {
        let held = |low, high| {
            let view = chickenfoot_rules::View::try_from(decision.view.as_ref().unwrap()).unwrap();
            view.hand.iter().any(|tile| (u32::from(tile.low()), u32::from(tile.high())) == (low, high))
        };
        let low = (0..9).find(|low| !held(*low, 9)).unwrap();
        let tile = v1::Tile { low: Some(low), high: Some(9) };
        vec![changed(decision, |play| play.tile = Some(tile))]
    };
    fails("first-decision", decide, Promise::TileInHand, "does not hold").await;
}

#[tokio::test]
async fn a_wrong_end_is_named() {
    let decide: Decide = |_, decision| {
        vec![changed(decision, |play| play.end = Some((play.end.unwrap_or_default() + 1) % 10))]
    };
    fails("first-decision", decide, Promise::EndThatFits, "cannot be laid").await;
}

#[tokio::test]
async fn an_option_that_there_is_not_is_named() {
    let decide: Decide = |_, decision| vec![choice(decision, Answer::Option(decision.options.len() as u32))];
    fails("first-decision", decide, Promise::OptionInRange, "option that there is not").await;
}

#[tokio::test]
async fn a_blank_that_is_left_out_is_named() {
    let decide: Decide = |_, decision| {
        let absent = |number: Option<u32>| number.filter(|number| *number > 0);
        vec![changed(decision, |play| {
            let tile = play.tile.unwrap();
            play.tile = Some(v1::Tile { low: absent(tile.low), high: absent(tile.high) });
            play.end = absent(play.end);
        })]
    };
    fails("blanks", decide, Promise::WholeFields, "left out a field").await;
}

#[tokio::test]
async fn two_answers_to_one_decision_are_named() {
    let decide: Decide =
        |_, decision| vec![0, 1].into_iter().map(|option| choice(decision, Answer::Option(option))).collect();
    fails("first-decision", decide, Promise::OneAnswer, "and then with").await;
}

#[tokio::test]
async fn the_number_of_the_first_decision_for_all_is_named() {
    let decide: Decide =
        |memory, decision| vec![v1::Choice { decision: memory.first, ..choice(decision, Answer::Option(0)) }];
    fails("whole-match", decide, Promise::OpenDecision, "once more, while decision").await;
}

#[tokio::test]
async fn no_number_at_all_is_named() {
    let decide: Decide =
        |_, decision| vec![v1::Choice { decision: 0, ..choice(decision, Answer::Option(0)) }];
    fails("first-decision", decide, Promise::OpenDecision, "without the decision's number").await;
}

#[tokio::test]
async fn an_answer_that_nobody_asked_for_is_named() {
    let decide: Decide = |_, decision| {
        vec![v1::Choice { decision: decision.number + 7, ..choice(decision, Answer::Option(0)) }]
    };
    fails("first-decision", decide, Promise::OnlyWhatIsAsked, "never asked").await;
}

#[tokio::test]
async fn a_flood_is_named() {
    let decide: Decide = |_, decision| vec![choice(decision, Answer::Option(0)); 1000];
    fails("first-decision", decide, Promise::NoFlood, "").await;
}

#[tokio::test]
async fn another_answer_after_a_lost_connection_is_named() {
    let decide: Decide = |memory, decision| {
        let other = memory.decisions as usize % decision.options.len();
        vec![choice(decision, Answer::Option(other as u32))]
    };
    fails("lost-answer", decide, Promise::OneAnswer, "and then with").await;
}

#[tokio::test]
async fn a_bot_that_blocks_is_named() {
    let report = broken("first-decision", Some(Duration::from_secs(1)), |_, _| Vec::new(), |_| true).await;
    let failure = assert_failed(&report, Promise::AnswersInTime, "within 1 s");
    let marked = failure.transcript.iter().find(|line| line.starts_with("=>")).unwrap();
    assert!(marked.contains("Decision"), "{marked}");
}

#[tokio::test]
async fn a_bot_that_leaves_in_the_middle_of_a_match_is_named() {
    let first: Decide = |_, decision| vec![choice(decision, Answer::Option(0))];
    let report = broken("whole-match", None, first, |memory| memory.decisions < 3).await;
    assert_failed(&report, Promise::Stays, "in the middle of a match");
}

#[tokio::test]
async fn the_name_of_another_agent_is_named() {
    let plan = plan(Subject::Agent { name: "wanted".to_owned(), command: None }, &["hello"]);
    let mut bots = JoinSet::new();
    let mut ready = Ready(|address: &str, _: &str| {
        let address = address.to_owned();
        bots.spawn(async move {
            let token = Client::connect(&address, None).unwrap().register("other").await.unwrap();
            play(address, token, |_, _| Vec::new(), |_| true).await;
        });
    });
    let report = examine(&plan, &mut ready).await.unwrap();
    assert_failed(&report, Promise::Connects, "plays as \"other\"");
}

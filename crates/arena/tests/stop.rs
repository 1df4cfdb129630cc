//! An arena that stops leaves every match at a stored decision, from which another one goes on.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use chickenfoot_arena::{
    Answer, Arena, ChoiceError, LocalBus, NewMatch, Parts, ToAgent, TokioClock, Watched,
};
use chickenfoot_rules::{Entropy, ForcedMoves, Preset, RuleOptions};
use chickenfoot_store::{
    AgentName, ClockRules, FaultRules, Incarnation, MatchId, MatchState, Memory, SeatSpec,
};

fn arena(store: &Arc<Memory>, incarnation: u64) -> Arena {
    Arena::new(Parts {
        journal: store.clone(),
        bus: Arc::new(LocalBus::new()),
        clock: Arc::new(TokioClock::new()),
        house: Arc::new(chickenfoot_strategy::by_name),
        incarnation: Incarnation(incarnation),
    })
}

async fn start(arena: &Arena, first: SeatSpec) -> MatchId {
    let hour = Duration::from_secs(3600);
    let new = NewMatch {
        creator: "host".parse().unwrap(),
        rules: RuleOptions::new(Preset::Classic, 2).resolve().unwrap(),
        seats: vec![first, SeatSpec::House("greedy".to_owned())],
        clock: ClockRules { decision: hour, bank: hour, grace: hour },
        faults: FaultRules { strikes: 3, illegal: 3, strict: false },
        forced: ForcedMoves::Automatic,
        spectator_delay: 0,
        fixed: None,
        rated: false,
        block: None,
    };
    arena.create(new, |_| None).await.unwrap().id
}

#[tokio::test]
async fn a_stopped_match_decides_nothing_and_goes_on_elsewhere() {
    let (store, agent): (_, AgentName) = (Arc::new(Memory::new()), "alice".parse().unwrap());
    let before = arena(&store, 1);
    let id = start(&before, SeatSpec::Open).await;
    let mut inbox = before.listen(&agent, 100);
    before.join(id, &agent, None, Entropy::default()).await.unwrap();
    let number = loop {
        let message = inbox.next().await.unwrap().message;
        if let Some(ToAgent::Decision(note)) = ToAgent::decode(&message) {
            break note.number;
        }
    };
    before.stop().await;
    assert_eq!(before.running(), 0);
    let choice = before.choose(id, &agent, number, Answer::Option(0)).await;
    assert_eq!(choice, Err(ChoiceError::Unavailable));
    assert_eq!(before.row(id).await.unwrap().state, MatchState::Running);

    let after = arena(&store, 2);
    assert!(after.choose(id, &agent, number, Answer::Option(0)).await.is_ok());
    after.stop().await;
}

#[tokio::test]
async fn a_match_of_the_house_ends_elsewhere() {
    let store = Arc::new(Memory::new());
    let before = arena(&store, 1);
    let id = start(&before, SeatSpec::House("random".to_owned())).await;
    let mut watch = before.watch(id, 0).await.unwrap();
    assert!(matches!(watch.next().await, Watched::Event(1, _)));
    before.stop().await;
    assert_eq!(before.row(id).await.unwrap().state, MatchState::Running);

    let after = arena(&store, 2);
    after.resend(id, &"nobody".parse().unwrap()).await;
    let mut watch = after.watch(id, 0).await.unwrap();
    while let Watched::Event(..) = watch.next().await {}
    assert_eq!(after.row(id).await.unwrap().state, MatchState::Finished);
}

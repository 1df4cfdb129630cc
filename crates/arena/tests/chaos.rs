//! The trial of a service that goes wrong: messages are lost and doubled, matches fall out of memory, another server
//! takes over. Every match ends as in a calm run.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chickenfoot_arena::{
    Answer, Arena, Bus, ChoiceError, Chosen, DecisionNote, LocalBus, NewMatch, NoAnswer, Parts, Subject,
    Subscription, ToAgent, TokioClock,
};
use chickenfoot_rules::{Entry, ForcedMoves, Hex32, Preset, RuleOptions, Seed};
use chickenfoot_store::{
    AgentName, Cause, ClockRules, FaultRules, Incarnation, Journal, MatchId, MatchState, Memory, SeatSpec,
};

const MATCHES: u8 = 50;

/// Chance from a seed.
struct Dice(Mutex<u64>);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(Mutex::new(seed))
    }

    /// A number below `n`, by SplitMix64.
    fn roll(&self, n: usize) -> usize {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Delivered,
    Dropped,
    Doubled,
}

/// Of a hundred messages it drops five and doubles five; of a request, the answer too may be dropped.
struct Wild {
    bus: LocalBus,
    dice: Dice,
    counts: Mutex<[u32; 2]>,
}

impl Wild {
    fn new(seed: u64) -> Wild {
        Wild { bus: LocalBus::new(), dice: Dice::new(seed), counts: Mutex::default() }
    }

    fn fate(&self) -> Fate {
        let mut counts = self.counts.lock().unwrap();
        match self.dice.roll(100) {
            0..5 => {
                counts[0] += 1;
                Fate::Dropped
            }
            5..10 => {
                counts[1] += 1;
                Fate::Doubled
            }
            _ => Fate::Delivered,
        }
    }
}

#[async_trait]
impl Bus for Wild {
    fn publish(&self, subject: &Subject, message: Bytes) {
        match self.fate() {
            Fate::Dropped => {}
            Fate::Doubled => {
                self.bus.publish(subject, message.clone());
                self.bus.publish(subject, message);
            }
            Fate::Delivered => self.bus.publish(subject, message),
        }
    }

    fn subscribe(&self, subject: Subject, capacity: usize) -> Subscription {
        self.bus.subscribe(subject, capacity)
    }

    async fn request(&self, subject: &Subject, message: Bytes) -> Result<Bytes, NoAnswer> {
        match self.fate() {
            // Nobody tells the asker: it waits until it gives up.
            Fate::Dropped => std::future::pending().await,
            Fate::Doubled => {
                let _ = self.bus.request(subject, message.clone()).await;
            }
            Fate::Delivered => {}
        }
        let answer = self.bus.request(subject, message).await?;
        if self.fate() == Fate::Dropped {
            return std::future::pending().await;
        }
        Ok(answer)
    }
}

fn arena(journal: &Arc<Memory>, bus: Arc<dyn Bus>, incarnation: u64) -> Arena {
    Arena::new(Parts {
        journal: journal.clone(),
        bus,
        clock: Arc::new(TokioClock::new()),
        house: Arc::new(chickenfoot_strategy::by_name),
        incarnation: Incarnation(incarnation),
    })
}

fn agents() -> Vec<AgentName> {
    ["ann", "bob", "cyd", "dan"].map(|name| name.parse().unwrap()).to_vec()
}

/// A short match of two agents without time limits to speak of, in which any fault would be seen. Those of the same
/// number are the same.
async fn start(arena: &Arena, number: u8, agents: [&AgentName; 2]) -> MatchId {
    let hour = Duration::from_secs(3600);
    let preset = if number.is_multiple_of(2) { Preset::Trains } else { Preset::Classic };
    let options = RuleOptions { max_pip: Some(6), rounds: Some(1), ..RuleOptions::new(preset, 2) };
    let new = NewMatch {
        creator: "host".parse().unwrap(),
        rules: options.resolve().unwrap(),
        seats: vec![SeatSpec::Open; 2],
        clock: ClockRules { decision: hour, bank: hour, grace: hour },
        faults: FaultRules { strikes: 0, illegal: 1, strict: true },
        forced: if number.is_multiple_of(3) { ForcedMoves::Asked } else { ForcedMoves::Automatic },
        spectator_delay: 0,
        fixed: Some((Seed::new([number; 32]), format!("chaos-{number}"))),
        rated: false,
        block: None,
    };
    let id = arena.create(new, |_| None).await.unwrap().id;
    for (seat, agent) in [0, 1].into_iter().zip(agents) {
        arena.join(id, agent, Some(seat), Default::default()).await.unwrap();
    }
    id
}

/// The option that an agent takes: the first or the second, by the decision alone.
fn option(note: &DecisionNote) -> u32 {
    (note.number % 2).min(note.view.moves().total() as u32 - 1)
}

/// What an agent was told of its answers.
type Told = BTreeMap<(MatchId, u32), Chosen>;

/// What upsets the service from time to time.
struct Upset {
    dice: Dice,
    matches: Vec<MatchId>,
    drops: Mutex<u32>,
}

impl Upset {
    /// Every tenth time, drops a match from memory.
    fn strike(&self, arena: &Arena) {
        if self.dice.roll(10) == 0 {
            arena.drop_from_memory(self.matches[self.dice.roll(self.matches.len())]);
            *self.drops.lock().unwrap() += 1;
        }
    }
}

/// Plays all matches of an agent to their ends, as a session and a bot together would.
async fn play(arena: Arena, agent: AgentName, mut inbox: Subscription, upset: Option<Arc<Upset>>) -> Told {
    let mut told = Told::new();
    loop {
        let Ok(delivery) = tokio::time::timeout(Duration::from_secs(1), inbox.next()).await else {
            // Silence: over, or the decision was lost.
            let running = arena.journal().of_agent(&agent).await.unwrap();
            if running.is_empty() {
                return told;
            }
            for row in running {
                arena.resend(row.id, &agent).await;
            }
            continue;
        };
        let Some(ToAgent::Decision(note)) = ToAgent::decode(&delivery.unwrap().message) else { continue };
        arena.delivered(note.match_id, &agent, note.number, 1);
        let made = loop {
            if let Some(upset) = &upset {
                upset.strike(&arena);
            }
            match arena.choose(note.match_id, &agent, note.number, Answer::Option(option(&note))).await {
                Ok(made) => break made,
                Err(ChoiceError::Unavailable) => tokio::time::sleep(Duration::from_millis(10)).await,
                Err(why) => panic!("decision {} of {}: {why:?}", note.number, note.match_id),
            }
        };
        // A decision that came twice was answered twice, with the same result.
        let before = told.insert((note.match_id, note.number), made);
        assert!(before.is_none_or(|before| before == made));
    }
}

struct Outcome {
    digests: Vec<Hex32>,
    choices: Vec<Vec<Entry>>,
}

/// Runs all matches on a bus, with upsets or without.
async fn run(bus: Arc<dyn Bus>, seed: Option<u64>) -> (Outcome, u32) {
    let journal = Arc::new(Memory::new());
    let arena = arena(&journal, bus, 1);
    let agents = agents();
    let inboxes: Vec<Subscription> = agents.iter().map(|agent| arena.listen(agent, 4096)).collect();
    let mut matches = Vec::new();
    for number in 0..MATCHES {
        let seat = |i: u8| &agents[usize::from(number + i) % agents.len()];
        matches.push(start(&arena, number, [seat(0), seat(1)]).await);
    }
    let upset = seed.map(|seed| {
        Arc::new(Upset { dice: Dice::new(seed), matches: matches.clone(), drops: Mutex::default() })
    });
    let players: Vec<_> = agents
        .into_iter()
        .zip(inboxes)
        .map(|(agent, inbox)| tokio::spawn(play(arena.clone(), agent, inbox, upset.clone())))
        .collect();
    let mut told = Told::new();
    for player in players {
        told.extend(player.await.unwrap());
    }

    let mut outcome = Outcome { digests: Vec::new(), choices: Vec::new() };
    for id in &matches {
        let row = arena.row(*id).await.unwrap();
        assert_eq!(row.state, MatchState::Finished);
        let summary = row.summary.unwrap();
        let record = arena.record(*id).await.unwrap();
        assert_eq!((record.verify(), record.digest), (Ok(()), summary.digest));
        let log = journal.log(*id, 0).await.unwrap();
        assert!(log.iter().all(|row| row.cause == Cause::Agent && row.illegal == 0));
        // What the agents were told was stored is the log, each entry once and in its order.
        let told: Vec<Entry> =
            told.range((*id, 0)..=(*id, u32::MAX)).map(|(_, made)| Entry::Choice(made.choice)).collect();
        let stored: Vec<Entry> = log.iter().map(|row| row.entry).collect();
        assert_eq!(told, stored);
        outcome.digests.push(summary.digest);
        outcome.choices.push(stored);
    }
    arena.stop().await;
    assert_eq!(arena.running(), 0);
    (outcome, upset.map_or(0, |upset| *upset.drops.lock().unwrap()))
}

#[tokio::test(start_paused = true)]
async fn matches_on_a_wild_bus_that_fall_out_of_memory_end_as_in_a_calm_run() {
    let (calm, _) = run(Arc::new(LocalBus::new()), None).await;
    assert!(calm.choices.iter().map(Vec::len).sum::<usize>() > 500);
    for seed in [1, 2] {
        let bus = Arc::new(Wild::new(seed));
        let (wild, drops) = run(bus.clone(), Some(seed)).await;
        assert_eq!(wild.digests, calm.digests, "seed {seed}");
        assert_eq!(wild.choices, calm.choices, "seed {seed}");
        let [dropped, doubled] = *bus.counts.lock().unwrap();
        assert!(drops > 50 && dropped > 50 && doubled > 50, "{drops} {dropped} {doubled}");
    }
}

/// The next decision that an inbox hears of.
async fn decision(inbox: &mut Subscription) -> DecisionNote {
    loop {
        let delivery = inbox.next().await.unwrap();
        if let Some(ToAgent::Decision(note)) = ToAgent::decode(&delivery.message) {
            return *note;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_that_is_dropped_from_memory_rests_until_it_is_asked_for() {
    let (journal, ann): (_, AgentName) = (Arc::new(Memory::new()), "ann".parse().unwrap());
    let arena = arena(&journal, Arc::new(LocalBus::new()), 1);
    let mut inbox = arena.listen(&ann, 4096);
    let id = start(&arena, 1, [&ann, &ann]).await;
    let note = decision(&mut inbox).await;
    arena.drop_from_memory(id);
    while arena.running() > 0 {
        tokio::task::yield_now().await;
    }
    // No clock runs for it, so no fault is made.
    tokio::time::advance(Duration::from_secs(4 * 3600)).await;
    assert!(journal.log(id, 0).await.unwrap().is_empty());
    arena.resend(id, &ann).await;
    let again = decision(&mut inbox).await;
    assert_eq!((again.number, again.left), (note.number, note.left));
    assert_eq!(arena.running(), 1);

    arena.drop_from_memory(id);
    arena.drop_from_memory(MatchId(0));
    while arena.running() > 0 {
        tokio::task::yield_now().await;
    }
    assert!(
        arena.choose(id, &ann, note.number, Answer::Option(0)).await.is_ok(),
        "an answer asks for it too"
    );
    arena.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_a_match_that_is_just_being_dropped_is_taken_once() {
    let (journal, ann): (_, AgentName) = (Arc::new(Memory::new()), "ann".parse().unwrap());
    let arena = arena(&journal, Arc::new(LocalBus::new()), 1);
    let mut inbox = arena.listen(&ann, 4096);
    let id = start(&arena, 1, [&ann, &ann]).await;
    let note = decision(&mut inbox).await;
    arena.drop_from_memory(id);
    let made = arena.choose(id, &ann, note.number, Answer::Option(1)).await.unwrap();
    assert_eq!(arena.choose(id, &ann, note.number, Answer::Option(1)).await, Ok(made));
    let log = journal.log(id, 0).await.unwrap();
    assert_eq!(log.iter().map(|row| row.entry).collect::<Vec<_>>(), [Entry::Choice(made.choice)]);
    arena.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_owner_whose_match_a_newer_arena_has_taken_over_is_fenced() {
    let (journal, ann): (_, AgentName) = (Arc::new(Memory::new()), "ann".parse().unwrap());
    // Two servers that do not hear each other.
    let old = arena(&journal, Arc::new(LocalBus::new()), 1);
    let new = arena(&journal, Arc::new(LocalBus::new()), 2);
    let (mut old_inbox, mut new_inbox) = (old.listen(&ann, 4096), new.listen(&ann, 4096));
    let id = start(&old, 1, [&ann, &ann]).await;
    let first = decision(&mut old_inbox).await;
    old.choose(id, &ann, first.number, Answer::Option(0)).await.unwrap();
    let second = decision(&mut old_inbox).await;

    assert_eq!(new.recover().await.unwrap(), 1);
    assert_eq!(decision(&mut new_inbox).await.number, second.number);
    let made = new.choose(id, &ann, second.number, Answer::Option(0)).await.unwrap();
    let third = decision(&mut new_inbox).await;

    // The old one still takes the second decision for open, and then the third one.
    let refused = old.choose(id, &ann, second.number, Answer::Option(1)).await;
    assert!(
        matches!(refused, Err(ChoiceError::Answered { played, .. }) if played == made.choice)
            || refused == Err(ChoiceError::Unavailable),
        "{refused:?}"
    );
    let refused = old.choose(id, &ann, third.number, Answer::Option(0)).await;
    assert_eq!(refused, Err(ChoiceError::Unavailable));
    let refused = old.leave(id, &ann).await;
    assert!(refused.is_err());
    assert_eq!(journal.log(id, 0).await.unwrap().len(), 2, "it writes nothing any more");
    assert_eq!(old.choose(id, &ann, second.number, Answer::Option(0)).await, Ok(made), "but it can read");

    let mut number = third.number;
    while new.row(id).await.unwrap().state == MatchState::Running {
        new.choose(id, &ann, number, Answer::Option(0)).await.unwrap();
        if new.row(id).await.unwrap().state == MatchState::Running {
            number = decision(&mut new_inbox).await.number;
        }
    }
    assert_eq!(new.record(id).await.unwrap().verify(), Ok(()));
    assert!(journal.log(id, 0).await.unwrap().iter().all(|row| row.cause == Cause::Agent));
    old.stop().await;
    new.stop().await;
}

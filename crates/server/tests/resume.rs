//! A new session goes on where the one before left off, also in matches that have ended meanwhile.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::sync::{Arc, mpsc};

use chickenfoot_bot::{Bot, GameEnd, GameInfo, Runner, Stats, Turn};
use chickenfoot_protocol::v1::{self, session_response::What as Down};
use chickenfoot_rules::Move;
use chickenfoot_server::{Limits, Reason, Server, Stores};
use chickenfoot_store::Memory;
use common::{Agent, Service, Session, house, one_round, open_seat, option, within};
use tonic_types::StatusExt;

fn known(match_id: &str, after_seq: u64) -> v1::Open {
    let resume = vec![v1::Resume { match_id: match_id.to_owned(), after_seq }];
    v1::Open { events: true, resume, ..v1::Open::default() }
}

/// Reads to the next decision and all events before it; returns the decision.
async fn to_decision(session: &mut Session, seqs: &mut Vec<u64>) -> v1::Decision {
    let mut asked: Option<v1::Decision> = None;
    loop {
        match session.next().await {
            Down::GameEvent(event) => seqs.push(event.event.unwrap().seq),
            Down::Decision(decision) => asked = Some(decision),
            Down::GameEnded(_) => panic!("the match goes on"),
            _ => {}
        }
        let last = seqs.last().copied().unwrap_or_default();
        if let Some(decision) = asked.take_if(|decision| u64::from(decision.number) <= last + 1) {
            return decision;
        }
    }
}

/// Reads the events up to the end of the match.
async fn to_end(session: &mut Session, seqs: &mut Vec<u64>) -> v1::Match {
    loop {
        match session.next().await {
            Down::GameEvent(event) => seqs.push(event.event.unwrap().seq),
            Down::Decision(decision) => session.choose(option(&decision, 0)).await,
            Down::GameEnded(ended) => return *ended.r#match.unwrap(),
            _ => {}
        }
    }
}

async fn game_of(ann: &Agent) -> String {
    ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await.id
}

#[tokio::test]
async fn events_go_on_after_the_last_one_that_is_known() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (mut session, _) = ann.open(true).await;
    let id = game_of(&ann).await;
    let mut seqs = Vec::new();
    let decision = to_decision(&mut session, &mut seqs).await;
    session.choose(option(&decision, 0)).await;
    to_decision(&mut session, &mut seqs).await;
    drop(session);
    let (mut session, hello) = ann.open_as(known(&id, *seqs.last().unwrap())).await;
    assert_eq!(hello.running_matches, 1);
    let over = to_end(&mut session, &mut seqs).await;
    assert_eq!(seqs, (1..=over.head_seq).collect::<Vec<_>>(), "each event came once");
}

#[tokio::test]
async fn a_match_that_ended_meanwhile_is_told_to_its_end() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (mut session, _) = ann.open(true).await;
    let id = game_of(&ann).await;
    let mut seqs = Vec::new();
    to_decision(&mut session, &mut seqs).await;
    drop(session);
    let over = within(ann.client.leave_match(&id)).await.unwrap();
    assert_eq!(over.state(), v1::MatchState::Finished);
    let (mut session, _) = ann.open_as(known(&id, *seqs.last().unwrap())).await;
    let Down::GameStarted(started) = session.next().await else { panic!("it is announced first") };
    assert_eq!(started.seats, [0]);
    assert_eq!(to_end(&mut session, &mut seqs).await, over);
    assert_eq!(seqs, (1..=over.head_seq).collect::<Vec<_>>());
    let (mut session, _) = ann.open_as(v1::Open { events: false, ..known(&id, 0) }).await;
    let (started, ended) = (session.next().await, session.next().await);
    assert!(matches!((started, ended), (Down::GameStarted(_), Down::GameEnded(_))), "and without events too");
}

#[tokio::test]
async fn only_an_agents_own_matches_are_taken_up() {
    let service = Service::start().await;
    let (ann, bob) = (service.agent("ann").await, service.agent("bob").await);
    let running = game_of(&bob).await;
    let over = game_of(&bob).await;
    within(bob.client.leave_match(&over)).await.unwrap();
    let aborted = bob.client.create_match(one_round(vec![open_seat(), open_seat()])).await.unwrap().id;
    within(bob.client.abort_match(&aborted)).await.unwrap();
    let ids = [running, over, aborted, "0".repeat(32)];
    let resume = ids.map(|match_id| v1::Resume { match_id, after_seq: 1 }).to_vec();
    let (mut session, _) = ann.open_as(v1::Open { events: true, resume, ..v1::Open::default() }).await;
    let id = game_of(&ann).await;
    let first = session.until(|message| match message {
        Down::GameStarted(started) => Some(started.r#match.unwrap().id),
        Down::GameEvent(event) => Some(event.match_id),
        Down::GameEnded(ended) => Some(ended.r#match.unwrap().id),
        _ => None,
    });
    assert_eq!(first.await, id);
}

#[tokio::test]
async fn what_cannot_be_taken_up_ends_the_session() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let one = v1::Resume { match_id: "0".repeat(32), after_seq: 0 };
    let wrong = v1::Resume { match_id: "0".repeat(31), after_seq: 0 };
    for (resume, reason) in
        [(vec![one; 1001], Reason::FieldOutOfRange), (vec![wrong], Reason::MatchIdInvalid)]
    {
        let (up, mut down) = ann.call_session(1).await;
        let open = v1::Open { resume, ..v1::Open::default() };
        let what = Some(v1::session_request::What::Open(open));
        up.send(v1::SessionRequest { what }).await.unwrap();
        let refused = within(down.message()).await.unwrap_err();
        assert_eq!(refused.get_details_error_info().unwrap().reason, reason.name());
    }
}

/// Tells when it is asked, and does not answer before it may; tells the end.
struct Slow {
    asked: mpsc::Sender<()>,
    may: mpsc::Receiver<()>,
    ended: mpsc::Sender<bool>,
}

impl Bot for Slow {
    fn choose(&mut self, turn: &Turn) -> Move {
        self.asked.send(()).unwrap();
        // An error says that it may.
        let _ = self.may.recv();
        turn.options[0]
    }

    fn end(&mut self, _game: &GameInfo, end: &GameEnd) {
        self.ended.send(end.finished).unwrap();
    }
}

#[tokio::test]
async fn a_runner_learns_of_the_end_of_a_match_that_it_missed() {
    let store = Arc::new(Memory::new());
    let server = || Server::with_store(Limits::default(), Stores::of(store.clone()));
    let service = Service::run(server()).await;
    let ann = service.agent("ann").await;
    let (asked, is_asked) = mpsc::channel();
    let (release, may) = mpsc::channel();
    let (ended, has_ended) = mpsc::channel();
    let runner = Runner::new(&service.address, &ann.token).games(1);
    let mut bot = Some(Slow { asked, may, ended });
    let running =
        tokio::spawn(
            async move { runner.run(|_| Box::new(bot.take().unwrap()), std::future::pending()).await },
        );
    let id = game_of(&ann).await;
    tokio::task::spawn_blocking(move || is_asked.recv().unwrap()).await.unwrap();
    let address = service.address.strip_prefix("http://").unwrap().to_owned();
    service.stop().await;
    // Nobody else gets the port in the meantime.
    let kept = tokio::net::TcpSocket::new_v4().unwrap();
    kept.set_reuseaddr(true).unwrap();
    kept.bind(address.parse().unwrap()).unwrap();
    // Where the runner does not find it, the match ends.
    let elsewhere = Service::run(server()).await;
    let client = chickenfoot_bot::Client::connect(&elsewhere.address, Some(&ann.token)).unwrap();
    within(client.leave_match(&id)).await.unwrap();
    elsewhere.stop().await;
    let _again = Service::run_at(&address, server()).await;
    drop(release);
    let stats = within(running).await.unwrap().unwrap();
    assert!(matches!(stats, Stats { games: 1, .. }));
    let finished = tokio::task::spawn_blocking(move || has_ended.recv()).await.unwrap();
    assert_eq!(finished, Ok(true));
}

/// Plays the first option and tells the end.
struct Quick {
    ended: mpsc::Sender<bool>,
}

impl Bot for Quick {
    fn choose(&mut self, turn: &Turn) -> Move {
        turn.options[0]
    }

    fn end(&mut self, _game: &GameInfo, end: &GameEnd) {
        self.ended.send(end.finished).unwrap();
    }
}

#[tokio::test]
async fn a_runner_waits_for_a_bot_that_still_thinks_when_its_last_match_is_over() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let (asked, is_asked) = mpsc::channel();
    let (release, may) = mpsc::channel();
    let (slow_ended, slow_has_ended) = mpsc::channel();
    let (quick_ended, quick_has_ended) = mpsc::channel();
    let runner = Runner::new(&service.address, &ann.token).games(2);
    let mut slow = Some(Slow { asked, may, ended: slow_ended });
    let running = tokio::spawn(async move {
        let make = |_: &GameInfo| -> Box<dyn Bot> {
            match slow.take() {
                Some(bot) => Box::new(bot),
                None => Box::new(Quick { ended: quick_ended.clone() }),
            }
        };
        runner.run(make, std::future::pending()).await
    });
    let id = game_of(&ann).await;
    tokio::task::spawn_blocking(move || is_asked.recv().unwrap()).await.unwrap();
    within(ann.client.leave_match(&id)).await.unwrap();
    game_of(&ann).await;
    let quick = tokio::task::spawn_blocking(move || quick_has_ended.recv()).await.unwrap();
    assert_eq!(quick, Ok(true), "the other match is played meanwhile");
    drop(release);
    let stats = within(running).await.unwrap().unwrap();
    assert!(matches!(stats, Stats { games: 2, .. }));
    assert_eq!(slow_has_ended.try_recv(), Ok(true));
}

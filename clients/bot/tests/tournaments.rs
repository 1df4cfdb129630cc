//! The calls about tournaments, against a service that does what it is told.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

mod fake;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1::{self, TournamentState};
use fake::{Fake, Step, refusal, standing};
use tonic::{Code, Status};

/// A fake with one tournament, and a client of its creator.
async fn service() -> (Fake, Client, String) {
    let fake = Fake::start();
    let client = Client::connect(&fake.address, Some("token-me")).unwrap();
    let id = client.create_tournament(v1::TournamentConfig::default()).await.unwrap().id;
    (fake, client, id)
}

fn running(finished: u32) -> Step {
    Step::Say(standing(TournamentState::Running, finished, 3).into())
}

fn finished() -> Step {
    Step::Say(standing(TournamentState::Finished, 3, 3).into())
}

/// The finished blocks of every message, to the end.
async fn blocks(watch: &mut chickenfoot_bot::TournamentWatch) -> Result<Vec<u32>, Error> {
    let mut seen = Vec::new();
    while let Some(message) = watch.next().await? {
        seen.push(message.tournament.unwrap().progress.unwrap().finished_blocks);
    }
    Ok(seen)
}

#[tokio::test]
async fn a_tournament_made_twice_under_one_request_id_is_one() {
    let (fake, client, first) = service().await;
    let config = v1::TournamentConfig::default();
    let one = client.create_tournament_as(config.clone(), "same").await.unwrap();
    let same = client.create_tournament_as(config.clone(), "same").await.unwrap();
    let other = client.create_tournament(config).await.unwrap();
    assert_eq!(one.id, same.id);
    assert_ne!(one.id, first);
    assert_ne!(one.id, other.id);
    let ids = fake.calls("CreateTournament");
    assert_ne!(ids[0], ids[3], "every call without an id of the caller's has its own");
}

#[tokio::test]
async fn every_call_reaches_the_tournament_and_tells_what_became_of_it() {
    let (fake, client, id) = service().await;
    let state = |tournament: v1::Tournament| tournament.state();
    assert_eq!(client.start_tournament(&id).await.map(state).unwrap(), TournamentState::Running);
    assert_eq!(client.pause_tournament(&id).await.map(state).unwrap(), TournamentState::Paused);
    assert_eq!(client.get_tournament(&id).await.map(state).unwrap(), TournamentState::Paused);
    assert_eq!(client.resume_tournament(&id).await.map(state).unwrap(), TournamentState::Running);
    assert_eq!(client.cancel_tournament(&id).await.map(state).unwrap(), TournamentState::Cancelled);
    let me = client.join_tournament(&id, vec![7; 32]).await.unwrap();
    assert_eq!((me.name.as_str(), me.state()), ("me", v1::EntrantState::Entered));
    assert_eq!(fake.calls("JoinTournament"), [format!("JoinTournament {id} 32")]);
    let out = client.withdraw_from_tournament(&id, None).await.unwrap();
    assert_eq!((out.name.as_str(), out.state()), ("me", v1::EntrantState::Withdrawn));
    let unknown = client.withdraw_from_tournament(&id, Some("other")).await.unwrap_err();
    assert_eq!(unknown.reason(), Some("ENTRANT_NOT_FOUND"));
    fake.state().standings.pairings.push(v1::Pairing::default());
    assert_eq!(client.standings(&id).await.unwrap().pairings.len(), 0);
    assert_eq!(client.standings_with_pairings(&id).await.unwrap().pairings.len(), 1);
}

#[tokio::test]
async fn lists_come_page_by_page() {
    let (fake, client, id) = service().await;
    for _ in 0..2 {
        client.create_tournament(v1::TournamentConfig::default()).await.unwrap();
    }
    let first = client.tournaments(TournamentState::Open, "").await.unwrap();
    assert_eq!((first.entries.len(), first.next.as_str()), (2, "2"));
    let second = client.tournaments(TournamentState::Open, &first.next).await.unwrap();
    assert_eq!((second.entries[0].id.as_str(), second.next.as_str()), (id.as_str(), ""));
    assert_eq!(client.tournaments(TournamentState::Paused, "").await.unwrap().entries.len(), 0);
    let first = client.blocks(&id, "").await.unwrap();
    let second = client.blocks(&id, &first.next).await.unwrap();
    let numbers: Vec<u32> = first.entries.iter().chain(&second.entries).map(|it| it.number).collect();
    assert_eq!(numbers, [0, 1, 2]);
    fake.state().entrants = vec![v1::TournamentEntrant::default(); 3];
    let first = client.entrants(&id, "").await.unwrap();
    assert_eq!(client.entrants(&id, &first.next).await.unwrap().entries.len(), 1);
}

#[tokio::test]
async fn a_watch_ends_with_the_tournament() {
    let (fake, client, id) = service().await;
    for end in [TournamentState::Finished, TournamentState::Cancelled] {
        // It holds: the end is told by the state, not by the stream.
        fake.script([running(1), Step::Say(standing(end, 2, 3).into()), Step::Hold]);
        let mut watch = client.watch_tournament(&id, 5).await.unwrap();
        assert_eq!(blocks(&mut watch).await.unwrap(), [1, 2]);
        assert!(watch.next().await.unwrap().is_none(), "it stays at its end");
    }
    assert_eq!(fake.calls("WatchTournament")[0], format!("WatchTournament {id} 5"));
}

#[tokio::test]
async fn a_watch_that_breaks_or_ends_too_early_is_taken_up_again() {
    let (fake, client, id) = service().await;
    fake.script([running(1), Step::Break(Status::unavailable("gone"))]);
    fake.script([running(2)]);
    fake.script([Step::Break(refusal(Code::ResourceExhausted, "RATE_LIMITED"))]);
    fake.script([running(2), finished()]);
    let losses = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&losses);
    let watch = client.watch_tournament(&id, 0).await.unwrap();
    let mut watch = watch.on_lost(move |error| told.lock().unwrap().push(error.to_string()));
    assert_eq!(blocks(&mut watch).await.unwrap(), [1, 2, 2, 3]);
    let losses = losses.lock().unwrap();
    assert_eq!(losses.len(), 3);
    assert!(losses[0].contains("gone"), "{losses:?}");
    assert_eq!(losses[1], Error::Ended.to_string());
}

#[tokio::test]
async fn a_watch_of_what_is_not_there_fails() {
    let (fake, client, id) = service().await;
    let refused = client.watch_tournament("none", 0).await.err().unwrap();
    assert_eq!(refused.reason(), Some("TOURNAMENT_NOT_FOUND"));
    fake.script([running(1)]);
    let mut watch = client.watch_tournament(&id, 0).await.unwrap();
    assert!(watch.next().await.unwrap().is_some());
    // As after a restart of a service that keeps nothing.
    fake.state().tournaments.clear();
    assert_eq!(watch.next().await.unwrap_err().reason(), Some("TOURNAMENT_NOT_FOUND"));
}

#[tokio::test]
async fn patience_that_is_at_its_end_gives_up_with_the_loss() {
    let (fake, client, id) = service().await;
    fake.script([running(1), Step::Break(Status::unavailable("gone"))]);
    let watch = client.watch_tournament(&id, 0).await.unwrap();
    let mut watch = watch.patience(Duration::ZERO);
    assert!(watch.next().await.unwrap().is_some());
    assert!(matches!(watch.next().await, Err(Error::Connection(_))));
}

#[tokio::test]
async fn a_watch_may_be_given_up_while_waiting_and_loses_nothing() {
    let (fake, client, id) = service().await;
    fake.script([running(1)]);
    fake.script([running(2), finished()]);
    let (tell, mut lost) = tokio::sync::mpsc::unbounded_channel();
    let watch = client.watch_tournament(&id, 0).await.unwrap();
    let mut watch = watch.on_lost(move |_| {
        let _ = tell.send(());
    });
    assert!(watch.next().await.unwrap().is_some());
    // In the pause before it comes back.
    tokio::select! {
        biased;
        _ = lost.recv() => {}
        _ = watch.next() => panic!("there is no pause"),
    }
    assert_eq!(blocks(&mut watch).await.unwrap(), [2, 3]);
}

#[tokio::test]
async fn a_report_is_written_part_by_part() {
    let (fake, client, id) = service().await;
    fake.state().report = vec![b" one".to_vec(), b" two".to_vec()];
    let mut report = client.export_tournament(&id, v1::ExportFormat::Csv).await.unwrap();
    assert_eq!(report.next().await.unwrap(), Some(b"EXPORT_FORMAT_CSV".to_vec()));
    let mut rest = Vec::new();
    assert_eq!(report.write_to(&mut rest).await.unwrap(), 8);
    assert_eq!(rest, b" one two");
}

#[tokio::test]
async fn a_report_that_breaks_off_or_cannot_be_written_is_an_error() {
    let (fake, client, id) = service().await;
    fake.fail("ExportTournament part", Status::unavailable("gone"));
    let report = client.export_tournament(&id, v1::ExportFormat::Json).await.unwrap();
    assert!(matches!(report.write_to(&mut Vec::new()).await, Err(Error::Connection(_))));
    let report = client.export_tournament(&id, v1::ExportFormat::Json).await.unwrap();
    let mut full: &mut [u8] = &mut [0; 4];
    let failed = report.write_to(&mut full).await.unwrap_err();
    assert!(matches!(failed, Error::Write(_)) && !failed.is_passing());
}

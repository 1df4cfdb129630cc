//! A bus may lose what it carries, or carry it twice; every match still ends right.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chickenfoot_arena::{Answer, Bus, ChoiceError, LocalBus, NoAnswer, Subject, Subscription, Watched};
use chickenfoot_store::{Cause, MatchState};
use common::Table;

/// Of twenty messages it loses one, of requests also an answer, and doubles one.
#[derive(Default)]
struct Lossy {
    bus: LocalBus,
    count: AtomicU32,
}

impl Lossy {
    fn fate(&self) -> u32 {
        self.count.fetch_add(1, Ordering::Relaxed) % 20
    }
}

#[async_trait]
impl Bus for Lossy {
    fn publish(&self, subject: &Subject, message: Bytes) {
        match self.fate() {
            3 => {}
            11 => {
                self.bus.publish(subject, message.clone());
                self.bus.publish(subject, message);
            }
            _ => self.bus.publish(subject, message),
        }
    }

    fn subscribe(&self, subject: Subject, capacity: usize) -> Subscription {
        self.bus.subscribe(subject, capacity)
    }

    async fn request(&self, subject: &Subject, message: Bytes) -> Result<Bytes, NoAnswer> {
        match self.fate() {
            3 => Err(NoAnswer::Lost),
            7 => {
                self.bus.request(subject, message).await?;
                Err(NoAnswer::Lost)
            }
            11 => {
                let _ = self.bus.request(subject, message.clone()).await;
                self.bus.request(subject, message).await
            }
            _ => self.bus.request(subject, message).await,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_on_a_bus_that_loses_and_doubles_messages_is_the_match_that_was_played() {
    let mut table = Table::on(Arc::new(Lossy::default())).await;
    let mut watch = table.arena.watch(table.id, 0).await.unwrap();
    let watching = tokio::spawn(async move {
        let mut seq = 0;
        while let Watched::Event(number, _) = watch.next().await {
            seq += 1;
            assert_eq!(number, seq);
        }
        seq
    });
    let mut chosen = Vec::new();
    while table.row().await.state == MatchState::Running {
        // What a session does: if it hears nothing for a while it asks for what is open.
        let Ok(heard) = tokio::time::timeout(Duration::from_secs(1), table.decision()).await else {
            table.arena.resend(table.id, &table.ann).await;
            continue;
        };
        let Some(note) = heard else { break };
        let last = note.view.moves().total() as u32 - 1;
        let answer = table.arena.choose(table.id, &table.ann, note.number, Answer::Option(last)).await;
        match answer {
            Ok(made) if chosen.last() != Some(&(note.number, made)) => chosen.push((note.number, made)),
            Ok(_) => {}
            Err(why) => assert_eq!(why, ChoiceError::Over),
        }
    }
    let log = table.log().await;
    assert!(log.len() > 10 && log.iter().all(|row| row.cause == Cause::Agent));
    assert_eq!(chosen.len(), log.len());
    table.record().await;
    assert_eq!(watching.await.unwrap(), table.row().await.summary.unwrap().head_seq);
}

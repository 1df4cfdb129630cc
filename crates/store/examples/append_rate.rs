//! How many decisions a second the embedded backend stores: `cargo run --release -p chickenfoot-store --example
//! append_rate -- DIRECTORY`. Every task plays a match of its own and waits for each entry, as the arena does.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use chickenfoot_store::conformance::{append, last, running};
use chickenfoot_store::sqlite::Options;
use chickenfoot_store::{Append, Appended, Journal, MatchId, Sqlite};

/// Entries of a match.
const LENGTH: u32 = 150;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let directory = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    for tasks in [1, 32, 256, 1024] {
        let directory = tempfile::tempdir_in(&directory).unwrap();
        let path = directory.path().join("store.sqlite");
        let store = Arc::new(Sqlite::open(&path, &Options::default()).unwrap());
        let began = Instant::now();
        let mut set = tokio::task::JoinSet::new();
        for task in 0..tasks {
            set.spawn(play(Arc::clone(&store), task, began + Duration::from_secs(4)));
        }
        set.join_all().await;
        let (took, stats) = (began.elapsed(), store.stats());
        println!(
            "{tasks:5} tasks: {:8.0} entries/s, {:6.0} commits/s, {:5.1} entries a commit, {:?} a commit, largest {}",
            stats.appended as f64 / took.as_secs_f64(),
            stats.commits as f64 / took.as_secs_f64(),
            stats.appended as f64 / stats.commits as f64,
            stats.commit_time / u32::try_from(stats.commits).unwrap(),
            stats.largest_group,
        );
    }
}

async fn play(store: Arc<Sqlite>, task: u128, until: Instant) {
    for round in 0_u128.. {
        let id = round * 10_007 + task * 1_000_003_000_001;
        store.create(running(id), None).await.unwrap();
        for position in 0..LENGTH {
            let of = |append: Append| Append { match_id: MatchId(id), ..append };
            let append = if position + 1 == LENGTH { of(last(0, position)) } else { of(append(0, position)) };
            assert_eq!(store.append(vec![append]).await, [Appended::Appended]);
            if Instant::now() > until {
                return;
            }
        }
    }
}

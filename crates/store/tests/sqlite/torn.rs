use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chickenfoot_store::conformance::{
    agent, answered, append, block, block_match, entrant, last, open, over, running, tournament,
};
use chickenfoot_store::sqlite::{Examine, Options};
use chickenfoot_store::{
    AgentRow, Agents, Append, BlockRow, EntrantChange, EntrantRow, Journal, ListMatches, ListTournaments,
    LogRow, MatchId, MatchRow, Sqlite, StoreError, TournamentId, TournamentRow, Tournaments, Updated,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::common::{place, reopen};

const MATCHES: u128 = 24;
const CASES: u64 = 300;

/// All that a store says.
#[derive(Debug, PartialEq)]
struct State {
    rows: Vec<MatchRow>,
    logs: BTreeMap<MatchId, Vec<LogRow>>,
    agents: Vec<AgentRow>,
    tournaments: Vec<TournamentRow>,
    entrants: Vec<EntrantRow>,
    blocks: Vec<BlockRow>,
    sealed: Vec<MatchRow>,
    rated: Vec<MatchRow>,
}

impl State {
    async fn of(store: &Sqlite) -> Result<State, StoreError> {
        let all = ListMatches { limit: 1_000, ..ListMatches::default() };
        let rows = store.list(all).await?;
        let mut logs = BTreeMap::new();
        for row in &rows {
            logs.insert(row.id, store.log(row.id, 0).await?);
        }
        let agents = store.agents(None, 1_000).await?;
        let all = ListTournaments { limit: 1_000, ..ListTournaments::default() };
        Ok(State {
            rows,
            logs,
            agents,
            tournaments: store.tournaments(all).await?,
            entrants: store.entrants(CUP, 0, 1_000).await?,
            blocks: store.blocks(CUP, 0, 1_000).await?,
            sealed: store.sealed(CUP, None, 1_000).await?,
            rated: store.rated(None, 1_000).await?,
        })
    }
}

/// What a disk could hold after a crash: the file, and the write-ahead log.
struct Image {
    file: Vec<u8>,
    log: Vec<u8>,
}

impl Image {
    fn of(path: &Path) -> Image {
        Image {
            file: fs::read(path).unwrap(),
            log: fs::read(path.with_extension("sqlite-wal")).unwrap_or_default(),
        }
    }

    fn write(&self, path: &Path) {
        fs::write(path, &self.file).unwrap();
        let log = path.with_extension("sqlite-wal");
        // One of the case before must not be taken for this one's.
        let _ = fs::remove_file(path.with_extension("sqlite-shm"));
        let _ = fs::remove_file(&log);
        if !self.log.is_empty() {
            fs::write(&log, &self.log).unwrap();
        }
    }

    /// Cuts or changes the file or the log. Whether it was the first bytes of the file, which say what file it is.
    fn damage(&self, chance: &mut ChaCha8Rng) -> (Image, bool) {
        let mut image = Image { file: self.file.clone(), log: self.log.clone() };
        let in_log = !image.log.is_empty() && chance.random_bool(0.5);
        let bytes = if in_log { &mut image.log } else { &mut image.file };
        let at = chance.random_range(0..bytes.len());
        let mut first = at;
        match chance.random_range(0..4) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << chance.random_range(0..8),
            // A sector that was never written.
            2 => {
                first = at / 512 * 512;
                let end = bytes.len().min(first + 512);
                bytes[first..end].fill(0);
            }
            _ => {
                for _ in 0..20 {
                    let at = chance.random_range(0..bytes.len());
                    first = first.min(at);
                    bytes[at] = chance.random();
                }
            }
        }
        (image, !in_log && first < 100)
    }
}

struct History {
    states: Vec<State>,
    images: Vec<Image>,
}

const CUP: TournamentId = TournamentId(1);

/// An agent enters a tournament, one leaves and another's name is changed; the matches of a block are played, and the block of
/// two steps before ends.
async fn play_on(store: &Sqlite, step: u32, states: &mut Vec<State>) {
    let row = TournamentRow { version: step, message: format!("step {step}"), ..tournament(1) };
    let new = entrant(step + 100, &format!("a{step}"));
    let renamed = entrant(step, &format!("b{step}"));
    let entrants = EntrantChange { remove: vec![step / 2], put: vec![new, renamed] };
    assert_eq!(store.update_tournament(row, entrants, None).await, Ok(Updated::Done));
    states.push(State::of(store).await.unwrap());
    for game in 0..2 {
        let row = MatchRow { rated: true, ..block_match(1, step, game) };
        store.create(row.clone(), None).await.unwrap();
        states.push(State::of(store).await.unwrap());
        store.append(vec![last(row.id.0, 0)]).await;
        states.push(State::of(store).await.unwrap());
    }
    if let Some(before) = step.checked_sub(2) {
        assert_eq!(store.finish_block(block(1, before)).await, Ok(true));
        states.push(State::of(store).await.unwrap());
    }
}

/// Plays matches; notes what the store says after every call, and now and then what is on the disk.
async fn history() -> History {
    let (_directory, path) = quick_place();
    let store = reopen(&path).unwrap();
    let mut states = vec![State::of(&store).await.unwrap()];
    let mut images = Vec::new();
    store.create_tournament(tournament(1), Vec::new(), None).await.unwrap();
    states.push(State::of(&store).await.unwrap());
    for id in 0..MATCHES {
        let row = match id % 6 {
            4 => over(id),
            5 => open(id),
            _ => running(id),
        };
        let remember = Some(answered(id as u8, 1));
        store.create(row, remember).await.unwrap();
        states.push(State::of(&store).await.unwrap());
        store.create_agent(agent(&format!("a{id}"), id as u8), None).await.unwrap();
        states.push(State::of(&store).await.unwrap());
    }
    for step in 0..30 {
        let batch = (0..MATCHES).flat_map(|id| turns(id, step)).collect();
        store.append(batch).await;
        states.push(State::of(&store).await.unwrap());
        if step % 5 == 0 {
            play_on(&store, step / 5, &mut states).await;
        }
        if step == 10 || step == 20 {
            images.push(Image::of(&path));
            // Copies the log into the file; the next entries overwrite the log from its beginning.
            let other = Connection::open(&path).unwrap();
            other.query_row("PRAGMA wal_checkpoint", (), |_| Ok(())).unwrap();
        }
        if step == 11 || step == 22 {
            images.push(Image::of(&path));
        }
    }
    drop(store);
    images.push(Image::of(&path));
    History { states, images }
}

/// The entries of a match in a step: of every fourth match the last ones in step 15.
fn turns(id: u128, step: u32) -> Vec<Append> {
    let first = step * 3;
    match step {
        15 if id.is_multiple_of(4) => vec![append(id, first), last(id, first + 1)],
        _ => (first..first + 3).map(|position| append(id, position)).collect(),
    }
}

/// A place where waiting for the disk takes no time, if there is one: here only the damage matters.
fn quick_place() -> (TempDir, PathBuf) {
    match tempfile::tempdir_in("/dev/shm") {
        Ok(directory) => {
            let path = directory.path().join("store.sqlite");
            (directory, path)
        }
        Err(_) => place(),
    }
}

#[tokio::test]
async fn a_damaged_file_is_an_earlier_state_or_refused() {
    let History { states, images } = history().await;
    let logs = &states.last().unwrap().logs;
    let (_directory, path) = quick_place();
    let (mut opened, mut refused) = (0, 0);
    for case in 0..CASES {
        let mut chance = ChaCha8Rng::seed_from_u64(case);
        let (image, header) = images[case as usize % images.len()].damage(&mut chance);
        image.write(&path);
        let examine = if case % 3 == 0 { Examine::Live } else { Examine::Everything };
        let options = Options { examine, ..Options::default() };
        let store = match Sqlite::open(&path, &options) {
            Ok(store) => store,
            Err(why) => {
                refused += 1;
                // The first bytes say whose file it is and how to read it.
                assert!(matches!(why, StoreError::Corrupt(_)) || header, "case {case}: {why}");
                continue;
            }
        };
        opened += 1;
        match (State::of(&store).await, examine) {
            (Ok(state), Examine::Everything) => {
                assert!(states.contains(&state), "case {case}: a state that never was");
            }
            (Err(why), Examine::Everything) => panic!("case {case}: {why} after it was examined"),
            (Ok(_) | Err(StoreError::Corrupt(_)), Examine::Live) => {}
            (Err(why), Examine::Live) => panic!("case {case}: {why}"),
        }
        for (id, all) in logs {
            match store.log(*id, 0).await {
                Ok(log) => assert!(all.starts_with(&log), "case {case}: match {id}"),
                Err(why) => assert!(matches!(why, StoreError::Corrupt(_)), "case {case}: {why}"),
            }
            match store.row(*id).await {
                Ok(None) => {}
                Ok(Some(row)) => {
                    let was = |state: &State| state.rows.contains(&row);
                    assert!(states.iter().any(was), "case {case}: match {id}");
                }
                Err(why) => assert!(matches!(why, StoreError::Corrupt(_)), "case {case}: {why}"),
            }
        }
    }
    // Both happen, so the cases are worth something.
    assert!(opened > CASES / 10 && refused > CASES / 10, "{opened} opened, {refused} refused");
}

#[tokio::test]
async fn pages_of_different_moments_are_an_earlier_state_or_refused() {
    let History { states, images } = history().await;
    let (_directory, path) = quick_place();
    let mut refused = 0;
    for (i, file) in images.iter().enumerate() {
        for (j, log) in images.iter().enumerate() {
            let mixed = Image { file: file.file.clone(), log: log.log.clone() };
            mixed.write(&path);
            match reopen(&path) {
                Ok(store) => {
                    let state = State::of(&store).await.unwrap();
                    assert!(states.contains(&state), "file {i}, log {j}: a state that never was");
                }
                Err(StoreError::Corrupt(_)) => refused += 1,
                Err(why) => panic!("file {i}, log {j}: {why}"),
            }
        }
    }
    assert!(refused > 0);
}

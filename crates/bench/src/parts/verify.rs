use std::hint::black_box;

use chickenfoot_rules::{
    Choice, Contributor, Entropy, ForcedMoves, Match, MatchSetup, MatchStart, Preset, Record, RuleOptions,
    Seed,
};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use sha2::{Digest, Sha256};

use super::{Effort, Subject};
use crate::{Failure, say};

/// Records that are checked in turn.
const RECORDS: usize = 64;

/// Checks records of ten-round matches of four at random, as they are in memory and from their JSON text, and of matches
/// of one round.
pub(crate) fn verify(effort: &Effort) -> Result<(), Failure> {
    let records = records_of(None)?;
    let short = records_of(Some(1))?;
    let texts = records.iter().map(serde_json::to_vec).collect::<Result<Vec<_>, _>>()?;
    let all = RECORDS as u64;
    let cores = std::thread::available_parallelism()?.get();
    let table = effort.compare(
        "records",
        &mut [
            Subject::new("verify what was read, one core", || {
                for record in &records {
                    black_box(record).verify()?;
                }
                Ok(all)
            }),
            Subject::new(format!("verify what was read, {cores} threads"), || {
                std::thread::scope(|scope| {
                    let check = || records.iter().try_for_each(|record| black_box(record).verify());
                    let threads: Vec<_> = (0..cores).map(|_| scope.spawn(check)).collect();
                    threads.into_iter().try_for_each(|thread| match thread.join() {
                        Ok(checked) => Ok(checked?),
                        Err(_) => Err(Failure::from("a check panicked")),
                    })
                })?;
                Ok(all * cores as u64)
            }),
            Subject::new("read from JSON and verify, one core", || {
                for text in &texts {
                    serde_json::from_slice::<Record>(black_box(text))?.verify()?;
                }
                Ok(all)
            }),
            Subject::new("verify what was read, of one round each, one core", || {
                for record in &short {
                    black_box(record).verify()?;
                }
                Ok(all)
            }),
            Subject::new("SHA-256 of the same JSON, one core", || {
                for text in &texts {
                    black_box(Sha256::digest(black_box(text)));
                }
                Ok(all)
            }),
        ],
    )?;
    let bytes = texts.iter().map(Vec::len).sum::<usize>() / RECORDS;
    let (turns, few) = (moves(&records), moves(&short));
    say(&format!(
        "Records of {turns} moves and {bytes} bytes each, on average; those of one round have {few} moves:\n\n{table}"
    ))
}

/// Moves of a record, on average.
fn moves(records: &[Record]) -> usize {
    let rounds = records.iter().flat_map(|record| &record.rounds);
    rounds.map(|round| round.moves.len()).sum::<usize>() / records.len()
}

/// Matches of four of so many rounds, all ten unless said otherwise.
fn records_of(rounds: Option<u8>) -> Result<Vec<Record>, Failure> {
    (0..RECORDS as u8).map(|number| record(number, rounds)).collect()
}

/// A match of four, played at random.
fn record(number: u8, rounds: Option<u8>) -> Result<Record, Failure> {
    let rules = RuleOptions { rounds, ..RuleOptions::new(Preset::Trains, 4) }.resolve()?;
    let seed = Seed::new([number; 32]);
    let seat = |i: u8| Contributor { name: format!("seat-{i}"), entropy: Entropy::default() };
    let start = MatchStart::new(rules, "bench", &seed, (0..4).map(seat).collect());
    let (mut events, mut log) = (Vec::new(), Vec::new());
    let setup = MatchSetup::seeded(start.clone(), &seed, ForcedMoves::Automatic);
    let mut game = Match::start(setup, &mut events)?;
    let mut rng = SmallRng::seed_from_u64(number.into());
    while let Some(decision) = game.decision().cloned() {
        let choice = decision.moves.choose(&mut rng).ok_or("a decision without options")?;
        let entry = game.check(decision.number, decision.seat, Choice::from(choice))?;
        game.commit(entry, &mut events)?;
        log.push(entry);
        events.clear();
    }
    Ok(Record::of("bench", &seed, &start, ForcedMoves::Automatic, &log)?)
}

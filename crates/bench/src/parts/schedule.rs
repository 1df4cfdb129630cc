use std::hint::black_box;

use chickenfoot_tournament::{
    Block, BlockResult, Entrant, EntrantId, Format, Game, SameOwner, Schedule, Setup, State,
};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{Effort, Subject};
use crate::{Failure, say};

/// Seats of a table.
const TABLE: u8 = 4;

/// Pairs entrants in each format, beside a loop that shuffles them and cuts tables off.
pub(crate) fn schedule(effort: &Effort) -> Result<(), Failure> {
    for (entrants, rounds) in [(64, 20), (1000, 5)] {
        let blocks = entrants / u32::from(TABLE) * rounds;
        let formats = [
            ("Swiss", Format::Swiss { rounds }),
            ("round robin, as many blocks", Format::RoundRobin { cycles: 1 }),
            ("ladder, as many blocks", Format::Ladder { blocks, same_owner: SameOwner::Apart }),
        ];
        let mut subjects: Vec<Subject<'_>> = formats
            .into_iter()
            .map(|(name, format)| {
                Subject::new(name, move || Ok(played(format, entrants, blocks)?.len() as u64))
            })
            .collect();
        let mut rng = SmallRng::seed_from_u64(1);
        let mut order: Vec<EntrantId> = (0..entrants).map(EntrantId).collect();
        subjects.push(Subject::new("shuffle and cut", move || {
            let mut tables = 0;
            for _ in 0..rounds {
                order.shuffle(&mut rng);
                for table in order.chunks(TABLE.into()) {
                    black_box(table.to_vec());
                    tables += 1;
                }
            }
            Ok(tables)
        }));
        let table = effort.compare("blocks", &mut subjects)?;
        say(&format!("Schedules of {entrants} entrants, tables of {TABLE}, results recorded:\n\n{table}"))?;
    }
    Ok(())
}

/// The results of a tournament in which points are drawn by lot, up to so many blocks.
pub(super) fn played(format: Format, entrants: u32, most: u32) -> Result<Vec<BlockResult>, Failure> {
    let setup = Setup { format, table: TABLE, seed: [5; 32], lookahead: 16 };
    let entrant =
        |n: u32| Entrant { name: n.to_string(), owner: String::new(), from_stage: 1, until_stage: None };
    let mut schedule = Schedule::new(setup, (0..entrants).map(entrant).collect())?;
    let mut rng = SmallRng::seed_from_u64(7);
    let mut results = Vec::new();
    while schedule.state() == State::Running && (results.len() as u32) < most {
        for block in schedule.take_ready((most - results.len() as u32) as usize) {
            let result = result(&block, &mut rng);
            schedule.record(result.clone())?;
            results.push(result);
        }
    }
    Ok(results)
}

fn result(block: &Block, rng: &mut SmallRng) -> BlockResult {
    let mut game = |seating: &Vec<EntrantId>| {
        let points: Vec<u32> = seating.iter().map(|seat| seat.0 % 50 + rng.random_range(0..200)).collect();
        let place = |own: &u32| 1 + points.iter().filter(|other| *other < own).count() as u8;
        Game {
            seating: seating.clone(),
            places: points.iter().map(place).collect(),
            clean_rounds: vec![1; seating.len()],
            lowest_round: vec![Some(2); seating.len()],
            points,
        }
    };
    let games = block.seatings.iter().map(&mut game).collect();
    BlockResult { number: block.number, absent: Vec::new(), games }
}

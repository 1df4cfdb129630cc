use std::collections::HashMap;
use std::time::Duration;

use chickenfoot_store::BlockRow;

/// What an entrant did wrong in a tournament, and the time it took. Part of no other figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conduct {
    pub(crate) late: u32,
    pub(crate) gone: u32,
    pub(crate) illegal: u32,
    pub(crate) strikes: u32,
    /// Matches in which its seat was taken out.
    pub(crate) out: u32,
    /// Blocks that it was absent from.
    pub(crate) absent: u32,
    pub(crate) think: Duration,
    pub(crate) longest_match: Duration,
}

impl Conduct {
    /// Everybody's conduct in these blocks, by number.
    pub(crate) fn of<'a>(blocks: impl IntoIterator<Item = &'a BlockRow>) -> HashMap<u32, Conduct> {
        let mut all: HashMap<u32, Conduct> = HashMap::new();
        for block in blocks {
            for number in &block.outcome.absent {
                all.entry(*number).or_default().absent += 1;
            }
            for game in &block.outcome.matches {
                for (number, ledger) in game.seating.iter().zip(&game.ledger) {
                    let conduct = all.entry(*number).or_default();
                    conduct.late += ledger.late;
                    conduct.gone += ledger.gone;
                    conduct.illegal += ledger.illegal;
                    conduct.strikes += ledger.strikes;
                    conduct.out += u32::from(ledger.out.is_some());
                    conduct.think += ledger.think;
                    conduct.longest_match = conduct.longest_match.max(ledger.think);
                }
            }
        }
        all
    }

    /// How many faults these are: decisions late or gone, illegal answers, seats taken out, absences.
    pub(crate) fn faults(&self) -> u32 {
        self.late + self.gone + self.illegal + self.out + self.absent
    }
}

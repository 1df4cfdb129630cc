use std::collections::HashMap;

use super::Report;

/// What an entrant did wrong in a tournament, and the time it took. Part of no other figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Conduct {
    /// The number of the entrant.
    pub entrant: u32,
    /// Decisions that it had and did not answer in time.
    pub late: u32,
    /// Decisions whose time ran out while no stream of it had them.
    pub gone: u32,
    /// Answers that were not legal.
    pub illegal: u32,
    /// Strikes.
    pub strikes: u32,
    /// Seats that were taken out of a match.
    pub out: u32,
    /// Blocks that it was absent from.
    pub absent: u32,
    /// Seats that it had in matches.
    pub seats: u32,
    /// Time taken for all decisions, in milliseconds.
    pub think_ms: u64,
    /// The longest time taken by one seat in one match, in milliseconds.
    pub longest_match_ms: u64,
}

impl Conduct {
    /// How many faults these are: decisions late or gone, illegal answers, seats taken out, absences.
    pub fn faults(&self) -> u32 {
        [self.late, self.gone, self.illegal, self.out, self.absent]
            .iter()
            .fold(0, |a, b| a.saturating_add(*b))
    }
}

pub(super) fn of(report: &Report) -> Vec<Conduct> {
    let numbers = report.entrants.iter().map(|entry| entry.number);
    let mut all: Vec<Conduct> = numbers.map(|entrant| Conduct { entrant, ..Conduct::default() }).collect();
    let index: HashMap<u32, usize> = all.iter().map(|it| it.entrant).zip(0..).collect();
    for block in &report.blocks {
        for number in &block.absent {
            if let Some(&i) = index.get(number) {
                all[i].absent += 1;
            }
        }
        for seat in block.matches.iter().flat_map(|game| &game.seats) {
            let Some(&i) = index.get(&seat.entrant) else { continue };
            let (conduct, ledger) = (&mut all[i], &seat.ledger);
            conduct.late = conduct.late.saturating_add(ledger.late);
            conduct.gone = conduct.gone.saturating_add(ledger.gone);
            conduct.illegal = conduct.illegal.saturating_add(ledger.illegal);
            conduct.strikes = conduct.strikes.saturating_add(ledger.strikes);
            conduct.out += u32::from(ledger.out.is_some());
            conduct.seats += 1;
            conduct.think_ms = conduct.think_ms.saturating_add(ledger.think_ms);
            conduct.longest_match_ms = conduct.longest_match_ms.max(ledger.think_ms);
        }
    }
    all
}

use crate::design::{Design, Round, sizes};
use crate::lots::Lots;

/// Rounds for many players, without a list of all pairs.
///
/// Players fill a grid of as many rows as a table has seats and a prime number of columns, the last row perhaps not all. In
/// round r table t has, of each row i, the column t + i r modulo the prime: two players of different rows meet in exactly
/// one of these rounds (a transversal design from the lines of slope r). Then each row plays a design of its own; rows with
/// a shorter one begin it again until the longest is through.
#[derive(Debug)]
pub(crate) struct Grid {
    columns: u32,
    /// First position and design of each row.
    rows: Vec<(u32, u32, Design)>,
}

/// The fewest players for which the grid is preferred to a search.
const FEWEST_PLAYERS: u32 = 257;

impl Grid {
    /// `None` where no prime gives tables that are full or lack one, in the rows' own designs too.
    pub(crate) fn new(players: u32, table: u8) -> Option<Self> {
        let seats = u32::from(table);
        if players < FEWEST_PLAYERS {
            return None;
        }
        let columns = (players.div_ceil(seats)..=players / (seats - 1))
            .filter(|&columns| columns > seats && is_prime(columns))
            .find(|&columns| {
                let rest = players - columns * (seats - 1);
                divides(columns, seats) && (rest == 0 || divides(rest, seats))
            })?;
        let rows = (0..seats)
            .map(|row| (row * columns, columns.min(players - row * columns)))
            .filter(|&(_, length)| length > 0)
            .map(|(first, length)| (first, length, Design::new(length, table)))
            .collect();
        Some(Self { columns, rows })
    }

    pub(crate) fn rounds(&self) -> u32 {
        self.columns + self.row_rounds()
    }

    /// Tables of a cycle.
    pub(crate) fn tables(&self) -> u64 {
        (0..self.rounds()).map(|round| self.tables_of(round)).sum()
    }

    /// Tables of one round.
    pub(crate) fn tables_of(&self, round: u32) -> u64 {
        match round.checked_sub(self.columns) {
            None => u64::from(self.columns),
            Some(round) => {
                self.rows.iter().map(|(_, _, design)| design.tables_of(round % design.rounds())).sum()
            }
        }
    }

    pub(crate) fn round(&mut self, cycle: u32, round: u32, lots: &Lots) -> Round {
        match round.checked_sub(self.columns) {
            None => self.across(round),
            Some(round) => self.along(cycle, round, lots),
        }
    }

    fn across(&self, round: u32) -> Round {
        let columns = u64::from(self.columns);
        let cell = |table: u32, row: usize| {
            let (first, length, _) = self.rows[row];
            let column = (u64::from(table) + row as u64 * u64::from(round)) % columns;
            (column < u64::from(length)).then_some(first + column as u32)
        };
        (0..self.columns)
            .map(|table| (0..self.rows.len()).filter_map(|row| cell(table, row)).collect())
            .collect()
    }

    fn along(&mut self, cycle: u32, round: u32, lots: &Lots) -> Round {
        let mut tables = Vec::new();
        for (first, _, design) in &mut self.rows {
            for table in design.round(cycle, round % design.rounds(), lots) {
                tables.push(table.into_iter().map(|player| *first + player).collect());
            }
        }
        tables
    }

    fn row_rounds(&self) -> u32 {
        self.rows.iter().map(|(_, _, design)| design.rounds()).max().unwrap_or(0)
    }
}

/// Whether a round of so many has only full tables and tables that lack one.
fn divides(players: u32, seats: u32) -> bool {
    sizes(players, seats).iter().all(|&size| size + 1 >= seats)
}

pub(crate) fn is_prime(number: u32) -> bool {
    number > 1
        && (2..).take_while(|&factor| factor * factor <= number).all(|factor| !number.is_multiple_of(factor))
}

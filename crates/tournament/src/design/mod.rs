//! Rounds in which everybody sits at one table, so that in the end everybody met everybody equally often.

mod affine;
mod circle;
mod grid;
mod kirkman;
mod search;

use crate::lots::Lots;

/// The tables of a round, each with the positions of its players, counted from 0.
pub(crate) type Round = Vec<Vec<u32>>;

/// The rounds of one cycle of a round robin, made as they are asked for.
///
/// Exact designs where a simple one is known; else a grid for many players and a seeded search for few.
#[derive(Debug)]
pub(crate) enum Design {
    /// All at one table.
    One {
        players: u32,
    },
    Circle(circle::Circle),
    Affine(affine::Affine),
    Kirkman(kirkman::Kirkman),
    Grid(Box<grid::Grid>),
    Searched(search::Searched),
}

impl Design {
    /// For `players` of 2 and more at tables of 2 to 8.
    pub(crate) fn new(players: u32, table: u8) -> Self {
        let seats = u32::from(table);
        if players <= seats {
            return Design::One { players };
        }
        if seats == 2 {
            return Design::Circle(circle::Circle::new(players));
        }
        if let Some(affine) = affine::Affine::new(players, seats) {
            return Design::Affine(affine);
        }
        if let Some(kirkman) = kirkman::Kirkman::new(players, seats) {
            return Design::Kirkman(kirkman);
        }
        match grid::Grid::new(players, table) {
            Some(grid) => Design::Grid(Box::new(grid)),
            None => Design::Searched(search::Searched::new(players, seats)),
        }
    }

    /// Rounds of a cycle.
    pub(crate) fn rounds(&self) -> u32 {
        match self {
            Design::One { .. } => 1,
            Design::Circle(circle) => circle.rounds(),
            Design::Affine(affine) => affine.rounds(),
            Design::Kirkman(kirkman) => kirkman.rounds(),
            Design::Grid(grid) => grid.rounds(),
            Design::Searched(search) => search.rounds(),
        }
    }

    /// Tables of a cycle, over all rounds.
    pub(crate) fn tables(&self) -> u64 {
        match self {
            Design::Grid(grid) => grid.tables(),
            even => u64::from(even.rounds()) * even.tables_of(0),
        }
    }

    /// Tables of one round.
    pub(crate) fn tables_of(&self, round: u32) -> u64 {
        match self {
            Design::One { .. } => 1,
            Design::Circle(circle) => circle.tables().into(),
            Design::Affine(affine) => affine.tables().into(),
            Design::Kirkman(kirkman) => kirkman.tables().into(),
            Design::Grid(grid) => grid.tables_of(round),
            Design::Searched(search) => search.tables().into(),
        }
    }

    /// A round, from 0, of a cycle, from 0. The cycles of a search continue each other and are made in order.
    pub(crate) fn round(&mut self, cycle: u32, round: u32, lots: &Lots) -> Round {
        match self {
            Design::One { players } => vec![(0..*players).collect()],
            Design::Circle(circle) => circle.round(round),
            Design::Affine(affine) => affine.round(round),
            Design::Kirkman(kirkman) => kirkman.round(round),
            Design::Grid(grid) => grid.round(cycle, round, lots),
            Design::Searched(search) => search.round(cycle, round, lots),
        }
    }
}

/// Sizes of the tables of a round that seats all: as few tables as can hold them, no two sizes more than one apart, the
/// larger ones first.
pub(crate) fn sizes(players: u32, seats: u32) -> Vec<u32> {
    let tables = players.div_ceil(seats).max(1);
    (0..tables).map(|table| players / tables + u32::from(table < players % tables)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least and the greatest number of meetings of two players over some cycles. Fails if a round does not seat
    /// everybody once, apart from one who sits out at tables of 2.
    fn meetings(players: u32, table: u8, cycles: u32) -> (u32, u32) {
        let mut design = Design::new(players, table);
        let lots = Lots::new([9; 32]);
        let n = players as usize;
        let mut met = vec![0; n * n];
        let mut tables = 0;
        let rounds = design.rounds();
        for (cycle, round) in (0..cycles).flat_map(|cycle| (0..rounds).map(move |round| (cycle, round))) {
            let mut seated = vec![0; n];
            for group in design.round(cycle, round, &lots) {
                tables += 1;
                for &a in &group {
                    seated[a as usize] += 1;
                    for &b in group.iter().filter(|&&b| b > a) {
                        met[a as usize * n + b as usize] += 1;
                    }
                }
            }
            let out = seated.iter().filter(|&&times| times == 0).count();
            assert!(seated.iter().all(|&times| times <= 1), "{players} at {table}");
            assert_eq!(out, if table == 2 { n % 2 } else { 0 }, "{players} at {table}");
        }
        assert_eq!(tables, design.tables() * u64::from(cycles), "{players} at {table}");
        let pairs = || {
            (0..n)
                .flat_map(|a| (a + 1..n).map(move |b| (a.min(b), b)))
                .map(|(a, b)| met[a * n + b].max(met[b * n + a]))
        };
        (pairs().min().unwrap(), pairs().max().unwrap())
    }

    #[test]
    fn known_designs_are_perfect() {
        let planes = [(9, 3), (16, 4), (25, 5), (49, 7), (64, 8), (27, 3), (64, 4), (81, 3), (125, 5)];
        let kirkman = [(15, 3), (21, 3), (39, 3), (51, 3), (57, 3), (63, 3), (93, 3)];
        let circles = [(4, 2), (5, 2), (10, 2), (63, 2), (64, 2)];
        for (players, table) in planes.into_iter().chain(kirkman).chain(circles) {
            assert_eq!(meetings(players, table, 1), (1, 1), "{players} at {table}");
            assert_eq!(meetings(players, table, 2), (2, 2), "{players} at {table}");
        }
    }

    #[test]
    fn numbers_without_a_design_meet_nearly_equally_often() {
        for (table, players) in
            (3..=8).flat_map(|table| [2, 5, 6, 10, 13, 31, 64].map(|players| (table, players)))
        {
            let (least, most) = meetings(players, table, 1);
            assert!(most <= 3, "{players} at {table}: {least} to {most}");
        }
        for (players, table) in
            [(6, 3), (13, 3), (48, 3), (10, 4), (22, 4), (12, 5), (17, 6), (20, 7), (31, 8)]
        {
            let (least, most) = meetings(players, table, 3);
            assert!(most - least <= 4, "{players} at {table}, three cycles: {least} to {most}");
        }
    }

    #[test]
    fn thousands_of_players_have_a_grid_in_which_few_meet_twice() {
        for (players, table) in [(300, 3), (1000, 4), (1000, 8)] {
            assert!(matches!(Design::new(players, table), Design::Grid(_)), "{players} at {table}");
            let (least, most) = meetings(players, table, 1);
            assert!(most <= 4, "{players} at {table}: {least} to {most}");
        }
        for table in 3..=8 {
            for players in (2_000..6_000).step_by(7).chain([10_000, 65_536]) {
                assert!(
                    matches!(
                        Design::new(players, table),
                        Design::Grid(_) | Design::Affine(_) | Design::Kirkman(_)
                    ),
                    "{players} at {table}"
                );
            }
        }
    }
}

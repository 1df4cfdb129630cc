use chickenfoot_tournament::{Game, Seating};

/// What a match came to, by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The totals, in pips.
    pub totals: Vec<u32>,
    /// The places, from 1.
    pub places: Vec<u8>,
    /// The score of each round.
    pub rounds: Vec<Vec<u16>>,
}

/// A match that was played to its end as a block takes it.
pub fn game(seating: Seating, finished: Finished) -> Game {
    let Finished { totals, places, rounds } = finished;
    let clean = |seat: &Vec<u16>| seat.iter().filter(|score| **score == 0).count() as u32;
    let lowest = |seat: &Vec<u16>| seat.iter().copied().filter(|score| *score > 0).min().map(u32::from);
    Game {
        seating,
        points: totals,
        places,
        clean_rounds: rounds.iter().map(clean).collect(),
        lowest_round: rounds.iter().map(lowest).collect(),
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_tournament::EntrantId;

    use super::*;

    #[test]
    fn rounds_without_points_and_the_lowest_others_break_ties() {
        let finished = Finished {
            totals: vec![9, 0],
            places: vec![2, 1],
            rounds: vec![vec![0, 5, 4, 0], vec![0, 0, 0, 0]],
        };
        let game = game(vec![EntrantId(1), EntrantId(0)], finished);
        assert_eq!(game.clean_rounds, [2, 4]);
        assert_eq!(game.lowest_round, [Some(4), None]);
    }
}

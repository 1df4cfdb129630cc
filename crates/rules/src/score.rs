use std::cmp::Reverse;

/// What decides a seat's place in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// The seat's score in each round.
    pub rounds: Vec<u16>,
    /// The seat's position among those that forfeited, from 0 for the first; `None` for one that played to the end.
    pub forfeited: Option<u8>,
}

impl SeatResult {
    /// The sum of the round scores.
    pub fn total(&self) -> u32 {
        self.rounds.iter().map(|score| u32::from(*score)).sum()
    }

    /// Smaller is better: seats that forfeited come last, the first to do so at the very end; then the lower total,
    /// more rounds scored 0, the lower smallest round score above 0.
    fn key(&self) -> (Option<Reverse<u8>>, u32, Reverse<usize>, u16) {
        let zeros = self.rounds.iter().filter(|score| **score == 0).count();
        let smallest = self.rounds.iter().copied().filter(|score| *score > 0).min().unwrap_or(0);
        (self.forfeited.map(Reverse), self.total(), Reverse(zeros), smallest)
    }
}

/// The place of each seat, from 1. Seats that no tie-break parts share a place, and the places after it are left out:
/// 1, 2, 2, 4.
pub fn places(results: &[SeatResult]) -> Vec<u8> {
    let better = |a: &SeatResult, b: &SeatResult| a.key() < b.key();
    results
        .iter()
        .map(|mine| 1 + results.iter().filter(|theirs| better(theirs, mine)).count() as u8)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(rounds: &[u16]) -> SeatResult {
        SeatResult { rounds: rounds.to_vec(), forfeited: None }
    }

    #[test]
    fn the_lowest_total_wins() {
        assert_eq!(places(&[seat(&[5, 5]), seat(&[0, 9]), seat(&[20, 0])]), [2, 1, 3]);
    }

    #[test]
    fn ties_go_to_more_zeros_then_to_the_lower_smallest_score_then_are_shared() {
        assert_eq!(places(&[seat(&[5, 5]), seat(&[0, 10])]), [2, 1]);
        assert_eq!(places(&[seat(&[3, 7]), seat(&[2, 8])]), [2, 1]);
        assert_eq!(places(&[seat(&[2, 8]), seat(&[8, 2]), seat(&[1, 0]), seat(&[90, 1])]), [2, 2, 1, 4]);
        assert_eq!(places(&[seat(&[0, 0]), seat(&[0, 0])]), [1, 1]);
    }

    #[test]
    fn who_forfeits_is_last_and_the_first_to_do_so_behind_the_others() {
        let gone = |at, score| SeatResult { rounds: vec![score], forfeited: Some(at) };
        assert_eq!(places(&[gone(0, 0), seat(&[50]), gone(1, 99)]), [3, 1, 2]);
    }
}

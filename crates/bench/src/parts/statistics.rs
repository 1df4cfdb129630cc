use std::hint::black_box;

use chickenfoot_tournament::Format;
use chickenfoot_tournament::statistics::{
    ConfidenceSequence, Pairwise, Ranking, Ratings, Results, Standings, StandingsOptions,
};

use super::schedule::played;
use super::{Effort, Subject};
use crate::{Failure, say};

/// Computes the figures of a tournament that is over, beside a loop that adds each entrant's points.
pub(crate) fn statistics(effort: &Effort) -> Result<(), Failure> {
    for (entrants, blocks) in [(16, 400), (200, 1000)] {
        let results = played(Format::RoundRobin { cycles: 20 }, entrants, blocks)?;
        let games: Vec<_> = results.iter().flat_map(|block| &block.games).collect();
        let count = games.len() as u64;
        let options = StandingsOptions { seed: b"bench", ranking: Ranking::Margin, byes: &[] };
        let table = effort.compare(
            "games",
            &mut [
                Subject::new("standings, with intervals", || {
                    let results = Results::new(entrants as usize, &results)?;
                    black_box(Standings::of(&results, &options));
                    Ok(count)
                }),
                Subject::new("pairwise", || {
                    black_box(Pairwise::of(&Results::new(entrants as usize, &results)?));
                    Ok(count)
                }),
                Subject::new("ratings", || {
                    let mut ratings = Ratings::new();
                    for game in &games {
                        ratings.record(&game.seating, &game.places)?;
                    }
                    black_box(ratings.leaderboard().len());
                    Ok(count)
                }),
                Subject::new("interval that holds at all times, of the first seat", || {
                    let mut sequence = ConfidenceSequence::default();
                    for game in &games {
                        sequence.push(game.points.first().copied().unwrap_or_default().into());
                    }
                    black_box(sequence.estimate());
                    Ok(count)
                }),
                Subject::new("points added up", || {
                    let mut points = vec![0_u64; entrants as usize];
                    for game in &games {
                        for (seat, own) in game.seating.iter().zip(&game.points) {
                            points[seat.index()] += u64::from(*own);
                        }
                    }
                    black_box(points);
                    Ok(count)
                }),
            ],
        )?;
        say(&format!("Statistics of {entrants} entrants in {count} games:\n\n{table}"))?;
    }
    Ok(())
}

//! The figures of tournaments, as they are told.

use chickenfoot_tournament::statistics::{AbReport, Estimate, Interval, Standing, Verdict};
use chickenfoot_tournament::{EntrantId, Figures};

use crate::v1;

/// The standings by rank. `entrant` gives what stands in them of each entrant beside its figures: number, name, conduct;
/// one that it does not know is left out.
pub fn wire_standings(
    figures: &Figures,
    entrant: impl Fn(EntrantId) -> Option<v1::Standing>,
) -> Vec<v1::Standing> {
    let strength = |id| figures.strengths.strengths.iter().find(|strength| strength.entrant == id);
    let standing = |row: &Standing| {
        let score = figures.scores.as_ref().and_then(|scores| scores.get(row.entrant.index()));
        Some(v1::Standing {
            rank: row.place,
            by_lot: row.by_lot,
            blocks: row.blocks,
            matches: row.games,
            points: row.points,
            margin: row.margin.map(wire_estimate),
            live_margin: row.raw_margin.map(|value| wire_estimate(Estimate { value, interval: row.anytime })),
            first_share: row.firsts.map(wire_estimate),
            mean_place: row.mean_place.unwrap_or_default(),
            places: row.places.clone(),
            byes: row.byes,
            strength: strength(row.entrant).map(|it| wire_estimate(it.elo())),
            score: score.copied().unwrap_or_default(),
            ..entrant(row.entrant)?
        })
    };
    figures.standings.rows.iter().filter_map(standing).collect()
}

/// The pairs that met. `number` gives the number of each entrant; one that it does not know is left out.
pub fn wire_pairings(figures: &Figures, number: impl Fn(EntrantId) -> Option<u32>) -> Vec<v1::Pairing> {
    let pairs = figures.pairwise.pairs().iter();
    pairs
        .filter_map(|pair| {
            Some(v1::Pairing {
                entrant: number(pair.one)?,
                opponent: number(pair.other)?,
                blocks: pair.blocks,
                matches: pair.games,
                wins: pair.wins,
                ties: pair.ties,
                superiority: Some(wire_estimate(pair.superiority)),
                margin: Some(wire_estimate(pair.margin)),
            })
        })
        .collect()
}

/// How an A/B test stands.
pub fn wire_ab(report: &AbReport) -> v1::AbStanding {
    // Margins that are all alike have no scale.
    let deviation = report.deviation.filter(|deviation| *deviation > 0.0);
    let normalised = report.margin.zip(deviation).map(|(margin, deviation)| {
        let scaled = |value: f64| value / deviation;
        Estimate {
            value: scaled(margin.value),
            interval: margin.interval.map(|it| Interval { low: scaled(it.low), high: scaled(it.high) }),
        }
    });
    v1::AbStanding {
        blocks: report.blocks,
        llr: report.log_likelihood_ratio,
        lower_bound: report.lower_bound,
        upper_bound: report.upper_bound,
        verdict: match report.verdict {
            Verdict::Running => v1::AbVerdict::Unspecified,
            Verdict::Better => v1::AbVerdict::Better,
            Verdict::NotBetter => v1::AbVerdict::NotBetter,
            Verdict::Undecided => v1::AbVerdict::Undecided,
        }
        .into(),
        margin: report.margin.map(wire_estimate),
        normalised: normalised.map(wire_estimate),
    }
}

fn wire_estimate(estimate: Estimate) -> v1::Interval {
    let interval: Option<Interval> = estimate.interval;
    v1::Interval {
        estimate: estimate.value,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_tournament::EntrantId;
    use chickenfoot_tournament::statistics::{AbPlan, Effect, Results};
    use chickenfoot_tournament::{BlockResult, Game};

    use super::*;

    #[test]
    fn margins_that_are_all_alike_are_not_told_in_their_deviations() {
        let game = |seating: [u32; 2]| Game {
            seating: seating.map(EntrantId).to_vec(),
            places: vec![1, 1],
            points: vec![10, 10],
            clean_rounds: vec![0, 0],
            lowest_round: vec![Some(10), Some(10)],
        };
        let block =
            |number| BlockResult { number, absent: Vec::new(), games: vec![game([0, 1]), game([1, 0])] };
        let blocks: Vec<BlockResult> = (0..8).map(block).collect();
        let results = Results::new(2, &blocks).unwrap();
        let plan = AbPlan::new(Effect::StandardDeviations(0.3), 0.05, 0.05, 8, 400).unwrap();
        let told = wire_ab(&AbReport::of(&plan, &results, EntrantId(0), EntrantId(1)));
        assert!(told.margin.is_some() && told.normalised.is_none(), "{told:?}");
    }
}

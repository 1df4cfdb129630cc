use std::collections::BTreeSet;

use crate::statistics::{
    AbReport, Pairwise, PlackettLuce, Ranking, Results, ResultsError, Standings, StandingsOptions,
};
use crate::{EntrantId, FULL_SCORE, Format, Run, Schedule};

/// Every figure of a tournament, computed from its finished blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The table, in the order of the format where it has one of its own.
    pub standings: Standings,
    /// What the format itself gives each entrant, by entrant: of a Swiss tournament the sum of its block scores, where
    /// beating everybody in a block is 1; of an elimination the stage that it came to. `None` in other formats.
    pub scores: Option<Vec<f64>>,
    /// Each pair that met.
    pub pairwise: Pairwise,
    /// A fit over all results.
    pub strengths: PlackettLuce,
    /// The test, in an A/B test.
    pub ab: Option<AbReport>,
}

impl Figures {
    /// The figures of a tournament as it stands.
    ///
    /// # Errors
    /// Results that cannot be; a schedule takes none.
    pub fn of(run: &Run) -> Result<Figures, ResultsError> {
        let schedule = run.schedule();
        let entrants = schedule.entrants().len();
        let results = Results::new(entrants, schedule.results())?;
        let seed = &schedule.setup().seed;
        // The format's own order, tie-breaks included: the first has the most.
        let places = schedule.places();
        let order = places.as_ref().map(|places| {
            let mut order = vec![0.0; entrants];
            for place in places {
                set(&mut order, place.entrant, entrants as f64 - f64::from(place.place));
            }
            order
        });
        let ranking = order.as_deref().map_or(Ranking::Margin, Ranking::Score);
        let mut standings =
            Standings::of(&results, &StandingsOptions { seed, ranking, byes: &byes(schedule) });
        if let Some(places) = places {
            let by_lot: BTreeSet<EntrantId> =
                places.iter().filter(|place| place.by_lot).map(|place| place.entrant).collect();
            for row in &mut standings.rows {
                row.by_lot = by_lot.contains(&row.entrant);
            }
        }
        Ok(Figures {
            standings,
            scores: scores(run, entrants),
            pairwise: Pairwise::of(&results),
            strengths: PlackettLuce::fit(&results, seed),
            ab: run.ab_report().cloned(),
        })
    }
}

/// How many rounds of a Swiss tournament each entrant sat out, by entrant. Other formats have no byes.
fn byes(schedule: &Schedule) -> Vec<u32> {
    let mut byes = vec![0; schedule.entrants().len()];
    if !matches!(schedule.setup().format, Format::Swiss { .. }) {
        return byes;
    }
    // A round is decided as a whole, so whoever plays in it and sits at none of its tables has a bye.
    for round in schedule.blocks().chunk_by(|one, other| one.stage == other.stage) {
        let Some(stage) = round.first().map(|block| block.stage) else { continue };
        let seated: BTreeSet<EntrantId> =
            round.iter().flat_map(|block| &block.seatings).flatten().copied().collect();
        for (id, entrant) in (0u32..).map(EntrantId).zip(schedule.entrants()) {
            if entrant.plays_in(stage) && !seated.contains(&id) {
                byes[id.index()] += 1;
            }
        }
    }
    byes
}

fn scores(run: &Run, entrants: usize) -> Option<Vec<f64>> {
    let schedule = run.schedule();
    let mut scores = vec![0.0; entrants];
    match schedule.setup().format {
        Format::Swiss { .. } => {
            for place in schedule.places()? {
                set(&mut scores, place.entrant, place.score as f64 / FULL_SCORE as f64);
            }
        }
        Format::Elimination { .. } => {
            for (stage, number) in schedule.bracket()?.stages.iter().zip(1u32..) {
                for entrant in stage.heats.iter().flat_map(|heat| &heat.entrants) {
                    set(&mut scores, *entrant, f64::from(number));
                }
            }
        }
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Ladder { .. } | Format::Ab { .. } => {
            return None;
        }
    }
    Some(scores)
}

fn set(values: &mut [f64], entrant: EntrantId, value: f64) {
    if let Some(place) = values.get_mut(entrant.index()) {
        *place = value;
    }
}

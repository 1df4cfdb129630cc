mod likelihood;
mod plan;

pub use plan::{AbPlan, AbPlanError, Effect};

use super::confidence::ConfidenceSequence;
use super::{Estimate, Results, margin};
use crate::{BlockResult, EntrantId};

/// An A/B test after some blocks.
///
/// Only blocks before the first missing number count, and none after the decision: so the test is the same in whatever
/// order results come in, and goes on nowhere else when it is continued.
#[derive(Clone, Debug, PartialEq)]
pub struct AbReport {
    /// How it stands.
    pub verdict: Verdict,
    /// The number of the block that decided it, or that reached the cap, or after which nothing was left to play.
    pub decided_at: Option<u32>,
    /// Blocks that counted: those with games of both.
    pub blocks: u32,
    /// The logarithm of the likelihood ratio: the more, the more likely it is that the candidate is better by the effect.
    pub log_likelihood_ratio: f64,
    /// At or below it, the candidate is not better.
    pub lower_bound: f64,
    /// At or above it, the candidate is better.
    pub upper_bound: f64,
    /// The candidate's margin over the base in pips a game, with an interval that holds whenever one looks, so at the end of
    /// the test too.
    pub margin: Option<Estimate>,
    /// The standard deviation of a block's margin, in pips; none before the second block.
    pub deviation: Option<f64>,
}

/// How an A/B test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Running,
    /// The candidate is better.
    Better,
    /// The candidate is not better by the effect.
    NotBetter,
    /// The cap was reached without a decision, or nothing is left to play.
    Undecided,
}

impl AbReport {
    /// The test of a candidate against a base after these results.
    pub fn of(plan: &AbPlan, results: &Results<'_>, candidate: EntrantId, base: EntrantId) -> AbReport {
        let mut test = Test { plan, margins: ConfidenceSequence::default() };
        for (number, margin) in block_margins(results, candidate, base) {
            test.margins.push(margin);
            let verdict = test.verdict();
            if verdict != Verdict::Running {
                return test.report(verdict, Some(number));
            }
        }
        test.report(Verdict::Running, None)
    }

    /// How the test came there: the logarithm of the likelihood ratio after each block that counted, with the block's number.
    pub fn path(
        plan: &AbPlan,
        results: &Results<'_>,
        candidate: EntrantId,
        base: EntrantId,
    ) -> Vec<(u32, f64)> {
        let mut test = Test { plan, margins: ConfidenceSequence::default() };
        let mut path = Vec::new();
        for (number, margin) in block_margins(results, candidate, base) {
            test.margins.push(margin);
            path.push((number, likelihood::log_ratio(plan.effect(), &test.margins)));
            if test.verdict() != Verdict::Running {
                break;
            }
        }
        path
    }
}

/// The margins that count, with their blocks' numbers: up to the first block that is missing.
fn block_margins(
    results: &Results<'_>,
    candidate: EntrantId,
    base: EntrantId,
) -> impl Iterator<Item = (u32, f64)> {
    let prefix = (0u32..).zip(results.blocks()).take_while(|(number, block)| block.number == *number);
    prefix.filter_map(move |(number, block)| Some((number, block_margin(block, candidate, base)?)))
}

/// A test on its way.
struct Test<'a> {
    plan: &'a AbPlan,
    margins: ConfidenceSequence,
}

impl Test<'_> {
    fn verdict(&self) -> Verdict {
        let (lower, upper) = self.plan.bounds();
        let ratio = likelihood::log_ratio(self.plan.effect(), &self.margins);
        let may_decide = self.margins.count() >= self.plan.burn_in();
        if may_decide && ratio >= upper {
            Verdict::Better
        } else if may_decide && ratio <= lower {
            Verdict::NotBetter
        } else if self.margins.count() >= self.plan.cap() {
            Verdict::Undecided
        } else {
            Verdict::Running
        }
    }

    fn report(&self, verdict: Verdict, decided_at: Option<u32>) -> AbReport {
        let (lower_bound, upper_bound) = self.plan.bounds();
        AbReport {
            verdict,
            decided_at,
            blocks: self.margins.count(),
            log_likelihood_ratio: likelihood::log_ratio(self.plan.effect(), &self.margins),
            lower_bound,
            upper_bound,
            margin: self.margins.estimate(),
            deviation: self.margins.deviation(),
        }
    }
}

/// The candidate's margin over the base in a block, in pips a game: over the games that both sit in, the mean of the base's
/// points less the candidate's. Where they never sit together, but take turns against a field, the mean margin of the
/// candidate over its opponents less that of the base over its own. None where one of them did not play.
fn block_margin(block: &BlockResult, candidate: EntrantId, base: EntrantId) -> Option<f64> {
    let together = block
        .games
        .iter()
        .filter_map(|game| Some(margin::mean_points(game, base)? - margin::mean_points(game, candidate)?));
    let alone = |who| mean(block.games.iter().flat_map(|game| margin::of_entrant(game, who)));
    mean(together).or_else(|| Some(alone(candidate)? - alone(base)?))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

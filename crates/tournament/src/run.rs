use crate::schedule::{Schedule, State};
use crate::statistics::{AbPlan, AbReport, Results, Verdict};
use crate::{Block, BlockResult, Entrant, EntrantId, Error, Setup};

/// A tournament under way: its schedule, and for an A/B test the rule that ends it. Whoever plays the blocks, a server or
/// one process by itself, asks it what to play and tells it what came of it.
///
/// Like the [`Schedule`], it is a function of setup, entrants and the set of results, not of their order or time.
#[derive(Debug)]
pub struct Run {
    schedule: Schedule,
    test: Option<AbTest>,
    report: Option<AbReport>,
}

/// Two entrants of an A/B test, and the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbTest {
    /// The test.
    pub plan: AbPlan,
    /// The version under test.
    pub candidate: EntrantId,
    /// The version that it is compared with.
    pub base: EntrantId,
}

impl Run {
    /// A tournament of which nothing is finished yet, or not yet told.
    ///
    /// # Errors
    /// Settings that are out of range, or that these entrants do not fit.
    pub fn new(setup: Setup, test: Option<AbTest>, entrants: Vec<Entrant>) -> Result<Run, Error> {
        let mut run = Run { schedule: Schedule::new(setup, entrants)?, test, report: None };
        run.look();
        Ok(run)
    }

    /// Blocks that may be played now and were not handed out yet, in the order of their numbers, `limit` at most.
    pub fn take_ready(&mut self, limit: usize) -> Vec<Block> {
        self.schedule.take_ready(limit)
    }

    /// Takes a finished block down, in any order of arrival. The same result again changes nothing.
    ///
    /// # Errors
    /// A result that is not one of this block, or another than the block already has.
    pub fn record(&mut self, result: BlockResult) -> Result<(), Error> {
        let recorded = self.schedule.record(result);
        self.look();
        recorded
    }

    /// Takes down what was finished before a restart, in any order, and looks at the test once, after all of it.
    ///
    /// # Errors
    /// As [`Run::record`]; and a result that no block was scheduled for.
    pub fn take_up(&mut self, results: impl IntoIterator<Item = BlockResult>) -> Result<(), Error> {
        for result in results {
            self.schedule.record(result)?;
        }
        self.look();
        match self.schedule.unplaced().first() {
            None => Ok(()),
            Some(&number) => Err(Error::NoSuchBlock { number }),
        }
    }

    /// Whether nothing is left to play that would count.
    pub fn is_over(&self) -> bool {
        self.schedule.state() == State::Over
    }

    /// What is played.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Takes in a late entrant, and says the first stage that it plays in.
    ///
    /// # Errors
    /// A name that is taken, too many entrants, or a format that takes no more.
    pub fn enter(&mut self, entrant: Entrant) -> Result<u32, Error> {
        self.schedule.enter(entrant)
    }

    /// Takes an entrant out, and says the first stage that it does not play in.
    ///
    /// # Errors
    /// An entrant that does not exist.
    pub fn withdraw(&mut self, entrant: EntrantId) -> Result<u32, Error> {
        let until = self.schedule.withdraw(entrant);
        self.look();
        until
    }

    /// How an A/B test stands; `None` in other formats.
    pub fn ab_report(&self) -> Option<&AbReport> {
        self.report.as_ref()
    }

    /// The A/B test, in that format.
    pub fn test(&self) -> Option<&AbTest> {
        self.test.as_ref()
    }

    /// Looks at the results by the test's rule.
    fn look(&mut self) {
        let Some(test) = &self.test else { return };
        // The schedule takes nothing that would not be a result of its entrants.
        let Ok(results) = Results::new(self.schedule.entrants().len(), self.schedule.results()) else {
            return;
        };
        let mut report = AbReport::of(&test.plan, &results, test.candidate, test.base);
        if report.verdict != Verdict::Running
            && let Some(number) = report.decided_at
        {
            self.schedule.stop_after(number);
        } else if self.is_over() {
            // Blocks without a margin count for the schedule and not for the cap, and there will be no more.
            report.verdict = Verdict::Undecided;
            report.decided_at = self.schedule.results().last().map(|block| block.number);
        }
        self.report = Some(report);
    }
}

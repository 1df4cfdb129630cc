use std::fmt;

use super::{Report, Times};
use crate::check::{Outcome, Verdict};

/// Columns of the longest bar of the histogram.
const WIDTH: usize = 40;

impl fmt::Display for Outcome {
    /// The check's line of the checklist.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let took = self.took.as_secs_f64();
        match &self.verdict {
            Verdict::Passed => write!(f, "pass  {:<18} {took:5.1} s  {}", self.name, self.proves),
            Verdict::Failed(failure) => write!(f, "FAIL  {:<18} {took:5.1} s  {}", self.name, failure.what),
            Verdict::Skipped(why) => write!(f, "skip  {:<18}          {why}", self.name),
        }
    }
}

impl fmt::Display for Report {
    /// What follows the checklist: the first broken promise with its transcript, the answer times, the sum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = self.outcomes.iter().find_map(|outcome| match &outcome.verdict {
            Verdict::Failed(failure) => Some((outcome, failure)),
            Verdict::Passed | Verdict::Skipped(_) => None,
        });
        if let Some((outcome, failure)) = failed {
            writeln!(f, "\nThe first broken promise, in {}: {}.", outcome.name, failure.promise.words())?;
            writeln!(f, "  What happened: {}", failure.what)?;
            writeln!(f, "  What to do:    {}", failure.advice)?;
            writeln!(
                f,
                "\n  Seconds and session; > from the bot, < to the bot, * the doctor, | and ! the program:"
            )?;
            failure.transcript.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        write!(f, "\n{}", self.times)?;
        let (passed, failed, skipped) = self.counts();
        let word = if self.has_passed() { "passed" } else { "failed" };
        write!(f, "\n{} {word}: {passed} checks passed, {failed} failed, {skipped} skipped", self.bot)
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |share| self.quantile(share).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
        if self.count() == 0 {
            return writeln!(f, "No answers were timed.");
        }
        writeln!(
            f,
            "{} answers: median {:.1} ms, nine in ten within {:.1} ms, 99 in 100 within {:.1} ms, longest {:.1} ms",
            self.count(),
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0),
        )?;
        let bars = self.bars();
        let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(1);
        for (bound, count) in bars {
            let label = match bound {
                Some(bound) => format!("to {} ms", bound.as_millis()),
                None => "longer".to_owned(),
            };
            writeln!(f, "  {label:>11} {count:>6} {}", "#".repeat((count * WIDTH).div_ceil(most)))?;
        }
        Ok(())
    }
}

use std::str::FromStr;
use std::time::Duration;

/// How much a strategy may work for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// So many rounds played to the end, from 1: the same choice on any machine.
    Rollouts(u32),
    /// So much time, as whoever asks measures it: see [`crate::Strategy::choose_while`].
    Time(Duration),
}

impl Effort {
    /// The most rollouts of a decision.
    pub const MAX_ROLLOUTS: u32 = 1_000_000;

    /// The most time of a decision.
    pub const MAX_TIME: Duration = Duration::from_secs(60);

    /// A bound on the rollouts, whatever the time.
    pub(crate) fn rollouts(self) -> u32 {
        match self {
            Effort::Rollouts(rollouts) => rollouts,
            Effort::Time(_) => Effort::MAX_ROLLOUTS,
        }
    }
}

/// A text that is no effort: a whole number of rollouts from 1 to 1000000, or of milliseconds from 1ms to 60000ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseEffortError;

impl std::fmt::Display for ParseEffortError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("expected 1 to 1000000 rollouts, as in 500, or 1 to 60000 milliseconds, as in 20ms")
    }
}

impl std::error::Error for ParseEffortError {}

impl FromStr for Effort {
    type Err = ParseEffortError;

    fn from_str(text: &str) -> Result<Effort, ParseEffortError> {
        let (digits, is_time) = match text.strip_suffix("ms") {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        // One spelling for each number: no sign, no leading zero.
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.starts_with('0') {
            return Err(ParseEffortError);
        }
        let number: u32 = digits.parse().map_err(|_| ParseEffortError)?;
        let effort = if is_time {
            Effort::Time(Duration::from_millis(number.into()))
        } else {
            Effort::Rollouts(number)
        };
        let fine = match effort {
            Effort::Rollouts(rollouts) => rollouts <= Effort::MAX_ROLLOUTS,
            Effort::Time(time) => time <= Effort::MAX_TIME,
        };
        fine.then_some(effort).ok_or(ParseEffortError)
    }
}

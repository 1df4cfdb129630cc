use std::fmt;
use std::str::FromStr;

/// How much a strategy may work for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// So many rounds played to the end, from 1: the same choice on any machine.
    Rollouts(u32),
    /// So many milliseconds, from 1, as whoever asks measures them: see [`crate::Strategy::choose_while`].
    Milliseconds(u32),
}

impl Effort {
    /// The most rollouts of a decision.
    pub const MAX_ROLLOUTS: u32 = 1_000_000;

    /// The most milliseconds of a decision.
    pub const MAX_MILLISECONDS: u32 = 60_000;

    /// A bound on the rollouts, whatever the time.
    pub(crate) fn rollouts(self) -> u32 {
        match self {
            Effort::Rollouts(rollouts) => rollouts,
            Effort::Milliseconds(_) => Effort::MAX_ROLLOUTS,
        }
    }
}

/// A text that is no effort: a whole number of rollouts from 1 to 1000000, or of milliseconds from 1ms to 60000ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseEffortError;

impl fmt::Display for ParseEffortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        let (effort, most) = if is_time {
            (Effort::Milliseconds(number), Effort::MAX_MILLISECONDS)
        } else {
            (Effort::Rollouts(number), Effort::MAX_ROLLOUTS)
        };
        (number <= most).then_some(effort).ok_or(ParseEffortError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_has_one_spelling_and_a_bound() {
        assert_eq!("1".parse(), Ok(Effort::Rollouts(1)));
        assert_eq!("1000000".parse(), Ok(Effort::Rollouts(1_000_000)));
        assert_eq!("60000ms".parse(), Ok(Effort::Milliseconds(60_000)));
        for text in
            ["", "0", "0ms", "01", "+5", "-5", "5 ", "1000001", "60001ms", "ms", "5s", "1e3", "99999999999"]
        {
            assert_eq!(text.parse::<Effort>(), Err(ParseEffortError), "{text}");
        }
    }
}

use std::time::Duration;

/// Reads a time: a number, whole or not, with the unit ms, s (the default) or m.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        _ => return Err("the units are ms, s and m".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "expected a number".to_owned())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "not a time".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_unless_they_bear_a_unit() {
        for (text, millis) in [("30", 30_000), ("0.5", 500), ("500ms", 500), ("90s", 90_000), ("5m", 300_000)]
        {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "ms", "5h", "-1", "NaN", "inf", "1e300", "5 s"] {
            assert!(time(text).is_err(), "{text:?}");
        }
    }
}

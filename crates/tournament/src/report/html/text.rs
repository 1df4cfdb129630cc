//! Texts and numbers as a page shows them.

use maud::{Markup, Render, html};

/// A text that somebody else chose. Characters that are not seen, or turn the direction of others around, are replaced, and
/// its direction stays its own.
pub struct Name<'a>(pub &'a str);

impl Render for Name<'_> {
    fn render(&self) -> Markup {
        html! { bdi { (visible(self.0)) } }
    }
}

/// A text in which every character can be seen and stands where it is.
pub fn visible(text: &str) -> String {
    // Controls; what sets the direction of text; what takes no room and shows nothing.
    let hides = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || matches!(
                c,
                '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            )
            || matches!(c, '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}')
            || matches!(c, '\u{e0000}'..='\u{e0fff}')
    };
    text.chars().map(|c| if hides(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A number with its sign, even if that is a plus.
pub fn signed(value: f64, digits: usize) -> String {
    let text = plain(value, digits);
    if text.starts_with('\u{2212}') || text.trim_matches(['0', '.']).is_empty() {
        text
    } else {
        format!("+{text}")
    }
}

/// A number with so many digits after the point, and a real minus.
pub fn plain(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.trim_matches(['0', '.']).is_empty() => zero.to_owned(),
        Some(rest) => format!("\u{2212}{rest}"),
        None => text,
    }
}

/// A share in percent.
pub(super) fn percent(share: f64, digits: usize) -> String {
    format!("{} %", plain(100.0 * share, digits))
}

/// A time taken, in the unit that suits it.
pub(super) fn duration(ms: u64) -> String {
    let (seconds, minutes) = (ms / 1000, ms / 60_000);
    match () {
        () if ms < 1000 => format!("{ms} ms"),
        () if seconds < 60 => format!("{seconds}.{} s", ms % 1000 / 100),
        () if minutes < 60 => format!("{minutes} min {:02} s", seconds % 60),
        () => format!("{} h {:02} min", minutes / 60, minutes % 60),
    }
}

/// A moment, from milliseconds since 1970, in universal time.
pub(super) fn moment(ms: u64) -> String {
    let (minutes, days) = (ms / 60_000, ms / 86_400_000);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60 % 24, minutes % 60)
}

/// The date so many days after the first of January 1970: years begin in March here, so that the leap day is the last one
/// (Hinnant 2021, "chrono-compatible low-level date algorithms").
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        assert_eq!(moment(0), "1970-01-01 00:00 UTC");
        assert_eq!(moment(951_782_399_999), "2000-02-28 23:59 UTC");
        assert_eq!(moment(951_825_600_000), "2000-02-29 12:00 UTC");
        assert_eq!(moment(1_798_761_599_000), "2026-12-31 23:59 UTC");
        assert_eq!(moment(4_107_542_400_000), "2100-03-01 00:00 UTC");
    }

    #[test]
    fn durations_take_the_unit_that_suits_them() {
        let texts = [999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, 90_061_000].map(duration);
        let wanted = ["999 ms", "1.0 s", "59.9 s", "1 min 00 s", "59 min 59 s", "1 h 00 min", "25 h 01 min"];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn nothing_is_both_zero_and_signed() {
        assert_eq!(signed(0.04, 1), "0.0");
        assert_eq!(signed(-0.04, 1), "0.0");
        assert_eq!(signed(1.26, 1), "+1.3");
        assert_eq!(signed(-10.0, 0), "\u{2212}10");
        assert_eq!(signed(10.0, 0), "+10");
    }
}

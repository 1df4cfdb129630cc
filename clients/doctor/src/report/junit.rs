use std::fmt::Write;

use super::Report;
use crate::check::{Outcome, Verdict};

impl Report {
    /// The report as a JUnit XML file, which most build servers read: a suite with a test case for each check.
    pub fn junit(&self) -> String {
        let (_, failed, skipped) = self.counts();
        let took: f64 = self.outcomes.iter().map(|outcome| outcome.took.as_secs_f64()).sum();
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        // Writing to a text cannot fail.
        let _ = writeln!(
            xml,
            "<testsuite name=\"chickenfoot doctor: {}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" \
             skipped=\"{skipped}\" time=\"{took:.3}\">",
            escaped(&self.bot),
            self.outcomes.len(),
        );
        for outcome in &self.outcomes {
            let _ = writeln!(
                xml,
                "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\">{}</testcase>",
                escaped(&self.bot),
                outcome.name,
                outcome.took.as_secs_f64(),
                inside(outcome)
            );
        }
        xml.push_str("</testsuite>\n");
        xml
    }
}

fn inside(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Passed => String::new(),
        Verdict::Skipped(why) => format!("<skipped message=\"{}\"/>", escaped(why)),
        Verdict::Failed(failure) => {
            let promise = format!("Promise: {}", failure.promise.words());
            let advice = format!("What to do: {}", failure.advice);
            let lines = [&[promise, advice, String::new()], failure.transcript.as_slice()].concat();
            let text = escaped(&lines.join("\n"));
            format!("<failure message=\"{}\">{text}</failure>", escaped(&failure.what))
        }
    }
}

/// Text as XML 1.0 may hold it, also in an attribute: what a program writes may hold anything.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            // Characters that XML 1.0 has no way to write.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escaped("a<b> & \"c\"\u{1b}[0m\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}[0m\n");
    }
}

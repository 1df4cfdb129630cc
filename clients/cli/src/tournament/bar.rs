use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::progress::Progress;

/// How far a tournament is, at the bottom of the terminal, on stderr.
#[derive(Clone)]
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Shows nothing yet.
    pub(crate) fn new() -> Bar {
        let bar = ProgressBar::no_length();
        bar.set_style(style(EndOf::Unknown));
        // It moves while nothing changes, so that nobody takes a long match for a hang.
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar(bar)
    }

    /// Shows how far the tournament is.
    pub(crate) fn show(&self, progress: &Progress<'_>) {
        let (done, all) = progress.blocks();
        match all {
            Some(all) if self.0.length() != Some(all) => {
                self.0.set_length(all);
                self.0.set_style(style(EndOf::Known));
            }
            _ => {}
        }
        self.0.set_position(done);
        self.0.set_message(progress.pace_text());
        self.0.set_prefix(progress.leader_text());
    }

    /// Lets something else be written to the terminal.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }
}

/// The standings say more than what it showed last.
impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Whether it is known how many blocks there are.
#[derive(Clone, Copy)]
enum EndOf {
    Known,
    Unknown,
}

impl EndOf {
    fn template(self) -> &'static str {
        match self {
            // Two lines, so that a terminal of 80 columns shows all.
            EndOf::Known => "{spinner} {bar:20} {pos}/{len} blocks, {wide_msg}\n  {prefix}",
            EndOf::Unknown => "{spinner} {pos} blocks, {wide_msg}\n  {prefix}",
        }
    }
}

fn style(end: EndOf) -> ProgressStyle {
    // The templates are right, as the test shows; a plain bar would be no loss either.
    ProgressStyle::with_template(end.template()).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_right() {
        for end in [EndOf::Known, EndOf::Unknown] {
            assert!(ProgressStyle::with_template(end.template()).is_ok(), "{}", end.template());
        }
    }
}

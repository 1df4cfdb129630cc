use std::collections::VecDeque;
use std::time::Duration;

use chickenfoot_protocol::v1;
use tokio::time::Instant;

/// How far back the pace is measured: long enough to be steady, short enough to notice a change.
const WINDOW: Duration = Duration::from_secs(30);

/// A shorter look says nothing.
const LEAST: Duration = Duration::from_millis(250);

/// How fast a tournament goes, from what was seen of it lately.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    seen: VecDeque<Sample>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Instant,
    blocks: u32,
    matches: u32,
}

impl Pace {
    /// Notes how far the tournament is.
    pub(crate) fn note(&mut self, at: Instant, progress: &v1::TournamentProgress) {
        // The last sample that is older than the window stays, so that the window is always covered.
        while self.seen.get(1).is_some_and(|second| at.duration_since(second.at) >= WINDOW) {
            self.seen.pop_front();
        }
        self.seen.push_back(Sample {
            at,
            blocks: progress.finished_blocks,
            matches: progress.finished_matches,
        });
    }

    /// Matches a second; `None` while too little was seen.
    pub(crate) fn matches_per_second(&self) -> Option<f64> {
        self.per_second(|sample| sample.matches)
    }

    /// How long the rest takes at this pace; `None` if that cannot be told.
    pub(crate) fn time_left(&self, progress: &v1::TournamentProgress) -> Option<Duration> {
        if progress.total_blocks == 0 {
            return None;
        }
        let left = progress.total_blocks.saturating_sub(progress.finished_blocks);
        let pace = self.per_second(|sample| sample.blocks).filter(|pace| *pace > 0.0)?;
        Duration::try_from_secs_f64(f64::from(left) / pace).ok()
    }

    fn per_second(&self, count: impl Fn(&Sample) -> u32) -> Option<f64> {
        let (first, last) = (self.seen.front()?, self.seen.back()?);
        let time = last.at.duration_since(first.at);
        // A service that lost something may have fewer than before.
        let done = count(last).saturating_sub(count(first));
        (time >= LEAST).then(|| f64::from(done) / time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(blocks: u32) -> v1::TournamentProgress {
        v1::TournamentProgress {
            finished_blocks: blocks,
            finished_matches: 4 * blocks,
            total_blocks: 100,
            ..v1::TournamentProgress::default()
        }
    }

    #[test]
    fn the_pace_is_that_of_what_was_seen() {
        let (start, mut pace) = (Instant::now(), Pace::default());
        pace.note(start, &progress(40));
        assert_eq!((pace.matches_per_second(), pace.time_left(&progress(40))), (None, None));
        pace.note(start + Duration::from_secs(10), &progress(60));
        assert_eq!(pace.matches_per_second(), Some(8.0));
        assert_eq!(pace.time_left(&progress(60)), Some(Duration::from_secs(20)));
    }

    #[test]
    fn what_lies_further_back_than_the_window_does_not_count() {
        let (start, mut pace) = (Instant::now(), Pace::default());
        pace.note(start, &progress(0));
        for second in 1..=60 {
            pace.note(start + Duration::from_secs(1000 + second), &progress(u32::try_from(second).unwrap()));
        }
        assert_eq!(pace.matches_per_second(), Some(4.0));
    }

    #[test]
    fn there_is_no_time_left_to_tell_without_an_end_or_a_pace() {
        let (start, mut pace) = (Instant::now(), Pace::default());
        pace.note(start, &progress(40));
        pace.note(start + Duration::from_secs(5), &progress(40));
        assert_eq!(pace.time_left(&progress(40)), None);
        pace.note(start + Duration::from_secs(10), &progress(50));
        let endless = v1::TournamentProgress { total_blocks: 0, ..progress(50) };
        assert_eq!(pace.time_left(&endless), None);
    }

    #[test]
    fn a_tournament_that_fell_back_has_no_pace_and_does_no_harm() {
        let (start, mut pace) = (Instant::now(), Pace::default());
        pace.note(start, &progress(40));
        pace.note(start + Duration::from_secs(5), &progress(10));
        assert_eq!(pace.matches_per_second(), Some(0.0));
    }
}

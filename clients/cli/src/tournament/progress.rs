use std::time::Duration;

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use serde_json::{Value, json};

use super::pace::Pace;
use super::tables::signed_interval;
use super::{json, words};
use crate::text::clean;

/// How far a tournament is and how it goes, for people or for programs.
pub(crate) struct Progress<'a> {
    /// What the service said.
    pub(crate) now: &'a v1::WatchTournamentResponse,
    /// How fast it goes.
    pub(crate) pace: &'a Pace,
}

impl Progress<'_> {
    /// Blocks that are over, and all, as far as that is known.
    pub(crate) fn blocks(&self) -> (u64, Option<u64>) {
        let it = self.counts();
        (it.finished_blocks.into(), (it.total_blocks > 0).then(|| it.total_blocks.into()))
    }

    /// How it goes: what stands beside the bar.
    pub(crate) fn pace_text(&self) -> String {
        let it = self.counts();
        let mut parts = Vec::new();
        match self.state() {
            v1::TournamentState::Running | v1::TournamentState::Unspecified => {}
            state => parts.push(words::state(state).to_owned()),
        }
        parts.extend(self.pace.matches_per_second().map(|pace| format!("{pace:.1} matches/s")));
        if it.waiting_matches > 0 {
            parts.push(format!("{} waiting", it.waiting_matches));
        }
        if let Some(left) = self.time_left() {
            // A test ends when it is decided.
            let bound = if self.is_ab() { "at most " } else { "" };
            parts.push(format!("{bound}{} left", clock(left)));
        }
        parts.push(format!("faults {}", it.faults));
        parts.join(", ")
    }

    /// Who is ahead: what stands below the bar. Empty before the first block is over.
    pub(crate) fn leader_text(&self) -> String {
        let lead = |leader: &v1::Standing| {
            format!("{} leads {}", clean(&leader.name), signed_interval(margin(leader)))
        };
        let leader = self.leader().map(lead);
        let ratio = self.now.ab.as_ref().map(|ab| {
            let (llr, low, high) = (ab.llr, ab.lower_bound, ab.upper_bound);
            format!("likelihood {llr:+.2} within {low:+.2} to {high:+.2}")
        });
        leader.into_iter().chain(ratio).collect::<Vec<_>>().join(", ")
    }

    /// The line for programs.
    pub(crate) fn json(&self) -> Value {
        let mut value = json::counts(&self.counts());
        let tenths = |number: f64| (number * 10.0).round() / 10.0;
        value["event"] = "progress".into();
        value["tournament"] = self.now.tournament.as_ref().map(|it| it.id.clone()).into();
        value["state"] = words::state(self.state()).into();
        value["matches_per_second"] = self.pace.matches_per_second().map(tenths).into();
        value["time_left"] = self.time_left().map(|left| left.as_secs()).into();
        value["leader"] =
            self.leader().map(|it| json!({"name": it.name, "margin": margin(it).map(json::interval)})).into();
        value["ab"] = self.now.ab.as_ref().map(json::ab).into();
        value
    }

    pub(crate) fn state(&self) -> v1::TournamentState {
        self.now.tournament.as_ref().map(v1::Tournament::state).unwrap_or_default()
    }

    fn counts(&self) -> v1::TournamentProgress {
        self.now.tournament.as_ref().and_then(|it| it.progress).unwrap_or_default()
    }

    /// Only while it is played.
    fn time_left(&self) -> Option<Duration> {
        match self.state() {
            v1::TournamentState::Running => self.pace.time_left(&self.counts()),
            v1::TournamentState::Unspecified
            | v1::TournamentState::Open
            | v1::TournamentState::Paused
            | v1::TournamentState::Finished
            | v1::TournamentState::Cancelled => None,
        }
    }

    fn is_ab(&self) -> bool {
        let config = self.now.tournament.as_ref().and_then(|it| it.config.as_ref());
        matches!(config.and_then(|it| it.format.as_ref()), Some(Format::AbTest(_)))
    }

    /// The first of the standings, once a block is over.
    fn leader(&self) -> Option<&v1::Standing> {
        self.now.standings.first().filter(|it| it.blocks > 0)
    }
}

/// The margin to show while it still changes: with the interval that may be looked at after every block.
fn margin(standing: &v1::Standing) -> Option<&v1::Interval> {
    standing.live_margin.as_ref().or(standing.margin.as_ref())
}

/// A time as in 0:05 or 2:00:00.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours == 0 { format!("{minutes}:{seconds:02}") } else { format!("{hours}:{minutes:02}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    fn message(finished: u32) -> v1::WatchTournamentResponse {
        let interval =
            |estimate, low, high| Some(v1::Interval { estimate, low: Some(low), high: Some(high) });
        v1::WatchTournamentResponse {
            tournament: Some(v1::Tournament {
                id: "f0".to_owned(),
                state: v1::TournamentState::Running.into(),
                progress: Some(v1::TournamentProgress {
                    finished_blocks: finished,
                    total_blocks: 40,
                    finished_matches: finished * 3,
                    waiting_matches: 2,
                    faults: 1,
                    ..v1::TournamentProgress::default()
                }),
                ..v1::Tournament::default()
            }),
            standings: vec![v1::Standing {
                name: "greedy".to_owned(),
                blocks: finished,
                margin: interval(1.0, 0.5, 1.5),
                live_margin: interval(1.0, -1.0, 3.0),
                ..v1::Standing::default()
            }],
            ab: None,
        }
    }

    fn pace(messages: &[&v1::WatchTournamentResponse]) -> Pace {
        let (start, mut pace) = (Instant::now(), Pace::default());
        for (second, message) in (0..).step_by(10).zip(messages) {
            let progress = message.tournament.as_ref().unwrap().progress.unwrap();
            pace.note(start + Duration::from_secs(second), &progress);
        }
        pace
    }

    #[test]
    fn people_read_pace_time_left_faults_and_leader() {
        let (first, now) = (message(0), message(10));
        let progress = Progress { now: &now, pace: &pace(&[&first, &now]) };
        assert_eq!(progress.blocks(), (10, Some(40)));
        assert_eq!(progress.pace_text(), "3.0 matches/s, 2 waiting, 0:30 left, faults 1");
        assert_eq!(progress.leader_text(), "greedy leads +1.00 [-1.00, +3.00]");
    }

    #[test]
    fn a_tournament_that_just_began_has_no_pace_and_no_leader() {
        let mut now = message(0);
        let tournament = now.tournament.as_mut().unwrap();
        tournament.set_state(v1::TournamentState::Paused);
        tournament.progress.as_mut().unwrap().total_blocks = 0;
        let progress = Progress { now: &now, pace: &pace(&[&now]) };
        assert_eq!(progress.blocks(), (0, None));
        assert_eq!(progress.pace_text(), "paused, 2 waiting, faults 1");
        assert_eq!(progress.leader_text(), "");
        let json = progress.json();
        for key in ["total_blocks", "matches_per_second", "time_left", "leader", "ab"] {
            assert_eq!(json[key], Value::Null, "{key}");
        }
        assert_eq!(json["state"], "paused");
    }

    #[test]
    fn an_ab_test_tells_its_ratio_and_that_it_may_end_before() {
        let mut now = message(10);
        let config = v1::TournamentConfig {
            format: Some(Format::AbTest(v1::AbTest::default())),
            ..v1::TournamentConfig::default()
        };
        now.tournament.as_mut().unwrap().config = Some(config);
        now.ab = Some(v1::AbStanding {
            llr: 1.5,
            lower_bound: -2.0,
            upper_bound: 2.0,
            ..v1::AbStanding::default()
        });
        now.standings.clear();
        let progress = Progress { now: &now, pace: &pace(&[&message(0), &now]) };
        assert!(progress.pace_text().contains("at most 0:30 left"), "{}", progress.pace_text());
        assert_eq!(progress.leader_text(), "likelihood +1.50 within -2.00 to +2.00");
    }

    #[test]
    fn programs_read_the_same_by_key() {
        let (first, now) = (message(0), message(10));
        let json = Progress { now: &now, pace: &pace(&[&first, &now]) }.json();
        assert_eq!(
            json,
            json!({
                "event": "progress",
                "tournament": "f0",
                "state": "running",
                "finished_blocks": 10,
                "total_blocks": 40,
                "finished_matches": 30,
                "running_matches": 0,
                "waiting_matches": 2,
                "voided_blocks": 0,
                "faults": 1,
                "stage": 0,
                "matches_per_second": 3.0,
                "time_left": 30,
                "leader": {"name": "greedy", "margin": {"estimate": 1.0, "low": -1.0, "high": 3.0}},
                "ab": null,
            })
        );
    }

    #[test]
    fn hours_are_told_where_there_are_any() {
        assert_eq!(clock(Duration::from_millis(5999)), "0:05");
        assert_eq!(clock(Duration::from_secs(7265)), "2:01:05");
    }
}

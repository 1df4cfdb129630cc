//! A report as the service would tell it.

use chickenfoot_protocol::{v1, wire_ab, wire_pairings, wire_standings};
use chickenfoot_tournament::EntrantId;
use chickenfoot_tournament::report::{FormatInfo, Report};

use crate::tournament::Ending;

/// Its standings.
pub(super) fn standings(report: &Report) -> v1::GetStandingsResponse {
    let Some(figures) = &report.figures else { return v1::GetStandingsResponse::default() };
    let conduct = report.conduct();
    let standing = |id: EntrantId| {
        let entry = report.entrants.get(id.index())?;
        let conduct = conduct.get(id.index()).copied().unwrap_or_default();
        let duration = |ms| std::time::Duration::from_millis(ms).try_into().ok();
        Some(v1::Standing {
            entrant: entry.number,
            name: entry.name.clone(),
            conduct: Some(v1::Conduct {
                think: duration(conduct.think_ms),
                longest_match: duration(conduct.longest_match_ms),
                ..v1::Conduct::default()
            }),
            ..v1::Standing::default()
        })
    };
    v1::GetStandingsResponse {
        tournament: Some(tournament(report)),
        standings: wire_standings(figures, standing),
        pairings: wire_pairings(figures, |id| report.entrants.get(id.index()).map(|entry| entry.number)),
        ab: figures.ab.as_ref().map(wire_ab),
    }
}

fn tournament(report: &Report) -> v1::Tournament {
    let blocks = report.blocks.len() as u32;
    v1::Tournament {
        id: report.id.clone(),
        state: v1::TournamentState::Finished.into(),
        config: Some(v1::TournamentConfig {
            name: report.title.clone(),
            format: format(&report.format),
            table_size: report.table_size.into(),
            ..v1::TournamentConfig::default()
        }),
        entrants: report.entrants.len() as u32,
        progress: Some(v1::TournamentProgress {
            finished_blocks: blocks,
            total_blocks: blocks,
            finished_matches: report.blocks.iter().map(|block| block.matches.len() as u32).sum(),
            ..v1::TournamentProgress::default()
        }),
        commitment: report.commitment.to_vec(),
        seed: report.seed.map(|seed| seed.to_vec()).unwrap_or_default(),
        ..v1::Tournament::default()
    }
}

/// The formats that a simulation may have and the service has too.
fn format(format: &FormatInfo) -> Option<v1::tournament_config::Format> {
    use v1::tournament_config::Format;
    Some(match format {
        FormatInfo::RoundRobin { cycles } => Format::RoundRobin(v1::RoundRobin { cycles: *cycles }),
        FormatInfo::Gauntlet { candidate, blocks } => {
            Format::Gauntlet(v1::Gauntlet { candidate: candidate.clone(), blocks: *blocks })
        }
        FormatInfo::AbTest { candidate, base, alpha, beta, effect, burn_in, max_blocks, .. } => {
            Format::AbTest(v1::AbTest {
                candidate: candidate.clone(),
                base: base.clone(),
                alpha: *alpha,
                beta: *beta,
                effect: *effect,
                burn_in: *burn_in,
                max_blocks: *max_blocks,
                ..v1::AbTest::default()
            })
        }
        FormatInfo::Comparison { .. }
        | FormatInfo::Swiss { .. }
        | FormatInfo::Elimination { .. }
        | FormatInfo::Ladder { .. } => return None,
    })
}

/// What a comparison came to.
pub(super) struct Comparison {
    pub(super) candidate: String,
    pub(super) base: String,
    /// The candidate's margin over the base, in pips a match.
    pub(super) margin: v1::Interval,
}

impl Comparison {
    /// Decided is what the whole interval says.
    pub(super) fn ending(&self) -> Ending {
        match (self.margin.low, self.margin.high) {
            (Some(low), _) if low > 0.0 => Ending::Done,
            (_, Some(high)) if high < 0.0 => Ending::NotBetter,
            _ => Ending::Undecided,
        }
    }
}

/// The margin of the two who were compared; `None` if nobody was.
pub(super) fn comparison(report: &Report) -> Option<Comparison> {
    let FormatInfo::Comparison { candidate, base, .. } = &report.format else { return None };
    let pairs = wire_pairings(report.figures.as_ref()?, |id| Some(id.0));
    // The two are entered first.
    let pair = pairs
        .iter()
        .find(|pair| pair.entrant.min(pair.opponent) == 0 && pair.entrant + pair.opponent == 1)?;
    let margin = pair.margin?;
    let margin = if pair.entrant == 0 {
        margin
    } else {
        v1::Interval {
            estimate: -margin.estimate,
            low: margin.high.map(|high| -high),
            high: margin.low.map(|low| -low),
        }
    };
    Some(Comparison { candidate: candidate.clone(), base: base.clone(), margin })
}

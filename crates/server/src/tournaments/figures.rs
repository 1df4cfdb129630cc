use std::time::Duration;

use chickenfoot_store::BlockRow;
use chickenfoot_tournament::statistics::{
    AbReport, ConfidenceSequence, Estimate, Pair, Pairwise, PlackettLuce, Ranking, Results, Standings, StandingsOptions,
};
use chickenfoot_tournament::{BlockResult, EntrantId, Place, Run};

use super::settings::{FormatSettings, Settings};
use super::view::View;
use crate::reason::Reason;
use crate::refusal::Refusal;

/// Everything that is computed from the blocks of a tournament.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    pub(crate) rows: Vec<Row>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) ab: Option<AbReport>,
    /// What came out of the schedule: the finished blocks that count.
    pub(crate) blocks: u32,
}

/// An entrant's figures.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) standing: chickenfoot_tournament::statistics::Standing,
    pub(crate) live: Option<Estimate>,
    pub(crate) strength: Option<Estimate>,
    /// The format's own score, if it has one.
    pub(crate) score: Option<u64>,
    pub(crate) conduct: Conduct,
}

/// What an entrant did wrong, and the time it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conduct {
    pub(crate) late: u32,
    pub(crate) gone: u32,
    pub(crate) illegal: u32,
    pub(crate) strikes: u32,
    pub(crate) out: u32,
    pub(crate) absent: u32,
    pub(crate) think: Duration,
    pub(crate) longest_match: Duration,
}

impl Conduct {
    /// How many faults these are: decisions late or gone, illegal answers, seats taken out, absences.
    pub(crate) fn faults(&self) -> u32 {
        self.late + self.gone + self.illegal + self.out + self.absent
    }
}

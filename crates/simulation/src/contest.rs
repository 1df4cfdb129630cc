use chickenfoot_tournament::report::{AbTables, FormatInfo};
use chickenfoot_tournament::statistics::{AbPlan, Effect};
use chickenfoot_tournament::{AbTest, Arrangement, Entrant, EntrantId, Error, Format, Run, Setup};

use crate::player::Player;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contest {
    /// Everybody meets everybody equally often.
    RoundRobin {
        /// Deals to play; what is missing of a whole cycle is played too.
        deals: u32,
    },
    /// The first player against all others.
    Gauntlet {
        /// Deals to play.
        deals: u32,
    },
    /// The first player against the second: an estimate.
    Comparison {
        /// Who else sits at their tables.
        tables: Tables,
        /// Deals to play.
        deals: u32,
    },
    /// The first player against the second, until the test has decided.
    Test {
        /// Who else sits at their tables.
        tables: Tables,
        /// The test. Its effect is taken in standard deviations of a block's margin.
        plan: AbPlan,
    },
}

/// The tables of two who are compared, see [`Arrangement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// The other players fill them.
    Shared,
    /// The two fill them half and half.
    Halves,
}

/// How far a test may run ahead of its results. More than there are threads; the same whatever their number, for it is
/// part of the report.
pub(crate) const LOOKAHEAD: u32 = 256;

const CANDIDATE: EntrantId = EntrantId(0);
const BASE: EntrantId = EntrantId(1);

impl Contest {
    /// The tournament with its settings as they are reported.
    pub(crate) fn run(
        &self,
        players: &[Player],
        table: u8,
        seed: [u8; 32],
    ) -> Result<(Run, FormatInfo), Error> {
        let run = |format, test| {
            let entrant =
                |player: &Player| Entrant { name: player.name.clone(), from_stage: 1, ..Entrant::default() };
            let setup = Setup { format, table, seed, lookahead: LOOKAHEAD };
            Run::new(setup, test, players.iter().map(entrant).collect())
        };
        let name = |id: EntrantId| players.get(id.index()).map(|it| it.name.clone()).unwrap_or_default();
        let (candidate, base) = (name(CANDIDATE), name(BASE));
        Ok(match self {
            Contest::RoundRobin { deals } => {
                let in_cycle = run(Format::RoundRobin { cycles: 1 }, None)?.schedule().total_blocks();
                let cycles = deals.div_ceil(in_cycle.max(1));
                (run(Format::RoundRobin { cycles }, None)?, FormatInfo::RoundRobin { cycles })
            }
            Contest::Gauntlet { deals } => {
                let format = Format::Gauntlet { candidate: CANDIDATE, blocks: *deals };
                (run(format, None)?, FormatInfo::Gauntlet { candidate, blocks: *deals })
            }
            Contest::Comparison { tables, deals } => {
                let info =
                    FormatInfo::Comparison { candidate, base, tables: (*tables).into(), blocks: *deals };
                (run(tables.format(*deals), None)?, info)
            }
            Contest::Test { tables, plan } => {
                let test = AbTest { plan: *plan, candidate: CANDIDATE, base: BASE };
                let (Effect::StandardDeviations(effect) | Effect::Pips(effect)) = plan.effect();
                let info = FormatInfo::AbTest {
                    candidate,
                    base,
                    tables: (*tables).into(),
                    alpha: plan.alpha(),
                    beta: plan.beta(),
                    effect,
                    burn_in: plan.burn_in(),
                    max_blocks: plan.cap(),
                };
                (run(tables.format(plan.cap()), Some(test))?, info)
            }
        })
    }
}

impl Tables {
    fn format(self, blocks: u32) -> Format {
        let arrangement = match self {
            Tables::Shared => Arrangement::Shared,
            Tables::Halves => Arrangement::Halves,
        };
        Format::Ab { candidate: CANDIDATE, base: BASE, arrangement, blocks }
    }
}

impl From<Tables> for AbTables {
    fn from(tables: Tables) -> AbTables {
        match tables {
            Tables::Shared => AbTables::Shared,
            Tables::Halves => AbTables::Halves,
        }
    }
}

/// A format with its settings, entrants by name.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FormatInfo {
    /// Everybody meets everybody equally often.
    RoundRobin {
        /// How often that is done.
        cycles: u32,
    },
    /// One entrant against all others.
    Gauntlet {
        /// Who.
        candidate: String,
        /// Blocks to play.
        blocks: u32,
    },
    /// Rounds in which those of like score meet.
    Swiss {
        /// Rounds to play.
        rounds: u32,
    },
    /// Heats, until one table is left.
    Elimination {
        /// How many of a heat go on.
        advance: u8,
        /// Blocks that a heat plays.
        blocks: u32,
        /// Whether the first heats are drawn by lot; else the order of entry spreads them.
        lots: bool,
    },
    /// Least certain entrant first, against near equals.
    Ladder {
        /// Blocks to play.
        blocks: u32,
        /// Whether entrants of one owner may meet.
        same_owner: bool,
    },
    /// Is the candidate better than the base?
    AbTest {
        /// The version under test.
        candidate: String,
        /// The version that it is compared with.
        base: String,
        /// Who else sits at their tables.
        tables: AbTables,
        /// The chance to find a candidate better that is as good as the base.
        alpha: f64,
        /// The chance to miss a candidate that is better by the effect.
        beta: f64,
        /// The difference worth finding, in standard deviations of a block's margin.
        effect: f64,
        /// Blocks before the test may decide.
        burn_in: u32,
        /// Blocks after which it is undecided.
        max_blocks: u32,
    },
    /// A candidate against its base over a number of blocks that is fixed beforehand: an estimate and no test.
    Comparison {
        /// The version that is looked at.
        candidate: String,
        /// The version that it is compared with.
        base: String,
        /// Who else sits at their tables.
        tables: AbTables,
        /// Blocks to play.
        blocks: u32,
    },
}

/// The tables of an A/B test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AbTables {
    /// The other entrants fill them.
    Shared,
    /// Candidate and base fill them half and half.
    Halves,
}

impl FormatInfo {
    /// The format in words, for a full table of so many seats.
    pub fn words(&self, table_size: u8) -> String {
        let tables = format!("at tables of {table_size}");
        match self {
            FormatInfo::RoundRobin { cycles } => {
                format!("Round robin, {} {tables}", count(*cycles, "cycle"))
            }
            FormatInfo::Gauntlet { candidate, blocks } => {
                let candidate = named(candidate, "the first entrant");
                format!("Gauntlet of {candidate} against all others, {} {tables}", count(*blocks, "block"))
            }
            FormatInfo::Swiss { rounds } => format!("Swiss, {} {tables}", count(*rounds, "round")),
            FormatInfo::Elimination { advance, blocks, lots } => {
                let spread = if *lots { "drawn by lot" } else { "spread by order of entry" };
                let blocks = count(*blocks, "block");
                format!("Elimination {tables}, {blocks} a heat, best {advance} go on, first heats {spread}")
            }
            FormatInfo::Ladder { blocks, same_owner } => {
                let owners = if *same_owner { "may" } else { "do not" };
                format!("Ladder, {} {tables}, entrants of one owner {owners} meet", count(*blocks, "block"))
            }
            FormatInfo::AbTest { candidate, base, tables, alpha, beta, effect, burn_in, max_blocks } => {
                let kind = tables.words(table_size);
                let candidate = named(candidate, "the first entrant");
                let base = named(base, "the second");
                format!(
                    "A/B test of {candidate} against {base} {kind}: alpha {alpha}, beta {beta}, effect {effect} \
                     standard deviations, {burn_in} to {max_blocks} blocks"
                )
            }
            FormatInfo::Comparison { candidate, base, tables, blocks } => {
                let (kind, blocks) = (tables.words(table_size), count(*blocks, "block"));
                format!("Comparison of {candidate} with {base} {kind}, {blocks}")
            }
        }
    }
}

impl AbTables {
    fn words(self, table_size: u8) -> String {
        match self {
            AbTables::Shared => format!("at tables of {table_size} shared with the others"),
            AbTables::Halves => format!("at tables of {table_size} filled half and half"),
        }
    }
}

/// A name that the creator may leave to the order of entry: until the start there is only that.
fn named<'a>(name: &'a str, else_by_order: &'a str) -> &'a str {
    if name.is_empty() { else_by_order } else { name }
}

fn count(number: u32, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

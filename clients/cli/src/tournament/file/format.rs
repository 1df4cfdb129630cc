use chickenfoot_protocol::v1::{self, tournament_config::Format};
use clap::ValueEnum;

use super::error::FileError;
use super::section::{Limit, Section};
use crate::words::wire;

/// The formats, by the words of the file.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    RoundRobin,
    Gauntlet,
    Swiss,
    Elimination,
    Ladder,
    AbTest,
}

/// Where candidate and base of an A/B test sit.
#[derive(Clone, Copy, ValueEnum)]
enum Arrangement {
    Shared,
    Halves,
}

/// Reads `[format]`: its `kind`, and the keys of that kind alone.
pub(super) fn format(top: &Section<'_>, table_size: u32) -> Result<Format, FileError> {
    let section = top.must("format", top.table("format")?)?;
    let kind = section.must("kind", section.word("kind")?)?;
    match kind {
        Kind::RoundRobin => round_robin(&section),
        Kind::Gauntlet => gauntlet(&section),
        Kind::Swiss => swiss(&section),
        Kind::Elimination => elimination(&section, table_size),
        Kind::Ladder => ladder(&section),
        Kind::AbTest => ab_test(&section, table_size),
    }
}

fn round_robin(section: &Section<'_>) -> Result<Format, FileError> {
    section.only(&["kind", "cycles"])?;
    let cycles = section.whole("cycles", 1..=1000)?.unwrap_or_default();
    Ok(Format::RoundRobin(v1::RoundRobin { cycles }))
}

fn gauntlet(section: &Section<'_>) -> Result<Format, FileError> {
    section.only(&["kind", "candidate", "blocks"])?;
    Ok(Format::Gauntlet(v1::Gauntlet {
        candidate: section.text("candidate")?.unwrap_or_default().to_owned(),
        blocks: section.whole("blocks", 1..=1_000_000)?.unwrap_or_default(),
    }))
}

fn swiss(section: &Section<'_>) -> Result<Format, FileError> {
    section.only(&["kind", "rounds"])?;
    let rounds = section.must("rounds", section.whole("rounds", 1..=1000)?)?;
    Ok(Format::Swiss(v1::Swiss { rounds }))
}

fn elimination(section: &Section<'_>, table_size: u32) -> Result<Format, FileError> {
    section.only(&["kind", "advance", "blocks", "lots"])?;
    Ok(Format::Elimination(v1::Elimination {
        // Whoever sits at a table must not all go on, or there is no end.
        advance: section.whole("advance", 1..=table_size - 1)?.unwrap_or_default(),
        blocks: section.whole("blocks", 1..=1000)?.unwrap_or_default(),
        lots: section.flag("lots")?,
    }))
}

fn ladder(section: &Section<'_>) -> Result<Format, FileError> {
    section.only(&["kind", "blocks", "same_owner"])?;
    let blocks = section.must("blocks", section.whole("blocks", 1..=1_000_000)?)?;
    Ok(Format::Ladder(v1::Ladder { blocks, same_owner: section.flag("same_owner")? }))
}

fn ab_test(section: &Section<'_>, table_size: u32) -> Result<Format, FileError> {
    section.only(&[
        "kind",
        "candidate",
        "base",
        "arrangement",
        "alpha",
        "beta",
        "effect",
        "burn_in",
        "max_blocks",
    ])?;
    let arrangement = section.word("arrangement")?;
    if matches!(arrangement, Some(Arrangement::Halves)) && table_size % 2 == 1 {
        return Err(section.wrong("arrangement", "halves takes tables of 2, 4, 6 or 8; see table_size"));
    }
    Ok(Format::AbTest(v1::AbTest {
        candidate: section.text("candidate")?.unwrap_or_default().to_owned(),
        base: section.text("base")?.unwrap_or_default().to_owned(),
        arrangement: wire(arrangement),
        alpha: section.positive("alpha", Limit::Below(0.5))?.unwrap_or_default(),
        beta: section.positive("beta", Limit::Below(0.5))?.unwrap_or_default(),
        effect: section.positive("effect", Limit::UpTo(5.0))?.unwrap_or_default(),
        burn_in: section.whole("burn_in", 8..=1000)?.unwrap_or_default(),
        max_blocks: section.whole("max_blocks", 1..=1_000_000)?.unwrap_or_default(),
    }))
}

impl From<Arrangement> for i32 {
    fn from(arrangement: Arrangement) -> i32 {
        match arrangement {
            Arrangement::Shared => v1::AbArrangement::Shared,
            Arrangement::Halves => v1::AbArrangement::Halves,
        }
        .into()
    }
}

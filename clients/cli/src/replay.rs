//! `chickenfoot replay`.

pub(crate) mod film;
mod page;

use std::path::PathBuf;

use chickenfoot_rules::Record;
use clap::Args;

use crate::args::Screen;
use crate::error::Failure;
use crate::output::Output;
use crate::records;
use crate::tournament::Ending;
use crate::view;

/// Which match is shown again, and how.
#[derive(Args)]
pub(crate) struct Replay {
    /// The record, as `record get` writes it; - for stdin
    file: String,
    /// Write a page for a browser, complete in one file
    #[arg(long, conflicts_with_all = ["plain", "ascii"])]
    html: bool,
    /// Write the page to this file; else to stdout
    #[arg(short, long, value_name = "FILE", requires = "html")]
    output: Option<PathBuf>,
    /// Show the match as the record tells it, even if the record is not right
    #[arg(long)]
    unverified: bool,
    #[command(flatten)]
    screen: Screen,
}

/// Shows a match that is over.
pub(crate) async fn replay(asked: &Replay, out: &mut Output) -> Result<Ending, Failure> {
    if asked.html {
        page::write(&read(asked)?, asked.output.as_deref(), out)?;
        return Ok(Ending::Done);
    }
    match asked.screen.look(out) {
        Some(look) => {
            let record = read(asked)?;
            view::replay(film::about(&record), film::moments(&record, film::Outlines::Without), look).await
        }
        None => {
            records::print(&read(asked)?, out)?;
            Ok(Ending::Done)
        }
    }
}

/// The record, which is right unless anything will do.
fn read(asked: &Replay) -> Result<Record, Failure> {
    let record = records::read(&asked.file)?;
    if !asked.unverified {
        record.verify().map_err(Failure::Unverified)?;
    }
    Ok(record)
}

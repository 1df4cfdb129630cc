//! `chickenfoot tournament`.

mod args;
mod bar;
mod calls;
mod ending;
mod file;
mod follow;
mod json;
mod pace;
mod patience;
mod progress;
mod report;
mod run;
mod run_state;
mod show;
mod tables;
mod words;

use crate::args::Global;
use crate::error::Failure;
use crate::output::Output;
use crate::view::Showing;

pub(crate) use args::{Format, Tournament};
pub(crate) use ending::Ending;
pub(crate) use file::FileError;
pub(crate) use follow::Shown;
pub(crate) use json::{interval as interval_json, standings as standings_json};
pub(crate) use pace::Pace;
pub(crate) use progress::Progress;
pub(crate) use report::{Reports, unwritable, write_text};
pub(crate) use run::tell_report;
pub(crate) use show::standings as print_standings;
pub(crate) use tables::{ab as ab_rows, pairings as pairing_rows, signed_interval};
pub(crate) use words::{faults as fault_count, format as format_word, state as state_word};

/// Runs a command about tournaments.
pub(crate) async fn tournament(
    command: Tournament,
    global: &Global,
    out: &mut Output,
) -> Result<Ending, Failure> {
    match command {
        Tournament::Create { file } => calls::create(global, &file, out).await?,
        Tournament::List { state } => calls::list(global, state, out).await?,
        Tournament::Show { id } => calls::show(global, &id, out).await?,
        Tournament::Join { id } => calls::join(global, &id, out).await?,
        Tournament::Withdraw { id, name } => calls::withdraw(global, &id, name.as_deref(), out).await?,
        Tournament::Start { id } => calls::start(global, &id, out).await?,
        Tournament::Pause { id } => calls::pause(global, &id, out).await?,
        Tournament::Resume { id } => calls::resume(global, &id, out).await?,
        Tournament::Cancel { id } => calls::cancel(global, &id, out).await?,
        Tournament::Standings { id, pairings } => calls::standings(global, &id, pairings, out).await?,
        Tournament::Export { id, format, output } => {
            calls::export(global, &id, format, output.as_deref(), out).await?;
        }
        Tournament::Watch { id, screen, exit } => {
            return match screen.look(out) {
                Some(look) => run::show(global, &id, Showing { look, exit }, out).await,
                None => run::watch(global, &id, out).await,
            };
        }
        Tournament::Run(run) => return run::run(global, &run, out).await,
    }
    Ok(Ending::Done)
}

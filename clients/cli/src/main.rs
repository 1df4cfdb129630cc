//! `chickenfoot`: the command line of the match service, for people and for scripts.
//!
//! It knows no rule of the game: it asks the service, plays through the crate `chickenfoot-bot`, draws with
//! `chickenfoot-picture`, verifies with `chickenfoot-rules`, simulates with `chickenfoot-simulation`, and examines bots
//! with `chickenfoot-doctor`.

mod agents;
mod args;
mod create;
mod doctor;
mod error;
mod exec;
mod json;
mod leaderboard;
mod matches;
mod output;
mod play;
mod records;
mod replay;
mod rule_flags;
mod simulate;
mod story;
mod text;
mod time;
mod tournament;
mod view;
mod watch;
mod words;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Agent, Cli, Command, Global, Match, Record};
use crate::error::Failure;
use crate::output::Output;
use crate::tournament::Ending;
use crate::view::Showing;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return error::usage(&error, args::wants_json()),
    };
    let mut out = Output::new(cli.global.json);
    let outcome = run(cli.command, &cli.global, &mut out).await;
    // What was said before a failure counts too.
    let flushed = out.flush();
    match outcome.and_then(|ending| flushed.map(|()| ending)) {
        Ok(ending) => ending.into(),
        Err(failure) => failure.at(&cli.global.server).report(cli.global.json),
    }
}

async fn run(command: Command, global: &Global, out: &mut Output) -> Result<Ending, Failure> {
    match command {
        Command::Agent(Agent::Register { name }) => agents::register(global, &name, out).await?,
        Command::Agent(Agent::List) => agents::list(global, out).await?,
        Command::Agent(Agent::Run(run)) => agents::run(global, &run, out).await?,
        Command::Agent(Agent::Exec(asked)) => exec::exec(global, &asked, out).await?,
        Command::Match(Match::Create(create)) => matches::create(global, create.config(), out).await?,
        Command::Match(Match::List { state, agent, tournament }) => {
            matches::list(global, state, agent, tournament, out).await?;
        }
        Command::Match(Match::Show { id }) => matches::show(global, &id, out).await?,
        Command::Match(Match::Watch { id, after, screen, exit }) => match screen.look(out) {
            Some(look) => return watch::show(global, &id, after, Showing { look, exit }, out).await,
            None => watch::watch(global, &id, after, out).await?,
        },
        Command::Match(Match::Join { id, seat }) => matches::join(global, &id, seat, out).await?,
        Command::Match(Match::Leave { id }) => matches::leave(global, &id, out).await?,
        Command::Match(Match::Abort { id }) => matches::abort(global, &id, out).await?,
        Command::Match(Match::Play { id, name }) => play::play(global, &id, name, out).await?,
        Command::Record(Record::Get { id }) => records::get(global, &id, out).await?,
        Command::Record(Record::Show { file }) => records::show(&file, out)?,
        Command::Record(Record::Analyse(asked)) => records::analyse(&asked, out)?,
        Command::Record(Record::Picture(asked)) => records::picture(&asked, out)?,
        Command::Record(Record::Verify { file }) => records::verify(&file, out)?,
        Command::Replay(asked) => return replay::replay(&asked, out).await,
        Command::Doctor(asked) => return doctor::doctor(asked, out).await,
        Command::Simulate(asked) => return simulate::simulate(&asked, out),
        Command::Leaderboard(asked) => leaderboard::show(global, &asked, out).await?,
        Command::Tournament(command) => return tournament::tournament(command, global, out).await,
    }
    Ok(Ending::Done)
}

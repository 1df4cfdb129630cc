use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use chickenfoot_simulation::analysis::{
    self, Account, Analysis, AnalysisError, RoundAccount, Settings, Step,
};
use clap::{Args, ValueEnum};

use super::read;
use crate::error::Failure;
use crate::output::{Output, note};
use crate::tournament::write_text;

/// How a record is looked at.
#[derive(Args)]
pub(crate) struct Analyse {
    /// The record; - for stdin
    file: String,
    /// Whose estimates are taken
    #[arg(long, value_name = "NAME", default_value = "search")]
    strategy: Estimating,
    /// About how many rollouts a decision, shared by its options
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    rollouts: u32,
    /// Rounds that are played for what a position promises, 1 to 10000
    #[arg(
        long,
        value_name = "N",
        default_value_t = 32,
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    shuffles: u32,
    /// Seed of all chance: the same seed gives the same analysis
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Decisions that are looked at at once; else as many as there are cores. The outcome does not depend on it
    #[arg(long, value_name = "N", value_parser = crate::args::threads)]
    threads: Option<NonZeroUsize>,
    /// Write a page with the tables and a graph over the match to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Strategies that estimate options.
#[derive(Clone, Copy, ValueEnum)]
enum Estimating {
    Search,
    MonteCarlo,
}

/// `record analyse`.
pub(crate) fn analyse(asked: &Analyse, out: &mut Output) -> Result<(), Failure> {
    let record = read(&asked.file)?;
    let threads = asked.threads.or_else(|| thread::available_parallelism().ok());
    let mut seed = [0; 32];
    seed[24..].copy_from_slice(&asked.seed.to_be_bytes());
    let settings = Settings {
        strategy: match asked.strategy {
            Estimating::Search => "search",
            Estimating::MonteCarlo => "monte-carlo",
        }
        .to_owned(),
        rollouts: asked.rollouts,
        shuffles: asked.shuffles,
        seed,
        threads: threads.unwrap_or(NonZeroUsize::MIN),
    };
    let found = analysis::analyse(&record, &settings).map_err(|why| match why {
        AnalysisError::Flawed(flaw) => Failure::Flawed(flaw),
        AnalysisError::NoEstimates(_) => Failure::Usage(why.to_string()),
    })?;
    if let Some(path) = &asked.html {
        let bytes = write_text(&analysis::page(&record, &found), path)?;
        note(format_args!("wrote {}, {bytes} bytes", path.display()));
    }
    if out.is_json() {
        // An analysis holds nothing that JSON cannot.
        return out.value(&serde_json::to_value(&found).unwrap_or_default());
    }
    print(&found, out)
}

fn print(found: &Analysis, out: &mut Output) -> Result<(), Failure> {
    let method = &found.method;
    out.heading(format_args!("match {}", found.match_id))?;
    out.line(format_args!("rules       {}", found.rules))?;
    out.line(format_args!(
        "estimates   {}, {} rollouts a decision, {} shuffles",
        method.strategy, method.rollouts, method.shuffles
    ))?;
    let width = found.seats.iter().map(|seat| seat.name.chars().count()).max().unwrap_or(0).max(4);
    for round in &found.rounds {
        out.line("")?;
        print_round(found, round, width, out)?;
    }
    out.line("")?;
    out.heading(format_args!("seat  {:<width$}  points  place  decisions{}", "name", heads()))?;
    for (number, seat) in found.seats.iter().enumerate() {
        let place = seat.place.map_or_else(|| "-".to_owned(), |place| place.to_string());
        out.line(format_args!(
            "{number:>4}  {:<width$}  {:>6}  {place:>5}  {:>9}{}",
            seat.name,
            seat.points,
            seat.decisions,
            figures(&seat.account)
        ))?;
    }
    Ok(())
}

fn print_round(
    found: &Analysis,
    round: &RoundAccount,
    width: usize,
    out: &mut Output,
) -> Result<(), Failure> {
    let name = |seat: usize| found.seats.get(seat).map_or("", |seat| seat.name.as_str());
    out.heading(format_args!("round {} on double-{}", round.number, round.starting_double))?;
    for step in &round.steps {
        let seat = usize::from(step.seat);
        let turn = format!("{:>4}  {seat} {:<width$}  {:<12}", step.at, name(seat), step.made);
        out.line(format!("{turn}{}", said(step)).trim_end())?;
    }
    let end = round.end.as_deref().unwrap_or("not played to its end");
    out.line(format_args!("      ended: {end}"))?;
    out.heading(format_args!("      seat  {:<width$}  scored{}", "name", heads()))?;
    for (number, account) in round.seats.iter().enumerate() {
        let score = round.scores.get(number).map_or_else(|| "-".to_owned(), u16::to_string);
        out.line(format_args!(
            "      {number:>4}  {:<width$}  {score:>6}{}",
            name(number),
            figures(account)
        ))?;
    }
    Ok(())
}

/// What is to be said of a turn, beside what was done in it.
fn said(step: &Step) -> String {
    if let Some(luck) = step.luck.as_ref().and_then(|luck| luck.get(usize::from(step.seat))) {
        return format!("  luck {luck:+.2}");
    }
    let Some(away) = step.given_away else { return String::new() };
    let options: Vec<String> = step
        .options
        .iter()
        .map(|option| {
            let error = option.error.map(|error| format!(" ±{error:.2}")).unwrap_or_default();
            let mark = if option.chosen { "*" } else { "" };
            format!("{mark}{} {:+.2}{error}", option.option, option.value)
        })
        .collect();
    let deals = step.options.first().map_or(0, |option| option.deals);
    format!("  gave away {away:.2}; of {} on {deals} deals: {}", options.len(), options.join(", "))
}

fn heads() -> String {
    ["margin", "choices", "deal", "draws", "play"].map(|head| format!("  {head:>8}")).concat()
}

/// What is lost stands with a minus where it was gained.
fn figures(account: &Account) -> String {
    let Account { margin, lost_by_choices, lost_to_deal, lost_to_draws, play } = account;
    format!(
        "  {margin:>+8.2}  {lost_by_choices:>8.2}  {lost_to_deal:>8.2}  {lost_to_draws:>8.2}  {play:>+8.2}"
    )
}

//! `chickenfoot simulate`.

mod args;
mod follow;
mod plan;
mod told;

use std::time::Instant;

use chickenfoot_simulation::Simulation;
use chickenfoot_tournament::report::{self, Report};
use serde_json::json;

pub(crate) use args::Simulate;

use crate::error::Failure;
use crate::output::Output;
use crate::tournament::{
    Ending, Reports, interval_json, pairing_rows, print_standings, signed_interval, standings_json,
    tell_report, unwritable, write_text,
};

/// What the reports of a directory are named as.
const NAME: &str = "simulation";

/// Plays it, tells the standings and writes what is to be kept.
pub(crate) fn simulate(asked: &Simulate, out: &mut Output) -> Result<Ending, Failure> {
    let simulation = plan::plan(asked)?;
    let reports = Reports::plan(asked.output.as_deref(), 1)?;
    reports.prepare()?;
    if let Some(directory) = &asked.records {
        std::fs::create_dir_all(directory).map_err(|why| unwritable(directory, why))?;
    }
    let report = play(&simulation, asked, out)?;
    let ending = tell(&report, asked.pairings, out)?;
    out.flush()?;
    for (path, format) in reports.of(NAME.as_ref()) {
        use crate::tournament::Format;
        let text = match format {
            Format::Json => report::json(&report),
            Format::Csv => report::csv(&report),
            Format::Html => report::html(&report, None),
        };
        let bytes = write_text(&text, &path)?;
        tell_report(&report.id, &path, bytes, out)?;
    }
    Ok(ending)
}

fn play(simulation: &Simulation, asked: &Simulate, out: &mut Output) -> Result<Report, Failure> {
    let begun = Instant::now();
    let mut follow = follow::Follow::new(simulation, asked.records.as_deref(), out);
    let played = simulation.run(&|| begun.elapsed(), &mut follow);
    // Why it was stopped says more than that it was.
    follow.failure().map_or(Ok(()), Err)?;
    played.map_err(Failure::Simulation)
}

fn tell(report: &Report, pairings: bool, out: &mut Output) -> Result<Ending, Failure> {
    let standings = told::standings(report);
    let comparison = told::comparison(report);
    if out.is_json() {
        let mut value = standings_json(&standings, pairings);
        value["event"] = "standings".into();
        value["comparison"] =
            comparison.as_ref().map(|it| json!({"margin": interval_json(&it.margin)})).into();
        out.value(&value)?;
    } else {
        print_standings(&standings, out)?;
        if let Some(it) = &comparison {
            out.line("")?;
            let margin = signed_interval(Some(&it.margin));
            out.heading(format_args!("{} over {}: {margin} pips a match", it.candidate, it.base))?;
        }
        if pairings {
            out.line("")?;
            out.rows(&pairing_rows(&standings.standings, &standings.pairings))?;
        }
    }
    match (&standings.tournament, comparison) {
        (_, Some(comparison)) => Ok(comparison.ending()),
        (Some(tournament), None) => Ok(Ending::of(tournament, standings.ab.as_ref())),
        (None, None) => Ok(Ending::Done),
    }
}

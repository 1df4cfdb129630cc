use super::case::Runs;
use crate::Failure;
use crate::figures::{Table, short};
use crate::job::Part;

/// How many decisions a second, what they cost, and how that compares with the echo.
pub(super) fn speeds(all: &[Runs]) -> String {
    let mut table = Table::new(&[
        "way",
        "connections",
        "matches at once",
        "store",
        "decisions/s",
        "of the echo's",
        "server us/decision",
        "client us/decision",
    ]);
    for runs in all {
        let case = runs.case;
        let ratio = match (case.store, echo(all, runs)) {
            (Some(_), Some(echo)) => short(runs.figure(Part::rate).over(&echo.figure(Part::rate))),
            _ => String::new(),
        };
        table.row([
            case.way().to_owned(),
            case.connections.to_string(),
            case.matches.to_string(),
            case.name().to_owned(),
            runs.figure(Part::rate).to_string(),
            ratio,
            runs.figure(Part::server_us).to_string(),
            runs.figure(Part::client_us).to_string(),
        ]);
    }
    format!("Speed: medians of all runs, and their range.\n\n{table}")
}

/// How long an acknowledgement takes at full speed.
pub(super) fn delays(all: &[Runs]) -> String {
    let title = "Microseconds from a choice to its acknowledgement, as fast as it goes:";
    format!("{title}\n\n{}", quantiles(all.iter().collect(), |runs| &runs.full))
}

/// How long an acknowledgement takes at half speed.
pub(super) fn halves(all: &[Runs]) -> String {
    let halved: Vec<&Runs> = all.iter().filter(|runs| !runs.half.is_empty()).collect();
    let mut ratios = Table::new(&["connections", "matches at once", "store", "p99 of the echo's"]);
    for runs in halved.iter().filter(|runs| runs.case.store.is_some()) {
        if let Some(echo) = echo(all, runs) {
            let ratio = runs.half(|part| part.p99).over(&echo.half(|part| part.p99));
            let case = runs.case;
            let cells = [case.connections.to_string(), case.matches.to_string(), case.name().to_owned()];
            ratios.row(cells.into_iter().chain([short(ratio)]));
        }
    }
    let title = "The same at half of the speed that each reached:";
    format!("{title}\n\n{}\n{ratios}", quantiles(halved, |runs| &runs.half))
}

fn quantiles(all: Vec<&Runs>, parts: impl Fn(&Runs) -> &[Part]) -> Table {
    let mut table =
        Table::new(&["way", "connections", "matches at once", "store", "decisions/s", "p50", "p99", "p99.9"]);
    for runs in all {
        let case = runs.case;
        let figure =
            |value: fn(&Part) -> f64| crate::figures::Figure::new(parts(runs).iter().map(value)).to_string();
        table.row([
            case.way().to_owned(),
            case.connections.to_string(),
            case.matches.to_string(),
            case.name().to_owned(),
            figure(Part::rate),
            figure(|part| part.p50),
            figure(|part| part.p99),
            figure(|part| part.p999),
        ]);
    }
    table
}

/// What an exchange weighs, of the service.
pub(super) fn sizes(all: &[Runs]) -> String {
    let part = all.iter().filter(|runs| runs.case.store.is_some()).find_map(|runs| runs.full.last());
    part.map_or_else(String::new, |part| {
        format!(
            "Bytes: a decision {:.0}, a choice {:.0}, all messages down for each decision {:.0}.",
            part.down, part.up, part.all_down
        )
    })
}

/// Whether every run did anything. How fast is for whoever reads the tables.
pub(super) fn check(all: &[Runs]) -> Result<(), Failure> {
    match all.iter().find(|runs| runs.full.iter().chain(&runs.half).any(|part| part.decisions == 0)) {
        None => Ok(()),
        Some(runs) => Err(format!("no decision was acknowledged: {}", runs.case).into()),
    }
}

fn echo<'a>(all: &'a [Runs], runs: &Runs) -> Option<&'a Runs> {
    all.iter().find(|other| other.case == runs.case.echo())
}

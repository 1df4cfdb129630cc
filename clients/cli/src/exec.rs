use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use chickenfoot_bot::exec::{Bridge, Fault, Limits, Note, Program, Report};
use chickenfoot_bot::{Runner, stop_signal};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use crate::agents::{log, token_of};
use crate::args::Global;
use crate::error::Failure;
use crate::json;
use crate::output::{Output, note};
use crate::time::time;

/// So many faults of a kind are told one by one; then the hundredth, the thousandth and so on.
const TOLD: u64 = 20;

#[derive(Args)]
pub(crate) struct Exec {
    /// Name of the agent; a given token must be this agent's. Whose it is, only an open session tells: with another agent's
    /// token that agent's session is taken over before the command notices and ends
    name: String,
    /// Run a process for each match; else one plays them all side by side
    #[arg(long)]
    per_match: bool,
    /// Tell the program everything that happens in its matches, as its seats may see it
    #[arg(long)]
    events: bool,
    /// Stop after so many matches
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Answer in the program's place, shortly before a decision's time is up; else the match's clock decides, and the
    /// seat has a fault
    #[arg(long, value_name = "OPTION")]
    fallback: Option<Fallback>,
    /// A process that owes an answer and writes nothing for so long is stuck, and is started again: seconds, or as in
    /// 500ms, 90s, 5m; else when the time of a decision is up
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    silence: Option<Duration>,
    /// Bad runs in a row until the program is given up; one is good if it gave an answer and lasted 10 s
    #[arg(long, value_name = "N", default_value_t = 10)]
    restarts: u32,
    /// Lines that a process may leave unread, beside two for each match
    #[arg(long, value_name = "LINES", default_value_t = Program::QUEUE as u64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    queue: u64,
    /// How long a process may take to end when it is told to, before SIGTERM and again before SIGKILL
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time)]
    stop_time: Duration,
    /// CPU time that a process may use in its life, in seconds
    #[arg(long, value_name = "SECONDS")]
    max_cpu: Option<NonZeroU64>,
    /// Memory that a process may have, as address space, in MiB; macOS does not enforce it
    #[arg(long, value_name = "MIB")]
    max_memory: Option<NonZeroU32>,
    /// Keep what the processes write to stderr in this folder: program.stderr, or MATCH.stderr
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// How much of it is kept of each, in KiB: the last
    #[arg(long, value_name = "KIB", default_value = "1024", requires = "logs")]
    log_size: NonZeroU32,
    /// Show what the processes write to stderr, each line with where it came from
    #[arg(long)]
    show_stderr: bool,
    /// The program and its arguments, behind `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// Reads a time in which something can happen.
fn some_time(text: &str) -> Result<Duration, String> {
    let time = time(text)?;
    if time < Duration::from_millis(10) { Err("must be at least 10ms".to_owned()) } else { Ok(time) }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Fallback {
    /// The first option
    First,
}

/// `agent exec`: plays a program until it is told to stop or has played enough.
pub(crate) async fn exec(global: &Global, exec: &Exec, out: &mut Output) -> Result<(), Failure> {
    log();
    // Before a name is taken for it.
    exec.program().check()?;
    let token = token_of(global, Some(&exec.name)).await?;
    let mut runner = Runner::new(&global.server, &token).agent(&exec.name);
    if let Some(games) = exec.games {
        runner = runner.games(games);
    }
    let json = out.is_json();
    let bridge = exec.bridge(runner).on_fault(move |fault| tell(fault, json));
    let program: Vec<_> = exec.program.iter().map(|word| word.to_string_lossy()).collect();
    note(format_args!("{} plays by {}; Ctrl-C stops", exec.name, program.join(" ")));
    let played = bridge.run(stop_signal()).await;
    summary(&bridge.report(), out)?;
    Ok(played?)
}

impl Exec {
    fn bridge(&self, runner: Runner) -> Bridge {
        let mut bridge = Bridge::new(runner, self.program());
        if self.per_match {
            bridge = bridge.per_match();
        }
        if self.events {
            bridge = bridge.events();
        }
        bridge
    }

    fn program(&self) -> Program {
        let (command, args) = self.program.split_first().expect("clap wants at least one word");
        let limits = Limits {
            cpu: self.max_cpu.map(NonZeroU64::get),
            memory: self.max_memory.map(|mib| u64::from(mib.get()) * 1024),
        };
        let mut program = Program::new(command)
            .args(args)
            .limits(limits)
            .restarts(self.restarts)
            .queue(usize::try_from(self.queue).unwrap_or(Program::QUEUE))
            .stop_time(self.stop_time);
        if let Some(silence) = self.silence {
            program = program.silence(silence);
        }
        if self.fallback == Some(Fallback::First) {
            program = program.fallback_first();
        }
        if let Some(folder) = &self.logs {
            program = program.logs(folder, u64::from(self.log_size.get()) * 1024);
        }
        if self.show_stderr { program.show_stderr() } else { program }
    }
}

/// Says on stderr what the program did wrong.
fn tell(fault: &Note, as_json: bool) {
    let is_round = fault.count.checked_ilog10().is_some_and(|tens| 10_u64.pow(tens) == fault.count);
    if fault.count > TOLD && !is_round {
        return;
    }
    match (as_json, fault.count) {
        (true, _) => note(json::fault(fault)),
        (false, ..=TOLD) => note(format_args!("{}: {fault}", fault.label)),
        (false, count) => note(format_args!("{}: {fault}; the {count}th", fault.label)),
    }
}

fn summary(report: &Report, out: &mut Output) -> Result<(), Failure> {
    let counts = Fault::ALL.map(|fault| (fault.name(), report.count(fault)));
    if out.is_json() {
        let mut value = json::stats(&report.stats);
        let faults = counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into()));
        value["faults"] = Value::Object(faults.collect::<Map<_, _>>());
        value["processes"] = report.started.into();
        value["fallbacks"] = report.fallbacks.into();
        return out.value(&value);
    }
    let stats = &report.stats;
    out.line(format_args!(
        "matches {}, choices {}, refused {}, reconnects {}, processes {}, fallbacks {}",
        stats.games, stats.choices, stats.refused, stats.reconnects, report.started, report.fallbacks
    ))?;
    let told = counts.iter().filter(|(_, count)| *count > 0);
    let told: Vec<String> = told.map(|(name, count)| format!("{name} {count}")).collect();
    let told = if told.is_empty() { "none".to_owned() } else { told.join(", ") };
    out.line(format_args!("faults: {told}"))
}

//! The parts of the service in this process, each beside a baseline.

mod rows;
mod rules;
mod schedule;
mod statistics;
mod store;
mod verify;

use std::time::{Duration, Instant};

use clap::Args;

use crate::Failure;
use crate::figures::{Figure, Table, short};

pub(crate) use rules::rules;
pub(crate) use schedule::schedule;
pub(crate) use statistics::statistics;
pub(crate) use store::Store;
pub(crate) use verify::verify;

/// How long to measure
#[derive(Args)]
pub(crate) struct Effort {
    /// How often each line is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Seconds of each run
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    seconds: f64,
}

/// Something that is measured. Its work returns how many units it did; it is repeated until the time is over.
struct Subject<'a> {
    name: String,
    work: Box<dyn FnMut() -> Result<u64, Failure> + 'a>,
}

impl<'a> Subject<'a> {
    fn new(name: impl Into<String>, work: impl FnMut() -> Result<u64, Failure> + 'a) -> Subject<'a> {
        Subject { name: name.into(), work: Box::new(work) }
    }
}

impl Effort {
    /// Measures all in turns; the last one is the baseline. Returns a table in Markdown.
    fn compare(&self, unit: &str, subjects: &mut [Subject<'_>]) -> Result<Table, Failure> {
        let mut rates = vec![Vec::new(); subjects.len()];
        for _ in 0..self.runs {
            for (subject, rates) in subjects.iter_mut().zip(&mut rates) {
                rates.push(self.rate(&mut subject.work)?);
            }
        }
        let figures: Vec<Figure> = rates.into_iter().map(Figure::new).collect();
        let head = format!("{unit} a second");
        let mut table = Table::new(&["what", &head, "of the last line's"]);
        for (subject, figure) in subjects.iter().zip(&figures) {
            let ratio = figures.last().map_or(f64::NAN, |baseline| figure.over(baseline));
            table.row([subject.name.clone(), figure.to_string(), short(ratio)]);
        }
        Ok(table)
    }

    fn rate(&self, work: &mut dyn FnMut() -> Result<u64, Failure>) -> Result<f64, Failure> {
        let (start, mut units) = (Instant::now(), 0);
        let end = Duration::from_secs_f64(self.seconds);
        loop {
            units += work()?;
            let took = start.elapsed();
            if took >= end {
                return Ok(units as f64 / took.as_secs_f64());
            }
        }
    }
}

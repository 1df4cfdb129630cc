use maud::html;

use super::chart::{COLOURS, Chart, Line};
use super::text::{signed, visible};
use super::{MOST, Page, Section, limited};
use crate::Figures;

/// The mean margin of each entrant as blocks came in.
pub(super) fn section(page: &Page<'_>, figures: &Figures) -> Option<Section> {
    let results = page.results()?;
    let lines = page.rows(figures).take(MOST).enumerate().map(|(rank, (row, entry))| Line {
        name: entry.name.clone(),
        points: running(&results.block_margins(row.entrant)),
        colour: (rank < COLOURS).then_some(rank),
    });
    let lines: Vec<Line> = lines.filter(|line| line.points.len() > 1).collect();
    let (low, high) = range(&lines)?;
    let ends = |line: &Line| Some(format!("{} {}", visible(&line.name), signed(line.points.last()?.1, 1)));
    let ends: Vec<String> = lines.iter().filter(|line| line.colour.is_some()).filter_map(ends).collect();
    let unnamed = lines.iter().any(|line| line.colour.is_none());
    let chart = Chart {
        title: "Mean margin up to each block",
        description: format!("Where the lines end: {}.", ends.join(", ")),
        unit: "pips a match, more is better",
        across: "block",
        lines,
        marks: Vec::new(),
        low,
        high,
    };
    let body = html! {
        p.note {
            "The mean of the margins as they were, whoever sat opposite. First blocks scatter widely and may leave the frame."
            @if unnamed { " The best " (COLOURS) " have colours, the others are grey." }
        }
        (chart.render())
        (limited(page.rows(figures).count()))
    };
    Some(Section { id: "margins", title: "Points over blocks", body })
}

/// The mean up to each block.
fn running(margins: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let mut sum = 0.0;
    let mut mean = |(count, (block, margin)): (u32, &(u32, f64))| {
        sum += margin;
        (*block, sum / f64::from(count))
    };
    (1u32..).zip(margins).map(&mut mean).collect()
}

/// What the lines cover once their first scatter is over, and 0.
fn range(lines: &[Line]) -> Option<(f64, f64)> {
    let settled = |line: &'_ Line| {
        let skip = (line.points.len() / 10).max(2).min(line.points.len() - 1);
        line.points[skip..].iter().map(|point| point.1).collect::<Vec<f64>>()
    };
    let values: Vec<f64> = lines.iter().flat_map(settled).collect();
    let low = values.iter().copied().reduce(f64::min)?.min(0.0);
    let high = values.iter().copied().reduce(f64::max)?.max(0.0);
    let free = ((high - low) * 0.06).max(0.5);
    Some((low - free, high + free))
}

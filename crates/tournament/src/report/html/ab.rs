use maud::{Markup, html};

use super::chart::{Chart, Line};
use super::text::{Name, signed};
use super::{Page, Section};
use crate::Figures;
use crate::report::FormatInfo;
use crate::statistics::{AbPlan, AbReport, Effect, Estimate, Interval, Verdict};

/// How an A/B test stands, and how it came there.
pub(super) fn section(page: &Page<'_>, figures: &Figures) -> Option<Section> {
    let ab = figures.ab.as_ref()?;
    let FormatInfo::AbTest { candidate, base, .. } = &page.report.format else { return None };
    let verdict = match ab.verdict {
        Verdict::Running => "The test goes on",
        Verdict::Better => "The candidate is better",
        Verdict::NotBetter => "The candidate is not better by the effect that was looked for",
        Verdict::Undecided => "The test ended undecided",
    };
    let body = html! {
        p.verdict { (verdict) @if ab.verdict == Verdict::Running { ", " } @else { ": " } (ab.blocks) " blocks." }
        dl {
            dt { "Candidate" } dd { (Name(candidate)) }
            dt { "Base" } dd { (Name(base)) }
            dt { "Margin" } dd { (margin(ab)) }
            dt { "Log-likelihood ratio" }
            dd {
                (signed(ab.log_likelihood_ratio, 2)) "; bounds " (signed(ab.lower_bound, 2)) " (not better) and "
                (signed(ab.upper_bound, 2)) " (better)"
            }
        }
        @if let Some(chart) = chart(page, ab) { (chart.render()) }
    };
    Some(Section { id: "ab", title: "A/B test", body })
}

fn margin(ab: &AbReport) -> Markup {
    let Some(Estimate { value, interval }) = ab.margin else { return html! { "\u{2013}" } };
    let normalised = ab.deviation.filter(|deviation| *deviation > 0.0).map(|deviation| value / deviation);
    html! {
        (signed(value, 2)) " pips a match"
        @if let Some(Interval { low, high }) = interval {
            ", interval " (signed(low, 2)) " to " (signed(high, 2)) " (holds whenever one looks)"
        }
        @if let Some(normalised) = normalised { "; " (signed(normalised, 2)) " standard deviations" }
    }
}

fn chart<'a>(page: &Page<'_>, ab: &AbReport) -> Option<Chart<'a>> {
    let FormatInfo::AbTest { candidate, base, alpha, beta, effect, burn_in, max_blocks, .. } =
        &page.report.format
    else {
        return None;
    };
    let plan = AbPlan::new(Effect::StandardDeviations(*effect), *alpha, *beta, *burn_in, *max_blocks).ok()?;
    let (one, other) = (page.positions.named(candidate)?, page.positions.named(base)?);
    let points = AbReport::path(&plan, &page.results()?, one, other);
    if points.len() < 2 {
        return None;
    }
    let values = points.iter().map(|point| point.1);
    let bounds = (ab.lower_bound, ab.upper_bound);
    let (low, high) = values.fold(bounds, |(low, high), value| (low.min(value), high.max(value)));
    let free = (high - low) * 0.06;
    Some(Chart {
        title: "Log-likelihood ratio up to each block",
        description: format!(
            "After {} blocks it is {}. At {} or above the candidate is better, at {} or below it is not.",
            points.len(),
            signed(ab.log_likelihood_ratio, 2),
            signed(ab.upper_bound, 2),
            signed(ab.lower_bound, 2)
        ),
        unit: "natural logarithm",
        across: "block",
        lines: vec![Line {
            name: format!("{} now", signed(ab.log_likelihood_ratio, 2)),
            points,
            colour: Some(0),
        }],
        marks: vec![
            (ab.upper_bound, format!("{} better", signed(ab.upper_bound, 2))),
            (ab.lower_bound, format!("{} not better", signed(ab.lower_bound, 2))),
        ],
        low: low - free,
        high: high + free,
    })
}

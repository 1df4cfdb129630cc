use maud::{Markup, html};

use super::chart::ticks;
use super::text::{Name, percent, plain, signed};
use super::{Page, Section, wide};
use crate::report::FormatInfo;
use crate::statistics::{Estimate, Interval, Standing};
use crate::{EntrantId, Figures};

/// The width of a bar in its own units, which are pixels, and what is kept free on both sides.
const WIDTH: f64 = 170.0;
const FREE: f64 = 4.0;

/// The table of the tournament.
pub(super) fn section(page: &Page<'_>, figures: &Figures) -> Section {
    let scale = Scale::of(&figures.standings.rows);
    let is_elimination = matches!(page.report.format, FormatInfo::Elimination { .. });
    // Stages are whole, scores of rounds are not.
    let (score_head, digits) = if is_elimination { ("Stage", 0) } else { ("Score", 2) };
    let score = |entrant: EntrantId| figures.scores.as_ref()?.get(entrant.index()).copied();
    let table = html! {
        table.sticky {
            caption { "The entrants by rank" }
            thead {
                tr {
                    th scope="col" { "#" }
                    th.name scope="col" { "Entrant" }
                    @if figures.scores.is_some() { th scope="col" { (score_head) } }
                    th scope="col" { "Margin" }
                    th.bars scope="col" {
                        div.ends { span { (signed(scale.low, 0)) } span { (signed(scale.high, 0)) } }
                    }
                    th scope="col" { "First places" }
                    th scope="col" { "Mean place" }
                    th scope="col" title="Plackett-Luce: 1500 is the mean, 400 more are odds of ten to one" { "Strength" }
                    th scope="col" { "Pips a match" }
                    th scope="col" { "Blocks" }
                    th scope="col" { "Matches" }
                }
            }
            tbody {
                @for (row, entry) in page.rows(figures) {
                    tr {
                        td { (row.place) @if row.by_lot { span.muted title="parted from a neighbour by lot" { "*" } } }
                        th.name scope="row" title=(super::visible(&entry.name)) {
                            (Name(&entry.name))
                            @if let Some(strategy) = entry.house.as_ref().filter(|house| **house != entry.name) {
                                " " span.tag { (Name(strategy)) }
                            }
                        }
                        @if figures.scores.is_some() { td { (optional(score(row.entrant), digits)) } }
                        td { (figure(row.margin, |value| signed(value, 1))) }
                        td.bars { @if let Some(margin) = row.margin { (scale.bar(margin)) } }
                        td { (figure(row.firsts, |value| percent(value, 0))) }
                        td { (optional(row.mean_place, 2)) }
                        td { (strength(figures, row.entrant)) }
                        td { (optional(row.mean_points, 1)) }
                        td { (row.blocks) }
                        td { (row.games) }
                    }
                }
            }
        }
    };
    let by_lot = figures.standings.rows.iter().any(|row| row.by_lot);
    let body = html! {
        p.note {
            "Margin: mean pips of the opponents less one\u{2019}s own a match, with the strength of the opponents allowed for; \
             more is better. Intervals are 95 %, over blocks."
        }
        (wide("Standings", &table))
        @if by_lot { p.note { "* Nothing but the lot, which follows from the public seed, parts it from a neighbour." } }
        @if figures.standings.groups > 1 {
            p.note {
                "There are " (figures.standings.groups) " groups of entrants that no match joins. Margins compare within \
                 a group only."
            }
        }
    };
    Section { id: "standings", title: "Standings", body }
}

/// A figure; its interval is shown where one points at it.
fn figure(estimate: Option<Estimate>, text: impl Fn(f64) -> String) -> Markup {
    let ends = |Interval { low, high }: Interval| format!("{} to {}", text(low), text(high));
    html! {
        @match estimate {
            None => span.muted { "\u{2013}" },
            Some(Estimate { value, interval: None }) => (text(value)),
            Some(Estimate { value, interval: Some(interval) }) => span title=(ends(interval)) { (text(value)) },
        }
    }
}

fn optional(value: Option<f64>, digits: usize) -> Markup {
    html! { @match value { Some(value) => (plain(value, digits)), None => span.muted { "\u{2013}" } } }
}

fn strength(figures: &Figures, entrant: EntrantId) -> Markup {
    let strengths = &figures.strengths.strengths;
    let found = strengths.binary_search_by_key(&entrant, |strength| strength.entrant).ok();
    let elo = found.map(|index| strengths[index].elo());
    let reach = elo.and_then(|elo| elo.interval).map(|Interval { low, high }| (high - low) / 2.0);
    html! {
        (figure(elo, |value| plain(value, 0)))
        @if let Some(reach) = reach { span.tag { " \u{b1}" (plain(reach, 0)) } }
    }
}

/// What the bars of all lines are measured by.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From the lowest end to the highest one, 0 among them, at round values.
    fn of(rows: &[Standing]) -> Scale {
        let ends = rows.iter().filter_map(|row| row.margin).flat_map(|Estimate { value, interval }| {
            let Interval { low, high } = interval.unwrap_or(Interval { low: value, high: value });
            [low, high]
        });
        let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
        let step = match ticks(low, high, 8).values[..] {
            [one, other, ..] => other - one,
            _ => 1.0,
        };
        let (low, high) = (libm::floor(low / step) * step, libm::ceil(high / step) * step);
        if high > low { Scale { low, high } } else { Scale { low: -1.0, high: 1.0 } }
    }

    fn x(&self, value: f64) -> String {
        format!("{:.1}", FREE + (WIDTH - 2.0 * FREE) * (value - self.low) / (self.high - self.low))
    }

    /// A dot for the figure, on a line for its interval.
    fn bar(&self, margin: Estimate) -> Markup {
        let words = |Interval { low, high }: Interval| {
            format!("{}, interval {} to {}", signed(margin.value, 1), signed(low, 1), signed(high, 1))
        };
        let words = margin.interval.map_or_else(|| signed(margin.value, 1), words);
        let zero = self.x(0.0);
        html! {
            svg.bar viewBox="0 0 170 16" role="img" {
                title { (words) }
                line.mid x1=(zero) x2=(zero) y1="0" y2="16" {}
                @if let Some(Interval { low, high }) = margin.interval {
                    line.range x1=(self.x(low)) x2=(self.x(high)) y1="8" y2="8" {}
                }
                circle.dot cx=(self.x(margin.value)) cy="8" r="3.5" {}
            }
        }
    }
}

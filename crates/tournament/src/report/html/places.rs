use maud::{Markup, PreEscaped, html};

use super::text::{Name, percent, visible};
use super::{Page, Section, wide};
use crate::Figures;
use crate::statistics::Standing;

/// How often everybody had each place.
pub(super) fn section(page: &Page<'_>, figures: &Figures) -> Option<Section> {
    let places = figures.standings.rows.iter().map(|row| row.places.len()).max().filter(|most| *most > 0)?;
    let table = html! {
        table.sticky {
            caption { "Matches by place" }
            thead {
                tr {
                    th.name scope="col" { "Entrant" }
                    th.bars scope="col" { "Shares" }
                    @for place in 1..=places { th scope="col" { (ordinal(place)) } }
                }
            }
            tbody {
                @for (row, entry) in page.rows(figures).filter(|(row, _)| row.games > 0) {
                    tr {
                        th.name scope="row" title=(visible(&entry.name)) { (Name(&entry.name)) }
                        td.bars { (shares(row)) }
                        @for count in &row.places { (cell(*count)) }
                    }
                }
            }
        }
    };
    let body = html! {
        p.note { "Matches by place; the bar shows their shares, first places on the left and strongest." }
        (wide("Places", &table))
    };
    Some(Section { id: "places", title: "Places", body })
}

fn shares(row: &Standing) -> Markup {
    let (places, games) = (row.places.len().max(2), f64::from(row.games));
    let words = |place: usize, share: f64| format!("{}: {}", ordinal(place), percent(share, 0));
    html! {
        div.share aria-hidden="true" {
            @for (index, count) in row.places.iter().enumerate().filter(|(_, count)| **count > 0) {
                @let share = f64::from(*count) / games;
                @let weight = 0.85 - 0.75 * index as f64 / (places - 1) as f64;
                span title=(words(index + 1, share))
                    style=(PreEscaped(format!("width:{:.2}%;--w:{weight:.2}", 100.0 * share))) {}
            }
        }
    }
}

fn cell(count: u32) -> Markup {
    html! { @if count == 0 { td.zero-count { "0" } } @else { td { (count) } } }
}

fn ordinal(place: usize) -> String {
    match place {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{place}th"),
    }
}

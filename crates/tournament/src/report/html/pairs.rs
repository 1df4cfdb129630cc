use maud::{Markup, PreEscaped, html};

use super::text::{Name, plain, visible};
use super::{MOST, Page, Section, limited, wide};
use crate::Figures;
use crate::statistics::Pair;

/// With more entrants than these, the cells are smaller.
const MANY: usize = 16;

/// Everybody against everybody, as a table whose cells are coloured too.
pub(super) fn section(page: &Page<'_>, figures: &Figures) -> Option<Section> {
    if figures.pairwise.pairs().is_empty() {
        return None;
    }
    let rows: Vec<_> = page.rows(figures).take(MOST).collect();
    let table = html! {
        table.heat.many[rows.len() > MANY] {
            caption { "Percent of the meetings that the row places before the column in" }
            thead {
                tr {
                    th.name scope="col" { "Entrant" }
                    @for (row, entry) in &rows {
                        th scope="col" title=(visible(&entry.name)) { (row.place) }
                    }
                }
            }
            tbody {
                @for (row, entry) in &rows {
                    tr {
                        th.name scope="row" title=(visible(&entry.name)) {
                            span.muted { (row.place) } " " (Name(&entry.name))
                        }
                        @for (other, _) in &rows { (cell(figures.pairwise.get(row.entrant, other.entrant))) }
                    }
                }
            }
        }
    };
    let body = html! {
        p.note {
            "How often, in percent of their meetings, the entrant of the row places before that of the column, which is given by \
             its rank; ties count half. Above 50 is blue, below is orange."
        }
        (wide("Pairs", &table))
        (limited(page.rows(figures).count()))
    };
    Some(Section { id: "pairs", title: "Pairs", body })
}

fn cell(pair: Option<Pair>) -> Markup {
    let Some(pair) = pair else { return html! { td.none { "\u{b7}" } } };
    let chance = pair.superiority.value;
    let Pair { wins, ties, losses, blocks, .. } = pair;
    let words = format!("{wins} won, {ties} tied, {losses} lost in {blocks} blocks");
    // The number stays readable on the strongest colour.
    let weight = (2.0 * (chance - 0.5).abs()).min(1.0) * 0.6;
    let class = if chance >= 0.5 { "up" } else { "down" };
    html! {
        td class=(class) style=(PreEscaped(format!("--w:{weight:.2}"))) title=(words) { (plain(100.0 * chance, 0)) }
    }
}

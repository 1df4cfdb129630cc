//! The page. Each section is a file of its own.

mod ab;
mod chart;
mod conduct;
mod document;
mod facts;
mod margins;
mod matches;
mod pairs;
mod places;
mod standings;
mod text;

use maud::{Markup, html};

use super::evidence::{self, Positions};
use super::{Entry, Report};
use crate::statistics::{Results, Standing};
use crate::{BlockResult, Figures};

pub use chart::{Chart, Line};
pub use document::document;
pub use text::{Name, plain, signed, visible};

/// The most entrants that lines and the pairwise table are drawn of: the best ones.
const MOST: usize = 40;

/// A report as a page of HTML that is complete in itself: it asks for nothing from anywhere, and needs no script. It follows
/// the reader's preference of dark or light, fits a phone and a wide screen, and can be printed.
///
/// `records` is what a link to the record of a match starts with; the match's id follows. Without it, ids are text.
///
/// Names and titles are shown as text, whatever is in them. Lines, the pairwise table and the list of matches are cut
/// short where they would be too long to read, and say so; standings, places, clocks and faults have everybody.
pub fn html(report: &Report, records: Option<&str>) -> String {
    let blocks = evidence::results(report);
    let positions = Positions::of(report);
    let page = Page { report, positions, blocks: &blocks };
    page.render(records).into_string()
}

/// What all sections are made from.
struct Page<'a> {
    report: &'a Report,
    positions: Positions<'a>,
    /// The blocks that count.
    blocks: &'a [BlockResult],
}

impl<'a> Page<'a> {
    fn render(&self, records: Option<&str>) -> Markup {
        let sections: Vec<Section> = [
            self.figures().map(|figures| standings::section(self, figures)),
            self.figures().and_then(|figures| ab::section(self, figures)),
            self.figures().and_then(|figures| margins::section(self, figures)),
            self.figures().and_then(|figures| pairs::section(self, figures)),
            self.figures().and_then(|figures| places::section(self, figures)),
            conduct::section(self),
            matches::section(self, records),
            Some(facts::section(self)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let title = format!("{} \u{b7} Chicken Foot tournament", visible(&self.report.title));
        document(
            &title,
            "",
            &html! {
                header {
                    h1 { (Name(&self.report.title)) }
                    (facts::summary(self))
                    nav aria-label="Sections" {
                        @for section in &sections { a href={ "#" (section.id) } { (section.title) } }
                    }
                }
                @for section in &sections {
                    section id=(section.id) aria-labelledby={ (section.id) "-title" } {
                        h2 id={ (section.id) "-title" } { (section.title) }
                        (section.body)
                    }
                }
            },
        )
    }

    fn figures(&self) -> Option<&'a Figures> {
        self.report.figures.as_ref()
    }

    /// The lines of the standings with their entrants.
    fn rows(&self, figures: &'a Figures) -> impl Iterator<Item = (&'a Standing, &'a Entry)> {
        figures.standings.rows.iter().filter_map(|row| Some((row, self.positions.at(row.entrant)?)))
    }

    /// The results that count; none if they do not fit together.
    fn results(&self) -> Option<Results<'a>> {
        Results::new(self.positions.len(), self.blocks).ok()
    }
}

/// A part of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

/// A table that may be wider than the page: it is then scrolled by itself.
fn wide(label: &str, table: &Markup) -> Markup {
    html! { div.wide role="region" aria-label=(label) tabindex="0" { (table) } }
}

/// Says that a section shows only the best.
fn limited(all: usize) -> Markup {
    html! { @if all > MOST { p.note { "Of " (all) " entrants, the best " (MOST) " are shown." } } }
}

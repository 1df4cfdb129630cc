use maud::{Markup, html};

use super::text::{Name, moment, visible};
use super::{Page, Section};
use crate::report::{EntryState, hex};

/// The tournament in two lines.
pub(super) fn summary(page: &Page<'_>) -> Markup {
    let report = page.report;
    let matches: usize = report.blocks.iter().map(|block| block.matches.len()).sum();
    let words = visible(&report.format.words(report.table_size));
    html! {
        p { (words) "." }
        p.muted {
            (capital(report.phase.word())) " \u{b7} " (report.entrants.len()) " entrants \u{b7} " (report.blocks.len()) " blocks \u{b7} "
            (matches) " matches"
            @if let Some(ended) = report.ended_ms { " \u{b7} " (moment(ended)) }
        }
        @if !report.message.is_empty() { p { (Name(&report.message)) } }
    }
}

/// What the tournament was made with.
pub(super) fn section(page: &Page<'_>) -> Section {
    let report = page.report;
    let absent_ones = report.entrants.iter().filter(|entry| entry.state != EntryState::Entered);
    let absent_ones: Vec<_> = absent_ones.collect();
    let body = html! {
        dl {
            dt { "Tournament" } dd { code { (report.id) } }
            dt { "Made" } dd { (moment(report.created_ms)) }
            @if let Some(started) = report.started_ms { dt { "Started" } dd { (moment(started)) } }
            @if let Some(ended) = report.ended_ms { dt { "Ended" } dd { (moment(ended)) } }
            dt { "Commitment" } dd { code { (hex(&report.commitment)) } }
            dt { "Seed" }
            dd { @match report.seed { Some(seed) => code { (hex(&seed)) }, None => "secret until the tournament is over" } }
            @if let Some(rules) = report.rules.last() { dt { "Rules" } dd { code { (rules.text) } } }
            @if !absent_ones.is_empty() {
                dt { "Not taking part" }
                dd {
                    @for (index, entry) in absent_ones.iter().enumerate() {
                        @if index > 0 { ", " }
                        (Name(&entry.name)) " (" (entry.state.word()) ")"
                    }
                }
            }
        }
        p.note {
            "A block is one deal, played in several seatings; it is the unit of all figures, and intervals are over blocks. All of \
             them can be recomputed from the JSON export."
        }
    };
    Section { id: "facts", title: "Facts", body }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

use std::collections::HashMap;

use maud::{Markup, html};

use super::text::Name;
use super::{Page, Section, wide};
use crate::report::{PlayedBlock, PlayedMatch};

/// The most matches that are listed.
const MOST_MATCHES: usize = 400;

/// The matches with their records.
pub(super) fn section(page: &Page<'_>, records: Option<&str>) -> Option<Section> {
    let report = page.report;
    let all: usize = report.blocks.iter().map(|block| block.matches.len()).sum();
    if report.blocks.is_empty() {
        return None;
    }
    let names: HashMap<u32, &str> =
        report.entrants.iter().map(|entry| (entry.number, entry.name.as_str())).collect();
    let lines = report.blocks.iter().flat_map(|block| block.matches.iter().map(move |game| (block, game)));
    let lines: Vec<(&PlayedBlock, &PlayedMatch)> = lines.take(MOST_MATCHES).collect();
    let table = html! {
        table {
            caption { "Entrants and points by seat" }
            thead {
                tr {
                    th scope="col" { "Block" }
                    th scope="col" { "Stage" }
                    th.name scope="col" { "Match" }
                    th.name scope="col" { "Seats" }
                }
            }
            tbody {
                @for (block, game) in &lines {
                    tr {
                        td { (block.number) @if !report.counts(block.number) { span.muted title="does not count" { "\u{2020}" } } }
                        td { (block.stage) }
                        td.id { (record(&game.id, records)) }
                        td.seats {
                            @for (index, seat) in game.seats.iter().enumerate() {
                                @if index > 0 { span.muted { " \u{b7} " } }
                                @let name = Name(names.get(&seat.entrant).copied().unwrap_or_default());
                                @if seat.place == 1 { u { (name) } } @else { (name) }
                                " " (seat.points)
                            }
                        }
                    }
                }
            }
        }
    };
    let absent: Vec<&PlayedBlock> = report.blocks.iter().filter(|block| !block.absent.is_empty()).collect();
    let body = html! {
        @if !lines.is_empty() {
            details {
                summary { (all) " matches" @if all > MOST_MATCHES { ", the first " (MOST_MATCHES) " of them" } }
                p.note { "Entrants and points by seat. Winners are underlined." }
                (wide("Matches", &table))
                @if !report.blocks.iter().all(|block| report.counts(block.number)) {
                    p.note { "\u{2020} Played beyond the end of the test: it does not count." }
                }
            }
        }
        @if !absent.is_empty() {
            p.note {
                "Not played, because entrants were absent: "
                @if absent.len() == 1 { "block " } @else { (absent.len()) " blocks, " }
                @for (index, block) in absent.iter().take(20).enumerate() { @if index > 0 { ", " } (block.number) }
                @if absent.len() > 20 { " and so on" } "."
            }
        }
    };
    Some(Section { id: "matches", title: "Matches", body })
}

fn record(id: &str, base: Option<&str>) -> Markup {
    html! {
        @match base {
            Some(base) => a href={ (base) (id) } { code { (id) } },
            None => code { (id) },
        }
    }
}

use std::collections::HashMap;

use maud::{Markup, html};

use super::text::{Name, duration, visible};
use super::{Page, Section, wide};
use crate::report::{Conduct, Entry};

/// What everybody did wrong, and the time that it took.
pub(super) fn section(page: &Page<'_>) -> Option<Section> {
    let conduct: HashMap<u32, Conduct> = page.report.conduct().iter().map(|it| (it.entrant, *it)).collect();
    let lines: Vec<(&Entry, Conduct)> =
        in_order(page).into_iter().filter_map(|entry| Some((entry, *conduct.get(&entry.number)?))).collect();
    let lines: Vec<_> = lines.into_iter().filter(|(_, it)| it.seats > 0 || it.faults() > 0).collect();
    if lines.is_empty() {
        return None;
    }
    let faults: u32 = lines.iter().map(|(_, conduct)| conduct.faults()).fold(0, u32::saturating_add);
    let table = html! {
        table.sticky {
            caption { "Faults and time of each entrant" }
            thead {
                tr {
                    th.name scope="col" { "Entrant" }
                    @for head in ["Late", "Gone", "Illegal", "Strikes", "Out", "Absent"] { th scope="col" { (head) } }
                    th scope="col" { "Time in all" }
                    th scope="col" { "A match" }
                    th scope="col" { "Longest" }
                }
            }
            tbody {
                @for (entry, it) in &lines {
                    tr {
                        th.name scope="row" title=(visible(&entry.name)) { (Name(&entry.name)) }
                        @for count in [it.late, it.gone, it.illegal, it.strikes, it.out, it.absent] { (cell(count)) }
                        td { (duration(it.think_ms)) }
                        td { (duration(it.think_ms / u64::from(it.seats.max(1)))) }
                        td { (duration(it.longest_match_ms)) }
                    }
                }
            }
        }
    };
    let body = html! {
        @if faults == 0 { p { "No faults." } }
        p.note {
            "Late: not answered in time. Gone: no stream had the decision. Out: taken out of a match. Absent: did not come to a \
             block."
        }
        (wide("Clocks and faults", &table))
    };
    Some(Section { id: "conduct", title: "Clocks and faults", body })
}

/// The entrants as in the standings, then those that are not in them.
fn in_order<'a>(page: &Page<'a>) -> Vec<&'a Entry> {
    let ranked = page.figures().map(|figures| page.rows(figures).map(|(_, entry)| entry));
    let mut all: Vec<&Entry> = ranked.into_iter().flatten().collect();
    let seen: std::collections::HashSet<u32> = all.iter().map(|entry| entry.number).collect();
    all.extend(page.report.entrants.iter().filter(|entry| !seen.contains(&entry.number)));
    all
}

fn cell(count: u32) -> Markup {
    html! { @if count == 0 { td.zero-count { "0" } } @else { td.fault { (count) } } }
}

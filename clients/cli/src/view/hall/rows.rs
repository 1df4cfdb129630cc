use chickenfoot_protocol::v1;

use crate::text::{clean, columns, fit};
use crate::tournament::{ab_rows, signed_interval};

/// Columns of the widest bar of an interval.
const BAR: usize = 25;

/// Columns that a name has at most.
const NAME: usize = 24;

/// A line of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) text: String,
    /// Whether it heads what follows.
    pub(super) head: bool,
    /// The running match that it is of.
    pub(super) game: Option<String>,
}

/// All lines of a tournament, but for its head and its foot.
pub(super) struct Rows<'a> {
    pub(super) now: Option<&'a v1::WatchTournamentResponse>,
    pub(super) running: &'a [v1::Match],
    pub(super) width: usize,
    /// The full and the empty part of a bar.
    pub(super) bar: [char; 2],
}

impl Rows<'_> {
    /// The lines: how many there are, and of what, does not depend on the width.
    pub(super) fn all(&self) -> Vec<Row> {
        let Some(now) = self.now else { return Vec::new() };
        let mut rows = Vec::new();
        self.standings(&now.standings, &mut rows);
        if let Some(ab) = &now.ab {
            let mut lines = ab_rows(ab).into_iter();
            rows.extend(lines.next().map(head));
            rows.extend(lines.map(plain));
        }
        if !self.running.is_empty() {
            let progress = now.tournament.as_ref().and_then(|it| it.progress).unwrap_or_default();
            // The list has the newest alone.
            let (shown, all) = (self.running.len(), progress.running_matches as usize);
            let more = if all > shown { format!(" of {all}") } else { String::new() };
            rows.push(head(format!("running matches: {shown}{more}")));
            rows.extend(self.running.iter().map(game));
        }
        let faulty: Vec<String> = now.standings.iter().filter_map(faults).collect();
        if !faulty.is_empty() {
            rows.push(head("faults".to_owned()));
            rows.extend(faulty.into_iter().map(plain));
        }
        rows
    }

    fn standings(&self, standings: &[v1::Standing], rows: &mut Vec<Row>) {
        let names = standings.iter().map(|it| columns(&clean(&it.name)));
        let widest = names.max().unwrap_or(0).clamp(4, NAME);
        let margins: Vec<String> = standings.iter().map(|it| signed_interval(margin(it))).collect();
        let margin_width = margins.iter().map(|text| columns(text)).max().unwrap_or(0).max(6);
        // The interval in numbers goes first, then the bar, then the rest.
        let fixed = 4 + 2 + 1 + margin_width;
        let name = widest.min(self.width.saturating_sub(fixed).max(8));
        let left = self.width.saturating_sub(fixed + name + 2);
        let bar = if left >= 8 { left.min(BAR) } else { 0 };
        let more = left.saturating_sub(bar + 2) >= 20;
        let tail = |blocks: &str, faults: &str, rest: &str| match more {
            true => format!("  {blocks:>6} {faults:>6}{rest}"),
            false => String::new(),
        };
        let gap = if bar > 0 { "  " } else { "" };
        let title = format!("rank  {} {}", fit("name", name), fit("margin", margin_width));
        let range = range(standings);
        let limits = range.map_or_else(String::new, |[low, high]| ends(low, high, bar));
        rows.push(head(format!("{title}{gap}{}{}", fit(&limits, bar), tail("blocks", "faults", ""))));
        for (it, margin_text) in standings.iter().zip(&margins) {
            let drawn = match range {
                Some(range) => drawn(margin(it), range, bar, self.bar),
                None => " ".repeat(bar),
            };
            let count = crate::tournament::fault_count(it.conduct.as_ref());
            let lot = if it.by_lot { "  by lot" } else { "" };
            rows.push(plain(format!(
                "{:>4}  {} {}{gap}{drawn}{}",
                it.rank,
                fit(&clean(&it.name), name),
                fit(margin_text, margin_width),
                tail(&it.blocks.to_string(), &count.to_string(), lot)
            )));
        }
    }
}

fn head(text: String) -> Row {
    Row { text, head: true, game: None }
}

fn plain(text: String) -> Row {
    Row { text, ..Row::default() }
}

fn game(it: &v1::Match) -> Row {
    let seats: Vec<String> = it.seats.iter().map(|seat| format!("{} {}", seat.name, seat.total)).collect();
    let id = it.id.get(..8).unwrap_or(&it.id);
    let text = format!("{id}  round {:>2}  {}", it.round, seats.join(", "));
    Row { text, head: false, game: Some(it.id.clone()) }
}

/// What an entrant did wrong; `None` if nothing.
fn faults(it: &v1::Standing) -> Option<String> {
    let conduct = it.conduct?;
    let counts = [
        (conduct.late, "late"),
        (conduct.gone, "gone"),
        (conduct.illegal, "illegal"),
        (conduct.strikes, if conduct.strikes == 1 { "strike" } else { "strikes" }),
        (conduct.out, "taken out"),
        (conduct.absent, "absent"),
    ];
    let told: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    (!told.is_empty()).then(|| format!("{}: {}", clean(&it.name), told.join(", ")))
}

/// The margin with the interval that may be looked at after every block.
fn margin(it: &v1::Standing) -> Option<&v1::Interval> {
    it.live_margin.as_ref().or(it.margin.as_ref())
}

/// What the bars reach over: all intervals, and 0. None without an estimate.
fn range(standings: &[v1::Standing]) -> Option<[f64; 2]> {
    let reach =
        |it: &v1::Interval| [it.low.unwrap_or(it.estimate), it.estimate, it.high.unwrap_or(it.estimate)];
    let numbers = standings.iter().filter_map(margin).flat_map(reach).filter(|number| number.is_finite());
    let range = numbers.fold([0.0_f64; 2], |[low, high], number| [low.min(number), high.max(number)]);
    (range[0] < range[1]).then_some(range)
}

/// The ends of the range, where a bar is as wide as them.
fn ends(low: f64, high: f64, width: usize) -> String {
    let (low, high) = (format!("{low:+.0}"), format!("{high:+.0}"));
    match width.checked_sub(columns(&low) + columns(&high)) {
        Some(gap) if gap > 0 => format!("{low}{}{high}", " ".repeat(gap)),
        _ => String::new(),
    }
}

/// An interval as a bar of characters: `o` the estimate, `|` where 0 is.
fn drawn(
    interval: Option<&v1::Interval>,
    [low, high]: [f64; 2],
    width: usize,
    [full, empty]: [char; 2],
) -> String {
    let Some(last) = width.checked_sub(1) else { return String::new() };
    // Within the range by its making; `as` saturates, so that no number does harm.
    let place = |number: f64| (((number - low) / (high - low) * last as f64).round() as usize).min(last);
    let mut cells = vec![empty; width];
    cells[place(0.0)] = '|';
    if let Some(it) = interval {
        if let (Some(low), Some(high)) = (it.low, it.high) {
            let (from, to) = (place(low), place(high));
            cells[from.min(to)..=to].fill(full);
        }
        cells[place(it.estimate)] = 'o';
    }
    cells.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, estimate: f64, high: f64) -> v1::Interval {
        v1::Interval { estimate, low: Some(low), high: Some(high) }
    }

    #[test]
    fn an_interval_is_drawn_to_scale() {
        let bar = |it| drawn(Some(&it), [-10.0, 10.0], 21, ['#', '.']);
        assert_eq!(bar(interval(-4.0, 0.0, 2.0)), "......####o##........");
        assert_eq!(bar(interval(3.0, 5.0, 10.0)), "..........|..##o#####");
        assert_eq!(drawn(None, [-10.0, 10.0], 5, ['#', '.']), "..|..");
        assert_eq!(drawn(Some(&interval(0.0, 0.0, 0.0)), [-1.0, 1.0], 0, ['#', '.']), "");
    }

    #[test]
    fn numbers_that_are_none_do_no_harm() {
        let odd = interval(f64::NAN, f64::INFINITY, f64::NEG_INFINITY);
        assert_eq!(columns(&drawn(Some(&odd), [-1.0, 1.0], 9, ['#', '.'])), 9);
    }
}

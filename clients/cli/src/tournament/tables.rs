//! Standings, pairings and A/B tests as text, a line each; the first line of a table is its heading.

use std::collections::HashMap;

use chickenfoot_protocol::v1;

use super::words;

/// Widest matrix of pairings; beyond that the pairs are listed.
const MATRIX: usize = 16;

/// The column of the standings that not every format fills.
const SCORE: usize = 10;

/// The standings, by rank.
pub(crate) fn standings(standings: &[v1::Standing]) -> Vec<String> {
    let mut rows = vec![
        ["rank", "name", "blocks", "margin", "", "firsts", "place", "strength", "", "faults", "score", ""]
            .map(str::to_owned),
    ];
    rows.extend(standings.iter().map(|it| {
        let strength = it.strength.as_ref();
        [
            it.rank.to_string(),
            it.name.clone(),
            it.blocks.to_string(),
            estimate(it.margin.as_ref(), signed),
            bounds(it.margin.as_ref(), signed),
            estimate(it.first_share.as_ref(), percent),
            format!("{:.2}", it.mean_place),
            estimate(strength, whole),
            bounds(strength, whole),
            words::faults(it.conduct.as_ref()).to_string(),
            format!("{:.2}", it.score),
            if it.by_lot { "by lot" } else { "" }.to_owned(),
        ]
    }));
    if standings.iter().all(|it| it.score == 0.0) {
        // The format has none.
        rows.iter_mut().for_each(|row| row[SCORE].clear());
    }
    align(&rows, |column| matches!(column, 1 | 4 | 8 | 11))
}

/// How entrants did against each other: in how many of a hundred matches the one of the row places before the one of the
/// column, whose name is that of the row with the same rank.
pub(crate) fn pairings(standings: &[v1::Standing], pairings: &[v1::Pairing]) -> Vec<String> {
    if standings.len() > MATRIX { list(standings, pairings) } else { matrix(standings, pairings) }
}

fn matrix(standings: &[v1::Standing], pairings: &[v1::Pairing]) -> Vec<String> {
    let mut chances = HashMap::new();
    for it in pairings {
        if let Some(chance) = &it.superiority {
            chances.insert((it.entrant, it.opponent), chance.estimate);
            chances.insert((it.opponent, it.entrant), 1.0 - chance.estimate);
        }
    }
    // Columns are told by their position, because ranks may be shared.
    let mut head = vec![String::new(), "before, %".to_owned()];
    head.extend((1..=standings.len()).map(|position| position.to_string()));
    let mut rows = vec![head];
    for (position, row) in (1..).zip(standings) {
        let mut cells = vec![position.to_string(), row.name.clone()];
        cells.extend(standings.iter().map(|column| match chances.get(&(row.entrant, column.entrant)) {
            Some(chance) => format!("{:.0}", chance * 100.0),
            None if row.entrant == column.entrant => "-".to_owned(),
            None => ".".to_owned(),
        }));
        rows.push(cells);
    }
    align(&rows, |column| column == 1)
}

fn list(standings: &[v1::Standing], pairings: &[v1::Pairing]) -> Vec<String> {
    let names: HashMap<u32, &str> = standings.iter().map(|it| (it.entrant, it.name.as_str())).collect();
    let name = |number| names.get(&number).copied().unwrap_or("?").to_owned();
    let mut rows = vec![["entrant", "opponent", "matches", "before", ""].map(str::to_owned)];
    rows.extend(pairings.iter().map(|it| {
        let before = it.superiority.as_ref();
        [
            name(it.entrant),
            name(it.opponent),
            it.matches.to_string(),
            estimate(before, percent),
            bounds(before, percent),
        ]
    }));
    align(&rows, |column| matches!(column, 0 | 1 | 4))
}

/// How an A/B test stands.
pub(crate) fn ab(ab: &v1::AbStanding) -> Vec<String> {
    vec![
        format!("A/B test: {} after {} blocks", verdict(ab.verdict()), ab.blocks),
        format!(
            "likelihood  {:+.2}; not better at {:+.2}, better at {:+.2}",
            ab.llr, ab.lower_bound, ab.upper_bound
        ),
        format!("margin      {} pips a match", signed_interval(ab.margin.as_ref())),
        format!("normalised  {} deviations of a block", signed_interval(ab.normalised.as_ref())),
    ]
}

fn verdict(verdict: v1::AbVerdict) -> &'static str {
    match verdict {
        v1::AbVerdict::Unspecified => "nothing is decided",
        v1::AbVerdict::Better => "the candidate is better",
        v1::AbVerdict::NotBetter => "the candidate is not better",
        v1::AbVerdict::Undecided => "undecided",
    }
}

/// An estimate and its interval, as far as there is one, both with their sign.
pub(crate) fn signed_interval(interval: Option<&v1::Interval>) -> String {
    format!("{} {}", estimate(interval, signed), bounds(interval, signed)).trim_end().to_owned()
}

fn estimate(interval: Option<&v1::Interval>, text: fn(f64) -> String) -> String {
    interval.map_or_else(|| "-".to_owned(), |it| text(it.estimate))
}

/// Empty if there is no interval.
fn bounds(interval: Option<&v1::Interval>, text: fn(f64) -> String) -> String {
    let bounds = interval.and_then(|it| Some((text(it.low?), text(it.high?))));
    bounds.map(|(low, high)| format!("[{low}, {high}]")).unwrap_or_default()
}

fn signed(number: f64) -> String {
    format!("{number:+.2}")
}

fn whole(number: f64) -> String {
    format!("{number:.0}")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Columns two spaces apart, numbers to the right.
fn align<R: AsRef<[String]>>(rows: &[R], left: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let width = |column| {
        let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
        cells.map(|cell: &String| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &R| {
        let mut line = String::new();
        for (column, (cell, width)) in row.as_ref().iter().zip(&widths).enumerate() {
            if *width == 0 {
                continue;
            }
            line += if column == 0 { "" } else { "  " };
            line += &if left(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(estimate: f64, bounds: Option<(f64, f64)>) -> Option<v1::Interval> {
        Some(v1::Interval { estimate, low: bounds.map(|(low, _)| low), high: bounds.map(|(_, high)| high) })
    }

    fn standing(rank: u32, entrant: u32, name: &str) -> v1::Standing {
        v1::Standing {
            rank,
            entrant,
            name: name.to_owned(),
            blocks: 12,
            margin: interval(5.214, Some((-1.25, 9.1))),
            first_share: interval(0.458, None),
            mean_place: 1.917,
            strength: interval(1585.4, Some((1490.0, 1640.6))),
            conduct: Some(v1::Conduct {
                late: 1,
                gone: 2,
                illegal: 3,
                strikes: 50,
                out: 4,
                absent: 5,
                ..v1::Conduct::default()
            }),
            ..v1::Standing::default()
        }
    }

    #[test]
    fn standings_are_a_table_with_intervals_where_there_are_any() {
        let mut second = standing(2, 0, "dead-foot");
        second.margin = interval(-5.2, None);
        second.strength = None;
        second.conduct = None;
        second.by_lot = true;
        assert_eq!(
            standings(&[standing(1, 1, "grüßer"), second]),
            [
                "rank  name       blocks  margin                  firsts  place  strength                faults",
                "   1  grüßer         12   +5.21  [-1.25, +9.10]  45.8 %   1.92      1585  [1490, 1641]      15",
                "   2  dead-foot      12   -5.20                  45.8 %   1.92         -                     0  by lot",
            ]
        );
    }

    #[test]
    fn the_score_of_a_format_that_has_one_is_told() {
        let mut first = standing(1, 1, "a");
        first.score = 1.5;
        let rows = standings(&[first, standing(2, 0, "b")]);
        let ends: Vec<&str> = rows.iter().map(|row| &row[row.len() - 13..]).collect();
        assert_eq!(ends, ["faults  score", "    15   1.50", "    15   0.00"]);
    }

    #[test]
    fn each_pair_stands_in_the_matrix_from_both_sides() {
        let field = [standing(1, 7, "a"), standing(2, 3, "b"), standing(2, 5, "c")];
        let pairs = [
            v1::Pairing {
                entrant: 3,
                opponent: 7,
                superiority: interval(0.25, None),
                ..v1::Pairing::default()
            },
            v1::Pairing {
                entrant: 7,
                opponent: 5,
                superiority: interval(1.0, None),
                ..v1::Pairing::default()
            },
        ];
        assert_eq!(
            pairings(&field, &pairs),
            [
                "   before, %   1   2    3",
                "1  a           -  75  100",
                "2  b          25   -    .",
                "3  c           0   .    -",
            ]
        );
    }

    #[test]
    fn a_large_field_is_listed_by_pairs() {
        let field: Vec<v1::Standing> = (0..17).map(|n| standing(n + 1, n, &format!("bot{n}"))).collect();
        let pair = v1::Pairing {
            entrant: 2,
            opponent: 16,
            matches: 9,
            superiority: interval(0.25, Some((0.1, 0.5))),
            ..v1::Pairing::default()
        };
        assert_eq!(
            pairings(&field, &[pair]),
            ["entrant  opponent  matches  before", "bot2     bot16           9  25.0 %  [10.0 %, 50.0 %]",]
        );
    }

    #[test]
    fn an_ab_test_tells_ratio_bounds_and_estimates() {
        let test = v1::AbStanding {
            blocks: 34,
            llr: 3.001,
            lower_bound: -2.944,
            upper_bound: 2.944,
            verdict: v1::AbVerdict::Better.into(),
            margin: interval(4.0, Some((1.0, 7.0))),
            normalised: interval(0.6, None),
        };
        assert_eq!(
            ab(&test),
            [
                "A/B test: the candidate is better after 34 blocks",
                "likelihood  +3.00; not better at -2.94, better at +2.94",
                "margin      +4.00 [+1.00, +7.00] pips a match",
                "normalised  +0.60 deviations of a block",
            ]
        );
    }

    #[test]
    fn counts_beyond_all_bounds_do_no_harm() {
        let conduct = v1::Conduct { late: u32::MAX, out: 1, ..v1::Conduct::default() };
        let line = &standings(&[v1::Standing { conduct: Some(conduct), ..standing(1, 0, "x") }])[1];
        assert!(line.ends_with(" 4294967295"), "{line}");
    }
}

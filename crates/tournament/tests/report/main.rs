//! What reports hold for, whatever is in them.

#![allow(clippy::unwrap_used, missing_docs)]

mod page;
mod simulated;

use chickenfoot_tournament::report::{
    AbTables, FormatInfo, Phase, PlayedBlock, PlayedMatch, Report, VARYING, csv, html, json,
};
use chickenfoot_tournament::statistics::{AbPlan, AbReport, Effect, Results, Verdict};
use chickenfoot_tournament::{BlockResult, EntrantId, Game};
use serde_json::Value;
use simulated::{Simulation, ab_test};

const NASTY: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"quoted\" & 'single'",
    "=HYPERLINK(\"http://x\",\"y\")",
    "two\nlines\rand\u{0}nothing",
    "\u{202e}backwards,comma",
    "]]></style><!--",
];

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("bot-{number}")).collect()
}

fn gauntlet(names: Vec<String>, circumstances: u64) -> Report {
    let format = FormatInfo::Gauntlet { candidate: names[0].clone(), blocks: 30 };
    let spread = 40.0;
    Simulation { format, names, table: 3, spread, seed: 5, circumstances, most_blocks: usize::MAX }
        .report()
        .unwrap()
}

fn nasty() -> Report {
    let mut report = gauntlet(NASTY.map(str::to_owned).to_vec(), 1);
    report.title = NASTY.concat();
    report.message = NASTY.concat();
    report.entrants[1].house = Some("</bdi><b>".to_owned());
    report
}

fn ab(tables: AbTables, entrants: usize) -> Report {
    let names = names(entrants);
    let format = ab_test(&names[0], &names[1], tables);
    let table = if entrants == 2 { 2 } else { 3 };
    Simulation { format, names, table, spread: 40.0, seed: 9, circumstances: 1, most_blocks: usize::MAX }
        .report()
        .unwrap()
}

/// An A/B test that was decided while another block was under way.
fn decided() -> Report {
    let mut report = ab(AbTables::Shared, 3);
    let last = report.blocks.last().unwrap();
    let number = report.figures.as_ref().unwrap().ab.as_ref().unwrap().decided_at.unwrap() + 1;
    let late = PlayedBlock { number, ..last.clone() };
    report.blocks.retain(|block| block.number < number);
    report.blocks.push(late);
    report
}

fn value(report: &Report) -> Value {
    serde_json::from_str(&json(report)).unwrap()
}

/// The lines of a file without the sections that vary. Every key at the top starts a line.
fn without_varying(file: &str) -> String {
    let mut keeps = true;
    let mut kept = String::new();
    for line in file.lines() {
        if let Some((key, _)) = line.strip_prefix('"').and_then(|line| line.split_once("\": ")) {
            keeps = !VARYING.contains(&key);
        }
        if keeps {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn two_runs_that_differ_in_ids_times_and_speed_have_the_same_json_apart_from_what_varies() {
    let mut other = gauntlet(names(5), 2);
    other.phase = Phase::Paused;
    other.message = "a pause".to_owned();
    let (one, other) = (json(&gauntlet(names(5), 1)), json(&other));
    assert_ne!(one, other);
    assert_eq!(without_varying(&one), without_varying(&other));
    for section in ["\"entrants\"", "\"blocks\"", "\"standings\"", "\"pairings\"", "\"strengths\"", "\"ab\""]
    {
        assert!(without_varying(&one).contains(section), "{section}");
    }
}

#[test]
fn a_block_beyond_the_end_of_an_ab_test_leaves_everything_as_it_was_apart_from_what_varies() {
    let with = decided();
    let mut without = with.clone();
    without.blocks.pop();
    assert_eq!(without_varying(&json(&with)), without_varying(&json(&without)));
    assert_eq!(value(&with)["surplus"].as_array().unwrap().len(), 1);
    assert_eq!(value(&without)["surplus"].as_array().unwrap().len(), 0);
    assert_eq!(csv(&with).lines().filter(|line| line.split(',').nth(4) == Some("false")).count(), 3 * 6);
    assert!(html(&with, None).contains("beyond the end of the test"));
    assert!(!html(&without, None).contains("beyond the end of the test"));
}

#[test]
fn json_names_its_form_first_and_reads_back_as_what_was_written() {
    let report = nasty();
    let file = json(&report);
    assert!(file.starts_with("{\n\"format\": {\"name\":\"chickenfoot-tournament-report\",\"version\":1},\n"));
    let value = value(&report);
    let figures = report.figures.as_ref().unwrap();
    assert_eq!(value["varying"], serde_json::json!(VARYING));
    for (entry, read) in report.entrants.iter().zip(value["entrants"].as_array().unwrap()) {
        assert_eq!(read["name"], entry.name.as_str());
        assert_eq!(read["house"].as_str(), entry.house.as_deref());
    }
    for (row, read) in figures.standings.rows.iter().zip(value["standings"].as_array().unwrap()) {
        assert_eq!(read["entrant"], row.entrant.0);
        assert_eq!(read["margin"]["estimate"].as_f64(), row.margin.map(|margin| margin.value));
        let low = row.margin.and_then(|margin| margin.interval).map(|interval| interval.low);
        assert_eq!(read["margin"]["low"].as_f64(), low);
        assert_eq!(read["points"].as_u64(), Some(row.points));
    }
    for (block, read) in report.blocks.iter().zip(value["blocks"].as_array().unwrap()) {
        for (game, read) in block.matches.iter().zip(read["matches"].as_array().unwrap()) {
            let points: Vec<u64> =
                read["seats"].as_array().unwrap().iter().filter_map(|seat| seat["points"].as_u64()).collect();
            assert_eq!(points, game.seats.iter().map(|seat| u64::from(seat.points)).collect::<Vec<_>>());
        }
    }
    let records = value["records"].as_array().unwrap();
    assert_eq!(records.len(), report.blocks.len());
    assert_eq!(records[0]["matches"][0]["id"], report.blocks[0].matches[0].id.as_str());
    assert_eq!(value["pairings"].as_array().unwrap().len(), figures.pairwise.pairs().len());
}

#[test]
fn scores_are_those_of_the_format() {
    let mut report = gauntlet(names(3), 1);
    let has_scores = |page: &str| page.contains(">Score</th>");
    assert!(value(&report)["standings"][0]["score"].is_null() && !has_scores(&html(&report, None)));
    let figures = report.figures.as_mut().unwrap();
    figures.scores = Some(vec![1.25, 2.5, 0.75]);
    let first = figures.standings.rows[0].entrant.index();
    let wanted = [1.25, 2.5, 0.75][first];
    assert_eq!(value(&report)["standings"][0]["score"].as_f64(), Some(wanted));
    assert!(has_scores(&html(&report, None)));
}

#[test]
fn numbers_that_are_not_finite_are_null() {
    let mut report = ab(AbTables::Halves, 2);
    report.figures.as_mut().unwrap().ab.as_mut().unwrap().log_likelihood_ratio = f64::INFINITY;
    assert!(value(&report)["ab"]["log_likelihood_ratio"].is_null());
    page::check(&html(&report, None));
}

#[test]
fn csv_has_a_line_for_each_seat_and_reads_back() {
    let report = nasty();
    let rows = parse_csv(&csv(&report));
    let seats = |block: &PlayedBlock| block.matches.iter().map(|game| game.seats.len()).sum::<usize>();
    assert_eq!(rows.len(), 1 + report.blocks.iter().map(seats).sum::<usize>());
    let column = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
    let (name, points, id) = (column("name"), column("points"), column("match_id"));
    let played = report.blocks.iter().flat_map(|block| &block.matches);
    let seats = played.flat_map(|game| game.seats.iter().map(|seat| (game.id.as_str(), seat)));
    for (row, (game, seat)) in rows[1..].iter().zip(seats) {
        assert_eq!(row.len(), rows[0].len());
        assert_eq!(row[points], seat.points.to_string());
        assert_eq!(row[id], game);
        let wanted = NASTY[seat.entrant as usize];
        let wanted = if wanted.starts_with('=') { format!("'{wanted}") } else { wanted.to_owned() };
        assert_eq!(row[name], wanted);
    }
}

#[test]
fn no_field_of_csv_is_a_formula() {
    let names = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "plain"].map(str::to_owned).to_vec();
    let rows = parse_csv(&csv(&gauntlet(names, 1)));
    let fields = rows.iter().flatten();
    assert!(fields.clone().any(|field| field == "plain"));
    assert_eq!(fields.filter(|field| field.starts_with(['=', '+', '-', '@', '\t', '\r'])).count(), 0);
}

#[test]
fn pages_are_well_formed_and_ask_for_nothing() {
    let mut open = gauntlet(names(3), 1);
    (open.figures, open.phase) = (None, Phase::Open);
    open.blocks.clear();
    let mut empty = open.clone();
    empty.entrants.clear();
    let reports = [
        gauntlet(names(5), 1),
        nasty(),
        ab(AbTables::Shared, 3),
        ab(AbTables::Halves, 2),
        decided(),
        open,
        empty,
    ];
    for report in &reports {
        for base in [None, Some("record/")] {
            page::check(&html(report, base));
        }
    }
}

#[test]
fn names_are_shown_as_text() {
    let page = html(&nasty(), None);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("&quot;quoted&quot; &amp; 'single'"));
    assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains("<!--"));
    assert!(!page.contains(['\u{0}', '\r', '\u{202e}']));
    assert!(page.contains("\u{fffd}backwards,comma"));
}

#[test]
fn records_are_linked_where_a_base_is_given() {
    let report = gauntlet(names(3), 1);
    let id = &report.blocks[0].matches[0].id;
    assert!(html(&report, Some("record/?a&id=")).contains(&format!("<a href=\"record/?a&amp;id={id}\">")));
    let page = html(&report, None);
    assert!(
        page.contains(id.as_str()) && !page.contains(&format!("={id}")) && !page.contains(&format!("/{id}"))
    );
}

#[test]
fn a_page_of_many_entrants_is_cut_short_and_says_so() {
    let cells = |page: &str| page.matches("won, ").count();
    let few = html(&gauntlet(names(40), 1), None);
    assert!(!few.contains("the best 40 are shown"));
    let many = gauntlet(names(60), 1);
    let page = html(&many, None);
    assert!(page.contains("Of 60 entrants, the best 40 are shown."));
    assert!(page.matches("<polyline").count() <= 40);
    assert!(cells(&page) <= 40 * 39);
    let standings = page.split("id=\"standings\"").nth(1).and_then(|rest| rest.split("</table>").next());
    assert_eq!(standings.unwrap().matches("<tr>").count(), 61);
}

#[test]
fn the_verdict_of_an_ab_test_is_in_words() {
    let report = ab(AbTables::Shared, 3);
    assert_eq!(report.figures.as_ref().unwrap().ab.as_ref().unwrap().verdict, Verdict::Better);
    let page = html(&report, None);
    assert!(page.contains("The candidate is better: "));
    assert!(page.contains("Log-likelihood ratio up to each block"));
}

#[test]
fn the_path_of_a_test_ends_where_the_test_stands() {
    let report = decided();
    let ab = report.figures.as_ref().unwrap().ab.as_ref().unwrap();
    let results: Vec<BlockResult> = report.blocks.iter().map(result).collect();
    let results = Results::new(3, &results).unwrap();
    let plan = AbPlan::new(Effect::StandardDeviations(0.3), 0.05, 0.05, 8, 400).unwrap();
    let path = AbReport::path(&plan, &results, EntrantId(0), EntrantId(1));
    assert_eq!(path.last(), Some(&(ab.decided_at.unwrap(), ab.log_likelihood_ratio)));
    assert_eq!(path.len(), ab.blocks as usize);
    assert!(html(&report, None).contains(&format!("After {} blocks it is", ab.blocks)));
}

fn result(block: &PlayedBlock) -> BlockResult {
    let game = |game: &PlayedMatch| Game {
        seating: game.seats.iter().map(|seat| EntrantId(seat.entrant)).collect(),
        points: game.seats.iter().map(|seat| seat.points).collect(),
        places: game.seats.iter().map(|seat| seat.place).collect(),
        clean_rounds: game.seats.iter().map(|seat| seat.clean_rounds).collect(),
        lowest_round: game.seats.iter().map(|seat| seat.lowest_round).collect(),
    };
    let absent = block.absent.iter().map(|number| EntrantId(*number)).collect();
    BlockResult { number: block.number, absent, games: block.matches.iter().map(game).collect() }
}

#[test]
fn conduct_adds_up_what_seats_did() {
    let report = gauntlet(names(6), 1);
    let conduct = report.conduct();
    let seats = || report.blocks.iter().flat_map(|block| &block.matches).flat_map(|game| &game.seats);
    for it in &conduct {
        let own = || seats().filter(|seat| seat.entrant == it.entrant).map(|seat| &seat.ledger);
        assert_eq!(u64::from(it.late), own().map(|ledger| u64::from(ledger.late)).sum::<u64>());
        assert_eq!(it.think_ms, own().map(|ledger| ledger.think_ms).sum::<u64>());
        assert_eq!(it.longest_match_ms, own().map(|ledger| ledger.think_ms).max().unwrap());
        assert_eq!(it.out as usize, own().filter(|ledger| ledger.out.is_some()).count());
        let absences = report.blocks.iter().filter(|block| block.absent.contains(&it.entrant)).count();
        assert_eq!(it.absent as usize, absences);
    }
    assert!(conduct.iter().any(|it| it.late > 0) && conduct.iter().any(|it| it.absent > 0));
}

/// Reads fields as RFC 4180 says.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    assert!(!quoted && field.is_empty() && row.is_empty(), "the last line is cut short");
    rows
}

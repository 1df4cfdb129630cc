//! `chickenfoot replay` with the real binary: a page in one file, and lines in a pipe.

mod binary;

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use binary::{code, run, stderr, stdout};
use chickenfoot_bot::local::{LocalMatch, MakeBot, play};
use chickenfoot_bot::strategy_bots;
use chickenfoot_protocol::v1::{self, event::What as Happened, watch_match_response::What};
use chickenfoot_protocol::wire_event;
use chickenfoot_rules::{Preset, Record, RuleOptions, Seed, Viewer};
use flate2::read::GzDecoder;
use prost::Message;
use serde_json::{Value, json};

/// A match of two strategies, two rounds long.
fn record(names: [&str; 2]) -> Record {
    let rules = RuleOptions { rounds: Some(2), ..RuleOptions::new(Preset::Trains, 2) };
    let seat = |name: &str| {
        let mut make = strategy_bots("greedy", 1).expect("a strategy of that name");
        let make: MakeBot = Box::new(move |game| make(game));
        (name.to_owned(), make)
    };
    play(LocalMatch {
        rules: rules.resolve().expect("a preset fits"),
        seed: Seed::new([3; 32]),
        seats: names.into_iter().map(seat).collect(),
    })
    .expect("two seats for two players")
}

fn page(record: &Record) -> String {
    let output = run(&["replay", "-", "--html"], &record.to_json());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stdout(&output).to_owned()
}

/// The messages in a page: the match, and what a watch would say.
fn data(page: &str) -> (v1::Match, Vec<v1::WatchMatchResponse>) {
    let (_, rest) = page.split_once("id=\"replay\">").expect("a page has its data");
    let packed = STANDARD.decode(rest.split_once("</script>").expect("the data end").0).expect("base64");
    let mut data = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut data).expect("gzip");
    let mut data = &data[..];
    let about = v1::Match::decode_length_delimited(&mut data).expect("a match");
    let mut messages = Vec::new();
    while !data.is_empty() {
        messages.push(v1::WatchMatchResponse::decode_length_delimited(&mut data).expect("a message"));
    }
    (about, messages)
}

#[test]
fn a_page_holds_the_match_every_event_with_all_hands_and_every_scene() {
    let record = record(["ann", "bob"]);
    let (about, messages) = data(&page(&record));
    assert_eq!((about.id.as_str(), about.state()), ("local", v1::MatchState::Finished));
    assert_eq!((about.digest, about.seed), (record.digest.0.to_vec(), record.seed.0.to_vec()));
    let seats = about.seats.iter().map(|seat| (seat.name.as_str(), seat.total)).collect::<Vec<_>>();
    assert_eq!(seats, [("ann", record.totals[0]), ("bob", record.totals[1])]);
    let expected: Vec<v1::Event> = (1..)
        .zip(record.events())
        .map(|(seq, event)| wire_event(seq, &event.seen_by(Viewer::Afterwards)))
        .collect();
    assert_eq!(about.head_seq, expected.len() as u64);
    assert_eq!(messages.len(), 2 * expected.len());
    let mut outlined = 0;
    for (pair, expected) in messages.chunks(2).zip(&expected) {
        let (Some(What::Event(event)), Some(What::Scene(scene))) = (&pair[0].what, &pair[1].what) else {
            panic!("an event and its scene: {pair:?}");
        };
        assert_eq!(event, expected);
        assert_eq!(scene.seq, event.seq);
        match &event.what {
            Some(Happened::HandDealt(dealt)) => assert_eq!(dealt.tiles.len(), dealt.count as usize),
            Some(Happened::Played(_)) => assert!(!scene.laid.is_empty() && scene.outline.contains('*')),
            _ => {}
        }
        outlined += usize::from(!scene.outline.is_empty());
    }
    assert!(outlined > 20, "{outlined}");
}

#[test]
fn a_page_asks_for_nothing_else() {
    let page = page(&record(["ann", "bob"]));
    // What the page does is tested where it is made; this is what the document itself would fetch.
    let (head, rest) = page.split_once("<style>").expect("a style");
    let body = rest.split_once("</style>").expect("its end").1.split_once("<script").expect("a script").0;
    for outside in ["src=", "href=", "url(", "http:", "https:", "//"] {
        assert!(!head.contains(outside) && !body.contains(outside), "{outside}");
    }
    assert!(head.contains("default-src 'none'"), "{head}");
}

#[test]
fn a_name_can_neither_end_an_element_nor_begin_one() {
    let names = ["</script><script>alert(1)</script>", "</title><img src=x onerror=alert(1)>\u{202e}"];
    let record = record(names);
    let page = page(&record);
    assert!(
        !page.contains("alert(1)</script>") && !page.contains("<img src=x"),
        "a name stands in the page as it is"
    );
    let plain = self::record(["ann", "bob"]);
    let count = |page: &str| {
        (page.matches("<script").count(), page.matches("</script").count(), page.matches("<img").count())
    };
    assert_eq!(count(&page), count(&self::page(&plain)));
    assert!(page.contains("<title>&lt;/script&gt;&lt;script&gt;"), "the title tells the names as text");
    let (about, _) = data(&page);
    assert_eq!(about.seats[0].name, names[0], "the data hold them as they are");
}

#[test]
fn a_page_is_no_text_and_takes_no_options_of_one() {
    for option in ["--plain", "--ascii"] {
        let output = run(&["replay", "-", "--html", option], &record(["ann", "bob"]).to_json());
        assert_eq!((code(&output), stdout(&output)), (64, ""), "{option}");
        assert!(
            stderr(&output).contains("--html") && stderr(&output).contains(option),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_record_that_is_not_right_is_refused_unless_anything_will_do() {
    let mut record = record(["ann", "bob"]);
    record.totals[0] += 1;
    for args in [&["replay", "-", "--html"][..], &["replay", "-"], &["replay", "-", "--plain", "--ascii"]] {
        let output = run(args, &record.to_json());
        assert_eq!((code(&output), stdout(&output)), (1, ""), "{args:?}");
        let said = stderr(&output);
        assert!(said.starts_with("error: the record is not right: totals: "), "{said}");
        assert!(said.contains("--unverified"), "{said}");
        let output = run(&[args, &["--unverified"]].concat(), &record.to_json());
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        assert!(!stdout(&output).is_empty());
    }
    let output = run(&["replay", "-", "--json"], &record.to_json());
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!((&error["reason"], &error["metadata"]["place"]), (&json!("RECORD_FLAWED"), &json!("totals")));
}

#[test]
fn a_tile_without_a_place_is_shown_in_words_and_in_no_picture() {
    let mut record = record(["ann", "bob"]);
    let moves = &mut record.rounds[0].moves;
    let again = *moves.last().expect("a round has moves");
    moves.extend([again; 3]);
    let output = run(&["replay", "-", "--html", "--unverified"], &record.to_json());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let (about, messages) = data(stdout(&output));
    assert_eq!(messages.len() as u64, 2 * about.head_seq);
}

#[test]
fn a_page_goes_to_a_file_which_programs_are_told() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("match.html");
    let file = path.to_str().expect("a plain path");
    let text = record(["ann", "bob"]).to_json();
    let output = run(&["replay", "-", "--html", "-o", file, "--json"], &text);
    let told: Value = serde_json::from_str(stdout(&output)).expect("one JSON object");
    let page = std::fs::read_to_string(&path).expect("it was written");
    assert_eq!(told, json!({"file": file, "bytes": page.len()}));
    assert_eq!(code(&run(&["replay", "-", "--html", "--json"], &text)), 64);
    assert_eq!(code(&run(&["replay", "-", "-o", file], &text)), 64, "--output is for a page");
}

#[test]
fn in_a_pipe_a_replay_is_what_record_show_prints() {
    let text = record(["ann", "bob"]).to_json();
    for json in [&[][..], &["--json"]] {
        let replay = run(&[&["replay", "-"], json].concat(), &text);
        let show = run(&[&["record", "show", "-"], json].concat(), &text);
        assert_eq!((code(&replay), stdout(&replay)), (0, stdout(&show)));
    }
}

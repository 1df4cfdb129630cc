use chickenfoot_protocol::v1::entrant_spec::Who;
use chickenfoot_protocol::v1::tournament_config::Format;

use super::*;

const FULL: &str = r#"
name = "everything"
table_size = 4
forced_moves = "asked"
spectator_delay = 12
concurrency = 16
entrant_concurrency = 1
no_show = "90s"
entry_check = true
invited_only = true
max_entrants = 100
seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

[format]
kind = "ab-test"
candidate = "new"
base = "old"
arrangement = "halves"
alpha = 0.01
beta = 0.2
effect = 1
burn_in = 10
max_blocks = 500

[rules]
preset = "classic"
max_pip = 6
hand_size = 5
opening_arms = 4
starter = "lot"
drawn_tile = "must-play"
reserve = 1
double_blank = 0
rounds = 2

[clocks]
decision_time = "250ms"
bank = "0s"
grace = "1.5m"

[faults]
strikes = 0
illegal_answers = 1
strict = true

[[entrants]]
agent = "new"
owner = "us"

[[entrants]]
house = "greedy"
name = "old"
"#;

/// The smallest file that is right, with lines put in.
fn with(top: &str, rest: &str) -> String {
    format!("name = \"small\"\ntable_size = 3\n{top}\n[format]\nkind = \"round-robin\"\n{rest}")
}

fn refused(text: &str) -> String {
    parse("t.toml", text).expect_err("the file is wrong").to_string()
}

fn of_format(format: &str) -> String {
    format!("name = \"small\"\ntable_size = 3\n[format]\n{format}")
}

#[test]
fn every_key_reaches_its_field() {
    let config = parse("t.toml", FULL).expect("the file is right");
    let seconds = |seconds, nanos| Some(prost_types::Duration { seconds, nanos });
    let expected = v1::TournamentConfig {
        name: "everything".to_owned(),
        format: Some(Format::AbTest(v1::AbTest {
            candidate: "new".to_owned(),
            base: "old".to_owned(),
            arrangement: v1::AbArrangement::Halves.into(),
            alpha: 0.01,
            beta: 0.2,
            effect: 1.0,
            burn_in: 10,
            max_blocks: 500,
        })),
        rules: Some(v1::Rules {
            preset: v1::Preset::Classic.into(),
            players: None,
            max_pip: Some(6),
            hand_size: Some(5),
            opening_arms: Some(4),
            starter: v1::Starter::Lot.into(),
            drawn_tile: v1::DrawnTile::MustPlay.into(),
            reserve: Some(1),
            double_blank: Some(0),
            rounds: Some(2),
        }),
        table_size: 4,
        entrants: vec![
            v1::EntrantSpec {
                name: String::new(),
                who: Some(Who::Agent("new".to_owned())),
                owner: "us".to_owned(),
            },
            v1::EntrantSpec {
                name: "old".to_owned(),
                who: Some(Who::House("greedy".to_owned())),
                owner: String::new(),
            },
        ],
        invited_only: true,
        max_entrants: 100,
        decision_time: seconds(0, 250_000_000),
        bank: seconds(0, 0),
        grace: seconds(90, 0),
        strikes: Some(0),
        illegal_answers: Some(1),
        strict: true,
        forced_moves: v1::ForcedMoves::Asked.into(),
        spectator_delay: 12,
        concurrency: 16,
        entrant_concurrency: 1,
        no_show: seconds(90, 0),
        entry_check: true,
        seed: (0..32).collect(),
    };
    assert_eq!(config, expected);
}

#[test]
fn what_is_left_out_is_left_to_the_service() {
    let config = parse("t.toml", &with("", "")).expect("the file is right");
    let expected = v1::TournamentConfig {
        name: "small".to_owned(),
        format: Some(Format::RoundRobin(v1::RoundRobin { cycles: 0 })),
        rules: Some(v1::Rules { preset: v1::Preset::Trains.into(), ..v1::Rules::default() }),
        table_size: 3,
        ..v1::TournamentConfig::default()
    };
    assert_eq!(config, expected);
}

#[test]
fn every_format_has_its_own_keys() {
    let format = |text| parse("t.toml", &of_format(text)).map(|config| config.format);
    assert_eq!(
        format("kind = \"gauntlet\"\ncandidate = \"me\"\nblocks = 7"),
        Ok(Some(Format::Gauntlet(v1::Gauntlet { candidate: "me".to_owned(), blocks: 7 })))
    );
    assert_eq!(format("kind = \"swiss\"\nrounds = 5"), Ok(Some(Format::Swiss(v1::Swiss { rounds: 5 }))));
    assert_eq!(
        format("kind = \"elimination\"\nadvance = 2\nblocks = 3\nlots = true"),
        Ok(Some(Format::Elimination(v1::Elimination { advance: 2, blocks: 3, lots: true })))
    );
    assert_eq!(
        format("kind = \"ladder\"\nblocks = 1_000_000\nsame_owner = true"),
        Ok(Some(Format::Ladder(v1::Ladder { blocks: 1_000_000, same_owner: true })))
    );
    assert_eq!(format("kind = \"ab-test\""), Ok(Some(Format::AbTest(v1::AbTest::default()))));
    assert_eq!(
        refused(&of_format("kind = \"swiss\"\nrounds = 5\ncycles = 2")),
        "t.toml:6:1: format.cycles: there is no such key here; there are kind, rounds"
    );
}

#[test]
fn text_that_is_no_toml_is_refused_with_line_and_column() {
    for (text, place) in [
        ("name = ", "t.toml:1:8: "),
        ("name = \"a\"\ntable_size = = 3", "t.toml:2:14: "),
        ("name = \"a\"\nname = \"b\"", "t.toml:2:1: "),
        ("name = \"a\"\n\n[format\nkind = \"swiss\"", "t.toml:3:8: "),
        ("name = \"abc", "t.toml:1:12: "),
    ] {
        let said = refused(text);
        assert!(said.starts_with(place), "{text:?}: {said}");
        assert!(said.len() > place.len(), "{said}");
    }
}

#[test]
fn a_column_counts_characters() {
    assert_eq!(
        refused("name = \"ä\"\ntable_size = 3\nformat = { kind = \"läuft\" }"),
        "t.toml:3:19: format.kind: must be one of round-robin, gauntlet, swiss, elimination, ladder, \
         ab-test, not \"läuft\""
    );
}

#[test]
fn unknown_keys_are_refused_wherever_they_are() {
    for (text, start) in [
        (with("tabel_size = 3", ""), "t.toml:3:1: tabel_size: there is no such key here; there are name, "),
        (with("", "roundz = 1"), "t.toml:6:1: format.roundz: "),
        (with("", "[rules]\nplayers = 3"), "t.toml:7:1: rules.players: "),
        (with("", "[clocks]\nbanc = \"1s\""), "t.toml:7:1: clocks.banc: "),
        (with("", "[faults]\nlate = 1"), "t.toml:7:1: faults.late: "),
        (with("", "[[entrants]]\nhuose = \"greedy\""), "t.toml:7:1: entrants[0].huose: "),
        (with("", "[prizes]\nfirst = 1"), "t.toml:6:2: prizes: "),
    ] {
        let said = refused(&text);
        assert!(said.starts_with(start), "{said}");
    }
}

#[test]
fn keys_that_have_to_be_there_are_missed() {
    assert_eq!(refused("table_size = 3"), "t.toml:1:1: name: must be given");
    assert_eq!(refused("name = \"a\""), "t.toml:1:1: table_size: must be given");
    assert_eq!(refused("name = \"a\"\ntable_size = 2"), "t.toml:1:1: format: must be given");
    assert_eq!(refused(&of_format("rounds = 1")), "t.toml:3:2: format.kind: must be given");
    assert_eq!(refused(&of_format("kind = \"swiss\"")), "t.toml:3:2: format.rounds: must be given");
    assert_eq!(refused(&of_format("kind = \"ladder\"")), "t.toml:3:2: format.blocks: must be given");
    assert_eq!(
        refused(&with("", "[[entrants]]\nname = \"a\"")),
        "t.toml:6:1: entrants[0].agent: agent or house must be given"
    );
}

#[test]
fn values_of_another_type_are_refused() {
    for (text, said) in [
        (with("seed = 12", ""), "t.toml:3:8: seed: must be a text, not a whole number"),
        (with("concurrency = \"8\"", ""), "t.toml:3:15: concurrency: must be a whole number, not a text"),
        (with("concurrency = 8.0", ""), "t.toml:3:15: concurrency: must be a whole number, not a number"),
        (with("entry_check = \"yes\"", ""), "t.toml:3:15: entry_check: must be true or false, not a text"),
        (with("rules = true", ""), "t.toml:3:9: rules: must be a table, not true or false"),
        (with("entrants = [\"greedy\"]", ""), "t.toml:3:13: entrants[0]: must be a table, not a text"),
        (with("entrants = {}", ""), "t.toml:3:12: entrants: must be a list of tables, not a table"),
        (with("seed = 2026-01-01", ""), "t.toml:3:8: seed: must be a text, not a date"),
        (
            with("no_show = 30", ""),
            "t.toml:3:11: no_show: must be a time such as \"30s\", \"500ms\" or \"5m\", not a whole number",
        ),
        (
            of_format("kind = \"ab-test\"\nalpha = \"0.1\""),
            "t.toml:5:9: format.alpha: must be a number, not a text",
        ),
    ] {
        assert_eq!(refused(&text), said);
    }
}

#[test]
fn values_beyond_their_bounds_are_refused_with_the_bounds() {
    for (text, said) in [
        (with("concurrency = 0", ""), "t.toml:3:15: concurrency: must be 1 to 1000, not 0"),
        (with("concurrency = -1", ""), "t.toml:3:15: concurrency: must be 1 to 1000, not -1"),
        (
            with("concurrency = 99999999999", ""),
            "t.toml:3:15: concurrency: must be 1 to 1000, not 99999999999",
        ),
        (
            with("entrant_concurrency = 1001", ""),
            "t.toml:3:23: entrant_concurrency: must be 1 to 1000, not 1001",
        ),
        (with("max_entrants = 1", ""), "t.toml:3:16: max_entrants: must be 2 to 10000, not 1"),
        (with("no_show = \"999ms\"", ""), "t.toml:3:11: no_show: must be 1s to 3600s, not 999ms"),
        (with("seed = \"12\"", ""), "t.toml:3:8: seed: must be 64 hexadecimal digits"),
        (with("", "cycles = 1001"), "t.toml:6:10: format.cycles: must be 1 to 1000, not 1001"),
        (
            of_format("kind = \"gauntlet\"\nblocks = 0"),
            "t.toml:5:10: format.blocks: must be 1 to 1000000, not 0",
        ),
        (
            of_format("kind = \"swiss\"\nrounds = 1001"),
            "t.toml:5:10: format.rounds: must be 1 to 1000, not 1001",
        ),
        (
            of_format("kind = \"elimination\"\nadvance = 3"),
            "t.toml:5:11: format.advance: must be 1 to 2, not 3",
        ),
        (
            of_format("kind = \"elimination\"\nblocks = 0"),
            "t.toml:5:10: format.blocks: must be 1 to 1000, not 0",
        ),
        (
            of_format("kind = \"ladder\"\nblocks = 1000001"),
            "t.toml:5:10: format.blocks: must be 1 to 1000000, not 1000001",
        ),
        (
            of_format("kind = \"ab-test\"\nalpha = 0.5"),
            "t.toml:5:9: format.alpha: must be above 0 and below 0.5, not 0.5",
        ),
        (
            of_format("kind = \"ab-test\"\nbeta = 0"),
            "t.toml:5:8: format.beta: must be above 0 and below 0.5, not 0",
        ),
        (
            of_format("kind = \"ab-test\"\neffect = 5.5"),
            "t.toml:5:10: format.effect: must be above 0 up to 5, not 5.5",
        ),
        (
            of_format("kind = \"ab-test\"\neffect = nan"),
            "t.toml:5:10: format.effect: must be above 0 up to 5, not nan",
        ),
        (
            of_format("kind = \"ab-test\"\nburn_in = 1"),
            "t.toml:5:11: format.burn_in: must be 8 to 1000, not 1",
        ),
        (
            of_format("kind = \"ab-test\"\nmax_blocks = 0"),
            "t.toml:5:14: format.max_blocks: must be 1 to 1000000, not 0",
        ),
        (
            of_format("kind = \"ab-test\"\narrangement = \"halves\""),
            "t.toml:5:15: format.arrangement: halves takes tables of 2, 4, 6 or 8; see table_size",
        ),
        (
            with("", "[clocks]\ndecision_time = \"9ms\""),
            "t.toml:7:17: clocks.decision_time: must be 10ms to 3600s, not 9ms",
        ),
        (with("", "[clocks]\nbank = \"61m\""), "t.toml:7:8: clocks.bank: must be 0ns to 3600s, not 61m"),
        (
            with("", "[clocks]\ngrace = \"2h\""),
            "t.toml:7:9: clocks.grace: must be a time such as \"30s\", \"500ms\" or \"5m\", not \"2h\"",
        ),
        (
            with("", "[clocks]\ngrace = \"2\""),
            "t.toml:7:9: clocks.grace: must be a time such as \"30s\", \"500ms\" or \"5m\", not \"2\"",
        ),
        (with("", "[faults]\nstrikes = 1001"), "t.toml:7:11: faults.strikes: must be 0 to 1000, not 1001"),
        (
            with("", "[faults]\nillegal_answers = 0"),
            "t.toml:7:19: faults.illegal_answers: must be 1 to 1000, not 0",
        ),
        (
            with("forced_moves = \"me\"", ""),
            "t.toml:3:16: forced_moves: must be one of automatic, asked, not \"me\"",
        ),
        (
            with("", "[rules]\npreset = \"mexican\""),
            "t.toml:7:10: rules.preset: must be one of trains, classic, not \"mexican\"",
        ),
        (with("", "[rules]\nrounds = 999"), "t.toml:7:10: rules.rounds: must be 0 to 255, not 999"),
    ] {
        assert_eq!(refused(&text), said);
    }
    for size in ["1", "9"] {
        let said = refused(&with("", "").replace("table_size = 3", &format!("table_size = {size}")));
        assert_eq!(said, format!("t.toml:2:14: table_size: must be 2 to 8, not {size}"));
    }
    for name in ["".to_owned(), "x".repeat(81), "a\\tb".to_owned(), "a\u{202e}b".to_owned()] {
        let said = refused(&with("", "").replace("small", &name));
        assert_eq!(
            said,
            "t.toml:1:8: name: must be 1 to 80 characters without any that control text or are not seen"
        );
    }
    assert!(parse("t.toml", &with("", "").replace("small", &"ä".repeat(80))).is_ok());
}

#[test]
fn rules_that_are_impossible_are_refused_at_their_key() {
    for (text, start) in [
        (with("", "[rules]\nmax_pip = 7"), "t.toml:7:11: rules.max_pip: "),
        (with("", "[rules]\nrounds = 11"), "t.toml:7:10: rules.rounds: "),
        (with("", "[rules]\nreserve = 1\ndouble_blank = 5"), "t.toml:8:16: rules.double_blank: "),
        (with("", "[rules]\nhand_size = 40"), "t.toml:7:13: rules.hand_size: "),
    ] {
        let said = refused(&text);
        assert!(said.starts_with(start), "{said}");
        assert!(said.contains("must be"), "{said}");
    }
}

#[test]
fn entrants_are_one_agent_or_one_player_of_the_house_each_and_none_twice() {
    let entrants = |text: &str| with("", &text.replace("[]", "[[entrants]]"));
    for (text, said) in [
        (
            "[]\nagent = \"a\"\nhouse = \"greedy\"",
            "t.toml:8:9: entrants[0].house: an entrant is an agent or a player of the house, not both",
        ),
        ("[]\nhouse = \"\"", "t.toml:7:9: entrants[0].house: must not be empty"),
        ("[]\nhouse = \"greedy\"\nname = \"\"", "t.toml:8:8: entrants[0].name: must not be empty"),
        (
            "[]\nagent = \"a\"\nname = \"b\"",
            "t.toml:8:8: entrants[0].name: must be the agent's own, \"a\", or left out",
        ),
        (
            "[]\nhouse = \"greedy\"\n[]\nhouse = \"greedy\"",
            "t.toml:9:9: entrants[1].house: there is an entrant \"greedy\" already; see name",
        ),
        (
            "[]\nagent = \"a\"\n[]\nhouse = \"greedy\"\nname = \"a\"",
            "t.toml:10:8: entrants[1].name: there is an entrant \"a\" already; see name",
        ),
    ] {
        assert_eq!(refused(&entrants(text)), said);
    }
    assert!(
        parse("t.toml", &entrants("[]\nhouse = \"greedy\"\n[]\nhouse = \"greedy\"\nname = \"b\"")).is_ok()
    );
}

#[test]
fn an_error_of_the_first_line_of_a_file_without_end_is_found_too() {
    let error = parse("t.toml", "x").expect_err("no TOML");
    assert_eq!((error.line, error.key.as_str()), (1, ""));
}

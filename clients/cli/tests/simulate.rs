//! The real binary: simulations.

mod binary;

use std::path::Path;

use binary::{code, run, stderr, stdout};
use serde_json::Value;

/// Runs a simulation of matches of one round.
fn simulate(args: &[&str]) -> std::process::Output {
    run(&[&["simulate", "--rounds", "1"], args].concat(), "")
}

fn path(of: &Path) -> &str {
    of.to_str().expect("a plain path")
}

/// The last line of stdout, as a JSON object.
fn last(output: &std::process::Output) -> Value {
    let line = stdout(output).lines().last().expect("a line");
    serde_json::from_str(line).expect("one JSON object a line")
}

#[test]
fn a_round_robin_ends_with_its_standings() {
    let output = simulate(&["--players", "random,greedy,lowest", "--deals", "12", "--pairings"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for part in ["simulation: finished, 12/12 blocks\n", "rank  name", "before, %", "random", "lowest"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(text.find("greedy") < text.find("random"), "{text}");
    let progress = stderr(&output).lines().next().expect("progress for programs, as stderr is no terminal");
    assert_eq!(serde_json::from_str::<Value>(progress).expect("JSON")["event"], "progress");
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    let standings = |threads, seed| {
        let players = ["--players", "random,greedy,random,lowest", "--table-size", "3", "--json"];
        let output =
            simulate(&[&players[..], &["--deals", "8", "--threads", threads, "--seed", seed]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found = last(&output);
        assert_eq!(found["event"], "standings");
        (found["standings"].clone(), found["tournament"]["seed"].clone())
    };
    let digits = "00".repeat(31) + "05";
    let one = standings("1", "5");
    assert_eq!(one.0.as_array().map(Vec::len), Some(4));
    assert_eq!(one, standings("4", "5"));
    assert_eq!(one, standings("4", &digits));
    assert_ne!(one.0, standings("1", "6").0);
}

#[test]
fn the_exit_code_tells_who_is_better() {
    for (args, expected, says) in [
        (&["--ab", "greedy,random", "--sprt"][..], 0, "the candidate is better"),
        (&["--ab", "random,greedy", "--sprt"], 4, "the candidate is not better"),
        (&["--ab", "random,random", "--sprt", "--deals", "8"], 2, "undecided"),
        (&["--ab", "greedy,random", "--deals", "30"], 0, "greedy over random: +"),
        (&["--ab", "random,greedy", "--deals", "30"], 4, "random over greedy: -"),
        (&["--ab", "greedy,old=greedy", "--deals", "6"], 2, "greedy over old: +0.00 pips a match"),
        (&["--ab", "greedy,random", "--players", "lowest", "--deals", "20"], 0, "lowest"),
        (&["--players", "random,greedy,lowest", "--gauntlet", "--table-size", "2"], 0, "random against all"),
    ] {
        let output = simulate(args);
        assert_eq!(code(&output), expected, "{args:?}: {}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains(says), "{args:?}: {}", stdout(&output));
    }
}

#[test]
fn reports_and_records_are_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (games, reports) = (folder.path().join("games"), folder.path().join("reports/"));
    let players = ["--players", "greedy,monte-carlo:4", "--deals", "2"];
    let output = simulate(&[&players[..], &["--records", path(&games), "--output", path(&reports)]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    for (name, part) in [
        ("simulation.json", "\"chickenfoot-tournament-report\""),
        ("simulation.csv", "monte-carlo-4"),
        ("simulation.html", "<h1>"),
    ] {
        let text = std::fs::read_to_string(reports.join(name)).expect("the report was written");
        assert!(text.contains(part), "{name}");
    }
    let mut names: Vec<String> = std::fs::read_dir(&games)
        .expect("the folder was made")
        .map(|entry| entry.expect("a readable folder").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    assert_eq!(names, ["000000-0.json", "000000-1.json", "000001-0.json", "000001-1.json"]);
    let file = games.join("000001-1.json");
    assert_eq!(code(&run(&["record", "verify", path(&file)], "")), 0);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_reason() {
    let two = ["--players", "greedy,random"];
    let with_two = |more: &[&'static str]| [&two[..], more].concat();
    for (args, why) in [
        (vec![], "--players"),
        (vec!["--players", "greedy"], "two players at least"),
        (vec!["--players", "greedy,chess"], "\"chess\" is none of random"),
        (vec!["--players", "greedy,oracle:20ms"], "oracle:20ms"),
        (vec!["--players", "a=greedy,a=random"], "two players are named \"a\""),
        (vec!["--players", "a b=greedy,random"], "is no name"),
        (vec!["--ab", "greedy"], "--ab takes two players"),
        (vec!["--ab", "greedy,random,lowest"], "--ab takes two players"),
        (vec!["--ab", "greedy,random", "--gauntlet"], "cannot be used with"),
        (vec!["--ab", "greedy,random", "--table-size", "3"], "even table"),
        (vec!["--ab", "greedy,random", "--tables", "shared", "--table-size", "4"], "do not fill"),
        (vec!["--ab", "greedy,random", "--players", "lowest", "--tables", "halves"], "have no seat"),
        (vec!["--ab", "greedy,random", "--sprt", "--alpha", "0.5"], "alpha"),
        (vec!["--ab", "greedy,random", "--sprt", "--effect", "6"], "--effect 6"),
        (vec!["--ab", "greedy,random", "--sprt", "--effect", "0"], "effect"),
        (vec!["--ab", "greedy,random", "--sprt", "--deals", "5"], "burn-in"),
        (vec!["--ab", "greedy,random", "--alpha", "0.1"], "--sprt"),
        (with_two(&["--sprt"]), "--ab"),
        (with_two(&["--tables", "halves"]), "--ab"),
        (with_two(&["--table-size", "4"]), "do not fill"),
        (with_two(&["--table-size", "9"]), "2..=8"),
        (with_two(&["--deals", "0"]), "1..=1000000"),
        (with_two(&["--threads", "0"]), "--threads"),
        (with_two(&["--seed", "none"]), "neither a number nor"),
        (with_two(&["--hand-size", "40"]), "the rules"),
        (with_two(&["--output", "report.pdf"]), ".json, .csv or .html"),
    ] {
        let output = simulate(&args);
        assert_eq!(code(&output), 64, "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{args:?}");
    }
}

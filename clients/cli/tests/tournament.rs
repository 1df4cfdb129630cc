//! `chickenfoot tournament` against a service that does what it is told.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

#[path = "../../bot/tests/fake/mod.rs"]
mod fake;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use chickenfoot_protocol::v1::{self, AbVerdict, TournamentState};
use fake::{Fake, Step, refusal, standing};
use serde_json::{Value, json};
use tempfile::TempDir;
use tonic::{Code, Status};

const SMALL: &str = r#"
name = "small"
table_size = 3
[format]
kind = "round-robin"
[[entrants]]
house = "greedy"
[[entrants]]
house = "random"
[[entrants]]
house = "lowest"
"#;

const AB: &str = r#"
name = "better?"
table_size = 2
[format]
kind = "ab-test"
[[entrants]]
house = "greedy"
[[entrants]]
house = "random"
"#;

/// A fake and a directory with a tournament's file.
struct Scene {
    fake: Fake,
    directory: TempDir,
}

impl Scene {
    fn new(file: &str) -> Scene {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("t.toml"), file).unwrap();
        Scene { fake: Fake::start(), directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The command in the scene's directory, as the agent `me`.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chickenfoot"));
        command
            .args(args)
            .current_dir(&self.directory)
            .env("CHICKENFOOT_SERVER", &self.fake.address)
            .env("CHICKENFOOT_TOKEN", "token-me")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Done {
        Done(self.command(args).output().unwrap())
    }

    /// A tournament that is there already.
    fn made(&self) -> String {
        self.run(&["tournament", "create", "t.toml"]).stdout().trim().to_owned()
    }

    /// Starts a run, waits until it has told progress, and leaves it where the script holds.
    fn run_until_progress(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let progress = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("\"progress\"")));
        assert!(progress.is_some(), "the run ended before it told progress");
        // The rest still has to be read, or the pipe breaks.
        std::thread::spawn(move || lines.for_each(drop));
        child
    }
}

/// A command that has ended.
struct Done(Output);

impl Done {
    fn code(&self) -> i32 {
        self.0.status.code().expect("no signal ended it")
    }

    fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).unwrap()
    }

    fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).unwrap()
    }

    /// Checks the exit code, and tells what was said if it is another.
    fn ends_with(self, code: i32) -> Done {
        assert_eq!(self.code(), code, "stdout: {}\nstderr: {}", self.stdout(), self.stderr());
        self
    }

    /// Every line of stdout, which are all JSON.
    fn json(&self) -> Vec<Value> {
        self.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The error, for programs.
    fn error(&self) -> Value {
        serde_json::from_str(self.stderr().lines().last().unwrap()).unwrap()
    }
}

fn running(finished: u32) -> Step {
    Step::Say(standing(TournamentState::Running, finished, 4).into())
}

fn finished() -> Step {
    Step::Say(standing(TournamentState::Finished, 4, 4).into())
}

/// A finish with faults.
fn finished_with_faults() -> Step {
    let mut message = standing(TournamentState::Finished, 4, 4);
    message.tournament.as_mut().unwrap().progress.as_mut().unwrap().faults = 1;
    Step::Say(message.into())
}

fn leader() -> v1::Standing {
    let interval = v1::Interval { estimate: 2.5, low: Some(1.0), high: Some(4.0) };
    v1::Standing {
        rank: 1,
        name: "greedy".to_owned(),
        blocks: 4,
        margin: Some(interval),
        live_margin: Some(interval),
        ..v1::Standing::default()
    }
}

#[test]
fn create_prints_the_id_alone_and_sends_the_file() {
    let scene = Scene::new(SMALL);
    let done = scene.run(&["tournament", "create", "t.toml"]).ends_with(0);
    assert_eq!(done.stdout(), "000000000000000000000000000000f0\n");
    let made = scene.fake.state().tournaments[0].clone();
    let config = made.config.unwrap();
    assert_eq!((config.name.as_str(), config.entrants.len()), ("small", 3));
    let again = scene.run(&["--json", "tournament", "create", "t.toml"]).ends_with(0);
    assert_eq!(again.json()[0]["config"]["format"], json!({"kind": "round-robin", "cycles": 0}));
    assert_eq!(scene.fake.state().tournaments.len(), 2, "another call makes another tournament");
}

#[test]
fn a_file_that_is_not_right_is_refused_with_its_place_before_anything_is_done() {
    let scene = Scene::new("name = \"x\"\ntable_size = 99\n");
    for command in ["create", "run"] {
        let done = scene.run(&["tournament", command, "t.toml"]).ends_with(64);
        assert_eq!(done.stderr(), "error: t.toml:2:14: table_size: must be 2 to 8, not 99\n");
        let error = scene.run(&["--json", "tournament", command, "t.toml"]).ends_with(64).error();
        assert_eq!(error["reason"], "TOURNAMENT_MALFORMED");
        assert_eq!(
            error["metadata"],
            json!({"file": "t.toml", "line": "2", "column": "14", "key": "table_size"})
        );
    }
    fs::write(scene.path("t.toml"), "name = ").unwrap();
    let done = scene.run(&["tournament", "run", "t.toml"]).ends_with(64);
    assert!(done.stderr().starts_with("error: t.toml:1:8: "), "{}", done.stderr());
    let done = scene.run(&["tournament", "create", "none.toml"]).ends_with(1);
    assert!(done.stderr().contains("none.toml"), "{}", done.stderr());
    assert_eq!(scene.fake.state().calls, [""; 0]);
}

#[test]
fn commands_about_a_tournament_tell_what_became_of_it() {
    let scene = Scene::new(SMALL);
    let id = scene.made();
    for (command, said, state) in [
        ("start", "started", "running"),
        ("pause", "paused", "paused"),
        ("resume", "resumed", "running"),
        ("cancel", "cancelled", "cancelled"),
    ] {
        let done = scene.run(&["tournament", command, &id]).ends_with(0);
        assert_eq!((done.stdout(), done.stderr()), ("", format!("{said} {id}\n").as_str()));
        let done = scene.run(&["--json", "tournament", command, &id]).ends_with(0);
        assert_eq!(done.json()[0]["state"], state);
    }
    let done = scene.run(&["tournament", "join", &id]).ends_with(0);
    assert_eq!(done.stdout(), "entrant 0, me: entered\n");
    assert_eq!(scene.fake.calls("JoinTournament"), [format!("JoinTournament {id} 32")]);
    let done = scene.run(&["tournament", "withdraw", &id]).ends_with(0);
    assert_eq!(done.stderr(), "withdrew me\n");
    let done = scene.run(&["--json", "tournament", "withdraw", &id, "--name", "you"]).ends_with(1);
    assert_eq!(done.error()["reason"], "ENTRANT_NOT_FOUND");
    let done = scene.run(&["--json", "tournament", "start", "none"]).ends_with(1);
    assert_eq!(done.error()["reason"], "TOURNAMENT_NOT_FOUND");
}

#[test]
fn lists_and_shows_have_every_page() {
    let scene = Scene::new(SMALL);
    let ids: Vec<String> = (0..3).map(|_| scene.made()).collect();
    let done = scene.run(&["tournament", "list"]).ends_with(0);
    let listed: Vec<&str> = done.stdout().lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(listed, [&ids[2], &ids[1], &ids[0]]);
    assert!(done.stdout().contains("  open       round-robin    0 entrants  0 blocks  small\n"));
    let done = scene.run(&["tournament", "list", "--state", "paused"]).ends_with(0);
    assert_eq!(done.stdout(), "");
    let entrant = |number, house: &str| v1::TournamentEntrant {
        number,
        name: format!("bot{number}"),
        house: house.to_owned(),
        state: v1::EntrantState::Entered.into(),
        ..v1::TournamentEntrant::default()
    };
    scene.fake.state().entrants = vec![entrant(0, "greedy"), entrant(1, ""), entrant(2, "random")];
    let done = scene.run(&["tournament", "show", &ids[0]]).ends_with(0);
    for part in [
        format!("tournament {}: open\n", ids[0]),
        "name        small\n".to_owned(),
        "format      round-robin, 0 cycles\n".to_owned(),
        "creator     me\n".to_owned(),
        "      2  bot2  entered    house:random\n".to_owned(),
    ] {
        assert!(done.stdout().contains(&part), "{part:?} is missing in\n{}", done.stdout());
    }
    let done = scene.run(&["--json", "tournament", "show", &ids[0]]).ends_with(0);
    assert_eq!(done.json()[0]["entrants"].as_array().unwrap().len(), 3);
    assert_eq!(done.json()[0]["entrants"][1]["house"], Value::Null);
}

#[test]
fn standings_have_pairings_where_they_are_asked_for() {
    let scene = Scene::new(SMALL);
    let id = scene.made();
    {
        let mut state = scene.fake.state();
        let second = v1::Standing { rank: 2, entrant: 1, name: "random".to_owned(), ..leader() };
        state.standings.standings = vec![leader(), second];
        let superiority = Some(v1::Interval { estimate: 0.75, ..v1::Interval::default() });
        let pairing = v1::Pairing { entrant: 0, opponent: 1, superiority, ..v1::Pairing::default() };
        state.standings.pairings = vec![pairing];
    }
    let done = scene.run(&["tournament", "standings", &id]).ends_with(0);
    assert!(done.stdout().contains("   1  greedy       4   +2.50  [+1.00, +4.00]"), "{}", done.stdout());
    assert!(!done.stdout().contains("before"), "{}", done.stdout());
    let done = scene.run(&["tournament", "standings", &id, "--pairings"]).ends_with(0);
    assert!(done.stdout().contains("\n2  random     25   -\n"), "{}", done.stdout());
    let done = scene.run(&["--json", "tournament", "standings", &id, "--pairings"]).ends_with(0);
    assert_eq!(done.json()[0]["pairings"][0]["superiority"]["estimate"], 0.75);
    assert_eq!(done.json()[0]["standings"][1]["name"], "random");
    assert_eq!(done.json()[0]["ab"], Value::Null);
}

#[test]
fn a_report_goes_to_stdout_or_whole_into_a_file() {
    let scene = Scene::new(SMALL);
    let id = scene.made();
    scene.fake.state().report = vec![b" rest\n".to_vec()];
    let done = scene.run(&["tournament", "export", &id, "--format", "csv"]).ends_with(0);
    assert_eq!(done.stdout(), "EXPORT_FORMAT_CSV rest\n");
    let args = ["--json", "tournament", "export", &id, "--format", "html", "--output", "page.html"];
    assert_eq!(scene.run(&args).ends_with(0).json()[0], json!({"file": "page.html", "bytes": 24}));
    assert_eq!(fs::read_to_string(scene.path("page.html")).unwrap(), "EXPORT_FORMAT_HTML rest\n");
    // One that breaks off leaves the old one as it was, and nothing of its own.
    scene.fake.fail("ExportTournament part", Status::unavailable("gone"));
    scene.run(&args).ends_with(1);
    assert_eq!(fs::read_to_string(scene.path("page.html")).unwrap(), "EXPORT_FORMAT_HTML rest\n");
    assert!(!scene.path("page.html.partial").exists());
    let args = ["--json", "tournament", "export", &id, "--format", "html", "--output", "no/page.html"];
    assert_eq!(scene.run(&args).ends_with(1).error()["reason"], "FILE_UNWRITABLE");
}

#[test]
fn a_run_makes_starts_and_follows_a_tournament_and_tells_its_standings() {
    let scene = Scene::new(SMALL);
    scene.fake.state().standings.standings = vec![leader()];
    let mut last = standing(TournamentState::Finished, 4, 4);
    last.standings = vec![leader()];
    scene.fake.script([running(1), Step::Say(last.into())]);
    let done = scene.run(&["tournament", "run", "t.toml"]).ends_with(0);
    assert!(done.stdout().contains("small: finished, 4/4 blocks\n"), "{}", done.stdout());
    assert!(done.stdout().contains("   1  greedy "), "{}", done.stdout());
    let lines = done.stderr().lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{}", done.stderr());
    assert_eq!((&lines[0]["finished_blocks"], &lines[0]["state"]), (&json!(1), &json!("running")));
    assert_eq!((&lines[0]["total_blocks"], &lines[0]["leader"]), (&json!(4), &Value::Null));
    assert_eq!(lines[1]["leader"]["margin"], json!({"estimate": 2.5, "low": 1.0, "high": 4.0}));
    assert_eq!(scene.fake.calls("StartTournament").len(), 1);
    assert!(!scene.path("t.toml.run").exists(), "there is nothing to come back to");
}

#[test]
fn programs_get_a_run_as_json_alone() {
    let scene = Scene::new(SMALL);
    scene.fake.script([running(1), finished()]);
    let done = scene.run(&["--json", "tournament", "run", "t.toml", "--output", "out/"]).ends_with(0);
    let lines = done.json();
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["progress", "progress", "standings", "report", "report", "report"]);
    assert_eq!(lines[2]["tournament"]["state"], "finished");
    for (form, name) in [("JSON", "t.json"), ("CSV", "t.csv"), ("HTML", "t.html")] {
        let report = fs::read_to_string(scene.path("out").join(name)).unwrap();
        assert_eq!(report, format!("EXPORT_FORMAT_{form}"));
    }
}

#[test]
fn without_a_token_an_agent_is_registered_and_its_token_told() {
    let scene = Scene::new(SMALL);
    scene.fake.script([finished()]);
    let mut command = scene.command(&["tournament", "run", "t.toml"]);
    let done = Done(command.env_remove("CHICKENFOOT_TOKEN").output().unwrap()).ends_with(0);
    let creator = scene.fake.state().tournaments[0].creator.clone();
    assert!(creator.starts_with("guest-"), "{creator}");
    assert!(done.stderr().contains(&format!("CHICKENFOOT_TOKEN=token-{creator}")), "{}", done.stderr());
}

#[test]
fn the_exit_code_tells_the_verdict_of_an_ab_test() {
    let scene = Scene::new(AB);
    for (verdict, code) in [
        (AbVerdict::Better, 0),
        (AbVerdict::Undecided, 2),
        (AbVerdict::Unspecified, 2),
        (AbVerdict::NotBetter, 4),
    ] {
        let ab = v1::AbStanding { verdict: verdict.into(), ..v1::AbStanding::default() };
        scene.fake.state().standings.ab = Some(ab);
        scene.fake.script([finished_with_faults()]);
        let done = scene.run(&["tournament", "run", "t.toml"]).ends_with(code);
        assert!(done.stdout().contains("A/B test: "), "{}", done.stdout());
        let id = scene.fake.state().tournaments.last().unwrap().id.clone();
        scene.fake.script([finished()]);
        scene.run(&["tournament", "watch", &id]).ends_with(code);
    }
}

#[test]
fn faults_count_where_none_is_allowed_and_go_before_a_verdict() {
    let scene = Scene::new(&format!("{SMALL}\n[faults]\nstrict = true\n"));
    scene.fake.script([finished_with_faults()]);
    scene.run(&["tournament", "run", "t.toml"]).ends_with(3);
    scene.fake.script([finished()]);
    scene.run(&["tournament", "run", "t.toml"]).ends_with(0);
    fs::write(scene.path("t.toml"), format!("{AB}\n[faults]\nstrict = true\n")).unwrap();
    scene.fake.state().standings.ab = Some(v1::AbStanding::default());
    scene.fake.script([finished_with_faults()]);
    scene.run(&["tournament", "run", "t.toml"]).ends_with(3);
    fs::write(scene.path("t.toml"), SMALL).unwrap();
    scene.fake.script([finished_with_faults()]);
    scene.run(&["tournament", "run", "t.toml"]).ends_with(0);
}

#[test]
fn a_cancelled_tournament_is_a_failure_after_its_standings_and_reports() {
    let scene = Scene::new(SMALL);
    let mut message = standing(TournamentState::Cancelled, 2, 4);
    message.tournament.as_mut().unwrap().message = "by its creator".to_owned();
    scene.fake.script([Step::Say(message.into())]);
    let done = scene.run(&["--json", "tournament", "run", "t.toml", "--output", "page.html"]).ends_with(1);
    assert_eq!(done.error()["reason"], "TOURNAMENT_CANCELLED");
    assert!(done.error()["message"].as_str().unwrap().ends_with(": by its creator"));
    assert_eq!(done.json()[1]["event"], "standings");
    assert!(scene.path("page.html").exists());
    assert!(!scene.path("t.toml.run").exists(), "there is nothing to come back to");
}

#[test]
fn a_killed_run_comes_back_to_its_tournament() {
    let scene = Scene::new(SMALL);
    scene.fake.script([running(1), Step::Hold]);
    let mut child = scene.run_until_progress(&["tournament", "run", "t.toml"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(scene.path("t.toml.run").exists());
    scene.fake.script([running(3), finished()]);
    let done = scene.run(&["tournament", "run", "t.toml"]).ends_with(0);
    assert!(done.stderr().contains("going on with tournament 000000000000000000000000000000f0"));
    assert_eq!(scene.fake.calls("CreateTournament").len(), 1);
    assert_eq!(scene.fake.calls("StartTournament").len(), 1);
    assert!(!scene.path("t.toml.run").exists());
    scene.fake.script([finished()]);
    scene.run(&["tournament", "run", "t.toml"]).ends_with(0);
    assert_eq!(scene.fake.calls("CreateTournament").len(), 2, "a run that is done is not gone on with");
}

#[test]
fn a_run_that_did_not_get_to_know_its_tournament_finds_it() {
    let scene = Scene::new(SMALL);
    scene.fake.fail("CreateTournament", refusal(Code::Unavailable, "SHUTTING_DOWN"));
    let mut command = scene.command(&["tournament", "run", "t.toml"]);
    Done(command.env_remove("CHICKENFOOT_TOKEN").output().unwrap()).ends_with(1);
    scene.fake.script([finished()]);
    let mut command = scene.command(&["tournament", "run", "t.toml"]);
    Done(command.env_remove("CHICKENFOOT_TOKEN").output().unwrap()).ends_with(0);
    assert_eq!(scene.fake.state().tournaments.len(), 1);
    assert_eq!(scene.fake.calls("RegisterAgent").len(), 1, "the agent that made it is needed again");
}

#[test]
fn a_run_whose_tournament_was_refused_leaves_nothing_behind() {
    let scene = Scene::new(SMALL);
    scene.fake.fail("CreateTournament", refusal(Code::InvalidArgument, "HOUSE_UNKNOWN"));
    let done = scene.run(&["--json", "tournament", "run", "t.toml"]).ends_with(1);
    assert_eq!(done.error()["reason"], "HOUSE_UNKNOWN");
    assert!(!scene.path("t.toml.run").exists());
}

#[cfg(unix)]
#[test]
fn a_run_that_is_told_to_stop_says_how_to_go_on() {
    let scene = Scene::new(SMALL);
    for signal in ["-INT", "-TERM"] {
        scene.fake.script([running(1), Step::Hold]);
        let child = scene.run_until_progress(&["tournament", "run", "t.toml"]);
        let told = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(told.success());
        Done(child.wait_with_output().unwrap()).ends_with(1);
        assert!(scene.path("t.toml.run").exists());
    }
    assert_eq!(scene.fake.calls("CreateTournament").len(), 1);
}

#[test]
fn what_an_interrupted_run_left_is_used_for_the_same_file_and_service_only() {
    let scene = Scene::new(SMALL);
    scene.fake.script([running(1), Step::Hold]);
    let mut child = scene.run_until_progress(&["tournament", "run", "t.toml"]);
    child.kill().unwrap();
    child.wait().unwrap();
    let refused = |done: Done| {
        let error = done.ends_with(1).error();
        assert_eq!(error["reason"], "RUN_STATE_UNUSABLE");
        error["message"].as_str().unwrap().to_owned()
    };
    let elsewhere = ["--json", "--server", "127.0.0.1:1", "tournament", "run", "t.toml"];
    assert!(refused(scene.run(&elsewhere)).contains("--fresh"));
    fs::write(scene.path("t.toml"), format!("{SMALL}\n# changed")).unwrap();
    assert!(refused(scene.run(&["--json", "tournament", "run", "t.toml"])).contains("has changed"));
    fs::write(scene.path("t.toml"), SMALL).unwrap();
    scene.fake.state().tournaments.clear();
    assert!(refused(scene.run(&["--json", "tournament", "run", "t.toml"])).contains("not there any more"));
    assert_eq!(scene.fake.calls("CreateTournament").len(), 1);
}

#[test]
fn a_fresh_run_begins_anew_and_its_state_lies_where_it_is_asked_for() {
    let scene = Scene::new(SMALL);
    for _ in 0..2 {
        scene.fake.script([running(1), Step::Hold]);
        let args = ["tournament", "run", "t.toml", "--state", "elsewhere", "--fresh"];
        let mut child = scene.run_until_progress(&args);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(scene.path("elsewhere").exists());
        assert!(!scene.path("t.toml.run").exists());
    }
    assert_eq!(scene.fake.state().tournaments.len(), 2);
    scene.fake.script([finished()]);
    scene.run(&["tournament", "run", "t.toml", "--state", "elsewhere"]).ends_with(0);
    assert_eq!(scene.fake.state().tournaments.len(), 2);
}

#[test]
fn a_service_that_goes_away_and_comes_back_does_not_end_a_run() {
    let scene = Scene::new(SMALL);
    scene.fake.fail("StartTournament", refusal(Code::Unavailable, "SHUTTING_DOWN"));
    scene.fake.script([running(1), Step::Break(Status::unavailable("gone"))]);
    scene.fake.script([running(2), finished()]);
    let done = scene.run(&["tournament", "run", "t.toml"]).ends_with(0);
    assert!(done.stderr().contains("gone; trying again"), "{}", done.stderr());
    assert_eq!(scene.fake.calls("WatchTournament").len(), 2);
}

#[test]
fn several_files_are_played_one_after_the_other_and_the_first_verdict_counts() {
    let scene = Scene::new(AB);
    fs::write(scene.path("u.toml"), SMALL).unwrap();
    scene.fake.state().standings.ab =
        Some(v1::AbStanding { verdict: AbVerdict::NotBetter.into(), ..v1::AbStanding::default() });
    scene.fake.script([finished()]);
    scene.fake.script([finished()]);
    scene.run(&["tournament", "run", "t.toml", "u.toml", "--output", "out/"]).ends_with(4);
    assert!(scene.path("out/u.csv").exists());
    // Nothing is played while one of them is not right.
    fs::write(scene.path("u.toml"), "").unwrap();
    let before = scene.fake.state().calls.len();
    scene.run(&["tournament", "run", "t.toml", "u.toml"]).ends_with(64);
    assert_eq!(scene.fake.state().calls.len(), before);
}

#[test]
fn what_cannot_be_honoured_is_refused() {
    let scene = Scene::new(SMALL);
    for args in [
        &["tournament"][..],
        &["tournament", "create"],
        &["tournament", "list", "--state", "lost"],
        &["tournament", "run"],
        &["tournament", "run", "-"],
        &["tournament", "run", "t.toml", "--output", "report"],
        &["tournament", "run", "t.toml", "--output", "report.pdf"],
        &["tournament", "run", "t.toml", "t.toml", "--output", "report.html"],
        &["tournament", "run", "t.toml", "t.toml", "--state", "s"],
        &["tournament", "run", "t.toml", "--follow"],
        &["tournament", "export", "f0"],
        &["tournament", "export", "f0", "--format", "pdf"],
        &["--json", "tournament", "export", "f0", "--format", "json"],
        &["tournament", "withdraw", "f0", "--name", ""],
        &["tournament", "standings", "f0", "--format", "csv"],
    ] {
        let done = scene.run(args).ends_with(64);
        assert_eq!(done.stdout(), "", "{args:?}");
    }
    assert_eq!(scene.fake.state().calls, [""; 0]);
}

#[test]
fn reports_that_could_not_be_written_are_found_out_before_the_play() {
    let scene = Scene::new(SMALL);
    let args = ["--json", "tournament", "run", "t.toml", "--output", "t.toml/report.html"];
    assert_eq!(scene.run(&args).ends_with(1).error()["reason"], "FILE_UNWRITABLE");
    assert_eq!(scene.fake.state().calls, [""; 0]);
}

#[test]
fn every_example_is_right_and_there_is_one_for_each_format() {
    let scene = Scene::new(SMALL);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut kinds = Vec::new();
    for entry in fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        let done = scene.run(&["--json", "tournament", "create", path.to_str().unwrap()]).ends_with(0);
        let kind = done.json()[0]["config"]["format"]["kind"].as_str().unwrap().to_owned();
        assert_eq!(Some(kind.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
        kinds.push(kind);
    }
    kinds.sort();
    assert_eq!(kinds, ["ab-test", "elimination", "gauntlet", "ladder", "round-robin", "swiss"]);
}

#[test]
fn the_help_of_a_run_lists_its_exit_codes() {
    let scene = Scene::new(SMALL);
    let done = scene.run(&["tournament", "run", "--help"]).ends_with(0);
    for part in ["   0  ", "   1  ", "   2  ", "   3  ", "   4  ", "  64  ", ".run"] {
        assert!(done.stdout().contains(part), "{part:?} is missing in\n{}", done.stdout());
    }
}

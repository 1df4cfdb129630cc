//! Programs that play by lines, at the real service; and the transcript of `proto/LINES.md`, played anew.

#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::{Path, PathBuf};

use chickenfoot_bot::Runner;
use chickenfoot_bot::exec::{Bridge, Error, Fault, Program};
use chickenfoot_protocol::v1;
use common::{Service, house, reserved, within};
use tokio::sync::oneshot;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn highest() -> Program {
    Program::new("sh").arg(top().join("clients/lines/highest.sh"))
}

fn config(seats: Vec<v1::SeatSpec>) -> v1::MatchConfig {
    let rules = v1::Rules { rounds: Some(2), ..v1::Rules::default() };
    v1::MatchConfig { rules: Some(rules), seats, ..v1::MatchConfig::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_plays_several_matches_side_by_side() {
    let service = Service::start().await;
    let host = service.agent("host").await.client;
    let ann = service.agent("ann").await;
    for _ in 0..8 {
        host.create_match(config(vec![reserved("ann"), house("greedy"), reserved("ann")])).await.unwrap();
    }
    let bridge = Bridge::new(Runner::new(&service.address, &ann.token).games(8), highest());
    within(bridge.run(std::future::pending())).await.unwrap();
    let report = bridge.report();
    assert_eq!((report.stats.games, report.started, report.faults()), (8, 1, 0));
    let finished = host.matches(v1::MatchState::Finished, "").await.unwrap().entries;
    assert_eq!(finished.len(), 8);
    let ledgers = finished.iter().flat_map(|game| &game.seats).filter_map(|seat| seat.ledger);
    assert!(ledgers.into_iter().all(|ledger| ledger.strikes + ledger.illegal == 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_match_may_have_a_process_of_its_own() {
    let service = Service::start().await;
    let host = service.agent("host").await.client;
    let ann = service.agent("ann").await;
    let logs = tempfile::tempdir().unwrap();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let game = host.create_match(config(vec![reserved("ann"), house("greedy")])).await.unwrap();
        ids.push(game.id);
    }
    // Says which matches it was told of, and takes the first option.
    let script = r#"while IFS= read -r line; do
        match=${line#*'"match":"'} decision=${line#*'"decision":'}
        case $line in
        '{"type":"start",'*) echo "${match%%'"'*}" >&2 ;;
        '{"type":"decision",'*) printf '{"match":"%s","decision":%s,"option":0}\n' "${match%%'"'*}" "${decision%%,*}" ;;
        esac
    done"#;
    let program = Program::new("sh").args(["-c", script]).logs(logs.path(), 1000);
    let bridge = Bridge::new(Runner::new(&service.address, &ann.token).games(3), program).per_match();
    within(bridge.run(std::future::pending())).await.unwrap();
    let report = bridge.report();
    assert_eq!((report.stats.games, report.started, report.faults()), (3, 3, 0));
    for id in ids {
        let log = std::fs::read_to_string(logs.path().join(format!("{id}.stderr"))).unwrap();
        assert_eq!(log, format!("{id}\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_told_without_holes_if_they_are_wanted() {
    let service = Service::start().await;
    let host = service.agent("host").await.client;
    let ann = service.agent("ann").await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let game = host.create_match(config(vec![reserved("ann"), house("greedy")])).await.unwrap();
    let program = Program::new("sh").args(["-c", SCRIBE, "scribe"]).arg(&log);
    let bridge = Bridge::new(Runner::new(&service.address, &ann.token).games(1), program).events();
    within(bridge.run(std::future::pending())).await.unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("< "));
    let events: Vec<serde_json::Value> = lines
        .filter(|line| line.starts_with(r#"{"type":"event","match":""#))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let head = host.get_match(&game.id).await.unwrap().head_seq;
    assert_eq!(
        events.iter().map(|it| it["seq"].as_u64().unwrap()).collect::<Vec<_>>(),
        (1..=head).collect::<Vec<_>>()
    );
    let kinds: Vec<&str> = events.iter().map(|it| it["event"].as_str().unwrap()).collect();
    assert_eq!(kinds[..4], ["match_started", "round_started", "hand_dealt", "hand_dealt"]);
    assert_eq!(kinds.last(), Some(&"match_ended"));
    // One's own tiles are told, those of others are not.
    assert_eq!(events[2]["tiles"].as_array().unwrap().len(), 21);
    assert!(events[3]["tiles"].as_array().unwrap().is_empty());
    let played = events.iter().find(|it| it["event"] == "played").unwrap();
    assert!(played["tile"].is_string() && played["end"].is_u64() && played["line"].is_u64(), "{played}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_only_dies_ends_the_bridge_and_one_that_is_not_there_never_begins() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let run = async |program: Program| {
        let bridge = Bridge::new(Runner::new(&service.address, &ann.token), program);
        let error = within(bridge.run(std::future::pending())).await.unwrap_err();
        (error, bridge.report())
    };
    let (error, report) = run(Program::new("false").restarts(1)).await;
    assert!(matches!(error, Error::GaveUp { runs: 2, .. }), "{error}");
    assert_eq!((report.count(Fault::Died), report.started), (2, 2));
    let (error, report) = run(Program::new("no-such-program")).await;
    assert!(matches!(error, Error::NoProgram { .. }), "{error}");
    assert_eq!(report.started, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_decides_for_a_program_that_is_silent_unless_the_bridge_does() {
    let service = Service::start().await;
    let host = service.agent("host").await.client;
    let moment = prost_types::Duration { seconds: 0, nanos: 400_000_000 };
    let none = prost_types::Duration::default();
    for fallback in [false, true] {
        let name = format!("ann-{fallback}");
        let ann = service.agent(&name).await;
        let rules = v1::Rules { rounds: Some(1), max_pip: Some(6), ..v1::Rules::default() };
        let game = v1::MatchConfig {
            rules: Some(rules),
            decision_time: Some(moment),
            bank: Some(none),
            // The bridge has 50 ms to spare with each decision; a busy machine may make it late with some.
            strikes: Some(if fallback { 1000 } else { 2 }),
            seed: vec![7; 32],
            ..config(vec![reserved(&name), house("greedy")])
        };
        let game = host.create_match(game).await.unwrap();
        let program = Program::new("sleep").arg("1000").restarts(1000);
        let program = if fallback { program.fallback_first() } else { program };
        let bridge = Bridge::new(Runner::new(&service.address, &ann.token).games(1), program);
        within(bridge.run(std::future::pending())).await.unwrap();
        let report = bridge.report();
        assert!(report.faults() > 0);
        assert_eq!((report.fallbacks > 0, report.stats.choices > 0), (fallback, fallback));
        let ledger = host.get_match(&game.id).await.unwrap().seats[0].ledger.unwrap();
        assert!(fallback || ledger.late > 0, "{ledger:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bridge_that_is_stopped_ends_its_process() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let folder = tempfile::tempdir().unwrap();
    let script = format!("cat >{0}/lines; echo gone >>{0}/lines", folder.path().display());
    let program = Program::new("sh").args(["-c", &script]);
    let bridge = Bridge::new(Runner::new(&service.address, &ann.token), program);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = bridge.clone();
    let running = tokio::spawn(async move { running.run(async { drop(stopped.await) }).await });
    let host = service.agent("host").await.client;
    within(async {
        // It is there once its session is.
        while !host.agent("ann").await.unwrap().online || bridge.report().started == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    stop.send(()).unwrap();
    within(running).await.unwrap().unwrap();
    let lines = std::fs::read_to_string(folder.path().join("lines")).unwrap();
    assert_eq!(lines, "{\"type\":\"hello\",\"protocol\":1}\n{\"type\":\"stop\"}\ngone\n");
    assert_eq!(bridge.report().faults(), 0);
}

/// A program that keeps what it reads and writes, makes two mistakes, and then takes the first option.
const SCRIBE: &str = r#"
log=$1
say() {
    printf '> %s\n' "$1" >>"$log"
    printf '%s\n' "$1"
}
hear() {
    IFS= read -r line || exit
    printf '< %s\n' "$line" >>"$log"
}
first=yes
while :; do
    hear
    case $line in
    '{"type":"decision",'*)
        match=${line#*'"match":"'} match=${match%%'"'*}
        decision=${line#*'"decision":'} decision=${decision%%,*}
        move=${line#*'"options":["'} move=${move%%'"'*}
        if [ $first = yes ]; then
            first=no
            say "I take $move."
            hear
            say "{\"match\":\"$match\",\"decision\":$decision,\"option\":99}"
            hear
            say "{\"match\":\"$match\",\"decision\":$decision,\"move\":\"$move\"}"
        else
            say "{\"match\":\"$match\",\"decision\":$decision,\"option\":0}"
        fi ;;
    esac
done
"#;

/// The transcript stands in a fence at the end of the specification. To make it anew, run this test with
/// CHICKENFOOT_WRITE_TRANSCRIPT=1.
#[tokio::test(flavor = "multi_thread")]
async fn the_transcript_of_the_specification_is_a_real_one() {
    let spec = top().join("proto/LINES.md");
    let text = std::fs::read_to_string(&spec).unwrap();
    let played = transcript().await;
    let (before, written) = text
        .rsplit_once("\n```\n<")
        .map_or((text.as_str(), ""), |(before, rest)| (before, rest.trim_end().trim_end_matches("```")));
    if std::env::var_os("CHICKENFOOT_WRITE_TRANSCRIPT").is_some() {
        std::fs::write(&spec, format!("{}\n\n```\n{played}```\n", before.trim_end())).unwrap();
        return;
    }
    for (written, played) in format!("<{written}").lines().zip(played.lines()) {
        assert_eq!(written, played);
    }
    assert_eq!(format!("<{written}"), played);
}

/// What a program and the bridge say to each other in a match with a fixed seed. Its id and its times are made the same.
async fn transcript() -> String {
    let service = Service::start().await;
    let host = service.agent("host").await.client;
    let ann = service.agent("ann").await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let rules = v1::Rules { rounds: Some(1), max_pip: Some(6), ..v1::Rules::default() };
    let game = v1::MatchConfig {
        rules: Some(rules),
        seed: vec![7; 32],
        ..config(vec![house("greedy"), reserved("ann")])
    };
    let game = host.create_match(game).await.unwrap();
    let program = Program::new("sh").args(["-c", SCRIBE, "scribe"]).arg(&log);
    let bridge = Bridge::new(Runner::new(&service.address, &ann.token).games(1), program);
    within(bridge.run(std::future::pending())).await.unwrap();
    let report = bridge.report();
    assert_eq!((report.count(Fault::Garbage), report.count(Fault::Illegal), report.faults()), (1, 1, 2));
    let text = std::fs::read_to_string(&log).unwrap();
    let text = text.replace(&game.id, "81dcd589922e3f5c46dfbcc4c6f4b6b2");
    text.lines().map(|line| with_time(line) + "\n").collect()
}

/// A line with all the time that a decision can have.
fn with_time(line: &str) -> String {
    let Some((before, after)) = line.split_once("\"time_left_ms\":") else { return line.to_owned() };
    let (time, after) = after.split_once(',').unwrap();
    let time: u64 = time.parse().unwrap();
    assert!((30_000..=90_000).contains(&time), "{time} of 90 s");
    format!("{before}\"time_left_ms\":90000,{after}")
}

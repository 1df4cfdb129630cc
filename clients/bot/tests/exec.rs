//! Real processes: what each fault looks like, what becomes of them, and that the examples play alike.

#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chickenfoot_bot::exec::lines::{Event, Message, What};
use chickenfoot_bot::exec::{Bots, Fault, Ledger, Limits, Program, Report, Said, Worker};
use chickenfoot_bot::local::{LocalMatch, MakeBot, play};
use chickenfoot_bot::{Bot, GameInfo, Turn};
use chickenfoot_rules::{Hex32, Move, Preset, RuleOptions, Rules, Seed};
use tokio::sync::mpsc;

/// Nothing here takes nearly so long; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(50);

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("what was waited for came in time")
}

/// A folder with a shell script in it. Its first run does what `first` says with the first decision in `$line`, and then
/// all runs take the first option.
struct Script(tempfile::TempDir);

impl Script {
    fn new(first: &str) -> Script {
        let script = Script(tempfile::tempdir().unwrap());
        let text = format!(
            r#"cd "$(dirname "$0")"
answer() {{
    match=${{line#*'"match":"'}} decision=${{line#*'"decision":'}}
    printf '{{"match":"%s","decision":%s,"option":%s}}\n' "${{match%%'"'*}}" "${{decision%%,*}}" "$1"
}}
while IFS= read -r line; do
    case $line in
    '{{"type":"decision",'*)
        if mkdir was-here 2>/dev/null; then
            {first}
        fi
        answer 0 ;;
    *) printf '%s\n' "$line" >>others ;;
    esac
done
"#
        );
        std::fs::write(script.path("script"), text).unwrap();
        script
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self) -> Program {
        Program::new("sh").arg(self.path("script"))
    }

    /// What it kept of the lines that were no decisions.
    fn others(&self) -> String {
        std::fs::read_to_string(self.path("others")).unwrap()
    }

    /// The number that a run wrote there.
    fn number(&self, name: &str) -> i32 {
        std::fs::read_to_string(self.path(name)).unwrap().trim().parse().unwrap()
    }
}

fn rules(rounds: u8) -> Rules {
    RuleOptions { rounds: Some(rounds), ..RuleOptions::new(Preset::Classic, 2) }.resolve().unwrap()
}

/// A match of two bots, with a fixed seed.
fn digest(rounds: u8, makers: [MakeBot; 2]) -> Hex32 {
    let seats = ["a", "b"].map(str::to_owned).into_iter().zip(makers).collect();
    play(LocalMatch { rules: rules(rounds), seed: Seed::new([5; 32]), seats }).unwrap().digest
}

fn rust(choose: fn(&Turn) -> Move) -> MakeBot {
    struct Chooses(fn(&Turn) -> Move);
    impl Bot for Chooses {
        fn choose(&mut self, turn: &Turn) -> Move {
            (self.0)(turn)
        }
    }
    Box::new(move |_: &GameInfo| Box::new(Chooses(choose)))
}

/// A match in which the program has both seats, what went wrong, and how it was told.
async fn play_by(program: Program, rounds: u8) -> (Hex32, Report, Vec<String>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&told);
    let ledger = Ledger::new(move |note| tell.lock().unwrap().push(note.to_string()));
    let bots = Arc::new(Bots::start(program, &ledger));
    let playing = Arc::clone(&bots);
    let game = tokio::task::spawn_blocking(move || {
        let seats = [0, 1].map(|_| -> MakeBot {
            let bots = Arc::clone(&playing);
            Box::new(move |_: &GameInfo| bots.bot())
        });
        digest(rounds, seats)
    });
    let digest = within(game).await.unwrap();
    let bots = Arc::into_inner(bots).expect("the match is over");
    assert!(within(bots.stop()).await.is_none(), "it was given up");
    let told = told.lock().unwrap().clone();
    (digest, ledger.report(), told)
}

/// As [`play_by`], with a script whose first run makes this one fault and which must play on as if nothing had been.
async fn with_fault(first: &str, change: fn(Program) -> Program, fault: Fault) -> (Script, Report, String) {
    let script = Script::new(first);
    let (digest, report, told) = play_by(change(script.program()), 1).await;
    assert_eq!(digest, self::digest(1, [rust(|turn| turn.options[0]), rust(|turn| turn.options[0])]));
    assert_eq!((report.count(fault), report.faults(), report.fallbacks), (1, 1, 0), "{told:?}");
    (script, report, told.concat())
}

/// Waits until a process is gone, or nothing but its exit code is left: it was killed, and the system takes a moment.
async fn is_gone(id: i32) {
    let stat = || std::fs::read_to_string(format!("/proc/{id}/stat"));
    within(async {
        while stat().is_ok_and(|stat| !stat.contains(") Z ")) {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_dies_is_started_again_and_its_last_words_are_told() {
    let (_, report, told) = with_fault("echo 'out of luck' >&2; exit 3", |it| it, Fault::Died).await;
    assert_eq!(report.started, 2);
    assert_eq!(told, "died: exit status: 3; the last line on stderr: out of luck");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_hangs_is_killed_with_all_that_it_started() {
    let hang = "sleep 1000 & echo $! >child; echo $$ >self; wait";
    let quick = |program: Program| program.silence(Duration::from_secs(10));
    let (script, report, _) = with_fault(hang, quick, Fault::Silent).await;
    assert_eq!(report.started, 2);
    is_gone(script.number("self")).await;
    is_gone(script.number("child")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_answer_is_told_and_the_decision_stays_open() {
    let (script, report, told) = with_fault("echo 'Hello!'", |it| it, Fault::Garbage).await;
    assert_eq!(report.started, 1);
    assert!(told.starts_with("garbage: \"Hello!\" is no answer: expected value"), "{told}");
    assert!(script.others().contains(r#"{"type":"error","message":"expected value at line 1"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_without_end_is_garbage() {
    let long = "head -c 70000 /dev/zero | tr '\\0' x; echo";
    let (script, _, told) = with_fault(long, |it| it, Fault::Garbage).await;
    assert!(told.contains("at most 65536 bytes"), "{told}");
    assert!(
        script.others().contains(r#"{"type":"error","message":"a line has at most 65536 bytes","line":""}"#)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_illegal_answer_is_refused_and_another_one_taken() {
    let (script, _, told) = with_fault("answer 99", |it| it, Fault::Illegal).await;
    assert!(told.contains("option must be from 0 to"), "{told}");
    assert!(script.others().contains(r#""reason":"OPTION_OUT_OF_RANGE""#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_answer_is_refused() {
    let (script, _, _) = with_fault("answer 0; answer 1; continue", |it| it, Fault::Stale).await;
    assert!(script.others().contains(r#""reason":"DECISION_ANSWERED""#));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_does_not_read_is_killed() {
    let ledger = Ledger::default();
    let (said, _hears) = mpsc::unbounded_channel();
    let script = Script::new("");
    std::fs::write(script.path("script"), "cd \"$(dirname \"$0\")\"; echo $$ >self; exec sleep 1000")
        .unwrap();
    let worker = Worker::start(&script.program().queue(50).restarts(0), "program", &ledger, said);
    let event = || Event { match_id: "0".repeat(32), seq: 1, what: What::MatchAborted };
    within(async {
        // The pipe takes some thousand lines.
        while ledger.report().count(Fault::NotReading) == 0 {
            worker.tell(Message::Event(event())).await;
            tokio::task::yield_now().await;
        }
    })
    .await;
    within(worker.stop()).await;
    assert_eq!(ledger.report().faults(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_only_dies_is_given_up_and_the_match_goes_on() {
    let ledger = Ledger::default();
    let bots = Bots::start(Program::new("false").restarts(2), &ledger);
    let bot = bots.bot();
    let game = tokio::task::spawn_blocking(move || {
        let mut bot = Some(bot);
        let seat: MakeBot = Box::new(move |_: &GameInfo| bot.take().expect("one seat"));
        digest(1, [seat, rust(|turn| turn.options[0])])
    });
    within(game).await.unwrap();
    let error = within(bots.stop()).await.expect("it was given up");
    assert!(error.to_string().starts_with("false was given up after 3 runs in a row"), "{error}");
    assert_eq!(ledger.report().count(Fault::Died), 3);
    assert!(ledger.report().fallbacks > 0);
}

/// Starts a program that writes a line once it is ready for what is to come, and stops it then. It has this time to go by
/// itself, and once more after it was asked.
async fn stop_when_ready(script: &str, folder: &Path, time: Duration) -> Report {
    std::fs::write(folder.join("script"), script).unwrap();
    let ledger = Ledger::default();
    let (said, _hears) = mpsc::unbounded_channel();
    let program = Program::new("sh").arg(folder.join("script")).stop_time(time);
    let worker = Worker::start(&program, "program", &ledger, said);
    within(async {
        while ledger.report().count(Fault::Garbage) == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    within(worker.stop()).await;
    ledger.report()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_is_told_to_stop_then_asked_then_killed() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    // Goes by itself when it is told.
    let polite = "cd \"$(dirname \"$0\")\"; echo ready; cat >lines; echo gone >>lines";
    stop_when_ready(polite, folder.path(), Duration::from_secs(20)).await;
    assert!(read("lines").ends_with("{\"type\":\"stop\"}\ngone\n"), "{}", read("lines"));
    // Goes when it is asked.
    let slow =
        "cd \"$(dirname \"$0\")\"; trap 'echo asked >asked; exit' TERM; echo ready; sleep 1000 & wait; wait";
    stop_when_ready(slow, folder.path(), Duration::from_secs(2)).await;
    assert_eq!(read("asked"), "asked\n");
    // Does not go.
    let stubborn = "cd \"$(dirname \"$0\")\"; trap '' TERM; sleep 1000 & echo \"$$ $!\" >ids; echo ready; wait; sleep 1000";
    let report = stop_when_ready(stubborn, folder.path(), Duration::from_millis(200)).await;
    for id in read("ids").split_whitespace() {
        is_gone(id.parse().unwrap()).await;
    }
    // An end that was asked for is no fault.
    assert_eq!(report.count(Fault::Died), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold_for_the_program() {
    let script = Script::new("ulimit -t >cpu; ulimit -v >memory");
    let limits = Limits { cpu: Some(77), memory: Some(4_000_000) };
    let (_, report, _) = play_by(script.program().limits(limits), 1).await;
    assert_eq!(report.faults(), 0);
    assert_eq!((script.number("cpu"), script.number("memory")), (77, 4_000_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn stderr_is_kept_across_runs() {
    let script = Script::new("echo 'first run' >&2; exit 1");
    let logs = script.path("logs");
    std::fs::create_dir(&logs).unwrap();
    let (_, report, _) = play_by(script.program().logs(&logs, 1000), 1).await;
    assert_eq!(report.started, 2);
    assert_eq!(std::fs::read_to_string(logs.join("program.stderr")).unwrap(), "first run\n");
}

fn highest(turn: &Turn) -> Move {
    let pips = |option: &Move| match option {
        Move::Play { tile, .. } => 1 + tile.pips(),
        Move::Draw | Move::Pass | Move::Keep => 0,
    };
    // The first of equals.
    *turn.options.iter().rev().max_by_key(|option| pips(option)).unwrap()
}

/// All that can be run here; python3 and sh always can.
#[tokio::test(flavor = "multi_thread")]
async fn the_examples_play_as_the_same_strategy_in_rust() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lines");
    let rounds = 3;
    let expected = digest(rounds, [rust(highest), rust(highest)]);
    assert_ne!(
        expected,
        digest(rounds, [rust(|turn| turn.options[0]), rust(highest)]),
        "the strategy matters"
    );
    for (command, must) in [
        ("python3 highest.py", true),
        ("sh highest.sh", true),
        ("dash highest.sh", false),
        ("bash highest.sh", false),
        ("busybox sh highest.sh", false),
        ("node highest.js", false),
        ("mawk -W interactive -f highest.awk", false),
        ("gawk -f highest.awk", false),
        ("busybox awk -f highest.awk", false),
    ] {
        let (interpreter, args) = command.split_once(' ').unwrap();
        if !must && !is_there(interpreter) {
            continue;
        }
        let args = args.split(' ').map(|word| match word.starts_with("highest") {
            true => folder.join(word).into_os_string(),
            false => word.into(),
        });
        let (digest, report, told) = play_by(Program::new(interpreter).args(args), rounds).await;
        assert_eq!(report.faults(), 0, "{command}: {told:?}");
        assert_eq!(digest, expected, "{command}");
    }
}

fn is_there(command: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| {
        folder.join(command).metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_given_up_says_so() {
    let (said, mut hears) = mpsc::unbounded_channel();
    let _worker = Worker::start(&Program::new("no-such-program").restarts(0), "x", &Ledger::default(), said);
    match within(hears.recv()).await {
        Some(Said::GaveUp(error)) => assert!(error.to_string().contains("cannot be started"), "{error}"),
        other => panic!("{other:?}"),
    }
}

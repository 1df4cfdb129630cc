//! Decisions for tests, and processes that are none.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chickenfoot_rules::{Move, Preset, RuleOptions, Rules, Seed};
use tokio::sync::{mpsc, oneshot};

use super::lines::{Decision, Message, Start};
use super::process::{Launch, Output, Running};
use crate::bot::{Bot, GameInfo, Turn};
use crate::local::{LocalMatch, MakeBot, play};

/// A round for two, with tiles up to 6-6.
pub(super) fn rules() -> Rules {
    let options = RuleOptions { max_pip: Some(6), rounds: Some(1), ..RuleOptions::new(Preset::Trains, 2) };
    options.resolve().unwrap()
}

/// All turns of a match in which the first option is played.
pub(super) fn turns() -> Vec<Turn> {
    struct Keeps(Arc<Mutex<Vec<Turn>>>);
    impl Bot for Keeps {
        fn choose(&mut self, turn: &Turn) -> Move {
            self.0.lock().unwrap().push(turn.clone());
            turn.options[0]
        }
    }
    let kept = Arc::new(Mutex::new(Vec::new()));
    let seat = |name: &str| {
        let kept = Arc::clone(&kept);
        let make: MakeBot = Box::new(move |_: &GameInfo| Box::new(Keeps(Arc::clone(&kept))));
        (name.to_owned(), make)
    };
    let seats = vec![seat("a"), seat("b")];
    play(LocalMatch { rules: rules(), seed: Seed::new([7; 32]), seats }).unwrap();
    std::mem::take(&mut kept.lock().unwrap())
}

pub(super) fn start(match_id: &str) -> Message {
    Message::Start(Start {
        match_id: match_id.to_owned(),
        seats: vec![0],
        names: vec!["a".to_owned(), "b".to_owned()],
        rules: rules(),
    })
}

/// A decision with so many seconds left.
pub(super) fn decision(match_id: &str, number: u32, seconds: u64) -> Message {
    let turn = turns().swap_remove(0);
    assert!(turn.options.len() > 1, "a real choice");
    let turn = Turn { time_left: Duration::from_secs(seconds), ..turn };
    Message::Decision(Box::new(Decision { match_id: match_id.to_owned(), number, turn }))
}

/// Tells of every process that is launched.
pub(super) struct Fake(mpsc::UnboundedSender<FakeProcess>);

/// A process that the test plays.
pub(super) struct FakeProcess {
    pub(super) lines: mpsc::Receiver<String>,
    out: mpsc::Sender<Output>,
    /// Ready when it is told to stop, or killed.
    pub(super) stop: oneshot::Receiver<Duration>,
}

impl Fake {
    pub(super) fn new() -> (Fake, mpsc::UnboundedReceiver<FakeProcess>) {
        let (sender, launched) = mpsc::unbounded_channel();
        (Fake(sender), launched)
    }
}

impl Launch for Fake {
    fn launch(&mut self) -> io::Result<Running> {
        let (input, lines) = mpsc::channel(1000);
        let (out, output) = mpsc::channel(1000);
        let (stop, stopped) = oneshot::channel();
        let process = FakeProcess { lines, out, stop: stopped };
        self.0.send(process).map_err(|_| io::ErrorKind::NotFound)?;
        Ok(Running { input, output, stop })
    }
}

impl FakeProcess {
    /// The next line, cut behind its type, as in `hello` or `decision 6`.
    pub(super) async fn line(&mut self) -> String {
        // Longer than anything here takes, in time that is paused.
        let line = tokio::time::timeout(Duration::from_secs(1000), self.lines.recv()).await;
        let line = line.expect("a line comes in time").expect("a line comes");
        let line: serde_json::Value = serde_json::from_str(&line).expect("a line is JSON");
        let kind = line["type"].as_str().expect("a line has a type").to_owned();
        let about = ["decision", "reason", "event"].iter().filter_map(|key| line.get(key));
        about.fold(kind, |text, value| format!("{text} {}", value.to_string().trim_matches('"')))
    }

    pub(super) async fn lines<const N: usize>(&mut self) -> [String; N] {
        let mut lines = [const { String::new() }; N];
        for line in &mut lines {
            *line = self.line().await;
        }
        lines
    }

    pub(super) async fn write(&self, line: impl AsRef<[u8]>) {
        self.out.send(Output::Line(line.as_ref().to_vec())).await.expect("somebody reads");
    }

    pub(super) async fn answer(&self, match_id: &str, decision: u32, option: u32) {
        self.write(format!(r#"{{"match":"{match_id}","decision":{decision},"option":{option}}}"#)).await;
    }

    pub(super) async fn die(self) {
        let _ = self.out.send(Output::Ended("exit status: 3".to_owned())).await;
    }
}

use std::path::{Path, PathBuf};
use std::time::Duration;

use chickenfoot_bot::Runner;
use chickenfoot_bot::exec::{Bridge, Error, Fault, Note, Program};
use chickenfoot_protocol::v1;
use chickenfoot_rules::{Tile, View};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::transcript::{Happened, Promise, Transcript};

/// Lines that may wait to be read: a program that reads is never so far behind.
const QUEUE: usize = 256;

/// How long the program may take to end when its stdin does.
const STOP: Duration = Duration::from_secs(2);

/// Bytes of its stderr that are kept.
const LOG: u64 = 64 * 1024;

/// A program that speaks the line protocol, run by the bridge that `chickenfoot agent exec` is. It ends with this value.
pub(crate) struct Lines {
    stop: Option<oneshot::Sender<()>>,
    running: JoinSet<()>,
    folder: PathBuf,
}

impl Lines {
    /// Starts the program; its faults and its end go to the transcript, what it writes to stderr into the folder.
    pub(crate) fn start(
        command: &[String],
        address: &str,
        token: &str,
        folder: &Path,
        transcript: &Transcript,
    ) -> Result<Lines, String> {
        let [program, arguments @ ..] = command else {
            return Err("there is no command".to_owned());
        };
        let folder = folder.join("stderr");
        let program = Program::new(program).args(arguments).queue(QUEUE).stop_time(STOP).logs(&folder, LOG);
        let noted = transcript.clone();
        let bridge =
            Bridge::new(Runner::new(address, token), program).on_fault(move |note| tell(&noted, note));
        let (stop, stopped) = oneshot::channel();
        let transcript = transcript.clone();
        let mut running = JoinSet::new();
        running.spawn(async move {
            let stopped = async {
                // Dropped means the same: it is to stop.
                let _ = stopped.await;
            };
            let ended = bridge.run(stopped).await;
            if let Err(why) = ended {
                transcript.push(Happened::Exited(why_ended(&why)));
            }
        });
        Ok(Lines { stop: Some(stop), running, folder })
    }

    /// Whether the bridge has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.running.is_empty()
    }

    /// Closes the program's stdin. Whether it ended by itself.
    pub(crate) async fn stop(&mut self) -> bool {
        drop(self.stop.take());
        tokio::time::timeout(STOP, self.running.join_next()).await.is_ok()
    }

    /// What it wrote to stderr last, at most so many lines.
    pub(crate) fn last_words(&self, lines: usize) -> Vec<String> {
        let text = std::fs::read(self.folder.join("program.stderr")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let all: Vec<String> = text.lines().map(str::to_owned).collect();
        all[all.len().saturating_sub(lines)..].to_vec()
    }
}

fn why_ended(why: &Error) -> String {
    match why {
        Error::Service(chickenfoot_bot::Error::Replaced) => "the bridge was replaced".to_owned(),
        other => other.to_string(),
    }
}

/// Takes a fault into the transcript, under the promise that it breaks.
fn tell(transcript: &Transcript, note: &Note) {
    let match_id = note.match_id.clone().unwrap_or_default();
    let asked = note.decision.and_then(|number| transcript.decision(&match_id, number));
    // What the service refused is in the transcript already, with its reason.
    let Some(promise) = promise(note, asked.as_ref()) else { return };
    let what = match note.decision {
        Some(number) => format!("{}, to decision {number}: {}", note.fault, note.text),
        None => format!("{}: {}", note.fault, note.text),
    };
    transcript.push(Happened::Fault { promise, match_id, what });
}

fn promise(note: &Note, asked: Option<&v1::Decision>) -> Option<Promise> {
    let text = note.text.as_str();
    Some(match note.fault {
        Fault::Died => Promise::KeepsRunning,
        Fault::Silent | Fault::Late => Promise::AnswersInTime,
        Fault::NotReading => Promise::Reads,
        Fault::Garbage => Promise::SpeaksTheProtocol,
        Fault::Illegal => illegal(text, asked),
        Fault::Stale if text.starts_with("the service refused") => return None,
        Fault::Stale if text.starts_with("the decision is answered") => Promise::OneAnswer,
        Fault::Stale if text.ends_with("is open") && !text.starts_with("no ") => Promise::OpenDecision,
        Fault::Stale => Promise::OnlyWhatIsAsked,
    })
}

/// Which promise an answer breaks that is no option: `"play 4-9 9" is none of the options`.
fn illegal(text: &str, asked: Option<&v1::Decision>) -> Promise {
    let Some((tile, hand)) = laid(text).zip(asked.and_then(|asked| asked.view.as_ref())) else {
        return Promise::OptionInRange;
    };
    match View::try_from(hand) {
        Ok(view) if view.hand.contains(tile) => Promise::EndThatFits,
        Ok(_) => Promise::TileInHand,
        Err(_) => Promise::OptionInRange,
    }
}

/// The tile of a play in a line.
fn laid(text: &str) -> Option<Tile> {
    let words = text.strip_prefix("\"play ")?;
    words.split(' ').next()?.parse().ok()
}

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chickenfoot_rules::Move;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::error::Error;
use super::fault::Ledger;
use super::lines::{Decision, End, Message, Outcome, Start};
use super::program::Program;
use super::worker::{Said, Worker};
use crate::bot::{Bot, GameEnd, GameInfo, Turn};

/// Where no clock runs, a process that writes nothing for so long counts as stuck, unless the program says otherwise.
const SILENCE: Duration = Duration::from_secs(30);

/// A program as [`Bot`]s, for [`crate::local::play`]: matches without a service.
///
/// Each bot is a match of its own to the program. A bot waits for its answer, so it must not be asked on a thread of the
/// runtime; `tokio::task::spawn_blocking` has others. If the program is given up, the first option is played.
pub struct Bots {
    worker: Arc<Worker>,
    waiting: Arc<Mutex<Waiting>>,
    next: AtomicU64,
    ledger: Ledger,
    router: JoinHandle<Option<Error>>,
}

/// Who waits for the answers of which match; none any more once the program was given up.
type Waiting = Option<HashMap<String, Sender<Move>>>;

struct ProgramBot {
    id: String,
    worker: Arc<Worker>,
    waiting: Arc<Mutex<Waiting>>,
    answers: Receiver<Move>,
    ledger: Ledger,
    asked: u32,
}

impl Bots {
    /// Starts the program. Must be called in a tokio runtime.
    pub fn start(program: Program, ledger: &Ledger) -> Bots {
        let silence = Some(program.silence.unwrap_or(SILENCE));
        let (said, hears) = mpsc::unbounded_channel();
        let worker = Worker::start(&Program { silence, ..program }, "program", ledger, said);
        let waiting = Arc::new(Mutex::new(Some(HashMap::new())));
        let router = tokio::spawn(route(hears, Arc::clone(&waiting)));
        let worker = Arc::new(worker);
        Bots { worker, waiting, next: AtomicU64::new(1), ledger: ledger.clone(), router }
    }

    /// A bot for a seat.
    pub fn bot(&self) -> Box<dyn Bot> {
        let id = format!("{:032x}", self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, answers) = channel();
        if let Some(waiting) = &mut *lock(&self.waiting) {
            waiting.insert(id.clone(), sender);
        }
        Box::new(ProgramBot {
            id,
            worker: Arc::clone(&self.worker),
            waiting: Arc::clone(&self.waiting),
            answers,
            ledger: self.ledger.clone(),
            asked: 0,
        })
    }

    /// Ends the process, once all bots are dropped, and says why the program was given up if it was.
    pub async fn stop(self) -> Option<Error> {
        // As long as there are bots the worker goes on with them, and ends with the last.
        if let Some(worker) = Arc::into_inner(self.worker) {
            worker.stop().await;
        }
        self.router.await.ok().flatten()
    }
}

async fn route(mut hears: mpsc::UnboundedReceiver<Said>, waiting: Arc<Mutex<Waiting>>) -> Option<Error> {
    while let Some(said) = hears.recv().await {
        match said {
            Said::Answer(answer) => {
                if let Some(bot) = lock(&waiting).as_ref().and_then(|bots| bots.get(&answer.match_id)) {
                    // Fails only if the bot is gone.
                    let _ = bot.send(answer.action);
                }
            }
            Said::GaveUp(error) => {
                *lock(&waiting) = None;
                return Some(error);
            }
        }
    }
    None
}

fn lock(waiting: &Mutex<Waiting>) -> std::sync::MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bot for ProgramBot {
    fn start(&mut self, game: &GameInfo) {
        self.worker.tell_blocking(Message::Start(Start {
            match_id: self.id.clone(),
            seats: vec![game.seat.number().into()],
            names: game.names.clone(),
            rules: game.rules,
        }));
    }

    fn choose(&mut self, turn: &Turn) -> Move {
        self.asked += 1;
        let decision = Decision { match_id: self.id.clone(), number: self.asked, turn: turn.clone() };
        self.worker.tell_blocking(Message::Decision(Box::new(decision)));
        self.answers.recv().unwrap_or_else(|_| {
            self.ledger.change(|report| report.fallbacks += 1);
            turn.options[0]
        })
    }

    fn end(&mut self, _: &GameInfo, end: &GameEnd) {
        let outcome = if end.finished { Outcome::Finished } else { Outcome::Aborted };
        self.worker.tell_blocking(Message::End(End {
            match_id: self.id.clone(),
            outcome,
            totals: end.totals.clone(),
            places: end.places.clone(),
            digest: end.digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        }));
    }
}

impl Drop for ProgramBot {
    fn drop(&mut self) {
        if let Some(waiting) = &mut *lock(&self.waiting) {
            waiting.remove(&self.id);
        }
    }
}

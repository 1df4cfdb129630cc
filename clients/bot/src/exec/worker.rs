use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub use super::desk::Answer;
use super::desk::{Desk, Todo, too_long};
use super::error::Error;
use super::fault::{Fault, Ledger, Note};
use super::lines::{self, Message};
use super::process::{Launch, Launcher, Output, Running};
use super::program::Program;
use super::restarts::Restarts;

/// Messages that may wait for a worker, which takes them at once.
const INBOX: usize = 256;

/// After so many lines in a row that are of no use a process is started again.
const USELESS: u32 = 100;

/// A program that is kept running and plays what it is told.
///
/// What is told is sent to its process as lines; the answers come out as [`Said`]. A process that ends or is stuck is
/// started again, is told its matches anew, and is asked anew what is still open.
pub struct Worker {
    inbox: mpsc::Sender<Message>,
    task: JoinHandle<()>,
}

/// What comes from a [`Worker`].
#[derive(Debug)]
pub enum Said {
    /// An answer, which is one of the options.
    Answer(Answer),
    /// The program is not started any more. Nothing more comes, and what it is told is lost.
    GaveUp(Error),
}

impl Worker {
    /// Starts the program. Its faults go to the ledger under `label`, and what it says to `said`. Must be called in a tokio
    /// runtime.
    pub fn start(
        program: &Program,
        label: &str,
        ledger: &Ledger,
        said: mpsc::UnboundedSender<Said>,
    ) -> Worker {
        let launcher = Launcher { program: program.clone(), label: label.to_owned() };
        Worker::of(launcher, program, label, ledger, said)
    }

    pub(super) fn of(
        launch: impl Launch,
        program: &Program,
        label: &str,
        ledger: &Ledger,
        said: mpsc::UnboundedSender<Said>,
    ) -> Worker {
        let (inbox, messages) = mpsc::channel(INBOX);
        let work = Work {
            launch,
            desk: Desk::new(program.silence, program.fallback),
            restarts: Restarts::new(program.restarts),
            process: Process::Off(Instant::now()),
            useless: 0,
            program: program.clone(),
            label: label.to_owned(),
            ledger: ledger.clone(),
            said,
        };
        Worker { inbox, task: tokio::spawn(work.run(messages)) }
    }

    /// Tells the program something.
    pub async fn tell(&self, message: Message) {
        // Fails only after it was given up, which was said.
        let _ = self.inbox.send(message).await;
    }

    /// As [`Worker::tell`], on a thread that may wait.
    pub(super) fn tell_blocking(&self, message: Message) {
        let _ = self.inbox.blocking_send(message);
    }

    /// Tells the program to stop, and waits until its process has ended, which takes a bounded time. A worker that is
    /// dropped stops too, unwatched.
    pub async fn stop(self) {
        drop(self.inbox);
        // It does not panic, and nobody aborts it.
        let _ = self.task.await;
    }
}

struct Work<L> {
    launch: L,
    desk: Desk,
    restarts: Restarts,
    process: Process,
    /// Useless lines in a row.
    useless: u32,
    program: Program,
    label: String,
    ledger: Ledger,
    said: mpsc::UnboundedSender<Said>,
}

enum Process {
    /// None runs; the next is started at this time.
    Off(Instant),
    /// One runs, and wrote a line at this time, or was started.
    On(Running, Instant),
}

impl Process {
    fn heard(&self) -> Option<Instant> {
        match self {
            Process::On(_, heard) => Some(*heard),
            Process::Off(_) => None,
        }
    }

    async fn output(&mut self) -> Output {
        match self {
            Process::On(running, _) => {
                let gone = || Output::Ended("it is gone".to_owned());
                running.output.recv().await.unwrap_or_else(gone)
            }
            Process::Off(_) => std::future::pending().await,
        }
    }
}

/// The program is given up.
struct GivenUp;

impl<L: Launch> Work<L> {
    async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        while let Ok(true) = self.step(&mut messages).await {}
        if let Process::On(running, _) = self.process {
            let _ = running.input.try_send(lines::stop());
            running.stop(self.program.stop_time).await;
        }
    }

    /// Waits for something, and does what has to be done. Is false at the end of the messages.
    async fn step(&mut self, messages: &mut mpsc::Receiver<Message>) -> Result<bool, GivenUp> {
        let next = self.next();
        tokio::select! {
            message = messages.recv() => match message {
                Some(message) => {
                    let todo = self.desk.take(message, Instant::now());
                    self.act(todo)?;
                }
                None => return Ok(false),
            },
            output = self.process.output() => self.hear(output)?,
            () = sleep_until(next) => self.time_passes()?,
        }
        Ok(true)
    }

    fn next(&self) -> Option<Instant> {
        let start = match self.process {
            Process::Off(start) => Some(start),
            Process::On(..) => None,
        };
        start.into_iter().chain(self.desk.next(self.process.heard())).min()
    }

    fn time_passes(&mut self) -> Result<(), GivenUp> {
        let now = Instant::now();
        if matches!(self.process, Process::Off(start) if start <= now) {
            return self.start();
        }
        let (todo, stuck) = self.desk.due(now, self.process.heard());
        // Counted here: one that was lost on its way is said again.
        self.ledger.change(|report| report.fallbacks += todo.answers.len() as u64);
        self.act(todo)?;
        if stuck { self.restart("it was stuck") } else { Ok(()) }
    }

    fn start(&mut self) -> Result<(), GivenUp> {
        match self.launch.launch() {
            Ok(running) => {
                self.ledger.change(|report| report.started += 1);
                self.restarts.started();
                self.useless = 0;
                self.process = Process::On(running, Instant::now());
                let say = self.desk.again(Instant::now());
                self.say(say)
            }
            Err(why) => self.died(&format!("cannot be started: {why}")),
        }
    }

    fn hear(&mut self, output: Output) -> Result<(), GivenUp> {
        let todo = match output {
            Output::Ended(how) => return self.died(&how),
            Output::TooLong => too_long(Program::LINE_BYTES),
            Output::Line(line) => self.desk.hear(&line),
        };
        if let Process::On(_, heard) = &mut self.process {
            *heard = Instant::now();
        }
        // Blank lines and answers that came before are neither.
        if !todo.answers.is_empty() {
            self.useless = 0;
        } else if !todo.faults.is_empty() {
            self.useless += 1;
        }
        self.act(todo)?;
        if self.useless < USELESS {
            return Ok(());
        }
        self.restart("it wrote nothing of use")
    }

    fn act(&mut self, todo: Todo) -> Result<(), GivenUp> {
        for wrong in todo.faults {
            let (match_id, decision) = wrong.about.unzip();
            self.fault(Note { match_id, decision, ..self.note(wrong.fault, wrong.text) });
        }
        for answer in todo.answers {
            if !answer.fallback {
                self.restarts.answered();
            }
            // Fails only when nobody listens any more, and then the messages end too.
            let _ = self.said.send(Said::Answer(answer));
        }
        self.say(todo.say)
    }

    /// Writes lines to the process, if one runs; the next one is told anew.
    fn say(&mut self, lines: Vec<String>) -> Result<(), GivenUp> {
        let Process::On(running, _) = &self.process else { return Ok(()) };
        // Two lines are due for each match that goes on: that it does, and its decision.
        let room = self.program.queue + 2 * self.desk.games();
        let fits = lines.into_iter().all(|line| {
            running.unread() < room
                && !matches!(running.input.try_send(line), Err(mpsc::error::TrySendError::Full(_)))
        });
        if fits {
            return Ok(());
        }
        self.fault(self.note(Fault::NotReading, format!("{room} lines wait to be read")));
        self.restart("it did not read")
    }

    fn died(&mut self, how: &str) -> Result<(), GivenUp> {
        self.fault(self.note(Fault::Died, how.to_owned()));
        self.restart(how)
    }

    /// Ends the process, if it still runs, and has another one started after a pause.
    fn restart(&mut self, how: &str) -> Result<(), GivenUp> {
        match self.restarts.ended() {
            Some(pause) => {
                self.process = Process::Off(Instant::now() + pause);
                Ok(())
            }
            None => {
                self.process = Process::Off(Instant::now());
                let error = Error::GaveUp {
                    command: self.program.name(),
                    runs: self.restarts.failures(),
                    last: how.to_owned(),
                };
                let _ = self.said.send(Said::GaveUp(error));
                Err(GivenUp)
            }
        }
    }

    fn note(&self, fault: Fault, text: String) -> Note {
        Note { fault, label: self.label.clone(), match_id: None, decision: None, text, count: 0 }
    }

    fn fault(&self, note: Note) {
        self.ledger.fault(note);
    }
}

async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending::<()>().await,
    }
}

#[cfg(test)]
mod tests;

//! A service that knows agents' names and tournaments, plays nothing, and does what it is told: for the tests of the
//! client and of the command line, which need a service that breaks at a given moment.

// Each test crate uses what it needs of it.
#![allow(dead_code)]

mod agents;
mod tournaments;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use chickenfoot_protocol::v1;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Code, Request, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// A running fake; it stops when it is dropped.
pub struct Fake {
    /// Where it listens, as in `http://127.0.0.1:1234`.
    pub address: String,
    state: Arc<Mutex<State>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What a watch does, step by step; after the last its stream ends.
#[derive(Clone)]
pub enum Step {
    /// Tells how the tournament stands now: its state, progress and message are taken over.
    Say(Box<v1::WatchTournamentResponse>),
    /// Breaks off with this.
    Break(Status),
    /// Is silent for ever.
    Hold,
}

#[derive(Default)]
pub struct State {
    /// The calls that came, in order: the method, and what the test may want to know of it.
    pub calls: Vec<String>,
    /// What the next watches do. Without one a watch is refused.
    pub watches: VecDeque<Vec<Step>>,
    /// What the next calls of a method fail with.
    pub failures: HashMap<&'static str, VecDeque<Status>>,
    /// What is told of the standings, beside the tournament itself.
    pub standings: v1::GetStandingsResponse,
    /// The parts of every report; the form's name stands in front.
    pub report: Vec<Vec<u8>>,
    pub tournaments: Vec<v1::Tournament>,
    pub entrants: Vec<v1::TournamentEntrant>,
    /// The tournaments by caller and request id.
    made: HashMap<(String, String), usize>,
}

impl Fake {
    /// Starts one on a free port, on a thread of its own.
    pub fn start() -> Fake {
        let state = Arc::new(Mutex::new(State::default()));
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.expect("there are threads and files to be had");
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
                let address = listener.local_addr().expect("it is bound");
                tell.send(address).expect("the test waits for it");
                let tournaments = v1::tournament_service_server::TournamentServiceServer::new(
                    tournaments::Tournaments(Arc::clone(&shared)),
                );
                let agents =
                    v1::agent_service_server::AgentServiceServer::new(agents::Agents(Arc::clone(&shared)));
                let serving = Server::builder()
                    .add_service(tournaments)
                    .add_service(agents)
                    .serve_with_incoming(TcpListenerStream::new(listener));
                tokio::select! {
                    served = serving => served.expect("the listener lasts"),
                    _ = stopped => {}
                }
            });
        });
        let address = format!("http://{}", told.recv().expect("the thread tells or panics"));
        Fake { address, state, stop: Some(stop), thread: Some(thread) }
    }

    /// What it knows and does.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panicked with it")
    }

    /// Has the next watch do this.
    pub fn script(&self, steps: impl IntoIterator<Item = Step>) {
        self.state().watches.push_back(steps.into_iter().collect());
    }

    /// Has the next call of a method fail.
    pub fn fail(&self, method: &'static str, status: Status) {
        self.state().failures.entry(method).or_default().push_back(status);
    }

    /// The calls of a method that came, each with what is noted of it.
    pub fn calls(&self, method: &str) -> Vec<String> {
        let state = self.state();
        state.calls.iter().filter(|call| call.split(' ').next() == Some(method)).cloned().collect()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the fake has been printed; the test fails by what it waits for.
            let _ = thread.join();
        }
    }
}

impl State {
    /// Notes a call, and fails it if that is wanted.
    fn call(&mut self, method: &'static str, about: &str) -> Result<(), Status> {
        self.calls.push(format!("{method} {about}").trim_end().to_owned());
        match self.failures.get_mut(method).and_then(VecDeque::pop_front) {
            None => Ok(()),
            Some(status) => Err(status),
        }
    }

    fn tournament(&mut self, id: &str) -> Result<&mut v1::Tournament, Status> {
        let found = self.tournaments.iter_mut().find(|it| it.id == id);
        found.ok_or_else(|| refusal(Code::NotFound, "TOURNAMENT_NOT_FOUND"))
    }
}

/// A refusal as the service makes them.
pub fn refusal(code: Code, reason: &str) -> Status {
    let details = ErrorDetails::with_error_info(reason, "chickenfoot", []);
    Status::with_error_details(code, format!("refused: {reason}"), details)
}

/// How a tournament stands: so many blocks of so many.
pub fn standing(state: v1::TournamentState, finished: u32, total: u32) -> v1::WatchTournamentResponse {
    let progress = v1::TournamentProgress {
        finished_blocks: finished,
        total_blocks: total,
        finished_matches: 3 * finished,
        ..v1::TournamentProgress::default()
    };
    let tournament =
        v1::Tournament { state: state.into(), progress: Some(progress), ..v1::Tournament::default() };
    v1::WatchTournamentResponse { tournament: Some(tournament), ..v1::WatchTournamentResponse::default() }
}

/// The caller's name; the token of ann is `token-ann`.
fn caller<T>(request: &Request<T>) -> Result<String, Status> {
    let value = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
    let name = value.and_then(|value| value.strip_prefix("Bearer token-"));
    name.map(str::to_owned).ok_or_else(|| refusal(Code::Unauthenticated, "TOKEN_MISSING"))
}

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chickenfoot_protocol::v1;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tonic::Status;
use tonic::transport::Channel;

mod call;
mod disturb;
mod play;
mod session;

pub(crate) use disturb::Disturb;
pub(crate) use session::unknown_kind;

use crate::transcript::{Happened, Transcript};

/// Stands between the bot and the real server. It passes everything on, keeps the transcript of the sessions, and
/// disturbs them when a check asks for it. It outlives the server: to the bot a restart is a broken stream.
pub(crate) struct Gateway {
    shared: Arc<Shared>,
    address: String,
    /// Ends with the gateway, and all connections with it.
    _accepting: JoinSet<()>,
}

/// What the connections share.
pub(crate) struct Shared {
    pub(crate) transcript: Transcript,
    state: Mutex<State>,
    /// Whether nothing passes on the sessions.
    held: watch::Sender<bool>,
    /// Rises when all connections have to be cut.
    cuts: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    upstream: Option<Channel>,
    /// How much later each message of a session arrives.
    delay: Duration,
    planned: Vec<Disturb>,
    sessions: u32,
    /// The way down to the bot of the newest session.
    down: Option<mpsc::Sender<Result<Bytes, Status>>>,
}

impl Gateway {
    /// A gateway that has no server behind it yet.
    ///
    /// # Errors
    /// No port is to be had.
    pub(crate) async fn open(transcript: Transcript) -> std::io::Result<Gateway> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared {
            transcript,
            state: Mutex::default(),
            held: watch::Sender::new(false),
            cuts: watch::Sender::new(0),
        });
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Gateway { shared, address, _accepting: accepting })
    }

    /// Where the bot finds it.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Passes calls on to this server from now on, or to none.
    pub(crate) fn upstream(&self, channel: Option<Channel>) {
        self.shared.state().upstream = channel;
    }

    /// Does something once, to the next message that it is about.
    pub(crate) fn plan(&self, disturb: Disturb) {
        self.shared.state().planned.push(disturb);
    }

    /// Whether everything that was planned has happened.
    pub(crate) fn is_done(&self) -> bool {
        self.shared.state().planned.is_empty()
    }

    /// Lets every message of a session arrive so much later, in both directions.
    pub(crate) fn delay(&self, delay: Duration) {
        self.shared.state().delay = delay;
    }

    /// Holds back all that the sessions carry, or lets it go.
    pub(crate) fn hold(&self, held: bool) {
        if held {
            self.shared.transcript.excuse();
            self.shared.transcript.note("the doctor holds back everything, as a dead line would");
        }
        self.shared.held.send_replace(held);
    }

    /// Cuts all connections of the bot.
    pub(crate) fn cut(&self) {
        self.shared.cut();
    }

    /// Sends bytes down the newest session, as a message of the service. `what` names it in the transcript.
    pub(crate) async fn inject(&self, message: Bytes, what: &str) {
        self.shared.transcript.note(what);
        let down = self.shared.state().down.clone();
        if let Some(down) = down {
            // A bot that is gone is seen elsewhere.
            let _ = down.send(Ok(message)).await;
        }
    }

    /// Says Goodbye on the newest session and ends its stream.
    pub(crate) async fn goodbye(&self, goodbye: v1::Goodbye) {
        self.shared.transcript.excuse();
        let down = self.shared.state().down.take();
        let message = v1::SessionResponse { what: Some(v1::session_response::What::Goodbye(goodbye)) };
        let bytes = message.encode_to_vec().into();
        self.shared.transcript.push(Happened::Down(message));
        if let Some(down) = down {
            let _ = down.send(Ok(bytes)).await;
            // An end without an error, as the service's own.
            let _ = down.send(Err(Status::ok(""))).await;
        }
    }

    /// As if nothing had been asked for: no delay, nothing held or planned.
    pub(crate) fn calm(&self) {
        let mut state = self.shared.state();
        state.delay = Duration::ZERO;
        state.planned.clear();
        drop(state);
        self.shared.held.send_replace(false);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cut(&self) {
        self.transcript.excuse();
        self.transcript.note("the doctor cuts the connection");
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            // A connection that failed to come about is the bot's to try again.
            Ok((stream, _)) = listener.accept() => {
                connections.spawn(serve(stream, Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves one connection until it ends or is cut.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    // Small messages go at once, as the service's own do.
    let _ = stream.set_nodelay(true);
    let mut cuts = shared.cuts.subscribe();
    let service = service_fn(move |request| call::pass(Arc::clone(&shared), request));
    let connection =
        http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // How it ended is told by the sessions on it.
        _ = connection => {}
        _ = cuts.changed() => {}
    }
}

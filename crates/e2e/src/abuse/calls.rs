use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use chickenfoot_bot::{Client, Session};
use chickenfoot_protocol::Raw;
use chickenfoot_protocol::v1::{self, seat_spec::Who, session_request::What as Up};
use http::uri::PathAndQuery;
use prost::Message;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;
use tonic::transport::{Channel, Endpoint};

use crate::Failure;
use crate::noise::Noise;

const SESSION: &str = "/chickenfoot.v1.AgentService/Session";
const WATCH: &str = "/chickenfoot.v1.MatchService/WatchMatch";
const CREATE: &str = "/chickenfoot.v1.MatchService/CreateMatch";

/// An agent that means no good, with matches of its own.
#[derive(Clone)]
pub(super) struct Mallory {
    pub(super) name: String,
    token: String,
    pub(super) client: Client,
    address: String,
    pub(super) matches: Vec<String>,
}

impl Mallory {
    pub(super) async fn new(address: &str, name: &str) -> Result<Mallory, Failure> {
        let token = Client::connect(address, None)?.register(name).await?;
        let client = Client::connect(address, Some(&token))?;
        let mut matches = Vec::new();
        for _ in 0..20 {
            let game = client.create_match(config()).await?;
            client.join_match(&game.id, None, Vec::new()).await?;
            matches.push(game.id);
        }
        Ok(Mallory { name: name.to_owned(), token, client, address: address.to_owned(), matches })
    }

    /// A connection that takes so many bytes of each answer before somebody reads them.
    fn dial(&self, window: u32) -> Result<Channel, Failure> {
        let endpoint = Endpoint::from_shared(self.address.clone())?;
        Ok(endpoint.initial_stream_window_size(window).connect_lazy())
    }

    /// Calls a method with bytes in place of messages.
    async fn call(
        &self,
        channel: &Channel,
        path: PathAndQuery,
        messages: impl tokio_stream::Stream<Item = Bytes> + Send + 'static,
    ) -> Result<Streaming<Bytes>, Failure> {
        let mut grpc = tonic::client::Grpc::new(channel.clone());
        grpc.ready().await?;
        let mut request = tonic::Request::new(messages);
        request.metadata_mut().insert("authorization", format!("Bearer {}", self.token).parse()?);
        Ok(grpc.streaming(request, path, Raw).await?.into_inner())
    }
}

/// A match of two that lasts: one of them plays when it likes.
fn config() -> v1::MatchConfig {
    let open = v1::SeatSpec { who: Some(Who::Open(v1::OpenSeat {})) };
    let house = v1::SeatSpec { who: Some(Who::House("lowest".to_owned())) };
    v1::MatchConfig { seats: vec![open, house], ..v1::MatchConfig::default() }
}

/// Opens a session and hundreds of watches, takes a byte of each, and reads none.
pub(super) async fn unread(
    mallory: Mallory,
    sessions: Arc<AtomicU64>,
    watches: Arc<AtomicU64>,
) -> Result<(), Failure> {
    let channel = mallory.dial(1)?;
    let open = v1::SessionRequest { what: Some(Up::Open(v1::Open { events: true, ..v1::Open::default() })) };
    // Its end is the end of the session: a connection stays while a request is being sent.
    let (up, ups) = mpsc::channel(1);
    up.send(Bytes::from(open.encode_to_vec())).await?;
    let ups = ReceiverStream::new(ups);
    let mut held = vec![mallory.call(&channel, SESSION.parse()?, ups).await?];
    sessions.fetch_add(1, Ordering::Relaxed);
    for id in mallory.matches.iter().cycle().take(500) {
        let request = v1::WatchMatchRequest { match_id: id.clone(), after_seq: 0, ..Default::default() };
        let request = tokio_stream::once(Bytes::from(request.encode_to_vec()));
        held.push(mallory.call(&channel, WATCH.parse()?, request).await?);
        watches.fetch_add(1, Ordering::Relaxed);
    }
    std::future::pending::<()>().await;
    drop(up);
    Ok(())
}

/// Sends choices as fast as they are taken, most of them for nothing that was asked.
pub(super) async fn choices(mallory: Mallory, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let mut session = opened(&mallory).await?;
    loop {
        let burst = async {
            for id in mallory.matches.iter().cycle().take(400) {
                let option = Some(v1::choice::Choice::Option(rand::random_range(0..3)));
                let decision = rand::random_range(0..60);
                let choice = v1::Choice { match_id: id.clone(), decision, choice: option };
                session.send(Up::Choice(choice)).await?;
                count.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<(), chickenfoot_bot::Error>(())
        };
        // The service reads no more while its answers are not read.
        let mut open = !matches!(timeout(Duration::from_millis(50), burst).await, Ok(Err(_)));
        while open && let Ok(read) = timeout(Duration::from_millis(1), session.next()).await {
            open = read.is_ok();
        }
        if !open {
            session = opened(&mallory).await?;
        }
    }
}

/// A session; the service may be long in coming to it.
async fn opened(mallory: &Mallory) -> Result<Session, Failure> {
    loop {
        match Session::open(&mallory.client, v1::Open::default()).await {
            Ok((session, _)) => return Ok(session),
            Err(why) if why.is_passing() => sleep(Duration::from_millis(100)).await,
            Err(why) => return Err(why.into()),
        }
    }
}

/// Makes calls one after the other, each as large as it may be, with a token and without.
pub(super) async fn calls_of(mallory: Mallory, number: usize, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let nobody = Client::connect(&mallory.address, None)?;
    loop {
        // What is refused is what should be.
        match number % 5 {
            0 => drop(mallory.client.matches(v1::MatchState::Unspecified, "").await),
            1 => drop(mallory.client.create_match(config()).await),
            2 => drop(nobody.register(&format!("m-{:x}", rand::random::<u64>())).await),
            3 => drop(nobody.get_match(&mallory.matches[0]).await),
            _ => drop(mallory.client.record(&mallory.matches[0]).await),
        }
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// Sends messages that are larger than what the server takes. The agent must be nobody else's: a session that another
/// one takes over while the message is on its way is told so, which looks as if the message had been taken.
pub(super) async fn oversize(mallory: Mallory, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let channel = mallory.dial(65_535)?;
    loop {
        for path in [CREATE, SESSION] {
            let size = [66_000, 1_000_000, 20_000_000][rand::random_range(0..3)];
            let message = tokio_stream::once(Bytes::from(vec![0x0a; size]));
            let call = async {
                let mut answers = mallory.call(&channel, path.parse()?, message).await?;
                Ok::<_, Failure>(answers.message().await?)
            };
            if let Ok(Ok(answer)) = timeout(Duration::from_secs(5), call).await {
                return Err(format!("{path} took a message of {size} bytes: {answer:?}").into());
            }
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Calls every method with random messages.
pub(super) async fn messages(
    mallory: Mallory,
    noise: Arc<Noise>,
    count: Arc<AtomicU64>,
) -> Result<(), Failure> {
    let channel = mallory.dial(65_535)?;
    loop {
        for method in &noise.methods {
            let all: Vec<Bytes> = (0..rand::random_range(1..4)).map(|_| noise.message(method)).collect();
            count.fetch_add(all.len() as u64, Ordering::Relaxed);
            let call = async {
                let mut answers =
                    mallory.call(&channel, method.path.clone(), tokio_stream::iter(all)).await?;
                while answers.message().await?.is_some() {}
                Ok::<(), Failure>(())
            };
            // Streams may go on for as long as their match; an error is what most messages deserve.
            let _ = timeout(Duration::from_millis(100), call).await;
        }
    }
}

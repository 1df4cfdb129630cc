use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use chickenfoot_bot::{Client, Session};
use chickenfoot_protocol::v1::{self, seat_spec::Who, session_request::What as Up};
use clap::Args;
use http::uri::PathAndQuery;
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;
use tonic::transport::{Channel, Endpoint};

use crate::ledger::Report;
use crate::noise::{Noise, Raw};
use crate::server::Server;
use crate::table::Table;
use crate::{Failure, Verdict};

/// Connections that the server is told to take.
const CONNECTIONS: usize = 12_000;

/// Connections of that number that are left to those who do something with them.
const BUSY: usize = 1_000;

/// How many dial at once and say nothing.
const DIALLERS: usize = 16;

/// How long the server may take to notice that all are gone.
const GIVEN_BACK: Duration = Duration::from_secs(30);

const SESSION: &str = "/chickenfoot.v1.AgentService/Session";
const WATCH: &str = "/chickenfoot.v1.MatchService/WatchMatch";
const CREATE: &str = "/chickenfoot.v1.MatchService/CreateMatch";

/// Lets clients do all that no client should, at once, while honest ones play: the server must go on, in bounded
/// memory, and the honest must not notice but for the time it takes.
#[derive(Args)]
pub(crate) struct Abuse {
    /// For how long
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    seconds: u64,
    /// Honest matches that are played at once
    #[arg(long, default_value_t = 4, value_name = "N")]
    matches: usize,
    /// Memory that the server may take
    #[arg(long, default_value_t = 600, value_name = "MIB")]
    memory: u64,
    /// Connections that do nothing; fewer if the system does not give as many
    #[arg(long, default_value_t = CONNECTIONS - BUSY, value_name = "N")]
    idle: usize,
}

impl Abuse {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let folder = tempfile::tempdir()?;
        let most = CONNECTIONS.to_string();
        let more = ["--max-connections", &most, "--log-level", "warn"];
        let mut server = Server::on(program, &folder.path().join("matches.db"), &more).await?;
        server.start().await?;
        let process = server.process().ok_or("the server is gone")?;
        let mut table = Table::open(&server.address()).await?;
        table.fill(self.matches);
        let begin = resident(process);
        // Ended when dropped.
        let mut abusers = JoinSet::new();
        let counts = abuse(&server, self.idle, &mut abusers).await?;
        let (mut report, mut peak) = (Report::default(), begin);
        let end = Instant::now() + Duration::from_secs(self.seconds);
        while Instant::now() < end && server.process() == Some(process) {
            table.fill(self.matches);
            sleep(Duration::from_millis(200)).await;
            table.collect(&mut report).await?;
            peak = peak.max(resident(process));
            if let Some(ended) = abusers.try_join_next() {
                // None ends before its time; one that could not begin has abused nothing.
                ended??;
            }
        }
        let alive = server.process() == Some(process);
        if !alive {
            return Err(format!("the server is gone: {}", last(&server.log())).into());
        }
        let connections = server.admin().metric("chickenfoot_connections").await?;
        report.disturbances = counts.iter().map(|(_, count)| count.load(Ordering::Relaxed)).sum();
        drop(abusers);
        let report = table.close(report).await?;
        peak = peak.max(resident(process));
        // All that was taken is given back when those who took it are gone.
        let gone = Instant::now();
        while held(&server).await? != [0.0; 3] && gone.elapsed() < GIVEN_BACK {
            sleep(Duration::from_millis(200)).await;
        }
        let (took, left) = (gone.elapsed(), held(&server).await?);
        let panics = server.log().matches("panicked").count();
        let faults = server.admin().metric("chickenfoot_server_faults_total").await?;
        let same = server.process() == Some(process);
        let mut text = String::new();
        for (name, count) in &counts {
            writeln!(text, "{name:<24}{}", count.load(Ordering::Relaxed))?;
        }
        writeln!(text, "open connections        {connections}")?;
        writeln!(
            text,
            "left after {:>4.1} s       {left:?} connections, sessions, watches",
            took.as_secs_f64()
        )?;
        writeln!(text, "same process            {same}")?;
        writeln!(text, "panics, server faults   {panics}, {faults}")?;
        let (after, most) = (resident(process), self.memory);
        writeln!(
            text,
            "memory, MiB             {begin} before, {peak} at most, {after} after (bound {most})"
        )?;
        write!(text, "{report}")?;
        let kept = same && left == [0.0; 3] && panics == 0 && faults == 0.0 && peak <= self.memory;
        let clean = report.is_clean() && kept;
        Ok(Verdict { text, clean })
    }
}

/// Connections, sessions and watches that the server holds.
async fn held(server: &Server) -> Result<[f64; 3], Failure> {
    let metric = |name| server.admin().metric(name);
    Ok([
        metric("chickenfoot_connections").await?,
        metric("chickenfoot_sessions").await?,
        metric("chickenfoot_watches").await?,
    ])
}

type Counts = Vec<(&'static str, Arc<AtomicU64>)>;

/// Begins all abuse. Returns how much there was of each kind.
async fn abuse(
    server: &Server,
    idle: usize,
    all: &mut JoinSet<Result<(), Failure>>,
) -> Result<Counts, Failure> {
    let address = server.address();
    let mut counts = Counts::new();
    let mut count = |name| {
        let count = Arc::new(AtomicU64::new(0));
        counts.push((name, Arc::clone(&count)));
        count
    };
    // Registered before the flood of those without a token takes what their address may ask for.
    let mut mallories = Vec::new();
    for number in 0..12 {
        mallories.push(Mallory::new(&address, &format!("mallory-{number}")).await?);
    }
    let mut words: Vec<String> = mallories.iter().map(|mallory| mallory.name.clone()).collect();
    words.extend(mallories.iter().flat_map(|mallory| mallory.matches.iter().take(3).cloned()));
    // The honest ones' matches are public, and nothing that can be done to them by others may harm them.
    let page = mallories[0].client.matches(v1::MatchState::Running, "").await?;
    words.extend(page.entries.into_iter().map(|game| game.id).take(8));
    let noise = Arc::new(Noise::new(words)?);
    let silence = count("idle connections");
    let most = idle.min(files() / 2);
    for _ in 0..DIALLERS {
        all.spawn(silent(server.port(), most / DIALLERS, Arc::clone(&silence)));
    }
    let (sessions, watches) = (count("unread sessions"), count("unread watches"));
    for mallory in mallories.drain(..4) {
        all.spawn(unread(mallory, Arc::clone(&sessions), Arc::clone(&watches)));
    }
    let flood = count("choices in floods");
    for mallory in mallories.drain(..2) {
        all.spawn(choices(mallory, Arc::clone(&flood)));
    }
    let calls = count("calls in floods");
    for number in 0..16 {
        all.spawn(calls_of(mallories[number % 2].clone(), number, Arc::clone(&calls)));
    }
    all.spawn(oversize(mallories[2].clone(), count("oversize messages")));
    let random = count("random messages");
    for number in 0..8 {
        all.spawn(messages(mallories[2 + number % 4].clone(), Arc::clone(&noise), Arc::clone(&random)));
    }
    let port = server.port();
    let bytes = count("random bytes, dials");
    for _ in 0..4 {
        all.spawn(random_bytes(port, Arc::clone(&bytes)));
    }
    all.spawn(pings(port, count("unread pings, KiB")));
    Ok(counts)
}

/// An agent that means no good, with matches of its own.
#[derive(Clone)]
struct Mallory {
    name: String,
    token: String,
    client: Client,
    address: String,
    matches: Vec<String>,
}

impl Mallory {
    async fn new(address: &str, name: &str) -> Result<Mallory, Failure> {
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
async fn unread(mallory: Mallory, sessions: Arc<AtomicU64>, watches: Arc<AtomicU64>) -> Result<(), Failure> {
    let channel = mallory.dial(1)?;
    let open = v1::SessionRequest { what: Some(Up::Open(v1::Open { events: true, ..v1::Open::default() })) };
    // Its end is the end of the session: a connection stays while a request is being sent.
    let (up, ups) = mpsc::channel(1);
    up.send(Bytes::from(open.encode_to_vec())).await?;
    let ups = ReceiverStream::new(ups);
    let mut held = vec![mallory.call(&channel, SESSION.parse()?, ups).await?];
    sessions.fetch_add(1, Ordering::Relaxed);
    for id in mallory.matches.iter().cycle().take(500) {
        let request = v1::WatchMatchRequest { match_id: id.clone(), after_seq: 0 };
        let request = tokio_stream::once(Bytes::from(request.encode_to_vec()));
        held.push(mallory.call(&channel, WATCH.parse()?, request).await?);
        watches.fetch_add(1, Ordering::Relaxed);
    }
    std::future::pending::<()>().await;
    drop(up);
    Ok(())
}

/// Sends choices as fast as they are taken, most of them for nothing that was asked.
async fn choices(mallory: Mallory, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let (mut session, _) = Session::open(&mallory.client, v1::Open::default()).await?;
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
            (session, _) = Session::open(&mallory.client, v1::Open::default()).await?;
        }
    }
}

/// Makes calls one after the other, each as large as it may be, with a token and without.
async fn calls_of(mallory: Mallory, number: usize, count: Arc<AtomicU64>) -> Result<(), Failure> {
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

/// Sends messages that are larger than what the server takes.
async fn oversize(mallory: Mallory, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let channel = mallory.dial(65_535)?;
    loop {
        for path in [CREATE, SESSION] {
            let size = [66_000, 1_000_000, 20_000_000][rand::random_range(0..3)];
            let message = tokio_stream::once(Bytes::from(vec![0x0a; size]));
            let call = async {
                let mut answers = mallory.call(&channel, path.parse()?, message).await?;
                answers.message().await?;
                Ok::<(), Failure>(())
            };
            if let Ok(Ok(())) = timeout(Duration::from_secs(5), call).await {
                return Err(format!("{path} took a message of {size} bytes").into());
            }
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Calls every method with random messages.
async fn messages(mallory: Mallory, noise: Arc<Noise>, count: Arc<AtomicU64>) -> Result<(), Failure> {
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

/// Dials, sends random bytes, some behind a good beginning, and hangs up.
async fn random_bytes(port: u16, count: Arc<AtomicU64>) -> Result<(), Failure> {
    loop {
        // It may be refused while there are too many.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)).await {
            let mut bytes: Vec<u8> = match rand::random_range(0..4) {
                0 => PREFACE.to_vec(),
                1 => b"GET / HTTP/1.1\r\n".to_vec(),
                _ => Vec::new(),
            };
            let length = rand::random_range(1..4096);
            bytes.extend((0..length).map(|_| rand::random::<u8>()));
            let talk = async {
                stream.write_all(&bytes).await?;
                stream.read(&mut bytes).await
            };
            let _ = timeout(Duration::from_millis(50), talk).await;
            count.fetch_add(1, Ordering::Relaxed);
        }
        sleep(Duration::from_millis(2)).await;
    }
}

/// How HTTP/2 begins: the preface and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A ping, which must be answered.
const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\0abcdefgh";

/// Sends pings for as long as anybody takes them, and reads no answer.
async fn pings(port: u16, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let flood = PING.repeat(1024);
    loop {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)).await
            && stream.write_all(PREFACE).await.is_ok()
        {
            while stream.write_all(&flood).await.is_ok() {
                count.fetch_add(flood.len() as u64 / 1024, Ordering::Relaxed);
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Dials and says nothing.
async fn silent(port: u16, most: usize, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let mut held = Vec::new();
    while held.len() < most {
        match TcpStream::connect(("127.0.0.1", port)).await {
            Ok(stream) => {
                held.push(stream);
                count.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
    std::future::pending().await
}

/// How many files, and so connections, a process may have open.
fn files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok()).unwrap_or(1024)
}

/// The memory of a process that is resident, in MiB; 0 where the system has no `/proc`.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or_default() / 1024
}

/// The end of a log.
fn last(log: &str) -> String {
    let lines: Vec<&str> = log.lines().rev().take(5).collect();
    lines.join("\n")
}

//! A server on a free port, and agents that speak the contract message by message.

#![allow(dead_code)]

use std::future::Future;
use std::time::Duration;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1::agent_service_client::AgentServiceClient;
use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_protocol::v1::seat_spec::Who;
use chickenfoot_protocol::v1::tournament_service_client::TournamentServiceClient;
use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use chickenfoot_server::{Limits, Server, ServerError};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};

/// Nothing here takes nearly so long on a machine that is merely slow; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(300);

/// The result of a future, which must come.
pub async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("what was waited for came in time")
}

/// A server that runs until it is stopped or the test ends.
pub struct Service {
    pub address: String,
    stop: CancellationToken,
    running: JoinHandle<Result<(), ServerError>>,
}

impl Service {
    /// A server with everything in memory.
    pub async fn start() -> Service {
        Service::run(Server::in_memory(Limits::default())).await
    }

    /// This server.
    pub async fn run(server: Server) -> Service {
        Service::run_at("127.0.0.1:0", server).await
    }

    /// This server at this address, host and port.
    pub async fn run_at(address: &str, server: Server) -> Service {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let running = tokio::spawn(server.run(listener, stop.clone().cancelled_owned()));
        Service { address, stop, running }
    }

    /// A client without a token.
    pub fn anyone(&self) -> Client {
        Client::connect(&self.address, None).unwrap()
    }

    /// Registers an agent.
    pub async fn agent(&self, name: &str) -> Agent {
        let token = within(self.anyone().register(name)).await.unwrap();
        Agent {
            name: name.to_owned(),
            client: Client::connect(&self.address, Some(&token)).unwrap(),
            wire: Wire::connect(&self.address, Some(&token)),
            token,
        }
    }

    /// An agent of an earlier server on the same data.
    pub fn known(&self, agent: &Agent) -> Agent {
        Agent {
            name: agent.name.clone(),
            client: Client::connect(&self.address, Some(&agent.token)).unwrap(),
            wire: Wire::connect(&self.address, Some(&agent.token)),
            token: agent.token.clone(),
        }
    }

    /// Tells the server to stop.
    pub fn tell_to_stop(&self) {
        self.stop.cancel();
    }

    /// Stops the server and waits until it has stopped.
    pub async fn stop(self) {
        self.stop.cancel();
        within(self.running).await.unwrap().unwrap();
    }
}

/// The generated clients, which show errors as they are on the wire.
#[derive(Clone)]
pub struct Wire {
    pub agents: AgentServiceClient<InterceptedService<Channel, Bearer>>,
    pub matches: MatchServiceClient<InterceptedService<Channel, Bearer>>,
    pub tournaments: TournamentServiceClient<InterceptedService<Channel, Bearer>>,
}

impl Wire {
    pub fn connect(address: &str, token: Option<&str>) -> Wire {
        let channel = Endpoint::from_shared(address.to_owned()).unwrap().connect_lazy();
        let bearer = Bearer(token.map(|token| format!("Bearer {token}")));
        Wire {
            agents: AgentServiceClient::with_interceptor(channel.clone(), bearer.clone()),
            matches: MatchServiceClient::with_interceptor(channel.clone(), bearer.clone()),
            tournaments: TournamentServiceClient::with_interceptor(channel, bearer),
        }
    }
}

/// Sends a value of the header `authorization` with every call.
#[derive(Clone)]
pub struct Bearer(pub Option<String>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.parse().unwrap());
        }
        Ok(request)
    }
}

/// A registered agent.
pub struct Agent {
    pub name: String,
    pub token: String,
    pub client: Client,
    pub wire: Wire,
}

impl Agent {
    /// Opens a session.
    pub async fn session(&self) -> Session {
        self.open(false).await.0
    }

    /// Opens a session, with events if they are wanted.
    pub async fn open(&self, events: bool) -> (Session, v1::Hello) {
        self.open_as(v1::Open { events, ..v1::Open::default() }).await
    }

    /// Opens a session with these first words.
    pub async fn open_as(&self, open: v1::Open) -> (Session, v1::Hello) {
        let (up, down) = self.call_session(16).await;
        let mut session = Session { up, down };
        session.send(Up::Open(v1::Open { client: "a test".to_owned(), ..open })).await;
        match session.next().await {
            Down::Hello(hello) => (session, hello),
            other => panic!("Hello comes first, not {other:?}"),
        }
    }

    /// Calls the session method without sending anything yet.
    pub async fn call_session(
        &self,
        queue: usize,
    ) -> (mpsc::Sender<v1::SessionRequest>, Streaming<v1::SessionResponse>) {
        let (up, requests) = mpsc::channel(queue);
        let mut agents = self.wire.agents.clone();
        let answer = within(agents.session(ReceiverStream::new(requests))).await;
        (up, answer.unwrap().into_inner())
    }

    /// A seat for this agent.
    pub fn seat(&self) -> v1::SeatSpec {
        reserved(&self.name)
    }

    /// Makes a match in which this agent takes its seats at once; it starts if the others are the house's.
    pub async fn play_in(&self, config: v1::MatchConfig) -> v1::Match {
        let seats = config.seats.iter().zip(0..);
        let own: Vec<u32> = seats.filter(|(spec, _)| **spec == self.seat()).map(|(_, seat)| seat).collect();
        let mut game = within(self.client.create_match(config)).await.unwrap();
        for seat in own {
            game = self.join(&game.id, Some(seat)).await;
        }
        game
    }

    pub async fn join(&self, id: &str, seat: Option<u32>) -> v1::Match {
        let joined = within(self.client.join_match(id, seat, Vec::new())).await;
        joined.unwrap().r#match.unwrap()
    }

    pub async fn get(&self, id: &str) -> v1::Match {
        within(self.client.get_match(id)).await.unwrap()
    }
}

/// An open session.
pub struct Session {
    pub up: mpsc::Sender<v1::SessionRequest>,
    pub down: Streaming<v1::SessionResponse>,
}

impl Session {
    pub async fn send(&self, what: Up) {
        let message = v1::SessionRequest { what: Some(what) };
        within(self.up.send(message)).await.expect("the session is open");
    }

    /// The next message; `None` at the end of the stream.
    pub async fn try_next(&mut self) -> Result<Option<Down>, Status> {
        let message = within(self.down.message()).await?;
        Ok(message.map(|message| message.what.expect("a message says something")))
    }

    pub async fn next(&mut self) -> Down {
        let message = self.try_next().await.expect("the session goes on");
        message.expect("the session goes on")
    }

    /// The first message that `wanted` makes something of; those before it are dropped.
    pub async fn until<T>(&mut self, mut wanted: impl FnMut(Down) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next().await) {
                return found;
            }
        }
    }

    pub async fn decision(&mut self) -> v1::Decision {
        self.until(|message| match message {
            Down::Decision(decision) => Some(decision),
            _ => None,
        })
        .await
    }

    pub async fn refusal(&mut self) -> v1::Refusal {
        self.until(|message| match message {
            Down::Refusal(refusal) => Some(refusal),
            _ => None,
        })
        .await
    }

    pub async fn accepted(&mut self) -> v1::ChoiceAccepted {
        self.until(|message| match message {
            Down::ChoiceAccepted(accepted) => Some(accepted),
            Down::Refusal(refusal) => panic!("refused: {refusal:?}"),
            _ => None,
        })
        .await
    }

    pub async fn ended(&mut self) -> v1::GameEnded {
        self.until(|message| match message {
            Down::GameEnded(ended) => Some(ended),
            _ => None,
        })
        .await
    }

    /// The match of the next seat that is offered.
    pub async fn offer(&mut self) -> String {
        self.until(|message| match message {
            Down::SeatOffer(offer) => offer.r#match.map(|game| game.id),
            _ => None,
        })
        .await
    }

    /// Takes an offered seat.
    pub async fn accept(&self, id: &str) {
        self.send(Up::OfferReply(v1::OfferReply {
            match_id: id.to_owned(),
            accept: true,
            entropy: Vec::new(),
        }))
        .await;
    }

    pub async fn choose(&self, choice: v1::Choice) {
        self.send(Up::Choice(choice)).await;
    }

    /// Answers every decision of a match with the first option until the match is over.
    pub async fn play_on(&mut self, id: &str) -> v1::GameEnded {
        loop {
            match self.next().await {
                Down::Decision(decision) if decision.match_id == id => {
                    self.choose(option(&decision, 0)).await;
                }
                Down::Refusal(refusal) => panic!("refused: {refusal:?}"),
                Down::GameEnded(ended) if ended.r#match.as_ref().unwrap().id == id => return ended,
                _ => {}
            }
        }
    }
}

/// The answer to a decision by an option's position.
pub fn option(decision: &v1::Decision, option: u32) -> v1::Choice {
    v1::Choice {
        match_id: decision.match_id.clone(),
        decision: decision.number,
        choice: Some(v1::choice::Choice::Option(option)),
    }
}

/// The answer to a decision by a move.
pub fn moved(decision: &v1::Decision, kind: v1::r#move::Kind) -> v1::Choice {
    v1::Choice {
        match_id: decision.match_id.clone(),
        decision: decision.number,
        choice: Some(v1::choice::Choice::Move(v1::Move { kind: Some(kind) })),
    }
}

pub fn reserved(name: &str) -> v1::SeatSpec {
    v1::SeatSpec { who: Some(Who::Agent(name.to_owned())) }
}

pub fn house(strategy: &str) -> v1::SeatSpec {
    v1::SeatSpec { who: Some(Who::House(strategy.to_owned())) }
}

pub fn open_seat() -> v1::SeatSpec {
    v1::SeatSpec { who: Some(Who::Open(v1::OpenSeat {})) }
}

/// A match of one round with a fixed seed, so that every run sees the same deal.
pub fn one_round(seats: Vec<v1::SeatSpec>) -> v1::MatchConfig {
    rounds(1, seats)
}

pub fn rounds(rounds: u32, seats: Vec<v1::SeatSpec>) -> v1::MatchConfig {
    v1::MatchConfig {
        rules: Some(v1::Rules { rounds: Some(rounds), ..v1::Rules::default() }),
        seats,
        seed: vec![7; 32],
        ..v1::MatchConfig::default()
    }
}

pub fn millis(millis: i32) -> prost_types::Duration {
    prost_types::Duration { seconds: 0, nanos: millis * 1_000_000 }
}

/// The next decision that any of the sessions gets, and whose it is.
pub async fn next_decision(sessions: &mut [Session]) -> (usize, v1::Decision) {
    let each = sessions
        .iter_mut()
        .enumerate()
        .map(|(i, session)| Box::pin(async move { (i, session.decision().await) }));
    futures_util::future::select_all(each).await.0
}

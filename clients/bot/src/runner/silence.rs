//! Three heartbeats that do not come mean that the connection is dead. All of it plays in memory and in paused time.

use std::pin::Pin;
use std::time::Duration;

use chickenfoot_protocol::v1::agent_service_server::{AgentService, AgentServiceServer};
use chickenfoot_protocol::v1::{self, session_response::What as Down};
use hyper_util::rt::TokioIo;
use tokio::io::{DuplexStream, copy_bidirectional, duplex};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Server, Uri};
use tonic::{Request, Response, Status, Streaming};

use super::*;
use crate::endpoint::endpoint;

/// What the fake service says in its Hello.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The longest first pause before another attempt, and a moment.
const SOON: Duration = Duration::from_millis(300);

#[tokio::test(start_paused = true)]
async fn the_client_comes_back_after_three_heartbeats_of_silence_and_not_before() {
    let mut service = Fake::start();
    let first = service.session().await;
    let silent = Instant::now();
    let _second = service.session().await;
    assert!(within(silent.elapsed(), 3 * HEARTBEAT), "{:?}", silent.elapsed());
    assert!(first.is_closed(), "the client holds a session that it takes for dead");
}

#[tokio::test(start_paused = true)]
async fn every_heartbeat_begins_the_count_again() {
    let mut service = Fake::start();
    let first = service.session().await;
    for _ in 0..100 {
        tokio::time::sleep(3 * HEARTBEAT - Duration::from_millis(10)).await;
        first.send(Ok(message(Down::Heartbeat(v1::Heartbeat::default())))).await.unwrap();
    }
    let silent = Instant::now();
    assert!(service.opened.try_recv().is_err(), "a session with heartbeats was given up");
    let _second = service.session().await;
    assert!(within(silent.elapsed(), 3 * HEARTBEAT), "{:?}", silent.elapsed());
}

/// A network that swallows everything, and tells neither end.
#[tokio::test(start_paused = true)]
async fn a_dead_connection_is_left_for_a_new_one() {
    let mut service = Fake::start();
    let first = service.session().await;
    let line = service.lines.recv().await.unwrap();
    tokio::time::sleep(HEARTBEAT).await;
    first.send(Ok(message(Down::Heartbeat(v1::Heartbeat::default())))).await.unwrap();
    // It has to arrive before the line is dead.
    tokio::time::sleep(Duration::from_millis(1)).await;
    line.send(()).unwrap();
    let silent = Instant::now();
    let _second = service.session().await;
    assert!(within(silent.elapsed() + Duration::from_millis(1), 3 * HEARTBEAT), "{:?}", silent.elapsed());
}

fn within(elapsed: Duration, expected: Duration) -> bool {
    (expected..expected + SOON).contains(&elapsed)
}

/// A service that does nothing but greet, and a runner that plays there.
struct Fake {
    /// Each session that was opened, by what is sent down on it.
    opened: mpsc::Receiver<ToClient>,
    /// Each connection that was dialled. A word to it, and it swallows what is sent.
    lines: mpsc::Receiver<oneshot::Sender<()>>,
}

type ToClient = mpsc::Sender<Result<v1::SessionResponse, Status>>;

impl Fake {
    fn start() -> Fake {
        let (incoming, dialled) = mpsc::channel::<Result<DuplexStream, std::io::Error>>(1);
        let (tell_opened, opened) = mpsc::channel(1);
        let (tell_line, lines) = mpsc::channel(16);
        let service = AgentServiceServer::new(Greeter(tell_opened));
        let serving = Server::builder().add_service(service);
        tokio::spawn(serving.serve_with_incoming(ReceiverStream::new(dialled)));
        let dial = move |_: Uri| {
            let (incoming, tell_line) = (incoming.clone(), tell_line.clone());
            async move {
                let (ours, mut near) = duplex(64 * 1024);
                let (mut far, theirs) = duplex(64 * 1024);
                let (kill, killed) = oneshot::channel::<()>();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => return,
                        Ok(()) = killed => {}
                    }
                    std::future::pending::<()>().await;
                    // Neither end is closed.
                    drop((near, far));
                });
                let _ = tell_line.try_send(kill);
                incoming.send(Ok(theirs)).await.map_err(|_| std::io::ErrorKind::ConnectionRefused)?;
                Ok::<_, std::io::Error>(TokioIo::new(ours))
            }
        };
        let connect = move || {
            let options = ConnectOptions::new();
            let channel = endpoint("http://fake", &options)?
                .connect_with_connector_lazy(tower::service_fn(dial.clone()));
            Client::on(channel, &options)
        };
        tokio::spawn(async move {
            let runner = Runner::new("http://fake", "token");
            runner.play_at(connect, &mut Nobody(Stats::default()), std::future::pending()).await
        });
        Fake { opened, lines }
    }

    /// The next session that the client opens; it has ten minutes, which take no time.
    async fn session(&mut self) -> ToClient {
        let opened = tokio::time::timeout(60 * HEARTBEAT, self.opened.recv()).await;
        opened.expect("no session was opened").unwrap()
    }
}

/// Has no seats, and only listens.
struct Nobody(Stats);

impl Seats for Nobody {
    fn wants_events(&self) -> bool {
        false
    }

    fn known(&self) -> Vec<v1::Resume> {
        Vec::new()
    }

    async fn play(&mut self, session: &mut Session) -> Result<After, Error> {
        loop {
            session.next().await?;
        }
    }

    fn stats(&mut self) -> &mut Stats {
        &mut self.0
    }
}

/// Says Hello and hands the rest to the test.
struct Greeter(mpsc::Sender<ToClient>);

type Answers = Pin<Box<dyn Stream<Item = Result<v1::SessionResponse, Status>> + Send>>;

#[tonic::async_trait]
impl AgentService for Greeter {
    type SessionStream = Answers;

    async fn session(
        &self,
        mut request: Request<Streaming<v1::SessionRequest>>,
    ) -> Result<Response<Answers>, Status> {
        // Open.
        request.get_mut().message().await?;
        let (down, sent) = mpsc::channel(1);
        let interval = HEARTBEAT.try_into().map_err(|_| Status::internal("no duration"))?;
        let hello = v1::Hello { heartbeat_interval: Some(interval), ..v1::Hello::default() };
        let _ = down.send(Ok(message(Down::Hello(hello)))).await;
        let _ = self.0.send(down).await;
        Ok(Response::new(Box::pin(ReceiverStream::new(sent))))
    }

    async fn register_agent(
        &self,
        _: Request<v1::RegisterAgentRequest>,
    ) -> Result<Response<v1::RegisterAgentResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }

    async fn get_agent(
        &self,
        _: Request<v1::GetAgentRequest>,
    ) -> Result<Response<v1::GetAgentResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }

    async fn list_agents(
        &self,
        _: Request<v1::ListAgentsRequest>,
    ) -> Result<Response<v1::ListAgentsResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }

    async fn rotate_token(
        &self,
        _: Request<v1::RotateTokenRequest>,
    ) -> Result<Response<v1::RotateTokenResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }

    async fn revoke_token(
        &self,
        _: Request<v1::RevokeTokenRequest>,
    ) -> Result<Response<v1::RevokeTokenResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }

    async fn get_leaderboard(
        &self,
        _: Request<v1::GetLeaderboardRequest>,
    ) -> Result<Response<v1::GetLeaderboardResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }

    async fn set_role(
        &self,
        _: Request<v1::SetRoleRequest>,
    ) -> Result<Response<v1::SetRoleResponse>, Status> {
        Err(Status::unimplemented("a greeter"))
    }
}

fn message(what: Down) -> v1::SessionResponse {
    v1::SessionResponse { what: Some(what) }
}

use std::future::Future;
use std::time::Duration;

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::seat_spec::Who;
use chickenfoot_server::authz::Registration;
use chickenfoot_server::{Access, AdminToken, Limits, Server, ServerError};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The admin's token.
pub const ADMIN: &str = "0123456789abcdef0123456789abcdef";

/// Nothing here takes nearly so long on a machine that is merely slow; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(300);

/// The result of a future, which must come.
pub async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("what was waited for came in time")
}

/// A server on a port of its own, until the test ends.
pub struct Service {
    /// Without a scheme.
    pub address: String,
    stop: CancellationToken,
    _running: JoinHandle<Result<(), ServerError>>,
}

impl Service {
    /// A server with an admin. Its heartbeats come so late that nothing can wait for one.
    pub async fn start(registration: Registration) -> Service {
        let limits = Limits { heartbeat: 600, ..Limits::default() };
        Service::run(Server::in_memory(limits).with_access(access(registration))).await
    }

    /// This server.
    pub async fn run(server: Server) -> Service {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let stop = CancellationToken::new();
        let running = tokio::spawn(server.run(listener, stop.clone().cancelled_owned()));
        Service { address, stop, _running: running }
    }

    pub fn client(&self, token: Option<&str>) -> Client {
        Client::connect(&self.address, token).unwrap()
    }

    pub fn admin(&self) -> Client {
        self.client(Some(ADMIN))
    }

    /// Registers an agent and gives its token.
    pub async fn agent(&self, name: &str) -> String {
        within(self.admin().register(name)).await.unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Comes in with the admin's token, and as `registration` says.
pub fn access(registration: Registration) -> Access {
    Access { registration, admin_token: Some(AdminToken::new(ADMIN).unwrap()) }
}

/// A match with two free seats.
pub fn two_seats() -> v1::MatchConfig {
    let open = v1::SeatSpec { who: Some(Who::Open(v1::OpenSeat {})) };
    v1::MatchConfig { seats: vec![open.clone(), open], ..v1::MatchConfig::default() }
}

/// The reason for which a call was refused.
pub fn reason<T>(result: Result<T, Error>) -> String {
    result.err().and_then(|error| error.reason().map(str::to_owned)).unwrap_or_default()
}

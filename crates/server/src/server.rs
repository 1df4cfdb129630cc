use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use chickenfoot_arena::{Arena, Bus, Clock, House, LocalBus, Parts, TokioClock};
use chickenfoot_protocol::DESCRIPTOR;
use chickenfoot_protocol::v1::agent_service_server::AgentServiceServer;
use chickenfoot_protocol::v1::match_service_server::MatchServiceServer;
use chickenfoot_store::{Agents, Incarnation, Journal, Memory, Requests};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;
use tonic_web::GrpcWebLayer;

use crate::access::Access;
use crate::agents::AgentApi;
use crate::config::Limits;
use crate::detail_layer::DetailLayer;
use crate::matches::MatchApi;
use crate::once::Once;
use crate::state::{Sessions, State};
use crate::tls::Tls;

/// Bytes that a connection may have under way. The default is so small that a few thousand small messages on one
/// connection exhaust it, which the HTTP/2 library takes for an attack.
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;

/// Bytes that one stream may have under way.
const STREAM_WINDOW: u32 = 1024 * 1024;

/// A connection that does not answer a ping for so long is dead.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// How long streams may take to end once the server stops; connections still open then are cut.
const DRAIN: Duration = Duration::from_secs(10);

/// A match service, ready to run.
pub struct Server {
    agents: Arc<dyn Agents>,
    requests: Arc<dyn Requests>,
    journal: Arc<dyn Journal>,
    bus: Arc<dyn Bus>,
    clock: Arc<dyn Clock>,
    house: House,
    limits: Limits,
    access: Access,
    tls: Option<Tls>,
}

/// Anything that ends a server before it was told to stop.
pub type ServerError = Box<dyn std::error::Error + Send + Sync>;

impl Server {
    /// A server that keeps everything in memory and takes its time from the runtime.
    pub fn in_memory(limits: Limits) -> Server {
        let store = Arc::new(Memory::new());
        Server {
            agents: Arc::clone(&store) as Arc<dyn Agents>,
            requests: Arc::clone(&store) as Arc<dyn Requests>,
            journal: store,
            bus: Arc::new(LocalBus::new()),
            clock: Arc::new(TokioClock::new()),
            house: Arc::new(chickenfoot_strategy::by_name),
            limits,
            access: Access::default(),
            tls: None,
        }
    }

    /// The same with other players of the house.
    #[must_use]
    pub fn with_house(self, house: House) -> Server {
        Server { house, ..self }
    }

    /// The same with another bus.
    #[must_use]
    pub fn with_bus(self, bus: Arc<dyn Bus>) -> Server {
        Server { bus, ..self }
    }

    /// The same with other rules of who comes in.
    #[must_use]
    pub fn with_access(self, access: Access) -> Server {
        Server { access, ..self }
    }

    /// The same over TLS, or without it.
    #[must_use]
    pub fn with_tls(self, tls: Option<Tls>) -> Server {
        Server { tls, ..self }
    }

    /// Serves until `stop` is ready, then ends all streams with a word of goodbye and returns.
    ///
    /// # Errors
    /// The admin could not be stored, the certificate is none, or the listener or the transport failed.
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let stopping = CancellationToken::new();
        if let Some(token) = &self.access.admin_token {
            token.install(&*self.agents, self.clock.unix_ms()).await?;
        }
        let arena = Arena::new(Parts {
            journal: self.journal,
            bus: self.bus,
            clock: self.clock,
            house: self.house,
            incarnation: Incarnation(1),
        });
        let max_message = self.limits.max_message as usize;
        let max_streams = self.limits.max_streams;
        let state = Arc::new(State {
            arena,
            agents: self.agents,
            limits: self.limits,
            registration: self.access.registration,
            agent_changes: tokio::sync::Mutex::default(),
            once: Once::new(self.requests),
            sessions: Sessions::default(),
            stopping: stopping.clone(),
        });
        let agents = AgentServiceServer::new(AgentApi { state: Arc::clone(&state) });
        let matches = MatchServiceServer::new(MatchApi { state });
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_serving::<AgentServiceServer<AgentApi>>().await;
        health.set_serving::<MatchServiceServer<MatchApi>>().await;
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(DESCRIPTOR)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let mut transport = tonic::transport::Server::builder();
        if let Some(tls) = self.tls {
            transport = transport.tls_config(tls.into())?;
        }
        let serving = transport
            .accept_http1(true)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .initial_stream_window_size(STREAM_WINDOW)
            .max_concurrent_streams(max_streams)
            .http2_keepalive_interval(Some(KEEPALIVE))
            .layer(GrpcWebLayer::new())
            .layer(DetailLayer)
            .add_service(agents.max_decoding_message_size(max_message))
            .add_service(matches.max_decoding_message_size(max_message))
            .add_service(health_service)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .serve_with_incoming_shutdown(
                TcpIncoming::from(listener).with_nodelay(Some(true)),
                stopping.clone().cancelled_owned(),
            );
        tokio::pin!(serving);
        tokio::select! {
            served = &mut serving => return Ok(served?),
            () = stop => stopping.cancel(),
        }
        // A client that keeps its connection and never reads must not keep the server.
        match tokio::time::timeout(DRAIN, serving).await {
            Ok(served) => Ok(served?),
            Err(_) => Ok(()),
        }
    }
}

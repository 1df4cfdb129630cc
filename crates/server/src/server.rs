use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chickenfoot_arena::{Arena, Bus, Clock, House, LocalBus, Parts, TokioClock};
use chickenfoot_protocol::DESCRIPTOR;
use chickenfoot_protocol::v1::agent_service_server::AgentServiceServer;
use chickenfoot_protocol::v1::match_service_server::MatchServiceServer;
use chickenfoot_protocol::v1::tournament_service_server::TournamentServiceServer;
use chickenfoot_store::{
    Agents, Incarnation, Journal, Memory, Requests, Sqlite, StoreError, Tournaments, sqlite,
};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic_health::pb::health_server::HealthServer;
use tonic_web::GrpcWebLayer;
use tracing::{info, warn};

use crate::access::Access;
use crate::admin;
use crate::agents::AgentApi;
use crate::census::Census;
use crate::config::Limits;
use crate::connections;
use crate::detail_layer::DetailLayer;
use crate::health::HealthApi;
use crate::limits::Gate;
use crate::matches::MatchApi;
use crate::metrics::{Metrics, MetricsLayer, StoreStats};
use crate::observed::Observed;
use crate::once::Once;
use crate::pages::PagesLayer;
use crate::scenes::Scenes;
use crate::state::{Sessions, State};
use crate::sweep;
use crate::tls::Tls;
use crate::tournaments::{Director, TournamentApi};
use crate::traces::Traces;

/// Bytes that a connection may have under way. The default is so small that a few thousand small messages on one
/// connection exhaust it, which the HTTP/2 library takes for an attack.
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;

/// Bytes that one stream may have under way.
const STREAM_WINDOW: u32 = 1024 * 1024;

/// A connection that does not answer a ping for so long is dead.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// How long stopping may take, unless said otherwise; what is not done by then is cut off.
const DRAIN: Duration = Duration::from_secs(10);

/// A match service, ready to run.
pub struct Server {
    agents: Arc<dyn Agents>,
    requests: Arc<dyn Requests>,
    journal: Arc<dyn Journal>,
    tournaments: Arc<dyn Tournaments>,
    bus: Arc<dyn Bus>,
    clock: Arc<dyn Clock>,
    house: House,
    limits: Limits,
    keep_matches: Option<Duration>,
    drain: Duration,
    admin: Option<TcpListener>,
    store_stats: Box<dyn Fn() -> StoreStats + Send + Sync>,
    access: Access,
    tls: Option<Tls>,
    traces: Traces,
    incarnation: Incarnation,
    page: bool,
}

/// Where a server keeps its data; mostly the same store in every part.
#[derive(Clone)]
pub struct Stores {
    /// Who may play.
    pub agents: Arc<dyn Agents>,
    /// Matches.
    pub journal: Arc<dyn Journal>,
    /// What was answered.
    pub requests: Arc<dyn Requests>,
    /// Tournaments.
    pub tournaments: Arc<dyn Tournaments>,
}

impl Stores {
    /// One store for everything.
    pub fn of<S: Agents + Journal + Requests + Tournaments>(store: Arc<S>) -> Stores {
        Stores {
            agents: Arc::clone(&store) as Arc<dyn Agents>,
            journal: Arc::clone(&store) as Arc<dyn Journal>,
            requests: Arc::clone(&store) as Arc<dyn Requests>,
            tournaments: store,
        }
    }
}

/// Anything that ends a server before it was told to stop.
pub type ServerError = Box<dyn std::error::Error + Send + Sync>;

impl Server {
    /// A server that keeps everything in memory and takes its time from the runtime.
    pub fn in_memory(limits: Limits) -> Server {
        Server::with_store(limits, Stores::of(Arc::new(Memory::new())))
    }

    /// A server that keeps everything in a SQLite file, which is made if it is not there.
    ///
    /// # Errors
    /// The file is damaged, of another program or a newer version, cannot be written, or is another server's.
    pub fn on_file(limits: Limits, path: &Path) -> Result<Server, StoreError> {
        let store = Arc::new(Sqlite::open(path, &sqlite::Options::default())?);
        let incarnation = store.incarnation();
        let stats = Arc::clone(&store);
        let server = Server::with_store(limits, Stores::of(store));
        Ok(Server { incarnation, ..server }.with_store_stats(move || {
            let stats = stats.stats();
            StoreStats {
                commits: stats.commits,
                failures: stats.failures,
                entries: stats.appended,
                time: stats.commit_time,
            }
        }))
    }

    /// A server with its data in this store, which takes its time from the runtime.
    pub fn with_store(limits: Limits, stores: Stores) -> Server {
        let Stores { agents, journal, requests, tournaments } = stores;
        Server {
            agents,
            requests,
            journal,
            tournaments,
            bus: Arc::new(LocalBus::new()),
            clock: Arc::new(TokioClock::new()),
            house: Arc::new(chickenfoot_strategy::house),
            limits,
            keep_matches: None,
            drain: DRAIN,
            admin: None,
            store_stats: Box::new(StoreStats::default),
            access: Access::default(),
            tls: None,
            traces: Traces::default(),
            incarnation: Incarnation(1),
            page: true,
        }
    }

    /// The same with other players of the house.
    #[must_use]
    pub fn with_house(self, house: House) -> Server {
        Server { house, ..self }
    }

    /// The same, but that matches are deleted when they have been over for so long; `None` keeps them for ever.
    #[must_use]
    pub fn with_keep_matches(self, keep_matches: Option<Duration>) -> Server {
        Server { keep_matches, ..self }
    }

    /// The same with another bound on how long stopping may take.
    #[must_use]
    pub fn with_drain(self, drain: Duration) -> Server {
        Server { drain, ..self }
    }

    /// The same with the operator's HTTP port: `/metrics`, `/live` and `/ready`. It answers until the end of stopping.
    #[must_use]
    pub fn with_admin(self, listener: TcpListener) -> Server {
        Server { admin: Some(listener), ..self }
    }

    /// The same with what the store says of its transactions, for the metrics.
    #[must_use]
    pub fn with_store_stats(self, stats: impl Fn() -> StoreStats + Send + Sync + 'static) -> Server {
        Server { store_stats: Box::new(stats), ..self }
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

    /// The same with the spectators' page on the port of gRPC, or without it. It is there unless it is turned off.
    #[must_use]
    pub fn with_page(self, page: bool) -> Server {
        Server { page, ..self }
    }

    /// The same with traces.
    #[must_use]
    pub fn with_traces(self, traces: Traces) -> Server {
        Server { traces, ..self }
    }

    /// Serves until `stop` is ready, then ends all streams with a word of goodbye, stops all matches at a stored decision
    /// and returns.
    ///
    /// # Errors
    /// The store, the listener or the transport failed, or the certificate is none.
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let traces = self.traces.clone();
        let served = self.serve(listener, stop).await;
        traces.finish().await;
        served
    }

    async fn serve(
        mut self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), ServerError> {
        let drain = self.drain;
        let (admin, tls, traces) = (self.admin.take(), self.tls.take(), self.traces.clone());
        let page = self.page;
        if let Some(token) = &self.access.admin_token {
            token.install(&*self.agents, self.clock.unix_ms()).await?;
        }
        let state = Arc::new(self.state().await?);
        let running = state.arena.recover().await?;
        if running > 0 {
            info!(matches = running, "matches go on where they were");
        }
        let hosted = state.director.recover(&state).await?;
        if hosted > 0 {
            info!(tournaments = hosted, "tournaments go on where they were");
        }
        let limits = &state.limits;
        let max_message = limits.max_message as usize;
        let agents = AgentServiceServer::new(AgentApi { state: Arc::clone(&state) });
        let matches = MatchServiceServer::new(MatchApi { state: Arc::clone(&state) });
        let tournaments = TournamentServiceServer::new(TournamentApi { state: Arc::clone(&state) });
        let health = HealthServer::new(HealthApi { stopping: state.stopping.clone() });
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(DESCRIPTOR)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let connections = connections::accept(
            listener,
            limits.max_connections as usize,
            Arc::clone(&state.connections),
            state.metrics.connections_refused.clone(),
        );
        let closing = CancellationToken::new();
        let mut transport = tonic::transport::Server::builder();
        if let Some(tls) = tls {
            transport = transport.tls_config(tls.into())?;
        }
        let serving = transport
            .accept_http1(true)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .initial_stream_window_size(STREAM_WINDOW)
            .max_concurrent_streams(limits.max_streams)
            .http2_keepalive_interval(Some(KEEPALIVE))
            .layer(PagesLayer { state: page.then(|| Arc::clone(&state)) })
            .layer(GrpcWebLayer::new())
            .layer(MetricsLayer { metrics: Arc::clone(&state.metrics), traces })
            .layer(DetailLayer)
            .add_service(agents.max_decoding_message_size(max_message))
            .add_service(matches.max_decoding_message_size(max_message))
            .add_service(tournaments.max_decoding_message_size(max_message))
            .add_service(health)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .serve_with_incoming_shutdown(connections, closing.clone().cancelled_owned());
        let mut beside = JoinSet::new();
        beside.spawn(sweep::run(Arc::clone(&state)));
        beside.spawn(sweep::keep_up(Arc::clone(&state)));
        if let Some(listener) = admin {
            beside.spawn(admin::serve(listener, Arc::clone(&state)));
        }
        tokio::pin!(serving);
        tokio::select! {
            served = &mut serving => return Ok(served?),
            () = stop => {}
        }
        let stopped = async {
            tokio::select! {
                served = &mut serving => return served,
                () = state.stop(drain / 2) => closing.cancel(),
            }
            serving.await
        };
        // A client that keeps its connection and never reads must not keep the server.
        let stopped = tokio::time::timeout(drain, stopped).await;
        // What they hold of the store is free when this returns: another server may wait for it.
        beside.shutdown().await;
        match stopped {
            Ok(served) => Ok(served?),
            Err(_) => {
                warn!(?drain, "not everything ended in time; the rest is cut off");
                Ok(())
            }
        }
    }

    async fn state(self) -> Result<State, ServerError> {
        let census = Arc::new(Census::default());
        let metrics = Arc::new(Metrics::new());
        metrics.name_limits(self.limits.values().map(|(key, _)| key).filter(|key| key.contains(".max_")));
        let journal =
            Observed::new(self.journal, Arc::clone(&census), Arc::clone(&metrics), self.traces).await?;
        let reached = Arc::clone(&metrics);
        let arena = Arena::new(Parts {
            journal: Arc::new(journal),
            bus: self.bus,
            clock: self.clock,
            house: self.house,
            incarnation: self.incarnation,
        });
        let streams = TaskTracker::new();
        Ok(State {
            arena,
            agents: self.agents,
            tournaments: self.tournaments,
            director: Director::default(),
            leaderboard: tokio::sync::Mutex::default(),
            gate: Gate::new(self.limits.clone(), Arc::clone(&census), move |key| reached.limit_reached(key)),
            census,
            scenes: Scenes::new(self.limits.max_scenes),
            limits: self.limits,
            keep_matches: self.keep_matches,
            registration: self.access.registration,
            agent_changes: tokio::sync::Mutex::default(),
            once: Once::new(self.requests, streams.clone()),
            sessions: Sessions::default(),
            stopping: CancellationToken::new(),
            streams,
            writable: AtomicBool::new(true),
            connections: Arc::default(),
            metrics,
            store_stats: self.store_stats,
        })
    }
}

impl State {
    /// Stops what goes on, in order: nothing new is begun, streams say goodbye once what is under way on them is
    /// answered, and then no match decides anything any more. Calls are answered throughout.
    ///
    /// `patience` is for streams whose readers do not read and so do not learn that they end, and for calls that wait for
    /// the store.
    async fn stop(&self, patience: Duration) {
        self.stopping.cancel();
        self.streams.close();
        if tokio::time::timeout(patience, self.streams.wait()).await.is_err() {
            warn!(
                streams = self.streams.len(),
                "streams whose readers do not read, and calls that wait for the store, are cut off"
            );
        }
        self.arena.stop().await;
    }

    #[cfg(test)]
    pub(crate) async fn in_memory(limits: Limits) -> State {
        Server::in_memory(limits).state().await.unwrap()
    }
}

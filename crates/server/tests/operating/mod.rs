//! A service on a free port, for the tests of how it is operated.

// Each test file uses a part of this.
#![allow(dead_code)]

use std::collections::HashMap;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::agent_service_client::AgentServiceClient;
use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_protocol::v1::session_request::What as Up;
use chickenfoot_protocol::v1::session_response::What as Down;
use chickenfoot_server::{Server, ServerError};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt;

pub struct Service {
    pub address: String,
    pub stop: CancellationToken,
    server: JoinHandle<Result<(), ServerError>>,
}

impl Service {
    pub async fn start(server: Server) -> Service {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let server = tokio::spawn(server.run(listener, stop.clone().cancelled_owned()));
        Service { address, stop, server }
    }

    /// A service with its operator's port, and the address of that.
    pub async fn start_with_admin(server: Server) -> (Service, String) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let admin = listener.local_addr().unwrap().to_string();
        (Service::start(server.with_admin(listener)).await, admin)
    }

    /// A stream that watches a match that is over, through a window of one byte that nobody opens again.
    pub async fn unread_watch(&self) -> Streaming<v1::WatchMatchResponse> {
        let token = self.register("host").await;
        let client = Client::connect(&self.address, Some(&token)).unwrap();
        let house = || v1::SeatSpec { who: Some(v1::seat_spec::Who::House("greedy".to_owned())) };
        let config = v1::MatchConfig { seats: vec![house(), house()], ..v1::MatchConfig::default() };
        let id = client.create_match(config).await.unwrap().id;
        let endpoint = Endpoint::from_shared(self.address.clone()).unwrap().initial_stream_window_size(1);
        let mut matches = MatchServiceClient::new(endpoint.connect().await.unwrap());
        matches
            .watch_match(v1::WatchMatchRequest { match_id: id, after_seq: 0, ..Default::default() })
            .await
            .unwrap()
            .into_inner()
    }

    /// A session: its way up, its way down after the Hello, and the Hello.
    pub async fn session(
        &self,
        token: &str,
    ) -> (mpsc::Sender<v1::SessionRequest>, Streaming<v1::SessionResponse>, v1::Hello) {
        let (up, messages) = mpsc::channel(8);
        up.send(v1::SessionRequest { what: Some(Up::Open(v1::Open::default())) }).await.unwrap();
        let mut agents = AgentServiceClient::new(self.channel().await);
        let request = bearer(ReceiverStream::new(messages), token);
        let mut down = agents.session(request).await.unwrap().into_inner();
        match down.message().await.unwrap().unwrap().what {
            Some(Down::Hello(hello)) => (up, down, hello),
            other => panic!("no Hello but {other:?}"),
        }
    }

    pub async fn channel(&self) -> Channel {
        Endpoint::from_shared(self.address.clone()).unwrap().connect().await.unwrap()
    }

    pub async fn register(&self, name: &str) -> String {
        Client::connect(&self.address, None).unwrap().register(name).await.unwrap()
    }

    pub async fn ended(self) {
        self.server.await.unwrap().unwrap();
    }
}

pub fn bearer<T>(message: T, token: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}

/// The reason, its metadata, and whether a time to come back is given.
pub fn reason(status: &Status) -> (String, HashMap<String, String>, bool) {
    let info = status.get_details_error_info().unwrap();
    let retry = status.get_details_retry_info().is_some_and(|retry| retry.retry_delay.is_some());
    (info.reason, info.metadata, retry)
}

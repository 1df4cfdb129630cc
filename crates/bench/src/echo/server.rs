use std::pin::Pin;

use bytes::Bytes;
use clap::Args;
use tokio::net::TcpListener;
use tokio_stream::{Stream, StreamExt};
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming};

use super::payload;
use super::wire::Ball;
use super::wire::echo_server::{Echo, EchoServer as EchoService};
use crate::{CONNECTION_WINDOW, Failure, STREAM_WINDOW, say};

/// Serves echoes of one size until it is killed. Prints its address.
#[derive(Args)]
pub(crate) struct EchoServer {
    /// Size of every answer, in bytes.
    #[arg(long)]
    bytes: u32,
}

impl EchoServer {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        say(&listener.local_addr()?.to_string())?;
        let payload = payload(self.bytes);
        // The transport of the real service, down to its windows.
        tonic::transport::Server::builder()
            .initial_connection_window_size(CONNECTION_WINDOW)
            .initial_stream_window_size(STREAM_WINDOW)
            .add_service(EchoService::new(Bare { payload }))
            .serve_with_incoming(TcpIncoming::from(listener).with_nodelay(Some(true)))
            .await?;
        Ok(())
    }
}

struct Bare {
    payload: Bytes,
}

#[tonic::async_trait]
impl Echo for Bare {
    type RallyStream = Pin<Box<dyn Stream<Item = Result<Ball, Status>> + Send>>;

    async fn rally(&self, request: Request<Streaming<Ball>>) -> Result<Response<Self::RallyStream>, Status> {
        let payload = self.payload.clone();
        let back = request
            .into_inner()
            .map(move |ball| ball.map(|ball| Ball { lane: ball.lane, payload: payload.clone() }));
        Ok(Response::new(Box::pin(back)))
    }

    async fn hit(&self, request: Request<Ball>) -> Result<Response<Ball>, Status> {
        Ok(Response::new(Ball { lane: request.get_ref().lane, payload: self.payload.clone() }))
    }
}

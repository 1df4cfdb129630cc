use std::time::Duration;

use bytes::Bytes;
use chickenfoot_protocol::Raw;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt;

use crate::Failure;

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(30);

/// Calls methods with the bytes of messages.
pub(super) struct RawClient {
    channel: Channel,
    /// Sent with every call, once there is one.
    pub(super) token: Option<String>,
}

/// An open stream in both directions.
pub(super) struct Both {
    pub(super) up: mpsc::Sender<Bytes>,
    pub(super) down: Streaming<Bytes>,
}

impl RawClient {
    pub(super) fn new(address: &str) -> Result<RawClient, Failure> {
        Ok(RawClient { channel: Endpoint::from_shared(address.to_owned())?.connect_lazy(), token: None })
    }

    /// Calls a method with one message, and returns all that comes down: one message, or those of a stream.
    pub(super) async fn call(
        &self,
        method: &str,
        message: Bytes,
    ) -> Result<Result<Vec<Bytes>, Status>, Failure> {
        let mut grpc = self.ready().await?;
        let called = async {
            let answer = grpc.server_streaming(self.request(message)?, path(method)?, Raw).await;
            let mut down = match answer {
                Ok(answer) => answer.into_inner(),
                Err(status) => return Ok(Err(status)),
            };
            let mut all = Vec::new();
            loop {
                match down.message().await {
                    Ok(Some(message)) => all.push(message),
                    Ok(None) => return Ok(Ok(all)),
                    Err(status) => return Ok(Err(status)),
                }
            }
        };
        tokio::time::timeout(ANSWER, called).await.map_err(|_| format!("{method} does not answer"))?
    }

    /// Opens a stream in both directions. The first message goes up before anything can come down.
    pub(super) async fn open(&self, method: &str, first: Bytes) -> Result<Both, Failure> {
        let mut grpc = self.ready().await?;
        let (up, queue) = mpsc::channel(64);
        up.send(first).await?;
        let request = self.request(ReceiverStream::new(queue))?;
        let down = grpc.streaming(request, path(method)?, Raw).await?.into_inner();
        Ok(Both { up, down })
    }

    async fn ready(&self) -> Result<Grpc<Channel>, Failure> {
        let mut grpc = Grpc::new(self.channel.clone());
        grpc.ready().await?;
        Ok(grpc)
    }

    fn request<T>(&self, body: T) -> Result<Request<T>, Failure> {
        let mut request = Request::new(body);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", format!("Bearer {token}").parse()?);
        }
        Ok(request)
    }
}

impl Both {
    /// The next message; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let next = tokio::time::timeout(ANSWER, self.down.message()).await;
        Ok(next.map_err(|_| "nothing more comes down")??)
    }
}

/// What a refusal tells a program: its code and reason.
pub(super) fn refusal(status: &Status) -> String {
    let reason = status.get_details_error_info().map(|info| info.reason).unwrap_or_default();
    format!("{} {reason}", i32::from(status.code()))
}

fn path(method: &str) -> Result<http::uri::PathAndQuery, Failure> {
    Ok(format!("/chickenfoot.v1.{method}").parse()?)
}

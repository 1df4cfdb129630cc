use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use chickenfoot_protocol::Raw;
use http::uri::PathAndQuery;
use hyper::body::Incoming;
use tokio_stream::{Stream, StreamExt};
use tonic::body::Body;
use tonic::server::StreamingService;
use tonic::{Request, Response, Status, Streaming};

use super::{Shared, play, session};

/// Largest message that is passed on: a record of the longest match has some hundred kilobytes.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;

/// The call that is read and may be disturbed.
const SESSION: &str = "/chickenfoot.v1.AgentService/Session";

/// The unary form of a choice, which is read too.
const PLAY: &str = "/chickenfoot.v1.MatchService/Play";

/// What a call gives back.
pub(super) type Answers = Pin<Box<dyn Stream<Item = Result<Bytes, Status>> + Send>>;

/// Passes a call on, whatever its method: on the wire a unary call is a stream of one message each way.
pub(super) async fn pass(
    shared: Arc<Shared>,
    request: http::Request<Incoming>,
) -> Result<http::Response<Body>, Infallible> {
    let path = request.uri().path_and_query().cloned();
    let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
    let grpc = tonic::server::Grpc::new(Raw);
    let mut grpc = grpc.apply_max_message_size_config(Some(MAX_MESSAGE), None);
    Ok(grpc.streaming(Pass { shared, path }, request).await)
}

struct Pass {
    shared: Arc<Shared>,
    path: PathAndQuery,
}

impl StreamingService<Bytes> for Pass {
    type Response = Bytes;
    type ResponseStream = Answers;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Answers>, Status>> + Send>>;

    fn call(&mut self, request: Request<Streaming<Bytes>>) -> Self::Future {
        let (shared, path) = (Arc::clone(&self.shared), self.path.clone());
        Box::pin(async move {
            match path.path() {
                SESSION => session::pass(shared, path, request).await,
                PLAY => play::pass(&shared, path, request).await,
                _ => plain(&shared, path, request).await,
            }
        })
    }
}

/// A call that is none of the doctor's business.
async fn plain(
    shared: &Shared,
    path: PathAndQuery,
    request: Request<Streaming<Bytes>>,
) -> Result<Response<Answers>, Status> {
    // A caller that is gone ends its stream; the error is not the server's business.
    let request = request.map(|up| up.map_while(Result::ok));
    let response = call(shared, path, request).await?;
    Ok(response.map(|down| Box::pin(down) as Answers))
}

/// Makes a call of the real server.
pub(super) async fn call<S>(
    shared: &Shared,
    path: PathAndQuery,
    request: Request<S>,
) -> Result<Response<Streaming<Bytes>>, Status>
where
    S: Stream<Item = Bytes> + Send + 'static,
{
    let channel = shared.state().upstream.clone().ok_or_else(away)?;
    let mut grpc = tonic::client::Grpc::new(channel).max_decoding_message_size(MAX_MESSAGE);
    grpc.ready().await.map_err(|_| away())?;
    grpc.streaming(request, path, Raw).await
}

/// The server does not run.
pub(super) fn away() -> Status {
    Status::unavailable("the service is away")
}

//! The spectators' page over plain HTTP, on the port of gRPC: its files, pictures of tables, records.
//!
//! It stands before everything that knows gRPC. What is a call goes on as if no page were there; so does what asks for
//! nothing that the page has in a way that only calls have.

mod answer;
mod picture;
mod policy;
mod record;
mod route;
mod words;

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::future::Either;
use http::header::CONTENT_TYPE;
use http::{Method, Request, Response, StatusCode};
use tonic::body::Body;
use tonic::transport::server::{TcpConnectInfo, TlsConnectInfo};
use tower::{Layer, Service};

use crate::refusal::Refusal;
use crate::state::State;
use answer::{Answer, Asked};
use route::{Route, route};

/// How long an answer may take: one may wait for its turn to be made, for a match to begin, and for the store.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers what asks for the page; the rest is for the service within. Without a state there is no page.
#[derive(Clone)]
pub(crate) struct PagesLayer {
    pub(crate) state: Option<Arc<State>>,
}

impl<S> Layer<S> for PagesLayer {
    type Service = Pages<S>;

    fn layer(&self, inner: S) -> Pages<S> {
        Pages { inner, state: self.state.clone() }
    }
}

#[derive(Clone)]
pub(crate) struct Pages<S> {
    inner: S,
    state: Option<Arc<State>>,
}

impl<S> Service<Request<Body>> for Pages<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    // A call costs nothing more than before.
    type Future = Either<S::Future, Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match self.state.as_ref().filter(|_| !is_call(&request)) {
            Some(state) => {
                let state = Arc::clone(state);
                // Nobody reads a body where only reading is allowed.
                let request = request.map(drop);
                Either::Right(Box::pin(async move { Ok(answer(&state, &request).await) }))
            }
            None => Either::Left(self.inner.call(request)),
        }
    }
}

/// Whether a request is for what knows gRPC: it says that it is a call, or it is neither for a path of the page nor asks
/// for anything as a browser does.
fn is_call(request: &Request<Body>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).map(|kind| kind.as_bytes()).unwrap_or_default();
    if kind.get(..16).is_some_and(|start| start.eq_ignore_ascii_case(b"application/grpc")) {
        return true;
    }
    !is_reading(request.method()) && matches!(route(request.uri().path()), Ok(Route::Unknown))
}

fn is_reading(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

async fn answer(state: &Arc<State>, request: &Request<()>) -> Response<Body> {
    let since = Instant::now();
    let route = route(request.uri().path());
    let label = route.as_ref().map_or("other", Route::label);
    let asked = Asked::new(request);
    let answer = match route {
        _ if !is_reading(request.method()) => Answer::method_not_allowed(),
        // Whoever asks is counted as someone who calls without a token.
        route => match state.gate.peer_call(peer(request)) {
            Ok(()) => match tokio::time::timeout(PATIENCE, found(state, route, &asked)).await {
                Ok(found) => found.unwrap_or_else(Answer::refusal),
                Err(_) => Answer::refusal(Refusal::unavailable("the answer takes too long")),
            },
            Err(refusal) => Answer::refusal(refusal),
        },
    };
    let response = answer.respond(&asked);
    state.metrics.pages.answered(label, response.status(), since.elapsed());
    response
}

/// What stands at a path.
async fn found(state: &Arc<State>, route: Result<Route, Refusal>, asked: &Asked) -> Result<Answer, Refusal> {
    Ok(match route? {
        Route::Document => Answer::document(asked.is_embedded),
        Route::Asset(asset) => Answer::asset(asset, asked.version.as_deref()),
        Route::Icon(asset) => Answer::icon(asset),
        Route::Robots => Answer::robots(),
        Route::Moment { id, seq, form } => {
            picture::show(state, id, seq, form, asked).await.unwrap_or_else(Answer::nothing_to_see)
        }
        Route::Record(id) => record::download(state, id, asked).await?,
        Route::Unknown => Answer::text(StatusCode::NOT_FOUND, "there is no such page\n"),
    })
}

/// The address that a request came from.
fn peer(request: &Request<()>) -> Option<SocketAddr> {
    let extensions = request.extensions();
    let plain = extensions.get::<TcpConnectInfo>().and_then(TcpConnectInfo::remote_addr);
    plain.or_else(|| extensions.get::<TlsConnectInfo<TcpConnectInfo>>()?.get_ref().remote_addr())
}

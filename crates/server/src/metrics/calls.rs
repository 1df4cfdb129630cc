use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use chickenfoot_protocol::DESCRIPTOR;
use http::{HeaderMap, Request, Response};
use http_body::{Frame, SizeHint};
use metrics::{Counter, Histogram};
use prost::Message;
use prost_types::FileDescriptorSet;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use super::family::{CALL_SECONDS, CALLS};
use super::{Metrics, Registry};
use crate::traces::Traces;

/// The name for what is no method of the service, so that a stranger cannot make metrics.
const OTHER: &str = "other";

/// Names of the canonical codes, by their number.
const CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// The metrics of calls, by the path of their method.
pub(crate) struct Calls {
    methods: HashMap<String, Arc<Method>>,
    other: Arc<Method>,
}

struct Method {
    name: &'static str,
    /// Made when the code first occurs.
    codes: [OnceLock<Counter>; CODES.len()],
    /// Unary methods only: how long a stream lives says nothing.
    seconds: Option<Histogram>,
}

impl Calls {
    pub(super) fn new(registry: &Registry) -> Calls {
        let mut methods = HashMap::new();
        let health = tonic_health::pb::FILE_DESCRIPTOR_SET;
        // Both are made by the build.
        let files = [DESCRIPTOR, health].into_iter().filter_map(|set| FileDescriptorSet::decode(set).ok());
        for file in files.flat_map(|set| set.file) {
            for service in &file.service {
                for method in &service.method {
                    let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                    let unary = !method.client_streaming() && !method.server_streaming();
                    // Once for each server and method, so that labels need no copies.
                    let name: &'static str = format!("{}/{}", service.name(), method.name()).leak();
                    methods.insert(path, Arc::new(Method::new(registry, name, unary)));
                }
            }
        }
        Calls { methods, other: Arc::new(Method::new(registry, OTHER, false)) }
    }

    fn method(&self, path: &str) -> Arc<Method> {
        Arc::clone(self.methods.get(path).unwrap_or(&self.other))
    }
}

impl Method {
    fn new(registry: &Registry, name: &'static str, unary: bool) -> Method {
        let codes: [OnceLock<Counter>; CODES.len()] = Default::default();
        let _ = codes[0].set(registry.counter(CALLS, &[name, CODES[0]]));
        let seconds = unary.then(|| registry.histogram(CALL_SECONDS, &[name]));
        Method { name, codes, seconds }
    }
}

/// Counts, times and traces every call.
#[derive(Clone)]
pub(crate) struct MetricsLayer {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) traces: Traces,
}

impl<S> Layer<S> for MetricsLayer {
    type Service = Measured<S>;

    fn layer(&self, inner: S) -> Measured<S> {
        Measured { inner, metrics: Arc::clone(&self.metrics), traces: self.traces.clone() }
    }
}

#[derive(Clone)]
pub(crate) struct Measured<S> {
    inner: S,
    metrics: Arc<Metrics>,
    traces: Traces,
}

impl<S, B> Service<Request<B>> for Measured<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut call = Call {
            method: self.metrics.calls.method(request.uri().path()),
            metrics: Arc::clone(&self.metrics),
            traces: self.traces.clone(),
            since: Instant::now(),
            code: None,
        };
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await?;
            call.see(response.headers());
            Ok(response.map(|body| Body::new(MeasuredBody { body, call })))
        })
    }
}

/// A call that is counted when it is dropped: with the code that was seen, or as given up by the caller.
struct Call {
    method: Arc<Method>,
    metrics: Arc<Metrics>,
    traces: Traces,
    since: Instant,
    code: Option<Code>,
}

impl Call {
    fn see(&mut self, headers: &HeaderMap) {
        if let Some(status) = Status::from_header_map(headers) {
            self.code = Some(status.code());
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let (code, took) = (self.code.unwrap_or(Code::Cancelled), self.since.elapsed());
        let number = code as usize;
        let labels = [self.method.name, CODES[number]];
        self.method.codes[number].get_or_init(|| self.metrics.registry.counter(CALLS, &labels)).increment(1);
        if let Some(seconds) = &self.method.seconds {
            seconds.record(took.as_secs_f64());
        }
        self.traces.call(self.method.name, code, took);
    }
}

/// An answer's body, whose trailers tell how the call ended.
struct MeasuredBody {
    body: Body,
    call: Call,
}

impl http_body::Body for MeasuredBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(trailers) = frame.trailers_ref()
        {
            self.call.see(trailers);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

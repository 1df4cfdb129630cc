use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::reason::Reason;
use crate::refusal::Refusal;

/// Gives the errors that tonic makes by itself (a message too large, an unknown method) their `ErrorInfo`, so that
/// every error has one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DetailLayer;

impl<S> Layer<S> for DetailLayer {
    type Service = Detailed<S>;

    fn layer(&self, inner: S) -> Detailed<S> {
        Detailed { inner }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Detailed<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for Detailed<S>
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
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await?;
            // An error that is known before the first message is in the headers; ours have details already.
            let status = Status::from_header_map(response.headers());
            Ok(status.and_then(|status| with_details(&status)).map_or(response, Status::into_http))
        })
    }
}

/// The same error with a reason; `None` if it needs none or is not one that tonic makes.
pub(crate) fn with_details(status: &Status) -> Option<Status> {
    if !status.details().is_empty() {
        return None;
    }
    let reason = match status.code() {
        Code::OutOfRange => Reason::MessageTooLarge,
        Code::Unimplemented => Reason::MethodUnknown,
        Code::Cancelled | Code::DeadlineExceeded => Reason::DeadlinePassed,
        // What tonic calls an internal error while it reads a request is the caller's.
        Code::Internal | Code::InvalidArgument => Reason::MessageMalformed,
        _ => return None,
    };
    Some(Refusal::new(reason, status.message()).into())
}

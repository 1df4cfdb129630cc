use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::reason::Reason;
use crate::refusal::Refusal;

/// Gives the errors that tonic makes by itself (a message too large, an unknown method, a deadline that passed) their
/// `ErrorInfo`, so that every error has one.
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
        // The transport keeps the caller's deadline too, but only from outside of this layer and with a bare error; the
        // same time measured from a moment earlier is up first.
        let deadline = deadline(request.headers()).unwrap_or(Duration::MAX);
        let response = tokio::time::timeout(deadline, self.inner.call(request));
        Box::pin(async move {
            let Ok(response) = response.await else {
                let refusal = Refusal::new(Reason::DeadlinePassed, "the deadline of the call passed");
                return Ok(Status::from(refusal).into_http());
            };
            let response = response?;
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
    let message = match (reason, status.message()) {
        (Reason::MethodUnknown, "") => "the service has no such method",
        (_, message) => message,
    };
    Some(Refusal::new(reason, message).into())
}

/// The time that the caller gives the call, as `grpc-timeout` says it: up to eight digits and a unit.
fn deadline(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(number * 3600),
        "M" => Duration::from_secs(number * 60),
        "S" => Duration::from_secs(number),
        "m" => Duration::from_millis(number),
        "u" => Duration::from_micros(number),
        "n" => Duration::from_nanos(number),
        _ => return None,
    })
}

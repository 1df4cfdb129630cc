use bytes::Bytes;
use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use http::uri::PathAndQuery;
use prost::Message;
use tonic::{Request, Response, Status, Streaming};

use super::Shared;
use super::call::{Answers, call};
use crate::transcript::Happened;

/// Passes on a choice that was made by the unary call, and tells of it as if it had been made on the session.
pub(super) async fn pass(
    shared: &Shared,
    path: PathAndQuery,
    mut request: Request<Streaming<Bytes>>,
) -> Result<Response<Answers>, Status> {
    let message = request.get_mut().message().await?.unwrap_or_default();
    let choice = v1::PlayRequest::decode(message.clone()).ok().and_then(|play| play.choice);
    let choice = choice.unwrap_or_default();
    let (match_id, decision) = (choice.match_id.clone(), choice.decision);
    shared.transcript.push(Happened::Up(v1::SessionRequest { what: Some(Up::Choice(choice)) }));
    let answer = unary(shared, path, request.map(|_| tokio_stream::once(message))).await;
    let told = match &answer {
        Ok(bytes) => {
            let played = v1::PlayResponse::decode(bytes.get_ref().clone()).unwrap_or_default();
            let v1::PlayResponse { r#move, think, granted } = played;
            Down::ChoiceAccepted(v1::ChoiceAccepted { match_id, decision, r#move, think, granted })
        }
        Err(status) => Down::Refusal(refusal(match_id, decision, status.clone())),
    };
    shared.transcript.push(Happened::Down(v1::SessionResponse { what: Some(told) }));
    answer.map(|answer| answer.map(|bytes| Box::pin(tokio_stream::once(Ok(bytes))) as Answers))
}

async fn unary(
    shared: &Shared,
    path: PathAndQuery,
    request: Request<tokio_stream::Once<Bytes>>,
) -> Result<Response<Bytes>, Status> {
    let response = call(shared, path, request).await?;
    let (metadata, mut down, extensions) = response.into_parts();
    let bytes = down.message().await?.unwrap_or_default();
    Ok(Response::from_parts(metadata, bytes, extensions))
}

/// A status as a session would have told it.
fn refusal(match_id: String, decision: u32, status: Status) -> v1::Refusal {
    let code = status.code().into();
    let (reason, message, metadata) = match chickenfoot_bot::Error::from(status) {
        chickenfoot_bot::Error::Refused { reason, message, metadata, .. } => (reason, message, metadata),
        other => (String::new(), other.to_string(), Default::default()),
    };
    v1::Refusal { match_id, decision, code, reason, message, metadata, ..v1::Refusal::default() }
}

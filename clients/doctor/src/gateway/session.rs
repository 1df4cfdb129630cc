use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use http::uri::PathAndQuery;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Response, Status, Streaming};

use super::call::{Answers, away, call};
use super::{Disturb, Shared};
use crate::transcript::Happened;

/// Messages that may wait in each direction. What a bot does not read waits in the server soon.
const QUEUE: usize = 64;

/// The number of a field that no message of the contract has.
const UNKNOWN_FIELD: u32 = 1999;

/// What a newer contract might say in that field.
const UNKNOWN_TEXT: &[u8] = b"of a later version";

/// Passes a session on, message by message, and keeps its transcript.
pub(super) async fn pass(
    shared: Arc<Shared>,
    path: PathAndQuery,
    request: Request<Streaming<Bytes>>,
) -> Result<Response<Answers>, Status> {
    let (metadata, extensions, up) = request.into_parts();
    let (to_server, from_bot) = mpsc::channel(QUEUE);
    let (to_bot, answers) = mpsc::channel(QUEUE);
    let number = {
        let mut state = shared.state();
        state.sessions += 1;
        state.down = Some(to_bot.clone());
        state.sessions
    };
    shared.transcript.opened(number);
    let session = Session { shared, number, to_bot, newest: watch::Sender::new(None) };
    // Before the call: the server may answer only after the first message.
    tokio::spawn(session.clone().rise(up, to_server));
    let request = Request::from_parts(metadata, extensions, ReceiverStream::new(from_bot));
    let down = match call(&session.shared, path, request).await {
        Ok(response) => response,
        Err(status) => {
            session.tell(Happened::Ended(status.clone()));
            return Err(status);
        }
    };
    let (metadata, down, extensions) = down.into_parts();
    tokio::spawn(session.fall(down));
    let answers: Answers = Box::pin(ReceiverStream::new(answers));
    Ok(Response::from_parts(metadata, answers, extensions))
}

/// One session of the bot.
#[derive(Clone)]
struct Session {
    shared: Arc<Shared>,
    number: u32,
    to_bot: mpsc::Sender<Result<Bytes, Status>>,
    /// The newest decision that was delivered.
    newest: watch::Sender<Option<Bytes>>,
}

impl Session {
    /// Carries up what the bot says, until it or its stream is gone.
    async fn rise(self, mut up: Streaming<Bytes>, to_server: mpsc::Sender<Bytes>) {
        let carry = async {
            while let Some(bytes) = up.message().await? {
                let Some(bytes) = self.said(bytes).await else { continue };
                self.wait().await;
                if to_server.send(bytes).await.is_err() {
                    return Ok(());
                }
            }
            self.tell(Happened::HungUp("it closed its stream".to_owned()));
            Ok::<(), Status>(())
        };
        tokio::select! {
            carried = carry => {
                if let Err(status) = carried {
                    self.tell(Happened::HungUp(format!("its connection is gone: {}", status.message())));
                }
            }
            () = self.to_bot.closed() => self.tell(Happened::HungUp("it left its stream".to_owned())),
        }
    }

    /// Notes a message of the bot; none if it is to be lost.
    async fn said(&self, bytes: Bytes) -> Option<Bytes> {
        let Ok(message) = v1::SessionRequest::decode(bytes.clone()) else {
            self.tell(Happened::Unreadable(bytes.len()));
            return Some(bytes);
        };
        let chose = matches!(message.what, Some(Up::Choice(_)));
        self.tell(Happened::Up(message));
        match chose.then(|| self.take(&[Disturb::LoseChoice, Disturb::AskAnswered])).flatten() {
            Some(Disturb::LoseChoice) => {
                self.shared.transcript.note("the doctor swallows this answer");
                self.shared.cut();
                None
            }
            Some(_) => {
                self.ask_again().await;
                Some(bytes)
            }
            None => Some(bytes),
        }
    }

    /// Delivers the newest decision once more.
    async fn ask_again(&self) {
        let newest = self.newest.borrow().clone();
        let Some(bytes) = newest else { return };
        if let Ok(message) = v1::SessionResponse::decode(bytes.clone()) {
            self.shared.transcript.note("the doctor delivers the decision a second time");
            self.tell(Happened::Down(message));
        }
        // A bot that is gone is seen elsewhere.
        let _ = self.to_bot.send(Ok(bytes)).await;
    }

    /// Carries down what the server says, until it ends the stream or the bot is gone.
    async fn fall(self, mut down: Streaming<Bytes>) {
        let carry = async {
            while let Some(bytes) = down.message().await? {
                self.wait().await;
                if self.deliver(bytes).await.is_err() {
                    return Ok(());
                }
            }
            self.end(Status::ok("")).await;
            Ok::<(), Status>(())
        };
        tokio::select! {
            carried = carry => {
                if let Err(status) = carried {
                    // What the server itself did not say means that it is gone.
                    let own = !matches!(status.code(), Code::Unknown | Code::Internal | Code::Cancelled);
                    self.end(if own { status } else { away() }).await;
                }
            }
            () = self.to_bot.closed() => {}
        }
    }

    async fn end(&self, status: Status) {
        self.tell(Happened::Ended(status.clone()));
        // The bot may be gone already.
        let _ = self.to_bot.send(Err(status)).await;
    }

    /// Hands a message to the bot, disturbed if that was planned.
    async fn deliver(&self, bytes: Bytes) -> Result<(), mpsc::error::SendError<Result<Bytes, Status>>> {
        let Ok(message) = v1::SessionResponse::decode(bytes.clone()) else {
            return self.to_bot.send(Ok(bytes)).await;
        };
        let planned: &[Disturb] = match &message.what {
            Some(Down::Decision(_)) => {
                self.newest.send_replace(Some(bytes.clone()));
                &[Disturb::CutAtDecision, Disturb::DecisionTwice, Disturb::DecisionWithMore]
            }
            Some(Down::ChoiceAccepted(_)) => &[Disturb::LoseAcknowledgement],
            _ => &[],
        };
        match self.take(planned) {
            Some(Disturb::CutAtDecision | Disturb::LoseAcknowledgement) => {
                self.shared.cut();
                Ok(())
            }
            Some(Disturb::DecisionTwice) => {
                self.tell(Happened::Down(message));
                self.to_bot.send(Ok(bytes)).await?;
                self.ask_again().await;
                Ok(())
            }
            Some(Disturb::DecisionWithMore) => {
                self.shared.transcript.note("the doctor adds fields of a later contract to this decision");
                let more = with_more(&message);
                self.tell(Happened::Down(message));
                self.to_bot.send(Ok(more)).await
            }
            Some(Disturb::LoseChoice | Disturb::AskAnswered) | None => {
                self.tell(Happened::Down(message));
                self.to_bot.send(Ok(bytes)).await
            }
        }
    }

    /// The first planned disturbance of these kinds, which then is done.
    fn take(&self, kinds: &[Disturb]) -> Option<Disturb> {
        let mut state = self.shared.state();
        let place = state.planned.iter().position(|planned| kinds.contains(planned))?;
        Some(state.planned.remove(place))
    }

    /// As long as messages are held back, and the delay.
    async fn wait(&self) {
        let mut held = self.shared.held.subscribe();
        // The sender lives as long as the gateway.
        let _ = held.wait_for(|held| !held).await;
        let delay = self.shared.state().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
    }

    fn tell(&self, what: Happened) {
        self.shared.transcript.push_on(self.number, what);
    }
}

/// A kind of message that the contract does not have yet.
pub(crate) fn unknown_kind() -> Bytes {
    let mut bytes = BytesMut::new();
    add_unknown(&mut bytes);
    bytes.freeze()
}

/// The message with a field that the contract does not have, in itself and in its decision.
fn with_more(message: &v1::SessionResponse) -> Bytes {
    let Some(Down::Decision(decision)) = &message.what else {
        return message.encode_to_vec().into();
    };
    let mut inner = BytesMut::from(decision.encode_to_vec().as_slice());
    add_unknown(&mut inner);
    let mut bytes = BytesMut::new();
    // The number of `decision` in SessionResponse.
    encode_key(4, WireType::LengthDelimited, &mut bytes);
    encode_varint(inner.len() as u64, &mut bytes);
    bytes.put(inner);
    add_unknown(&mut bytes);
    bytes.freeze()
}

fn add_unknown(to: &mut BytesMut) {
    encode_key(UNKNOWN_FIELD, WireType::LengthDelimited, to);
    encode_varint(UNKNOWN_TEXT.len() as u64, to);
    to.put_slice(UNKNOWN_TEXT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_contract_does_not_have_is_read_over() {
        assert_eq!(v1::SessionResponse::decode(unknown_kind()).unwrap(), v1::SessionResponse { what: None });
        let decision = v1::Decision { match_id: "m".to_owned(), number: 7, ..v1::Decision::default() };
        let message = v1::SessionResponse { what: Some(Down::Decision(decision)) };
        let more = with_more(&message);
        assert!(more.len() > message.encoded_len() + 2 * UNKNOWN_TEXT.len());
        assert_eq!(v1::SessionResponse::decode(more).unwrap(), message);
    }
}

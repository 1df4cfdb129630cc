use std::sync::Arc;
use std::sync::atomic::Ordering;

use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_protocol::v1::{self, session_request::What as Up};
use prost::Message;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;
use tonic::codegen::http::uri::PathAndQuery;

use super::agents::{Agent, Lines};
use super::hub::Hub;
use super::thin::{Decision, Down, Thin, What};
use crate::Failure;
use crate::job::Way;

/// One agent's session: takes every seat, answers every decision at once.
pub(crate) struct Session {
    pub(crate) desk: usize,
    pub(crate) hub: Arc<Hub<v1::SessionRequest>>,
    pub(crate) agent: Agent,
    /// Told of every match that is over, by the agent on its first seat.
    pub(crate) ended: UnboundedSender<()>,
    /// Told in the same way of every match that begins, if anybody watches.
    pub(crate) watchers: Option<UnboundedSender<String>>,
}

impl Session {
    /// Plays until the stream ends, which it should not. `ready` is told when the session is open.
    pub(crate) async fn run(self, lines: Lines, ready: oneshot::Sender<()>) -> Result<(), Failure> {
        let Lines { way, up, answers } = lines;
        let (stream_up, requests) = match way {
            Way::Session => (up, answers),
            // The stream carries what is no choice; choices are calls.
            Way::Unary => {
                let (stream, requests) = unbounded_channel();
                tokio::spawn(calls(
                    self.agent.clone(),
                    self.desk,
                    Arc::clone(&self.hub),
                    answers,
                    stream.clone(),
                ));
                (stream, requests)
            }
        };
        stream_up.send(message(Up::Open(v1::Open { client: "bench".to_owned(), ..v1::Open::default() })))?;
        let mut down = self.open(requests).await?;
        let mut ready = Some(ready);
        while let Some((down, bytes)) = down.message().await? {
            if let Some(ready) = ready.take() {
                // Nobody waits any more if another session has failed.
                let _ = ready.send(());
            }
            self.hear(down, bytes)?;
        }
        Err("the service ended a session".into())
    }

    async fn open(
        &self,
        requests: UnboundedReceiver<v1::SessionRequest>,
    ) -> Result<Streaming<(Down, usize)>, Failure> {
        let mut grpc = tonic::client::Grpc::new(self.agent.channel.clone());
        grpc.ready().await?;
        let request = self.agent.request(UnboundedReceiverStream::new(requests));
        let path = PathAndQuery::from_static("/chickenfoot.v1.AgentService/Session");
        Ok(grpc.streaming(request, path, Thin).await?.into_inner())
    }

    fn hear(&self, down: Down, bytes: usize) -> Result<(), Failure> {
        let hub = &self.hub;
        match down.what {
            Some(What::Decision(Decision { match_id, number })) => {
                let key = key(&match_id, number);
                let choice = message(Up::Choice(v1::Choice {
                    match_id,
                    decision: number,
                    // There are always two, and a change between them makes matches of all lengths.
                    choice: Some(v1::choice::Choice::Option(number & 1)),
                }));
                hub.weigh(self.desk, bytes, choice.encoded_len());
                hub.answer(self.desk, key, choice);
                return Ok(());
            }
            Some(What::Accepted(Decision { match_id, number })) => {
                hub.acknowledged(self.desk, key(&match_id, number), bytes);
                return Ok(());
            }
            Some(What::Offer(offer)) => {
                let match_id = offer.game.unwrap_or_default().id;
                let reply = v1::OfferReply { match_id, accept: true, entropy: Vec::new() };
                hub.say(self.desk, message(Up::OfferReply(reply)));
            }
            Some(What::Started(started)) => {
                hub.begun.fetch_add(1, Ordering::Relaxed);
                if let (Some(watchers), true) = (&self.watchers, started.seats.contains(&0)) {
                    // They may have failed, which they tell themselves.
                    let _ = watchers.send(started.game.unwrap_or_default().id);
                }
            }
            Some(What::Ended(ended)) => {
                if ended.seats.contains(&0) {
                    hub.ended.fetch_add(1, Ordering::Relaxed);
                    // Nobody begins another when the run is over.
                    let _ = self.ended.send(());
                }
            }
            Some(What::Refusal(why)) => {
                return Err(format!("refused: {}: {}", why.reason, why.message).into());
            }
            Some(What::Goodbye(why)) => return Err(format!("goodbye: {}", why.message).into()),
            Some(What::Hello(_) | What::Heartbeat(_)) | None => {}
        }
        hub.other(self.desk, bytes);
        Ok(())
    }
}

/// Makes a call of each choice, all at once; the rest goes to the stream.
async fn calls(
    agent: Agent,
    desk: usize,
    hub: Arc<Hub<v1::SessionRequest>>,
    mut answers: UnboundedReceiver<v1::SessionRequest>,
    stream: UnboundedSender<v1::SessionRequest>,
) {
    let client = MatchServiceClient::new(agent.channel.clone());
    while let Some(request) = answers.recv().await {
        let Some(Up::Choice(choice)) = request.what else {
            // The session has ended if this fails.
            let _ = stream.send(request);
            continue;
        };
        let (hub, agent, mut client) = (Arc::clone(&hub), agent.clone(), client.clone());
        tokio::spawn(async move {
            let key = key(&choice.match_id, choice.decision);
            match client.play(agent.request(v1::PlayRequest { choice: Some(choice) })).await {
                Ok(answer) => hub.acknowledged(desk, key, answer.get_ref().encoded_len()),
                Err(why) => hub.failed(why.message()),
            }
        });
    }
}

fn message(what: Up) -> v1::SessionRequest {
    v1::SessionRequest { what: Some(what) }
}

/// Tells the exchanges of a session apart. Ids of matches are random, so that a part of one is enough.
fn key(match_id: &str, decision: u32) -> u64 {
    let id = match_id.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or_default();
    id ^ u64::from(decision)
}

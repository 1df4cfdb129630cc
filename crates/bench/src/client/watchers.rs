use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Buf;
use chickenfoot_protocol::v1;
use prost::Message;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Status};

use super::hub::Hub;
use crate::Failure;

/// Lets so many readers follow each match that begins, to its end.
pub(super) async fn watch<M: Send + 'static>(
    channels: Vec<Channel>,
    readers: u32,
    hub: Arc<Hub<M>>,
    mut games: UnboundedReceiver<String>,
) -> Result<(), Failure> {
    let mut reading: JoinSet<Result<(), Failure>> = JoinSet::new();
    loop {
        tokio::select! {
            game = games.recv() => {
                let Some(game) = game else { return Ok(()) };
                for reader in 0..readers as usize {
                    let channel = channels[reader % channels.len()].clone();
                    reading.spawn(follow(channel, game.clone(), Arc::clone(&hub)));
                }
            }
            Some(read) = reading.join_next() => read??,
        }
    }
}

async fn follow<M>(channel: Channel, match_id: String, hub: Arc<Hub<M>>) -> Result<(), Failure> {
    let mut grpc = tonic::client::Grpc::new(channel);
    grpc.ready().await?;
    let request = Request::new(v1::WatchMatchRequest { match_id, after_seq: 0, ..Default::default() });
    let path = PathAndQuery::from_static("/chickenfoot.v1.MatchService/WatchMatch");
    let mut events = grpc.server_streaming(request, path, Unread).await?.into_inner();
    while events.message().await?.is_some() {
        hub.watched.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// Events are counted and not read.
struct Unread;

impl Codec for Unread {
    type Encode = v1::WatchMatchRequest;
    type Decode = ();
    type Encoder = Unread;
    type Decoder = Unread;

    fn encoder(&mut self) -> Unread {
        Unread
    }

    fn decoder(&mut self) -> Unread {
        Unread
    }
}

impl Encoder for Unread {
    type Item = v1::WatchMatchRequest;
    type Error = Status;

    fn encode(&mut self, item: v1::WatchMatchRequest, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer).map_err(|why| Status::internal(why.to_string()))
    }
}

impl Decoder for Unread {
    type Item = ();
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<()>, Status> {
        buffer.advance(buffer.remaining());
        Ok(Some(()))
    }
}

//! A watch as the bytes that come.

use bytes::Bytes;
use chickenfoot_protocol::Raw;
use chickenfoot_protocol::v1::{self, watch_match_response::What};
use prost::Message;
use tonic::Streaming;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Endpoint;

use crate::common::within;

/// An event and its scene, each as the bytes of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub event: Bytes,
    pub scene: Bytes,
}

impl Pair {
    pub fn event(&self) -> v1::Event {
        match v1::WatchMatchResponse::decode(self.event.clone()).unwrap().what {
            Some(What::Event(event)) => event,
            other => panic!("an event comes before its scene, not {other:?}"),
        }
    }

    pub fn scene(&self) -> v1::Scene {
        match v1::WatchMatchResponse::decode(self.scene.clone()).unwrap().what {
            Some(What::Scene(scene)) => scene,
            other => panic!("the scene comes after its event, not {other:?}"),
        }
    }
}

/// An open watch with scenes.
pub struct Watch(Streaming<Bytes>);

impl Watch {
    pub async fn open(address: &str, token: Option<&str>, id: &str, after_seq: u64, outlines: bool) -> Watch {
        let channel = Endpoint::from_shared(address.to_owned()).unwrap().connect_lazy();
        let mut grpc = Grpc::new(channel);
        within(grpc.ready()).await.unwrap();
        let request = v1::WatchMatchRequest { match_id: id.to_owned(), after_seq, scenes: true, outlines };
        let mut request = tonic::Request::new(Bytes::from(request.encode_to_vec()));
        if let Some(token) = token {
            request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        let path = PathAndQuery::from_static("/chickenfoot.v1.MatchService/WatchMatch");
        Watch(within(grpc.server_streaming(request, path, Raw)).await.unwrap().into_inner())
    }

    /// The next message and what it says; `None` at the end.
    pub async fn message(&mut self) -> Option<(Bytes, What)> {
        let bytes = within(self.0.message()).await.unwrap()?;
        let what = v1::WatchMatchResponse::decode(bytes.clone()).unwrap().what.unwrap();
        Some((bytes, what))
    }

    /// The next event and its scene, which must come right after it; `None` at the end.
    pub async fn next(&mut self) -> Option<Pair> {
        let event = loop {
            let (bytes, what) = self.message().await?;
            match what {
                What::Event(_) => break bytes,
                What::Heartbeat(_) | What::Decision(_) => {}
                What::Scene(scene) => panic!("a scene without its event: {scene:?}"),
            }
        };
        let (scene, _) = self.message().await.expect("a scene comes after its event");
        let pair = Pair { event, scene };
        assert_eq!(pair.event().seq, pair.scene().seq);
        Some(pair)
    }

    /// So many events, each with its scene.
    pub async fn take(&mut self, count: u64) -> Vec<Pair> {
        let mut pairs = Vec::new();
        while (pairs.len() as u64) < count {
            pairs.push(self.next().await.expect("the match goes on"));
        }
        pairs
    }

    /// All that comes to the end of the match.
    pub async fn all(mut self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        while let Some(pair) = self.next().await {
            pairs.push(pair);
        }
        pairs
    }
}

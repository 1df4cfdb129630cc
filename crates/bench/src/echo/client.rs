use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use prost::Message;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::Channel;

use super::payload;
use super::wire::Ball;
use super::wire::echo_client::EchoClient;
use crate::Failure;
use crate::client::{Hub, channels, measure};
use crate::job::{Job, Outcome, Way};
use crate::usage::memory;

/// Exchanges messages with the bare echo: as many exchanges at once as the job has matches, spread over its sessions.
pub(crate) async fn run(job: &Job, up: u32) -> Result<Outcome, Failure> {
    let channels = channels(&job.address, job.connections).await?;
    let (lines, answers): (Vec<_>, Vec<_>) = (0..job.sessions).map(|_| unbounded_channel()).unzip();
    let hub = Arc::new(Hub::new(lines));
    let payload = payload(up);
    let mut tasks: JoinSet<Result<(), Failure>> = JoinSet::new();
    for (desk, answers) in answers.into_iter().enumerate() {
        let channel = channels[desk % channels.len()].clone();
        let lanes = (u64::from(job.matches)).saturating_sub(desk as u64).div_ceil(u64::from(job.sessions));
        let player = Player { desk, hub: Arc::clone(&hub), payload: payload.clone(), up, lanes };
        match job.way {
            Way::Session => tasks.spawn(player.rally(channel, answers)),
            Way::Unary => tasks.spawn(player.hit(channel, answers)),
        };
    }
    let memory_before = memory(job.server)?;
    measure(job, &hub, u64::from(job.matches), &mut tasks, memory_before).await
}

struct Player {
    desk: usize,
    hub: Arc<Hub<Ball>>,
    payload: Bytes,
    /// Bytes of a whole ball up.
    up: u32,
    lanes: u64,
}

impl Player {
    async fn rally(self, channel: Channel, answers: UnboundedReceiver<Ball>) -> Result<(), Failure> {
        let mut client = EchoClient::new(channel);
        self.serve();
        let mut down = client.rally(UnboundedReceiverStream::new(answers)).await?.into_inner();
        while let Some(ball) = down.message().await? {
            self.hear(&ball);
        }
        Err("the echo ended a stream".into())
    }

    async fn hit(self, channel: Channel, mut answers: UnboundedReceiver<Ball>) -> Result<(), Failure> {
        let client = EchoClient::new(channel);
        self.serve();
        let player = Arc::new(self);
        while let Some(ball) = answers.recv().await {
            let (mut client, player) = (client.clone(), Arc::clone(&player));
            tokio::spawn(async move {
                match client.hit(ball).await {
                    Ok(ball) => player.hear(ball.get_ref()),
                    Err(why) => player.hub.failed(why.message()),
                }
            });
        }
        Ok(())
    }

    /// Puts all balls of the stream into play.
    fn serve(&self) {
        for lane in 0..self.lanes {
            self.answer(lane);
        }
        self.hub.begun.fetch_add(self.lanes, Ordering::Relaxed);
    }

    fn answer(&self, lane: u64) {
        self.hub.answer(self.desk, lane, Ball { lane, payload: self.payload.clone() });
    }

    fn hear(&self, ball: &Ball) {
        let bytes = ball.encoded_len();
        self.hub.acknowledged(self.desk, ball.lane, 0);
        self.hub.weigh(self.desk, bytes, self.up as usize);
        self.answer(ball.lane);
    }
}

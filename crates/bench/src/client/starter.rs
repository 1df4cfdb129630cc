use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_protocol::v1::{self, seat_spec::Who};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;

use super::agents::Agent;
use crate::Failure;

/// Matches that are made at the same time.
const AT_ONCE: u32 = 64;

/// Whoever makes the matches, and another for each that ends.
pub(crate) struct Starter {
    pub(crate) agent: Agent,
    /// The agents that play. Match n seats four of them in a row, from number 4n on.
    pub(crate) names: Vec<String>,
}

impl Starter {
    pub(crate) async fn run(
        self,
        matches: u32,
        rules: v1::Rules,
        mut ends: UnboundedReceiver<()>,
    ) -> Result<(), Failure> {
        let starter = Arc::new(self);
        let next = Arc::new(AtomicU32::new(0));
        let mut makers: JoinSet<Result<(), Failure>> = JoinSet::new();
        for _ in 0..AT_ONCE.min(matches) {
            let (starter, next) = (Arc::clone(&starter), Arc::clone(&next));
            makers.spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= matches {
                        return Ok(());
                    }
                    starter.create(number, rules).await?;
                }
            });
        }
        while let Some(made) = makers.join_next().await {
            made??;
        }
        let mut number = matches;
        let mut under_way: JoinSet<Result<(), Failure>> = JoinSet::new();
        while ends.recv().await.is_some() {
            if under_way.len() >= AT_ONCE as usize
                && let Some(made) = under_way.join_next().await
            {
                made??;
            }
            while let Some(made) = under_way.try_join_next() {
                made??;
            }
            let starter = Arc::clone(&starter);
            under_way.spawn(async move { starter.create(number, rules).await });
            number += 1;
        }
        Ok(())
    }

    async fn create(&self, number: u32, rules: v1::Rules) -> Result<(), Failure> {
        let seat = |i: usize| {
            let name = &self.names[(number as usize * 4 + i) % self.names.len()];
            v1::SeatSpec { who: Some(Who::Agent(name.clone())) }
        };
        let config = v1::MatchConfig {
            rules: Some(rules),
            seats: (0..4).map(seat).collect(),
            // Nobody is to be late while the first matches wait for the last to begin.
            decision_time: Some(prost_types::Duration { seconds: 3600, nanos: 0 }),
            ..v1::MatchConfig::default()
        };
        let request = v1::CreateMatchRequest { config: Some(config), request_id: String::new() };
        let mut client = MatchServiceClient::new(self.agent.channel.clone());
        client.create_match(self.agent.request(request)).await?;
        Ok(())
    }
}

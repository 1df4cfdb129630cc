use std::sync::Arc;

use chickenfoot_arena::{Watch, Watched};
use chickenfoot_protocol::v1::{self, watch_match_response::What};
use chickenfoot_rules::Seat;
use chickenfoot_store::{AgentName, MatchId};
use futures_util::stream::{self, Stream};
use tonic::Status;

use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::State;
use crate::wire::wire_seen;

/// The events of a match as this caller may see them, to the end of the match or of the server.
pub(crate) fn stream(
    state: Arc<State>,
    id: MatchId,
    agent: Option<AgentName>,
    events: Watch,
) -> impl Stream<Item = Result<v1::WatchMatchResponse, Status>> + Send {
    stream::unfold(
        Some(Reader {
            state,
            id,
            agent,
            seats: None,
            events,
        }),
        |reader| async move {
            let mut reader = reader?;
            match reader.next().await {
                Ok(Some(what)) => Some((Ok(v1::WatchMatchResponse { what: Some(what) }), Some(reader))),
                Ok(None) => None,
                Err(refusal) => Some((Err(refusal.into()), None)),
            }
        },
    )
}

struct Reader {
    state: Arc<State>,
    id: MatchId,
    agent: Option<AgentName>,
    /// The caller's seats; they are fixed from the first event on.
    seats: Option<Vec<Seat>>,
    events: Watch,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<What>, Refusal> {
        let clock = self.state.arena.clock();
        let heartbeat = clock.sleep_until(clock.now() + self.state.limits.heartbeat_interval());
        let watched = tokio::select! {
            watched = self.events.next() => watched,
            () = heartbeat => {
                return Ok(Some(What::Heartbeat(v1::WatchHeartbeat { head_seq: self.events.head_seq() })));
            }
            () = self.state.stopping.cancelled() => {
                return Err(Refusal::new(Reason::ShuttingDown, "the service stops; watch again from the last event"));
            }
        };
        match watched {
            Watched::Event(seq, event) => {
                let over = self.events.is_over();
                let seats = self.seats().await?;
                Ok(Some(What::Event(wire_seen(seq, &event, seats, over))))
            }
            Watched::Over => Ok(None),
            Watched::Broken => Err(Refusal::new(
                Reason::Internal,
                "the match's log cannot be read any further",
            )),
        }
    }

    async fn seats(&mut self) -> Result<&[Seat], Refusal> {
        if self.seats.is_none() {
            let row = self.state.arena.row(self.id).await?;
            self.seats = Some(
                self.agent
                    .as_ref()
                    .map(|agent| row.seats_of(agent))
                    .unwrap_or_default(),
            );
        }
        Ok(self.seats.as_deref().unwrap_or_default())
    }
}

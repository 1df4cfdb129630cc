use std::sync::Arc;

use chickenfoot_arena::{DecisionNote, Subscription, ToAgent, Told, Watch, Watched};
use chickenfoot_protocol::v1::{self, watch_match_response::What};
use chickenfoot_rules::Seat;
use chickenfoot_store::{AgentName, MatchId, MatchState};
use futures_util::stream::{self, Stream};
use tokio_util::task::task_tracker::TaskTrackerToken;
use tonic::Status;

use crate::auth;
use crate::authz::Caller;
use crate::limits::WatchPass;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::scenes::Following;
use crate::state::State;
use crate::wire::{wire_decision, wire_seen};

/// The events of a match as this caller may see them, their scenes if they are asked for, and its decisions, to the end of
/// the match or of the server.
pub(crate) fn stream(
    state: Arc<State>,
    id: MatchId,
    caller: Option<Caller>,
    events: Watch,
    scenes: Option<Following>,
    pass: WatchPass,
) -> impl Stream<Item = Result<v1::WatchMatchResponse, Status>> + Send {
    let player = caller.map(|caller| Player {
        inbox: state.arena.listen(&caller.name, state.limits.watch_in_queue as usize),
        agent: caller.name.clone(),
        caller,
        token_changed: false,
        seats: None,
        decision: None,
        sent: 0,
        stream: rand::random(),
    });
    stream::unfold(
        Some(Reader { _alive: state.streams.token(), state, id, events, scenes, untold: None, player, pass }),
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
    events: Watch,
    /// The scenes of the events, if they are asked for.
    scenes: Option<Following>,
    /// The event that was sent and whose scene was not.
    untold: Option<(u64, Arc<Told>)>,
    /// The caller, if it said who it is.
    player: Option<Player>,
    pass: WatchPass,
    /// Stopping waits for it.
    _alive: TaskTrackerToken,
}

struct Player {
    /// Whose watch it is, with the token that it was opened with.
    caller: Caller,
    agent: AgentName,
    /// Whether the token has to be looked at again.
    token_changed: bool,
    inbox: Subscription,
    /// The caller's seats; they are fixed from the first event on.
    seats: Option<Vec<Seat>>,
    /// A decision that waits until the events before it are sent.
    decision: Option<Box<DecisionNote>>,
    /// The number of the last decision that was sent.
    sent: u32,
    /// Tells this stream from others of the agent, for the clocks.
    stream: u64,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<What>, Refusal> {
        if let (Some(scenes), Some((seq, told))) = (&mut self.scenes, self.untold.take()) {
            return Ok(Some(What::Scene(scenes.scene(&self.events, seq, &told, &self.state.gate).await?)));
        }
        let clock = Arc::clone(self.state.arena.clock());
        let heartbeat = clock.sleep_until(clock.now() + self.state.limits.heartbeat_interval());
        // Only a seat sees the first events of a match with a spectator delay, and nobody has one for certain before.
        let begun = self.events.begun();
        tokio::pin!(heartbeat, begun);
        let mut has_begun = false;
        loop {
            self.seats().await?;
            if self.player.as_mut().is_some_and(|player| std::mem::take(&mut player.token_changed)) {
                self.check_token().await?;
            }
            let at = self.events.at();
            if let Some(player) = &mut self.player
                && let Some((decision, is_new)) = player.due(at)
            {
                // Also if it is told again: its clock may have begun anew, and would stand until it hears of this.
                self.state.arena.delivered(self.id, &player.agent, decision.number, player.stream);
                if is_new {
                    return Ok(Some(What::Decision(wire_decision(&decision))));
                }
            }
            tokio::select! {
                watched = self.events.next() => match watched {
                    Watched::Event(seq, told) => {
                        self.pass.lag(self.events.head_seq().saturating_sub(seq));
                        let over = self.events.tells_all();
                        if self.scenes.is_some() {
                            self.untold = Some((seq, Arc::clone(&told)));
                        }
                        let seats = self.seats().await?;
                        return Ok(Some(What::Event(wire_seen(seq, &told.event, seats, over))));
                    }
                    Watched::Over => return Ok(None),
                    Watched::Broken => {
                        return Err(Refusal::new(Reason::Internal, "the match's log cannot be read any further"));
                    }
                },
                () = hear(self.player.as_mut(), self.id) => {}
                () = &mut begun, if !has_begun => has_begun = true,
                () = &mut heartbeat => {
                    self.check_token().await?;
                    self.resend().await;
                    return Ok(Some(What::Heartbeat(v1::WatchHeartbeat { head_seq: self.events.head_seq() })));
                }
                () = self.state.stopping.cancelled() => {
                    return Err(Refusal::shutting_down("the service stops; watch again from the last event"));
                }
            }
        }
    }

    /// Whether the token that the watch was opened with is still the caller's.
    async fn check_token(&self) -> Result<(), Refusal> {
        match &self.player {
            Some(player) => auth::again(&*self.state.agents, &player.caller).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// The caller's seats, once the match has begun. The first time, the open decision is asked for. Until they are known
    /// the token is looked at too: the watch listens by now, so from then on no change is missed.
    async fn seats(&mut self) -> Result<&[Seat], Refusal> {
        if self.player.as_ref().is_some_and(|player| player.seats.is_none()) {
            self.check_token().await?;
            let row = self.state.arena.row(self.id).await?;
            if let Some(player) = &mut self.player
                && row.state != MatchState::Open
            {
                let seats = row.seats_of(&player.agent);
                if !seats.is_empty() {
                    self.events.undelayed();
                }
                player.seats = Some(seats);
            }
            self.resend().await;
        }
        Ok(self.player.as_ref().and_then(|player| player.seats.as_deref()).unwrap_or_default())
    }

    /// Has the open decision sent again, if the caller has a seat: the message may have been lost.
    async fn resend(&self) {
        if let Some(player) = &self.player
            && player.seats.as_ref().is_some_and(|seats| !seats.is_empty())
        {
            self.state.arena.resend(self.id, &player.agent).await;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(player) = self.player.as_ref().filter(|player| player.sent > 0) {
            self.state.arena.lost(self.id, &player.agent, player.stream);
        }
    }
}

impl Player {
    /// The decision that has come, once all events before it are sent, and whether it was not sent yet.
    fn due(&mut self, at: u64) -> Option<(Box<DecisionNote>, bool)> {
        let decision = self.decision.take_if(|decision| u64::from(decision.number) <= at + 1)?;
        let is_new = decision.number > self.sent;
        self.sent = self.sent.max(decision.number);
        (decision.number == self.sent).then_some((decision, is_new))
    }
}

/// Waits for a decision in this match, or news of the token; for ever, if there is no player. Safe to drop and call again.
async fn hear(player: Option<&mut Player>, id: MatchId) {
    let Some(player) = player else {
        return std::future::pending().await;
    };
    loop {
        let Some(delivery) = player.inbox.next().await else {
            return std::future::pending().await;
        };
        match ToAgent::decode(&delivery.message) {
            Some(ToAgent::Decision(note)) if note.match_id == id => {
                player.decision = Some(note);
                return;
            }
            Some(ToAgent::TokenChanged) => {
                player.token_changed = true;
                return;
            }
            Some(_) | None => {}
        }
    }
}

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::Arc;

use chickenfoot_arena::{Delivery, Subscription, ToAgent};
use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use chickenfoot_store::{AgentName, MatchId, MatchRow, MatchState};
use foldhash::fast::RandomState;
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{self, BoxStream, FuturesUnordered, SelectAll, StreamExt};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};
use tracing::{debug, info};

mod down;
mod told;
mod up;

use self::told::Told;
use crate::auth;
use crate::authz::Caller;
use crate::detail_layer::with_details;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{State, match_id};
use crate::wire::wire_duration;

/// How long the last message may wait for room.
const LAST_WORD: std::time::Duration = std::time::Duration::from_secs(1);

/// Heartbeats that an agent may take to send Open.
const OPENS_WITHIN: u32 = 3;

/// How long it may take once another session has taken over.
const OPENS_STILL: std::time::Duration = std::time::Duration::from_secs(2);

/// Matches whose open decisions are asked for at the same time.
const RESEND_AT_ONCE: usize = 64;

/// Most messages of one kind that are looked at before those of another kind have their turn.
const AT_ONCE: usize = 64;

/// Most matches that a session takes up from an earlier one.
const MAX_RESUME: usize = 1000;

/// Starts the session of an agent; the stream is what the agent gets.
pub(crate) fn start(
    state: Arc<State>,
    caller: Caller,
    up: Streaming<v1::SessionRequest>,
) -> ReceiverStream<Result<v1::SessionResponse, Status>> {
    let (out, down) = mpsc::channel(state.limits.session_out_queue as usize);
    let agent = caller.name.clone();
    let (number, taken_over) = state.sessions.open(&agent);
    state.arena.tell(&agent, &ToAgent::TakenOver(number));
    let queue = state.limits.session_in_queue as usize;
    let inbox = state.arena.listen(&agent, queue);
    let session = Session {
        state,
        caller,
        agent,
        number,
        taken_over,
        stream: rand::random(),
        out,
        inbox,
        events: false,
        games: HashMap::default(),
        told: Told::new(queue),
        offered: HashSet::new(),
        pending: FuturesUnordered::new(),
        resume: HashMap::new(),
        watches: SelectAll::new(),
    };
    let alive = session.state.streams.token();
    tokio::spawn(async move {
        session.run(up).await;
        drop(alive);
    });
    ReceiverStream::new(down)
}

struct Session {
    state: Arc<State>,
    /// Whose session it is, with the token that it was opened with.
    caller: Caller,
    agent: AgentName,
    number: u64,
    /// Cancelled when another session of the agent takes over.
    taken_over: CancellationToken,
    /// Tells this stream from others of the agent, for the clocks.
    stream: u64,
    out: mpsc::Sender<Result<v1::SessionResponse, Status>>,
    inbox: Subscription,
    /// Whether the agent wants events too.
    events: bool,
    /// The running matches that the agent was told of.
    games: HashMap<MatchId, Game, RandomState>,
    told: Told,
    /// The open matches in which the agent was offered a seat.
    offered: HashSet<MatchId>,
    /// Choices and replies that wait for their answer.
    pending: FuturesUnordered<BoxFuture<'static, Answered>>,
    /// The last event that the agent has of each match that it knows from an earlier session.
    resume: HashMap<MatchId, u64>,
    /// The events of the games, if wanted.
    watches: SelectAll<BoxStream<'static, (MatchId, Option<v1::Event>)>>,
}

#[derive(Default)]
struct Game {
    /// The last decision that was sent, and whether it waits for its answer.
    decision: u32,
    open: bool,
    /// Whether the decision is to be sent once more, because the service had no room for its answer.
    again: bool,
    /// Whether the end of the match is told by its watch, after the last event.
    watched: bool,
}

/// What became of a message of the agent's.
enum Answered {
    Choice { match_id: MatchId, decision: u32, down: Down },
    Reply { match_id: MatchId, refused: Option<Down> },
}

/// Why a session ends.
enum End {
    /// The agent closed the stream or is gone.
    Gone,
    /// The agent has opened another session.
    TakenOver,
    /// The server stops.
    Stopping,
    /// The agent's token was changed or revoked.
    Unauthenticated(Status),
    /// The agent broke the protocol.
    Refused(Status),
}

type Step = Result<(), End>;

impl Session {
    async fn run(mut self, mut up: Streaming<v1::SessionRequest>) {
        info!(agent = %self.agent, session = self.number, "session opened");
        let end = match self.open(&mut up).await {
            Ok(()) => self.serve(&mut up).await,
            Err(end) => end,
        };
        if matches!(end, End::Stopping) {
            self.finish().await;
        }
        // What has come in is answered though nobody hears of it.
        self.state.streams.spawn(std::mem::take(&mut self.pending).for_each(async |_| {}));
        self.state.sessions.close(&self.agent, self.number);
        for (id, _) in self.games.iter().filter(|(_, game)| game.open) {
            self.state.arena.lost(*id, &self.agent, self.stream);
        }
        let last = match end {
            End::Gone => None,
            End::TakenOver => {
                Some(goodbye(v1::GoodbyeReason::Replaced, "another session of this agent took over"))
            }
            End::Stopping => Some(goodbye(v1::GoodbyeReason::Shutdown, "the service stops")),
            End::Unauthenticated(status) => {
                let reason = v1::GoodbyeReason::Unauthenticated;
                // The agent may be gone already.
                let word = self.out.send(goodbye(reason, "the agent's token was changed or revoked"));
                let _ = tokio::time::timeout(LAST_WORD, word).await;
                Some(Err(status))
            }
            End::Refused(status) => Some(Err(status)),
        };
        if let Some(last) = last {
            // The agent may be gone already.
            let _ = tokio::time::timeout(LAST_WORD, self.out.send(last)).await;
        }
        debug!(agent = %self.agent, session = self.number, "session closed");
    }

    /// Waits for the answers that are under way. What the agent has no room for it learns from its next session.
    async fn finish(&mut self) {
        while let Some(answered) = self.pending.next().await {
            let (Answered::Choice { down, .. } | Answered::Reply { refused: Some(down), .. }) = answered
            else {
                continue;
            };
            let _ = self.out.try_send(Ok(v1::SessionResponse { what: Some(down) }));
        }
    }

    async fn open(&mut self, up: &mut Streaming<v1::SessionRequest>) -> Step {
        let clock = Arc::clone(self.state.arena.clock());
        let patience = OPENS_WITHIN * self.state.limits.heartbeat_interval();
        let taken_over = async {
            self.taken_over.cancelled().await;
            clock.sleep_until(clock.now() + OPENS_STILL).await;
        };
        let first = tokio::select! {
            // What has come in time counts, though it is read late.
            biased;
            first = up.next() => first,
            () = self.state.stopping.cancelled() => return Err(End::Stopping),
            () = clock.sleep_until(clock.now() + patience) => return Err(not_opened()),
            // Not with a goodbye: whoever reads expects Hello first, and takes anything else for a connection to be tried
            // again. Some time it has, as Open may be on its way.
            () = taken_over => return Err(not_opened()),
        };
        let open = match first {
            None => return Err(End::Gone),
            Some(Err(status)) => return Err(broken(status)),
            Some(Ok(v1::SessionRequest { what: Some(Up::Open(open)) })) => open,
            Some(Ok(_)) => return Err(not_opened()),
        };
        // The session listens by now, so from here on no change is missed.
        self.check_token().await?;
        self.events = open.events;
        self.resume = read_resume(&open.resume).map_err(|why| End::Refused(why.into()))?;
        let rows = self.rows().await?;
        let running = rows.iter().filter(|row| row.state == MatchState::Running).count();
        let limits = &self.state.limits;
        let hello = v1::Hello {
            agent: self.agent.to_string(),
            heartbeat_interval: Some(wire_duration(limits.heartbeat_interval())),
            max_pending: limits.max_pending,
            max_message_bytes: limits.max_message,
            running_matches: running as u32,
            server_version: env!("CARGO_PKG_VERSION").to_owned(),
            limits: limits.values().map(|(name, value)| v1::Limit { name: name.to_owned(), value }).collect(),
        };
        self.send(Down::Hello(hello)).await?;
        if self.taken_over.is_cancelled() {
            return Err(End::TakenOver);
        }
        self.reconcile(rows).await?;
        // What the agent knows and is not running any more: it may be over without its knowledge.
        let known: Vec<MatchId> = self.resume.keys().copied().collect();
        for id in known {
            self.announce(id).await?;
            self.ended(id).await?;
        }
        Ok(())
    }

    async fn serve(&mut self, up: &mut Streaming<v1::SessionRequest>) -> End {
        let interval = self.state.limits.heartbeat_interval();
        let clock = Arc::clone(self.state.arena.clock());
        // Made once and not anew for every message: setting and clearing timers and waiters costs more than a message.
        let mut beat = clock.sleep_until(clock.now() + interval);
        let (state, taken_over) = (Arc::clone(&self.state), self.taken_over.clone());
        let (mut stopping, mut taken_over) = (pin!(state.stopping.cancelled()), pin!(taken_over.cancelled()));
        loop {
            let step = tokio::select! {
                message = up.next() => self.receive_all(message, up).await,
                Some(delivery) = self.inbox.next() => self.hear_all(delivery).await,
                Some(answered) = self.pending.next() => self.answer_all(answered).await,
                Some((id, event)) = self.watches.next() => self.watched(id, event).await,
                () = &mut beat => {
                    beat = clock.sleep_until(clock.now() + interval);
                    self.beat().await
                }
                () = &mut stopping => Err(End::Stopping),
                () = &mut taken_over => Err(End::TakenOver),
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    /// A message of the agent's, and what has arrived behind it: looking at everything else that a session waits for
    /// costs as much as a message.
    async fn receive_all(
        &mut self,
        first: Option<Result<v1::SessionRequest, Status>>,
        up: &mut Streaming<v1::SessionRequest>,
    ) -> Step {
        let mut next = Some(first);
        for left in (0..AT_ONCE).rev() {
            match next {
                Some(Some(Ok(message))) => self.receive(message).await?,
                Some(Some(Err(status))) => return Err(broken(status)),
                Some(None) => return Err(End::Gone),
                None => break,
            }
            next = if left == 0 { None } else { up.next().now_or_never() };
        }
        Ok(())
    }

    /// A message from the matches, and what has arrived behind it.
    async fn hear_all(&mut self, first: Delivery) -> Step {
        let mut next = Some(first);
        for left in (0..AT_ONCE).rev() {
            let Some(delivery) = next else { break };
            if let Some(message) = ToAgent::decode(&delivery.message) {
                self.hear(message).await?;
            }
            next = if left == 0 { None } else { self.inbox.try_next() };
        }
        Ok(())
    }

    /// What became of a message of the agent's, and of others meanwhile.
    async fn answer_all(&mut self, first: Answered) -> Step {
        let mut next = Some(first);
        for left in (0..AT_ONCE).rev() {
            let Some(answered) = next else { break };
            self.answered(answered).await?;
            next = if left == 0 { None } else { self.pending.next().now_or_never().flatten() };
        }
        Ok(())
    }

    /// A message from the matches.
    async fn hear(&mut self, message: ToAgent) -> Step {
        match message {
            ToAgent::Offered(id) => match self.row(id).await {
                Some(row) => self.offer(&row).await,
                None => Ok(()),
            },
            ToAgent::Started(id) => self.announce(id).await,
            ToAgent::Decision(note) => self.decision(&note).await,
            ToAgent::Ended(id) => {
                self.announce(id).await?;
                self.ended(id).await
            }
            ToAgent::TakenOver(number) if number > self.number => Err(End::TakenOver),
            ToAgent::TakenOver(_) => Ok(()),
            ToAgent::TokenChanged => self.check_token().await,
        }
    }

    /// Ends the session if the token that it was opened with is not the agent's any more.
    async fn check_token(&mut self) -> Step {
        let again = auth::again(&*self.state.agents, &self.caller).await;
        again.map(|_| ()).map_err(|refusal| match refusal.reason {
            Reason::TokenInvalid => End::Unauthenticated(refusal.into()),
            // The store does not say.
            _ => End::Refused(refusal.into()),
        })
    }

    /// A heartbeat, and a look at what messages may have been lost.
    async fn beat(&mut self) -> Step {
        if !self.state.sessions.is_newest(&self.agent, self.number) {
            return Err(End::TakenOver);
        }
        self.check_token().await?;
        let open = self.games.values().filter(|game| game.open).count();
        self.send(Down::Heartbeat(v1::Heartbeat { open_decisions: open as u32 })).await?;
        let rows = self.rows().await?;
        self.reconcile(rows).await
    }

    /// Tells the agent what it has not heard of its matches, and has open decisions sent again.
    async fn reconcile(&mut self, rows: Vec<MatchRow>) -> Step {
        let offered: HashSet<MatchId> =
            rows.iter().filter(|row| row.state == MatchState::Open).map(|row| row.id).collect();
        self.offered.retain(|id| offered.contains(id));
        let mut running = Vec::new();
        for row in &rows {
            match row.state {
                MatchState::Open => self.offer(row).await?,
                MatchState::Running if !row.seats_of(&self.agent).is_empty() => {
                    self.announce(row.id).await?;
                    running.push(row.id);
                }
                MatchState::Running | MatchState::Finished | MatchState::Aborted(_) => {}
            }
        }
        let known: Vec<MatchId> = self.games.keys().copied().filter(|id| !running.contains(id)).collect();
        for id in known {
            self.ended(id).await?;
        }
        let (arena, agent) = (self.state.arena.clone(), self.agent.clone());
        // Apart from the session, which has to read what comes of it.
        tokio::spawn(stream::iter(running).for_each_concurrent(RESEND_AT_ONCE, move |id| {
            let (arena, agent) = (arena.clone(), agent.clone());
            async move { arena.resend(id, &agent).await }
        }));
        Ok(())
    }

    async fn rows(&mut self) -> Result<Vec<MatchRow>, End> {
        let rows = self.state.arena.journal().of_agent(&self.agent).await;
        rows.map_err(|why| End::Refused(Refusal::from(why).into()))
    }

    async fn row(&mut self, id: MatchId) -> Option<MatchRow> {
        // A store that fails now is asked again by the next look.
        self.state.arena.row(id).await.ok()
    }

    async fn send(&mut self, what: Down) -> Step {
        let message = Ok(v1::SessionResponse { what: Some(what) });
        let message = match self.out.try_send(message) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Closed(_)) => return Err(End::Gone),
            Err(TrySendError::Full(message)) => message,
        };
        tokio::select! {
            sent = self.out.send(message) => sent.map_err(|_| End::Gone),
            // A reader that does not read must not keep the server from stopping.
            () = self.state.stopping.cancelled() => Err(End::Stopping),
            () = self.taken_over.cancelled() => Err(End::TakenOver),
        }
    }
}

/// Reads which matches the agent knows, and the last event that it has of each.
fn read_resume(resume: &[v1::Resume]) -> Result<HashMap<MatchId, u64>, Refusal> {
    if resume.len() > MAX_RESUME {
        let message = format!("open.resume must have at most {MAX_RESUME} entries, not {}", resume.len());
        return Err(Refusal::new(Reason::FieldOutOfRange, message).field("open.resume"));
    }
    let entry = |known: &v1::Resume| Ok((match_id(&known.match_id)?, known.after_seq));
    resume.iter().map(entry).collect()
}

fn goodbye(reason: v1::GoodbyeReason, message: &str) -> Result<v1::SessionResponse, Status> {
    let retry_after =
        (reason == v1::GoodbyeReason::Shutdown).then(|| wire_duration(std::time::Duration::from_secs(1)));
    let goodbye = v1::Goodbye { reason: reason.into(), message: message.to_owned(), retry_after };
    Ok(v1::SessionResponse { what: Some(Down::Goodbye(goodbye)) })
}

fn not_opened() -> End {
    let message = "the first message of a session must be Open, and only the first";
    End::Refused(Refusal::new(Reason::SessionNotOpened, message).into())
}

/// The end after a message that could not be read; a connection that broke looks like one too.
fn broken(status: Status) -> End {
    with_details(&status).map_or(End::Gone, End::Refused)
}

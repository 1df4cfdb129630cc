use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chickenfoot_store::{AgentName, MatchId};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::census::{Census, Reserved};
use crate::config::Limits;
use crate::refusal::Refusal;

/// When to try again what needs something of another's to end.
const LATER: Duration = Duration::from_secs(5);

/// Holds clients to the [`Limits`]. Every limit is enforced here, but for those that the transport keeps (messages,
/// streams and connections) and the lengths of queues.
pub(crate) struct Gate {
    limits: Limits,
    census: Arc<Census>,
    agents: DefaultKeyedRateLimiter<AgentName>,
    peers: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
    watches: Arc<Watches>,
    /// Places for drawings, those that wait included.
    drawings: Arc<Semaphore>,
    /// How many are made at the same time.
    hands: Arc<Semaphore>,
    /// Told of every limit that is reached, by its key.
    reached: Box<dyn Fn(&'static str) + Send + Sync>,
}

impl Gate {
    pub(crate) fn new(
        limits: Limits,
        census: Arc<Census>,
        reached: impl Fn(&'static str) + Send + Sync + 'static,
    ) -> Gate {
        Gate {
            agents: RateLimiter::keyed(per_second(limits.max_agent_calls)),
            peers: RateLimiter::keyed(per_second(limits.max_peer_calls)),
            clock: DefaultClock::default(),
            watches: Arc::default(),
            drawings: Arc::new(Semaphore::new(limits.max_drawings as usize)),
            hands: Arc::new(Semaphore::new(hands())),
            limits,
            census,
            reached: Box::new(reached),
        }
    }

    /// A call or a choice of an agent.
    ///
    /// # Errors
    /// It makes too many.
    pub(crate) fn agent_call(&self, agent: &AgentName) -> Result<(), Refusal> {
        self.agents.check_key(agent).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            self.refuse("limits.max_agent_calls", self.limits.max_agent_calls, wait)
        })
    }

    /// A call of someone who did not say who it is, or could not prove it.
    ///
    /// # Errors
    /// Too many come from there.
    pub(crate) fn peer_call(&self, peer: Option<SocketAddr>) -> Result<(), Refusal> {
        self.peers.check_key(&network(peer)).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            self.refuse("limits.max_peer_calls", self.limits.max_peer_calls, wait)
        })
    }

    /// A session of one more agent, if `online` have one.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn session(&self, online: usize) -> Result<(), Refusal> {
        self.below(online, "limits.max_sessions", self.limits.max_sessions)
    }

    /// A stream that watches a match or a tournament, by its id; it counts until the pass is dropped.
    ///
    /// # Errors
    /// There are too many of this match or in all.
    pub(crate) fn watch(&self, id: u128) -> Result<WatchPass, Refusal> {
        let mut table = self.watches.lock();
        self.below(table.lags.len(), "limits.max_watches", self.limits.max_watches)?;
        let count = table.by_match.get(&id).copied().unwrap_or_default();
        self.below(count, "limits.max_watches_per_match", self.limits.max_watches_per_match)?;
        table.by_match.insert(id, count + 1);
        table.last += 1;
        let (number, lag) = (table.last, Arc::new(AtomicU64::new(0)));
        table.lags.insert(number, Arc::clone(&lag));
        drop(table);
        Ok(WatchPass { watches: Arc::clone(&self.watches), id, number, lag })
    }

    /// Waits for the turn to make a picture or a record, which lasts until what is returned is dropped.
    ///
    /// # Errors
    /// Too many are being made or wait.
    pub(crate) async fn drawing(&self) -> Result<Drawing, Refusal> {
        const KEY: &str = "limits.max_drawings";
        let refuse = || self.refuse(KEY, self.limits.max_drawings, Duration::from_secs(1));
        let place = Arc::clone(&self.drawings).try_acquire_owned().map_err(|_| refuse())?;
        // It is never closed.
        let hand = Arc::clone(&self.hands).acquire_owned().await.map_err(|_| refuse())?;
        Ok(Drawing { _place: place, _hand: hand })
    }

    /// Waits for the turn of a longer piece of drawing that is no answer of its own; it lasts until what is returned is
    /// dropped. Whoever is [drawing](Gate::drawing) has its turn already.
    pub(crate) async fn hand(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed.
        Arc::clone(&self.hands).acquire_owned().await.ok()
    }

    /// The scenes of one more match, if those of `watched` others are watched.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn scenes(&self, watched: usize) -> Result<(), Refusal> {
        self.below(watched, "limits.max_scene_matches", self.limits.max_scene_matches)
    }

    /// Room for a match that an agent makes; it is kept until the reservation is dropped.
    ///
    /// # Errors
    /// There are too many, or too many of this agent's.
    pub(crate) fn create(&self, creator: &AgentName) -> Result<Reserved, Refusal> {
        let reserved = self.census.reserve(creator);
        let counts = reserved.before;
        let limits = &self.limits;
        self.below(counts.open, "limits.max_open_matches", limits.max_open_matches)?;
        self.below(counts.open + counts.running, "limits.max_matches", limits.max_matches)?;
        let of_agent = counts.of_agent;
        self.below(of_agent.open, "limits.max_open_matches_per_agent", limits.max_open_matches_per_agent)?;
        self.below(of_agent.live, "limits.max_matches_per_agent", limits.max_matches_per_agent)?;
        Ok(reserved)
    }

    /// A seat for an agent in one more match.
    ///
    /// # Errors
    /// It has too many.
    pub(crate) fn join(&self, agent: &AgentName, id: MatchId) -> Result<(), Refusal> {
        match self.census.matches_without(agent, id) {
            Some(live) => self.below(live, "limits.max_matches_per_agent", self.limits.max_matches_per_agent),
            None => Ok(()),
        }
    }

    /// How many streams watch, and by how many events the one that is furthest behind is.
    pub(crate) fn watches(&self) -> (usize, u64) {
        let table = self.watches.lock();
        let lag = table.lags.values().map(|lag| lag.load(Ordering::Relaxed)).max();
        (table.lags.len(), lag.unwrap_or_default())
    }

    /// Forgets callers that have not called lately.
    pub(crate) fn sweep(&self) {
        self.agents.retain_recent();
        self.peers.retain_recent();
    }

    fn below(&self, count: usize, key: &'static str, limit: u32) -> Result<(), Refusal> {
        if count < limit as usize { Ok(()) } else { Err(self.refuse(key, limit, LATER)) }
    }

    fn refuse(&self, key: &'static str, limit: u32, wait: Duration) -> Refusal {
        (self.reached)(key);
        Refusal::limit_reached(key, limit, wait)
    }
}

fn per_second(calls: u32) -> Quota {
    Quota::per_second(NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN))
}

/// The turn to make a picture or a record.
#[derive(Debug)]
pub(crate) struct Drawing {
    _place: OwnedSemaphorePermit,
    _hand: OwnedSemaphorePermit,
}

/// Half of the cores, so that matches have the others.
fn hands() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2).max(1)
}

/// What is counted as one address: a home or a server has a whole /64 of IPv6.
fn network(peer: Option<SocketAddr>) -> IpAddr {
    match peer.map(|peer| peer.ip().to_canonical()) {
        None => Ipv6Addr::UNSPECIFIED.into(),
        Some(IpAddr::V4(address)) => address.into(),
        Some(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[derive(Default)]
struct Watches(Mutex<WatchTable>);

#[derive(Default)]
struct WatchTable {
    by_match: HashMap<u128, usize>,
    /// How many events each stream is behind.
    lags: HashMap<u64, Arc<AtomicU64>>,
    last: u64,
}

impl Watches {
    /// Nothing can panic halfway through a change.
    fn lock(&self) -> MutexGuard<'_, WatchTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to watch a match.
pub(crate) struct WatchPass {
    watches: Arc<Watches>,
    id: u128,
    number: u64,
    lag: Arc<AtomicU64>,
}

impl WatchPass {
    /// Notes how many events this stream is behind.
    pub(crate) fn lag(&self, events: u64) {
        self.lag.store(events, Ordering::Relaxed);
    }
}

impl Drop for WatchPass {
    fn drop(&mut self) {
        let mut table = self.watches.lock();
        table.lags.remove(&self.number);
        if let Some(count) = table.by_match.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                table.by_match.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Reason;

    fn gate(limits: Limits) -> Gate {
        Gate::new(limits, Arc::default(), |_| {})
    }

    fn limit(refusal: &Refusal) -> &str {
        assert_eq!(refusal.reason, Reason::LimitReached);
        assert!(refusal.retry_after.is_some());
        &refusal.metadata["limit"]
    }

    #[test]
    fn one_agents_calls_leave_those_of_others_alone() {
        let gate = gate(Limits { max_agent_calls: 2, ..Limits::default() });
        let (a, b) = ("a".parse().unwrap(), "b".parse().unwrap());
        assert!(gate.agent_call(&a).is_ok() && gate.agent_call(&a).is_ok());
        // On a machine that stalls some of them may be free again.
        let refusal = (0..1000).find_map(|_| gate.agent_call(&a).err()).unwrap();
        assert_eq!(limit(&refusal), "limits.max_agent_calls");
        assert_eq!(refusal.metadata["value"], "2");
        assert!(refusal.retry_after.unwrap() <= Duration::from_millis(500));
        assert!(gate.agent_call(&b).is_ok());
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let gate = gate(Limits { max_peer_calls: 1, ..Limits::default() });
        let call = |address: &str| gate.peer_call(Some(address.parse().unwrap()));
        assert!(call("[2001:db8::1]:1").is_ok());
        // On a machine that stalls some of them may be free again.
        let refusal = (2..1000).find_map(|i| call(&format!("[2001:db8::{i:x}]:{i}")).err()).unwrap();
        assert_eq!(limit(&refusal), "limits.max_peer_calls");
        assert!(call("[2001:db8:0:1::1]:1").is_ok());
        assert!(call("192.0.2.1:1").is_ok());
        assert!((2..1000).any(|port| call(&format!("[::ffff:192.0.2.1]:{port}")).is_err()));
    }

    #[test]
    fn watches_count_while_they_live() {
        let gate = gate(Limits { max_watches: 2, max_watches_per_match: 1, ..Limits::default() });
        let first = gate.watch(1).unwrap();
        assert_eq!(limit(&gate.watch(1).err().unwrap()), "limits.max_watches_per_match");
        let second = gate.watch(2).unwrap();
        assert_eq!(limit(&gate.watch(3).err().unwrap()), "limits.max_watches");
        second.lag(7);
        assert_eq!(gate.watches(), (2, 7));
        drop((first, second));
        assert_eq!(gate.watches(), (0, 0));
        assert!(gate.watch(1).is_ok());
    }

    #[tokio::test]
    async fn drawings_wait_for_their_turn_and_are_refused_when_too_many_wait() {
        let gate = gate(Limits { max_drawings: hands() as u32 + 1, ..Limits::default() });
        let mut at_work = Vec::new();
        for _ in 0..hands() {
            at_work.push(gate.drawing().await.unwrap());
        }
        let waits = gate.drawing();
        tokio::pin!(waits);
        assert!(futures_util::poll!(&mut waits).is_pending());
        assert_eq!(limit(&gate.drawing().await.unwrap_err()), "limits.max_drawings");
        at_work.pop();
        let next = waits.await.unwrap();
        assert!(gate.drawings.available_permits() == 1);
        drop((at_work, next));
        assert_eq!(gate.drawings.available_permits(), hands() + 1);
    }
}

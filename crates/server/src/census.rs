use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_store::{AgentName, MatchId, MatchRow, MatchState};

/// Counts the matches that are not over, so that a limit costs no look into the store.
#[derive(Default)]
pub(crate) struct Census(Mutex<Table>);

#[derive(Default)]
struct Table {
    live: HashMap<MatchId, Live>,
    /// The open matches by time of creation.
    open: BTreeSet<(u64, MatchId)>,
    by_agent: HashMap<AgentName, OfAgent>,
    reserved: usize,
}

struct Live {
    /// Set for an open match: when it was made.
    open_since_ms: Option<u64>,
    creator: AgentName,
    /// The creator and whoever sits at the table, each once.
    agents: Vec<AgentName>,
}

/// The matches of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OfAgent {
    /// Those that it made and that are open.
    pub(crate) open: usize,
    /// Those that it made or sits in and that are not over.
    pub(crate) live: usize,
}

/// How many matches there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) open: usize,
    pub(crate) running: usize,
    /// Those of the agent that was asked about.
    pub(crate) of_agent: OfAgent,
}

impl Census {
    /// Notes how a match stands.
    pub(crate) fn note(&self, row: &MatchRow) {
        let mut table = self.lock();
        table.remove(row.id);
        if !row.state.is_over() {
            table.insert(row);
        }
    }

    /// Notes that a match is over.
    pub(crate) fn end(&self, id: MatchId) {
        self.lock().remove(id);
    }

    /// How many matches there are.
    pub(crate) fn counts(&self) -> Counts {
        self.lock().counts(None)
    }

    /// Counts a match of an agent before it is made, so that calls at the same time cannot pass a limit together.
    pub(crate) fn reserve(self: &Arc<Census>, creator: &AgentName) -> Reserved {
        let mut table = self.lock();
        let before = table.counts(Some(creator));
        table.reserved += 1;
        let of_agent = table.by_agent.entry(creator.clone()).or_default();
        of_agent.open += 1;
        of_agent.live += 1;
        drop(table);
        Reserved { census: Arc::clone(self), creator: creator.clone(), before }
    }

    /// How many matches an agent has; `None` if this one is among them.
    pub(crate) fn matches_without(&self, agent: &AgentName, id: MatchId) -> Option<usize> {
        let table = self.lock();
        if table.live.get(&id).is_some_and(|live| live.agents.contains(agent)) {
            return None;
        }
        Some(table.by_agent.get(agent).map_or(0, |of_agent| of_agent.live))
    }

    /// Up to `most` open matches that were made before a moment, the oldest first.
    pub(crate) fn open_before(&self, ms: u64, most: usize) -> Vec<MatchId> {
        let table = self.lock();
        table.open.iter().take_while(|(made, _)| *made < ms).take(most).map(|(_, id)| *id).collect()
    }

    /// Every change under the lock is made as a whole.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn insert(&mut self, row: &MatchRow) {
        let mut agents = row.agents();
        if !agents.contains(&row.creator) {
            agents.push(row.creator.clone());
        }
        for agent in &agents {
            self.by_agent.entry(agent.clone()).or_default().live += 1;
        }
        let open_since_ms = (row.state == MatchState::Open).then_some(row.created_ms);
        if open_since_ms.is_some() {
            self.open.insert((row.created_ms, row.id));
            self.by_agent.entry(row.creator.clone()).or_default().open += 1;
        }
        self.live.insert(row.id, Live { open_since_ms, creator: row.creator.clone(), agents });
    }

    fn remove(&mut self, id: MatchId) {
        let Some(live) = self.live.remove(&id) else {
            return;
        };
        if let Some(made) = live.open_since_ms {
            self.open.remove(&(made, id));
            self.less(&live.creator, OfAgent { open: 1, live: 0 });
        }
        for agent in &live.agents {
            self.less(agent, OfAgent { open: 0, live: 1 });
        }
    }

    fn less(&mut self, agent: &AgentName, by: OfAgent) {
        if let Some(of_agent) = self.by_agent.get_mut(agent) {
            of_agent.open -= by.open;
            of_agent.live -= by.live;
            if *of_agent == OfAgent::default() {
                self.by_agent.remove(agent);
            }
        }
    }

    fn counts(&self, agent: Option<&AgentName>) -> Counts {
        Counts {
            open: self.open.len() + self.reserved,
            running: self.live.len() - self.open.len(),
            of_agent: agent.and_then(|agent| self.by_agent.get(agent)).copied().unwrap_or_default(),
        }
    }
}

/// A match that is about to be made.
pub(crate) struct Reserved {
    census: Arc<Census>,
    creator: AgentName,
    /// How many there were before.
    pub(crate) before: Counts,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut table = self.census.lock();
        table.reserved -= 1;
        table.less(&self.creator, OfAgent { open: 1, live: 1 });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use chickenfoot_rules::{Entropy, ForcedMoves, Preset, RuleOptions, Seed};
    use chickenfoot_store::{AbortReason, ClockRules, FaultRules, Occupant, SeatRow, SeatSpec};

    use super::*;

    /// An open match of two seats.
    pub(crate) fn open_match(id: u128, creator: &str) -> MatchRow {
        let seat = SeatRow { spec: SeatSpec::Open, occupant: None, entropy: Entropy::default() };
        MatchRow {
            id: MatchId(id),
            slot: 0,
            creator: creator.parse().unwrap(),
            created_ms: id as u64,
            rules: RuleOptions::new(Preset::Classic, 2).resolve().unwrap(),
            clock: ClockRules { decision: Duration::ZERO, bank: Duration::ZERO, grace: Duration::ZERO },
            faults: FaultRules { strikes: 0, illegal: 1, strict: false },
            forced: ForcedMoves::Automatic,
            spectator_delay: 0,
            seed: Seed::new([0; 32]),
            fixed_seed: false,
            deal_id: String::new(),
            seats: vec![seat; 2],
            block: None,
            rated: false,
            state: MatchState::Open,
            summary: None,
            ended_ms: None,
            version: 0,
        }
    }

    #[test]
    fn a_match_counts_for_its_creator_and_its_seats_until_it_is_over() {
        let census = Arc::new(Census::default());
        let (maker, player) = ("maker".parse().unwrap(), "player".parse().unwrap());
        let of = |agent: &AgentName| census.reserve(agent).before.of_agent;
        let mut row = open_match(1, "maker");
        census.note(&row);
        assert_eq!(of(&maker), OfAgent { open: 1, live: 1 });
        assert_eq!(census.matches_without(&player, row.id), Some(0));
        row.seats[0].occupant = Some(Occupant::Agent(player.clone()));
        census.note(&row);
        assert_eq!(census.matches_without(&player, row.id), None);
        assert_eq!(census.matches_without(&player, MatchId(2)), Some(1));
        row.state = MatchState::Running;
        census.note(&row);
        assert_eq!(of(&maker), OfAgent { open: 0, live: 1 });
        assert_eq!((census.counts().open, census.counts().running), (0, 1));
        row.state = MatchState::Aborted(AbortReason::Creator);
        census.note(&row);
        census.end(row.id);
        assert_eq!(census.counts(), Counts::default());
        assert!(census.lock().by_agent.is_empty());
    }

    #[test]
    fn a_reservation_counts_until_it_is_dropped() {
        let census = Arc::new(Census::default());
        let maker = "maker".parse().unwrap();
        let first = census.reserve(&maker);
        assert_eq!(first.before, Counts::default());
        let second = census.reserve(&maker);
        assert_eq!(second.before.of_agent, OfAgent { open: 1, live: 1 });
        drop((first, second));
        assert_eq!(census.counts(), Counts::default());
    }

    #[test]
    fn the_oldest_open_matches_come_first() {
        let census = Census::default();
        for id in [30, 10, 20] {
            census.note(&open_match(id, "maker"));
        }
        assert_eq!(census.open_before(30, 9), [MatchId(10), MatchId(20)]);
        assert_eq!(census.open_before(99, 1), [MatchId(10)]);
    }
}

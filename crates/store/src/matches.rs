use std::collections::BTreeSet;
use std::time::Duration;

use chickenfoot_rules::{Contributor, Entropy, ForcedMoves, Hex32, MatchStart, Rules, Seat, Seed};
use serde::{Deserialize, Serialize};

use crate::id::{AgentName, MatchId, TournamentId};

/// Where a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MatchState {
    /// Seats are free.
    Open,
    /// Being played.
    Running,
    /// Played to the end.
    Finished,
    /// Ended before its time, without a result.
    Aborted(AbortReason),
}

impl MatchState {
    /// Whether nothing can change any more.
    pub fn is_over(self) -> bool {
        match self {
            MatchState::Open | MatchState::Running => false,
            MatchState::Finished | MatchState::Aborted(_) => true,
        }
    }
}

/// Why a match was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AbortReason {
    /// Its creator ended it.
    Creator,
    /// An organiser ended it in its creator's place.
    Organiser,
    /// A fault of the service.
    ServerFault,
    /// It waited too long for its seats to be taken.
    Expired,
}

/// Who may sit on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatSpec {
    /// Any agent that joins.
    Open,
    /// This agent only.
    Agent(AgentName),
    /// A player of the house, by the name of its strategy.
    House(String),
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// An agent.
    Agent(AgentName),
    /// A player of the house, by the name of its strategy.
    House(String),
}

impl Occupant {
    /// The name that enters the deals' transcript: an agent's own, or `house:` and the strategy.
    pub fn name(&self) -> String {
        match self {
            Occupant::Agent(name) => name.to_string(),
            Occupant::House(strategy) => Contributor::house(strategy).name,
        }
    }
}

/// A seat of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    /// Who may sit on it.
    pub spec: SeatSpec,
    /// Who sits on it.
    pub occupant: Option<Occupant>,
    /// What the occupant added to the deals; zero for nothing.
    pub entropy: Entropy,
}

/// The block of a tournament that a match belongs to: one deal, played in several seatings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockLink {
    /// The tournament.
    pub tournament: TournamentId,
    /// The number of the block, from 0.
    pub number: u32,
    /// The position of the match in the block, from 0.
    pub game: u16,
    /// Who contributes to the deals: the entrants of the block, sorted by name.
    pub contributors: Vec<Contributor>,
    /// Whether the block goes on. Until it is over, nobody may learn the deal or which matches share it.
    pub sealed: bool,
}

/// How long the seats of a match may think. The clock of a decision runs while a stream of its agent has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRules {
    /// Time for each decision.
    pub decision: Duration,
    /// Time that each seat has beyond that in the whole match.
    pub bank: Duration,
    /// Time that each seat has in the whole match in which no stream has its open decision and the clock stands.
    pub grace: Duration,
}

/// What mistakes cost in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRules {
    /// Strikes that a seat may have; with one more it is taken out.
    pub strikes: u32,
    /// Illegal answers to one decision that make a strike, at least 1.
    pub illegal: u32,
    /// Whether the first fault takes a seat out.
    pub strict: bool,
}

/// What a seat did wrong, and the time it took. Stands beside the decisions and never decides anything by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatLedger {
    /// Decisions that a stream had and that were not answered in time.
    pub late: u32,
    /// Decisions whose time ran out while no stream had them.
    pub gone: u32,
    /// Answers that were refused because they were not legal.
    pub illegal: u32,
    /// Strikes: one for each decision late or gone, one for every so many illegal answers to one decision.
    pub strikes: u32,
    /// Why the seat is out, if it is.
    pub out: Option<OutReason>,
    /// Time taken for all decisions.
    pub think: Duration,
    /// Time of the bank that was used.
    pub bank_used: Duration,
}

/// Why a seat is out of a match: the first option is played for it and it ranks last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OutReason {
    /// Its agent left.
    Left,
    /// It had too many strikes.
    Strikes,
    /// It made a mistake in a strict match.
    Strict,
}

/// A match as it is stored, apart from its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    /// Its id.
    pub id: MatchId,
    /// Which of 1,024 slots it belongs to: the unit in which matches move between servers.
    pub slot: u16,
    /// Who made it.
    pub creator: AgentName,
    /// When, in milliseconds since 1970.
    pub created_ms: u64,
    /// The rules.
    pub rules: Rules,
    /// How long the seats may think.
    pub clock: ClockRules,
    /// What mistakes cost.
    pub faults: FaultRules,
    /// Who makes forced moves.
    pub forced: ForcedMoves,
    /// How many events late the match is shown to who has no seat in it, until it is over.
    pub spectator_delay: u32,
    /// The seed of the deals: a secret until the match is over.
    pub seed: Seed,
    /// Whether the creator gave the seed; then no seat adds entropy.
    pub fixed_seed: bool,
    /// What the deals are bound to.
    pub deal_id: String,
    /// The seats, as many as the rules have players.
    pub seats: Vec<SeatRow>,
    /// The block of a tournament that it belongs to, if it does.
    pub block: Option<BlockLink>,
    /// Whether it counts for the ratings of its agents.
    pub rated: bool,
    /// Where it stands.
    pub state: MatchState,
    /// How it ended, once it has.
    pub summary: Option<Summary>,
    /// When it ended, in milliseconds since 1970: the store notes it, whatever stands here in a row that it is given.
    pub ended_ms: Option<u64>,
    /// How often the row was changed: an update names the version that it was made from.
    pub version: u32,
}

/// How a match ended, so that a list needs no replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The last round, from 1.
    pub round: u8,
    /// Each seat's score.
    pub totals: Vec<u32>,
    /// Each seat's place, from 1; none if the match was aborted.
    pub places: Vec<u8>,
    /// Each seat's faults and times.
    pub ledger: Vec<SeatLedger>,
    /// The number of the last event.
    pub head_seq: u64,
    /// The digest of all events.
    pub digest: Hex32,
}

impl MatchRow {
    /// What is fixed when the match begins. Empty seats have no name; a running match has none.
    pub fn start(&self) -> MatchStart {
        let contributor = |seat: &SeatRow| Contributor {
            name: seat.occupant.as_ref().map(Occupant::name).unwrap_or_default(),
            entropy: if self.fixed_seed { Entropy::default() } else { seat.entropy },
        };
        let seats = self.seats.iter().map(contributor).collect();
        let block = self.block.as_ref().map(|link| link.contributors.clone()).unwrap_or_default();
        MatchStart::of_block(self.rules, &self.deal_id, &self.seed, seats, block)
    }

    /// Whether everything about it may be told: it is over, and so is the block that it may belong to.
    pub fn is_open_to_all(&self) -> bool {
        self.state.is_over() && self.block.as_ref().is_none_or(|link| !link.sealed)
    }

    /// Whether every seat is taken.
    pub fn is_full(&self) -> bool {
        self.seats.iter().all(|seat| seat.occupant.is_some())
    }

    /// Whether it is being played or was, to its end or not.
    pub fn has_started(&self) -> bool {
        match self.state {
            MatchState::Open => false,
            MatchState::Running => true,
            MatchState::Finished | MatchState::Aborted(_) => self.summary.is_some(),
        }
    }

    /// The seats that an agent holds.
    pub fn seats_of(&self, agent: &AgentName) -> Vec<Seat> {
        let all = Seat::all(self.rules.players()).zip(&self.seats);
        all.filter(|(_, seat)| seat.is_held_by(agent)).map(|(seat, _)| seat).collect()
    }

    /// The free seats that are reserved for an agent.
    pub fn seats_offered_to(&self, agent: &AgentName) -> Vec<Seat> {
        let reserved = SeatSpec::Agent(agent.clone());
        let all = Seat::all(self.rules.players()).zip(&self.seats);
        all.filter(|(_, seat)| seat.occupant.is_none() && seat.spec == reserved)
            .map(|(seat, _)| seat)
            .collect()
    }

    /// The agents at the table, each once.
    pub fn agents(&self) -> Vec<AgentName> {
        let mut agents: Vec<AgentName> = Vec::new();
        for seat in &self.seats {
            if let Some(Occupant::Agent(name)) = &seat.occupant
                && !agents.contains(name)
            {
                agents.push(name.clone());
            }
        }
        agents
    }

    /// The agents that it [concerns](MatchRow::concerns).
    pub(crate) fn concerned(&self) -> BTreeSet<AgentName> {
        let occupants = self.seats.iter().filter_map(|seat| match &seat.occupant {
            Some(Occupant::Agent(name)) => Some(name.clone()),
            Some(Occupant::House(_)) | None => None,
        });
        let reserved = self.seats.iter().filter_map(|seat| match &seat.spec {
            SeatSpec::Agent(name) => Some(name.clone()),
            SeatSpec::Open | SeatSpec::House(_) => None,
        });
        occupants.chain(reserved).collect()
    }

    /// Whether the agent sits at the table or a seat is reserved for it.
    pub fn concerns(&self, agent: &AgentName) -> bool {
        self.seats.iter().any(|seat| seat.is_held_by(agent) || seat.spec == SeatSpec::Agent(agent.clone()))
    }
}

impl SeatRow {
    /// Whether this agent sits here.
    pub fn is_held_by(&self, agent: &AgentName) -> bool {
        matches!(&self.occupant, Some(Occupant::Agent(name)) if name == agent)
    }
}

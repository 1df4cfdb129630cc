use chickenfoot_rules::{Entropy, ForcedMoves, Rules, Seat, Seed, Status};
use chickenfoot_store::{
    AbortReason, AgentName, BlockLink, ClockRules, FaultRules, MatchId, MatchRow, MatchState, Occupant,
    Remembered, SeatRow, SeatSpec, StoreError, Updated,
};

use crate::arena::Arena;
use crate::bus::Subject;
use crate::error::Error;
use crate::fold::Fold;
use crate::message::{Aborter, OwnerReply, ToAgent, ToOwner, encode};

/// How a match is to be made.
#[derive(Clone, Debug)]
pub struct NewMatch {
    /// Who makes it.
    pub creator: AgentName,
    /// The rules.
    pub rules: Rules,
    /// The seats, as many as the rules have players.
    pub seats: Vec<SeatSpec>,
    /// How long the seats may think.
    pub clock: ClockRules,
    /// What mistakes cost.
    pub faults: FaultRules,
    /// Who makes forced moves.
    pub forced: ForcedMoves,
    /// How many events late the match is shown to who has no seat in it, until it is over.
    pub spectator_delay: u32,
    /// A seed given by the creator, and what the deals are bound to. Without it the service draws a seed and binds
    /// the deals to the match.
    pub fixed: Option<(Seed, String)>,
    /// Whether it counts for the ratings of its agents.
    pub rated: bool,
    /// Its id and block, if it belongs to a tournament; then the seed is fixed.
    pub block: Option<(MatchId, BlockLink)>,
}

impl Arena {
    /// Makes a match. It starts at once if no seat waits for an agent. What `remember` makes of the new match is stored
    /// with it. A match of a block that was made before is returned as it stands.
    ///
    /// # Errors
    /// The seats do not fit the rules, name an unknown house player, or the store failed.
    pub async fn create(
        &self,
        new: NewMatch,
        remember: impl FnOnce(&MatchRow) -> Option<Remembered>,
    ) -> Result<MatchRow, Error> {
        if new.seats.len() != usize::from(new.rules.players()) {
            return Err(Error::SeatCount { expected: new.rules.players(), found: new.seats.len() });
        }
        let (id, block) = match new.block {
            Some((id, link)) => match self.shared.journal.row(id).await? {
                Some(row) => {
                    // Whoever made it may not have come to letting it run. What has ended was told by whom it ended.
                    if row.state == MatchState::Running {
                        self.own(row.id).await;
                    }
                    return Ok(row);
                }
                None => (id, Some(link)),
            },
            None => (MatchId(rand::random()), None),
        };
        let (seed, deal_id) = match new.fixed.clone() {
            Some(fixed) => fixed,
            None => (Seed::new(rand::random()), id.to_string()),
        };
        let mut row = MatchRow {
            id,
            slot: (id.0 % 1024) as u16,
            creator: new.creator,
            created_ms: self.shared.clock.unix_ms(),
            rules: new.rules,
            clock: new.clock,
            faults: new.faults,
            forced: new.forced,
            spectator_delay: new.spectator_delay,
            seed,
            fixed_seed: new.fixed.is_some(),
            deal_id,
            seats: new.seats.into_iter().map(|spec| self.empty_seat(spec)).collect::<Result<_, _>>()?,
            block,
            rated: new.rated,
            state: MatchState::Open,
            summary: None,
            ended_ms: None,
            version: 0,
        };
        if row.is_full() {
            begin(&mut row)?;
        }
        let remembered = remember(&row);
        let arena = self.clone();
        self.whole(async move {
            arena.noting_rest(arena.shared.journal.create(row.clone(), remembered).await)?;
            arena.go_on(&row).await;
            for seat in &row.seats {
                if let SeatSpec::Agent(agent) = &seat.spec {
                    let offered = encode(&ToAgent::Offered(row.id));
                    arena.shared.bus.publish(&Subject::Agent(agent.clone()), offered);
                }
            }
            Ok(row)
        })
        .await
    }

    /// Stores a changed match and lets it go on in its new state. The row as it is then; none if somebody else has changed
    /// it meanwhile.
    async fn update(&self, mut row: MatchRow) -> Result<Option<MatchRow>, Error> {
        let arena = self.clone();
        self.whole(async move {
            if arena.noting_rest(arena.shared.journal.update(row.clone(), None).await)? != Updated::Done {
                return Ok(None);
            }
            row.version += 1;
            arena.go_on(&row).await;
            Ok(Some(row))
        })
        .await
    }

    /// Does what must not be done by halves to its end, also if whoever waits for it is gone: what was stored and not told
    /// to anybody would rest for ever.
    async fn whole<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        match self.owners.spawn(task).await {
            Ok(outcome) => outcome,
            // As if it had panicked here; cancelled it is when the runtime ends.
            Err(why) => {
                why.try_into_panic().map_or(Err(Error::Unavailable), |panic| std::panic::resume_unwind(panic))
            }
        }
    }

    /// Where the store does not answer, nobody knows what was stored: a match may be running by its word.
    fn noting_rest<T>(&self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        if matches!(outcome, Err(StoreError::Unavailable(_))) {
            self.note_rest();
        }
        outcome
    }

    fn empty_seat(&self, spec: SeatSpec) -> Result<SeatRow, Error> {
        let occupant = match &spec {
            SeatSpec::House(name) => {
                (self.shared.house)(name, [0; 32]).ok_or_else(|| Error::NoSuchHouseBot(name.clone()))?;
                Some(Occupant::House(name.clone()))
            }
            SeatSpec::Open | SeatSpec::Agent(_) => None,
        };
        Ok(SeatRow { spec, occupant, entropy: Entropy::default() })
    }

    /// Takes a seat: the named one, else the one reserved for the agent, else the first open one. The match starts
    /// when the last seat is taken. An agent that has a seat gets that one again.
    ///
    /// # Errors
    /// There is no such match or seat, it is not free for this agent, or the match has started without it.
    pub async fn join(
        &self,
        id: MatchId,
        agent: &AgentName,
        wanted: Option<u32>,
        entropy: Entropy,
    ) -> Result<(Seat, MatchRow), Error> {
        loop {
            let mut row = self.row(id).await?;
            if let Some(seat) = held(&row, agent, wanted) {
                return Ok((seat, row));
            }
            if row.state != MatchState::Open {
                return Err(Error::NotOpen { state: row.state });
            }
            let seat = free_seat(&row, agent, wanted)?;
            let entry = &mut row.seats[seat.index()];
            entry.occupant = Some(Occupant::Agent(agent.clone()));
            entry.entropy = entropy;
            if row.is_full() {
                begin(&mut row)?;
            }
            if let Some(row) = self.update(row).await? {
                return Ok((seat, row));
            }
        }
    }

    /// What comes after a match was stored in its new state.
    async fn go_on(&self, row: &MatchRow) {
        match row.state {
            MatchState::Open => {}
            MatchState::Running => self.own(row.id).await,
            MatchState::Finished => self.tell_end(row),
            // It never ran, so nobody plays in it.
            MatchState::Aborted(_) => self.shared.tell_state(row.id),
        }
    }

    /// Gives up an agent's seats: they are free again in an open match and forfeited in a running one.
    ///
    /// # Errors
    /// There is no such match, the agent has no seat in it, or it is over.
    pub async fn leave(&self, id: MatchId, agent: &AgentName) -> Result<MatchRow, Error> {
        loop {
            let mut row = self.row(id).await?;
            if row.seats_of(agent).is_empty() {
                return Err(Error::NotSeated);
            }
            match row.state {
                MatchState::Open => {
                    for seat in row.seats.iter_mut().filter(|seat| seat.is_held_by(agent)) {
                        seat.occupant = None;
                        seat.entropy = Entropy::default();
                    }
                    if let Some(row) = self.update(row).await? {
                        return Ok(row);
                    }
                }
                MatchState::Running => {
                    match self.ask_owner(id, |_| ToOwner::Leave { agent: agent.clone() }).await? {
                        Some(OwnerReply::Done) => return self.row(id).await,
                        Some(OwnerReply::Refused(_) | OwnerReply::Chosen(_) | OwnerReply::Summary(_)) => {
                            return Err(Error::Unavailable);
                        }
                        // The match ended before it was asked.
                        None => continue,
                    }
                }
                MatchState::Finished | MatchState::Aborted(_) => return Err(Error::Over),
            }
        }
    }

    /// Ends a match without a result. Whether it is the caller's to end is for the caller of this to say.
    ///
    /// # Errors
    /// There is no such match, or it was played to its end.
    pub async fn abort(&self, id: MatchId, by: Aborter) -> Result<MatchRow, Error> {
        loop {
            let mut row = self.row(id).await?;
            match row.state {
                MatchState::Open => {
                    row.state = MatchState::Aborted(by.reason());
                    if let Some(row) = self.update(row).await? {
                        return Ok(row);
                    }
                }
                MatchState::Running => match self.ask_owner(id, |_| ToOwner::Abort { by }).await? {
                    Some(OwnerReply::Done) => return self.row(id).await,
                    Some(OwnerReply::Refused(_) | OwnerReply::Chosen(_) | OwnerReply::Summary(_)) => {
                        return Err(Error::Unavailable);
                    }
                    None => continue,
                },
                MatchState::Aborted(_) => return Ok(row),
                MatchState::Finished => return Err(Error::Over),
            }
        }
    }
}

impl Arena {
    /// Ends a match that waited too long for its seats to be taken. Whether it still waited.
    ///
    /// # Errors
    /// There is no such match, or the store failed.
    pub async fn expire(&self, id: MatchId) -> Result<bool, Error> {
        loop {
            let mut row = self.row(id).await?;
            if row.state != MatchState::Open {
                return Ok(false);
            }
            row.state = MatchState::Aborted(AbortReason::Expired);
            if self.update(row).await?.is_some() {
                return Ok(true);
            }
        }
    }
}

/// Begins a match whose last seat was taken. One that leaves nobody a choice is over at once; it never has an owner.
fn begin(row: &mut MatchRow) -> Result<(), Error> {
    let fold = Fold::start(row, &mut Vec::new()).map_err(|why| Error::Corrupt(why.to_string()))?;
    if fold.game.status() == Status::Running {
        row.state = MatchState::Running;
    } else {
        row.state = MatchState::Finished;
        row.summary = Some(fold.summary());
    }
    Ok(())
}

/// The seat that an agent has already, if it is the one it asks for.
fn held(row: &MatchRow, agent: &AgentName, wanted: Option<u32>) -> Option<Seat> {
    let seats = row.seats_of(agent);
    match wanted {
        None => seats.first().copied(),
        Some(wanted) => seats.into_iter().find(|seat| u32::from(seat.number()) == wanted),
    }
}

fn free_seat(row: &MatchRow, agent: &AgentName, wanted: Option<u32>) -> Result<Seat, Error> {
    let free = |seat: &SeatRow, spec: &SeatSpec| seat.occupant.is_none() && seat.spec == *spec;
    let all = || Seat::all(row.rules.players()).zip(&row.seats);
    let reserved = SeatSpec::Agent(agent.clone());
    let Some(wanted) = wanted else {
        let first = |spec: &SeatSpec| all().find(|(_, seat)| free(seat, spec)).map(|(seat, _)| seat);
        return first(&reserved).or_else(|| first(&SeatSpec::Open)).ok_or(Error::NoFreeSeat);
    };
    let seats = row.seats.len();
    let (seat, entry) =
        all().find(|(seat, _)| u32::from(seat.number()) == wanted).ok_or(Error::NoSuchSeat { seats })?;
    if free(entry, &reserved) || free(entry, &SeatSpec::Open) {
        Ok(seat)
    } else if entry.spec == SeatSpec::Open || entry.spec == reserved {
        Err(Error::SeatTaken { seat })
    } else {
        Err(Error::SeatReserved { seat })
    }
}

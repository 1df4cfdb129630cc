use std::fmt;

use sha2::{Digest, Sha256};

use crate::bytes::{Hex32, lp};
use crate::config::{DrawnTile, Rules};
use crate::deal::{Deal, Deals, Seed};
use crate::entry::{Choice, Entry};
use crate::event::{Event, MatchStart};
use crate::illegal::SetupError;
use crate::lines::{Lines, NoSuchLine};
use crate::moves::{Move, Moves};
use crate::number::Numbers;
use crate::refused::{Refused, StartError};
use crate::round::{End, Round, Terms};
use crate::score::{SeatResult, places};
use crate::seat::Seat;
use crate::set::TileSet;
use crate::table::AnyRound;
use crate::tile::Tile;
use crate::view::{View, ViewParts, Witness};

/// What a match is made of besides the decisions.
pub struct MatchSetup {
    /// What is fixed when it begins; as many seats as the rules have players.
    pub start: MatchStart,
    /// The deals.
    pub deals: Box<dyn Deals>,
    /// Who makes a move that has no alternative.
    pub forced: ForcedMoves,
}

impl MatchSetup {
    /// A match whose deals follow from a seed.
    pub fn seeded(start: MatchStart, seed: &Seed, forced: ForcedMoves) -> MatchSetup {
        let deals = Box::new(start.deals(seed));
        MatchSetup { start, deals, forced }
    }
}

/// Who makes a move that has no alternative: a draw, a pass, a single play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcedMoves {
    /// The match itself, without asking.
    Automatic,
    /// The seat, as a decision with one option.
    Asked,
}

/// A seat is asked to choose.
#[derive(Clone, Debug)]
pub struct Decision {
    /// One more than the number of the last event before it. Rising, and no count of decisions: a count would tell
    /// everybody how many moves of the others had an alternative.
    pub number: u32,
    /// Who is asked.
    pub seat: Seat,
    /// The options in canonical order.
    pub moves: Moves<3>,
}

/// A match as the fold of its log: every state follows from the setup and the entries committed so far.
///
/// It makes all forced moves by itself and stops where a seat has to choose. There is no clock in it and no chance.
pub struct Match {
    start: MatchStart,
    deals: Box<dyn Deals>,
    forced: ForcedMoves,
    round: u8,
    table: Option<OpenRound>,
    results: Vec<SeatResult>,
    totals: Vec<u32>,
    forfeits: u8,
    decision: Option<Decision>,
    answered: u32,
    status: Status,
    log: EventLog,
}

struct OpenRound {
    state: AnyRound,
    lines: Lines,
    witness: Witness,
}

/// Where a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A decision is open.
    Running,
    /// Played to the end.
    Ended,
    /// Ended without a result.
    Aborted,
}

/// How many events there were, and the hash of their encodings.
struct EventLog {
    hash: Sha256,
    count: u64,
    /// Encodings that are still to be hashed: a hash takes in many at once at a lower cost than each by itself.
    bytes: Vec<u8>,
}

impl EventLog {
    /// Bytes from which on they are hashed, some dozens of moves, and the room that is kept for them.
    const FULL: usize = 192;
    const ROOM: usize = 256;

    fn new() -> EventLog {
        let mut hash = Sha256::new();
        lp(&mut hash, b"chickenfoot/v1/events");
        EventLog { hash, count: 0, bytes: Vec::new() }
    }

    fn push(&mut self, event: Event, out: &mut Vec<Event>) {
        event.encode(&mut self.bytes);
        if self.bytes.len() >= Self::FULL {
            self.hash.update(&self.bytes);
            self.bytes.clear();
            // The first event may be much longer than any other.
            self.bytes.shrink_to(Self::ROOM);
        }
        self.count += 1;
        out.push(event);
    }

    fn digest(&self) -> Hex32 {
        Hex32(self.hash.clone().chain_update(&self.bytes).finalize().into())
    }
}

impl Match {
    /// Starts a match and plays on to the first decision. What happens is appended to `out`, here and in
    /// [`Match::commit`]; the first event has the number 1.
    ///
    /// # Errors
    /// As many names as seats are needed, and deals that are the whole set.
    pub fn start(setup: MatchSetup, out: &mut Vec<Event>) -> Result<Match, StartError> {
        let MatchSetup { start, deals, forced } = setup;
        let (rules, seats) = (start.rules, start.seats.len());
        if seats != usize::from(rules.players()) {
            return Err(StartError::Seats { expected: rules.players(), found: seats });
        }
        let nothing_yet = SeatResult { rounds: Vec::new(), forfeited: None };
        let mut game = Match {
            results: vec![nothing_yet; seats],
            totals: vec![0; seats],
            start,
            deals,
            forced,
            round: 0,
            table: None,
            forfeits: 0,
            decision: None,
            answered: 0,
            status: Status::Running,
            log: EventLog::new(),
        };
        let started = Event::MatchStarted(Box::new(game.start.clone()));
        game.log.push(started, out);
        game.advance(out).map_err(StartError::Deal)?;
        Ok(game)
    }

    /// Checks an answer to the open decision without making it.
    ///
    /// # Errors
    /// The match is over, the decision is another's or another one, or the move is not legal.
    pub fn check(&self, number: u32, seat: Seat, choice: Choice) -> Result<Entry, Refused> {
        let Some(decision) = &self.decision else {
            return Err(Refused::Over);
        };
        if number != decision.number {
            return Err(Refused::NotOpen { open: decision.number });
        }
        if seat != decision.seat {
            return Err(Refused::NotOnTurn { on_turn: decision.seat });
        }
        let table = self.table.as_ref().ok_or(Refused::Over)?;
        table.state.check(choice.action).map_err(Refused::Illegal)?;
        let line = match choice.action {
            Move::Play { end, .. } => Some(table.lines.place(end, choice.line).map_err(Refused::Line)?),
            Move::Draw | Move::Pass | Move::Keep => None,
        };
        Ok(Entry::Choice(Choice { action: choice.action, line }))
    }

    /// Adds an entry to the log and plays on to the next decision. A refused entry changes nothing.
    ///
    /// # Errors
    /// The match is over, the choice is not legal, or the seat has forfeited already.
    pub fn commit(&mut self, entry: Entry, out: &mut Vec<Event>) -> Result<(), Refused> {
        let &Decision { number, seat: asked, .. } = self.decision().ok_or(Refused::Over)?;
        match entry {
            Entry::Choice(choice) => {
                self.check(number, asked, choice)?;
                self.decision = None;
                self.answered += 1;
                self.make(choice, out).map_err(Refused::Line)?;
            }
            Entry::Forfeit(seat) => {
                let rank = self.forfeits;
                match self.results.get_mut(seat.index()) {
                    Some(result) if result.forfeited.is_none() => result.forfeited = Some(rank),
                    _ => return Err(Refused::Forfeited),
                }
                self.forfeits += 1;
                self.log.push(Event::SeatForfeited { seat }, out);
                if asked == seat {
                    self.decision = None;
                }
            }
            Entry::Abort => {
                self.decision = None;
                self.status = Status::Aborted;
                self.log.push(Event::MatchAborted, out);
            }
        }
        self.advance(out).map_err(Refused::Deal)
    }

    /// The decision that the match waits for; none once it is over.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// How many decisions have been answered.
    pub fn answered(&self) -> u32 {
        self.answered
    }

    /// What the seat on turn may know. `None` once the match is over.
    pub fn view(&self) -> Option<View<'_>> {
        let (table, decision) = (self.table.as_ref()?, self.decision.as_ref()?);
        let parts = ViewParts {
            rules: self.start.rules,
            round: self.round,
            totals: &self.totals,
            witness: &table.witness,
        };
        Some(match &table.state {
            AnyRound::Narrow(round) => parts.view(round, decision.seat),
            AnyRound::Wide(round) => parts.view(round, decision.seat),
        })
    }

    /// The running round with all that is hidden in it: for who hosts a match or judges one, never for who plays. `None`
    /// between two rounds, and for a set that tiles of this width do not hold.
    pub fn open_round<const W: usize>(&self) -> Option<Round<W>> {
        self.table.as_ref()?.state.resize()
    }

    /// Where the match stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What was fixed when the match began.
    pub fn setup(&self) -> &MatchStart {
        &self.start
    }

    /// The round, from 1.
    pub fn round(&self) -> u8 {
        self.round
    }

    /// Each seat's score in the rounds that are over.
    pub fn totals(&self) -> &[u32] {
        &self.totals
    }

    /// Each seat's place, from 1, by the scores so far.
    pub fn places(&self) -> Vec<u8> {
        places(&self.results)
    }

    /// The round scores and forfeits by seat.
    pub fn results(&self) -> &[SeatResult] {
        &self.results
    }

    /// How many events there have been; the number of the last one.
    pub fn seq(&self) -> u64 {
        self.log.count
    }

    /// The digest of all events so far, as the crate's documentation specifies it.
    pub fn digest(&self) -> Hex32 {
        self.log.digest()
    }

    /// The deal of a round.
    pub fn deal(&self, round: u8) -> Deal {
        self.deals.deal(round)
    }

    fn advance(&mut self, out: &mut Vec<Event>) -> Result<(), SetupError> {
        while self.status == Status::Running && self.decision.is_none() {
            let Some(table) = &self.table else {
                self.start_round(out)?;
                continue;
            };
            if let Some(end) = table.state.end() {
                self.end_round(end, out);
                continue;
            }
            let (seat, moves) = (table.state.turn(), table.state.moves());
            let asked = self.results[seat.index()].forfeited.is_none()
                && (self.forced == ForcedMoves::Asked || moves.total() > 1);
            match if asked { None } else { moves.clone().next() } {
                Some(action) => self.make(action.into(), out).expect("an option of the list has a place"),
                None => {
                    let number = u32::try_from(self.log.count + 1).unwrap_or(u32::MAX);
                    self.decision = Some(Decision { number, seat, moves });
                }
            }
        }
        Ok(())
    }

    /// Makes a legal move and tells of it.
    fn make(&mut self, choice: Choice, out: &mut Vec<Event>) -> Result<(), NoSuchLine> {
        let Some(table) = &mut self.table else {
            return Ok(());
        };
        let seat = table.state.turn();
        let open = table.state.open_numbers();
        let event = match choice.action {
            Move::Play { tile, end } => {
                let line = table.lines.lay(tile, end, choice.line)?;
                table.witness.played(seat, tile, end, line);
                Event::Played { seat, tile, end, line }
            }
            Move::Draw => {
                table.witness.drew(seat, open);
                let tile = table.state.next_drawn().unwrap_or(Tile::of(0, 0));
                Event::Drew { seat, tile }
            }
            Move::Pass | Move::Keep => {
                let by_choice = self.start.rules.drawn_tile() == DrawnTile::MayPlay;
                table.witness.passed(seat, open, by_choice);
                if choice.action == Move::Keep { Event::Kept { seat } } else { Event::Passed { seat } }
            }
        };
        table.state.apply_unchecked(choice.action);
        self.log.push(event, out);
        Ok(())
    }

    fn start_round(&mut self, out: &mut Vec<Event>) -> Result<(), SetupError> {
        self.round += 1;
        let rules = self.start.rules;
        let Deal { starting_double, starter, hands, boneyard } = self.deals.deal(self.round);
        self.log.push(Event::RoundStarted { round: self.round, starting_double }, out);
        let mut hands: Vec<TileSet> = hands.into_iter().map(|hand| hand.into_iter().collect()).collect();
        for (seat, tiles) in Seat::all(rules.players()).zip(&hands) {
            self.log.push(Event::HandDealt { seat, tiles: *tiles }, out);
        }
        let double = Tile::double(starting_double).ok_or(SetupError::OutOfRange("starting double"))?;
        if hands.len() != usize::from(rules.players()) {
            return Err(SetupError::OutOfRange("hands"));
        }
        let mut witness = Witness::default();
        let mut boneyard = boneyard;
        let (layer, first) = match starter {
            Some(finder) => (finder, finder),
            None => {
                let first = Seat::of((self.round - 1) % rules.players());
                let search = Search { rules: &rules, double, first };
                let (layer, drew) = search.run(&mut hands, &mut boneyard);
                for (seat, tile) in drew {
                    // To lack the double says nothing of the number's other tiles.
                    witness.drew(seat, Numbers::EMPTY);
                    self.log.push(Event::Drew { seat, tile }, out);
                }
                (layer, layer.next(rules.players()))
            }
        };
        witness.laid_start(layer, double);
        self.log.push(Event::StartLaid { seat: layer }, out);
        let terms = Terms::from(&rules);
        self.table = Some(OpenRound {
            state: AnyRound::new(terms, starting_double, first, &hands, &boneyard, starter.is_none())?,
            lines: Lines::new(&terms, starting_double),
            witness,
        });
        Ok(())
    }

    fn end_round(&mut self, end: End, out: &mut Vec<Event>) {
        let Some(table) = self.table.take() else {
            return;
        };
        let scores: Vec<u16> =
            Seat::all(self.start.rules.players()).map(|seat| table.state.hand_score(seat)).collect();
        for ((result, total), score) in self.results.iter_mut().zip(&mut self.totals).zip(&scores) {
            result.rounds.push(*score);
            *total += u32::from(*score);
        }
        let totals = self.totals.clone();
        self.log.push(Event::RoundEnded { end, scores, totals: totals.clone() }, out);
        if self.round == self.start.rules.rounds() {
            self.status = Status::Ended;
            self.log.push(Event::MatchEnded { totals, places: self.places() }, out);
        }
    }
}

impl fmt::Debug for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("rules", &self.start.rules)
            .field("round", &self.round)
            .field("decision", &self.decision)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

/// The search for a starting double that is laid by its holder.
struct Search<'a> {
    rules: &'a Rules,
    double: Tile,
    first: Seat,
}

impl Search<'_> {
    /// Finds who lays the double and takes it out of the tiles. Who holds it lays it; else the seats draw in turn
    /// and keep what they draw. Also returns what they drew.
    fn run(&self, hands: &mut [TileSet], boneyard: &mut Vec<Tile>) -> (Seat, Vec<(Seat, Tile)>) {
        let players = self.rules.players();
        if let Some(holder) = Seat::all(players).find(|seat| hands[seat.index()].contains(self.double)) {
            hands[holder.index()].remove(self.double);
            return (holder, Vec::new());
        }
        let mut seat = self.first;
        let mut drew = Vec::new();
        while boneyard.len() > usize::from(self.rules.reserve()) {
            let tile = boneyard.remove(0);
            drew.push((seat, tile));
            if tile == self.double {
                return (seat, drew);
            }
            hands[seat.index()].insert(tile);
            seat = seat.next(players);
        }
        boneyard.retain(|tile| *tile != self.double);
        (seat, drew)
    }
}

use std::fmt::{self, Debug, Display};

use crate::deal::{Deal, Deals, Seed};
use crate::entry::Entry;
use crate::event::Event;
use crate::game::{ForcedMoves, Match, MatchSetup, Status};
use crate::made::{Deed, Made};
use crate::record::{Outcome, RECORD_FORMAT, Record, RoundRecord};
use crate::refused::Refused;
use crate::seat::Seat;

/// Most contributors of a block: a candidate, a base and a full table.
const MAX_CONTRIBUTORS: usize = 16;

/// The first thing that is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where: a field, or a round and a move in it, both counted from 1.
    pub place: String,
    /// What.
    pub problem: String,
}

impl Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for Flaw {}

impl Record {
    /// Checks the record against itself: that the seed was the committed one, that every deal follows from it, that
    /// every draw is the deal's, every move legal, every score, total and place right, and the digest theirs.
    ///
    /// # Errors
    /// The first flaw.
    pub fn verify(&self) -> Result<(), Flaw> {
        equal("format", RECORD_FORMAT, self.format.as_str())?;
        equal("seats", &usize::from(self.rules.players()), &self.seats.len())?;
        let seed = Seed::new(self.seed.0);
        equal("commitment", &seed.commitment(&self.deal_id), &self.commitment)?;
        self.check_block()?;
        let deals = self.check_deals(&seed)?;
        let game = Replay::new(self, deals)?.run()?;
        equal("rounds", &usize::from(game.round()), &self.rounds.len())?;
        equal("totals", game.totals(), &self.totals[..])?;
        let places = if self.outcome == Outcome::Finished { game.places() } else { Vec::new() };
        equal("places", &places, &self.places)?;
        equal("digest", &game.digest(), &self.digest)
    }

    /// Derives every deal from the seed and compares it with the recorded one. Returns the deals of all rounds, also of
    /// those that are not in the record.
    fn check_deals(&self, seed: &Seed) -> Result<DerivedDeals, Flaw> {
        let deals = self.start().deals(seed);
        let deals: Vec<Deal> = (1..=self.rules.rounds()).map(|number| deals.deal(number)).collect();
        for ((number, deal), round) in (1..).zip(&deals).zip(&self.rounds) {
            check_deal(number, round, deal)?;
        }
        Ok(DerivedDeals(deals))
    }

    /// The contributors of a block are sorted by name, each there once, so that their order is nobody's choice.
    fn check_block(&self) -> Result<(), Flaw> {
        if self.block.len() > MAX_CONTRIBUTORS {
            return Err(flaw(
                "block",
                format!("{} contributors; most are {MAX_CONTRIBUTORS}", self.block.len()),
            ));
        }
        match self.block.windows(2).find(|pair| pair[0].name >= pair[1].name) {
            None => Ok(()),
            Some(pair) => {
                Err(flaw("block", format!("{:?} does not come before {:?}", pair[0].name, pair[1].name)))
            }
        }
    }
}

fn check_deal(number: u8, round: &RoundRecord, deal: &Deal) -> Result<(), Flaw> {
    equal(format_args!("round {number}, starting_double"), &deal.starting_double, &round.starting_double)?;
    equal(format_args!("round {number}, starter"), &deal.starter, &round.starter)?;
    equal(format_args!("round {number}, hands"), &deal.hands.len(), &round.hands.len())?;
    for (seat, (dealt, recorded)) in deal.hands.iter().zip(&round.hands).enumerate() {
        equal(format_args!("round {number}, hand of seat {seat}"), dealt, recorded)?;
    }
    equal(format_args!("round {number}, boneyard"), &deal.boneyard, &round.boneyard)
}

/// The deals that follow from a seed, each derived once: that is what most of the time goes into.
struct DerivedDeals(Vec<Deal>);

impl Deals for DerivedDeals {
    fn deal(&self, round: u8) -> Deal {
        // The rules have as many rounds as there are deals, and a match asks for no others.
        self.0[usize::from(round) - 1].clone()
    }
}

/// Plays the recorded moves through the rules and compares what happens. Every move is asked for, the forced ones too:
/// so it does not matter which of them the seats were asked for, and a forfeit or an abort may come at any.
struct Replay<'a> {
    record: &'a Record,
    game: Match,
    events: Vec<Event>,
    /// The round and the move in it up to which the record agrees, from 0.
    round: usize,
    at: usize,
}

impl<'a> Replay<'a> {
    fn new(record: &'a Record, deals: DerivedDeals) -> Result<Replay<'a>, Flaw> {
        let mut events = Vec::new();
        let setup = MatchSetup { start: record.start(), deals: Box::new(deals), forced: ForcedMoves::Asked };
        let game = Match::start(setup, &mut events).map_err(|why| flaw("seats", why))?;
        Ok(Replay { record, game, events, round: 0, at: 0 })
    }

    fn run(mut self) -> Result<Match, Flaw> {
        self.compare()?;
        while let Some(decision) = self.game.decision() {
            let entry = self.next_entry(decision.seat)?;
            self.game.commit(entry, &mut self.events).map_err(|why| self.refused(entry, why))?;
            self.compare()?;
        }
        if let Some(made) = self.recorded() {
            return Err(flaw(self.place(), format_args!("{made} stands after the end")));
        }
        let outcome =
            if self.game.status() == Status::Aborted { Outcome::Aborted } else { Outcome::Finished };
        equal("outcome", &outcome, &self.record.outcome)?;
        Ok(self.game)
    }

    /// What the record has where a seat is asked.
    fn next_entry(&self, asked: Seat) -> Result<Entry, Flaw> {
        let Some(made) = self.recorded() else {
            return if self.record.outcome == Outcome::Aborted && self.is_last_round() {
                Ok(Entry::Abort)
            } else {
                Err(flaw(self.place(), format_args!("the moves end where seat {asked} chooses")))
            };
        };
        match (made.what, made.choice()) {
            (Deed::Forfeit, _) => Ok(Entry::Forfeit(made.seat)),
            (_, Some(choice)) if made.seat == asked => Ok(Entry::Choice(choice)),
            (_, Some(_)) => Err(self.illegal(made, Refused::NotOnTurn { on_turn: asked })),
            (_, None) => Err(flaw(self.place(), format_args!("{made} stands where seat {asked} chooses"))),
        }
    }

    /// The recorded move was not accepted.
    fn refused(&self, entry: Entry, why: Refused) -> Flaw {
        match (entry, why, self.recorded()) {
            (Entry::Choice(_), Refused::Deal(_), _) | (Entry::Forfeit(_) | Entry::Abort, ..) => {
                flaw(self.place(), why)
            }
            (Entry::Choice(_), _, Some(made)) => self.illegal(made, why),
            (Entry::Choice(_), _, None) => flaw(self.place(), why),
        }
    }

    fn illegal(&self, made: &Made, why: Refused) -> Flaw {
        flaw(self.place(), format_args!("{made} is not legal: {why}"))
    }

    /// Compares the events that happened since the last call with the record.
    fn compare(&mut self) -> Result<(), Flaw> {
        let mut events = std::mem::take(&mut self.events);
        events.drain(..).try_for_each(|event| self.compare_one(&event))?;
        // Its room is used again for the next move.
        self.events = events;
        Ok(())
    }

    fn compare_one(&mut self, event: &Event) -> Result<(), Flaw> {
        match event {
            Event::RoundStarted { round, .. } => {
                self.round = usize::from(*round) - 1;
                self.at = 0;
                if self.record.rounds.len() <= self.round {
                    return Err(flaw("rounds", format_args!("round {round} is missing")));
                }
            }
            Event::RoundEnded { end, scores, .. } => {
                if let Some(made) = self.recorded() {
                    return Err(flaw(self.place(), format_args!("{made} stands after the end of the round")));
                }
                let (number, round) = (self.round + 1, &self.record.rounds[self.round]);
                equal(format_args!("round {number}, end"), &Some(*end), &round.end)?;
                equal(format_args!("round {number}, scores"), scores, &round.scores)?;
            }
            _ => {
                if let Some(made) = Made::from_event(event) {
                    match self.recorded() {
                        Some(recorded) => equal(self.place(), &made, recorded)?,
                        None => return Err(flaw(self.place(), format_args!("{made} is missing"))),
                    }
                    self.at += 1;
                }
            }
        }
        Ok(())
    }

    fn recorded(&self) -> Option<&'a Made> {
        self.record.rounds.get(self.round)?.moves.get(self.at)
    }

    fn is_last_round(&self) -> bool {
        self.record.rounds.len() == self.round + 1
    }

    fn place(&self) -> Place {
        Place { round: self.round, at: self.at }
    }
}

/// A move of the record: its round and its position in it, both from 0. Made for every move, written only for a flaw.
struct Place {
    round: usize,
    at: usize,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}, move {}", self.round + 1, self.at + 1)
    }
}

fn flaw(place: impl Display, problem: impl Display) -> Flaw {
    Flaw { place: place.to_string(), problem: problem.to_string() }
}

fn equal<T: PartialEq + Debug + ?Sized>(place: impl Display, expected: &T, recorded: &T) -> Result<(), Flaw> {
    if expected == recorded {
        return Ok(());
    }
    Err(flaw(place, format_args!("the record has {recorded:?}, the rules give {expected:?}")))
}

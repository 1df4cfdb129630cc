use std::fmt;

use crate::deal::{Deal, Deals, Seed};
use crate::entry::{Choice, Entry};
use crate::event::Event;
use crate::game::{ForcedMoves, Match, MatchSetup, Status};
use crate::made::{Deed, Made};
use crate::moves::Move;
use crate::record::{Outcome, RECORD_FORMAT, Record, RoundRecord};

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

impl fmt::Display for Flaw {
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
        equal("seats", usize::from(self.rules.players()), self.seats.len())?;
        let seed = Seed::new(self.seed.0);
        equal("commitment", seed.commitment(&self.deal_id), self.commitment)?;
        self.check_block()?;
        let deals = self.start().deals(&seed);
        for (number, round) in (1..=self.rules.rounds()).zip(&self.rounds) {
            check_deal(number, round, deals.deal(number))?;
        }
        let game = Replay::new(self, &seed)?.run()?;
        equal("rounds", usize::from(game.round()), self.rounds.len())?;
        equal("totals", game.totals(), &self.totals[..])?;
        let places = if self.outcome == Outcome::Finished { game.places() } else { Vec::new() };
        equal("places", places, self.places.clone())?;
        equal("digest", game.digest(), self.digest)
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

fn check_deal(number: u8, round: &RoundRecord, deal: Deal) -> Result<(), Flaw> {
    let at = |what: &str| format!("round {number}, {what}");
    equal(at("starting_double"), deal.starting_double, round.starting_double)?;
    equal(at("starter"), deal.starter, round.starter)?;
    equal(at("hands"), deal.hands.len(), round.hands.len())?;
    for (seat, (dealt, recorded)) in deal.hands.iter().zip(&round.hands).enumerate() {
        equal(at(&format!("hand of seat {seat}")), dealt, recorded)?;
    }
    equal(at("boneyard"), deal.boneyard, round.boneyard.clone())
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
    fn new(record: &'a Record, seed: &Seed) -> Result<Replay<'a>, Flaw> {
        let mut events = Vec::new();
        let setup = MatchSetup::seeded(record.start(), seed, ForcedMoves::Asked);
        let game = Match::start(setup, &mut events).map_err(|why| flaw("seats", why))?;
        Ok(Replay { record, game, events, round: 0, at: 0 })
    }

    fn run(mut self) -> Result<Match, Flaw> {
        loop {
            self.compare()?;
            let Some(decision) = self.game.decision() else {
                break;
            };
            let next = self.recorded().map(|made| (*made, self.place()));
            let entry = match next {
                Some((Made { seat, what: Deed::Forfeit }, _)) => Entry::Forfeit(seat),
                Some((made, place)) => {
                    let choice = choice(made).ok_or_else(|| {
                        flaw(&place, format!("{made} stands where seat {} chooses", decision.seat))
                    })?;
                    self.game
                        .check(decision.number, made.seat, choice)
                        .map_err(|why| flaw(&place, format!("{made} is not legal: {why}")))?
                }
                None if self.record.outcome == Outcome::Aborted && self.is_last_round() => Entry::Abort,
                None => {
                    return Err(flaw(
                        self.place(),
                        format!("the moves end where seat {} chooses", decision.seat),
                    ));
                }
            };
            let place = self.place();
            self.game.commit(entry, &mut self.events).map_err(|why| flaw(place, why))?;
        }
        if let Some(made) = self.recorded() {
            return Err(flaw(self.place(), format!("{made} stands after the end")));
        }
        let outcome =
            if self.game.status() == Status::Aborted { Outcome::Aborted } else { Outcome::Finished };
        equal("outcome", outcome, self.record.outcome)?;
        Ok(self.game)
    }

    /// Compares the events that happened since the last call with the record.
    fn compare(&mut self) -> Result<(), Flaw> {
        for event in std::mem::take(&mut self.events) {
            match &event {
                Event::RoundStarted { round, .. } => {
                    self.round = usize::from(*round) - 1;
                    self.at = 0;
                    if self.record.rounds.len() <= self.round {
                        return Err(flaw("rounds", format!("round {round} is missing")));
                    }
                }
                Event::RoundEnded { end, scores, .. } => {
                    if let Some(made) = self.recorded() {
                        return Err(flaw(self.place(), format!("{made} stands after the end of the round")));
                    }
                    let round = &self.record.rounds[self.round];
                    let at = |what: &str| format!("round {}, {what}", self.round + 1);
                    equal(at("end"), Some(*end), round.end)?;
                    equal(at("scores"), scores, &round.scores)?;
                }
                _ => {
                    if let Some(made) = Made::from_event(&event) {
                        match self.recorded() {
                            Some(recorded) => equal(self.place(), made, *recorded)?,
                            None => return Err(flaw(self.place(), format!("{made} is missing"))),
                        }
                        self.at += 1;
                    }
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

    fn place(&self) -> String {
        format!("round {}, move {}", self.round + 1, self.at + 1)
    }
}

/// The answer to a decision that a recorded move is, if it is one.
fn choice(made: Made) -> Option<Choice> {
    match made.what {
        Deed::Play { tile, end, line } => Some(Choice { action: Move::Play { tile, end }, line: Some(line) }),
        Deed::Draw(_) => Some(Move::Draw.into()),
        Deed::Pass => Some(Move::Pass.into()),
        Deed::Keep => Some(Move::Keep.into()),
        Deed::Start | Deed::Forfeit => None,
    }
}

fn flaw(place: impl Into<String>, problem: impl ToString) -> Flaw {
    Flaw { place: place.into(), problem: problem.to_string() }
}

fn equal<T: PartialEq + fmt::Debug>(place: impl Into<String>, expected: T, recorded: T) -> Result<(), Flaw> {
    if expected == recorded {
        return Ok(());
    }
    Err(flaw(place, format!("the record has {recorded:?}, the rules give {expected:?}")))
}

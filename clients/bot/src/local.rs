//! The same bots without a service.

use std::time::{Duration, Instant};

use chickenfoot_rules::{
    Choice, Contributor, Entropy, Entry, Event, ForcedMoves, Match, MatchSetup, MatchStart, Record,
    RecordError, Refused, Rules, Seat, Seed, StartError,
};

use crate::bot::{Bot, GameEnd, GameInfo, Turn};

/// What the deals of a match with a fixed seed are bound to, here as in the service.
pub const DEAL_ID: &str = "fixed";

/// A match to play in process.
pub struct LocalMatch {
    /// The rules.
    pub rules: Rules,
    /// The seed of the deals.
    pub seed: Seed,
    /// The seats' names and bots, as many as the rules have players. A match with a fixed seed and the same names at
    /// the service has the same deals.
    pub seats: Vec<(String, MakeBot)>,
}

/// Gives the bot for a seat.
pub type MakeBot = Box<dyn FnMut(&GameInfo) -> Box<dyn Bot>>;

/// Plays a match to its end. A bot's answer that is no option is replaced by the first option.
///
/// # Errors
/// The number of bots is not that of the seats.
pub fn play(game: LocalMatch) -> Result<Record, StartError> {
    let LocalMatch { rules, seed, seats: mut makers } = game;
    let seats: Vec<Contributor> = makers
        .iter()
        .map(|(name, _)| Contributor { name: name.clone(), entropy: Entropy::default() })
        .collect();
    let forced = ForcedMoves::Automatic;
    let start = MatchStart::new(rules, DEAL_ID, &seed, seats.clone());
    let commitment = Some(start.commitment);
    let setup = MatchSetup::seeded(start, &seed, forced);
    let mut events = Vec::new();
    let mut game = Match::start(setup, &mut events)?;
    let info = |seat| GameInfo {
        match_id: "local".to_owned(),
        rules,
        seat,
        names: seats.iter().map(|seat| seat.name.clone()).collect(),
        commitment,
    };
    let infos: Vec<GameInfo> = Seat::all(rules.players()).map(info).collect();
    let mut bots: Vec<Box<dyn Bot>> =
        makers.iter_mut().zip(&infos).map(|((_, make), info)| make(info)).collect();
    for (bot, info) in bots.iter_mut().zip(&infos) {
        bot.start(info);
    }
    let mut log: Vec<Entry> = Vec::new();
    while let Some(turn) = turn(&game) {
        let seat = turn.view.seat;
        let answer = bots[seat.index()].choose(&turn);
        let action = if turn.options.contains(&answer) { answer } else { turn.options[0] };
        // An option of the list is legal, and the seat on turn makes it.
        if let Ok(entry) = commit(&mut game, action.into(), &mut events) {
            log.push(entry);
        }
    }
    let end = GameEnd {
        finished: true,
        totals: game.totals().to_vec(),
        places: game.places().into_iter().map(u32::from).collect(),
        digest: game.digest().0.to_vec(),
    };
    for (bot, info) in bots.iter_mut().zip(&infos) {
        bot.end(info, &end);
    }
    Record::of("local", &seed, game.setup(), forced, &log).map_err(|why| match why {
        RecordError::Start(why) => why,
        // The log was made by the very match that it is replayed in.
        RecordError::Entry { .. } | RecordError::NotOver => {
            StartError::Seats { expected: rules.players(), found: 0 }
        }
    })
}

fn turn(game: &Match) -> Option<Turn> {
    let view = game.view()?.into_owned();
    let options = view.moves().collect();
    Some(Turn { view, options, time_left: Duration::MAX, received: Instant::now() })
}

fn commit(game: &mut Match, choice: Choice, events: &mut Vec<Event>) -> Result<Entry, Refused> {
    let decision = game.decision().ok_or(Refused::Over)?;
    let entry = game.check(decision.number, decision.seat, choice)?;
    events.clear();
    game.commit(entry, events)?;
    Ok(entry)
}

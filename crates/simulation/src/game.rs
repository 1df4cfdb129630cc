use std::time::Duration;

use chickenfoot_blocks::{BlockDeals, Finished, game};
use chickenfoot_rules::{
    Contributor, Entropy, Entry, ForcedMoves, Hex32, Match, MatchSetup, MatchStart, Move, Record, Rules,
    Seat, Seed, View,
};
use chickenfoot_strategy::{Effort, Strategy, by_name, house_seed, oracle};
use chickenfoot_tournament::{Block, EntrantId, Game};

use crate::player::{Player, Plays};

/// A match that was played to its end.
pub(crate) struct Played {
    pub(crate) game: Game,
    pub(crate) digest: Hex32,
    /// What each seat that searches took for all its decisions.
    pub(crate) think: Vec<Duration>,
    pub(crate) record: Option<Record>,
}

/// What all matches have in common.
pub(crate) struct Hall<'a> {
    pub(crate) players: &'a [Player],
    pub(crate) rules: &'a [Rules],
    pub(crate) deals: BlockDeals,
    pub(crate) records: bool,
    /// The time since some moment.
    pub(crate) time: &'a (dyn Fn() -> Duration + Sync),
    /// Whether to go on at all.
    pub(crate) go_on: &'a (dyn Fn() -> bool + Sync),
}

/// The name of a match of a block: what its record is filed under.
pub(crate) fn match_id(number: u32, game: usize) -> String {
    format!("{number:06}-{game}")
}

impl Hall<'_> {
    /// Plays a match of a block. `None` if it is to go on no more.
    pub(crate) fn play(&self, block: &Block, position: usize) -> Result<Option<Played>, String> {
        let seating = block.seatings.get(position).ok_or("the block has no such match")?.clone();
        let rules = self.rules.iter().find(|rules| usize::from(rules.players()) == seating.len());
        let rules = *rules.ok_or_else(|| format!("there are no rules for a table of {}", seating.len()))?;
        let player = |id: EntrantId| self.players.get(id.index());
        let entrant =
            |id| player(id).map(|it| Contributor { name: it.name.clone(), entropy: Entropy::default() });
        let at_table: Option<Vec<&Player>> = seating.iter().map(|id| player(*id)).collect();
        let at_table = at_table.ok_or("the block names an unknown player")?;
        let names = at_table.iter().map(|it| Contributor::house(&it.plays.to_string())).collect();
        let contributors = self.deals.contributors(block, entrant);
        let (seed, start) = self.deals.start((block.number, 0), rules, names, contributors);
        let mut seats = Seat::all(rules.players())
            .zip(at_table)
            .map(|(seat, player)| Sitting::new(&player.plays, house_seed(&seed, &start.deal_id, seat)))
            .collect::<Option<Vec<Sitting>>>()
            .ok_or("a strategy is unknown")?;
        let Some((over, log)) = self.to_the_end(start, &seed, &mut seats)? else { return Ok(None) };
        let record = if self.records {
            let id = match_id(block.number, position);
            let record = Record::of(&id, &seed, over.setup(), ForcedMoves::Automatic, &log);
            Some(record.map_err(|why| why.to_string())?)
        } else {
            None
        };
        let finished = Finished {
            totals: over.totals().to_vec(),
            places: over.places(),
            rounds: over.results().iter().map(|result| result.rounds.clone()).collect(),
        };
        let think = seats.into_iter().map(|seat| seat.think).collect();
        Ok(Some(Played { game: game(seating, finished), digest: over.digest(), think, record }))
    }

    fn to_the_end(
        &self,
        start: MatchStart,
        seed: &Seed,
        seats: &mut [Sitting],
    ) -> Result<Option<(Match, Vec<Entry>)>, String> {
        let (mut events, mut log) = (Vec::new(), Vec::new());
        let setup = MatchSetup::seeded(start, seed, ForcedMoves::Automatic);
        let mut game = Match::start(setup, &mut events).map_err(|why| why.to_string())?;
        while let (Some(view), true) = (game.view(), (self.go_on)()) {
            let seat = seats.get_mut(view.seat.index()).ok_or("a seat has no player")?;
            let Some(action) = seat.choose(&view, &game, self) else { return Ok(None) };
            let entry = Entry::Choice(action.into());
            events.clear();
            game.commit(entry, &mut events).map_err(|why| why.to_string())?;
            if self.records {
                log.push(entry);
            }
        }
        Ok(game.decision().is_none().then_some((game, log)))
    }
}

/// A player on its seat.
struct Sitting {
    mind: Mind,
    think: Duration,
}

enum Mind {
    Strategy(Box<dyn Strategy>),
    Oracle(u32),
}

impl Sitting {
    fn new(plays: &Plays, seed: [u8; 32]) -> Option<Sitting> {
        let mind = match plays {
            Plays::Strategy(name) => Mind::Strategy(by_name(name, seed)?),
            Plays::Oracle(rollouts) => Mind::Oracle(*rollouts),
        };
        Some(Sitting { mind, think: Duration::ZERO })
    }

    fn choose(&mut self, view: &View<'_>, game: &Match, hall: &Hall<'_>) -> Option<Move> {
        match &mut self.mind {
            Mind::Strategy(strategy) => {
                // A clock costs more than a decision of one that does not search.
                let Some(effort) = strategy.effort() else { return Some(strategy.choose(view)) };
                let begun = (hall.time)();
                let taken = || (hall.time)().saturating_sub(begun);
                let limit = match effort {
                    Effort::Milliseconds(limit) => Duration::from_millis(limit.into()),
                    Effort::Rollouts(_) => Duration::MAX,
                };
                let action = strategy.choose_while(view, &mut || (hall.go_on)() && taken() < limit);
                self.think += taken();
                Some(action)
            }
            Mind::Oracle(rollouts) => {
                let begun = (hall.time)();
                let action = match game.open_round::<1>() {
                    Some(round) => oracle(&round, *rollouts),
                    None => oracle(&game.open_round::<3>()?, *rollouts),
                };
                self.think += (hall.time)().saturating_sub(begun);
                action
            }
        }
    }
}

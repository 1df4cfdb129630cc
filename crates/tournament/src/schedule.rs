use std::collections::{BTreeMap, BTreeSet};

use crate::formats::{self, Next, Plan};
use crate::lots::Lots;
use crate::seating::Seater;
use crate::setup::MAX_ENTRANTS;
use crate::{Block, BlockResult, Bracket, Entrant, EntrantId, Error, Place, Setup};

/// What is played, and when it may be.
///
/// A schedule is a function of its setup, its entrants with the stages from and until which they play, and the *set* of
/// finished blocks. In which order results came, and when, changes nothing. So after a restart: [`Schedule::new`] with the
/// stored entrants, [`Schedule::record`] for all stored results in any order, then [`Schedule::stop_after`] if that was
/// called, and only then anything else. It will offer the blocks that had been offered and are not finished, then go on.
///
/// Blocks are decided as late as possible: [`Schedule::take_ready`] numbers no more of them than it hands out, apart from
/// formats that pair a whole stage at a time. Whatever has a number stays as it is, so [`Schedule::enter`] and
/// [`Schedule::withdraw`] work on what has none yet. After a restart, take again as many blocks as were under way before
/// an entrant enters or withdraws: this gives them their numbers back.
///
/// ```
/// use chickenfoot_tournament::{BlockResult, Entrant, Format, Schedule, Setup, State};
///
/// let setup = Setup { format: Format::RoundRobin { cycles: 1 }, table: 2, seed: [0; 32], lookahead: 0 };
/// let entrants = ["red", "green"].map(|name| Entrant { name: name.to_owned(), ..Entrant::default() });
/// let mut schedule = Schedule::new(setup, entrants.to_vec())?;
/// let block = schedule.take_ready(1).remove(0);
/// assert_eq!(block.seatings.len(), 2);
/// let absent = vec![block.seatings[0][0]];
/// schedule.record(BlockResult { number: block.number, absent, games: Vec::new() })?;
/// assert_eq!(schedule.state(), State::Over);
/// # Ok::<(), chickenfoot_tournament::Error>(())
/// ```
#[derive(Debug)]
pub struct Schedule {
    past: Past,
    plan: Box<dyn Plan>,
    seater: Seater,
    /// Results of blocks that are not decided yet: at a restart, results come in any order.
    early: BTreeMap<u32, BlockResult>,
    /// Blocks below it were handed out, or were found finished.
    handed: usize,
    stop: Option<u32>,
}

/// Everything that the next blocks follow from.
#[derive(Debug)]
pub(crate) struct Past {
    pub(crate) setup: Setup,
    pub(crate) lots: Lots,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) blocks: Vec<Block>,
    /// For each block its result, if it is finished.
    pub(crate) results: Vec<Option<BlockResult>>,
    /// How many blocks are finished.
    finished: usize,
    /// All blocks below it are finished.
    finished_below: usize,
}

/// Whether there is anything left to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Blocks are under way, or there will be more.
    Running,
    /// Every block that counts is finished, and there will be no other.
    Over,
}

impl Past {
    /// Is the entrant scheduled in this stage?
    pub(crate) fn plays(&self, entrant: EntrantId, stage: u32) -> bool {
        self.entrants
            .get(entrant.index())
            .is_some_and(|it| it.from_stage <= stage && it.until_stage.is_none_or(|until| stage < until))
    }

    /// Those who are scheduled in this stage, in the order of entry.
    pub(crate) fn players(&self, stage: u32) -> Vec<EntrantId> {
        self.ids().filter(|&entrant| self.plays(entrant, stage)).collect()
    }

    /// All entrants, in the order of entry.
    pub(crate) fn ids(&self) -> impl Iterator<Item = EntrantId> + use<> {
        (0..self.entrants.len() as u32).map(EntrantId)
    }

    /// The stage of the last block that is decided; 0 before the first.
    pub(crate) fn last_stage(&self) -> u32 {
        self.blocks.last().map_or(0, |block| block.stage)
    }

    /// The next block's number.
    pub(crate) fn next_number(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// Whether the next block may be decided: the results that it may depend on are there.
    pub(crate) fn within_lookahead(&self) -> bool {
        self.blocks.len() <= self.finished_below + self.setup.lookahead as usize
    }

    /// Whether all decided blocks are finished.
    pub(crate) fn all_finished(&self) -> bool {
        self.finished_below == self.blocks.len()
    }
}

impl Schedule {
    /// The schedule of a tournament of which nothing is finished yet, or not yet told: see [`Schedule::record`].
    ///
    /// # Errors
    /// Settings that are out of range, or that these entrants do not fit.
    pub fn new(setup: Setup, entrants: Vec<Entrant>) -> Result<Self, Error> {
        setup.check()?;
        check_entrants(&entrants)?;
        formats::check(&setup, &entrants)?;
        let plan = formats::plan(&setup);
        let lots = Lots::new(setup.seed);
        let seater = Seater::new(lots.clone());
        let past = Past {
            setup,
            lots,
            entrants,
            blocks: Vec::new(),
            results: Vec::new(),
            finished: 0,
            finished_below: 0,
        };
        let mut schedule = Self { past, plan, seater, early: BTreeMap::new(), handed: 0, stop: None };
        schedule.plan.settle(&schedule.past);
        Ok(schedule)
    }

    /// Blocks that may be played now and were not handed out yet, in the order of their numbers, `limit` at most.
    pub fn take_ready(&mut self, limit: usize) -> Vec<Block> {
        let mut ready = Vec::new();
        while ready.len() < limit {
            if self.handed == self.past.blocks.len() && !self.decide() {
                break;
            }
            let number = self.handed;
            self.handed += 1;
            if self.past.results[number].is_none() && self.counts(number as u32) {
                ready.push(self.past.blocks[number].clone());
            }
        }
        ready
    }

    /// Takes a finished block down, in any order of arrival, also before the block was handed out. Further blocks may be
    /// ready then. The same result again changes nothing.
    ///
    /// # Errors
    /// A result that is not one of this block, or another than the block already has, or a number beyond the last block.
    /// The error of a result that came before its block was decided may come from a later call; it is dropped then.
    pub fn record(&mut self, result: BlockResult) -> Result<(), Error> {
        let number = result.number;
        if (number as usize) < self.past.blocks.len() {
            self.place(result)?;
        } else if number >= self.plan.end(&self.past) {
            return Err(Error::NoSuchBlock { number });
        } else if self.early.get(&number).is_some_and(|known| *known != result) {
            return Err(Error::Finished { number });
        } else {
            self.early.insert(number, result);
        }
        let mut outcome = self.place_early();
        while !self.early.is_empty() && self.decide() {
            outcome = outcome.and(self.place_early());
        }
        self.plan.settle(&self.past);
        outcome
    }

    /// Recorded results of blocks that are not decided. After all stored results are recorded there must be none: else
    /// they belong to another tournament, or some are missing.
    pub fn unplaced(&self) -> Vec<u32> {
        self.early.keys().copied().collect()
    }

    /// Whether there is anything left to play.
    pub fn state(&self) -> State {
        let decided = self.past.blocks.len() as u32;
        let open = (self.past.finished_below as u32..self.counted())
            .any(|number| self.past.results[number as usize].is_none());
        let more = self.stop.is_none_or(|stop| decided <= stop) && !self.plan.exhausted(&self.past);
        if open || more { State::Running } else { State::Over }
    }

    /// How many blocks the tournament has, as far as that is known: exact for a fixed list without withdrawals, an
    /// estimate where it depends on what happens.
    pub fn total_blocks(&self) -> u32 {
        let decided = self.past.next_number();
        let total = decided.saturating_add(self.plan.remaining(&self.past));
        self.stop.map_or(total, |stop| total.min(stop.saturating_add(1)))
    }

    /// How many blocks are finished.
    pub fn finished_blocks(&self) -> u32 {
        self.past.finished as u32
    }

    /// A block that is decided.
    pub fn block(&self, number: u32) -> Option<&Block> {
        self.past.blocks.get(number as usize)
    }

    /// All blocks that are decided, by number.
    pub fn blocks(&self) -> &[Block] {
        &self.past.blocks
    }

    /// The results so far that count, by number.
    pub fn results(&self) -> impl Iterator<Item = &BlockResult> {
        self.past.results.iter().take(self.counted() as usize).flatten()
    }

    /// The entrants, by their ids.
    pub fn entrants(&self) -> &[Entrant] {
        &self.past.entrants
    }

    /// The settings.
    pub fn setup(&self) -> &Setup {
        &self.past.setup
    }

    /// Takes in an entrant, and says the first stage that it plays in, which its `from_stage` becomes. Before the first
    /// block every format takes entrants; later, a Swiss tournament does from the next round and a ladder from the next
    /// block on.
    ///
    /// # Errors
    /// A name that is taken, too many entrants, or a format that cannot take any more.
    pub fn enter(&mut self, mut entrant: Entrant) -> Result<u32, Error> {
        let stage = self.plan.entry(&self.past).ok_or(Error::TooLate)?;
        if self.past.entrants.iter().any(|other| other.name == entrant.name) {
            return Err(Error::SameName { name: entrant.name });
        }
        entrant.from_stage = stage;
        entrant.until_stage = None;
        self.past.entrants.push(entrant);
        let fits = check_count(self.past.entrants.len())
            .and_then(|()| formats::check(&self.past.setup, &self.past.entrants));
        if let Err(error) = fits {
            self.past.entrants.pop();
            return Err(error);
        }
        Ok(stage)
    }

    /// Takes an entrant out of everything that is not decided yet, and says the first stage that it does not play in,
    /// which its `until_stage` becomes. It leaves its later blocks; where two are left of a table they play on, else the
    /// block is not played. Of blocks that are decided already its absence has to be recorded.
    ///
    /// # Errors
    /// An entrant that does not exist.
    pub fn withdraw(&mut self, entrant: EntrantId) -> Result<u32, Error> {
        let stage = self.plan.exit(entrant, &self.past);
        let leaving = self.past.entrants.get_mut(entrant.index()).ok_or(Error::NoSuchEntrant { entrant })?;
        let until = *leaving.until_stage.get_or_insert(stage);
        self.plan.settle(&self.past);
        Ok(until)
    }

    /// Ends the tournament after this block: no later one is offered, and none that was played counts.
    pub fn stop_after(&mut self, number: u32) {
        self.stop = Some(self.stop.map_or(number, |stop| stop.min(number)));
    }

    /// Whether the block counts: it is not after the one that the tournament was ended by.
    pub fn counts(&self, number: u32) -> bool {
        self.stop.is_none_or(|stop| number <= stop)
    }

    /// Places by the format's own rule: of a Swiss tournament after its finished rounds, of an elimination by how far
    /// each came. `None` for the formats whose standings are made of the results alone. The best is first; nobody shares
    /// a place, as the last tie-break is a lot.
    pub fn places(&self) -> Option<Vec<Place>> {
        self.plan.places(&self.past)
    }

    /// The heats of an elimination so far; `None` for other formats.
    pub fn bracket(&self) -> Option<Bracket> {
        self.plan.bracket(&self.past)
    }

    /// Decided blocks that count.
    fn counted(&self) -> u32 {
        let decided = self.past.next_number();
        self.stop.map_or(decided, |stop| decided.min(stop.saturating_add(1)))
    }

    /// Decides the next blocks, if that can be done now.
    fn decide(&mut self) -> bool {
        if !self.counts(self.past.next_number()) && self.early.is_empty() {
            return false;
        }
        let Next::Blocks(drafts) = self.plan.next(&self.past) else { return false };
        for draft in drafts {
            let number = self.past.next_number();
            let seatings = self.seater.seat(number, draft.seats);
            self.past.blocks.push(Block { number, stage: draft.stage, table: draft.table, seatings });
            self.past.results.push(None);
        }
        self.plan.settle(&self.past);
        true
    }

    /// Places the early results whose blocks are decided by now.
    fn place_early(&mut self) -> Result<(), Error> {
        let mut outcome = Ok(());
        while let Some(first) = self.early.first_entry() {
            if *first.key() as usize >= self.past.blocks.len() {
                break;
            }
            let result = first.remove();
            outcome = outcome.and(self.place(result));
        }
        outcome
    }

    fn place(&mut self, result: BlockResult) -> Result<(), Error> {
        let number = result.number as usize;
        let block = self.past.blocks.get(number).ok_or(Error::NoSuchBlock { number: result.number })?;
        check_result(block, &result)?;
        match &self.past.results[number] {
            Some(known) if *known == result => return Ok(()),
            Some(_) => return Err(Error::Finished { number: result.number }),
            None => {}
        }
        self.past.results[number] = Some(result);
        self.past.finished += 1;
        while self.past.results.get(self.past.finished_below).is_some_and(Option::is_some) {
            self.past.finished_below += 1;
        }
        Ok(())
    }
}

fn check_count(entrants: usize) -> Result<(), Error> {
    match u32::try_from(entrants) {
        Ok(count) if count <= MAX_ENTRANTS => Ok(()),
        other => Err(Error::TooManyEntrants { entrants: other.unwrap_or(u32::MAX), at_most: MAX_ENTRANTS }),
    }
}

fn check_entrants(entrants: &[Entrant]) -> Result<(), Error> {
    check_count(entrants.len())?;
    let mut names = BTreeSet::new();
    match entrants.iter().find(|entrant| !names.insert(&entrant.name)) {
        Some(entrant) => Err(Error::SameName { name: entrant.name.clone() }),
        None => Ok(()),
    }
}

/// A result fits if it has the block's seatings in their order and a figure for every seat, or says who was absent.
fn check_result(block: &Block, result: &BlockResult) -> Result<(), Error> {
    let seated = |entrant: &EntrantId| block.seatings.iter().flatten().any(|other| other == entrant);
    let fits = if result.absent.is_empty() {
        result.games.len() == block.seatings.len()
            && result.games.iter().zip(&block.seatings).all(|(game, seating)| {
                let seats = seating.len();
                game.seating == *seating
                    && game.points.len() == seats
                    && game.clean_rounds.len() == seats
                    && game.lowest_round.len() == seats
                    && game.places.len() == seats
                    && game.places.iter().all(|&place| (1..=seats).contains(&usize::from(place)))
            })
    } else {
        result.games.is_empty() && result.absent.iter().all(seated)
    };
    if fits { Ok(()) } else { Err(Error::NotThisBlock { number: block.number }) }
}

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use chickenfoot_blocks::BlockDeals;
use chickenfoot_rules::{Record, Rules, Seed};
use chickenfoot_tournament::report::{
    Entry, EntryState, FormatInfo, Phase, PlayedBlock, PlayedMatch, PlayedSeat, Report, SeatLedger,
    TableRules,
};
use chickenfoot_tournament::statistics::AbReport;
use chickenfoot_tournament::{Block, BlockResult, Figures, Run};

use crate::contest::{Contest, LOOKAHEAD};
use crate::error::Error;
use crate::game::{Hall, Played, match_id};
use crate::player::Player;
use crate::workers::{Done, Job, work};

/// A tournament of strategies to play in process.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// A title for people.
    pub title: String,
    /// Who meets whom.
    pub contest: Contest,
    /// The players, in the order of entry.
    pub players: Vec<Player>,
    /// The rules for each number of seats from 2 up to the full table, which comes last.
    pub rules: Vec<Rules>,
    /// The seed of the deals.
    pub seed: Seed,
    /// How many matches are played at once.
    pub threads: NonZeroUsize,
    /// Whether records are made.
    pub records: bool,
    /// When it begins, in milliseconds since 1970: for the report alone.
    pub begun_ms: u64,
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Blocks that are over.
    pub blocks: u32,
    /// All blocks that there are likely to be.
    pub total: u32,
    /// Matches that are over.
    pub matches: u32,
    /// How a test stands.
    pub ab: Option<&'a AbReport>,
}

/// Follows a simulation.
pub trait Watch {
    /// A match is over.
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()>;

    /// A block counts; called in the order of their numbers. `records` are those of its matches, if they were asked for.
    fn block(&mut self, block: &PlayedBlock, records: Vec<Record>) -> ControlFlow<()>;
}

/// A block under way.
struct Open {
    block: Arc<Block>,
    games: Vec<Option<Played>>,
}

/// What is known of a simulation while it is played.
struct Hold<'a> {
    run: Run,
    open: BTreeMap<u32, Open>,
    /// Finished blocks whose turn has not come.
    early: BTreeMap<u32, (PlayedBlock, Vec<Record>)>,
    told: Vec<PlayedBlock>,
    matches: u32,
    time: &'a (dyn Fn() -> Duration + Sync),
    begun_ms: u64,
}

impl Simulation {
    /// Plays it. `time` is the time since some moment: efforts in milliseconds, and the times in the report, go by it.
    ///
    /// # Errors
    /// Settings that do not fit together; a strategy that breaks the rules; or the watch has said to stop.
    pub fn run(&self, time: &(dyn Fn() -> Duration + Sync), watch: &mut dyn Watch) -> Result<Report, Error> {
        let table = self.rules.last().map_or(0, Rules::players);
        let deals = BlockDeals::fixed(self.seed);
        let (run, format) = self.contest.run(&self.players, table, deals.commitment().0)?;
        for seats in 2..=usize::from(table) {
            if !self.rules.iter().any(|rules| usize::from(rules.players()) == seats) {
                return Err(Error::NoRules { seats });
            }
        }
        let stop = AtomicBool::new(false);
        let go_on = || !stop.load(Ordering::Relaxed);
        let hall = Hall {
            players: &self.players,
            rules: &self.rules,
            deals: deals.clone(),
            records: self.records,
            time,
            go_on: &go_on,
        };
        let mut hold = Hold {
            run,
            open: BTreeMap::new(),
            early: BTreeMap::new(),
            told: Vec::new(),
            matches: 0,
            time,
            begun_ms: self.begun_ms,
        };
        let (offer, jobs) = channel();
        let jobs = Mutex::new(jobs);
        let (tell, done) = channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.get() {
                let tell = tell.clone();
                scope.spawn(|| {
                    let tell = tell;
                    work(&hall, &jobs, &tell, &stop);
                });
            }
            // With the last worker the last sender is gone.
            drop(tell);
            let ended = self.direct(&mut hold, &offer, &done, watch);
            stop.store(true, Ordering::Relaxed);
            drop(offer);
            ended
        })?;
        self.report(hold, format, &deals)
    }

    /// Hands matches out and takes them down, to the end.
    fn direct(
        &self,
        hold: &mut Hold<'_>,
        offer: &Sender<Job>,
        done: &Receiver<Done>,
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        // One for each thread, and one for each that comes back for more.
        let most = 2 * self.threads.get();
        let mut under_way = 0;
        while !hold.run.is_over() {
            while under_way < most {
                let Some(block) = hold.run.take_ready(1).pop() else { break };
                under_way += block.seatings.len();
                hold.begin(block, offer);
            }
            let Ok(Done { number, game, played }) = done.recv() else {
                return Err(Error::Results("nobody plays any more".to_owned()));
            };
            under_way -= 1;
            let failed = |why| Error::Match { block: number, why };
            let played = played.map_err(failed)?.ok_or(Error::Stopped)?;
            hold.played(number, game, played)?;
            hold.tell(watch)?;
        }
        Ok(())
    }

    fn report(&self, hold: Hold<'_>, format: FormatInfo, deals: &BlockDeals) -> Result<Report, Error> {
        let figures = Figures::of(&hold.run).map_err(|why| Error::Results(why.to_string()))?;
        let ended_ms = hold.now_ms();
        let entry = |(number, player): (u32, &Player)| Entry {
            number,
            name: player.name.clone(),
            house: Some(player.plays.to_string()),
            state: EntryState::Entered,
            position: Some(number),
            from_stage: 1,
            until_stage: None,
        };
        let rules = |rules: &Rules| TableRules { seats: rules.players(), text: rules.text() };
        Ok(Report {
            title: self.title.clone(),
            id: "simulation".to_owned(),
            phase: Phase::Finished,
            message: String::new(),
            created_ms: self.begun_ms,
            started_ms: Some(self.begun_ms),
            ended_ms: Some(ended_ms),
            format,
            table_size: self.rules.last().map_or(0, Rules::players),
            lookahead: LOOKAHEAD,
            rules: self.rules.iter().map(rules).collect(),
            commitment: deals.commitment().0,
            seed: Some(self.seed.reveal()),
            entrants: (0u32..).zip(&self.players).map(entry).collect(),
            blocks: hold.told,
            figures: Some(figures),
        })
    }
}

impl Hold<'_> {
    fn begin(&mut self, block: Block, offer: &Sender<Job>) {
        let block = Arc::new(block);
        let games = block.seatings.len();
        for game in 0..games {
            // The workers hear as long as they may be asked.
            let _ = offer.send(Job { block: Arc::clone(&block), game });
        }
        let games = (0..games).map(|_| None).collect();
        self.open.insert(block.number, Open { block, games });
    }

    /// Takes a match down, and its block with the last one.
    fn played(&mut self, number: u32, game: usize, played: Played) -> Result<(), Error> {
        self.matches += 1;
        let Some(open) = self.open.get_mut(&number) else { return Ok(()) };
        open.games[game] = Some(played);
        if open.games.iter().any(Option::is_none) {
            return Ok(());
        }
        let Some(Open { block, games }) = self.open.remove(&number) else { return Ok(()) };
        let mut games: Vec<Played> = games.into_iter().flatten().collect();
        let records = games.iter_mut().filter_map(|game| game.record.take()).collect();
        let over = PlayedBlock {
            number,
            stage: block.stage,
            table: block.table,
            attempt: 0,
            deal_id: format!("{}.{number}.0", chickenfoot_blocks::FIXED),
            absent: Vec::new(),
            matches: (0..).zip(&games).map(|(game, played)| reported(number, game, played)).collect(),
            ended_ms: self.now_ms(),
        };
        let games = games.into_iter().map(|played| played.game).collect();
        self.run.record(BlockResult { number, absent: Vec::new(), games })?;
        self.early.insert(number, (over, records));
        Ok(())
    }

    /// Tells the blocks whose turn it is, and how far it is.
    fn tell(&mut self, watch: &mut dyn Watch) -> Result<(), Error> {
        let stopped = |_| Error::Stopped;
        // A block beyond the one that decides a test counts for nothing, and by its turn that is known.
        while let Some((block, records)) = self.early.remove(&(self.told.len() as u32)) {
            if !self.run.schedule().counts(block.number) {
                break;
            }
            into_result(watch.block(&block, records)).map_err(stopped)?;
            self.told.push(block);
        }
        let progress = Progress {
            blocks: self.told.len() as u32,
            total: self.run.schedule().total_blocks(),
            matches: self.matches,
            ab: self.run.ab_report(),
        };
        into_result(watch.progress(progress)).map_err(stopped)
    }

    fn now_ms(&self) -> u64 {
        let since = u64::try_from((self.time)().as_millis()).unwrap_or(u64::MAX);
        self.begun_ms.saturating_add(since)
    }
}

fn into_result(flow: ControlFlow<()>) -> Result<(), ()> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(()),
    }
}

/// A match as the report has it.
fn reported(number: u32, game: usize, played: &Played) -> PlayedMatch {
    let result = &played.game;
    let seat = |(i, entrant): (usize, &chickenfoot_tournament::EntrantId)| PlayedSeat {
        entrant: entrant.0,
        points: result.points[i],
        place: result.places[i],
        clean_rounds: result.clean_rounds[i],
        lowest_round: result.lowest_round[i],
        ledger: SeatLedger {
            think_ms: u64::try_from(played.think[i].as_millis()).unwrap_or(u64::MAX),
            ..SeatLedger::default()
        },
    };
    PlayedMatch {
        id: match_id(number, game),
        digest: played.digest.0,
        seats: result.seating.iter().enumerate().map(seat).collect(),
    }
}

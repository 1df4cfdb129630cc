use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_store::{BlockRow, Tally, TournamentRow};

use super::conduct::Conduct;
use super::field::Field;
use super::settings::Settings;

/// A tournament as everybody may see it at one moment.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) row: TournamentRow,
    pub(crate) settings: Arc<Settings>,
    pub(crate) field: Arc<Field>,
    pub(crate) log: Arc<BlockLog>,
    pub(crate) counts: Counts,
}

/// A tournament at a glance, without its entrants and blocks.
#[derive(Clone, Debug)]
pub(crate) struct Glance {
    /// With the tally as it is now.
    pub(crate) row: TournamentRow,
    pub(crate) settings: Arc<Settings>,
    pub(crate) counts: Counts,
}

impl View {
    /// The same at a glance.
    pub(crate) fn glance(&self) -> Glance {
        let tally = self.log.tally(self.field.rows().len());
        let row = TournamentRow { tally, ..self.row.clone() };
        Glance { row, settings: Arc::clone(&self.settings), counts: self.counts }
    }
}

/// What is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Blocks in all, as far as that is known; 0 before the field is settled.
    pub(crate) total_blocks: u32,
    /// Matches that are being played.
    pub(crate) running: u32,
    /// Matches that wait for their entrants.
    pub(crate) waiting: u32,
    /// Matches of unfinished blocks that are over.
    pub(crate) played: u32,
    /// How often unfinished blocks were begun again.
    pub(crate) attempts: u32,
    /// The earliest stage under way.
    pub(crate) stage: Option<u32>,
}

/// The blocks of a tournament that are over, in the order in which they ended. They are only ever added.
#[derive(Debug, Default)]
pub(crate) struct BlockLog(Mutex<Blocks>);

#[derive(Debug, Default)]
struct Blocks {
    all: Vec<Arc<BlockRow>>,
    /// What they come to.
    tally: Tally,
}

impl Blocks {
    fn push(&mut self, block: BlockRow) {
        let tally = &mut self.tally;
        tally.blocks += 1;
        tally.matches += block.outcome.matches.len() as u32;
        tally.attempts += block.outcome.attempt;
        tally.faults += Conduct::of([&block]).values().map(Conduct::faults).sum::<u32>();
        tally.stage = tally.stage.max(block.outcome.stage);
        self.all.push(Arc::new(block));
    }
}

impl BlockLog {
    pub(crate) fn new(blocks: impl IntoIterator<Item = BlockRow>) -> BlockLog {
        let mut all = Blocks::default();
        for block in blocks {
            all.push(block);
        }
        BlockLog(Mutex::new(all))
    }

    pub(crate) fn push(&self, block: BlockRow) {
        self.lock().push(block);
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().all.len()
    }

    /// What they come to, of so many entrants.
    pub(crate) fn tally(&self, entrants: usize) -> Tally {
        Tally { entrants: entrants as u32, ..self.lock().tally }
    }

    /// All of them so far, by number.
    pub(crate) fn all(&self) -> Vec<Arc<BlockRow>> {
        let mut blocks = self.lock().all.clone();
        blocks.sort_by_key(|block| block.number);
        blocks
    }

    /// A block is added as a whole.
    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_store::{BlockRow, TournamentRow};

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
pub(crate) struct BlockLog(Mutex<Vec<Arc<BlockRow>>>);

impl BlockLog {
    pub(crate) fn new(blocks: impl IntoIterator<Item = BlockRow>) -> BlockLog {
        BlockLog(Mutex::new(blocks.into_iter().map(Arc::new).collect()))
    }

    pub(crate) fn push(&self, block: BlockRow) {
        self.lock().push(Arc::new(block));
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// All of them so far, by number.
    pub(crate) fn all(&self) -> Vec<Arc<BlockRow>> {
        let mut blocks = self.lock().clone();
        blocks.sort_by_key(|block| block.number);
        blocks
    }

    /// A block is added as a whole.
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<BlockRow>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

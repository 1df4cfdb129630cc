mod agents;
mod matches;
mod requests;
mod tournaments;

use std::sync::{Mutex, MutexGuard, PoisonError};

use self::agents::AgentTable;
use self::matches::Matches;
use self::requests::RequestTable;
use self::tournaments::TournamentTable;
use crate::request::Remembered;

/// A store that lives and dies with the process.
///
/// It is bounded: matches that are not over or sealed are refused beyond [`Memory::MAX_LIVE`], and of the others the last
/// [`Memory::MAX_OVER`] are kept, as are the last [`Memory::MAX_REMEMBERED`] answers to requests. Tournaments that are
/// not over are refused beyond [`Memory::MAX_TOURNAMENTS`]; of the others the last [`Memory::MAX_TOURNAMENTS_OVER`] are
/// kept, fewer if they have many blocks.
#[derive(Default)]
pub struct Memory {
    /// Locked first, before the matches whose seals it opens.
    tournaments: Mutex<TournamentTable>,
    matches: Mutex<Matches>,
    agents: Mutex<AgentTable>,
    /// Locked last, while one of the others is held: an answer is stored together with what it is about.
    requests: Mutex<RequestTable>,
}

impl Memory {
    /// Most matches that are not over or are sealed.
    pub const MAX_LIVE: usize = 200_000;

    /// Most matches that are over and not sealed.
    pub const MAX_OVER: usize = 10_000;

    /// Most agents.
    pub const MAX_AGENTS: usize = 100_000;

    /// Most remembered answers; the oldest make room.
    pub const MAX_REMEMBERED: usize = 100_000;

    /// Most tournaments that are not over.
    pub const MAX_TOURNAMENTS: usize = 1000;

    /// Most tournaments that are over; the oldest make room.
    pub const MAX_TOURNAMENTS_OVER: usize = 100;

    /// Most blocks of all tournaments together; the oldest tournaments that are over make room.
    pub const MAX_BLOCKS: usize = 200_000;

    /// An empty store.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn remember_with(&self, request: Option<Remembered>) {
        if let Some(request) = request {
            lock(&self.requests).insert(request);
        }
    }
}

/// No invariant is ever broken halfway under these locks, so a panic elsewhere does not spoil what they guard.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use chickenfoot_tournament::Block;

use crate::game::{Hall, Played};

/// A match to play: the position in its block.
pub(crate) struct Job {
    pub(crate) block: Arc<Block>,
    pub(crate) game: usize,
}

/// What came of it.
pub(crate) struct Done {
    pub(crate) number: u32,
    pub(crate) game: usize,
    pub(crate) played: Result<Option<Played>, String>,
}

/// Plays matches until there are no more, or nobody wants them.
pub(crate) fn work(hall: &Hall<'_>, jobs: &Mutex<Receiver<Job>>, done: &Sender<Done>, stop: &AtomicBool) {
    loop {
        // Whoever waits for a job holds the lock; a poisoned one guards a receiver that is whole.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { block, game }) = job else { return };
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let mut told = Told { done, number: block.number, game, played: None };
        told.played = Some(hall.play(&block, game));
    }
}

/// Tells what came of a match however it ends: nobody waits for a match that panicked.
struct Told<'a> {
    done: &'a Sender<Done>,
    number: u32,
    game: usize,
    played: Option<Result<Option<Played>, String>>,
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        let played = self.played.take().unwrap_or_else(|| Err("it panicked".to_owned()));
        // Nobody may want it any more.
        let _ = self.done.send(Done { number: self.number, game: self.game, played });
    }
}

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::mpsc;

/// A question to the tables; it sends the answer itself.
pub(super) type Query = Box<dyn FnOnce(&Connection) + Send>;

/// One of the threads that read: takes questions from the common queue until nobody is left who could ask.
pub(super) fn run(conn: &Connection, queue: &Arc<Mutex<mpsc::Receiver<Query>>>) {
    loop {
        // One thread waits in the queue and the others for their turn to do so.
        let query = queue.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        match query {
            Some(query) => query(conn),
            None => return,
        }
    }
}

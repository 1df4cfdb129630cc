use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_bot::local::{self, LocalMatch, MakeBot};
use chickenfoot_bot::{Bot, GameInfo, strategy_bots};
use chickenfoot_rules::{Hex32, Preset, RuleOptions, Rules, Seed};

use crate::Failure;
use crate::table::{BOT_SEED, BOTS};

/// What the digests of matches have to be.
#[derive(Clone, Default)]
pub(crate) enum Digests {
    /// Those of the same matches in this process, where all bots are known.
    #[default]
    InProcess,
    /// Of matches with programs: there are as many seeds as places here, played again and again, each time with the
    /// digest of the first time.
    Guests(Arc<Mutex<Vec<Option<Hex32>>>>),
}

impl Digests {
    /// For tables with programs, of matches with so many seeds, at least one.
    pub(crate) fn of_guests(seeds: usize) -> Digests {
        Digests::Guests(Arc::new(Mutex::new(vec![None; seeds.max(1)])))
    }

    /// The seed of the match of that number.
    pub(crate) fn seed(&self, number: u64) -> Seed {
        match self {
            Digests::InProcess => seed(number),
            Digests::Guests(known) => seed(number % lock(known).len() as u64),
        }
    }

    /// Whether the match of that number has the digest that it has to have.
    pub(crate) fn agree(&self, number: u64, digest: Hex32) -> Result<bool, Failure> {
        match self {
            Digests::InProcess => Ok(digest == undisturbed(number)?),
            Digests::Guests(known) => {
                let mut known = lock(known);
                let place = usize::try_from(number % known.len() as u64)?;
                Ok(*known[place].get_or_insert(digest) == digest)
            }
        }
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The digest of the match of that number when nothing disturbs it: it is played in this process.
fn undisturbed(number: u64) -> Result<Hex32, Failure> {
    let maker = |name: &str| -> Result<(String, MakeBot), Failure> {
        let mut make = strategy_bots(name, BOT_SEED).ok_or("an unknown strategy")?;
        Ok((name.to_owned(), Box::new(move |game: &GameInfo| -> Box<dyn Bot> { make(game) })))
    };
    let seats = BOTS.into_iter().map(maker).collect::<Result<_, _>>()?;
    Ok(local::play(LocalMatch { rules: rules()?, seed: seed(number), seats })?.digest)
}

fn rules() -> Result<Rules, Failure> {
    let options = RuleOptions::new(Preset::Trains, BOTS.len() as u8);
    Ok(RuleOptions { rounds: Some(3), ..options }.resolve()?)
}

fn seed(number: u64) -> Seed {
    let mut bytes = [0x5e; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Seed::new(bytes)
}

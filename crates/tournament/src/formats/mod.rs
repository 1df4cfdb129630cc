//! What each format plays next.

mod ab;
mod elimination;
mod estimate;
mod field;
mod gauntlet;
mod ladder;
mod round_robin;
mod swiss;

use std::fmt;

use crate::schedule::Past;
use crate::seating::Seats;
use crate::setup::{Arrangement, Format};
use crate::{Bracket, Entrant, EntrantId, Error, Place, Setup};

/// A block without its number and seatings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) stage: u32,
    pub(crate) table: u32,
    pub(crate) seats: Seats,
}

/// The answer to what is played next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// These, numbered on from the last.
    Blocks(Vec<Draft>),
    /// It depends on results that are not there.
    Later,
    /// Nothing.
    Never,
}

/// A format at work. Its own state is a function of the past, kept only to be quick.
pub(crate) trait Plan: fmt::Debug + Send + Sync {
    /// What is played after the decided blocks. Called only when the answer is then carried out.
    fn next(&mut self, past: &Past) -> Next;

    /// Whether there will be nothing after the decided blocks.
    fn exhausted(&self, past: &Past) -> bool;

    /// How many blocks are likely to follow the decided ones.
    fn remaining(&self, past: &Past) -> u32;

    /// A number that no block can have, nor any after it, if that is known from the settings.
    fn end(&self, _past: &Past) -> u32 {
        u32::MAX
    }

    /// The stage that an entrant may still enter for.
    fn entry(&self, past: &Past) -> Option<u32> {
        past.blocks.is_empty().then_some(1)
    }

    /// The first stage that an entrant can still be left out of.
    fn exit(&self, entrant: EntrantId, past: &Past) -> u32;

    /// Called after every change, for a plan that passes over what nobody is left to play.
    fn settle(&mut self, _past: &Past) {}

    /// See [`crate::Schedule::places`].
    fn places(&self, _past: &Past) -> Option<Vec<Place>> {
        None
    }

    /// See [`crate::Schedule::bracket`].
    fn bracket(&self, _past: &Past) -> Option<Bracket> {
        None
    }
}

/// Refuses entrants that the format cannot be played with.
pub(crate) fn check(setup: &Setup, entrants: &[Entrant]) -> Result<(), Error> {
    let count = entrants.len() as u32;
    let known = |entrant: EntrantId| {
        if entrant.index() < entrants.len() { Ok(()) } else { Err(Error::NoSuchEntrant { entrant }) }
    };
    let late = entrants.iter().any(|entrant| entrant.from_stage > 1);
    if late && !matches!(setup.format, Format::Swiss { .. } | Format::Ladder { .. }) {
        return Err(Error::TooLate);
    }
    let at_least = match setup.format {
        Format::Ab { arrangement: Arrangement::Shared, .. } => u32::from(setup.table),
        _ => 2,
    };
    if count < at_least {
        return Err(Error::TooFewEntrants { entrants: count, at_least });
    }
    match setup.format {
        Format::Gauntlet { candidate, .. } => known(candidate),
        Format::Ab { candidate, base, arrangement, .. } => {
            known(candidate)?;
            known(base)?;
            if arrangement == Arrangement::Halves && count > 2 {
                return Err(Error::TooManyEntrants { entrants: count, at_most: 2 });
            }
            Ok(())
        }
        Format::RoundRobin { cycles } => round_robin::check(setup, count, cycles),
        Format::Elimination { advance, blocks, .. } => elimination::check(setup, count, advance, blocks),
        Format::Swiss { .. } | Format::Ladder { .. } => Ok(()),
    }
}

/// The format's plan, before the first block.
pub(crate) fn plan(setup: &Setup) -> Box<dyn Plan> {
    match setup.format {
        Format::Gauntlet { candidate, blocks } => Box::new(gauntlet::Gauntlet::new(candidate, blocks)),
        Format::Ab { candidate, base, arrangement, blocks } => {
            Box::new(ab::Ab::new(candidate, base, arrangement, blocks))
        }
        Format::RoundRobin { cycles } => Box::new(round_robin::RoundRobin::new(cycles)),
        Format::Swiss { rounds } => Box::new(swiss::Swiss::new(rounds)),
        Format::Elimination { advance, blocks, seeding } => {
            Box::new(elimination::Elimination::new(advance, blocks, seeding))
        }
        Format::Ladder { blocks, same_owner } => Box::new(ladder::Ladder::new(blocks, same_owner)),
    }
}

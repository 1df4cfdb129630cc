use crate::illegal::{Illegal, SetupError};
use crate::moves::{Move, Moves};
use crate::number::Numbers;
use crate::round::{End, Round, Terms};
use crate::seat::Seat;
use crate::set::{TileSet, Tiles};
use crate::tile::{Tile, set_size};

/// A [`Round`] of the narrowest width that its set fits: a match learns its set only when it runs.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "the large variant is the usual one")]
pub(crate) enum AnyRound {
    Narrow(Round<1>),
    // Boxed: four times the size of a narrow round, and rare.
    Wide(Box<Round<3>>),
}

macro_rules! forward {
    ($self:expr, $round:ident => $call:expr) => {
        match $self {
            AnyRound::Narrow($round) => $call,
            AnyRound::Wide($round) => $call,
        }
    };
}

impl AnyRound {
    /// As [`Round::new`]; `checked` as [`Round::checked`].
    pub(crate) fn new(
        terms: Terms,
        hub: u8,
        first: Seat,
        hands: &[Tiles],
        boneyard: &[Tile],
        checked: bool,
    ) -> Result<AnyRound, SetupError> {
        if set_size(terms.max_pip) <= TileSet::<1>::CAPACITY {
            let hands: Vec<TileSet<1>> = hands.iter().map(|hand| hand.resize()).collect();
            let round = Round::new(terms, hub, first, &hands, boneyard)?;
            Ok(AnyRound::Narrow(if checked { round.checked() } else { round }))
        } else {
            let round = Round::new(terms, hub, first, hands, boneyard)?;
            Ok(AnyRound::Wide(Box::new(if checked { round.checked() } else { round })))
        }
    }

    pub(crate) fn turn(&self) -> Seat {
        forward!(self, round => round.turn())
    }

    pub(crate) fn end(&self) -> Option<End> {
        forward!(self, round => round.end())
    }

    pub(crate) fn moves(&self) -> Moves<3> {
        forward!(self, round => round.moves().widen())
    }

    pub(crate) fn open_numbers(&self) -> Numbers {
        forward!(self, round => round.open_numbers())
    }

    pub(crate) fn check(&self, action: Move) -> Result<(), Illegal> {
        forward!(self, round => round.check(action))
    }

    pub(crate) fn apply_unchecked(&mut self, action: Move) {
        forward!(self, round => round.apply_unchecked(action));
    }

    pub(crate) fn hand_score(&self, seat: Seat) -> u16 {
        forward!(self, round => round.hand_score(seat))
    }

    /// The round in tile sets of another width; `None` if they do not hold its set.
    pub(crate) fn resize<const W: usize>(&self) -> Option<Round<W>> {
        forward!(self, round => round.resize())
    }

    /// The tile that a draw would bring.
    pub(crate) fn next_drawn(&self) -> Option<Tile> {
        forward!(self, round => round.boneyard().next())
    }
}

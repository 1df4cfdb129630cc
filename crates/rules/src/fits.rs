use crate::number::Numbers;
use crate::set::TileSet;

/// The numbers that may be played on and the tiles that fit them: found once a play, asked several times a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Fits<const W: usize> {
    numbers: Numbers,
    once: TileSet<W>,
    twice: TileSet<W>,
}

impl<const W: usize> Fits<W> {
    /// What fits these numbers.
    #[inline]
    pub(crate) fn new(numbers: Numbers) -> Fits<W> {
        let (mut once, mut twice) = (TileSet::EMPTY, TileSet::EMPTY);
        for number in numbers.iter() {
            let these = TileSet::bearing(number);
            twice = twice.or(once.and(these));
            once = once.or(these);
        }
        Fits { numbers, once, twice }
    }

    /// The numbers.
    #[inline]
    pub(crate) fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The tiles that bear one of the numbers or two.
    #[inline]
    pub(crate) fn tiles(&self) -> TileSet<W> {
        self.once
    }

    /// The tiles that bear two of the numbers, so that they can be laid in two ways. No double is among them.
    #[inline]
    pub(crate) fn twice(&self) -> TileSet<W> {
        self.twice
    }
}

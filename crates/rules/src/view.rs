use std::borrow::Cow;

use crate::config::Rules;
use crate::fits::Fits;
use crate::illegal::SetupError;
use crate::lines::{LineId, Lines};
use crate::moves::Moves;
use crate::number::Numbers;
use crate::open_ends::OpenEnds;
use crate::round::{Foot, Round, Terms};
use crate::seat::{MAX_SEATS, Seat};
use crate::set::{TileSet, Tiles};
use crate::tile::{MAX_PIP, Tile};

/// What one seat may know in its turn, and nothing else. All that a strategy gets.
///
/// It is built from the seat's own hand and from what is public, so that no strategy can look at a hidden tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<'a> {
    /// The rules of the match.
    pub rules: Rules,
    /// The round, from 1.
    pub round: u8,
    /// Whose view it is; this seat is on turn.
    pub seat: Seat,
    /// The number of the starting double.
    pub starting_double: u8,
    /// The seat's own hand, a drawn tile included.
    pub hand: Tiles,
    /// The tile just drawn, while the seat decides what to do with it.
    pub drawn: Option<Tile>,
    /// All tiles on the table, the starting double included.
    pub table: Tiles,
    /// How many open ends show each number. Places for missing toes and arms are not counted.
    pub ends: [u8; MAX_PIP as usize + 1],
    /// The unfinished chicken foot.
    pub foot: Option<Foot>,
    /// Arms that the starting double still takes; 0 in free play.
    pub arms_left: u8,
    /// Tiles in the boneyard, the reserve included.
    pub boneyard: u8,
    /// What is public of each seat; unused beyond the seats at the table.
    pub seats: [SeatState; MAX_SEATS],
    /// What happened in this round, oldest first.
    pub history: Cow<'a, [Step]>,
}

/// What is public of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SeatState {
    /// Tiles in its hand.
    pub tiles: u8,
    /// Its score in the rounds that are over.
    pub total: u32,
    /// Numbers that it has publicly shown not to have on any tile of its hand.
    pub lacks: Numbers,
}

/// A turn, or part of one, as everybody saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whose turn it was.
    pub seat: Seat,
    /// What it did.
    pub act: Act,
}

/// What everybody sees of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Laid the starting double in the centre.
    Start,
    /// Laid a tile.
    Play {
        /// The tile.
        tile: Tile,
        /// The number it was laid on.
        end: u8,
        /// The arm or toe it lies on.
        line: LineId,
    },
    /// Drew a tile.
    Draw,
    /// Ended the turn without a play.
    Pass,
}

impl View<'_> {
    /// The seats at the table.
    pub fn seats(&self) -> &[SeatState] {
        &self.seats[..usize::from(self.rules.players())]
    }

    /// The numbers that a tile may be laid on now.
    pub fn open_numbers(&self) -> Numbers {
        self.open_ends().numbers()
    }

    /// What can be played on.
    pub fn open_ends(&self) -> OpenEnds {
        OpenEnds::at(self.starting_double, self.ends, self.arms_left, self.foot)
    }

    /// All legal moves in canonical order.
    pub fn moves(&self) -> Moves<3> {
        let fits = Fits::new(self.open_numbers());
        match self.drawn {
            Some(tile) => Moves::of_drawn(tile, &fits, self.rules.drawn_tile()),
            None => {
                let can_draw = self.boneyard > self.rules.reserve() && !self.drew_in_vain();
                Moves::of_hand(self.hand, &fits, can_draw)
            }
        }
    }

    /// The round as it stands if the hidden tiles lie so. `hands` has one set a seat, the viewer's own among them;
    /// `boneyard` is drawn from its front.
    ///
    /// # Errors
    /// Numbers out of range, tiles that are not exactly the set, or not as many in each place as the view has.
    pub fn round<const W: usize>(
        &self,
        hands: &[TileSet<W>],
        boneyard: &[Tile],
    ) -> Result<Round<W>, SetupError> {
        Round::of_view(self, hands, boneyard)
    }

    /// Whether the seat has just drawn a tile that does not fit.
    pub(crate) fn drew_in_vain(&self) -> bool {
        self.drawn.is_none() && self.history.last() == Some(&Step { seat: self.seat, act: Act::Draw })
    }

    /// The tiles that the seat cannot see: in other hands or in the boneyard.
    pub fn unseen(&self) -> Tiles {
        Tiles::whole(self.rules.max_pip()).without(self.hand).without(self.table)
    }

    /// The arms and toes, rebuilt from the history.
    pub fn lines(&self) -> Lines {
        let mut lines = Lines::new(&Terms::from(&self.rules), self.starting_double);
        for step in self.history.iter() {
            if let Act::Play { tile, end, line } = step.act {
                // A history that does not fit together (a careless peer's) draws a poorer table, nothing worse.
                let _ = lines.lay(tile, end, Some(line));
            }
        }
        lines
    }

    /// The arms and toes that end in an open number, with that number, oldest first. They are those of [`View::lines`],
    /// found without laying the tiles once more: a double closes its arm or toe, any other tile turns its outward number
    /// up.
    pub fn tips(&self) -> impl Iterator<Item = (LineId, u8)> + use<> {
        let mut tips = [None; u8::MAX as usize + 1];
        let mut last = 0;
        for step in self.history.iter() {
            if let Act::Play { tile, end, line } = step.act {
                tips[usize::from(line.number())] = tile.outward(end).filter(|_| !tile.is_double());
                last = last.max(line.number());
            }
        }
        (1..=last).filter_map(move |line| Some((LineId::new(line)?, tips[usize::from(line)]?)))
    }

    /// The same view with a history of its own.
    pub fn into_owned(self) -> View<'static> {
        View { history: Cow::Owned(self.history.into_owned()), ..self }
    }
}

/// What is public of a round beyond the state of the table: its history and what follows from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witness {
    pub(crate) history: Vec<Step>,
    pub(crate) table: Tiles,
    pub(crate) lacks: [Numbers; MAX_SEATS],
    /// What the hand of the seat that drew last lacks beside the drawn tile.
    lacked: Numbers,
}

impl Witness {
    pub(crate) fn laid_start(&mut self, seat: Seat, double: Tile) {
        self.table.insert(double);
        self.history.push(Step { seat, act: Act::Start });
    }

    pub(crate) fn played(&mut self, seat: Seat, tile: Tile, end: u8, line: LineId) {
        if self.just_drew(seat) {
            // It is the drawn tile that was played, so the hand is what it was.
            self.lacks[seat.index()] = self.lacked;
        }
        self.table.insert(tile);
        self.history.push(Step { seat, act: Act::Play { tile, end, line } });
    }

    /// A seat drew while `open` were the numbers to play on, so nothing in its hand fitted them. Of the drawn tile
    /// nothing is known.
    pub(crate) fn drew(&mut self, seat: Seat, open: Numbers) {
        self.lacked = self.lacks[seat.index()].or(open);
        self.lacks[seat.index()] = Numbers::EMPTY;
        self.history.push(Step { seat, act: Act::Draw });
    }

    /// A seat passed. After a draw its hand holds one tile more, of which a pass by choice tells nothing and a forced
    /// one tells that it does not fit what is open.
    pub(crate) fn passed(&mut self, seat: Seat, open: Numbers, by_choice_possible: bool) {
        let drew = self.just_drew(seat);
        let lacks = &mut self.lacks[seat.index()];
        *lacks = match (drew, by_choice_possible) {
            (false, _) => lacks.or(open),
            (true, false) => open,
            (true, true) => Numbers::EMPTY,
        };
        self.history.push(Step { seat, act: Act::Pass });
    }

    fn just_drew(&self, seat: Seat) -> bool {
        self.history.last() == Some(&Step { seat, act: Act::Draw })
    }
}

/// Everything that a view is built from; `hand` and `drawn` are the viewer's own.
pub(crate) struct ViewParts<'a> {
    pub(crate) rules: Rules,
    pub(crate) round: u8,
    pub(crate) totals: &'a [u32],
    pub(crate) witness: &'a Witness,
}

impl<'a> ViewParts<'a> {
    pub(crate) fn view<const W: usize>(self, table: &Round<W>, seat: Seat) -> View<'a> {
        let mut seats = [SeatState::default(); MAX_SEATS];
        for (other, total) in Seat::all(self.rules.players()).zip(self.totals) {
            seats[other.index()] = SeatState {
                tiles: table.hand(other).len() as u8,
                total: *total,
                lacks: self.witness.lacks[other.index()],
            };
        }
        View {
            rules: self.rules,
            round: self.round,
            seat,
            starting_double: table.hub(),
            hand: table.hand(seat).widen(),
            drawn: table.drawn().filter(|_| table.turn() == seat),
            table: self.witness.table,
            ends: *table.ends(),
            foot: table.foot(),
            arms_left: table.arms_left(),
            boneyard: table.yard_size(),
            seats,
            history: Cow::Borrowed(&self.witness.history),
        }
    }
}

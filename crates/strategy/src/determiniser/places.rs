use chickenfoot_rules::{Act, DrawnTile, MAX_SEATS, Numbers, OpenEnds, Seat, Tile, TileSet, View, set_size};

/// Where the tiles of a round came from: what each seat was dealt, each tile that a seat drew and kept, and what is
/// left of the boneyard; and which tiles each of these places can have.
#[derive(Clone, Debug)]
pub(super) struct Places<const W: usize> {
    all: Vec<Place<W>>,
    /// All tiles that are to be put into places.
    tiles: TileSet<W>,
    /// Those of them that lie on the table by now, by the seats that laid them.
    laid: [TileSet<W>; MAX_SEATS],
    /// Tiles that are known to have been dealt, and to whom.
    dealt: Vec<(Seat, Tile)>,
    /// What was drawn, oldest first.
    drawn: Vec<Origin>,
    /// Where the round would be over if nobody could play, and the viewer cannot: the tiles of which another seat
    /// must have one.
    needed: Option<TileSet<W>>,
}

#[derive(Clone, Debug)]
struct Place<const W: usize> {
    /// Whose place it is; `None` for the boneyard.
    seat: Option<Seat>,
    is_dealt: bool,
    size: usize,
    may: TileSet<W>,
    /// Numbers that no tile can bear which came from here and is still held.
    lacks: Numbers,
}

/// A tile that was drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// It was laid at once, so everybody knows it.
    Known(Tile),
    /// It was kept: the tile of this place.
    Place(usize),
}

/// Toes that complete a foot, in every published rule set.
const TOES: u8 = 3;

impl<const W: usize> Places<W> {
    /// The same places as if nobody had proved anything: of a seat's own tiles each may have come from anywhere.
    pub(super) fn unproved(mut self, view: &View<'_>) -> Places<W> {
        let (own, unseen) = (view.hand.resize::<W>(), view.unseen().resize::<W>());
        for place in &mut self.all {
            let laid = place.seat.map_or(TileSet::EMPTY, |seat| self.laid[seat.index()]);
            place.may = laid.or(if place.seat == Some(view.seat) { own } else { unseen });
        }
        self
    }

    /// The places of a view; `None` if it contradicts itself about how many tiles there are.
    pub(super) fn of(view: &View<'_>) -> Option<Places<W>> {
        if set_size(view.rules.max_pip()) > TileSet::<W>::CAPACITY {
            return None;
        }
        let mut walk = Walk::new(view);
        for (i, step) in view.history.iter().enumerate() {
            let drew = i > 0 && view.history[i - 1].seat == step.seat && view.history[i - 1].act == Act::Draw;
            walk.step(step.seat, step.act, drew);
        }
        walk.finish(view)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    #[inline]
    pub(super) fn seat(&self, at: usize) -> Option<Seat> {
        self.all[at].seat
    }

    pub(super) fn is_dealt(&self, at: usize) -> bool {
        self.all[at].is_dealt
    }

    pub(super) fn size(&self, at: usize) -> usize {
        self.all[at].size
    }

    #[inline]
    pub(super) fn may(&self, at: usize) -> TileSet<W> {
        self.all[at].may
    }

    pub(super) fn tiles(&self) -> TileSet<W> {
        self.tiles
    }

    pub(super) fn laid(&self) -> TileSet<W> {
        self.laid.iter().fold(TileSet::EMPTY, |all, laid| all.or(*laid))
    }

    pub(super) fn needed(&self) -> Option<TileSet<W>> {
        self.needed
    }

    pub(super) fn dealt(&self) -> &[(Seat, Tile)] {
        &self.dealt
    }

    pub(super) fn drawn(&self) -> &[Origin] {
        &self.drawn
    }
}

/// The way through a history.
struct Walk<const W: usize> {
    open: OpenEnds,
    drawn_tile: DrawnTile,
    /// Whether the starting double lies.
    started: bool,
    places: Places<W>,
    kept_draws: [usize; MAX_SEATS],
}

impl<const W: usize> Walk<W> {
    fn new(view: &View<'_>) -> Walk<W> {
        let dealt = |seat| Place {
            seat: Some(seat),
            is_dealt: true,
            size: 0,
            may: TileSet::EMPTY,
            lacks: Numbers::EMPTY,
        };
        Walk {
            open: OpenEnds::new(view.starting_double, view.rules.opening_arms()),
            drawn_tile: view.rules.drawn_tile(),
            started: false,
            places: Places {
                all: Seat::all(view.rules.players()).map(dealt).collect(),
                tiles: TileSet::EMPTY,
                laid: [TileSet::EMPTY; MAX_SEATS],
                dealt: Vec::new(),
                drawn: Vec::new(),
                needed: None,
            },
            kept_draws: [0; MAX_SEATS],
        }
    }

    /// `drew`: the seat's last step was to draw.
    fn step(&mut self, seat: Seat, act: Act, drew: bool) {
        match act {
            Act::Start => {
                self.started = true;
                if drew {
                    self.was_known(seat, None);
                }
            }
            Act::Play { tile, end, .. } => {
                if drew {
                    self.was_known(seat, Some(tile));
                } else {
                    self.lay(seat, tile);
                }
                self.open.lay(tile, end, TOES);
            }
            Act::Draw => self.draw(seat),
            Act::Pass if drew => {
                if self.drawn_tile == DrawnTile::MustPlay {
                    self.drawn_does_not_fit();
                }
            }
            Act::Pass => self.proves_lack(seat),
        }
    }

    /// The tile just drawn is no secret any more. `tile` is `None` for the starting double.
    fn was_known(&mut self, seat: Seat, tile: Option<Tile>) {
        // What was pushed by the draw, the last step.
        self.places.all.pop();
        self.places.drawn.pop();
        self.kept_draws[seat.index()] -= 1;
        self.places.drawn.extend(tile.map(Origin::Known));
    }

    fn lay(&mut self, seat: Seat, tile: Tile) {
        self.places.laid[seat.index()].insert(tile);
        for place in self.places.all.iter_mut().filter(|place| place.seat == Some(seat)) {
            if !bears(tile, place.lacks) {
                place.may.insert(tile);
            }
        }
    }

    fn draw(&mut self, seat: Seat) {
        // A seat that looks for the starting double draws whatever else it has.
        if self.started {
            self.proves_lack(seat);
        }
        self.places.drawn.push(Origin::Place(self.places.all.len()));
        self.places.all.push(Place {
            seat: Some(seat),
            is_dealt: false,
            size: 1,
            may: TileSet::EMPTY,
            lacks: Numbers::EMPTY,
        });
        self.kept_draws[seat.index()] += 1;
    }

    /// The tile just drawn does not fit what is open.
    fn drawn_does_not_fit(&mut self) {
        let open = self.open.numbers();
        if let Some(place) = self.places.all.last_mut() {
            place.lacks = place.lacks.or(open);
        }
    }

    /// No tile that the seat holds fits what is open.
    fn proves_lack(&mut self, seat: Seat) {
        let open = self.open.numbers();
        for place in self.places.all.iter_mut().filter(|place| place.seat == Some(seat)) {
            place.lacks = place.lacks.or(open);
        }
    }

    /// What can be in the places now that the history is at its end.
    fn finish(mut self, view: &View<'_>) -> Option<Places<W>> {
        let last = view.history.last();
        if view.drawn.is_none() && last.is_some_and(|step| step.seat == view.seat && step.act == Act::Draw) {
            self.drawn_does_not_fit();
        }
        let (own, unseen) = (view.hand.resize::<W>(), view.unseen().resize::<W>());
        for seat in Seat::all(view.rules.players()) {
            let laid = self.places.laid[seat.index()];
            let held =
                if seat == view.seat { own.len() } else { usize::from(view.seats[seat.index()].tiles) };
            let draws = self.kept_draws[seat.index()];
            let dealt = &mut self.places.all[seat.index()];
            if draws == 0 {
                // All that the seat laid it was dealt.
                dealt.size = held;
                dealt.may = TileSet::EMPTY;
                self.places.dealt.extend(laid.iter().map(|tile| (seat, tile)));
                self.places.laid[seat.index()] = TileSet::EMPTY;
            } else {
                dealt.size = (held + laid.len()).checked_sub(draws)?;
            }
        }
        for place in &mut self.places.all {
            let pool = if place.seat == Some(view.seat) { own } else { unseen };
            place.may =
                place.may.or(place.lacks.iter().fold(pool, |pool, n| pool.without(TileSet::bearing(n))));
        }
        self.settle_drawn(view);
        self.places.needed = needed(view);
        self.places.all.push(Place {
            seat: None,
            is_dealt: false,
            size: usize::from(view.boneyard),
            may: unseen,
            lacks: Numbers::EMPTY,
        });
        self.places.tiles = self.places.laid().or(own).or(unseen);
        let room: usize = self.places.all.iter().map(|place| place.size).sum();
        (room == self.places.tiles.len() && self.places.all.len() <= usize::from(u8::MAX))
            .then_some(self.places)
    }

    /// The viewer knows which tile it has just drawn.
    fn settle_drawn(&mut self, view: &View<'_>) {
        let (Some(tile), Some(last)) = (view.drawn, self.places.all.len().checked_sub(1)) else {
            return;
        };
        for (at, place) in self.places.all.iter_mut().enumerate() {
            if at == last {
                place.may = [tile].into_iter().collect();
            } else {
                place.may.remove(tile);
            }
        }
    }
}

/// That the round goes on proves that somebody can play, if nothing can be drawn. Of the past that tells nothing new:
/// the next play came from somebody who had that tile all the time.
fn needed<const W: usize>(view: &View<'_>) -> Option<TileSet<W>> {
    let fitting = view.open_numbers().iter().fold(TileSet::EMPTY, |all, n| all.or(TileSet::bearing(n)));
    let can_draw = view.boneyard > view.rules.reserve();
    let proved = !can_draw && view.drawn.is_none() && !view.hand.resize().intersects(fitting);
    proved.then(|| view.unseen().resize().and(fitting))
}

fn bears(tile: Tile, numbers: Numbers) -> bool {
    numbers.contains(tile.low()) || numbers.contains(tile.high())
}

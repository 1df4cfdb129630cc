//! All deals that agree with a view, counted by brute force from the end of the history to its beginning.

use std::collections::BTreeMap;

use chickenfoot_rules::{Act, DrawnTile, Numbers, OpenEnds, Seat, Tile, TileSet, Tiles, View};
use chickenfoot_strategy::FullDeal;

/// Where the hidden tiles lie: the other hands by seat, and the boneyard in order.
pub type Hidden = (Vec<Vec<u8>>, Vec<u8>);

/// How many ways there are to put the unseen tiles anywhere, and to have drawn what was drawn, regardless of what is
/// known: a bound on the work that costs nothing.
pub fn ways(view: &View<'_>) -> f64 {
    let draws = view.history.iter().filter(|step| step.act == Act::Draw).count();
    let factorial = |n: usize| (1..=n).map(|x| x as f64).product::<f64>();
    let others = view.seats().iter().enumerate().filter(|(i, _)| *i != view.seat.index());
    let places = factorial(view.unseen().len()) * 5.0_f64.powi(draws as i32);
    others.fold(places, |ways, (_, seat)| ways / factorial(seat.tiles.into()))
}

/// Whether there are at most so many ways to share out the unseen tiles among the seats that have not shown that they
/// lack them.
pub fn are_few(view: &View<'_>, most: u64) -> bool {
    let mut left = most;
    count(view, &lacking(view), Seat::new(0).unwrap(), view.unseen(), &mut left).is_some()
}

/// Counts the hands from `seat` on, down from `left`; `None` when nothing is left.
fn count(view: &View<'_>, may: &[Tiles], seat: Seat, rest: Tiles, left: &mut u64) -> Option<()> {
    if seat.index() == view.seats().len() {
        *left = left.checked_sub(1)?;
        return Some(());
    }
    let next = Seat::new(seat.number() + 1).unwrap();
    if seat == view.seat {
        return count(view, may, next, rest, left);
    }
    each_hand(rest.and(may[seat.index()]), view.seats[seat.index()].tiles.into(), &mut |hand| {
        count(view, may, next, rest.without(hand), left)
    })
}

/// What each seat may hold by what it showed since it drew last: far from all that is known, but enough to leave out most
/// of what cannot be.
fn lacking(view: &View<'_>) -> Vec<Tiles> {
    let mut may = vec![view.unseen(); view.seats().len()];
    let open = open_numbers(view);
    for (i, step) in view.history.iter().enumerate() {
        let may = &mut may[step.seat.index()];
        let drew = i > 0 && view.history[i - 1].seat == step.seat && view.history[i - 1].act == Act::Draw;
        match step.act {
            Act::Draw => *may = view.unseen(),
            Act::Pass if drew && view.rules.drawn_tile() == DrawnTile::MayPlay => {}
            Act::Pass => *may = open[i].iter().fold(*may, |may, n| may.without(TileSet::bearing(n))),
            Act::Start | Act::Play { .. } => {}
        }
    }
    may
}

/// Each place of the hidden tiles to which a deal leads, how many do, and one of them.
pub fn all_deals(view: &View<'_>) -> BTreeMap<Hidden, (u64, FullDeal<3>)> {
    let mut found = BTreeMap::new();
    let mut hands = vec![Tiles::EMPTY; view.seats().len()];
    hands[view.seat.index()] = view.hand;
    share(view, &lacking(view), &mut hands, Seat::new(0).unwrap(), view.unseen(), &mut found);
    found
}

/// Fills the hands from `seat` on, then the boneyard.
fn share(
    view: &View<'_>,
    may: &[Tiles],
    hands: &mut Vec<Tiles>,
    seat: Seat,
    rest: Tiles,
    found: &mut BTreeMap<Hidden, (u64, FullDeal<3>)>,
) {
    if seat.index() == view.seats().len() {
        let mut orders = Vec::new();
        permute(&mut rest.iter().collect(), 0, &mut orders);
        let open = open_numbers(view);
        if view.boneyard <= view.rules.reserve()
            && view.drawn.is_none()
            && !hands.iter().any(|hand| fits(*hand, view.open_numbers()))
        {
            // The round would be over.
            return;
        }
        for boneyard in orders {
            let mut back = Back { view, open: &open, count: 0, deal: None };
            back.undo(view.history.len(), hands.clone(), boneyard.clone());
            if let Some(deal) = back.deal {
                found.insert(hidden(view, hands, &boneyard), (back.count, deal));
            }
        }
    } else if seat == view.seat {
        share(view, may, hands, Seat::new(seat.number() + 1).unwrap(), rest, found);
    } else {
        let held = view.seats[seat.index()].tiles.into();
        each_hand(rest.and(may[seat.index()]), held, &mut |hand| {
            hands[seat.index()] = hand;
            share(view, may, hands, Seat::new(seat.number() + 1).unwrap(), rest.without(hand), found);
            Some(())
        });
    }
}

/// The key of a place of the hidden tiles.
pub fn hidden<const W: usize>(view: &View<'_>, hands: &[TileSet<W>], boneyard: &[Tile]) -> Hidden {
    let others = hands.iter().enumerate().filter(|(i, _)| *i != view.seat.index());
    let hands = others.map(|(_, hand)| hand.iter().map(Tile::index).collect()).collect();
    (hands, boneyard.iter().map(|tile| tile.index()).collect())
}

/// Tells each hand of so many tiles, until it is told to stop.
fn each_hand(from: Tiles, size: usize, tell: &mut dyn FnMut(Tiles) -> Option<()>) -> Option<()> {
    fn go(from: Tiles, size: usize, hand: Tiles, tell: &mut dyn FnMut(Tiles) -> Option<()>) -> Option<()> {
        if size == 0 {
            return tell(hand);
        }
        if from.len() < size {
            return Some(());
        }
        let (Some(first), mut rest, mut with) = (from.iter().next(), from, hand) else {
            return Some(());
        };
        rest.remove(first);
        with.insert(first);
        go(rest, size - 1, with, tell)?;
        go(rest, size, hand, tell)
    }
    go(from, size, Tiles::EMPTY, tell)
}

fn permute(tiles: &mut Vec<Tile>, from: usize, out: &mut Vec<Vec<Tile>>) {
    if from == tiles.len() {
        out.push(tiles.clone());
    }
    for i in from..tiles.len() {
        tiles.swap(from, i);
        permute(tiles, from + 1, out);
        tiles.swap(from, i);
    }
}

/// The numbers to play on before each step, and after the last.
fn open_numbers(view: &View<'_>) -> Vec<Numbers> {
    let mut open = OpenEnds::new(view.starting_double, view.rules.opening_arms());
    let mut started = false;
    // Before the start a seat draws whatever it has.
    let mut numbers = vec![Numbers::EMPTY];
    for step in view.history.iter() {
        match step.act {
            Act::Start => started = true,
            Act::Play { tile, end, .. } => open.lay(tile, end, 3),
            Act::Draw | Act::Pass => {}
        }
        numbers.push(if started { open.numbers() } else { Numbers::EMPTY });
    }
    numbers
}

/// The way back from the hidden tiles now to the deals that lead to them.
struct Back<'a> {
    view: &'a View<'a>,
    open: &'a [Numbers],
    count: u64,
    deal: Option<FullDeal<3>>,
}

impl Back<'_> {
    /// Takes back the step before `step` in every way.
    fn undo(&mut self, step: usize, mut hands: Vec<Tiles>, boneyard: Vec<Tile>) {
        if step == 0 {
            self.count += 1;
            self.deal = Some(FullDeal { hands, boneyard });
            return;
        }
        let history = &self.view.history;
        let (seat, open) = (history[step - 1].seat, self.open[step - 1]);
        match history[step - 1].act {
            Act::Start => self.undo(step - 1, hands, boneyard),
            Act::Play { tile, .. } => {
                hands[seat.index()].insert(tile);
                self.undo(step - 1, hands, boneyard);
            }
            Act::Pass => {
                let drew = step > 1 && history[step - 2].seat == seat && history[step - 2].act == Act::Draw;
                if drew || !fits(hands[seat.index()], open) {
                    self.undo(step - 1, hands, boneyard);
                }
            }
            // The starting double, which no hand had.
            Act::Draw
                if history.get(step).is_some_and(|next| next.seat == seat && next.act == Act::Start) =>
            {
                self.undo(step - 1, hands, boneyard);
            }
            Act::Draw => {
                for tile in hands[seat.index()].iter() {
                    let mut before = hands.clone();
                    before[seat.index()].remove(tile);
                    if !fits(before[seat.index()], open) && self.may_have_drawn(step, seat, tile) {
                        let mut boneyard = boneyard.clone();
                        boneyard.insert(0, tile);
                        self.undo(step - 1, before, boneyard);
                    }
                }
            }
        }
    }

    /// Whether a tile that the seat drew in the step before `step` agrees with what it did then.
    fn may_have_drawn(&self, step: usize, seat: Seat, drawn: Tile) -> bool {
        let fits = fits([drawn].into_iter().collect(), self.open[step]);
        match self.view.history.get(step) {
            Some(next) if next.seat == seat => match next.act {
                Act::Play { tile, .. } => tile == drawn,
                Act::Pass => !fits || self.view.rules.drawn_tile() == DrawnTile::MayPlay,
                Act::Start | Act::Draw => false,
            },
            Some(_) => true,
            None => self.view.drawn == fits.then_some(drawn),
        }
    }
}

fn fits(hand: Tiles, open: Numbers) -> bool {
    open.iter().any(|number| hand.intersects(TileSet::bearing(number)))
}

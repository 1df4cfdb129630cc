use chickenfoot_rules::{Event, ForcedMoves, Match, Move, Rules, Seat, Tile, Tiles, Viewer};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::play::{Shadow, Stacked, rng, start};

/// Two matches whose deals differ in two tiles that the viewer cannot see.
pub struct Pair {
    rules: Rules,
    deals: [Stacked; 2],
    pub swapped: [Tile; 2],
    viewer: Viewer,
    seed: u64,
}

/// What came of a comparison.
pub enum Outcome {
    /// Everything was the same to the end.
    Same,
    /// Something public was different.
    Public,
    /// Something else was different.
    Leak(String),
}

/// One of the two matches.
struct Side {
    game: Match,
    events: Vec<Event>,
    /// What really lies where, up to the last event that was the same.
    shadow: Shadow,
}

impl Pair {
    /// Swaps two tiles in one round of these deals, each in another's hand or, as often, in the boneyard.
    pub fn new(rules: Rules, deals: &Stacked, viewer: Viewer, seed: u64) -> Pair {
        let mut rng = rng(seed);
        let mut other = deals.clone();
        let deal = &mut other.0[rng.random_range(0..usize::from(rules.rounds()))];
        let hidden_hands = Seat::all(rules.players())
            .zip(&mut deal.hands)
            .filter(|(seat, _)| viewer != Viewer::Seat(*seat))
            .map(|(_, hand)| hand);
        let mut piles: Vec<&mut Vec<Tile>> = hidden_hands.chain([&mut deal.boneyard]).collect();
        let boneyard = piles.len() - 1;
        let mut place = || {
            let in_yard = !piles[boneyard].is_empty() && rng.random();
            let pile = if in_yard { boneyard } else { rng.random_range(0..boneyard) };
            (pile, rng.random_range(0..piles[pile].len()))
        };
        let (from, to) = (place(), place());
        let swapped = [piles[from.0][from.1], piles[to.0][to.1]];
        piles[from.0][from.1] = swapped[1];
        piles[to.0][to.1] = swapped[0];
        Pair { rules, deals: [deals.clone(), other], swapped, viewer, seed }
    }

    /// Plays both matches as alike as possible and compares what these eyes see of them: the viewer's own, except to
    /// find out whether the comparison finds anything. Also returns how many events were the same.
    pub fn compare(&self, eyes: Viewer) -> (usize, Outcome) {
        let mut rng = rng(!self.seed);
        let mut sides = self.deals.each_ref().map(|deals| Side::start(self.rules, deals));
        let mut same = 0;
        loop {
            while same < sides[0].events.len().max(sides[1].events.len()) {
                if let Some(outcome) = self.difference(&sides, same, eyes) {
                    return (same, outcome);
                }
                for side in &mut sides {
                    side.shadow.follow(&side.events[same]);
                }
                same += 1;
            }
            let [Some(_), Some(_)] = sides.each_ref().map(|side| side.game.decision()) else {
                return (same, Outcome::Same);
            };
            if let Some(leak) = difference_on_turn(&sides, eyes) {
                return (same, leak);
            }
            match self.alike(sides.each_ref().map(Side::options), &mut rng) {
                Some([one, other]) => {
                    sides[0].answer(one);
                    sides[1].answer(other);
                }
                None => return (same, Outcome::Public),
            }
        }
    }

    /// What these eyes see different in the event of this index.
    fn difference(&self, sides: &[Side; 2], index: usize, eyes: Viewer) -> Option<Outcome> {
        let events = sides.each_ref().map(|side| side.events.get(index));
        let [one, other] = events.map(|event| event.map(|event| event.seen_by(eyes)));
        // The text as well: it is what a log or a carelessly made message would carry.
        if one == other && format!("{one:?}") == format!("{other:?}") {
            return None;
        }
        let public = events.into_iter().flatten().any(|event| self.is_public(event, sides));
        Some(if public { Outcome::Public } else { Outcome::Leak(format!("{one:?} and {other:?}")) })
    }

    /// Whether an event shows the viewer one of the tiles that changed places, or ends a round for all to see.
    fn is_public(&self, event: &Event, sides: &[Side; 2]) -> bool {
        match event {
            Event::Played { tile, .. } => self.swapped.contains(tile),
            Event::StartLaid { .. } => {
                let double = Tile::double(sides[0].shadow.hub()).unwrap();
                self.swapped.contains(&double)
            }
            Event::Drew { seat, tile } => self.viewer == Viewer::Seat(*seat) && self.swapped.contains(tile),
            Event::RoundEnded { .. } => Seat::all(self.rules.players())
                .filter(|seat| self.viewer != Viewer::Seat(*seat))
                .any(|seat| sides[0].hand(seat) != sides[1].hand(seat)),
            _ => false,
        }
    }

    /// A move for each side that looks the same in both; for the sake of a long comparison mostly not with one of
    /// the tiles that changed places.
    fn alike(&self, [one, other]: [Vec<Move>; 2], rng: &mut SmallRng) -> Option<[Move; 2]> {
        let looks = |action: Move| match action {
            Move::Play { .. } | Move::Draw => action,
            Move::Pass | Move::Keep => Move::Pass,
        };
        let mut pairs: Vec<[Move; 2]> = Vec::new();
        for mine in one {
            let theirs = other.iter().find(|theirs| looks(**theirs) == looks(mine));
            pairs.extend(theirs.map(|theirs| [mine, *theirs]));
        }
        let quiet = |pair: &[Move; 2]| match pair[0] {
            Move::Play { tile, .. } => !self.swapped.contains(&tile),
            Move::Draw | Move::Pass | Move::Keep => true,
        };
        if rng.random_ratio(7, 8) && pairs.iter().any(quiet) {
            pairs.retain(quiet);
        }
        pairs.choose(rng).copied()
    }
}

/// What must not differ when a seat is asked: who is asked, what it is shown if these are its eyes, and its options
/// unless its hand does.
fn difference_on_turn(sides: &[Side; 2], eyes: Viewer) -> Option<Outcome> {
    let [one, other] = sides.each_ref().map(|side| side.game.decision().unwrap());
    assert_eq!((one.number, one.seat), (other.number, other.seat));
    let views = sides.each_ref().map(|side| side.game.view().unwrap());
    let own = eyes == Viewer::Seat(one.seat);
    if own && (views[0] != views[1] || format!("{:?}", views[0]) != format!("{:?}", views[1])) {
        return Some(Outcome::Leak(format!("{views:?}")));
    }
    let options = sides.each_ref().map(Side::options);
    let may_differ = !own && sides[0].hand(one.seat) != sides[1].hand(one.seat);
    (options[0] != options[1] && !may_differ).then(|| Outcome::Leak(format!("{options:?}")))
}

impl Side {
    fn start(rules: Rules, deals: &Stacked) -> Side {
        let (game, events) = start(rules, deals, ForcedMoves::Asked);
        let shadow = Shadow::new(rules, deals);
        Side { game, events, shadow }
    }

    fn hand(&self, seat: Seat) -> Tiles {
        self.shadow.hands[seat.index()]
    }

    fn options(&self) -> Vec<Move> {
        self.game.decision().unwrap().moves.clone().collect()
    }

    fn answer(&mut self, action: Move) {
        let decision = self.game.decision().unwrap();
        let entry = self.game.check(decision.number, decision.seat, action.into());
        self.game.commit(entry.unwrap(), &mut self.events).unwrap();
    }
}

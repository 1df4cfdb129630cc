use crate::config::{DrawnTile, Rules, Starter};
use crate::open_ends::OpenEnds;
use crate::round::{End, Foot, Terms};
use crate::seat::{MAX_SEATS, Seat};
use crate::seen::Seen;
use crate::tile::{Tile, set_size};
use crate::view::{Act, SeatState, Step, Witness};

/// Follows a match as everybody sees it, event by event, and knows what everybody may know.
///
/// Of an event that shows tiles to one viewer alone it takes what all see, so that nothing hidden gets in whatever it is
/// fed. What it says of the seats is what a [`crate::View`] says of them.
#[derive(Clone, Debug, Default)]
pub struct Onlooker {
    rules: Option<Rules>,
    situation: Situation,
    ends: Option<OpenEnds>,
    witness: Witness,
    starting_double: u8,
}

/// What everybody may know of a match at one moment, beside the tiles on the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// The round, from 1; 0 before the first.
    pub round: u8,
    /// The seat on turn; `None` while nobody is, or nobody may know: before the starting double lies, and once a hand is
    /// empty or the round is over.
    pub on_turn: Option<Seat>,
    /// What is public of each seat at the table; none before the match begins.
    pub seats: Vec<SeatState>,
    /// The unfinished chicken foot.
    pub foot: Option<Foot>,
    /// Arms that the starting double still takes; 0 in free play, and while it does not lie.
    pub arms_left: u8,
    /// Tiles in the boneyard, the reserve included; 0 before the first round.
    pub boneyard: u8,
}

impl Onlooker {
    /// What everybody may know after the events so far.
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// The rules, once the match has begun.
    pub fn rules(&self) -> Option<&Rules> {
        self.rules.as_ref()
    }

    /// Follows the next event. One that does not fit the others leaves a situation that no rules describe, and nothing
    /// worse.
    pub fn see(&mut self, event: &Seen) {
        if let Seen::MatchStarted(start) = event {
            let seats = vec![SeatState::default(); usize::from(start.rules.players()).min(MAX_SEATS)];
            self.situation = Situation { seats, ..Situation::default() };
            self.rules = Some(start.rules);
        }
        let Some(rules) = self.rules else { return };
        match event {
            Seen::MatchStarted(_) => {}
            Seen::RoundStarted { round, starting_double } => self.begin(*round, *starting_double),
            Seen::HandDealt { seat, count, tiles: _ } => self.count(*seat, |tiles| *tiles = *count),
            Seen::StartLaid { seat } => self.start(&rules, *seat),
            Seen::Played { seat, tile, end, line } => {
                self.count(*seat, |tiles| *tiles = tiles.saturating_sub(1));
                let is_out = self.tiles_of(*seat) == Some(0);
                self.witness.played(*seat, *tile, *end, *line);
                if let Some(ends) = &mut self.ends {
                    // As in `Round`: the last tile of a hand opens no foot any more.
                    ends.lay(*tile, *end, if is_out { 0 } else { Terms::from(&rules).toes });
                }
                self.pass_on(&rules, *seat);
            }
            Seen::Drew { seat, tile: _ } => {
                // Before the starting double lies nothing is open: to lack it says nothing of other tiles.
                let open = self.ends.as_ref().map(OpenEnds::numbers).unwrap_or_default();
                self.count(*seat, |tiles| *tiles = tiles.saturating_add(1));
                self.witness.drew(*seat, open);
            }
            Seen::Passed { seat, kept: _ } => {
                let open = self.ends.as_ref().map(OpenEnds::numbers).unwrap_or_default();
                self.witness.passed(*seat, open, rules.drawn_tile() == DrawnTile::MayPlay);
                self.pass_on(&rules, *seat);
            }
            Seen::RoundEnded { totals, end, .. } => {
                self.situation.on_turn = None;
                if let End::Out(seat) = end {
                    self.count(*seat, |tiles| *tiles = 0);
                }
                for (seat, total) in self.situation.seats.iter_mut().zip(totals) {
                    seat.total = *total;
                }
            }
            Seen::MatchEnded { totals, .. } => {
                self.situation.on_turn = None;
                for (seat, total) in self.situation.seats.iter_mut().zip(totals) {
                    seat.total = *total;
                }
            }
            Seen::SeatForfeited { .. } => {}
            Seen::MatchAborted => self.situation.on_turn = None,
        }
        self.sum_up(&rules);
    }

    fn begin(&mut self, round: u8, starting_double: u8) {
        self.situation.round = round;
        self.situation.on_turn = None;
        self.starting_double = starting_double;
        self.ends = None;
        self.witness = Witness::default();
        for seat in &mut self.situation.seats {
            seat.tiles = 0;
        }
    }

    /// The starting double lies. By lot it was set aside before the deal, and its finder begins. A holder laid it from its
    /// hand, or as the last to draw; its turn is over.
    fn start(&mut self, rules: &Rules, seat: Seat) {
        let last = self.witness.history.last().copied();
        if let Some(double) = Tile::double(self.starting_double) {
            self.witness.laid_start(seat, double);
        }
        self.ends = Some(OpenEnds::new(self.starting_double, rules.opening_arms()));
        if rules.starter() == Starter::Lot {
            self.situation.on_turn = Some(seat);
            return;
        }
        // Whoever drew last has drawn it. If that was another seat, all draws were in vain and it lay in the reserve.
        let from_hand = last.is_none_or(|step| step == Step { seat, act: Act::Draw });
        if from_hand && !self.may_lie_in_the_reserve(rules, seat) {
            self.count(seat, |tiles| *tiles = tiles.saturating_sub(1));
        }
        self.pass_on(rules, seat);
    }

    /// Whether nobody can tell if the starting double was in this hand or in the reserve: it lies without a draw, nothing
    /// could be drawn, and the seat is the one that begins the search. Then the hand is taken to be the larger of the two, so
    /// that no seat is thought to be out before it is.
    fn may_lie_in_the_reserve(&self, rules: &Rules, seat: Seat) -> bool {
        let dealt = usize::from(rules.players()) * usize::from(rules.hand_size());
        let boneyard = set_size(rules.max_pip()).saturating_sub(dealt);
        let begins = self.situation.round.saturating_sub(1) % rules.players().max(1);
        let drew = self.witness.history.iter().any(|step| step.act == Act::Draw);
        !drew && boneyard > 0 && boneyard <= usize::from(rules.reserve()) && seat.number() == begins
    }

    fn pass_on(&mut self, rules: &Rules, seat: Seat) {
        let goes_on = self.situation.seats.iter().all(|seat| seat.tiles > 0);
        self.situation.on_turn = goes_on.then(|| seat.next(rules.players()));
    }

    /// Brings up to date what follows from the rest.
    fn sum_up(&mut self, rules: &Rules) {
        let situation = &mut self.situation;
        for (seat, lacks) in situation.seats.iter_mut().zip(self.witness.lacks) {
            seat.lacks = lacks;
        }
        situation.foot = self.ends.as_ref().and_then(OpenEnds::foot);
        situation.arms_left = self.ends.as_ref().map_or(0, OpenEnds::arms_left);
        let in_hands: usize = situation.seats.iter().map(|seat| usize::from(seat.tiles)).sum();
        let set_aside = self.ends.is_none() && situation.round > 0 && rules.starter() == Starter::Lot;
        let elsewhere = in_hands + self.witness.table.len() + usize::from(set_aside);
        let set = if situation.round > 0 { set_size(rules.max_pip()) } else { 0 };
        situation.boneyard = set.saturating_sub(elsewhere) as u8;
    }

    fn tiles_of(&self, seat: Seat) -> Option<u8> {
        self.situation.seats.get(seat.index()).map(|seat| seat.tiles)
    }

    fn count(&mut self, seat: Seat, change: impl FnOnce(&mut u8)) {
        if let Some(seat) = self.situation.seats.get_mut(seat.index()) {
            change(&mut seat.tiles);
        }
    }
}

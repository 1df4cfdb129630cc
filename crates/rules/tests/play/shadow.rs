use chickenfoot_rules::{Event, Move, Round, Rules, Seat, Terms, Tile, Tiles};

use super::Stacked;

/// What lies where, followed from the events alone: what a match says must fit what it says later, its deals and the
/// rules of a round.
pub struct Shadow {
    rules: Rules,
    deals: Stacked,
    pub hands: Vec<Tiles>,
    pub boneyard: Vec<Tile>,
    pub table: Tiles,
    /// The round, once its starting double lies.
    pub round: Option<Round<3>>,
    hub: u8,
    pub totals: Vec<u32>,
}

impl Shadow {
    pub fn new(rules: Rules, deals: &Stacked) -> Shadow {
        Shadow {
            rules,
            deals: deals.clone(),
            hands: Vec::new(),
            boneyard: Vec::new(),
            table: Tiles::EMPTY,
            round: None,
            hub: 0,
            totals: vec![0; usize::from(rules.players())],
        }
    }

    pub fn follow(&mut self, event: &Event) {
        match event {
            Event::RoundStarted { round, starting_double } => {
                let deal = self.deals.0[usize::from(*round) - 1].clone();
                assert_eq!(*starting_double, deal.starting_double);
                self.hub = *starting_double;
                self.hands = deal.hands.into_iter().map(|hand| hand.into_iter().collect()).collect();
                self.boneyard = deal.boneyard;
                self.table = Tiles::EMPTY;
                self.round = None;
            }
            Event::HandDealt { seat, tiles } => assert_eq!(*tiles, self.hands[seat.index()]),
            Event::StartLaid { seat } => self.start(*seat),
            Event::Played { seat, tile, end, .. } => {
                let hand = &mut self.hands[seat.index()];
                assert!(hand.contains(*tile), "{seat} has no {tile}");
                hand.remove(*tile);
                self.table.insert(*tile);
                let (tile, end) = (*tile, *end);
                self.apply(*seat, Move::Play { tile, end });
            }
            Event::Drew { seat, tile } => {
                assert_eq!(self.boneyard.remove(0), *tile);
                self.hands[seat.index()].insert(*tile);
                if self.round.is_some() {
                    self.apply(*seat, Move::Draw);
                }
            }
            Event::Passed { seat } => self.apply(*seat, Move::Pass),
            Event::Kept { seat } => self.apply(*seat, Move::Keep),
            Event::RoundEnded { end, scores, totals } => {
                assert_eq!(self.round.and_then(|round| round.end()), Some(*end));
                let counted: Vec<u16> = self.hands.iter().map(|hand| self.points(*hand)).collect();
                assert_eq!(*scores, counted);
                for (total, score) in self.totals.iter_mut().zip(scores) {
                    *total += u32::from(*score);
                }
                assert_eq!(*totals, self.totals);
            }
            Event::MatchEnded { totals, .. } => assert_eq!(*totals, self.totals),
            Event::MatchStarted(_) | Event::SeatForfeited { .. } | Event::MatchAborted => {}
        }
    }

    /// The number of the starting double.
    pub fn hub(&self) -> u8 {
        self.hub
    }

    /// Where the starting double lay matters no more: it was aside, in the layer's hand or in the reserve.
    fn start(&mut self, layer: Seat) {
        let double = Tile::double(self.hub).unwrap();
        self.hands[layer.index()].remove(double);
        self.boneyard.retain(|tile| *tile != double);
        self.table.insert(double);
        let lot = self.deals.0.iter().all(|deal| deal.starter.is_some());
        let first = if lot { layer } else { layer.next(self.rules.players()) };
        let terms = Terms::from(&self.rules);
        let round = Round::new(terms, self.hub, first, &self.hands, &self.boneyard).unwrap();
        self.round = Some(if lot { round } else { round.checked() });
    }

    fn apply(&mut self, seat: Seat, action: Move) {
        let round = self.round.as_mut().unwrap();
        assert_eq!(round.turn(), seat, "on turn");
        assert_eq!(round.apply(action), Ok(()), "{seat}: {action}");
    }

    fn points(&self, hand: Tiles) -> u16 {
        hand.iter()
            .map(|tile| match tile.pips() {
                0 => u16::from(self.rules.double_blank()),
                pips => u16::from(pips),
            })
            .sum()
    }
}

use crate::design::Round;

/// Tables of 2 by the circle method: one player stays, the others go round. With an odd number each sits out once.
#[derive(Debug)]
pub(crate) struct Circle {
    players: u32,
}

impl Circle {
    pub(crate) fn new(players: u32) -> Self {
        Self { players }
    }

    pub(crate) fn rounds(&self) -> u32 {
        self.moving()
    }

    pub(crate) fn tables(&self) -> u32 {
        self.players / 2
    }

    pub(crate) fn round(&self, round: u32) -> Round {
        let moving = self.moving();
        let pairs = (1..=(moving - 1) / 2)
            .map(|step| vec![(round + step) % moving, (round + moving - step) % moving]);
        let staying = self.players.is_multiple_of(2).then(|| vec![round % moving, moving]);
        staying.into_iter().chain(pairs).collect()
    }

    /// How many go round: an odd number.
    fn moving(&self) -> u32 {
        if self.players.is_multiple_of(2) { self.players - 1 } else { self.players }
    }
}

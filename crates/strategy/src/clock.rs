/// Asks whoever keeps the time whether a search may go on, often enough for a millisecond and not at every step.
///
/// Work is counted in positions that a solver looks at; a rollout is worth [`Clock::ROLLOUT`] of them.
pub(crate) struct Clock<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    is_up: bool,
    /// Work since it was asked last.
    unasked: u32,
}

impl Clock<'_> {
    /// So many positions take about as long as a rollout.
    pub(crate) const ROLLOUT: u32 = 40;

    pub(crate) fn new(go_on: &mut dyn FnMut() -> bool) -> Clock<'_> {
        // The first piece of work asks: whatever came before took its time too.
        Clock { go_on, is_up: false, unasked: Clock::ROLLOUT }
    }

    /// Whether work of so many positions may be done. Once it may not, it never may again.
    ///
    /// Is asked again after the work of a rollout, so never more than two rollouts pass unasked.
    #[inline]
    pub(crate) fn allows(&mut self, positions: u32) -> bool {
        if self.unasked >= Clock::ROLLOUT && !self.is_up {
            self.unasked = 0;
            self.is_up = !(self.go_on)();
        }
        self.unasked += positions;
        !self.is_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_once_in_a_rollouts_work_and_keeps_to_a_no() {
        for piece in [1, 7, 39, 40] {
            let mut asked = 0;
            let mut go_on = || {
                asked += 1;
                asked <= 5
            };
            let mut clock = Clock::new(&mut go_on);
            let mut work = 0;
            while clock.allows(piece) {
                work += piece;
            }
            assert!(!clock.allows(piece));
            assert!((5 * 40..5 * 80).contains(&work), "{work} in pieces of {piece}");
            assert_eq!(asked, 6);
        }
    }
}

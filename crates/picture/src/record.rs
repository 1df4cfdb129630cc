use chickenfoot_rules::{Deed, Flaw, Made, RoundRecord, Rules, Terms};

use crate::layout::Layout;

impl Layout {
    /// The layout of a round as a record tells it, to its end.
    ///
    /// # Errors
    /// The first tile that has no place, if the record is not right. That it is right is for
    /// [`chickenfoot_rules::Record::verify`] to say.
    pub fn of_round(rules: &Rules, round: &RoundRecord) -> Result<Layout, Flaw> {
        let flaw = |place: String, problem: String| Flaw { place, problem };
        if round.starting_double > rules.max_pip() {
            let problem = format!("{}, and the set ends at {}", round.starting_double, rules.max_pip());
            return Err(flaw("starting_double".to_owned(), problem));
        }
        let mut layout = Layout::new(&Terms::from(rules), round.starting_double);
        for (at, made) in (1..).zip(&round.moves) {
            if let Deed::Play { tile, end, line } = made.what {
                layout
                    .place(tile, end, Some(line))
                    .map_err(|why| flaw(format!("move {at}"), format!("{made}: {why}")))?;
            }
        }
        if let Some(end) = round.end {
            layout.finish(end);
        }
        Ok(layout)
    }
}

/// How many tiles lie on the table after these moves of a round, the starting double included.
pub fn tiles_after(moves: &[Made]) -> usize {
    1 + moves.iter().filter(|made| matches!(made.what, Deed::Play { .. })).count()
}

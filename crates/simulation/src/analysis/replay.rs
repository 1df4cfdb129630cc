use chickenfoot_rules::{
    Entry, Event, ForcedMoves, Made, Match, MatchSetup, Move, Record, Round, Seed, View,
};

/// A position of a record in which a seat did something.
pub(super) struct Moment<const W: usize> {
    /// The round, from 0.
    pub(super) round: usize,
    /// The move in the round's record, from 0.
    pub(super) at: usize,
    pub(super) made: Made,
    pub(super) action: Move,
    /// What the seat could know, if it had a choice.
    pub(super) view: Option<View<'static>>,
    /// Everything, before it.
    pub(super) before: Round<W>,
}

/// Every turn of a record that verifies, in order.
pub(super) fn moments<const W: usize>(record: &Record) -> Vec<Moment<W>> {
    let seed = Seed::new(record.seed.0);
    let setup = MatchSetup::seeded(record.start(), &seed, ForcedMoves::Asked);
    let (mut events, mut moments) = (Vec::new(), Vec::new());
    let Ok(mut game) = Match::start(setup, &mut events) else { return moments };
    let (mut round, mut at) = (0, 0);
    loop {
        // Where the record stands after what has happened.
        for event in events.drain(..) {
            match event {
                Event::RoundStarted { round: number, .. } => (round, at) = (usize::from(number) - 1, 0),
                event => at += usize::from(Made::from_event(&event).is_some()),
            }
        }
        let (Some(view), Some(before)) = (game.view(), game.open_round::<W>()) else { return moments };
        let Some(made) = record.rounds.get(round).and_then(|round| round.moves.get(at)).copied() else {
            return moments;
        };
        let entry = match made.choice() {
            Some(choice) => {
                let view = (view.moves().total() > 1).then(|| view.into_owned());
                moments.push(Moment { round, at, made, action: choice.action, view, before });
                Entry::Choice(choice)
            }
            None => Entry::Forfeit(made.seat),
        };
        if game.commit(entry, &mut events).is_err() {
            return moments;
        }
    }
}

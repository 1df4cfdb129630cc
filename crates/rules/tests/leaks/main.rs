//! No viewer learns of a tile that is hidden from it.
//!
//! Two matches are played side by side. Their deals differ in two tiles that changed places, both hidden from one
//! viewer: in other hands, in the boneyard, in its reserve. As long as the seats do outwardly the same in both, the
//! viewer must see the same in both: the same events, and in its own turn the same view and options. It may see a
//! difference only where something public makes one:
//!
//! - An event shows the viewer one of the two tiles: a seat lays it (the starting double by its holder included), or
//!   the viewer itself draws it.
//! - A round ends in one of the two, or with other scores, while a hand that the viewer does not see differs: to be
//!   stuck and what is left in the hands are public then.
//! - A seat whose hand differs can do nothing in one match that looks like anything it can do in the other: to play,
//!   to draw and to pass are public. To keep a drawn tile and to pass look alike.
//!
//! Both matches ask for every move, also for one without an alternative, so that the number of a decision counts
//! what everybody saw and nothing else.
#![allow(clippy::unwrap_used, missing_docs)]

mod pair;
#[path = "../play/mod.rs"]
mod play;

use std::cell::Cell;

use chickenfoot_rules::{Rules, Seat, Viewer};

use pair::{Outcome, Pair};
use play::{for_all, matches};

#[test]
fn what_a_viewer_sees_does_not_depend_on_tiles_hidden_from_it() {
    let (pairs, same, events) = (Count::default(), Count::default(), Count::default());
    for_all(36, matches(), |(rules, deals, seed)| {
        for viewer in viewers(&rules) {
            let pair = Pair::new(rules, &deals, viewer, seed);
            let (at, outcome) = pair.compare(viewer);
            if let Outcome::Leak(what) = &outcome {
                panic!("{viewer:?}, event {at}, {:?} swapped: {what}", pair.swapped);
            }
            pairs.add(1);
            same.add(usize::from(matches!(outcome, Outcome::Same)));
            events.add(at);
        }
    });
    // There was something to compare: most pairs go on for long, some to the end.
    assert!(same.get() * 20 > pairs.get(), "{same:?} of {pairs:?} to the end");
    assert!(events.get() > pairs.get() * 30, "{events:?} in {pairs:?} pairs");
}

#[test]
fn events_that_hide_nothing_would_be_found_out_and_earlier() {
    let (pairs, found) = (Count::default(), Count::default());
    for_all(12, matches(), |(rules, deals, seed)| {
        for viewer in viewers(&rules) {
            let pair = Pair::new(rules, &deals, viewer, seed);
            let (hiding, _) = pair.compare(viewer);
            let (at, outcome) = pair.compare(Viewer::Afterwards);
            pairs.add(1);
            found.add(usize::from(at < hiding && matches!(outcome, Outcome::Leak(_))));
        }
    });
    assert!(found.get() * 10 > pairs.get() * 7, "{found:?} of {pairs:?}");
}

#[test]
fn what_another_seat_sees_would_be_found_out() {
    let (pairs, found) = (Count::default(), Count::default());
    for_all(12, matches(), |(rules, deals, seed)| {
        for viewer in Seat::all(rules.players()) {
            let pair = Pair::new(rules, &deals, Viewer::Seat(viewer), seed);
            let (_, outcome) = pair.compare(Viewer::Seat(viewer.next(rules.players())));
            pairs.add(1);
            found.add(usize::from(matches!(outcome, Outcome::Leak(_))));
        }
    });
    // The tiles may well have changed places between two hands that neither of the two seats sees.
    assert!(found.get() * 8 > pairs.get(), "{found:?} of {pairs:?}");
}

fn viewers(rules: &Rules) -> impl Iterator<Item = Viewer> {
    let seats = Seat::all(rules.players()).map(Viewer::Seat);
    seats.chain([Viewer::Spectator])
}

#[derive(Default, Debug)]
struct Count(Cell<usize>);

impl Count {
    fn add(&self, n: usize) {
        self.0.set(self.0.get() + n);
    }

    fn get(&self) -> usize {
        self.0.get()
    }
}

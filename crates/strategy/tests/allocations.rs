//! A search allocates when it begins, and never in its inner loop.
#![allow(clippy::unwrap_used, missing_docs)]

mod duplicate;

use allocation_counter::measure;
use chickenfoot_rules::{ForcedMoves, Preset};
use chickenfoot_strategy::by_name;
use duplicate::{rules, start};

#[test]
fn ten_times_the_rollouts_take_not_one_allocation_more() {
    let game = start(rules(Preset::Trains, 4), 1, ForcedMoves::Automatic);
    let view = game.view().unwrap();
    for name in ["monte-carlo", "search"] {
        let allocations = |rollouts: u32| {
            let mut player = by_name(&format!("{name}:{rollouts}"), [0; 32]).unwrap();
            let mut asked = 0;
            let count = measure(|| {
                player.choose_while(&view, &mut || {
                    asked += 1;
                    true
                });
            });
            (asked, count.count_total)
        };
        let ((few, at_first), (many, in_all)) = (allocations(50), allocations(500));
        assert!(many > 2 * few, "{name} went on for {few} deals, then for {many}");
        assert_eq!(in_all, at_first, "{name}");
    }
}

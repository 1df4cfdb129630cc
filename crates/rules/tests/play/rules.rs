use chickenfoot_rules::{DrawnTile, Preset, RuleOptions, Rules, Starter};
use proptest::option;
use proptest::sample::select;
use proptest::strategy::Strategy;

/// Possible rules of any kind: both presets, every set, every number of seats, any mix of house rules. A match has
/// one to three rounds.
pub fn rules() -> impl Strategy<Value = Rules> {
    let table = (select(vec![Preset::Trains, Preset::Classic]), 2..=16_u8, select(vec![9, 6, 12, 15, 18]));
    let options = (
        option::of(1..=30_u8),
        option::of(2..=8_u8),
        option::of(select(vec![Starter::Lot, Starter::Holder])),
        option::of(select(vec![DrawnTile::MustPlay, DrawnTile::MayPlay])),
        option::of(0..=8_u8),
        option::of(select(vec![0, 50])),
        1..=3_u8,
    );
    (table, options).prop_filter_map("impossible rules", |(table, options)| {
        let (preset, players, max_pip) = table;
        let (hand_size, opening_arms, starter, drawn_tile, reserve, double_blank, rounds) = options;
        let options = RuleOptions {
            preset,
            players,
            max_pip: Some(max_pip),
            hand_size,
            // The one number of arms that `classic` knows is drawn too seldom to be left to chance.
            opening_arms: opening_arms.filter(|_| preset == Preset::Trains),
            starter,
            drawn_tile,
            reserve,
            double_blank,
            rounds: Some(rounds),
        };
        options.resolve().ok()
    })
}

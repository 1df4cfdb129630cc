use chickenfoot_tournament::statistics::{Rating, Ratings, RatingsError};

#[track_caller]
fn assert_rating(rating: Option<Rating>, mean: f64, deviation: f64, games: u32) {
    let rating = rating.unwrap();
    assert!((rating.mean - mean).abs() < 2e-9 && (rating.deviation - deviation).abs() < 2e-9, "{rating:?}");
    assert_eq!(rating.games, games);
}

#[test]
fn ratings_are_those_of_the_paper() {
    // Computed from the formulas of the paper in another language.
    let mut ratings = Ratings::new();
    ratings.record(&["a", "b", "c", "d"], &[1, 2, 2, 4]).unwrap();
    assert_rating(ratings.get(&"a"), 32.905_694_150_420_95, 7.501_219_069_396_400_5, 1);
    assert_rating(ratings.get(&"b"), 25.0, 7.501_219_069_396_400_5, 1);
    assert_rating(ratings.get(&"c"), 25.0, 7.501_219_069_396_400_5, 1);
    assert_rating(ratings.get(&"d"), 17.094_305_849_579_05, 7.501_219_069_396_400_5, 1);
    ratings.record(&["e", "a", "d"], &[3, 2, 1]).unwrap();
    assert_rating(ratings.get(&"d"), 23.633_109_402_338_19, 7.168_024_015_246_171, 2);
    assert_rating(ratings.get(&"a"), 30.809_255_207_831_168, 7.168_024_015_246_171, 2);
    assert_rating(ratings.get(&"e"), 19.517_381_709_467_816, 7.775_607_259_070_32, 1);
    let board: Vec<&str> = ratings.leaderboard().iter().map(|(player, _)| **player).collect();
    assert_eq!(board, ["a", "b", "c", "d", "e"]);
}

#[test]
fn what_is_not_a_game_of_two_changes_nothing() {
    let mut ratings = Ratings::new();
    assert_eq!(ratings.record(&["a", "b"], &[1]), Err(RatingsError::Lengths));
    ratings.record(&["a", "a"], &[1, 2]).unwrap();
    ratings.record(&["a"], &[1]).unwrap();
    ratings.record(&[], &[]).unwrap();
    assert!(ratings.leaderboard().is_empty() && ratings.get(&"a").is_none());
}

#[test]
fn a_player_on_several_seats_counts_once_at_its_mean_place() {
    let (mut doubled, mut plain) = (Ratings::new(), Ratings::new());
    doubled.record(&["a", "b", "a", "c"], &[1, 2, 4, 3]).unwrap();
    plain.record(&["a", "b", "c"], &[2, 1, 3]).unwrap();
    assert_eq!(doubled, plain);
    // Means of 2.5 and 2.5.
    let (mut even, mut tied) = (Ratings::new(), Ratings::new());
    even.record(&["a", "b", "a", "b"], &[1, 2, 4, 3]).unwrap();
    tied.record(&["a", "b"], &[1, 1]).unwrap();
    assert_eq!(even, tied);
}

#[test]
fn seats_do_not_matter_and_the_order_of_games_does() {
    let (mut one, mut other) = (Ratings::new(), Ratings::new());
    one.record(&["a", "b", "c"], &[1, 2, 3]).unwrap();
    other.record(&["c", "a", "b"], &[3, 1, 2]).unwrap();
    assert_eq!(one, other);
    one.record(&["a", "b"], &[2, 1]).unwrap();
    one.record(&["a", "c"], &[1, 2]).unwrap();
    other.record(&["a", "c"], &[1, 2]).unwrap();
    other.record(&["a", "b"], &[2, 1]).unwrap();
    assert_ne!(one, other);
}

#[test]
fn a_rating_comes_to_rest_and_its_deviation_only_falls() {
    let mut ratings = Ratings::new();
    let mut last = Rating::default();
    for game in 0..3000u32 {
        let places = if game % 3 == 0 { [2, 1] } else { [1, 2] };
        ratings.record(&["a", "b"], &places).unwrap();
        let now = ratings.get(&"a").unwrap();
        assert!(now.deviation <= last.deviation);
        last = now;
    }
    // Two games won of three: odds of two to one, on the scale of the logistic curve with c = 25 / 6 sqrt 2.
    let gap = last.mean - ratings.get(&"b").unwrap().mean;
    let expected = 25.0 / 6.0 * 2f64.sqrt() * 2f64.ln();
    assert!((gap - expected).abs() < 0.5, "{gap}, not {expected}");
    assert!(last.deviation < 0.7, "{last:?}");
}

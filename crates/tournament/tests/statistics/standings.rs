use chickenfoot_tournament::statistics::{
    Ranking, Results, ResultsError, Standing, Standings, StandingsOptions,
};
use chickenfoot_tournament::{BlockResult, EntrantId};

use crate::simulation::{Chance, Coverage, World, block_of, game, results};

const BY_MARGIN: StandingsOptions<'_> =
    StandingsOptions { seed: b"public seed", ranking: Ranking::Margin, byes: &[] };

fn table(entrants: usize, blocks: &[BlockResult]) -> Standings {
    Standings::of(&results(entrants, blocks), &BY_MARGIN)
}

fn row(standings: &Standings, entrant: u32) -> &Standing {
    standings.rows.iter().find(|row| row.entrant == EntrantId(entrant)).unwrap()
}

fn margin(standings: &Standings, entrant: u32) -> f64 {
    row(standings, entrant).margin.unwrap().value
}

#[track_caller]
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value}, not {expected}");
}

#[test]
fn strength_of_the_opponents_is_allowed_for() {
    // The first ends 10 below the second, and the second 6 below the third: so the first is 16 better than the third, though
    // they never met.
    let blocks = [block_of(0, &[game(&[0, 1], vec![90, 100])]), block_of(1, &[game(&[2, 1], vec![50, 44])])];
    let standings = table(3, &blocks);
    assert_near(margin(&standings, 0), (10.0 + 16.0) / 2.0);
    assert_near(margin(&standings, 1), (-10.0 + 6.0) / 2.0);
    assert_near(margin(&standings, 2), (-16.0 - 6.0) / 2.0);
    assert_eq!(standings.rows.iter().map(|row| row.entrant.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(standings.rows.iter().map(|row| row.place).collect::<Vec<_>>(), [1, 2, 3]);
    assert_near(row(&standings, 1).raw_margin.unwrap(), (-10.0 + 6.0) / 2.0);
    assert_near(row(&standings, 0).raw_margin.unwrap(), 10.0);
}

#[test]
fn where_all_meet_equally_often_the_model_gives_the_margins_as_they_were() {
    // The affine plane of order 3: twelve tables of three at which each of nine meets each other once.
    let lines = [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [0, 3, 6],
        [1, 4, 7],
        [2, 5, 8],
        [0, 4, 8],
        [1, 5, 6],
        [2, 3, 7],
        [0, 5, 7],
        [1, 3, 8],
        [2, 4, 6],
    ];
    let world = World::of(&[40.0, 30.0, 20.0, 10.0, 0.0, -10.0, -20.0, -30.0, -40.0]);
    let mut chance = Chance::new(1);
    let blocks: Vec<BlockResult> =
        (0..).zip(&lines).map(|(number, line)| world.block(number, line, &mut chance)).collect();
    for row in table(9, &blocks).rows {
        assert_near(row.margin.unwrap().value, row.raw_margin.unwrap());
    }
}

#[test]
fn entrants_that_no_game_joins_are_groups_of_their_own() {
    let blocks = [block_of(0, &[game(&[0, 3], vec![10, 30])]), block_of(1, &[game(&[1, 2], vec![80, 70])])];
    let standings = table(5, &blocks);
    assert_eq!(standings.groups, 2);
    assert_eq!(
        [0, 1, 2, 3, 4].map(|entrant| row(&standings, entrant).group),
        [Some(0), Some(1), Some(1), Some(0), None]
    );
    assert_near(margin(&standings, 0), 20.0);
    assert_near(margin(&standings, 2), 10.0);
    let idle = &standings.rows[4];
    assert_eq!((idle.entrant, idle.margin, idle.mean_points), (EntrantId(4), None, None));
}

#[test]
fn every_game_is_counted() {
    let mut first = block_of(4, &[game(&[0, 1, 2], vec![30, 30, 60]), game(&[1, 2, 0], vec![10, 20, 90])]);
    first.games[0].clean_rounds = vec![2, 0, 1];
    first.games[1].clean_rounds = vec![0, 0, 3];
    first.games[0].lowest_round = vec![Some(7), None, Some(2)];
    first.games[1].lowest_round = vec![Some(9), None, Some(4)];
    let absent = BlockResult { number: 2, absent: vec![EntrantId(3), EntrantId(0)], games: Vec::new() };
    let blocks = [first, absent];
    let options = StandingsOptions { byes: &[0, 2], ..BY_MARGIN };
    let standings = Standings::of(&results(4, &blocks), &options);
    let of = row(&standings, 0);
    assert_eq!((of.blocks, of.games, of.points, of.mean_points), (1, 2, 120, Some(60.0)));
    assert_eq!((of.places.as_slice(), of.mean_place), ([1, 0, 1].as_slice(), Some(2.0)));
    assert_eq!((of.clean_rounds, of.lowest_round, of.byes, of.absences), (5, Some(4), 0, 1));
    // A shared first place is half a one, and the margin is that over the mean of the others.
    assert_near(of.firsts.unwrap().value, 0.25);
    assert_near(of.raw_margin.unwrap(), ((30.0 + 60.0) / 2.0 - 30.0 + (10.0 + 20.0) / 2.0 - 90.0) / 2.0);
    let other = row(&standings, 1);
    assert_eq!((other.lowest_round, other.byes, other.absences), (Some(9), 2, 0));
    assert_near(other.firsts.unwrap().value, 0.75);
    assert_eq!((row(&standings, 3).blocks, row(&standings, 3).absences), (0, 1));
}

#[test]
fn on_several_seats_an_entrant_is_no_opponent_of_itself() {
    let blocks = [block_of(0, &[game(&[0, 1, 0, 1], vec![10, 40, 20, 50])])];
    let standings = table(2, &blocks);
    assert_near(row(&standings, 0).raw_margin.unwrap(), 45.0 - 15.0);
    assert_near(margin(&standings, 0), 30.0);
    assert_eq!(row(&standings, 0).games, 2);
    assert_eq!(results(2, &blocks).block_margins(EntrantId(1)), [(0, -30.0)]);
}

#[test]
fn too_few_blocks_give_no_interval() {
    let world = World::of(&[5.0, 0.0, -5.0]);
    let mut blocks = world.blocks(8, &mut Chance::new(2));
    let full = table(3, &blocks);
    assert!(
        full.rows
            .iter()
            .all(|row| row.margin.unwrap().interval.is_some() && row.firsts.unwrap().interval.is_some())
    );
    blocks.pop();
    let short = table(3, &blocks);
    assert!(
        short
            .rows
            .iter()
            .all(|row| row.margin.unwrap().interval.is_none() && row.firsts.unwrap().interval.is_none())
    );
}

#[test]
fn a_single_block_that_differs_makes_no_interval_endless() {
    let points = |number| if number == 3 { vec![10, 30] } else { vec![20, 20] };
    let blocks: Vec<BlockResult> =
        (0..20).map(|number| block_of(number, &[game(&[0, 1], points(number))])).collect();
    let interval = table(2, &blocks).rows[0].margin.unwrap().interval.unwrap();
    // The standard error is 1.
    assert!(interval.contains(0.0) && interval.high - interval.low < 26.0, "{interval:?}");
}

#[test]
fn nothing_played_is_a_table_too() {
    let standings = table(3, &[]);
    assert_eq!((standings.rows.len(), standings.groups), (3, 0));
    assert!(standings.rows.iter().all(|row| row.by_lot && row.games == 0 && row.places.is_empty()));
    assert!(table(0, &[]).rows.is_empty());
}

#[test]
fn the_same_results_give_the_same_figures_to_the_bit_in_whatever_order_they_came() {
    let world = World::of(&[20.0, 10.0, 5.0, 0.0, 0.0, -5.0, -30.0]);
    let mut chance = Chance::new(3);
    let mut blocks = world.stages(20, 3, &mut chance);
    let before = format!("{:?}", table(7, &blocks));
    for _ in 0..3 {
        chance.shuffle(&mut blocks);
        assert_eq!(format!("{:?}", table(7, &blocks)), before);
    }
}

#[test]
fn the_seed_moves_only_the_bootstrap() {
    let world = World::of(&[20.0, 0.0, -20.0]);
    let blocks = world.blocks(20, &mut Chance::new(4));
    let other = Standings::of(&results(3, &blocks), &StandingsOptions { seed: b"another", ..BY_MARGIN });
    for (one, other) in table(3, &blocks).rows.iter().zip(&other.rows) {
        let (one, other) = (one.margin.unwrap(), other.margin.unwrap());
        assert_eq!(one.value, other.value);
        let (one, other) = (one.interval.unwrap(), other.interval.unwrap());
        assert_ne!(one, other);
        assert!((one.high - one.low - (other.high - other.low)).abs() < 0.2 * (one.high - one.low));
    }
}

#[test]
fn results_that_cannot_be_are_refused() {
    let good = block_of(3, &[game(&[0, 1], vec![1, 2])]);
    let refused = |blocks: &[BlockResult]| Results::new(2, blocks).unwrap_err();
    assert_eq!(refused(&[good.clone(), good.clone()]), ResultsError::SameNumber(3));
    let unknown = ResultsError::UnknownEntrant { block: 1, entrant: EntrantId(2) };
    assert_eq!(refused(&[block_of(1, &[game(&[0, 2], vec![1, 2])])]), unknown);
    assert_eq!(refused(&[BlockResult { number: 1, absent: vec![EntrantId(2)], games: Vec::new() }]), unknown);
    let spoilt = |spoil: fn(&mut chickenfoot_tournament::Game)| {
        let mut block = good.clone();
        spoil(&mut block.games[0]);
        refused(&[block])
    };
    let bad = ResultsError::BadGame { block: 3 };
    assert_eq!(spoilt(|game| game.points.clear()), bad);
    assert_eq!(spoilt(|game| game.clean_rounds.clear()), bad);
    assert_eq!(spoilt(|game| game.lowest_round.clear()), bad);
    assert_eq!(spoilt(|game| game.places[0] = 0), bad);
    assert_eq!(spoilt(|game| game.places[0] = 3), bad);
    assert_eq!(refused(&[block_of(3, &[game(&[0], vec![1])])]), bad);
}

/// Intervals of the margin over many tournaments of one kind.
fn margin_coverage(world: &World, runs: u32, mut play: impl FnMut() -> Vec<BlockResult>) -> Coverage {
    let mut coverage = Coverage::default();
    for _ in 0..runs {
        let blocks = play();
        for row in table(world.strengths.len(), &blocks).rows {
            coverage.push(row.margin.unwrap().interval.unwrap(), world.margin(row.entrant.index()));
        }
    }
    coverage
}

#[test]
fn the_interval_of_the_margin_covers_95_times_in_100_with_everybody_at_one_table() {
    let world = World::of(&[60.0, 10.0, 0.0, -10.0, -60.0]);
    for (blocks, runs) in [(8, 700), (12, 600), (40, 400), (250, 300)] {
        let mut chance = Chance::new(5);
        margin_coverage(&world, runs, || world.blocks(blocks, &mut chance))
            .assert_95(&format!("{blocks} blocks"));
    }
}

#[test]
fn it_does_so_where_nothing_softens_the_skew_of_the_points() {
    let world = World { suits: 0.0, ..World::of(&[20.0, 0.0, -20.0]) };
    for (blocks, runs) in [(8, 900), (30, 900)] {
        let mut chance = Chance::new(6);
        margin_coverage(&world, runs, || world.blocks(blocks, &mut chance))
            .assert_95(&format!("{blocks} blocks"));
    }
}

#[test]
fn it_does_so_where_entrants_are_compared_through_third_parties() {
    let strengths: Vec<f64> = (0..12).map(|entrant| 8.0 * f64::from(entrant)).collect();
    let world = World::of(&strengths);
    for (seats, stages, runs) in [(4, 10, 250), (2, 9, 300), (3, 30, 150)] {
        let mut chance = Chance::new(7);
        margin_coverage(&world, runs, || world.stages(stages, seats, &mut chance))
            .assert_95(&format!("tables of {seats}"));
    }
}

#[test]
fn the_interval_of_the_share_of_first_places_covers_95_times_in_100() {
    let world = World { grain: 5.0, ..World::of(&[50.0, 20.0, 0.0, -40.0]) };
    let mut chance = Chance::new(8);
    let many = world.blocks(40_000, &mut chance);
    let truth = table(4, &many);
    let mut coverage = Coverage::default();
    for _ in 0..1000 {
        let blocks = world.blocks(20, &mut chance);
        for of in table(4, &blocks).rows {
            let truth = row(&truth, of.entrant.0).firsts.unwrap().value;
            coverage.push(of.firsts.unwrap().interval.unwrap(), truth);
        }
    }
    coverage.assert_95("first places");
}

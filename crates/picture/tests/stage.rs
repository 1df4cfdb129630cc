//! A match moment by moment: what scenes tell is what lies, whoever asks when, and nothing of it is of a later moment.
#![allow(clippy::unwrap_used, missing_docs)]

use chickenfoot_picture::{Bounds, Layout, Outline, Placed, Scene, Slot, Stage, Table};
use chickenfoot_rules::{
    Contributor, Deal, Deals, Deed, Entropy, Entry, Event, ForcedMoves, Match, MatchSetup, MatchStart, Move,
    Preset, Record, RuleOptions, Rules, Seat, Seed, Tile, Tiles, Viewer,
};
use rand::seq::{IndexedMutRandom, IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A match that was played at random.
struct Played {
    rules: Rules,
    events: Vec<Event>,
    record: Record,
}

fn played(options: RuleOptions, seed: u64) -> Played {
    let rules = options.resolve().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let seats = (0..rules.players()).map(|seat| format!("seat-{seat}"));
    let seats = seats.map(|name| Contributor { name, entropy: Entropy::default() }).collect();
    let secret = Seed::new([seed as u8; 32]);
    let start = MatchStart::new(rules, "test", &secret, seats);
    let setup = MatchSetup::seeded(start.clone(), &secret, ForcedMoves::Automatic);
    let (mut events, mut log) = (Vec::new(), Vec::new());
    let mut game = Match::start(setup, &mut events).unwrap();
    while let Some(decision) = game.decision().cloned() {
        let entry = if rng.random_ratio(1, 500) && log.iter().all(|entry| matches!(entry, Entry::Choice(_))) {
            Entry::Forfeit(decision.seat)
        } else {
            let moves: Vec<Move> = decision.moves.collect();
            let choice = (*moves.choose(&mut rng).unwrap()).into();
            game.check(decision.number, decision.seat, choice).unwrap()
        };
        game.commit(entry, &mut events).unwrap();
        log.push(entry);
    }
    let record = Record::of("test", &secret, &start, ForcedMoves::Automatic, &log).unwrap();
    Played { rules, events, record }
}

/// Small sets and large ones, both presets, lots and holders. Few rounds, for the sake of time.
fn matches() -> Vec<Played> {
    let rounds = |rounds, options| RuleOptions { rounds: Some(rounds), ..options };
    let set = |max_pip, options| RuleOptions { max_pip: Some(max_pip), ..options };
    let kinds = [
        set(6, RuleOptions::new(Preset::Trains, 2)),
        RuleOptions::new(Preset::Trains, 4),
        RuleOptions::new(Preset::Classic, 2),
        rounds(3, RuleOptions::new(Preset::Classic, 5)),
        rounds(2, set(18, RuleOptions::new(Preset::Trains, 6))),
    ];
    kinds.into_iter().zip(1..).map(|(options, seed)| played(options, seed)).collect()
}

/// Where nobody can tell whether the starting double was in a hand or in the reserve, every tile is drawn all the same.
#[test]
fn a_reserve_that_nobody_can_draw_from_keeps_no_tile_from_the_table() {
    for seed in 0..40 {
        let options = RuleOptions {
            max_pip: Some(6),
            hand_size: Some(12),
            reserve: Some(4),
            ..RuleOptions::new(Preset::Classic, 2)
        };
        let played = played(options, seed);
        let mut stage = Stage::default();
        let mut lie = 0;
        for (seq, event) in (1..).zip(&played.events) {
            stage.follow(event).unwrap();
            match event {
                Event::RoundStarted { .. } => lie = 0,
                Event::StartLaid { .. } | Event::Played { .. } => lie += 1,
                _ => {}
            }
            let steps = (0..200).take_while(|_| !stage.prepare(seq, 1)).count();
            assert!(steps < 200, "event {seq} of match {seed} is never laid out");
            let layout = stage.layout(seq, seq).map_or(0, |layout| layout.tiles().len());
            assert_eq!(
                (stage.tiles(seq), layout),
                (lie, lie),
                "after event {seq} of match {seed}: {event:?}"
            );
        }
    }
}

fn stage_of(events: &[Event]) -> Stage {
    let mut stage = Stage::default();
    events.iter().for_each(|event| stage.follow(event).unwrap());
    stage
}

/// What a reader of scenes knows of the table.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reader {
    tiles: Vec<Placed>,
    open: Vec<(usize, Slot)>,
    bounds: Option<Bounds>,
}

impl Reader {
    fn read(&mut self, scene: &Scene) {
        if scene.clears {
            *self = Reader::default();
        }
        for (index, placed) in &scene.laid {
            assert_eq!(*index, self.tiles.len(), "tiles are told in their order");
            self.tiles.push(*placed);
        }
        for id in &scene.closed {
            let at = self.open.iter().position(|(open, _)| open == id);
            self.open.remove(at.expect("what closes was open"));
        }
        for (id, slot) in &scene.opened {
            assert!(self.open.iter().all(|(open, _)| open < id), "slots are told in their order");
            self.open.push((*id, *slot));
        }
        self.bounds = scene.bounds;
    }
}

/// The places of a layout that are open at its end.
fn open(layout: &Layout) -> Vec<(usize, Slot)> {
    let slots = layout.slots().iter().copied().enumerate();
    slots.filter(|(_, slot)| slot.is_open(layout.tiles().len())).collect()
}

#[test]
fn scenes_tell_what_lies() {
    for Played { rules, events, record } in matches() {
        let mut stage = Stage::default();
        let (mut reader, mut ends) = (Reader::default(), 0);
        let mut laid = Tiles::default();
        for (event, seq) in events.iter().zip(1..) {
            stage.follow(event).unwrap();
            let scene = stage.scene(seq, false).unwrap();
            match event {
                Event::RoundStarted { round, .. } => {
                    assert!(scene.clears && scene.laid.is_empty() && scene.bounds.is_none());
                    laid = Tiles::default();
                    assert_eq!(scene.situation.round, *round);
                }
                Event::StartLaid { .. } => {
                    let hub = record.rounds[ends].starting_double;
                    laid.insert(Tile::double(hub).unwrap());
                    assert_eq!(scene.opened.len(), usize::from(rules.opening_arms()));
                }
                Event::Played { tile, .. } => {
                    laid.insert(*tile);
                    assert_eq!(scene.laid.iter().map(|(_, laid)| laid.tile).collect::<Vec<_>>(), [*tile]);
                    assert_eq!(scene.closed.len(), 1, "the place that it was laid on");
                }
                _ => assert!(scene.laid.is_empty() && scene.opened.is_empty() && scene.closed.is_empty()),
            }
            assert_eq!(scene.clears, seq == 1 || matches!(event, Event::RoundStarted { .. }));
            reader.read(&scene);
            assert_eq!(reader.tiles.iter().map(|placed| placed.tile).collect::<Tiles>(), laid);
            assert_eq!(stage.tiles(seq), reader.tiles.len());
            if let Event::RoundEnded { .. } = event {
                let layout = Layout::of_round(&rules, &record.rounds[ends]).unwrap();
                assert_eq!(reader.tiles, layout.tiles());
                assert_eq!(reader.open, open(&layout));
                let areas = layout.tiles().iter().map(|placed| &placed.area);
                let ever = layout.slots().iter().filter(|slot| slot.until != Some(slot.since));
                assert_eq!(reader.bounds, Some(Bounds::of(areas.chain(ever.map(|slot| &slot.area)))));
                assert_eq!(stage.layout(seq, seq).unwrap().slots(), layout.slots());
                let outline = Outline::default();
                assert_eq!(outline.render(&stage.table(seq).unwrap()), outline.render(layout.table()));
                ends += 1;
            }
        }
        assert_eq!(ends, record.rounds.len());
    }
}

#[test]
fn a_moment_is_the_same_whoever_asks_when() {
    for (Played { events, .. }, seed) in matches().into_iter().zip(1..) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut live = Stage::default();
        let mut told = Vec::new();
        for (event, seq) in events.iter().zip(1..) {
            live.follow(event).unwrap();
            assert_eq!(live.seq(), seq);
            told.push([false, true].map(|first| live.scene(seq, first).unwrap()));
        }
        let laid = events
            .iter()
            .filter(|event| matches!(event, Event::StartLaid { .. } | Event::Played { .. }))
            .count();
        assert_eq!(live.placed(), laid as u64, "each tile once");
        let mut late = stage_of(&events);
        assert_eq!(late.placed(), 0, "nobody has asked");
        let mut order: Vec<usize> = (0..events.len()).collect();
        order.shuffle(&mut rng);
        for at in order {
            let seq = at as u64 + 1;
            assert_eq!([false, true].map(|first| late.scene(seq, first).unwrap()), told[at], "event {seq}");
        }
        assert_eq!(late.placed(), laid as u64, "each tile once");
        assert_eq!(late.scene(0, true), None);
        assert_eq!(late.scene(events.len() as u64 + 1, true), None);
    }
}

#[test]
fn a_reader_may_begin_anywhere() {
    for Played { events, .. } in matches().into_iter().take(3) {
        let mut stage = stage_of(&events);
        let mut whole = Reader::default();
        for seq in 1..=events.len() as u64 {
            whole.read(&stage.scene(seq, false).unwrap());
            let mut here = Reader::default();
            let first = stage.scene(seq, true).unwrap();
            assert!(first.clears && first.closed.is_empty());
            here.read(&first);
            assert_eq!(here, whole, "from event {seq} on");
        }
    }
}

#[test]
fn a_layout_shows_nothing_of_later_moments_than_it_may() {
    for Played { events, .. } in matches().into_iter().take(3) {
        let mut ahead = stage_of(&events);
        // Somebody has seen it all.
        (1..=ahead.seq()).for_each(|seq| drop(ahead.scene(seq, false)));
        for seq in (1..=events.len() as u64).step_by(7) {
            for until in [seq, seq + 5, seq + 60, u64::MAX] {
                let known = events.len().min(usize::try_from(until).unwrap_or(usize::MAX));
                let mut behind = stage_of(&events[..known]);
                let (one, other) = (ahead.layout(seq, until), behind.layout(seq, until));
                assert_eq!(one.as_ref().map(Layout::tiles), other.as_ref().map(Layout::tiles));
                assert_eq!(one.as_ref().map(Layout::slots), other.as_ref().map(Layout::slots));
                assert_eq!(one.is_some(), ahead.tiles(seq) > 0);
                let last = ahead.last_of_round(seq, until);
                assert_eq!(one.map(|layout| layout.tiles().len()), other.map(|_| ahead.tiles(last)));
                assert!(
                    last == until.min(ahead.seq())
                        || matches!(events[last as usize], Event::RoundStarted { .. })
                );
                assert_eq!(ahead.table(seq), behind.table(seq));
                let tiles = ahead.table(seq).as_ref().map_or(0, |table: &Table| table.tiles().len());
                assert_eq!(tiles, ahead.tiles(seq));
            }
        }
    }
}

#[test]
fn a_large_table_is_laid_out_in_small_steps() {
    let Played { events, .. } = matches().pop().unwrap();
    let last =
        events.iter().zip(1..).filter(|(event, _)| matches!(event, Event::Played { .. })).last().unwrap().1;
    let (mut stage, mut steps) = (stage_of(&events), 1);
    let tiles = stage.tiles(last);
    assert!(tiles > 100, "{tiles}");
    while !stage.prepare(last, 10) {
        steps += 1;
    }
    assert_eq!(steps, tiles.div_ceil(10));
    assert!(
        stage.prepare(last, 1) && stage.prepare(1, 1) && stage.prepare(0, 1) && stage.prepare(u64::MAX, 1)
    );
    assert_eq!(stage.scene(last, false), stage_of(&events).scene(last, false));
}

#[test]
fn a_tile_that_has_no_place_is_left_out_and_told_of() {
    let Played { events, .. } = matches().swap_remove(0);
    let first = events.iter().position(|event| matches!(event, Event::Played { .. })).unwrap();
    let mut stage = stage_of(&events[..=first]);
    let before = stage.tiles(first as u64 + 1);
    assert!(stage.follow(&events[first]).is_err(), "it lies already");
    assert_eq!(stage.tiles(first as u64 + 2), before);
    let scene = stage.scene(first as u64 + 2, false).unwrap();
    assert!(scene.laid.is_empty());
    let seat = |seq| stage.situation(seq).unwrap().seats.iter().map(|seat| seat.tiles).sum::<u8>();
    assert_eq!(seat(first as u64 + 1), seat(first as u64 + 2) + 1, "all else goes on");
}

#[test]
fn a_double_that_goes_out_opens_no_toes() {
    let mut found = 0;
    for seed in 1..=40 {
        let Played { events, .. } = played(RuleOptions::new(Preset::Trains, 2), seed);
        let mut stage = stage_of(&events);
        for (event, seq) in events.iter().zip(1..) {
            let Event::Played { seat, tile, .. } = event else { continue };
            let is_out = |seat: &Seat| stage.situation(seq).unwrap().seats[seat.index()].tiles == 0;
            if tile.is_double() && is_out(seat) {
                let scene = stage.scene(seq, false).unwrap();
                assert_eq!((scene.opened.len(), scene.situation.foot), (0, None));
                assert!(!stage.table(seq).unwrap().runs().iter().any(|run| {
                    run.double
                        .as_ref()
                        .is_some_and(|double| double.number == tile.low() && double.missing > 0)
                }));
                found += 1;
            }
        }
    }
    assert!(found > 2, "{found}");
}

/// Deals that were made by hand.
struct Stacked(Vec<Deal>);

impl Deals for Stacked {
    fn deal(&self, round: u8) -> Deal {
        self.0[usize::from(round) - 1].clone()
    }
}

/// The events of a match with these deals, in which the choices of another one are made for as long as they can be.
fn alike(record: &Record, deals: Vec<Deal>) -> Vec<Event> {
    let setup =
        MatchSetup { start: record.start(), deals: Box::new(Stacked(deals)), forced: ForcedMoves::Asked };
    let mut events = Vec::new();
    let mut game = Match::start(setup, &mut events).unwrap();
    let moves =
        record.rounds.iter().flat_map(|round| round.moves.iter().skip_while(|made| made.what != Deed::Start));
    for choice in moves.filter_map(|made| made.choice()) {
        let Some(decision) = game.decision() else { break };
        let Ok(entry) = game.check(decision.number, decision.seat, choice) else { break };
        game.commit(entry, &mut events).unwrap();
    }
    events
}

#[test]
fn matches_that_differ_in_hidden_tiles_alone_have_the_same_scenes_until_it_shows() {
    let mut hidden = 0;
    for seed in 1..=150 {
        let preset = if seed % 2 == 0 { Preset::Trains } else { Preset::Classic };
        let options = RuleOptions { rounds: Some(2), ..RuleOptions::new(preset, 3) };
        let Played { record, .. } = played(options, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let deals = |record: &Record| {
            let deal = |round: &chickenfoot_rules::RoundRecord| Deal {
                starting_double: round.starting_double,
                starter: round.starter,
                hands: round.hands.clone(),
                boneyard: round.boneyard.clone(),
            };
            record.rounds.iter().map(deal).collect::<Vec<_>>()
        };
        let one = alike(&record, deals(&record));
        let mut swapped = deals(&record);
        let Deal { hands, boneyard, .. } = &mut swapped[0];
        let (hand, tile) = (hands.choose_mut(&mut rng).unwrap(), boneyard.choose_mut(&mut rng).unwrap());
        std::mem::swap(hand.choose_mut(&mut rng).unwrap(), tile);
        let other = alike(&record, swapped);
        let mut stages = [Stage::default(), Stage::default()];
        for ((one, other), seq) in one.iter().zip(&other).zip(1..) {
            let public = [one, other].map(|event| event.seen_by(Viewer::Spectator));
            if public[0] != public[1] {
                break;
            }
            let events = [one, other];
            let scenes = [0, 1].map(|at| {
                stages[at].follow(events[at]).unwrap();
                stages[at].scene(seq, false).unwrap()
            });
            assert_eq!(scenes[0], scenes[1]);
            // The text as well: it is what a log or a carelessly made message would carry.
            assert_eq!(format!("{:?}", scenes[0]), format!("{:?}", scenes[1]));
            hidden += usize::from(one != other && !matches!(one, Event::HandDealt { .. }));
        }
    }
    assert!(hidden > 40, "only {hidden} draws and passes differed in what is hidden");
}

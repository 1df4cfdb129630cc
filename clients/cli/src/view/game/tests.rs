use std::time::Duration;

use chickenfoot_bot::local::{LocalMatch, MakeBot, play};
use chickenfoot_bot::strategy_bots;
use chickenfoot_picture::Style as Branches;
use chickenfoot_protocol::v1::{self, event::What};
use chickenfoot_rules::{Preset, RuleOptions, Seed};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use tokio::time::Instant;

use super::{Game, Wish};
use crate::replay::film::{Outlines, about, moments};
use crate::view::key::Key;
use crate::view::link::Link;
use crate::view::paint::Look;
use crate::view::shot::{LOOK, buffer, compare, text};

/// A match of two rounds among four seats, with what its watch says.
fn played(names: [&str; 4]) -> (v1::Match, Vec<(v1::Event, v1::Scene)>) {
    let rules = RuleOptions { rounds: Some(2), ..RuleOptions::new(Preset::Trains, 4) };
    let seat = |name: &str| {
        let mut make = strategy_bots("greedy", 1).unwrap();
        let make: MakeBot = Box::new(move |game| make(game));
        (name.to_owned(), make)
    };
    let seats = names.into_iter().map(seat).collect();
    let record =
        play(LocalMatch { rules: rules.resolve().unwrap(), seed: Seed::new([5; 32]), seats }).unwrap();
    let about = v1::Match { id: "0123456789abcdef0123456789abcdef".to_owned(), ..about(&record) };
    (about, moments(&record, Outlines::With))
}

const NAMES: [&str; 4] = ["ann", "bob", "carla", "dave"];

/// The match as it was when it ran, at the event of this number.
fn running(seq: u64) -> Game {
    let (about, moments) = played(NAMES);
    let mut game = Game::new(&about.id, None);
    let decision_time = Some(prost_types::Duration { seconds: 30, nanos: 0 });
    game.describe(v1::Match { state: v1::MatchState::Running.into(), decision_time, head_seq: seq, ..about });
    feed(&mut game, moments, ..=seq);
    game
}

fn feed(game: &mut Game, moments: Vec<(v1::Event, v1::Scene)>, seqs: impl std::ops::RangeBounds<u64>) {
    for (event, scene) in moments {
        if seqs.contains(&event.seq) {
            game.take(event, scene, Instant::now());
        }
    }
}

fn screen(game: &mut Game, width: u16, height: u16) -> Buffer {
    buffer(width, height, LOOK, |pen, area| game.draw(pen, area))
}

fn shown(game: &mut Game) -> String {
    text(&screen(game, 80, 24))
}

fn press(game: &mut Game, keys: &[Key]) {
    for key in keys {
        assert_eq!(game.press(*key, Instant::now()), Wish::Nothing, "{key:?}");
    }
}

/// An event in the second half of the first round.
const MIDDLE: u64 = 46;

#[test]
fn a_running_match_is_shown_in_a_usual_terminal() {
    compare("match-80x24", &screen(&mut running(MIDDLE), 80, 24));
}

#[test]
fn a_small_terminal_shows_what_matters() {
    compare("match-40x12", &screen(&mut running(MIDDLE), 40, 12));
}

#[test]
fn a_large_terminal_shows_more() {
    compare("match-120x40", &screen(&mut running(MIDDLE), 120, 40));
}

#[test]
fn the_end_is_told_with_its_places() {
    let (about, moments) = played(NAMES);
    let mut game = Game::replay(about, moments, Instant::now());
    press(&mut game, &[Key::Last]);
    compare("match-end", &screen(&mut game, 80, 24));
}

#[test]
fn a_screen_of_any_size_is_drawn() {
    let mut game = running(MIDDLE);
    for (width, height) in (0..90).step_by(3).flat_map(|width| (0..30).map(move |height| (width, height))) {
        screen(&mut game, width, height);
    }
}

#[test]
fn ascii_and_no_colours_show_the_newest_tile_and_the_open_ends_all_the_same() {
    let mut game = running(MIDDLE);
    let ascii = Look { colours: false, branches: Branches::Ascii };
    let screen = buffer(80, 24, ascii, |pen, area| game.draw(pen, area));
    let text = text(&screen);
    assert!(text.is_ascii(), "{text}");
    let cells = || screen.content().iter();
    let newest: String = cells()
        .filter(|cell| cell.modifier.contains(Modifier::REVERSED | Modifier::BOLD))
        .map(|cell| cell.symbol())
        .collect();
    assert!(newest.ends_with('*') && newest.len() >= 4, "{newest}");
    assert!(text.contains(" >"), "{text}");
    assert!(cells().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
}

#[test]
fn every_event_has_its_moment_forward_and_back() {
    let (about, moments) = played(NAMES);
    let mut game = Game::replay(about, moments, Instant::now());
    let mut forward = vec![shown(&mut game)];
    for _ in 1..game.film.len() {
        press(&mut game, &[Key::StepOn]);
        forward.push(shown(&mut game));
    }
    assert!(forward.len() > 100 && forward.last().unwrap().contains("the end"));
    // Where the table is scrolled to depends on where one comes from, so it is compared where all of it is seen.
    let tall = |game: &mut Game| text(&screen(game, 80, 80));
    let mut tall_forward = Vec::new();
    press(&mut game, &[Key::First]);
    for _ in 0..forward.len() {
        tall_forward.push(tall(&mut game));
        press(&mut game, &[Key::StepOn]);
    }
    press(&mut game, &[Key::Last]);
    for expected in tall_forward.iter().rev() {
        assert_eq!(&tall(&mut game), expected);
        press(&mut game, &[Key::StepBack]);
    }
}

#[test]
fn rounds_are_leafed_through() {
    let (about, moments) = played(NAMES);
    let starts = moments.iter().filter(|(event, _)| matches!(event.what, Some(What::RoundStarted(_))));
    let starts: Vec<u64> = starts.map(|(event, _)| event.seq).collect();
    let mut game = Game::replay(about, moments, Instant::now());
    let mut at = |keys: &[Key]| {
        press(&mut game, keys);
        game.film.at() as u64
    };
    assert_eq!(at(&[]), 1, "a replay begins at the beginning");
    assert_eq!(at(&[Key::RoundOn]), starts[0]);
    assert_eq!(at(&[Key::RoundOn]), starts[1]);
    let end = at(&[Key::RoundOn]);
    assert!(end > starts[1]);
    assert_eq!(at(&[Key::RoundBack]), starts[1]);
    assert_eq!(at(&[Key::StepOn, Key::RoundBack]), starts[1]);
    assert_eq!(at(&[Key::RoundBack]), starts[0]);
    assert_eq!(at(&[Key::RoundBack, Key::StepBack, Key::StepBack]), 1);
    assert_eq!(at(&[Key::Last]), end);
}

#[test]
fn who_steps_back_stays_there_and_is_told_how_much_is_new() {
    let mut game = running(40);
    assert!(shown(&mut game).contains("event 40 of 40, LIVE"));
    press(&mut game, &[Key::StepBack, Key::StepBack]);
    feed(&mut game, played(NAMES).1, 41..=50);
    assert!(shown(&mut game).contains("event 38 of 50, 12 new"), "{}", shown(&mut game));
    press(&mut game, &[Key::Live]);
    assert!(shown(&mut game).contains("event 50 of 50, LIVE"));
}

#[test]
fn a_step_that_leads_nowhere_changes_nothing() {
    let mut game = running(40);
    press(&mut game, &[Key::StepOn, Key::RoundOn]);
    assert!(shown(&mut game).contains("event 40 of 40, LIVE"), "{}", shown(&mut game));
    press(&mut game, &[Key::StepBack, Key::StepOn, Key::StepOn]);
    assert!(!shown(&mut game).contains("LIVE"), "who left is live again only when that is asked for");
    feed(&mut game, played(NAMES).1, 41..=41);
    assert_eq!(game.film.at(), 40);
    let mut early = running(0);
    press(&mut early, &[Key::StepBack, Key::First, Key::RoundBack, Key::StepOn]);
    feed(&mut early, played(NAMES).1, ..=7);
    assert!(shown(&mut early).contains("event 7 of 7, LIVE"), "{}", shown(&mut early));
    press(&mut early, &[Key::Up, Key::Last]);
    assert!(!early.scrolled, "what is asked for is looked for, also where it is shown already");
}

#[test]
fn what_plays_by_itself_goes_on_with_the_time_and_catches_up() {
    let mut game = running(40);
    let start = Instant::now();
    let mut at = |key: Option<Key>, millis| {
        let now = start + Duration::from_millis(millis);
        if let Some(key) = key {
            game.press(key, now);
        }
        game.tick(now);
        (game.film.at(), game.playing.is_some(), game.live)
    };
    at(Some(Key::First), 0);
    assert_eq!(at(Some(Key::PlayPause), 0), (1, true, false));
    assert_eq!(at(None, 499), (1, true, false));
    assert_eq!(at(None, 500), (2, true, false));
    assert_eq!(at(None, 2000), (5, true, false));
    assert_eq!(at(Some(Key::Faster), 2250), (6, true, false));
    assert_eq!(at(Some(Key::PlayPause), 9000), (6, false, false));
    at(Some(Key::PlayPause), 10_000);
    assert_eq!(at(None, 60_000), (40, false, true), "at the end it is live");
    assert_eq!(at(Some(Key::PlayPause), 60_000), (40, false, false), "and may be stopped there");
}

#[test]
fn a_lost_connection_is_told_until_nothing_is_missing_any_more() {
    let mut game = running(40);
    game.link(Link::Down { why: "gone".to_owned() });
    assert!(shown(&mut game).contains("connection lost, trying again: gone"), "{}", shown(&mut game));
    // The service is back, and says how far the match is.
    let about = game.about.clone().unwrap();
    game.describe(v1::Match { head_seq: 52, ..about });
    game.link(Link::Up);
    assert!(shown(&mut game).contains("connection lost, 12 behind"), "{}", shown(&mut game));
    // After a loss the watch may begin with what is known already.
    feed(&mut game, played(NAMES).1, 38..=51);
    assert!(shown(&mut game).contains("connection lost, 1 behind"));
    feed(&mut game, played(NAMES).1, 52..=52);
    let text = shown(&mut game);
    assert!(!text.contains("connection lost") && text.contains("event 52 of 52, LIVE"), "{text}");
}

#[test]
fn an_open_match_tells_whom_it_waits_for() {
    let who = |who| Some(v1::SeatSpec { who: Some(who) });
    let seats = vec![
        v1::Seat { name: "ann".to_owned(), ..v1::Seat::default() },
        v1::Seat { spec: who(v1::seat_spec::Who::Agent("bob".to_owned())), ..v1::Seat::default() },
        v1::Seat { spec: who(v1::seat_spec::Who::Open(v1::OpenSeat {})), ..v1::Seat::default() },
    ];
    let mut game = Game::new("f0", None);
    game.describe(v1::Match { state: v1::MatchState::Open.into(), seats, ..v1::Match::default() });
    let text = shown(&mut game);
    assert!(
        text.contains("waiting for seat 1, which is kept for bob; seat 2, which anybody may take"),
        "{text}"
    );
}

#[test]
fn names_cannot_break_the_screen() {
    let names = [
        "\x1b[2J\x1b[31m",
        "a\u{202e}b\u{200b}\r\n",
        "東京都東京都東京都東京都東京都",
        "e\u{301}\u{1f469}\u{200d}\u{1f467}",
    ];
    let (about, moments) = played(names);
    let mut game = Game::replay(about, moments, Instant::now());
    for (width, height) in [(80, 24), (40, 12)] {
        for key in [Key::First, Key::Last] {
            press(&mut game, &[key]);
            let screen = screen(&mut game, width, height);
            for cell in screen.content() {
                let harmful = |c: char| c.is_control() || ('\u{200b}'..='\u{202e}').contains(&c);
                assert!(!cell.symbol().contains(harmful), "{:?}", cell.symbol());
            }
        }
    }
    compare("match-names", &screen(&mut game, 80, 24));
}

#[test]
fn a_table_that_is_scrolled_by_hand_stays_so_until_another_moment_is_shown() {
    let mut game = running(MIDDLE);
    screen(&mut game, 40, 12);
    let before = game.top;
    press(&mut game, &[Key::Up]);
    screen(&mut game, 40, 12);
    assert_eq!(game.top, before - 1);
    press(&mut game, &[Key::Down, Key::Down, Key::Down, Key::Down]);
    feed(&mut game, played(NAMES).1, MIDDLE + 1..=MIDDLE + 1);
    screen(&mut game, 40, 12);
    press(&mut game, &[Key::StepBack]);
    let text = text(&screen(&mut game, 40, 12));
    assert!(text.contains('*'), "the newest tile is in sight: {text}");
}

#[test]
fn the_clock_of_the_seat_on_turn_runs_while_it_is_live() {
    let mut game = running(MIDDLE);
    let came = game.came.unwrap();
    assert!(game.tick(came + Duration::from_secs(7)), "the seconds are shown");
    assert!(!game.tick(came + Duration::from_millis(7400)), "nothing else is");
    assert!(shown(&mut game).contains("thinks for 7 s of 30.0 s"), "{}", shown(&mut game));
    press(&mut game, &[Key::StepBack]);
    assert!(!shown(&mut game).contains("thinks for"));
}

#[test]
fn what_seats_took_in_all_is_told_live_though_no_scene_tells_it() {
    let mut game = running(MIDDLE);
    let mut about = game.about().unwrap().clone();
    for (seat, seconds) in about.seats.iter_mut().zip(11..) {
        let think = Some(prost_types::Duration { seconds, nanos: 0 });
        seat.ledger = Some(v1::SeatLedger { think, ..v1::SeatLedger::default() });
    }
    game.describe(about);
    let now = shown(&mut game);
    assert!((11..15).all(|seconds| now.contains(&format!("thought {seconds}.0 s"))), "{now}");
    press(&mut game, &[Key::StepBack]);
    assert!(!shown(&mut game).contains("thought"), "what they had taken then nobody told");
}

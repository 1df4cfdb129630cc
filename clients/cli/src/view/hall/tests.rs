use chickenfoot_protocol::v1;
use ratatui::buffer::Buffer;
use tokio::time::Instant;

use super::{Hall, Wish};
use crate::view::key::Key;
use crate::view::link::Link;
use crate::view::shot::{LOOK, buffer, compare, text};

fn standing(rank: u32, name: &str, [low, estimate, high]: [f64; 3]) -> v1::Standing {
    v1::Standing {
        rank,
        entrant: rank,
        name: name.to_owned(),
        blocks: 12,
        live_margin: Some(v1::Interval { estimate, low: Some(low), high: Some(high) }),
        conduct: (rank == 2).then(|| v1::Conduct { late: 1, strikes: 1, ..v1::Conduct::default() }),
        ..v1::Standing::default()
    }
}

fn message() -> v1::WatchTournamentResponse {
    let format = v1::tournament_config::Format::RoundRobin(v1::RoundRobin::default());
    v1::WatchTournamentResponse {
        tournament: Some(v1::Tournament {
            id: "f0".to_owned(),
            state: v1::TournamentState::Running.into(),
            config: Some(v1::TournamentConfig {
                name: "Spring cup".to_owned(),
                format: Some(format),
                ..v1::TournamentConfig::default()
            }),
            progress: Some(v1::TournamentProgress {
                finished_blocks: 12,
                total_blocks: 40,
                running_matches: 2,
                faults: 1,
                ..v1::TournamentProgress::default()
            }),
            ..v1::Tournament::default()
        }),
        standings: vec![
            standing(1, "search", [1.5, 6.0, 10.5]),
            standing(2, "dead-foot", [-3.25, 1.0, 5.25]),
            standing(3, "random", [-12.0, -7.0, -2.0]),
        ],
        ab: None,
    }
}

fn game(id: &str, round: u32) -> v1::Match {
    let seat = |name: &str, total| v1::Seat { name: name.to_owned(), total, ..v1::Seat::default() };
    v1::Match {
        id: id.to_owned(),
        round,
        seats: vec![seat("search", 12), seat("random", 40)],
        ..v1::Match::default()
    }
}

fn hall() -> Hall {
    let mut hall = Hall::new("f0");
    hall.take(message(), Instant::now());
    hall.play(vec![game("aaaaaaaa01", 3), game("bbbbbbbb02", 1)]);
    hall
}

fn screen(hall: &mut Hall, width: u16, height: u16) -> Buffer {
    buffer(width, height, LOOK, |pen, area| hall.draw(pen, area))
}

#[test]
fn a_tournament_is_shown_in_terminals_of_every_size() {
    let mut hall = hall();
    compare("tournament-80x24", &screen(&mut hall, 80, 24));
    compare("tournament-40x12", &screen(&mut hall, 40, 12));
    compare("tournament-120x24", &screen(&mut hall, 120, 24));
    for (width, height) in (0..100).step_by(3).flat_map(|width| (0..20).map(move |height| (width, height))) {
        screen(&mut hall, width, height);
    }
}

#[test]
fn an_ab_test_is_told_too() {
    let mut now = message();
    now.ab = Some(v1::AbStanding {
        blocks: 12,
        llr: 1.5,
        lower_bound: -2.94,
        upper_bound: 2.94,
        margin: Some(v1::Interval { estimate: 3.0, low: Some(-1.0), high: Some(7.0) }),
        ..v1::AbStanding::default()
    });
    let mut hall = Hall::new("f0");
    hall.take(now, Instant::now());
    let text = text(&screen(&mut hall, 80, 24));
    assert!(text.contains("A/B test: nothing is decided after 12 blocks"), "{text}");
    assert!(text.contains("likelihood  +1.50; not better at -2.94, better at +2.94"), "{text}");
}

#[test]
fn what_has_not_begun_and_what_is_not_listed_is_told() {
    let mut now = message();
    now.tournament.as_mut().unwrap().progress.as_mut().unwrap().running_matches = 250;
    let mut hall = hall();
    hall.take(now.clone(), Instant::now());
    assert!(text(&screen(&mut hall, 80, 24)).contains("running matches: 2 of 250"));
    let tournament = now.tournament.as_mut().unwrap();
    tournament.set_state(v1::TournamentState::Open);
    tournament.entrants = 7;
    hall.take(now, Instant::now());
    assert!(text(&screen(&mut hall, 80, 24)).contains("not started, 7 entrants so far"));
}

#[test]
fn enter_opens_the_match_under_the_mark_also_when_others_have_come_and_gone() {
    let mut hall = hall();
    assert_eq!(hall.press(Key::Open), Wish::Nothing, "a standing is no match");
    assert_eq!(hall.press(Key::Section), Wish::Nothing);
    assert_eq!(hall.press(Key::Open), Wish::Open("aaaaaaaa01".to_owned()));
    hall.press(Key::Down);
    hall.play(vec![game("cccccccc03", 1), game("aaaaaaaa01", 4), game("bbbbbbbb02", 2)]);
    assert_eq!(hall.press(Key::Open), Wish::Open("bbbbbbbb02".to_owned()));
    hall.play(Vec::new());
    assert_eq!(hall.press(Key::Open), Wish::Nothing, "it is over");
}

#[test]
fn the_mark_stays_within_the_lines() {
    let mut hall = hall();
    for key in [Key::Up, Key::RoundBack, Key::First] {
        hall.press(key);
        assert_eq!(hall.cursor, 0);
    }
    hall.press(Key::Last);
    let last = hall.cursor;
    for key in [Key::Down, Key::RoundOn, Key::Last] {
        hall.press(key);
        assert_eq!(hall.cursor, last);
    }
}

#[test]
fn a_lost_connection_is_told_and_forgotten_when_it_is_back() {
    let mut hall = hall();
    hall.link(Link::Down { why: "gone".to_owned() });
    assert!(text(&screen(&mut hall, 80, 24)).contains("connection lost, trying again: gone"));
    hall.take(message(), Instant::now());
    assert!(!text(&screen(&mut hall, 80, 24)).contains("connection lost"));
}

#[test]
fn what_is_over_has_no_running_matches() {
    let mut now = message();
    now.tournament.as_mut().unwrap().set_state(v1::TournamentState::Finished);
    let mut hall = hall();
    hall.take(now, Instant::now());
    hall.play(vec![game("aaaaaaaa01", 3)]);
    assert!(hall.is_over());
    let text = text(&screen(&mut hall, 80, 24));
    assert!(text.contains("round-robin, finished") && !text.contains("running matches"), "{text}");
}

#[test]
fn titles_and_names_cannot_break_the_screen() {
    let mut now = message();
    now.tournament.as_mut().unwrap().config.as_mut().unwrap().name = "\x1b]0;x\x07\u{202e}cup".to_owned();
    now.standings[0].name = "東京\x1b[31m".repeat(9);
    let mut hall = Hall::new("f0");
    hall.take(now, Instant::now());
    for width in [40, 80] {
        let screen = screen(&mut hall, width, 24);
        let harmful = |c: char| c.is_control() || c == '\u{202e}';
        assert!(screen.content().iter().all(|cell| !cell.symbol().contains(harmful)));
    }
    assert!(text(&screen(&mut hall, 80, 24)).contains("\u{fffd}cup"));
}

//! What a watcher sees: every event under the same number, and nothing hidden before the end.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1::event::What;
use chickenfoot_protocol::v1::watch_match_response::What as Watched;
use chickenfoot_protocol::v1::{self, session_response::What as Down};
use chickenfoot_rules::{Act, Record, Step, View};
use chickenfoot_server::{Limits, Reason, Server};
use common::{Agent, Service, Session, Wire, house, open_seat, option, rounds, within};

/// The events of a match up to this number; the match need not be over.
async fn read(client: &Client, id: &str, after: u64, to: u64) -> Vec<v1::Event> {
    let mut watch = within(client.watch(id, after)).await.unwrap();
    let mut events = Vec::new();
    while after + (events.len() as u64) < to {
        events.push(within(watch.next()).await.unwrap().expect("the match goes on"));
    }
    events
}

/// All events of a match that is over or will be.
async fn read_all(client: &Client, id: &str, after: u64) -> Vec<v1::Event> {
    let mut watch = within(client.watch(id, after)).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = within(watch.next()).await.unwrap() {
        events.push(event);
    }
    events
}

fn assert_numbered_from(events: &[v1::Event], first: u64) {
    for (event, seq) in events.iter().zip(first..) {
        assert_eq!(event.seq, seq);
    }
}

/// The seat whose secret an event shows.
fn shown(event: &v1::Event) -> Option<u32> {
    match event.what.as_ref().unwrap() {
        What::HandDealt(dealt) if !dealt.tiles.is_empty() => Some(dealt.seat),
        What::Drew(drew) if drew.tile.is_some() => Some(drew.seat),
        What::Passed(passed) if passed.kept => Some(passed.seat),
        _ => None,
    }
}

/// An event without what only some may know.
fn public(mut event: v1::Event) -> v1::Event {
    match event.what.as_mut().unwrap() {
        What::HandDealt(dealt) => dealt.tiles.clear(),
        What::Drew(drew) => drew.tile = None,
        What::Passed(passed) => passed.kept = false,
        _ => {}
    }
    event
}

/// A match in its second round that waits for an answer of ann's, so that it is certainly running.
struct Held {
    service: Service,
    ann: Agent,
    session: Session,
    id: String,
    decision: v1::Decision,
    /// The number of its last event.
    head: u64,
}

impl Held {
    async fn in_round_2(preset: v1::Preset) -> Held {
        Held::with_delay(preset, 0).await
    }

    async fn with_delay(preset: v1::Preset, spectator_delay: u32) -> Held {
        let limits = Limits { heartbeat: 1, ..Limits::default() };
        let service = Service::run(Server::in_memory(limits)).await;
        let ann = service.agent("ann").await;
        let mut session = ann.session().await;
        let mut config = rounds(3, vec![house("greedy"), ann.seat(), house("lowest")]);
        config.spectator_delay = spectator_delay;
        config.rules.as_mut().unwrap().preset = preset.into();
        let id = ann.play_in(config).await.id;
        let decision = loop {
            let decision = session.decision().await;
            let view = View::try_from(decision.view.as_ref().unwrap()).unwrap();
            let has_drawn = |step: &Step| step.act == Act::Draw;
            if view.round == 2 && view.history.iter().any(has_drawn) {
                break decision;
            }
            // The last option of the classic rules may be to keep a drawn tile, which is a secret too.
            let last = decision.options.len() as u32 - 1;
            session.choose(option(&decision, last)).await;
        };
        let head = ann.get(&id).await.head_seq;
        Held { service, ann, session, id, decision, head }
    }

    async fn finish(&mut self) -> v1::Match {
        self.session.choose(option(&self.decision, 0)).await;
        *self.session.play_on(&self.id).await.r#match.unwrap()
    }
}

#[tokio::test]
async fn while_a_match_runs_a_spectator_sees_no_hidden_tile_and_a_seat_its_own() {
    for preset in [v1::Preset::Trains, v1::Preset::Classic] {
        let mut held = Held::in_round_2(preset).await;
        let stranger = held.service.agent("stranger").await;
        let anyone = read(&held.service.anyone(), &held.id, 0, held.head).await;
        let other = read(&stranger.client, &held.id, 0, held.head).await;
        let own = read(&held.ann.client, &held.id, 0, held.head).await;
        assert_eq!(held.ann.get(&held.id).await.head_seq, held.head, "nothing happened meanwhile");
        assert_numbered_from(&anyone, 1);
        assert_eq!(anyone.iter().find_map(shown), None);
        assert_eq!(other, anyone);
        assert!(own.iter().filter_map(shown).all(|seat| seat == 1));
        assert!(own.iter().filter_map(shown).count() >= 2, "two own hands at least");
        assert_eq!(own.iter().cloned().map(public).collect::<Vec<_>>(), anyone);
        let running = held.ann.get(&held.id).await;
        assert!(running.seed.is_empty() && running.digest.is_empty());

        let over = held.finish().await;
        let anyone_after = read_all(&held.service.anyone(), &held.id, 0).await;
        let own_after = read_all(&held.ann.client, &held.id, 0).await;
        assert_eq!(anyone_after, own_after, "nothing is secret any more");
        assert_eq!(anyone_after.len() as u64, over.head_seq);
        let hidden = |event: &&v1::Event| {
            matches!(event.what, Some(What::HandDealt(_) | What::Drew(_))) && shown(event).is_none()
        };
        assert_eq!(anyone_after.iter().find(hidden), None, "everything is shown");
        let before: Vec<_> = anyone_after[..anyone.len()].iter().cloned().map(public).collect();
        assert_eq!(before, anyone);
    }
}

#[tokio::test]
async fn a_watch_may_begin_anywhere_and_the_numbers_are_the_same_live_and_later() {
    let mut held = Held::in_round_2(v1::Preset::Trains).await;
    let client = held.service.anyone();
    let (id, head) = (held.id.clone(), held.head);
    let middle = head / 2;
    let from_middle = read(&client, &id, middle, head).await;
    assert_numbered_from(&from_middle, middle + 1);
    // Opened while the match runs, read while it goes on.
    let live: Vec<_> = [0, middle, head, head + 5, u64::MAX]
        .into_iter()
        .map(|after| {
            let (client, id) = (client.clone(), id.clone());
            tokio::spawn(async move { read_all(&client, &id, after).await })
        })
        .collect();
    let over = held.finish().await;
    let all = read_all(&client, &id, 0).await;
    assert_numbered_from(&all, 1);
    assert_eq!(all.len() as u64, over.head_seq);
    let all: Vec<_> = all.into_iter().map(public).collect();
    let mut lengths = Vec::new();
    for watch in live {
        let events = within(watch).await.unwrap();
        lengths.push(events.len());
        let events: Vec<_> = events.into_iter().map(public).collect();
        assert_eq!(events, all[all.len() - events.len()..]);
    }
    let (length, head, middle) = (all.len(), head as usize, middle as usize);
    assert_eq!(lengths, [length, length - middle, length - head, length - head - 5, 0]);
    for after in [over.head_seq, over.head_seq + 1, u64::MAX] {
        assert!(read_all(&client, &id, after).await.is_empty(), "nothing comes after the end");
    }
    let last = read_all(&client, &id, over.head_seq - 1).await;
    assert!(matches!(last[..], [v1::Event { what: Some(What::MatchEnded(_)), .. }]));
}

#[tokio::test]
async fn a_match_can_be_watched_before_it_starts() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let game = ann.client.create_match(rounds(1, vec![open_seat(), house("greedy")])).await.unwrap();
    let mut early = ann.client.watch(&game.id, 0).await.unwrap();
    ann.join(&game.id, None).await;
    let first = within(early.next()).await.unwrap().unwrap();
    assert!(matches!(first.what, Some(What::MatchStarted(_))));
    let second = within(early.next()).await.unwrap().unwrap();
    assert!(matches!(second.what, Some(What::RoundStarted(_))));
    // Whoever watches from before the start is known by the seat that it took.
    let dealt = within(early.next()).await.unwrap().unwrap();
    assert_eq!(shown(&dealt), Some(0));
    let ended = session.play_on(&game.id).await.r#match.unwrap();
    assert_eq!(read_all(&ann.client, &game.id, 0).await.len() as u64, ended.head_seq);
}

#[tokio::test]
async fn a_match_that_was_aborted_before_it_started_has_no_events() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let game = ann.client.create_match(rounds(1, vec![open_seat(), open_seat()])).await.unwrap();
    let client = service.anyone();
    let id = game.id.clone();
    let mut live = client.watch(&id, 0).await.unwrap();
    ann.client.abort_match(&id).await.unwrap();
    assert_eq!(within(live.next()).await.unwrap(), None);
    assert!(read_all(&client, &id, 0).await.is_empty());
}

#[tokio::test]
async fn a_quiet_watch_and_a_quiet_session_get_heartbeats() {
    let limits = Limits { heartbeat: 1, ..Limits::default() };
    let service = Service::run(Server::in_memory(limits)).await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let game = ann.play_in(rounds(1, vec![ann.seat(), house("greedy")])).await;
    session.decision().await;
    let head = ann.get(&game.id).await.head_seq;
    let request = v1::WatchMatchRequest { match_id: game.id, after_seq: head, ..Default::default() };
    let mut watch = ann.wire.matches.clone().watch_match(request).await.unwrap().into_inner();
    let decision = within(watch.message()).await.unwrap().unwrap();
    assert!(matches!(decision.what, Some(Watched::Decision(_))), "a seat's watch has its decision");
    let beat = within(watch.message()).await.unwrap().unwrap();
    assert_eq!(beat.what, Some(Watched::Heartbeat(v1::WatchHeartbeat { head_seq: head })));
    let Down::Heartbeat(beat) = session.next().await else { panic!("the open decision is not sent twice") };
    assert_eq!(beat.open_decisions, 1);
}

/// What a watch brings before its first heartbeat, and the head that this one names.
async fn read_to_heartbeat(agent: &Wire, id: &str, after_seq: u64) -> (Vec<v1::Event>, u64) {
    let request = v1::WatchMatchRequest { match_id: id.to_owned(), after_seq, ..Default::default() };
    let mut watch = within(agent.matches.clone().watch_match(request)).await.unwrap().into_inner();
    let mut events = Vec::new();
    loop {
        match within(watch.message()).await.unwrap().unwrap().what.unwrap() {
            Watched::Event(event) => events.push(event),
            Watched::Heartbeat(beat) => return (events, beat.head_seq),
            Watched::Decision(_) | Watched::Scene(_) => {}
        }
    }
}

#[tokio::test]
async fn with_a_delay_who_has_no_seat_sees_the_match_so_many_events_late_until_it_is_over() {
    let delay = 9;
    let mut held = Held::with_delay(v1::Preset::Trains, delay).await;
    let (id, head) = (held.id.clone(), held.head);
    let late = head - u64::from(delay);
    let (own, own_head) = read_to_heartbeat(&held.ann.wire, &id, 0).await;
    assert_eq!((own.len() as u64, own_head), (head, head), "a seat sees everything at once");
    let stranger = held.service.agent("stranger").await;
    let nobody = Wire::connect(&held.service.address, None);
    for wire in [&nobody, &stranger.wire] {
        let (events, head) = read_to_heartbeat(wire, &id, 0).await;
        assert_eq!(head, late);
        assert_eq!(events, own[..late as usize].iter().cloned().map(public).collect::<Vec<_>>());
        assert_eq!(read_to_heartbeat(wire, &id, late + 2).await, (Vec::new(), late), "nor from later on");
    }
    let live = tokio::spawn({
        let (client, id) = (held.service.anyone(), id.clone());
        async move { read_all(&client, &id, 0).await }
    });
    let over = held.finish().await;
    assert_eq!(live.await.unwrap().len() as u64, over.head_seq);
    assert_eq!(read_all(&stranger.client, &id, 0).await.len() as u64, over.head_seq);
    assert_eq!(within(stranger.client.get_match(&id)).await.unwrap(), over);
}

#[tokio::test]
async fn with_a_delay_get_match_tells_no_more_than_the_watch() {
    let whole = Held::with_delay(v1::Preset::Trains, 10_000).await;
    let events = read(&whole.ann.client, &whole.id, 0, whole.head).await;
    let ended = |event: &&v1::Event| matches!(event.what, Some(What::RoundEnded(_)));
    let round_1 = events.iter().find(ended).unwrap().seq;
    let now = whole.ann.get(&whole.id).await;
    let told = |game: &v1::Match| {
        let totals: Vec<u32> = game.seats.iter().map(|seat| seat.total).collect();
        (game.round, totals, game.head_seq)
    };
    assert!(now.round == 2 && told(&now).1.iter().sum::<u32>() > 0);
    assert_eq!(told(&whole.service.anyone().get_match(&whole.id).await.unwrap()), (0, vec![0; 3], 0));
    let listed = whole.service.anyone().matches(v1::MatchState::Running, "").await.unwrap();
    assert_eq!(told(&listed.entries[0]), (0, vec![0; 3], 0));

    let late = Held::with_delay(v1::Preset::Trains, (whole.head - round_1 + 1) as u32).await;
    assert_eq!(late.head, whole.head, "the same match");
    let stranger = late.service.agent("stranger").await;
    for client in [late.service.anyone(), stranger.client.clone()] {
        let game = within(client.get_match(&late.id)).await.unwrap();
        let (round, totals, head) = told(&game);
        assert_eq!((round, totals), (1, vec![0; 3]), "the end of the round is not told yet");
        assert!(head > 0 && head < round_1, "{head}");
        let think = |game: &v1::Match| game.seats[1].ledger.unwrap().think;
        assert_ne!(think(&game), think(&late.ann.get(&late.id).await), "nor what came of later decisions");
    }
    assert_eq!(told(&late.ann.get(&late.id).await), told(&now));
}

#[tokio::test]
async fn with_a_delay_a_watch_from_before_the_start_is_a_seats_from_the_start_on() {
    // So rarely that no heartbeat helps.
    let limits = Limits { heartbeat: 600, ..Limits::default() };
    let service = Service::run(Server::in_memory(limits)).await;
    let (ann, bob) = (service.agent("ann").await, service.agent("bob").await);
    let mut session = bob.session().await;
    let mut config = rounds(1, vec![open_seat(), bob.seat()]);
    config.spectator_delay = 10_000;
    let game = ann.client.create_match(config).await.unwrap();
    let mut early = ann.client.watch(&game.id, 0).await.unwrap();
    ann.join(&game.id, None).await;
    session.accept(&game.id).await;
    session.decision().await;
    // It waits for bob, so ann is told of nothing but the events.
    let first = within(early.next()).await.unwrap().unwrap();
    assert!(matches!(first.what, Some(What::MatchStarted(_))));
}

#[tokio::test]
async fn a_delay_has_a_bound_and_is_shown() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let delayed = |spectator_delay| v1::MatchConfig {
        spectator_delay,
        ..rounds(1, vec![open_seat(), house("greedy")])
    };
    let game = ann.client.create_match(delayed(10_000)).await.unwrap();
    assert_eq!(service.anyone().get_match(&game.id).await.unwrap().spectator_delay, 10_000);
    let refused = ann.client.create_match(delayed(10_001)).await.unwrap_err();
    assert_eq!(refused.reason(), Some(Reason::FieldOutOfRange.name()));
}

#[tokio::test]
async fn a_watch_of_an_unknown_match_or_with_a_wrong_token_is_refused() {
    let service = Service::start().await;
    let missing = service.anyone().watch(&"0".repeat(32), 0).await.err().unwrap();
    assert_eq!(missing.reason(), Some(Reason::MatchNotFound.name()));
    let wrong = Client::connect(&service.address, Some("wrong")).unwrap();
    let refused = wrong.watch(&"0".repeat(32), 0).await.err().unwrap();
    assert_eq!(refused.reason(), Some(Reason::TokenInvalid.name()));
}

/// The moves of a record, in the words of the events.
fn moves(record: &Record) -> Vec<What> {
    let wire = v1::Record::from(record);
    let mut moves = Vec::new();
    for (round, number) in wire.rounds.iter().zip(1..) {
        moves.push(What::RoundStarted(v1::RoundStarted {
            round: number,
            starting_double: round.starting_double,
        }));
        for (hand, seat) in round.hands.iter().zip(0..) {
            // A record has the tiles in the order of the deal, an event in theirs.
            let mut tiles = hand.tiles.clone();
            tiles.sort_by_key(|tile| (tile.low, tile.high));
            moves.push(What::HandDealt(v1::HandDealt { seat, count: tiles.len() as u32, tiles }));
        }
        for made in &round.moves {
            let seat = made.seat;
            moves.push(match made.what.unwrap() {
                v1::recorded_move::What::Start(_) => What::StartLaid(v1::StartLaid { seat }),
                v1::recorded_move::What::Play(play) => What::Played(v1::Played { seat, play: Some(play) }),
                v1::recorded_move::What::Draw(tile) => What::Drew(v1::Drew { seat, tile: Some(tile) }),
                v1::recorded_move::What::Pass(_) => What::Passed(v1::Passed { seat, kept: false }),
                v1::recorded_move::What::Keep(_) => What::Passed(v1::Passed { seat, kept: true }),
                v1::recorded_move::What::Forfeit(_) => What::SeatForfeited(v1::SeatForfeited { seat }),
            });
        }
    }
    moves
}

#[tokio::test]
async fn a_record_tells_what_the_watch_has_shown() {
    for preset in [v1::Preset::Trains, v1::Preset::Classic] {
        let mut held = Held::in_round_2(preset).await;
        let over = held.finish().await;
        let events = read_all(&held.service.anyone(), &held.id, 0).await;
        let record = held.ann.client.record(&held.id).await.unwrap();
        assert_eq!(record.verify(), Ok(()));
        assert_eq!(record.digest.0.to_vec(), over.digest);
        let (mut shown, mut ends) = (Vec::new(), Vec::new());
        for event in events {
            match event.what.unwrap() {
                What::RoundEnded(ended) => ends.push((ended.end, ended.scores)),
                What::MatchStarted(started) => {
                    assert_eq!(started.commitment, record.commitment.0);
                    assert_eq!(started.deal_id, record.deal_id);
                }
                What::MatchEnded(ended) => {
                    assert_eq!(ended.totals, record.totals);
                    let places: Vec<u8> = ended.places.iter().map(|place| *place as u8).collect();
                    assert_eq!(places, record.places);
                }
                what => shown.push(what),
            }
        }
        assert_eq!(shown, moves(&record));
        let rounds = v1::Record::from(&record).rounds;
        assert_eq!(ends, rounds.into_iter().map(|round| (round.end, round.scores)).collect::<Vec<_>>());
    }
}

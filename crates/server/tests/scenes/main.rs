//! Scenes beside the events of a watch: what they tell is what everybody may know, the same for all, live and later.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../common/mod.rs"]
mod common;
mod raw;

use std::collections::BTreeMap;
use std::time::Duration;

use chickenfoot_picture::{Layout, Outline, Stage};
use chickenfoot_protocol::v1::event::What;
use chickenfoot_protocol::v1::watch_match_response::What as Watched;
use chickenfoot_protocol::{v1, wire_event, wire_scene};
use chickenfoot_rules::{Event, Seat, Viewer};
use chickenfoot_server::{Limits, Reason, Server};
use common::{Agent, Service, Session, house, option, rounds, within};
use futures_util::future::join_all;
use prost::Message;
use raw::{Pair, Watch};
use tonic_types::StatusExt;

/// A match of three rounds between ann and two players of the house; ann is asked first.
struct Table {
    service: Service,
    ann: Agent,
    session: Session,
    id: String,
}

impl Table {
    async fn set(limits: Limits, preset: v1::Preset, spectator_delay: u32) -> Table {
        let service = Service::run(Server::in_memory(limits)).await;
        let ann = service.agent("ann").await;
        let session = ann.session().await;
        let config = v1::MatchConfig { spectator_delay, ..config(&ann, preset) };
        let id = ann.play_in(config).await.id;
        Table { service, ann, session, id }
    }

    async fn finish(&mut self) -> v1::Match {
        *self.session.play_on(&self.id).await.r#match.unwrap()
    }

    async fn watch(&self, token: Option<&str>, after_seq: u64) -> Watch {
        Watch::open(&self.service.address, token, &self.id, after_seq, false).await
    }

    /// Everything from the start, as anyone sees it.
    async fn whole(&self) -> Vec<Pair> {
        self.watch(None, 0).await.all().await
    }
}

fn config(ann: &Agent, preset: v1::Preset) -> v1::MatchConfig {
    let mut config = rounds(3, vec![house("greedy"), ann.seat(), house("lowest")]);
    config.rules.as_mut().unwrap().preset = preset.into();
    config
}

fn bytes(what: Watched) -> Vec<u8> {
    v1::WatchMatchResponse { what: Some(what) }.encode_to_vec()
}

/// An event as a viewer gets it, byte by byte.
fn as_seen(seq: u64, event: &Event, viewer: Viewer) -> Vec<u8> {
    bytes(Watched::Event(wire_event(seq, &event.seen_by(viewer))))
}

/// Scenes without what the service measures, which comes only after the end.
fn timeless(pairs: &[Pair]) -> Vec<v1::Scene> {
    pairs.iter().map(|pair| v1::Scene { think: None, ..pair.scene() }).collect()
}

/// What a reader of scenes knows of the table.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reader {
    tiles: Vec<v1::PlacedTile>,
    open: BTreeMap<u32, v1::Slot>,
}

impl Reader {
    fn read(&mut self, scene: &v1::Scene) {
        if scene.clears {
            *self = Reader::default();
        }
        for id in &scene.closed {
            self.open.remove(id).expect("what closes was open");
        }
        self.open.extend(scene.opened.iter().map(|slot| (slot.id, *slot)));
        self.tiles.extend(scene.laid.iter().copied());
    }
}

#[tokio::test]
async fn a_scene_tells_all_viewers_the_same_and_nothing_that_only_some_may_know() {
    for preset in [v1::Preset::Trains, v1::Preset::Classic] {
        let mut table = Table::set(Limits::default(), preset, 0).await;
        let stranger = table.service.agent("stranger").await;
        let tokens = [None, Some(stranger.token.as_str()), Some(table.ann.token.as_str())];
        let watches = join_all(tokens.map(|token| table.watch(token, 0))).await;
        let live = tokio::spawn(join_all(watches.into_iter().map(Watch::all)));
        let over = table.finish().await;
        let live = within(live).await.unwrap();
        let later = table.whole().await;
        assert_eq!(later.len() as u64, over.head_seq);
        for viewer in &live {
            assert_eq!(timeless(viewer), timeless(&later));
        }
        assert_ne!(live[0], live[2], "their events differ: ann sees her own tiles");

        // What a spectator gets is made of what a spectator sees, to the last byte.
        let record = table.ann.client.record(&table.id).await.unwrap();
        let (mut stage, mut kept_back) = (Stage::default(), 0);
        for ((event, pair), seq) in record.events().iter().zip(&live[0]).zip(1..) {
            // What is read after the end shows everything.
            let [hidden, shown] =
                [Viewer::Spectator, Viewer::Afterwards].map(|eyes| as_seen(seq, event, eyes));
            assert!(pair.event == hidden || pair.event == shown, "event {seq}");
            if pair.event != shown {
                assert_eq!(pair.scene().think, None, "it would tell whether event {seq} had an alternative");
                kept_back += 1;
            }
            stage.follow(event).unwrap();
            let scene = wire_scene(seq, &stage.scene(seq, seq == 1).unwrap());
            let think = pair.scene().think;
            assert_eq!(pair.scene, bytes(Watched::Scene(v1::Scene { think, ..scene })), "scene {seq}");
        }
        assert!(kept_back > 20, "only {kept_back} events were seen before the end for certain");
    }
}

#[tokio::test]
async fn scenes_show_the_tiles_that_were_laid_and_no_other() {
    let mut table = Table::set(Limits::default(), v1::Preset::Classic, 0).await;
    table.finish().await;
    let record = table.ann.client.record(&table.id).await.unwrap();
    let (mut reader, mut ends) = (Reader::default(), 0);
    let (mut laid, mut hub) = (Vec::new(), 0);
    for pair in table.whole().await {
        let scene = pair.scene();
        reader.read(&scene);
        match pair.event().what.unwrap() {
            What::RoundStarted(started) => {
                laid.clear();
                hub = started.starting_double;
                assert_eq!((scene.clears, scene.round), (true, started.round));
            }
            What::StartLaid(_) => laid.push(v1::Tile { low: Some(hub), high: Some(hub) }),
            What::Played(played) => laid.push(played.play.unwrap().tile.unwrap()),
            What::RoundEnded(_) => {
                let layout = Layout::of_round(&record.rules, &record.rounds[ends]).unwrap();
                let as_drawn = layout.tiles().iter().map(|placed| (placed.tile, placed.area.centre));
                let as_told = reader.tiles.iter().map(|placed| {
                    let area = placed.area.unwrap();
                    let centre = chickenfoot_picture::Point { x: area.x, y: area.y };
                    ((&placed.tile.unwrap()).try_into().unwrap(), centre)
                });
                assert!(as_drawn.eq(as_told), "round {ends}");
                let open = |slot: &&chickenfoot_picture::Slot| slot.is_open(layout.tiles().len());
                assert_eq!(reader.open.len(), layout.slots().iter().filter(open).count());
                ends += 1;
            }
            _ => {}
        }
        assert_eq!(reader.tiles.iter().map(|placed| placed.tile.unwrap()).collect::<Vec<_>>(), laid);
        let numbers = reader.tiles.iter().map(|placed| placed.index);
        assert!(numbers.eq(0..laid.len() as u32));
    }
    assert_eq!(ends, 3);
}

#[tokio::test]
async fn a_watch_may_begin_anywhere_and_its_first_scene_tells_all_that_lies() {
    let mut table = Table::set(Limits::default(), v1::Preset::Trains, 0).await;
    table.finish().await;
    let whole = table.whole().await;
    let mut reader = Reader::default();
    for (at, pair) in whole.iter().enumerate() {
        reader.read(&pair.scene());
        // Every place of a round and a bit of the next one.
        if at > 150 {
            continue;
        }
        let from = table.watch(None, at as u64).await.all().await;
        let first = from[0].scene();
        assert!(first.clears && first.closed.is_empty());
        let mut here = Reader::default();
        here.read(&first);
        assert_eq!(here, reader, "from event {} on", at + 1);
        let told = |scene: v1::Scene| v1::Scene {
            clears: false,
            laid: Vec::new(),
            opened: Vec::new(),
            closed: Vec::new(),
            ..scene
        };
        assert_eq!(told(first), told(pair.scene()));
        assert_eq!(from[1..], whole[at + 1..], "byte by byte");
    }
    let head = whole.len() as u64;
    assert!(table.watch(None, head).await.all().await.is_empty());
}

#[tokio::test]
async fn a_full_cache_and_a_restart_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let server = |max_scenes| {
        Server::on_file(Limits { max_scenes, ..Limits::default() }, &folder.path().join("store")).unwrap()
    };
    let service = Service::run(server(1)).await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let mut ids = Vec::new();
    let mut live = Vec::new();
    for _ in 0..4 {
        let id = ann.play_in(config(&ann, v1::Preset::Trains)).await.id;
        // Each watch pushes the one before out of the cache; all go on.
        let watches =
            join_all([0, 0].map(|after| Watch::open(&service.address, None, &id, after, false))).await;
        live.push(tokio::spawn(join_all(watches.into_iter().map(Watch::all))));
        ids.push(id);
    }
    for id in &ids {
        // Decisions of the others that came meanwhile are sent again.
        drop(session);
        session = ann.session().await;
        session.play_on(id).await;
    }
    drop(session);
    let mut expected = Vec::new();
    for watches in live {
        let watches = within(watches).await.unwrap();
        expected.push(timeless(&watches[0]));
        assert_eq!(timeless(&watches[0]), timeless(&watches[1]));
    }
    let later = |address: String| {
        let ids = ids.clone();
        async move {
            let mut all = Vec::new();
            for id in ids.iter().chain(ids.iter().rev()) {
                all.push(Watch::open(&address, None, id, 0, false).await.all().await);
            }
            all
        }
    };
    let before = later(service.address.clone()).await;
    for (pairs, expected) in before.iter().zip(expected.iter().chain(expected.iter().rev())) {
        assert_eq!(&timeless(pairs), expected);
    }
    service.stop().await;
    for most in [1, 64] {
        let service = Service::run(server(most)).await;
        assert_eq!(later(service.address.clone()).await, before);
        service.stop().await;
    }
}

#[tokio::test]
async fn with_a_delay_scenes_are_as_late_as_their_events() {
    let delay = 9;
    let limits = Limits { heartbeat: 1, ..Limits::default() };
    let mut table = Table::set(limits, v1::Preset::Trains, delay).await;
    let decision = loop {
        let decision = table.session.decision().await;
        if decision.number > 60 {
            break decision;
        }
        table.session.choose(option(&decision, 0)).await;
    };
    let head = table.ann.get(&table.id).await.head_seq;
    // A seat sees everything at once, and its scenes are computed first.
    let own = table.watch(Some(&table.ann.token), 0).await.take(head).await;
    let late = head - u64::from(delay);
    let mut watch = table.watch(None, 0).await;
    let mut pairs = watch.take(late).await;
    let (_, next) = watch.message().await.unwrap();
    assert_eq!(
        next,
        Watched::Heartbeat(v1::WatchHeartbeat { head_seq: late }),
        "no event, and no scene either"
    );
    for (pair, own) in pairs.iter().zip(&own) {
        assert_eq!(pair.scene, own.scene, "byte by byte");
    }
    table.session.choose(option(&decision, 0)).await;
    table.finish().await;
    // Before the end, who has no seat got no hidden tile, and a seat its own alone.
    let record = table.ann.client.record(&table.id).await.unwrap();
    let events = record.events();
    for (pairs, viewer) in [(&pairs, Viewer::Spectator), (&own, Viewer::Seat(Seat::new(1).unwrap()))] {
        for ((pair, event), seq) in pairs.iter().zip(&events).zip(1..) {
            assert_eq!(pair.event, as_seen(seq, event, viewer), "event {seq}");
        }
    }
    pairs.extend(watch.all().await);
    assert_eq!(timeless(&pairs), timeless(&table.whole().await));
}

#[tokio::test]
async fn think_times_stand_on_what_was_decided_and_add_up_to_the_ledger() {
    let mut table = Table::set(Limits::default(), v1::Preset::Classic, 0).await;
    let over = table.finish().await;
    let mut think = [Duration::ZERO; 3];
    let (mut decided, mut forced) = (0, 0);
    for pair in table.whole().await {
        let seat = match pair.event().what.unwrap() {
            What::Played(played) => Some(played.seat),
            What::Passed(passed) => Some(passed.seat),
            What::Drew(_) => None,
            _ => {
                assert_eq!(pair.scene().think, None);
                continue;
            }
        };
        match (seat, pair.scene().think) {
            (Some(seat), Some(time)) => {
                think[seat as usize] += Duration::try_from(time).unwrap();
                decided += 1;
            }
            (None, Some(_)) => panic!("a draw is forced"),
            (_, None) => forced += 1,
        }
    }
    let ledgers = over.seats.iter().map(|seat| seat.ledger.unwrap().think.unwrap());
    let ledgers: Vec<Duration> = ledgers.map(|think| think.try_into().unwrap()).collect();
    assert_eq!(think.to_vec(), ledgers);
    assert!(think[1] > Duration::ZERO && decided > 20 && forced > 20, "{think:?} {decided} {forced}");
}

#[tokio::test]
async fn outlines_are_the_table_as_text_and_come_only_with_scenes() {
    let mut table = Table::set(Limits::default(), v1::Preset::Trains, 0).await;
    table.finish().await;
    let record = table.ann.client.record(&table.id).await.unwrap();
    let pairs = Watch::open(&table.service.address, None, &table.id, 0, true).await.all().await;
    let plain = table.whole().await;
    let mut ends = record.rounds.iter();
    let mut lies = false;
    for (pair, plain) in pairs.iter().zip(&plain) {
        let scene = pair.scene();
        assert_eq!(v1::Scene { outline: String::new(), ..scene.clone() }, plain.scene());
        match pair.event().what.unwrap() {
            What::RoundStarted(_) => lies = false,
            What::StartLaid(_) => lies = true,
            What::RoundEnded(_) => {
                let layout = Layout::of_round(&record.rules, ends.next().unwrap()).unwrap();
                assert_eq!(scene.outline, Outline::UNBROKEN.render(layout.table()));
            }
            What::Played(played) => {
                let tile = played.play.unwrap().tile.unwrap();
                let mark = scene.outline.matches('*').count();
                assert_eq!(mark, 1, "{tile:?} is marked in {}", scene.outline);
            }
            _ => {}
        }
        assert_eq!(scene.outline.is_empty(), !lies);
    }
    let request = v1::WatchMatchRequest { match_id: table.id.clone(), outlines: true, ..Default::default() };
    let refused = within(table.ann.wire.matches.clone().watch_match(request)).await.unwrap_err();
    let details = refused.get_error_details();
    assert_eq!(details.error_info().unwrap().reason, Reason::FieldOutOfRange.name());
    assert_eq!(details.bad_request().unwrap().field_violations[0].field, "outlines");
}

#[tokio::test]
async fn a_decision_comes_after_the_scene_of_the_event_before_it() {
    let mut table = Table::set(Limits::default(), v1::Preset::Trains, 0).await;
    let mut watch = table.watch(Some(&table.ann.token), 0).await;
    let decision = table.session.decision().await;
    let (mut last, mut told, mut on_turn) = (0, 0, None);
    let asked = loop {
        match watch.message().await.unwrap().1 {
            Watched::Event(event) => last = event.seq,
            Watched::Scene(scene) => {
                assert_eq!(scene.seq, last);
                (told, on_turn) = (scene.seq, scene.on_turn);
            }
            Watched::Decision(decision) => break decision,
            Watched::Heartbeat(_) => {}
        }
    };
    assert_eq!((asked.number, u64::from(asked.number)), (decision.number, told + 1));
    assert_eq!(on_turn, Some(1));
}

#[tokio::test]
async fn who_does_not_ask_gets_no_scenes() {
    let mut table = Table::set(Limits::default(), v1::Preset::Trains, 0).await;
    table.finish().await;
    let request = v1::WatchMatchRequest { match_id: table.id.clone(), ..Default::default() };
    let mut watch = within(table.ann.wire.matches.clone().watch_match(request)).await.unwrap().into_inner();
    while let Some(message) = within(watch.message()).await.unwrap() {
        assert!(!matches!(message.what, Some(Watched::Scene(_))));
    }
}

#[tokio::test]
async fn the_bot_client_brings_events_with_their_scenes() {
    let mut table = Table::set(Limits::default(), v1::Preset::Trains, 0).await;
    let mut live = within(table.ann.client.watch_scenes(&table.id, 0, false)).await.unwrap();
    let first = within(live.next()).await.unwrap().unwrap();
    assert_eq!((first.0.seq, first.1.seq), (1, 1));
    let over = table.finish().await;
    let mut pairs = vec![first];
    while let Some(pair) = within(live.next()).await.unwrap() {
        pairs.push(pair);
    }
    assert_eq!(pairs.len() as u64, over.head_seq);
    let scenes = pairs.into_iter().map(|(_, scene)| v1::Scene { think: None, ..scene });
    assert!(scenes.eq(timeless(&table.whole().await)), "other scenes than those of the wire");
    let mut outlined =
        within(table.service.anyone().watch_scenes(&table.id, over.head_seq - 1, true)).await.unwrap();
    let (_, scene) = within(outlined.next()).await.unwrap().unwrap();
    assert!(scene.clears && scene.outline.contains('>'), "{}", scene.outline);
    assert_eq!(within(outlined.next()).await.unwrap(), None);
}

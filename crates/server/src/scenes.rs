use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use chickenfoot_arena::{Told, Watch};
use chickenfoot_picture::{Layout, Outline, Stage, Style, Table};
use chickenfoot_protocol::{v1, wire_scene};
use chickenfoot_rules::Situation;
use chickenfoot_store::{MatchId, MatchState};
use tracing::error;

use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::State;
use crate::wire::wire_duration;

/// Events that are followed, and tiles that are laid out, before others get their turn.
const EVENTS: usize = 64;
const TILES: usize = 4;

/// The pictures of matches, each computed once for all who look.
///
/// Those that were asked for last are kept, up to a limit. One that somebody holds is shared beyond that.
pub(crate) struct Scenes {
    most: usize,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    known: HashMap<MatchId, Known>,
    /// The kept ones, the one that was asked for the longest time ago first.
    kept: BTreeMap<u64, Arc<SharedStage>>,
    /// Counts what is asked for.
    clock: u64,
    /// How many may be known before those are forgotten that are no more.
    room: usize,
}

struct Known {
    stage: Weak<SharedStage>,
    /// When it was asked for last.
    asked: u64,
}

/// A stage that all readers of a match share. It may have come further than some of them may see.
#[derive(Default)]
pub(crate) struct SharedStage(Mutex<Stage>);

impl Scenes {
    pub(crate) fn new(most: u32) -> Scenes {
        Scenes { most: most as usize, shelf: Mutex::default() }
    }

    /// The stage of a match; an empty one if there was none.
    pub(crate) fn of(&self, id: MatchId) -> Arc<SharedStage> {
        let mut shelf = lock(&self.shelf);
        shelf.clock += 1;
        let asked = shelf.clock;
        let known = shelf.known.get(&id).and_then(|known| Some((known.stage.upgrade()?, known.asked)));
        let stage = match known {
            Some((stage, before)) => {
                shelf.kept.remove(&before);
                stage
            }
            None => Arc::default(),
        };
        shelf.known.insert(id, Known { stage: Arc::downgrade(&stage), asked });
        shelf.kept.insert(asked, Arc::clone(&stage));
        while shelf.kept.len() > self.most {
            shelf.kept.pop_first();
        }
        if shelf.known.len() > shelf.room {
            shelf.known.retain(|_, known| known.stage.strong_count() > 0);
            shelf.room = 2 * shelf.known.len() + 64;
        }
        stage
    }
}

impl SharedStage {
    /// Follows the match up to an event that the watch's reader may see, and lays out the table of that moment.
    async fn reach(&self, events: &Watch, seq: u64) {
        while !self.follow(events, seq) {
            tokio::task::yield_now().await;
        }
        while !lock(&self.0).prepare(seq, TILES) {
            tokio::task::yield_now().await;
        }
    }

    /// Follows some more events. Whether it is there.
    fn follow(&self, events: &Watch, seq: u64) -> bool {
        let mut stage = lock(&self.0);
        for _ in 0..EVENTS {
            let Some(told) = events.told(stage.seq() + 1).filter(|_| stage.seq() < seq) else { return true };
            if let Err(why) = stage.follow(&told.event) {
                error!(seq = stage.seq(), %why, "a tile that was laid has no place in the picture");
            }
        }
        false
    }
}

/// The scenes of one watch.
pub(crate) struct Following {
    stage: Arc<SharedStage>,
    outlines: bool,
    /// Whether nothing was told yet.
    first: bool,
}

impl Following {
    pub(crate) fn new(stage: Arc<SharedStage>, outlines: bool) -> Following {
        Following { stage, outlines, first: true }
    }

    /// The scene of an event that the watch has brought.
    pub(crate) async fn scene(
        &mut self,
        events: &Watch,
        seq: u64,
        told: &Told,
    ) -> Result<v1::Scene, Refusal> {
        self.stage.reach(events, seq).await;
        let mut stage = lock(&self.stage.0);
        let scene = stage.scene(seq, self.first);
        let scene = scene.ok_or_else(|| Refusal::new(Reason::Internal, "the match's scenes have a gap"))?;
        self.first = false;
        let table = if self.outlines { stage.table(seq) } else { None };
        drop(stage);
        let outline = Outline { style: Style::Unicode, width: usize::MAX, line_ids: false };
        Ok(v1::Scene {
            think: told.think.map(wire_duration),
            outline: table.map(|table| outline.render(&table)).unwrap_or_default(),
            ..wire_scene(seq, &scene)
        })
    }
}

/// A moment of a match as somebody without a seat may see it now.
#[cfg_attr(not(test), expect(dead_code, reason = "no page shows it yet"))]
#[derive(Clone, Debug)]
pub(crate) struct Still {
    /// The number of the event after which it is so.
    pub(crate) seq: u64,
    /// The number of the last event that may be seen now.
    pub(crate) head_seq: u64,
    /// What is public beside the table.
    pub(crate) situation: Situation,
    /// How many tiles lie, the starting double included; 0 between the start of a round and its starting double.
    pub(crate) tiles: usize,
    /// The round as far as it may be seen now, of which the first `tiles` lie; `None` while nothing lies.
    pub(crate) layout: Option<Layout>,
    /// The table as it is; `None` while nothing lies.
    pub(crate) table: Option<Table>,
}

impl State {
    /// A moment of a match: after an event, or after the last one that somebody without a seat may see by now.
    ///
    /// # Errors
    /// There is no such match, it has not begun as far as may be seen, or the event is none that may be seen.
    #[cfg_attr(not(test), expect(dead_code, reason = "no page shows it yet"))]
    pub(crate) async fn still(&self, id: MatchId, seq: Option<u64>) -> Result<Still, Refusal> {
        let row = self.arena.row(id).await.map_err(Refusal::from)?;
        let not_begun = || Refusal::new(Reason::MatchNotStarted, "nothing of the match can be seen yet");
        let stage = self.scenes.of(id);
        // What is over and was followed to its end needs no log.
        let whole = row.summary.as_ref().map(|summary| summary.head_seq);
        let is_over = matches!(row.state, MatchState::Finished | MatchState::Aborted(_));
        let whole = whole.filter(|head| is_over && lock(&stage.0).seq() >= *head);
        let events = match whole {
            Some(_) => None,
            None if row.state == MatchState::Open => return Err(not_begun()),
            None => {
                let events = self.arena.watch(id, 0).await.map_err(Refusal::from)?;
                events.begun().await;
                Some(events)
            }
        };
        let head_seq = whole.or(events.as_ref().map(Watch::head_seq)).unwrap_or_default();
        if head_seq == 0 {
            return Err(not_begun());
        }
        let seq = seq.unwrap_or(head_seq);
        if !(1..=head_seq).contains(&seq) {
            let message = format!("seq must be 1 to {head_seq}, the last event that can be seen, not {seq}");
            return Err(Refusal::new(Reason::FieldOutOfRange, message).field("seq"));
        }
        if let Some(events) = &events {
            stage.reach(events, head_seq).await;
        }
        while !lock(&stage.0).prepare(seq, TILES) {
            tokio::task::yield_now().await;
        }
        let mut stage = lock(&stage.0);
        Ok(Still {
            seq,
            head_seq,
            situation: stage.situation(seq).cloned().ok_or_else(not_begun)?,
            tiles: stage.tiles(seq),
            layout: stage.layout(seq, head_seq),
            table: stage.table(seq),
        })
    }
}

/// Nothing can panic halfway through a change that others could see.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

use std::collections::BTreeMap;
use std::time::Duration;

use chickenfoot_picture::Table;
use chickenfoot_protocol::v1::{self, event::What};

use crate::story::Story;

/// All events of a match so far, and the moment of it that is shown: the one after the first `at` events.
#[derive(Default)]
pub(crate) struct Film {
    frames: Vec<Frame>,
    /// Where the rounds begin, by the frame's position, and the story up to there.
    rounds: BTreeMap<usize, Story>,
    /// The story up to the last frame.
    newest: Story,
    /// The story up to the moment that is shown.
    shown: Story,
    at: usize,
}

/// An event, and what is known after it.
pub(crate) struct Frame {
    pub(crate) event: v1::Event,
    /// The event in words.
    pub(crate) text: String,
    /// What everybody may know after it.
    pub(crate) scene: v1::Scene,
}

impl Film {
    /// Takes the next event with its scene. One that was there already, as after a lost connection, is passed over.
    pub(crate) fn push(&mut self, event: v1::Event, scene: v1::Scene) -> bool {
        if event.seq <= self.last_seq() {
            return false;
        }
        if matches!(event.what, Some(What::RoundStarted(_))) {
            self.rounds.insert(self.frames.len(), self.newest.clone());
        }
        let text = follow(&mut self.newest, &event);
        // Where the tiles lie is not needed for the outline, so it is not kept.
        let (laid, opened, closed, outline) = (Vec::new(), Vec::new(), Vec::new(), String::new());
        self.frames.push(Frame { event, text, scene: v1::Scene { laid, opened, closed, outline, ..scene } });
        true
    }

    /// How many events there are.
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// How many events the moment that is shown comes after.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The number of the last event.
    pub(crate) fn last_seq(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.event.seq)
    }

    /// Whether the last event is the end.
    pub(crate) fn is_over(&self) -> bool {
        let last = self.frames.last().and_then(|frame| frame.event.what.as_ref());
        matches!(last, Some(What::MatchEnded(_) | What::MatchAborted(_)))
    }

    /// Shows the moment after so many events; `false` if there are not as many, or it is shown already.
    pub(crate) fn go(&mut self, at: usize) -> bool {
        if at == self.at || at > self.frames.len() {
            return false;
        }
        // A story goes only forward, so a step back begins at the start of the round.
        let (from, story) = if at > self.at {
            (self.at, None)
        } else {
            let round = self.rounds.range(..at).next_back();
            round.map_or((0, Some(Story::default())), |(from, story)| (*from, Some(story.clone())))
        };
        self.shown = story.unwrap_or_else(|| std::mem::take(&mut self.shown));
        for frame in &self.frames[from..at] {
            follow(&mut self.shown, &frame.event);
        }
        self.at = at;
        true
    }

    /// The moment at which the round that is shown begins, or the one before it if that is shown.
    pub(crate) fn round_before(&self) -> usize {
        let starts = self.rounds.keys().map(|start| start + 1);
        starts.rev().find(|start| *start < self.at).unwrap_or(1)
    }

    /// The moment at which the next round begins; without one, the end.
    pub(crate) fn round_after(&self) -> usize {
        self.rounds.keys().map(|start| start + 1).find(|start| *start > self.at).unwrap_or(self.len())
    }

    /// The event that is shown, and what is known after it.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.past().last()
    }

    /// The events up to the moment that is shown.
    pub(crate) fn past(&self) -> &[Frame] {
        &self.frames[..self.at]
    }

    /// The table at the moment that is shown.
    pub(crate) fn table(&self) -> Option<&Table> {
        self.shown.table()
    }

    /// The story up to the moment that is shown.
    pub(crate) fn story(&self) -> &Story {
        &self.shown
    }

    /// What everybody may know at the moment that is shown.
    pub(crate) fn scene(&self) -> Option<&v1::Scene> {
        Some(&self.frame()?.scene)
    }

    /// The time that a seat took for its decisions up to the moment that is shown, as far as it was told.
    pub(crate) fn think(&self, seat: u32) -> Option<Duration> {
        let times = self.past().iter().filter(|frame| actor(&frame.event) == Some(seat));
        let times = times.filter_map(|frame| frame.scene.think).map(time);
        times.reduce(Duration::saturating_add)
    }
}

/// A duration of the wire; what cannot be one is none.
pub(crate) fn time(wire: prost_types::Duration) -> Duration {
    Duration::try_from(wire).unwrap_or_default()
}

/// Whose decision led to an event, if one did.
fn actor(event: &v1::Event) -> Option<u32> {
    match event.what.as_ref()? {
        What::StartLaid(it) => Some(it.seat),
        What::Played(it) => Some(it.seat),
        What::Drew(it) => Some(it.seat),
        What::Passed(it) => Some(it.seat),
        What::SeatForfeited(it) => Some(it.seat),
        What::MatchStarted(_)
        | What::RoundStarted(_)
        | What::HandDealt(_)
        | What::RoundEnded(_)
        | What::MatchEnded(_)
        | What::MatchAborted(_) => None,
    }
}

/// What means nothing is told as such, and the rest goes on.
fn follow(story: &mut Story, event: &v1::Event) -> String {
    story.follow(event).unwrap_or_else(|why| format!("something that means nothing: {why}"))
}

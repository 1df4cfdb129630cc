use chickenfoot_rules::{End, Event, LineId, Onlooker, Seat, Seen, Situation, Terms, Tile, Viewer};

use crate::geometry::Bounds;
use crate::layout::{Layout, Placed, Slot};
use crate::table::{Misfit, Table};

/// A match as everybody sees it, moment by moment: what is public after each event, and how the table lies.
///
/// It is fed the events in their order and can be asked about any of them, in any order and at any time: what it says of a
/// moment follows from the events up to it alone. A round is laid out when somebody first asks for a moment in it.
///
/// ```
/// # use chickenfoot_rules::*;
/// # let rules = RuleOptions::new(Preset::Trains, 2).resolve()?;
/// # let seats = ["ann", "bob"].map(|name| Contributor { name: name.into(), entropy: Entropy::default() }).to_vec();
/// # let seed = Seed::new([7; 32]);
/// # let setup = MatchSetup::seeded(MatchStart::new(rules, "m", &seed, seats), &seed, ForcedMoves::Automatic);
/// # let mut events = Vec::new();
/// # let mut game = Match::start(setup, &mut events)?;
/// use chickenfoot_picture::Stage;
///
/// let mut stage = Stage::default();
/// for event in &events {
///     stage.follow(event)?;
/// }
/// // The match began, the round began, two hands were dealt, and then the starting double was laid.
/// let scene = stage.scene(5, false).expect("there were five events");
/// assert_eq!((scene.situation.round, scene.laid.len(), scene.opened.len()), (1, 1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Stage {
    onlooker: Onlooker,
    moments: Vec<Moment>,
    rounds: Vec<Act>,
    placed: u64,
}

/// What is so after one event.
#[derive(Debug)]
struct Moment {
    situation: Situation,
    /// How many rounds have begun.
    round: usize,
    /// How many tiles lie on the table, the starting double included.
    tiles: usize,
}

/// A round on the table.
#[derive(Debug)]
struct Act {
    terms: Terms,
    starting_double: u8,
    /// Whether the starting double lies.
    begun: bool,
    plays: Vec<Play>,
    /// Knows which plays have a place.
    table: Table,
    /// Whose hand is empty.
    out: Option<Seat>,
    /// As far as somebody has asked for.
    layout: Option<Layout>,
}

/// A tile, the number that it was laid on, and its arm or toe.
type Play = (Tile, u8, LineId);

/// A moment of a match as everybody may see it, as a change of the moment before: to draw the table it is enough to follow
/// the scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What is public beside the tiles on the table.
    pub situation: Situation,
    /// Whether nothing of what scenes told before is there any more.
    pub clears: bool,
    /// The tiles that were laid, each with its number in the round, from 0.
    pub laid: Vec<(usize, Placed)>,
    /// The places that came for a next tile, each with its number in the round, from 0.
    pub opened: Vec<(usize, Slot)>,
    /// The numbers of the places that are no more.
    pub closed: Vec<usize>,
    /// What all tiles and places of the round so far fit in; `None` while nothing lies.
    pub bounds: Option<Bounds>,
}

impl Stage {
    /// Follows the next event, of which it takes what everybody sees.
    ///
    /// # Errors
    /// The tile that was laid has no place. Then the tile is in no picture; all else is as it would be. The events of a
    /// match never do that.
    pub fn follow(&mut self, event: &Event) -> Result<(), Misfit> {
        let seen = event.seen_by(Viewer::Spectator);
        self.onlooker.see(&seen);
        let situation = self.onlooker.situation().clone();
        let outcome = self.put(&seen, &situation);
        let (round, tiles) = (self.rounds.len(), self.rounds.last().map_or(0, Act::tiles));
        self.moments.push(Moment { situation, round, tiles });
        outcome
    }

    /// How many events it has followed: the number of the last one.
    pub fn seq(&self) -> u64 {
        self.moments.len() as u64
    }

    /// What is public after an event, by its number from 1; `None` if it has not come.
    pub fn situation(&self, seq: u64) -> Option<&Situation> {
        self.moment(seq).map(|moment| &moment.situation)
    }

    /// The scene of an event, by its number from 1; `None` if it has not come. The `first` scene for a reader tells all
    /// that lies.
    pub fn scene(&mut self, seq: u64, first: bool) -> Option<Scene> {
        let Moment { situation, round, tiles: to } = self.moment(seq)?;
        let (situation, round, to) = (situation.clone(), *round, *to);
        let before = self.moment(seq - 1).filter(|before| !first && before.round == round);
        let from = before.map(|before| before.tiles);
        let mut scene = Scene {
            situation,
            clears: from.is_none(),
            laid: Vec::new(),
            opened: Vec::new(),
            closed: Vec::new(),
            bounds: None,
        };
        let Some(layout) = self.laid_out(round, to) else { return Some(scene) };
        let from = from.unwrap_or_default();
        let was_open = |slot: &Slot| from > 0 && slot.is_open(from);
        for (id, slot) in layout.slots().iter().enumerate() {
            match (was_open(slot), slot.is_open(to)) {
                // That it will be taken is of a later moment.
                (false, true) => scene.opened.push((id, Slot { until: None, ..*slot })),
                (true, false) => scene.closed.push(id),
                (true, true) | (false, false) => {}
            }
        }
        scene.laid = (from..to).filter_map(|index| Some((index, *layout.tiles().get(index)?))).collect();
        scene.bounds = Some(layout.bounds_after(to));
        Some(scene)
    }

    /// Lays out at most so many tiles of those that the moment of an event needs. Whether all are laid out: then
    /// [`Stage::scene`] costs next to nothing. To do a large table in small steps.
    pub fn prepare(&mut self, seq: u64, at_most: usize) -> bool {
        let Some(&Moment { round, tiles, .. }) = self.moment(seq) else { return true };
        let done = |stage: &Stage| stage.rounds.get(round.wrapping_sub(1)).map_or(0, Act::done);
        let before = done(self);
        if before < tiles {
            self.laid_out(round, tiles.min(before + at_most.max(1)));
        }
        let after = done(self);
        // What has no place is not waited for.
        after >= tiles || after == before
    }

    /// How many tiles it has laid out so far: what its pictures cost. Each tile once, whoever asks and how often, but for a
    /// [`Stage::layout`] that may show less than others have asked for.
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// The last event, up to a later one, of the round of an event; the event itself if none of them has come.
    pub fn last_of_round(&self, seq: u64, until: u64) -> u64 {
        let Some(Moment { round, .. }) = self.moment(seq) else { return seq };
        let known = until.clamp(seq, self.seq());
        // The moments of a round come one after the other.
        let moments = self.moments.iter().take(usize::try_from(known).unwrap_or(usize::MAX));
        moments.skip(seq as usize).take_while(|moment| moment.round == *round).count() as u64 + seq
    }

    /// How many tiles lie after an event; 0 between the start of a round and its starting double, and if the event has not
    /// come.
    pub fn tiles(&self, seq: u64) -> usize {
        self.moment(seq).map_or(0, |moment| moment.tiles)
    }

    /// The table after an event; `None` while nothing lies, and if it has not come.
    pub fn table(&self, seq: u64) -> Option<Table> {
        let (act, tiles) = self.act(seq)?;
        Some(act.table_after(tiles))
    }

    /// The layout of the round of an event as far as it had come with a later one, in which the first [`Stage::tiles`] are
    /// those of the event: so the pictures of a round may lie upon each other. `None` while nothing lies, and if the event
    /// has not come.
    pub fn layout(&mut self, seq: u64, until: u64) -> Option<Layout> {
        let (act, _) = self.act(seq)?;
        let round = self.moment(seq)?.round;
        let tiles = self.tiles(self.last_of_round(seq, until));
        if act.done() > tiles {
            // Somebody is further than this reader may be, and a layout shows how far it reaches.
            let layout = act.lay_out(None, tiles);
            self.placed += tiles as u64;
            return Some(layout);
        }
        self.laid_out(round, tiles).cloned()
    }

    fn put(&mut self, seen: &Seen, situation: &Situation) -> Result<(), Misfit> {
        if let (Seen::RoundStarted { starting_double, .. }, Some(rules)) = (seen, self.onlooker.rules()) {
            let terms = Terms::from(rules);
            self.rounds.push(Act {
                terms,
                starting_double: *starting_double,
                begun: false,
                plays: Vec::new(),
                table: Table::new(&terms, *starting_double),
                out: None,
                layout: None,
            });
        }
        let Some(act) = self.rounds.last_mut() else { return Ok(()) };
        match seen {
            Seen::StartLaid { .. } => act.begun = true,
            Seen::Played { seat, tile, end, line } => {
                let line = act.table.lay(*tile, *end, Some(*line))?;
                act.plays.push((*tile, *end, line));
                let is_empty = situation.seats.get(seat.index()).is_some_and(|seat| seat.tiles == 0);
                act.out = is_empty.then_some(*seat);
            }
            Seen::RoundEnded { end: End::Out(seat), .. } => act.out = Some(*seat),
            _ => {}
        }
        Ok(())
    }

    /// The layout of a round, counted from 1, with at least so many tiles of those that lie; `None` without any.
    fn laid_out(&mut self, round: usize, tiles: usize) -> Option<&Layout> {
        let act = self.rounds.get_mut(round.checked_sub(1)?).filter(|_| tiles > 0)?;
        let done = act.done();
        let layout = act.layout.take();
        let layout = act.lay_out(layout, tiles);
        self.placed += (layout.tiles().len() - done) as u64;
        Some(act.layout.insert(layout))
    }

    fn moment(&self, seq: u64) -> Option<&Moment> {
        self.moments.get(usize::try_from(seq.checked_sub(1)?).ok()?)
    }

    /// The round of an event if something lies, and how many tiles.
    fn act(&self, seq: u64) -> Option<(&Act, usize)> {
        let moment = self.moment(seq).filter(|moment| moment.tiles > 0)?;
        Some((self.rounds.get(moment.round.checked_sub(1)?)?, moment.tiles))
    }
}

impl Act {
    /// How many tiles lie.
    fn tiles(&self) -> usize {
        if self.begun { 1 + self.plays.len() } else { 0 }
    }

    /// How many tiles are laid out.
    fn done(&self) -> usize {
        self.layout.as_ref().map_or(0, |layout| layout.tiles().len())
    }

    /// Goes on with a layout, or begins one, until it has so many tiles.
    fn lay_out(&self, layout: Option<Layout>, tiles: usize) -> Layout {
        let mut layout = layout.unwrap_or_else(|| Layout::new(&self.terms, self.starting_double));
        let done = layout.tiles().len();
        for (tile, end, line) in self.plays.iter().take(tiles.saturating_sub(1)).skip(done.saturating_sub(1))
        {
            // The table has found each of them a place before.
            let _ = layout.place(*tile, *end, Some(*line));
        }
        if let Some(seat) = self.out.filter(|_| layout.tiles().len() == self.tiles()) {
            layout.finish(End::Out(seat));
        }
        layout
    }

    fn table_after(&self, tiles: usize) -> Table {
        let mut table = Table::new(&self.terms, self.starting_double);
        for (tile, end, line) in self.plays.iter().take(tiles.saturating_sub(1)) {
            let _ = table.lay(*tile, *end, Some(*line));
        }
        if let Some(seat) = self.out.filter(|_| tiles == self.tiles()) {
            table.finish(End::Out(seat));
        }
        table
    }
}

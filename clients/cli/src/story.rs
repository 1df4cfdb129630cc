mod events;

use chickenfoot_picture::Table;
use chickenfoot_rules::{Deed, End, LineId, Rules, Terms, Tile};

use crate::error::Failure;
use crate::output::Output;
use crate::text::{clean, columns, fit};

pub(crate) use events::rules_text;

/// Tells a match to people, a line for each event, and keeps the table to draw it.
///
/// It judges nothing: what does not fit is told all the same and left out of the drawing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story {
    names: Vec<String>,
    /// Of the widest name.
    width: usize,
    /// The marks of the seats that the reader plays.
    own: Vec<u32>,
    terms: Option<Terms>,
    table: Option<Table>,
    round: u8,
    /// Of the whole match.
    rounds: Option<u8>,
    steps: usize,
}

/// What a seat did, as far as the reader may know.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    Start,
    Play { tile: Tile, end: u8, line: Option<LineId> },
    Draw(Option<Tile>),
    Pass,
    Keep,
    Forfeit,
}

impl From<Deed> for Act {
    fn from(deed: Deed) -> Act {
        match deed {
            Deed::Start => Act::Start,
            Deed::Play { tile, end, line } => Act::Play { tile, end, line: Some(line) },
            Deed::Draw(tile) => Act::Draw(Some(tile)),
            Deed::Pass => Act::Pass,
            Deed::Keep => Act::Keep,
            Deed::Forfeit => Act::Forfeit,
        }
    }
}

impl Story {
    /// A match between these seats.
    pub(crate) fn new(names: &[String], rules: &Rules) -> Story {
        let mut story = Story::default();
        story.begin(names, rules);
        story
    }

    /// Marks a seat as the reader's own.
    pub(crate) fn own(&mut self, seat: u32) {
        if !self.own.contains(&seat) {
            self.own.push(seat);
        }
    }

    fn begin(&mut self, names: &[String], rules: &Rules) {
        self.names = names.iter().map(clean).collect();
        self.terms = Some(Terms::from(rules));
        self.rounds = Some(rules.rounds());
        self.width = (0..).zip(names).map(|(seat, _)| columns(&self.name(seat))).max().unwrap_or(0);
    }

    /// A new round begins with an empty table.
    pub(crate) fn begin_round(&mut self, round: u8, double: u8) {
        self.round = round;
        self.steps = 0;
        self.table = self.terms.as_ref().map(|terms| Table::new(terms, double));
    }

    /// How far the story is: the round, and what its seats did in it.
    pub(crate) fn at(&self) -> (u8, usize) {
        (self.round, self.steps)
    }

    /// The seats' names.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// A seat's number and name. Names alone would not do: the house may sit on several seats.
    pub(crate) fn name(&self, seat: u32) -> String {
        let name = self.names.get(seat as usize).map_or("?", String::as_str);
        let own = if self.own.contains(&seat) { " (you)" } else { "" };
        format!("{seat} {name}{own}")
    }

    /// The same, as wide as that of every other seat.
    pub(crate) fn column(&self, seat: u32) -> String {
        fit(&self.name(seat), self.width)
    }

    /// Follows what a seat did and says it.
    pub(crate) fn act(&mut self, act: Act) -> String {
        if !matches!(act, Act::Forfeit) {
            self.steps += 1;
        }
        match act {
            Act::Start => match &self.table {
                Some(table) => format!("starts with {0}-{0}", table.hub().number),
                None => "starts".to_owned(),
            },
            Act::Play { tile, end, line } => {
                let laid = self.table.as_mut().and_then(|table| table.lay(tile, end, line).ok());
                match line.or(laid) {
                    Some(line) => format!("plays {tile} on {end} {line}"),
                    None => format!("plays {tile} on {end}"),
                }
            }
            Act::Draw(Some(tile)) => format!("draws {tile}"),
            Act::Draw(None) => "draws".to_owned(),
            Act::Pass => "passes".to_owned(),
            Act::Keep => "keeps the drawn tile".to_owned(),
            Act::Forfeit => "gives up: the first option is played from here on".to_owned(),
        }
    }

    /// Tells the end of a round and draws its table.
    pub(crate) fn end_round(
        &mut self,
        end: End,
        scores: &[u32],
        margin: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let text = self.finish(end, scores, None);
        out.line(format_args!("{margin} {text}"))?;
        self.draw(out)
    }

    /// Follows the end of a round and says it.
    fn finish(&mut self, end: End, scores: &[u32], totals: Option<&[u32]>) -> String {
        let how = match end {
            End::Out(seat) => format!("{} is out", self.name(seat.number().into())),
            End::Blocked => "blocked".to_owned(),
        };
        if let Some(table) = &mut self.table {
            table.finish(end);
        }
        let totals = totals.map(|totals| format!("; totals {}", list(totals))).unwrap_or_default();
        format!("round {} ends: {how}; scores {}{totals}", self.round, list(scores))
    }

    /// The table of the round as it is; none before the first round.
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The round's number, and how many the rules have.
    pub(crate) fn rounds(&self) -> (u8, Option<u8>) {
        (self.round, self.rounds)
    }

    /// Draws the table of the round as it is.
    pub(crate) fn draw(&self, out: &mut Output) -> Result<(), Failure> {
        match &self.table {
            None => Ok(()),
            Some(table) => out.table(table, false),
        }
    }
}

fn list(numbers: &[u32]) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(" ")
}

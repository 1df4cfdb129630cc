use std::time::{Duration, Instant};

use chickenfoot_protocol::{Malformed, v1};
use chickenfoot_rules::{Choice, Hex32, Move, Rules, Seat, View};

/// A player of one seat in one match.
///
/// Its methods may take their time: they run apart from the connection.
pub trait Bot: Send {
    /// The match begins, or goes on after a restart of the bot.
    fn start(&mut self, game: &GameInfo) {
        let _ = game;
    }

    /// The move to make: one of [`Turn::options`]. Anything else is not sent; the first option is played instead.
    fn choose(&mut self, turn: &Turn) -> Move;

    /// The match is over.
    fn end(&mut self, game: &GameInfo, end: &GameEnd) {
        let _ = (game, end);
    }
}

/// The match that a bot sits in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The match's id.
    pub match_id: String,
    /// The rules.
    pub rules: Rules,
    /// The bot's seat.
    pub seat: Seat,
    /// Who sits where, by seat.
    pub names: Vec<String>,
    /// What fixes the deals: known to all, different in every match with a drawn seed. `None` in a match of a tournament,
    /// where other matches have the same deals.
    pub commitment: Option<Hex32>,
}

/// A decision to make.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Everything that the seat may know.
    pub view: View<'static>,
    /// All legal moves in canonical order, at least one.
    pub options: Vec<Move>,
    /// Time left for the answer when the decision was sent.
    pub time_left: Duration,
    /// When the decision came. A bot that many matches ask at once is called later, while its time runs.
    pub received: Instant,
}

impl TryFrom<&v1::Decision> for Turn {
    type Error = Malformed;

    fn try_from(decision: &v1::Decision) -> Result<Turn, Malformed> {
        let view = decision.view.as_ref().ok_or_else(|| Malformed::missing("decision.view"))?;
        let view = View::try_from(view).map_err(|e| e.within("decision.view"))?;
        let option = |wire| Choice::try_from(wire).map(|choice| choice.action);
        let options: Vec<Move> = decision
            .options
            .iter()
            .map(option)
            .collect::<Result<_, _>>()
            .map_err(|e| e.within("decision.options"))?;
        if options.is_empty() {
            return Err(Malformed::missing("decision.options"));
        }
        let time_left = decision.time_left.and_then(|wire| Duration::try_from(wire).ok()).unwrap_or_default();
        Ok(Turn { view, options, time_left, received: Instant::now() })
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Whether it was played to its end; else it was aborted and the rest is of no account.
    pub finished: bool,
    /// Each seat's score, by seat. The lowest wins.
    pub totals: Vec<u32>,
    /// Each seat's place, from 1.
    pub places: Vec<u32>,
    /// The digest of all that happened.
    pub digest: Vec<u8>,
}

use chickenfoot_rules::Move;
use chickenfoot_strategy::Estimate;
use serde::Serialize;

use super::Eye;
use super::replay::Moment;

/// Something that a seat did, and what can be said of it. Figures are in pips.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The round, from 1.
    pub round: u8,
    /// The move in the round, from 1, as a record counts them.
    pub at: u32,
    /// The seat.
    pub seat: u8,
    /// What it did: `4-9 on 9`, `draw 0-5`, `pass` or `keep`.
    pub made: String,
    /// Its options with their estimates, in canonical order; empty where it had only one.
    pub options: Vec<OptionEstimate>,
    /// What its choice gave away: [`OptionEstimate::given_away`] of the chosen one; `None` where it had no choice.
    pub given_away: Option<f64>,
    /// What a draw brought each seat, by seat; `None` where nothing was drawn.
    pub luck: Option<Vec<f64>>,
    /// The expected margin of each seat in this round before it, by seat.
    pub outlook: Vec<f64>,
}

/// What is expected of one option.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionEstimate {
    /// The option, in the form of [`Step::made`].
    pub option: String,
    /// Whether it is the one that was chosen.
    pub chosen: bool,
    /// The expected margin in this round.
    pub value: f64,
    /// Its standard error; `None` if it cannot be told.
    pub error: Option<f64>,
    /// How far it is behind the best option.
    pub behind: f64,
    /// The standard error of that; `None` if it cannot be told.
    pub behind_error: Option<f64>,
    /// By how much the option that is best on one half of the deals is better than this one on the other half; the mean of
    /// both ways round, see [`Estimate::given_away`].
    pub given_away: f64,
    /// Deals that it was tried on.
    pub deals: u32,
}

impl Eye {
    /// Looks at one moment. `at` tells it apart from all others.
    pub(super) fn look<const W: usize>(&self, at: u64, moment: &Moment<W>) -> Step {
        let view = moment.view.as_ref();
        let estimates = view.map(|view| self.estimator.estimates(view, self.seed)).unwrap_or_default();
        let chosen = estimates.iter().find(|estimate| estimate.action == moment.action);
        let given_away = chosen.map(|estimate| estimate.given_away);
        let drawn = (moment.action == Move::Draw)
            .then(|| self.outlook.draw(&moment.before, 2 * at))
            .flatten()
            .map(|luck| luck.by_seat);
        let made = match moment.made.what {
            chickenfoot_rules::Deed::Draw(tile) => format!("draw {tile}"),
            _ => words(moment.action),
        };
        Step {
            round: moment.round as u8 + 1,
            at: moment.at as u32 + 1,
            seat: moment.made.seat.number(),
            made,
            options: estimates.iter().map(|estimate| option(estimate, moment.action)).collect(),
            given_away,
            luck: drawn,
            outlook: self.outlook.margins(&moment.before, 2 * at + 1),
        }
    }
}

fn option(estimate: &Estimate, chosen: Move) -> OptionEstimate {
    let finite = |error: f64| error.is_finite().then_some(error);
    OptionEstimate {
        option: words(estimate.action),
        chosen: estimate.action == chosen,
        value: estimate.value,
        error: finite(estimate.error),
        behind: estimate.behind,
        behind_error: finite(estimate.behind_error),
        given_away: estimate.given_away,
        deals: estimate.deals,
    }
}

fn words(action: Move) -> String {
    match action {
        Move::Play { tile, end } => format!("{tile} on {end}"),
        Move::Draw => "draw".to_owned(),
        Move::Pass => "pass".to_owned(),
        Move::Keep => "keep".to_owned(),
    }
}

use chickenfoot_picture::{Outline, Style, Table};
use chickenfoot_rules::{Deed, Outcome, Record, RoundRecord, Terms};
use serde::Serialize;

use super::Settings;
use super::step::Step;

/// A record with what can be said of how it was played. Figures are in pips.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The match.
    pub match_id: String,
    /// Its rules in one line.
    pub rules: String,
    /// How it was looked at.
    pub method: Method,
    /// The seats, from seat 0.
    pub seats: Vec<SeatAccount>,
    /// The rounds that were begun.
    pub rounds: Vec<RoundAccount>,
}

/// What the figures follow from, beside the record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Method {
    /// Whose estimates they are.
    pub strategy: String,
    /// About how many rollouts a decision.
    pub rollouts: u32,
    /// Rounds that are played for the outlook of each position.
    pub shuffles: u32,
}

/// A seat over the match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatAccount {
    /// Who sat there.
    pub name: String,
    /// Its total.
    pub points: u32,
    /// Its place; `None` if the match was aborted.
    pub place: Option<u8>,
    /// Decisions in which it had a choice.
    pub decisions: u32,
    /// Where its margin comes from.
    pub account: Account,
}

/// Where a seat's margin comes from, in one round or in all. What is lost may be below 0: then it was gained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Account {
    /// The mean of the others' points less its own, over the rounds that were finished.
    pub margin: f64,
    /// The sum of what its choices gave away.
    pub lost_by_choices: f64,
    /// What the deal cost it, with who starts.
    pub lost_to_deal: f64,
    /// What all draws cost it, its own and those of the others.
    pub lost_to_draws: f64,
    /// What play made of it, its own and that of the others, compared with `dead-foot` for all:
    /// `margin` + `lost_to_deal` + `lost_to_draws` in a finished round.
    pub play: f64,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundAccount {
    /// Its number, from 1.
    pub number: u8,
    /// The number of its starting double.
    pub starting_double: u8,
    /// How it ended: `out` with the seat, or `blocked`; `None` if it did not.
    pub end: Option<String>,
    /// Each seat's score; none if the round did not end.
    pub scores: Vec<u16>,
    /// Each seat's account.
    pub seats: Vec<Account>,
    /// Every turn, in order.
    pub steps: Vec<Step>,
    /// The table at its end, as lines of text.
    pub table: String,
}

/// Adds up what was found of each step.
pub(super) fn account(record: &Record, settings: &Settings, steps: Vec<Step>) -> Analysis {
    let mut of_round: Vec<Vec<Step>> = record.rounds.iter().map(|_| Vec::new()).collect();
    for step in steps {
        if let Some(steps) = of_round.get_mut(usize::from(step.round) - 1) {
            steps.push(step);
        }
    }
    let rounds: Vec<RoundAccount> = (1u8..)
        .zip(record.rounds.iter().zip(of_round))
        .map(|(number, (round, steps))| of_one(record, number, round, steps))
        .collect();
    let seat = |(index, contributor): (usize, &chickenfoot_rules::Contributor)| SeatAccount {
        name: contributor.name.clone(),
        points: record.totals.get(index).copied().unwrap_or_default(),
        place: (record.outcome == Outcome::Finished).then(|| record.places.get(index).copied()).flatten(),
        decisions: rounds.iter().flat_map(|round| &round.steps).filter(|step| chose(step, index)).count()
            as u32,
        account: rounds
            .iter()
            .filter_map(|round| round.seats.get(index))
            .fold(Account::default(), |sum, one| sum.plus(one)),
    };
    Analysis {
        match_id: record.match_id.clone(),
        rules: record.rules.text(),
        method: Method {
            strategy: settings.strategy.clone(),
            rollouts: settings.rollouts,
            shuffles: settings.shuffles,
        },
        seats: record.seats.iter().enumerate().map(seat).collect(),
        rounds,
    }
}

fn chose(step: &Step, seat: usize) -> bool {
    usize::from(step.seat) == seat && step.given_away.is_some()
}

fn of_one(record: &Record, number: u8, round: &RoundRecord, steps: Vec<Step>) -> RoundAccount {
    let margins = margins(&round.scores);
    let players = record.seats.len();
    let seats = (0..players).map(|seat| {
        let draws = steps.iter().filter_map(|step| step.luck.as_ref()?.get(seat));
        // A round that was over with the starting double was decided by the deal.
        let dealt = steps.first().and_then(|step| step.outlook.get(seat)).or(margins.get(seat));
        let own = steps.iter().filter(|step| chose(step, seat));
        let mut account = Account {
            lost_by_choices: own.filter_map(|step| step.given_away).sum(),
            lost_to_deal: 0.0 - dealt.copied().unwrap_or_default(),
            lost_to_draws: 0.0 - draws.sum::<f64>(),
            ..Account::default()
        };
        if let Some(margin) = margins.get(seat) {
            account.margin = *margin;
            account.play = margin + account.lost_to_deal + account.lost_to_draws;
        }
        account
    });
    RoundAccount {
        number,
        starting_double: round.starting_double,
        end: round.end.map(|end| end.to_string()),
        scores: round.scores.clone(),
        seats: seats.collect(),
        table: table(record, round),
        steps,
    }
}

/// The mean of the others' scores less one's own, by seat; none if there are no scores.
fn margins(scores: &[u16]) -> Vec<f64> {
    let all: f64 = scores.iter().map(|score| f64::from(*score)).sum();
    let others = scores.len() as f64 - 1.0;
    scores.iter().map(|score| (all - f64::from(*score)) / others - f64::from(*score)).collect()
}

fn table(record: &Record, round: &RoundRecord) -> String {
    let mut table = Table::new(&Terms::from(&record.rules), round.starting_double);
    for made in &round.moves {
        if let Deed::Play { tile, end, line } = made.what {
            // A record that verifies has a place for every tile.
            let _ = table.lay(tile, end, Some(line));
        }
    }
    Outline { style: Style::Unicode, ..Outline::default() }.render(&table)
}

impl Account {
    fn plus(self, other: &Account) -> Account {
        Account {
            margin: self.margin + other.margin,
            lost_by_choices: self.lost_by_choices + other.lost_by_choices,
            lost_to_deal: self.lost_to_deal + other.lost_to_deal,
            lost_to_draws: self.lost_to_draws + other.lost_to_draws,
            play: self.play + other.play,
        }
    }
}

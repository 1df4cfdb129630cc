use std::collections::BTreeMap;

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// Live ratings of one pool: one rule set at one table size. A fold over rated games in the order they were played.
///
/// They are those of Weng and Lin 2011, "A Bayesian approximation method for online ranking", algorithm 1 (Bradley-Terry, full
/// pair): each game is taken as all its pairs at once, a shared place being half a win. It was preferred to TrueSkill since
/// it takes ties without having to be told how frequent they are, and is a closed formula. Nothing is added to the
/// uncertainty as time goes by, since a version of a bot does not change: a rating comes to rest.
///
/// After each game the figures are rounded to a billionth, so that the last bits, in which the exponential functions of two
/// platforms differ, are not handed on: whoever folds the same games gets the same ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings<K: Ord> {
    ratings: BTreeMap<K, Rating>,
}

/// A player's rating: a bell curve over its strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Its mean; 25 for a newcomer. Of two players whose means are known exactly, the one that is 25/6 higher does better
    /// with a chance of 67 %.
    pub mean: f64,
    /// Its standard deviation; 25/3 for a newcomer. It only ever falls.
    pub deviation: f64,
    /// Rated games.
    pub games: u32,
}

impl<K: Ord> Default for Ratings<K> {
    fn default() -> Ratings<K> {
        Ratings { ratings: BTreeMap::new() }
    }
}

impl<K: Ord + Clone> Ratings<K> {
    /// Nobody rated yet.
    pub fn new() -> Ratings<K> {
        Ratings::default()
    }

    /// Takes the next game in: who sat where, and each seat's place from 1, shared ones equal. A player on several seats is
    /// taken once, at the mean of its places. A game of one player with itself tells nothing and is left out.
    ///
    /// # Errors
    /// The lists differ in length. Nothing changes then.
    pub fn record(&mut self, players: &[K], places: &[u8]) -> Result<(), RatingsError> {
        if players.len() != places.len() {
            return Err(RatingsError::Lengths);
        }
        let ranks = ranks(players, places);
        if ranks.len() < 2 {
            return Ok(());
        }
        let before: Vec<Rating> =
            ranks.iter().map(|(player, _)| self.get(player).unwrap_or_default()).collect();
        let teams: Vec<[WengLinRating; 1]> = before.iter().map(|rating| [rating.curve()]).collect();
        let outcomes = ranks.iter().map(|(_, rank)| MultiTeamOutcome::new(*rank));
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
            teams.iter().map(|team| team.as_slice()).zip(outcomes).collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for (((player, _), before), after) in ranks.iter().zip(before).zip(after.iter().flatten()) {
            self.ratings.insert((*player).clone(), before.after(after));
        }
        Ok(())
    }

    /// A player's rating; none before its first game.
    pub fn get(&self, player: &K) -> Option<Rating> {
        self.ratings.get(player).copied()
    }

    /// All ratings, the surest best first: by [`Rating::conservative`], then by player.
    pub fn leaderboard(&self) -> Vec<(&K, Rating)> {
        let mut all: Vec<(&K, Rating)> =
            self.ratings.iter().map(|(player, rating)| (player, *rating)).collect();
        all.sort_by(|(_, one), (_, other)| other.conservative().total_cmp(&one.conservative()));
        all
    }
}

impl Rating {
    /// The strength that it almost surely has: three deviations below the mean, as in Herbrich, Minka and Graepel 2007,
    /// "TrueSkill".
    pub fn conservative(&self) -> f64 {
        self.mean - 3.0 * self.deviation
    }

    fn curve(&self) -> WengLinRating {
        WengLinRating { rating: self.mean, uncertainty: self.deviation }
    }

    fn after(&self, curve: &WengLinRating) -> Rating {
        let deviation = rounded(curve.uncertainty).clamp(BILLIONTH, self.deviation);
        Rating { mean: rounded(curve.rating), deviation, games: self.games.saturating_add(1) }
    }
}

impl Default for Rating {
    /// A newcomer's.
    fn default() -> Rating {
        Rating { mean: 25.0, deviation: 25.0 / 3.0, games: 0 }
    }
}

const BILLIONTH: f64 = 1e-9;

fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// Each player once, by player, with its rank among them, from 1; equal means of places share a rank.
fn ranks<'a, K: Ord>(players: &'a [K], places: &[u8]) -> Vec<(&'a K, usize)> {
    let mut sums: BTreeMap<&K, (u32, u32)> = BTreeMap::new();
    for (player, place) in players.iter().zip(places) {
        let (sum, count) = sums.entry(player).or_default();
        *sum += u32::from(*place);
        *count += 1;
    }
    // Of two means of whole numbers, compared without rounding.
    let is_better = |one: &(u32, u32), other: &(u32, u32)| {
        u64::from(one.0) * u64::from(other.1) < u64::from(other.0) * u64::from(one.1)
    };
    let rank = |mean: &(u32, u32)| 1 + sums.values().filter(|other| is_better(other, mean)).count();
    sums.iter().map(|(player, mean)| (*player, rank(mean))).collect()
}

/// Why a game cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingsError {
    /// There is not one place for each seat.
    Lengths,
}

impl std::fmt::Display for RatingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RatingsError::Lengths => f.write_str("a game needs one place for each of its seats"),
        }
    }
}

impl std::error::Error for RatingsError {}

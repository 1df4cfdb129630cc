use std::collections::BTreeMap;

/// Live ratings of one pool: one rule set at one table size. A fold over rated games in the order they were played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings<K: Ord> {
    ratings: BTreeMap<K, Rating>,
}

/// A player's rating: Weng and Lin's, a bell curve over its strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Its mean; 25 for a newcomer.
    pub mean: f64,
    /// Its standard deviation; 25/3 for a newcomer. It only ever falls: a version of a bot does not change.
    pub deviation: f64,
    /// Rated games.
    pub games: u32,
}

impl<K: Ord + Clone> Ratings<K> {
    /// Nobody rated yet.
    pub fn new() -> Ratings<K> {
        Ratings { ratings: BTreeMap::new() }
    }

    /// Takes the next game in: who sat where, and each seat's place from 1, shared ones equal.
    ///
    /// # Errors
    /// The lists differ in length. Nothing changes then.
    pub fn record(&mut self, players: &[K], places: &[u8]) -> Result<(), RatingsError> {
        let _ = (players, places);
        Ok(())
    }

    /// A player's rating; none before its first game.
    pub fn get(&self, player: &K) -> Option<Rating> {
        self.ratings.get(player).copied()
    }

    /// All ratings, the surest best first: by [`Rating::conservative`], then by player.
    pub fn leaderboard(&self) -> Vec<(K, Rating)> {
        Vec::new()
    }
}

impl Rating {
    /// The strength that it has almost surely: three deviations below the mean.
    pub fn conservative(&self) -> f64 {
        self.mean - 3.0 * self.deviation
    }
}

/// Why a game cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingsError {
    /// Not one place for each seat.
    Lengths,
}

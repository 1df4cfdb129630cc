//! Ratings: a fold over the rated matches that were played to their end, in the order of their ends.

use std::collections::BTreeMap;

use chickenfoot_protocol::v1;
use chickenfoot_store::{AgentName, Journal, MatchId, MatchRow, Occupant, StoreError};
use chickenfoot_tournament::statistics::Ratings;

use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{State, page_size};

/// Matches that are read at once.
const PAGE: usize = 1000;

/// The ratings so far. They are kept nowhere: after a restart they are folded again.
#[derive(Default)]
pub(crate) struct Leaderboard {
    /// By the rules of the matches.
    pools: BTreeMap<String, Pool>,
    /// The last match that was folded.
    last: Option<(u64, MatchId)>,
}

#[derive(Default)]
struct Pool {
    ratings: Ratings<AgentName>,
    matches: u64,
}

impl Leaderboard {
    /// Folds what has ended since.
    async fn catch_up(&mut self, journal: &dyn Journal) -> Result<(), StoreError> {
        loop {
            let rows = journal.rated(self.last, PAGE).await?;
            for row in &rows {
                self.fold(row);
            }
            if rows.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn fold(&mut self, row: &MatchRow) {
        self.last = row.ended_ms.map(|ended_ms| (ended_ms, row.id)).or(self.last);
        let players: Vec<AgentName> = row
            .seats
            .iter()
            .filter_map(|seat| match &seat.occupant {
                Some(Occupant::Agent(name)) => Some(name.clone()),
                Some(Occupant::House(_)) | None => None,
            })
            .collect();
        let Some(summary) = &row.summary else { return };
        let pool = self.pools.entry(row.rules.text()).or_default();
        // A rated match has an agent on every seat; another one says nothing.
        if pool.ratings.record(&players, &summary.places).is_ok() {
            pool.matches += 1;
        }
    }
}

/// Answers who asks for the leaderboard.
///
/// # Errors
/// There is no such pool, a field is beyond its bound, or the store failed.
pub(crate) async fn answer(
    state: &State,
    request: &v1::GetLeaderboardRequest,
) -> Result<v1::GetLeaderboardResponse, Refusal> {
    let limit = page_size(request.page_size)?;
    let from: usize = match request.page_token.as_str() {
        "" => 0,
        token => token.parse().map_err(|_| {
            Refusal::new(Reason::PageTokenInvalid, "page_token is none that the service gave")
                .field("page_token")
        })?,
    };
    let mut board = state.leaderboard.lock().await;
    board.catch_up(state.arena.journal()).await?;
    let pools = board.pools.iter().map(|(rules, pool)| v1::RatingPool {
        rules_text: rules.clone(),
        matches: pool.matches,
        agents: pool.ratings.leaderboard().len() as u32,
    });
    let pools: Vec<v1::RatingPool> = pools.collect();
    let wanted = match request.rules_text.as_str() {
        // The first of those with the most matches.
        "" => pools.iter().rev().max_by_key(|pool| pool.matches).map(|pool| pool.rules_text.clone()),
        text => Some(text.to_owned()),
    };
    let Some(rules_text) = wanted else {
        return Ok(v1::GetLeaderboardResponse::default());
    };
    let Some(pool) = board.pools.get(&rules_text) else {
        let bound = "the rules of one of the pools, or empty";
        return Err(chickenfoot_protocol::Malformed::out_of_range("rules_text", bound).into());
    };
    let all = pool.ratings.leaderboard();
    let entries =
        all.iter().zip(1u32..).skip(from).take(limit).map(|((agent, rating), rank)| v1::LeaderboardEntry {
            rank,
            agent: agent.to_string(),
            rating: rating.conservative(),
            mean: rating.mean,
            deviation: rating.deviation,
            matches: rating.games,
        });
    let entries: Vec<v1::LeaderboardEntry> = entries.collect();
    let next = from.saturating_add(limit);
    let next_page_token = if next < all.len() { next.to_string() } else { String::new() };
    Ok(v1::GetLeaderboardResponse { rules_text, entries, next_page_token, pools })
}

use rusqlite::{Connection, ToSql};

use super::matches;
use crate::journal::{ListMatches, StoreError};
use crate::matches::{MatchRow, MatchState};
use crate::sqlite::error::clamped;
use crate::sqlite::match_row::{SELECT, state_texts};
use crate::sqlite::seat_index::stage;

/// Every state; the reasons of an abort are one to a list.
const STATES: [&str; 4] = ["open", "running", "finished", "aborted"];

/// Every [`stage`].
const STAGES: [&str; 3] = ["live", "finished", "aborted"];

/// Lists matches, newest first.
pub(in crate::sqlite) fn list(conn: &Connection, query: &ListMatches) -> Result<Vec<MatchRow>, StoreError> {
    let after = query.after.map(|(ms, id)| (clamped(ms), id.0.to_be_bytes()));
    let state = query.state.map(|state| state_texts(state).0);
    let agent = query.agent.as_ref().map(|name| name.as_str());
    let tournament = query.tournament.map(|id| id.0.to_be_bytes());
    let limit = clamped(query.limit as u64);
    let mut values: Vec<(&str, &dyn ToSql)> = vec![(":limit", &limit)];
    if let Some((ms, id)) = &after {
        values.extend([(":ms", ms as &dyn ToSql), (":id", id)]);
    }
    if let Some(agent) = &agent {
        values.push((":agent", agent));
    }
    if let Some(tournament) = &tournament {
        values.push((":tournament", tournament));
    }
    let sql = sql(query);
    // In some statements it is a part of an index, and stands in the text.
    if let Some(state) = state.as_ref().filter(|_| sql.contains(":state")) {
        values.push((":state", state));
    }
    matches(conn, &sql, values.as_slice())
}

/// The statement for a query.
fn sql(query: &ListMatches) -> String {
    let page = |id: &str| match query.after {
        Some(_) => format!(" AND (created_ms, {id}) < (:ms, :id)"),
        None => String::new(),
    };
    let order = |id: &str| format!("ORDER BY created_ms DESC, {id} DESC LIMIT :limit");
    if query.agent.is_none() && query.tournament.is_none() {
        let state = if query.state.is_some() { "state = :state" } else { "TRUE" };
        return format!("{} WHERE {state}{} {}", *SELECT, page("id"), order("id"));
    }
    // An index has the matches of one state in the order of the list. Of each that is wanted come as many as there may be
    // in all; which of them are the newest is found among these, by their keys, and only then are whole rows read.
    let branches: Vec<String> = match &query.agent {
        None => {
            let states =
                STATES.into_iter().filter(|text| query.state.is_none_or(|it| state_texts(it).0 == *text));
            let branch = |state| {
                format!(
                    "SELECT * FROM (SELECT created_ms AS ms, id AS match FROM matches INDEXED BY matches_by_tournament \
                    WHERE tournament = :tournament AND state = '{state}'{} {})",
                    page("id"),
                    order("id")
                )
            };
            states.map(branch).collect()
        }
        Some(_) => {
            let stages = STAGES.into_iter().filter(|text| query.state.is_none_or(|it| stage(it) == *text));
            let tournament = match query.tournament {
                // In the words of the index, which has only those that are not NULL.
                Some(_) => "INDEXED BY match_seats_by_tournament WHERE tournament = :tournament AND",
                None => "WHERE",
            };
            // Few of an agent's matches are not over, so their rows may be looked at.
            let live = match query.state {
                Some(MatchState::Open | MatchState::Running) => {
                    " AND (SELECT state FROM matches WHERE matches.id = match_id) = :state"
                }
                _ => "",
            };
            let branch = |stage| {
                format!(
                    "SELECT * FROM (SELECT created_ms AS ms, match_id AS match FROM match_seats {tournament} \
                    agent = :agent AND stage = '{stage}'{}{live} {})",
                    page("match_id"),
                    order("match_id")
                )
            };
            stages.map(branch).collect()
        }
    };
    format!(
        "WITH newest AS (SELECT ms, match FROM ({}) ORDER BY ms DESC, match DESC LIMIT :limit) \
        {} JOIN newest ON matches.id = newest.match ORDER BY newest.ms DESC, newest.match DESC",
        branches.join(" UNION ALL "),
        *SELECT
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::name;
    use crate::id::{MatchId, TournamentId};
    use crate::matches::AbortReason;
    use crate::sqlite::schema::migrated;

    #[test]
    fn no_list_reads_more_matches_than_it_has_room_for() {
        let conn = migrated();
        let states = [
            MatchState::Open,
            MatchState::Running,
            MatchState::Finished,
            MatchState::Aborted(AbortReason::Expired),
        ];
        for state in [None].into_iter().chain(states.map(Some)) {
            for (agent, tournament) in [(true, false), (false, true), (true, true)] {
                for after in [None, Some((7, MatchId(1)))] {
                    let query = ListMatches {
                        state,
                        agent: agent.then(|| name("ann")),
                        tournament: tournament.then_some(TournamentId(1)),
                        after,
                        limit: 10,
                    };
                    let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {}", sql(&query))).unwrap();
                    let mut rows = statement.raw_query();
                    let mut plan = Vec::new();
                    while let Some(row) = rows.next().unwrap() {
                        plan.push(row.get::<_, String>(3).unwrap());
                    }
                    let index = match (agent, tournament) {
                        (true, false) => "SEARCH match_seats USING PRIMARY KEY (agent=? AND stage=?",
                        (true, true) => {
                            "SEARCH match_seats USING COVERING INDEX match_seats_by_tournament (agent=? AND tournament=? AND stage=?"
                        }
                        (false, _) => {
                            "SEARCH matches USING COVERING INDEX matches_by_tournament (tournament=? AND state=?"
                        }
                    };
                    let searches = plan.iter().filter(|step| step.starts_with(index)).count();
                    let wanted = match (state, agent) {
                        (Some(_), _) => 1,
                        (None, true) => STAGES.len(),
                        (None, false) => STATES.len(),
                    };
                    assert_eq!(searches, wanted, "{query:?}: {plan:#?}");
                    // Only what the branches have found is scanned and sorted.
                    let scans: Vec<_> = plan.iter().filter(|step| step.starts_with("SCAN")).collect();
                    assert!(
                        scans.iter().all(|step| !step.contains("match_seats") && !step.contains("matches")),
                        "{plan:#?}"
                    );
                }
            }
        }
    }
}

use std::collections::BTreeMap;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;
use chickenfoot_tournament::statistics::Ratings;
use serde_json::json;

use crate::args::{Global, Leaderboard};
use crate::error::Failure;
use crate::output::{Output, note};

/// `leaderboard`: the agents of a pool by rank; with `--recompute` the ratings are folded again from verified records.
pub(crate) async fn show(global: &Global, asked: &Leaderboard, out: &mut Output) -> Result<(), Failure> {
    let client = global.client()?;
    let board = fetch(&client, asked.rules.as_deref().unwrap_or_default()).await?;
    if asked.recompute {
        recompute(&client, &board, out).await?;
    }
    if out.is_json() {
        return out.value(&value(&board));
    }
    if board.pools.len() > 1 {
        for pool in &board.pools {
            note(format_args!("{} matches, {} agents: {}", pool.matches, pool.agents, pool.rules_text));
        }
    }
    if board.entries.is_empty() {
        note("nobody has played a rated match");
        return Ok(());
    }
    out.line(format_args!(
        "{:>4}  {:<40} {:>7} {:>7} {:>6} {:>8}",
        "rank", "agent", "rating", "mean", "+-", "matches"
    ))?;
    for row in &board.entries {
        out.line(format_args!(
            "{:>4}  {:<40} {:>7.2} {:>7.2} {:>6.2} {:>8}",
            row.rank, row.agent, row.rating, row.mean, row.deviation, row.matches
        ))?;
    }
    Ok(())
}

/// Every page.
async fn fetch(client: &Client, rules: &str) -> Result<v1::GetLeaderboardResponse, Failure> {
    let mut board = client.leaderboard(rules, "").await?;
    let mut next = std::mem::take(&mut board.next_page_token);
    while !next.is_empty() {
        let page = client.leaderboard(&board.rules_text, &next).await?;
        board.entries.extend(page.entries);
        next = page.next_page_token;
    }
    Ok(board)
}

/// Folds the records of all rated matches of the pool, each verified first, and compares with what the service says.
async fn recompute(
    client: &Client,
    board: &v1::GetLeaderboardResponse,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut ratings = Ratings::new();
    let mut folded = 0_u64;
    for id in rated(client).await?.into_values() {
        let record = client.record(&id).await?;
        if record.rules.text() != board.rules_text {
            continue;
        }
        record.verify().map_err(Failure::Flawed)?;
        let names: Vec<String> = record.seats.iter().map(|seat| seat.name.clone()).collect();
        let differs = |_| Failure::Differs(format!("match {id} has not one place for each seat"));
        ratings.record(&names, &record.places).map_err(differs)?;
        folded += 1;
    }
    let mine = ratings.leaderboard();
    if mine.len() != board.entries.len() {
        let why = format!("the records rate {} agents, the service {}", mine.len(), board.entries.len());
        return Err(Failure::Differs(why));
    }
    for ((name, rating), row) in mine.iter().zip(&board.entries) {
        // What both computed by the same steps is the same to the last bit.
        let same = **name == row.agent
            && (rating.mean.to_bits(), rating.deviation.to_bits(), rating.games)
                == (row.mean.to_bits(), row.deviation.to_bits(), row.matches);
        if !same {
            let why = format!(
                "rank {}: the records give {name} {} +- {} after {}, the service {} {} +- {} after {}",
                row.rank,
                rating.mean,
                rating.deviation,
                rating.games,
                row.agent,
                row.mean,
                row.deviation,
                row.matches
            );
            return Err(Failure::Differs(why));
        }
    }
    if out.is_json() {
        note(format_args!("no difference after {folded} verified records"));
        Ok(())
    } else {
        out.line(format_args!("no difference after {folded} verified records"))
    }
}

/// The rated matches that were played to their end, by its time, which no two of them share.
async fn rated(client: &Client) -> Result<BTreeMap<(i64, i32), String>, Failure> {
    let mut all = BTreeMap::new();
    let mut next = String::new();
    loop {
        let page = client.matches(v1::MatchState::Finished, &next).await?;
        for game in page.entries.into_iter().filter(|game| game.rated) {
            if let Some(end) = game.end_time {
                all.insert((end.seconds, end.nanos), game.id);
            }
        }
        next = page.next;
        if next.is_empty() {
            return Ok(all);
        }
    }
}

fn value(board: &v1::GetLeaderboardResponse) -> serde_json::Value {
    let entry = |row: &v1::LeaderboardEntry| {
        json!({
            "rank": row.rank, "agent": row.agent, "rating": row.rating, "mean": row.mean,
            "deviation": row.deviation, "matches": row.matches,
        })
    };
    let pool = |pool: &v1::RatingPool| json!({"rules": pool.rules_text, "matches": pool.matches, "agents": pool.agents});
    json!({
        "rules": board.rules_text,
        "entries": board.entries.iter().map(entry).collect::<Vec<_>>(),
        "pools": board.pools.iter().map(pool).collect::<Vec<_>>(),
    })
}

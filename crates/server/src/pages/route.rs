use chickenfoot_page::Asset;
use chickenfoot_store::MatchId;

use crate::refusal::Refusal;
use crate::state::{agent_name, match_id, tournament_id};

/// What a path asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Route {
    /// The page's document; its script reads the path.
    Document,
    /// A file that the document needs.
    Asset(&'static Asset),
    /// The page's icon.
    Icon(&'static Asset),
    /// What programs that follow links should leave alone.
    Robots,
    /// A moment of a match.
    Moment {
        /// The match.
        id: MatchId,
        /// The event after which it is so; the last one that may be seen if it is not said.
        seq: Option<u64>,
        /// How it is shown.
        form: Form,
    },
    /// The record of a match, as a file.
    Record(MatchId),
    /// Nothing.
    Unknown,
}

/// How a moment of a match is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As a drawing.
    Picture,
    /// In words.
    Text,
}

impl Route {
    /// The value of the metrics' label.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Route::Document => "document",
            Route::Asset(_) | Route::Icon(_) | Route::Robots => "asset",
            Route::Moment { form: Form::Picture, .. } => "picture",
            Route::Moment { form: Form::Text, .. } => "text",
            Route::Record(_) => "record",
            Route::Unknown => "other",
        }
    }
}

/// Reads a path. Names and ids have no characters that would have to be percent-encoded, so nothing is decoded.
///
/// # Errors
/// It is that of a page, but an id, name or number in it is none.
pub(super) fn route(path: &str) -> Result<Route, Refusal> {
    let mut parts = [""; 4];
    let mut count = 0;
    for part in path.strip_prefix('/').unwrap_or(path).split('/') {
        let Some(place) = parts.get_mut(count) else { return Ok(Route::Unknown) };
        *place = part;
        count += 1;
    }
    Ok(match parts[..count] {
        [""] | ["agents"] => Route::Document,
        ["t", id] => {
            tournament_id(id)?;
            Route::Document
        }
        ["agents", name] => {
            agent_name("name", name)?;
            Route::Document
        }
        ["m", id] => {
            match_id(id)?;
            Route::Document
        }
        ["m", id, "record.json"] => Route::Record(match_id(id)?),
        ["m", id, last] => {
            let id = match_id(id)?;
            let form = match last.rsplit_once('.') {
                Some((seq, "svg")) => Some((seq, Form::Picture)),
                Some((seq, "txt")) => Some((seq, Form::Text)),
                _ => None,
            };
            match form {
                Some(("latest", form)) => Route::Moment { id, seq: None, form },
                Some((seq, form)) => Route::Moment { id, seq: Some(number(seq)?), form },
                None => {
                    number(last)?;
                    Route::Document
                }
            }
        }
        ["assets", name] => chickenfoot_page::asset(name).map_or(Route::Unknown, Route::Asset),
        ["favicon.svg"] => chickenfoot_page::asset("favicon.svg").map_or(Route::Unknown, Route::Icon),
        ["robots.txt"] => Route::Robots,
        _ => Route::Unknown,
    })
}

/// Reads the number of an event.
fn number(text: &str) -> Result<u64, Refusal> {
    let digits = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| {
        chickenfoot_protocol::Malformed::out_of_range("seq", "the number of an event, in decimal digits")
            .into()
    })
}

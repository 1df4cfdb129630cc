use std::io::{IsTerminal, stdout};
use std::path::Path;

use chickenfoot_protocol::v1::{self, watch_match_response::What};
use chickenfoot_rules::Record;
use prost::Message;
use serde_json::json;

use super::film::{Outlines, about, moments};
use crate::error::Failure;
use crate::output::{Output, note};
use crate::text::clean;
use crate::tournament::write_text;

/// Writes the match as a page that is complete in one file.
pub(super) fn write(record: &Record, path: Option<&Path>, out: &mut Output) -> Result<(), Failure> {
    let Some(path) = path else {
        if out.is_json() {
            return Err(Failure::Usage("a page is what it is: --json takes --output FILE".to_owned()));
        }
        if stdout().is_terminal() {
            return Err(Failure::Usage("a page is nothing for a terminal: give --output FILE".to_owned()));
        }
        return out.text(&page(record));
    };
    let bytes = write_text(&page(record), path)?;
    if out.is_json() {
        return out.value(&json!({"file": path.display().to_string(), "bytes": bytes}));
    }
    note(format_args!("wrote {}, {bytes} bytes", path.display()));
    Ok(())
}

fn page(record: &Record) -> String {
    let names: Vec<String> = record.seats.iter().map(|seat| clean(&seat.name)).collect();
    let title = format!("{} \u{2013} a match of Chicken Foot", names.join(", "));
    chickenfoot_page::standalone(&data(record), &title)
}

/// The match, then each event and its scene as a watch tells them: messages of the contract, each after its length as a
/// varint.
fn data(record: &Record) -> Vec<u8> {
    let mut data = about(record).encode_length_delimited_to_vec();
    for (event, scene) in moments(record, Outlines::With) {
        for what in [What::Event(event), What::Scene(scene)] {
            data.extend(v1::WatchMatchResponse { what: Some(what) }.encode_length_delimited_to_vec());
        }
    }
    data
}

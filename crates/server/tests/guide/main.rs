//! The protocol guide names everything that it has to.

mod reference;

use std::collections::BTreeMap;

use chickenfoot_protocol::DESCRIPTOR;
use chickenfoot_server::Reason;
use chickenfoot_server::authz::Method;
use prost::Message;
use prost_types::{FileDescriptorProto, FileDescriptorSet};

const GUIDE: &str = include_str!("../../../../proto/README.md");

/// The table of reasons: each with its code, as the guide has them.
fn rows() -> Vec<(&'static str, &'static str)> {
    let (_, rest) = GUIDE.split_once("\n## Reasons\n").expect("the guide has a section of reasons");
    let table = rest.split("\n## ").next().unwrap_or_default();
    let lines = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    cells
        .inspect(|cells| assert!(cells.len() == 6 && cells[5].is_empty(), "five cells: {cells:?}"))
        .inspect(|cells| assert!(!cells[2].is_empty() && !cells[4].is_empty(), "{cells:?}"))
        .map(|cells| (cells[0].trim_end_matches('`'), cells[1]))
        .collect()
}

/// A code as the guide writes it: `NOT_FOUND` and its number.
fn written(code: tonic::Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    format!("`{name}` ({})", i32::from(code))
}

/// The contract's own files.
fn contract() -> Vec<FileDescriptorProto> {
    let set = FileDescriptorSet::decode(DESCRIPTOR).expect("the descriptor was written by the build");
    let ours = |file: &FileDescriptorProto| file.package() == "chickenfoot.v1";
    set.file.into_iter().filter(ours).collect()
}

#[test]
fn the_table_of_reasons_is_that_of_the_code() {
    let rows = rows();
    let of_guide: BTreeMap<String, String> =
        rows.iter().map(|(name, code)| ((*name).to_owned(), (*code).to_owned())).collect();
    let of_code: BTreeMap<String, String> =
        Reason::ALL.iter().map(|reason| (reason.name().to_owned(), written(reason.code()))).collect();
    assert_eq!(of_guide, of_code);
    assert_eq!(rows.len(), Reason::ALL.len(), "a reason stands twice");
}

#[test]
fn the_guide_says_who_may_do_what_as_the_code_does() {
    let of_guide = GUIDE.lines().filter(|line| line.starts_with("| `") && line.contains("Service."));
    let of_code = Method::ALL.iter().map(|method| format!("| `{method}` | {} |", method.requirement()));
    assert_eq!(of_guide.collect::<Vec<_>>(), of_code.collect::<Vec<_>>());
}

#[test]
fn every_method_stands_in_the_guide() {
    let mut found = 0;
    for service in contract().iter().flat_map(|file| &file.service) {
        assert!(GUIDE.contains(&format!("`{}`", service.name())), "{}", service.name());
        for method in &service.method {
            assert!(GUIDE.contains(&format!("`{}`", method.name())), "{}", method.name());
            found += 1;
        }
    }
    assert!(found >= 13, "only {found} methods were found");
}

#[test]
fn every_message_of_a_session_and_every_event_has_its_row() {
    let mut found = 0;
    for message in contract().iter().flat_map(|file| &file.message_type) {
        if !["SessionRequest", "SessionResponse", "Event"].contains(&message.name()) {
            continue;
        }
        for field in message.field.iter().filter(|field| field.oneof_index.is_some()) {
            let kind = field.type_name().rsplit('.').next().unwrap_or_default();
            assert!(GUIDE.contains(&format!("\n| {kind} |")), "{kind}");
            found += 1;
        }
    }
    assert!(found >= 24, "only {found} kinds were found");
}

/// Where the part of the guide begins that is made from the contract.
const REFERENCE: &str = "\n## Reference\n";

/// Tells of every method, field and word: what is missing in it, the contract lacks a comment for.
#[test]
fn the_reference_is_what_the_contract_says() {
    let made = reference::reference(&contract());
    let (before, rest) = GUIDE.split_once(REFERENCE).expect("the guide has a reference");
    let (introduction, found) = rest.split_once("\n### ").expect("the reference has headings");
    let found = format!("\n### {found}");
    if found.trim_end() == made {
        return;
    }
    if std::env::var_os("CHICKENFOOT_WRITE_GUIDE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto/README.md");
        std::fs::write(path, format!("{before}{REFERENCE}{introduction}{made}\n")).unwrap();
        return;
    }
    let differs = made.lines().zip(found.lines()).find(|(made, found)| made != found);
    panic!("the reference is old at {differs:?}: run with CHICKENFOOT_WRITE_GUIDE=1 to write it anew");
}

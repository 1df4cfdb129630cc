//! What the sources of the pure crates use.

use std::path::{Path, PathBuf};

use super::PURE;

/// The modules of the standard library that are a clock, a disk, a network or a thread.
const OUTSIDE_WORLD: [&str; 4] = ["time", "fs", "net", "thread"];

#[test]
fn pure_crates_use_no_clock_disk_network_or_thread() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = 0;
    for name in PURE {
        let sources = crates.join(name.trim_start_matches("chickenfoot-")).join("src");
        for file in rust_files(&sources) {
            let text = std::fs::read_to_string(&file).expect("a listed file can be read");
            assert_eq!(impure_words(&text), Vec::<String>::new(), "{}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} sources were found");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    // A crate that is not there yet has no sources.
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("a folder can be listed").path());
    let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let mut found: Vec<_> =
        files.into_iter().filter(|path| path.extension() == Some("rs".as_ref())).collect();
    found.extend(folders.iter().flat_map(|folder| rust_files(folder)));
    found
}

/// The words in a source, comments aside, that a pure crate has no use for.
fn impure_words(source: &str) -> Vec<String> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let words: Vec<&str> =
        code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    let clocks = words.iter().filter(|word| ["SystemTime", "Instant"].contains(word));
    let mut found: Vec<String> = clocks.map(|word| (*word).to_owned()).collect();
    // What is imported from `std`, alone or in braces.
    let dense: String = code.split_whitespace().collect();
    for path in dense.split("std::").skip(1) {
        let group = path.strip_prefix('{').map(|group| group.split(';').next().unwrap_or(group));
        for member in
            group.unwrap_or(path).split([',', '{', '}']).take(if group.is_some() { usize::MAX } else { 1 })
        {
            let module: String = member.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if OUTSIDE_WORLD.contains(&module.as_str()) {
                found.push(format!("std::{module}"));
            }
        }
    }
    found
}

#[test]
fn a_clock_or_a_disk_in_a_source_is_found_however_it_is_imported() {
    for (source, expected) in [
        ("use std::time::Duration;", "std::time"),
        ("let now = SystemTime::now();", "SystemTime"),
        ("let now = web::Instant::now();", "Instant"),
        ("use std::{\n    fmt,\n    fs::File,\n};", "std::fs"),
        ("use std::{io::{self, Read}, net};", "std::net"),
        ("std::thread::spawn(run);", "std::thread"),
    ] {
        assert_eq!(impure_words(source), [expected], "{source}");
    }
    let harmless = "// std::fs, Instant\nuse std::fmt;\nuse std::{collections::BTreeMap, ops};\nlet (time, net) = InstantMoves;";
    assert_eq!(impure_words(harmless), Vec::<String>::new());
}

//! Every file of the contract is in the lists that others have of them by hand.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const THERE: &str = "proto/chickenfoot/v1";

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = top().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The names of the contract's files, without their endings.
fn files() -> BTreeSet<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let names = std::fs::read_dir(top().join(THERE)).unwrap().map(name);
    let files: BTreeSet<String> =
        names.filter_map(|name| Some(name.strip_suffix(".proto")?.to_owned())).collect();
    assert!(files.len() >= 6, "{files:?}");
    files
}

/// The names between two texts, of which the first stands once.
fn listed(text: &str, before: &str, after: &str) -> BTreeSet<String> {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in it"));
    let (list, _) = rest.split_once(after).unwrap();
    let names = list.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_build_of_the_wire_types_has_every_file() {
    let build = read("crates/protocol/build.rs");
    assert_eq!(listed(&build, "] = [", "];"), files());
}

#[test]
fn the_typescript_client_gives_out_every_file() {
    let index = read("clients/typescript/src/v1.ts");
    let exports = index.lines().filter_map(|line| line.strip_prefix("export * from \"./gen/chickenfoot/v1/"));
    let exports: BTreeSet<String> =
        exports.map(|rest| rest.strip_suffix("_pb.js\";").unwrap().to_owned()).collect();
    assert_eq!(exports, files());
}

#[test]
fn the_cpp_bot_builds_what_it_uses_and_all_that_this_needs() {
    let built = listed(&read("clients/cpp/CMakeLists.txt"), "foreach(name ", ")");
    assert!(built.is_subset(&files()), "{built:?}");
    // A bot looks for no tournaments, but the compiler needs every file that another one imports.
    for name in ["agent", "match"] {
        assert!(built.contains(name), "{name}");
    }
    for name in &built {
        let text = read(format!("{THERE}/{name}.proto"));
        for import in text.lines().filter_map(|line| line.strip_prefix("import \"chickenfoot/v1/")) {
            let import = import.strip_suffix(".proto\";").unwrap();
            assert!(built.contains(import), "{name} needs {import}");
        }
    }
}

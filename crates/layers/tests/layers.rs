//! Which crate may reach which: read from `cargo metadata`, so that a new dependency in the wrong place fails a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Crates that compute and nothing else. One that is not there yet is held to the same from its first day.
const PURE: [&str; 4] =
    ["chickenfoot-rules", "chickenfoot-strategy", "chickenfoot-picture", "chickenfoot-tournament"];

/// Crates that wait and write, but know nothing of the wire.
const WIRELESS: [&str; 2] = ["chickenfoot-arena", "chickenfoot-store"];

/// Crates of the service that see the wire types.
const WIRE: [&str; 2] = ["chickenfoot-protocol", "chickenfoot-server"];

/// Crates that try the service from outside.
const TRIALS: [&str; 1] = ["chickenfoot-e2e"];

/// Crates that only check the others.
const CHECKS: [&str; 1] = ["chickenfoot-layers"];

/// Runtimes, networks, databases and clocks. A `*` at the end stands for any ending.
const IMPURE: [&str; 12] = [
    "tokio*",
    "async-std",
    "futures*",
    "tonic*",
    "prost*",
    "hyper*",
    "h2",
    "rusqlite",
    "sqlx*",
    "postgres*",
    "chrono",
    "time",
];

/// What gRPC is made of.
const GRPC: [&str; 4] = ["tonic*", "prost*", "hyper*", "h2"];

/// The inside of the service.
const INSIDE: [&str; 3] = ["chickenfoot-server", "chickenfoot-arena", "chickenfoot-store"];

/// The modules of the standard library that are a clock, a disk, a network or a thread.
const OUTSIDE_WORLD: [&str; 4] = ["time", "fs", "net", "thread"];

#[test]
fn every_crate_reaches_only_what_its_layer_may() {
    let violations = violations(&metadata());
    assert!(violations.is_empty(), "{violations:#?}");
}

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

/// Everything that is in the wrong place, one line each.
fn violations(metadata: &Value) -> Vec<String> {
    let graph = Graph::read(metadata);
    let mut found = Vec::new();
    for krate in &graph.members {
        let (name, all, direct) = (graph.name(krate), graph.reach(krate), &graph.needs[krate]);
        let mut ban = |needs: &BTreeSet<String>, banned: &[&str], why: &str| {
            let names = needs.iter().map(|other| graph.name(other));
            let wrong = names.filter(|other| is_any(other, banned));
            found.extend(wrong.map(|other| format!("{name} needs {other}: {why}")));
        };
        let is_client = graph.folder(krate).starts_with("clients");
        let outside = is_client || TRIALS.contains(&name);
        if !outside && !WIRE.contains(&name) {
            // Wire types and their conversions live in one place.
            ban(direct, &["tonic*", "prost*"], "wire types live in chickenfoot-protocol");
        }
        if PURE.contains(&name) {
            // The same input has to give the same result anywhere, without a runtime.
            ban(&all, &IMPURE, "a pure crate neither waits nor talks");
        } else if WIRELESS.contains(&name) {
            // Matches run, and are tested, without a network.
            ban(&all, &GRPC, "only the server knows gRPC");
        } else if outside {
            // A client may know no more of the service than the contract says.
            ban(&all, &INSIDE, "a client sees the contract alone");
        } else if CHECKS.contains(&name) {
            // A check that needs what it checks could not judge it.
            ban(&all, &["chickenfoot-*"], "a check stands apart");
        } else if !WIRE.contains(&name) {
            // A new crate is given its layer here before anything else.
            found.push(format!("{name} has no layer"));
        }
    }
    found
}

fn is_any(name: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *pattern,
    })
}

/// The packages and what each needs to be built and to run; what only its tests need is left out.
struct Graph {
    names: BTreeMap<String, String>,
    folders: BTreeMap<String, PathBuf>,
    needs: BTreeMap<String, BTreeSet<String>>,
    members: BTreeSet<String>,
}

impl Graph {
    fn read(metadata: &Value) -> Graph {
        let root = Path::new(text(&metadata["workspace_root"]));
        let packages =
            || list(&metadata["packages"]).map(|package| (text(&package["id"]).to_owned(), package));
        let folder = |package: &Value| {
            let manifest = Path::new(text(&package["manifest_path"]));
            manifest.strip_prefix(root).unwrap_or(manifest).to_owned()
        };
        let needs = |node: &Value| {
            let needed = |dep: &&Value| list(&dep["dep_kinds"]).any(|kind| kind["kind"] != "dev");
            let needed = list(&node["deps"]).filter(needed);
            needed.map(|dep| text(&dep["pkg"]).to_owned()).collect()
        };
        Graph {
            names: packages().map(|(id, package)| (id, text(&package["name"]).to_owned())).collect(),
            folders: packages().map(|(id, package)| (id, folder(package))).collect(),
            needs: list(&metadata["resolve"]["nodes"])
                .map(|node| (text(&node["id"]).to_owned(), needs(node)))
                .collect(),
            members: list(&metadata["workspace_members"]).map(|id| text(id).to_owned()).collect(),
        }
    }

    fn name(&self, id: &str) -> &str {
        &self.names[id]
    }

    /// Where a member lies, from the top of the workspace.
    fn folder(&self, id: &str) -> &Path {
        &self.folders[id]
    }

    /// All packages that this one needs, and those that they need, without itself.
    fn reach(&self, id: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            for need in &self.needs[next] {
                if reached.insert(need.clone()) {
                    open.push(need);
                }
            }
        }
        reached
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("cargo gives a list here").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("cargo gives a text here")
}

/// What cargo knows of this workspace on this machine. The packages were fetched to build this very test.
fn metadata() -> Value {
    let cargo = |args: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs, for it runs this test");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "cargo {args:?}: {errors}");
        String::from_utf8(output.stdout).expect("cargo writes UTF-8")
    };
    let version = cargo(&["--version", "--verbose"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.expect("cargo names its host");
    let text = cargo(&["metadata", "--format-version=1", "--offline", "--filter-platform", host]);
    serde_json::from_str(&text).expect("cargo writes JSON")
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

/// A made-up workspace: each member with its folder, then each need as "from to kind".
fn made_up(members: &[(&str, &str)], needs: &[&str]) -> Value {
    let needs: Vec<Vec<&str>> = needs.iter().map(|need| need.split(' ').collect()).collect();
    let mut names: BTreeSet<&str> = members.iter().map(|(name, _)| *name).collect();
    names.extend(needs.iter().flat_map(|need| [need[0], need[1]]));
    let folder =
        |name: &str| members.iter().find(|member| member.0 == name).map_or("elsewhere", |member| member.1);
    let deps = |name: &str| -> Vec<Value> {
        let of_name = needs.iter().filter(|need| need[0] == name);
        let kind = |need: &[&str]| {
            if need[2] == "normal" { Value::Null } else { need[2].into() }
        };
        of_name.map(|need| json!({ "pkg": need[1], "dep_kinds": [{ "kind": kind(need) }] })).collect()
    };
    json!({
        "workspace_root": "/w",
        "workspace_members": members.iter().map(|member| member.0).collect::<Vec<_>>(),
        "packages": names.iter().map(|name| json!({
            "id": name, "name": name, "manifest_path": format!("/w/{}/Cargo.toml", folder(name)),
        })).collect::<Vec<_>>(),
        "resolve": { "nodes": names.iter().map(|name| json!({ "id": name, "deps": deps(name) })).collect::<Vec<_>>() },
    })
}

#[test]
fn a_need_in_the_wrong_place_is_found_wherever_it_hides() {
    let cases: [(&str, &str, &[&str], &str); 8] = [
        (
            "chickenfoot-rules",
            "crates/rules",
            &["chickenfoot-rules a normal", "a tokio normal"],
            "needs tokio: ",
        ),
        (
            "chickenfoot-strategy",
            "crates/strategy",
            &["chickenfoot-strategy futures-util build"],
            "needs futures-util: ",
        ),
        (
            "chickenfoot-tournament",
            "crates/tournament",
            &["chickenfoot-tournament time normal"],
            "needs time: ",
        ),
        (
            "chickenfoot-arena",
            "crates/arena",
            &["chickenfoot-arena a normal", "a hyper normal"],
            "needs hyper: ",
        ),
        ("chickenfoot-store", "crates/store", &["chickenfoot-store prost normal"], "wire types live"),
        ("cli", "clients/cli", &["cli a normal", "a chickenfoot-store normal"], "needs chickenfoot-store: "),
        (
            "chickenfoot-layers",
            "crates/layers",
            &["chickenfoot-layers chickenfoot-rules normal"],
            "a check stands apart",
        ),
        ("chickenfoot-new", "crates/new", &[], "has no layer"),
    ];
    for (name, folder, needs, expected) in cases {
        let found = violations(&made_up(&[(name, folder)], needs));
        assert!(found.iter().any(|line| line.contains(name) && line.contains(expected)), "{name}: {found:?}");
    }
}

#[test]
fn needs_in_their_place_and_those_of_tests_are_left_alone() {
    let members = [
        ("chickenfoot-rules", "crates/rules"),
        ("chickenfoot-arena", "crates/arena"),
        ("chickenfoot-protocol", "crates/protocol"),
        ("chickenfoot-server", "crates/server"),
        ("chickenfoot-bot", "clients/bot"),
    ];
    let needs = [
        "chickenfoot-rules sha2 normal",
        "chickenfoot-rules tokio dev",
        "chickenfoot-arena tokio normal",
        "chickenfoot-arena chickenfoot-rules normal",
        "chickenfoot-protocol prost normal",
        "chickenfoot-server chickenfoot-arena normal",
        "chickenfoot-server chickenfoot-bot normal",
        "chickenfoot-bot tonic normal",
        "chickenfoot-bot chickenfoot-server dev",
    ];
    assert_eq!(violations(&made_up(&members, &needs)), Vec::<String>::new());
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

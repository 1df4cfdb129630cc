//! What every crate needs, as `cargo metadata` tells it.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::PURE;
use super::graph::Graph;

/// Crates that wait and write, but know nothing of the wire.
const WIRELESS: [&str; 2] = ["chickenfoot-arena", "chickenfoot-store"];

/// Crates that play without a service. They have threads, and nothing to wait for.
const APART: [&str; 1] = ["chickenfoot-simulation"];

/// Crates of the service that see the wire types.
const WIRE: [&str; 2] = ["chickenfoot-protocol", "chickenfoot-server"];

/// Crates that try the service from outside.
const TRIALS: [&str; 1] = ["chickenfoot-e2e"];

/// Crates that measure the parts, from inside and outside.
const BENCHES: [&str; 1] = ["chickenfoot-bench"];

/// What starts the programs of this workspace as processes of their own.
const STARTERS: [&str; 1] = ["chickenfoot-programs"];

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

#[test]
fn every_crate_reaches_only_what_its_layer_may() {
    let violations = violations(&metadata());
    assert!(violations.is_empty(), "{violations:#?}");
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
        let is_bench = BENCHES.contains(&name);
        if !outside && !is_bench && !WIRE.contains(&name) {
            // Wire types and their conversions live in one place.
            ban(direct, &["tonic*", "prost*"], "wire types live in chickenfoot-protocol");
        }
        if PURE.contains(&name) {
            // The same input has to give the same result anywhere, without a runtime.
            ban(&all, &IMPURE, "a pure crate neither waits nor talks");
        } else if APART.contains(&name) {
            // What is played here may not depend on how the service is built.
            ban(&all, &IMPURE, "it neither waits nor talks");
            ban(&all, &INSIDE, "it plays without the service");
        } else if WIRELESS.contains(&name) {
            // Matches run, and are tested, without a network.
            ban(&all, &GRPC, "only the server knows gRPC");
        } else if outside {
            // A client may know no more of the service than the contract says.
            ban(&all, &INSIDE, "a client sees the contract alone");
        } else if CHECKS.contains(&name) || STARTERS.contains(&name) {
            // A check that needs what it checks could not judge it, and what is started is not linked.
            ban(&all, &["chickenfoot-*"], "a check stands apart");
        } else if is_bench {
            // What is measured as a process of its own must not be in the one that measures it.
            ban(&all, &["chickenfoot-server"], "the server is measured from outside");
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
    let cases: [(&str, &str, &[&str], &str); 11] = [
        (
            "chickenfoot-simulation",
            "crates/simulation",
            &["chickenfoot-simulation chickenfoot-arena normal"],
            "without the service",
        ),
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
            // It starts the server as a program and may know no more of it than any client.
            "chickenfoot-doctor",
            "clients/doctor",
            &["chickenfoot-doctor chickenfoot-server normal"],
            "a client sees the contract alone",
        ),
        (
            "chickenfoot-layers",
            "crates/layers",
            &["chickenfoot-layers chickenfoot-rules normal"],
            "a check stands apart",
        ),
        (
            "chickenfoot-bench",
            "crates/bench",
            &["chickenfoot-bench chickenfoot-server normal"],
            "needs chickenfoot-server: ",
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

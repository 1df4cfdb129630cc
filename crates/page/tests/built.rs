//! The built files are those of the sources, all of them are embedded, and they are small enough.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use chickenfoot_page::{asset, assets, index};
use sha2::{Digest, Sha256};

/// Bytes by gzip that all of the page may have.
const BUDGET: usize = 64 * 1024;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Adds the files at a path: itself, or all below a folder.
fn add(path: &str, files: &mut BTreeSet<Vec<u8>>) {
    let Some(folder) = path.strip_suffix('/') else {
        assert!(root().join(path).is_file(), "{path} is in sources.txt, and is no file");
        files.insert(path.as_bytes().to_vec());
        return;
    };
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|why| panic!("{folder}: {why}"));
    for entry in entries {
        let entry = entry.expect("a folder can be listed");
        let name = entry.file_name().into_string().expect("names of sources are ASCII");
        let below = if entry.path().is_dir() { format!("{path}{name}/") } else { format!("{path}{name}") };
        add(&below, files);
    }
}

/// The hash of the sources: clients/web/README.md has the rule.
fn sources() -> String {
    let list =
        fs::read_to_string(root().join("clients/web/sources.txt")).expect("there is a list of the sources");
    let mut files = BTreeSet::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty()) {
        add(line, &mut files);
    }
    let mut hash = Sha256::new();
    for path in files {
        let path = String::from_utf8(path).expect("names of sources are ASCII");
        let bytes = fs::read(root().join(&path)).unwrap_or_else(|why| panic!("{path}: {why}"));
        hash.update(format!("{path}\n{}\n", bytes.len()));
        hash.update(bytes);
    }
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text takes everything");
        text
    })
}

#[test]
fn built_files_are_those_of_the_sources() {
    let built = fs::read_to_string(root().join("crates/page/built/sources.sha256"))
        .expect("the build leaves its hash");
    assert_eq!(
        built.trim(),
        sources(),
        "crates/page/built is stale: build it again, as clients/web/README.md says"
    );
}

#[test]
fn all_built_files_are_embedded() {
    let folder = fs::read_dir(root().join("crates/page/built")).expect("there are built files");
    let names =
        folder.map(|entry| entry.expect("a folder can be listed").file_name().into_string().expect("ASCII"));
    let mut built: Vec<String> = names.filter(|name| name != "sources.sha256").collect();
    built.sort();
    let mut embedded: Vec<&str> = assets().iter().map(|asset| asset.name).collect();
    embedded.sort_unstable();
    assert_eq!(built, embedded);
}

#[test]
fn the_document_names_each_asset_by_its_hash() {
    let text = std::str::from_utf8(index().bytes).expect("a document is text");
    for name in ["app.js", "app.css"] {
        let asset = asset(name).expect("it is embedded");
        let address = format!("\"/assets/{name}?v={}\"", asset.version());
        assert_eq!(text.matches(&address).count(), 1, "{address} in {text}");
        assert_eq!(text.matches(&format!("/assets/{name}")).count(), 1, "{text}");
    }
    // What the policy of the page would not let run.
    for inline in ["<style", " style=", " onclick=", " onload=", "javascript:", "http://", "https://"] {
        assert!(!text.contains(inline), "{inline} in {text}");
    }
    for script in text.split("<script").skip(1) {
        assert!(
            script
                .split_once('>')
                .is_some_and(|(tag, rest)| tag.contains("src=") && rest.starts_with("</script>"))
        );
    }
}

#[test]
fn the_page_keeps_to_its_budget() {
    let sizes: Vec<(&str, usize)> = assets().iter().map(|asset| (asset.name, asset.gzip.len())).collect();
    let total: usize = sizes.iter().map(|(_, size)| size).sum();
    assert!(total <= BUDGET, "{total} bytes by gzip, and {BUDGET} are allowed: {sizes:?}");
}

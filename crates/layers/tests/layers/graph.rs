use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The packages and what each needs to be built and to run; what only its tests need is left out.
pub(crate) struct Graph {
    names: BTreeMap<String, String>,
    folders: BTreeMap<String, PathBuf>,
    pub(crate) needs: BTreeMap<String, BTreeSet<String>>,
    pub(crate) members: BTreeSet<String>,
}

impl Graph {
    pub(crate) fn read(metadata: &Value) -> Graph {
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

    pub(crate) fn name(&self, id: &str) -> &str {
        &self.names[id]
    }

    /// Where a member lies, from the top of the workspace.
    pub(crate) fn folder(&self, id: &str) -> &Path {
        &self.folders[id]
    }

    /// All packages that this one needs, and those that they need, without itself.
    pub(crate) fn reach(&self, id: &str) -> BTreeSet<String> {
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

//! A strict reading of HTML: stricter than browsers, which mend what is broken.

use std::collections::BTreeSet;

/// Elements that have no end.
const VOID: [&str; 3] = ["meta", "br", "link"];

/// Checks that elements are closed in the order in which they were opened, attributes are quoted and given once, ids are
/// unique, links within the page lead somewhere, and nothing is asked for from elsewhere.
pub fn check(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a doctype comes first");
    let (mut open, mut ids, mut targets) = (Vec::new(), BTreeSet::new(), Vec::new());
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a bare > in {:?}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.to_owned()), "before {rest:.60}");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
        assert!(!["script", "img", "iframe", "object", "link", "base", "form"].contains(&name), "{tag}");
        for (key, value) in read(attributes) {
            assert!(!key.starts_with("on") && key != "src", "{tag}");
            match key {
                "id" => assert!(ids.insert(value.to_owned()), "two of {value}"),
                "href" => targets.extend(value.strip_prefix('#').map(str::to_owned)),
                "aria-labelledby" => targets.push(value.to_owned()),
                _ => {}
            }
        }
        if name == "style" {
            // Style sheets contain > and no tags.
            let end = rest.find("</style>").expect("a style sheet ends");
            let sheet = &rest[..end];
            assert!(!sheet.contains("url(") && !sheet.contains("@import") && !sheet.contains('<'));
            rest = &rest[end + "</style>".len()..];
        } else if !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    assert_eq!(open, Vec::<String>::new(), "not closed");
    assert!(targets.iter().all(|target| ids.contains(target)), "{targets:?} lead to {ids:?}");
    assert!(!page.contains("://") || page.matches("://").count() == page.matches("HYPERLINK").count());
    assert!(!page.contains("NaN") && !page.contains(">inf<"));
}

/// The attributes of a tag.
fn read(mut rest: &str) -> Vec<(&str, &str)> {
    let (mut found, mut keys) = (Vec::new(), BTreeSet::new());
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").expect("attributes are quoted");
        let (value, more) = value.split_once('"').expect("a quote ends");
        assert!(key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{key}");
        assert!(keys.insert(key), "{key} is there twice");
        found.push((key, value));
        rest = more.strip_prefix(' ').unwrap_or(more);
    }
    found
}

//! The layouts of twenty rounds, number by number: on every platform, and in any other program that lays out tiles.
#![allow(clippy::unwrap_used)]

#[path = "vectors/mod.rs"]
mod form;

use form::Vector;

#[test]
fn twenty_rounds_lie_where_they_always_lay() {
    let text = include_str!("vectors/layouts.jsonl");
    let vectors: Vec<Vector> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(vectors.len(), 20);
    for vector in vectors {
        let Vector { max_pip, opening_arms, starting_double, plays, .. } = &vector;
        assert_eq!(Vector::of(*max_pip, *opening_arms, *starting_double, plays), vector);
    }
}

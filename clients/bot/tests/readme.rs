//! What the README shows is what compiles.

#[test]
fn the_bot_in_the_readme_is_the_example() {
    let readme = include_str!("../../../README.md");
    let shown =
        readme.split_once("```rust\n").and_then(|(_, rest)| rest.split_once("```")).map(|(code, _)| code);
    assert_eq!(shown, Some(include_str!("../examples/highest.rs")));
}

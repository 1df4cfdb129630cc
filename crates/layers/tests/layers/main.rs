//! Which crate may reach which, and what a pure one may use: a new dependency in the wrong place fails a test.

mod graph;
mod needs;
mod sources;

/// Crates that compute and nothing else. One that is not there yet is held to the same from its first day.
const PURE: [&str; 6] = [
    "chickenfoot-rules",
    "chickenfoot-strategy",
    "chickenfoot-picture",
    "chickenfoot-page",
    "chickenfoot-tournament",
    "chickenfoot-blocks",
];

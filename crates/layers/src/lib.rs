//! Nothing to call: `tests/layers.rs` checks that every crate of the workspace reaches only what its layer may reach.

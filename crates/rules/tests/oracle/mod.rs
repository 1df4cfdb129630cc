//! A second, deliberately naive implementation of a round, written from the rule text alone.
pub mod naive;
pub mod trees;

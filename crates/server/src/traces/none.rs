//! In place of the exporter in a build without one.

use std::time::Duration;

use tonic::Code;

use super::{TracesError, TracesTo};

/// There is none.
pub(super) enum Exporter {}

impl Exporter {
    pub(super) fn new(_: &TracesTo) -> Result<Exporter, TracesError> {
        Err(TracesError("this server is built without traces".to_owned()))
    }

    pub(super) fn call(&self, _: &'static str, _: Code, _: Duration) {
        match *self {}
    }

    pub(super) fn append(&self, _: usize, _: usize, _: Duration) {
        match *self {}
    }

    pub(super) fn finish(&self) {
        match *self {}
    }
}

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tonic::Code;

#[cfg_attr(feature = "otlp", path = "otlp.rs")]
#[cfg_attr(not(feature = "otlp"), path = "none.rs")]
mod exporter;

use exporter::Exporter;

/// Where spans of calls and of writes to the store go: nowhere, or to a collector.
///
/// A span is made of constants, numbers and times. There is no way to put a hand, a seed, a token or a name in one.
#[derive(Clone, Default)]
pub struct Traces(Option<Arc<Exporter>>);

/// The collector of [`Traces`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracesTo {
    /// Its address, as in `http://127.0.0.1:4317`; it speaks OTLP over gRPC.
    pub endpoint: String,
    /// How many spans of a thousand it gets, chosen by chance; 1 to 1000.
    pub per_thousand: u32,
}

impl Traces {
    /// Whether this build can send traces.
    pub const BUILT_IN: bool = cfg!(feature = "otlp");

    /// Traces to a collector. One that is away costs nothing but its spans. Must be called in a tokio runtime.
    ///
    /// # Errors
    /// The address is none, or this build has no traces.
    pub fn to(collector: &TracesTo) -> Result<Traces, TracesError> {
        Ok(Traces(Some(Arc::new(Exporter::new(collector)?))))
    }

    /// A call has ended, after `took`.
    pub(crate) fn call(&self, method: &'static str, code: Code, took: Duration) {
        if let Some(exporter) = &self.0 {
            exporter.call(method, code, took);
        }
    }

    /// The store has answered after `took`: so many entries were given to it, of which it took so many.
    pub(crate) fn append(&self, entries: usize, stored: usize, took: Duration) {
        if let Some(exporter) = &self.0 {
            exporter.append(entries, stored, took);
        }
    }

    /// Sends what has not been sent yet, and no more after that.
    pub(crate) async fn finish(self) {
        if let Some(exporter) = self.0 {
            // It waits for the collector, and this thread may be the one that talks to it.
            let _ = tokio::task::spawn_blocking(move || exporter.finish()).await;
        }
    }
}

/// Why there are no traces.
#[derive(Debug)]
pub struct TracesError(String);

impl fmt::Display for TracesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TracesError {}

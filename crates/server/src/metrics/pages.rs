use std::time::Duration;

use http::StatusCode;
use metrics::{Counter, Histogram};

use super::Registry;
use super::family::{PAGE_SECONDS, PAGES};

/// What can be asked for.
const LABELS: [&str; 6] = ["document", "asset", "picture", "text", "record", "other"];

/// The statuses of answers; the last stands for any other.
pub(crate) const STATUSES: [&str; 10] =
    ["200", "304", "400", "403", "404", "405", "409", "429", "503", "500"];

/// The metrics of answers to browsers.
pub(crate) struct Pages([Page; LABELS.len()]);

struct Page {
    label: &'static str,
    statuses: [Counter; STATUSES.len()],
    seconds: Histogram,
}

impl Pages {
    pub(super) fn new(registry: &Registry) -> Pages {
        let page = |label| Page {
            label,
            statuses: STATUSES.map(|status| registry.counter(PAGES, &[label, status])),
            seconds: registry.histogram(PAGE_SECONDS, &[label]),
        };
        Pages(LABELS.map(page))
    }

    /// Something was answered.
    pub(crate) fn answered(&self, label: &str, status: StatusCode, took: Duration) {
        let Some(page) = self.0.iter().find(|page| page.label == label).or(self.0.last()) else { return };
        let known = STATUSES.iter().zip(&page.statuses).find(|(name, _)| **name == status.as_str());
        if let Some(counter) = known.map(|(_, counter)| counter).or(page.statuses.last()) {
            counter.increment(1);
        }
        page.seconds.record(took.as_secs_f64());
    }
}

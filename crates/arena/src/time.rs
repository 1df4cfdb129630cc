use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::time::Instant;

/// Time, so that a test can hold it still. Only [`Clock::now`] decides anything.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// Monotonic time since some fixed moment.
    fn now(&self) -> Duration;

    /// Wall-clock time in milliseconds since 1970, for the eyes of people.
    fn unix_ms(&self) -> u64;

    /// Waits until [`Clock::now`] is `at`.
    async fn sleep_until(&self, at: Duration);
}

/// The time of the tokio runtime, which a test may pause.
pub struct TokioClock {
    start: Instant,
}

impl TokioClock {
    /// A clock that starts at zero now.
    pub fn new() -> TokioClock {
        TokioClock { start: Instant::now() }
    }
}

impl Default for TokioClock {
    fn default() -> TokioClock {
        TokioClock::new()
    }
}

#[async_trait]
impl Clock for TokioClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn unix_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    async fn sleep_until(&self, at: Duration) {
        tokio::time::sleep_until(self.start + at).await;
    }
}

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::time::Clock;

/// Waits for moments that mostly move on before they come.
///
/// A match waits for a deadline with every decision, and hardly ever is one reached. So an armed timer is left alone when
/// the moment moves to a later one: should it fire, it is armed again for the rest.
pub(crate) struct Timer {
    clock: Arc<dyn Clock>,
    armed: Option<Armed>,
}

struct Armed {
    at: Duration,
    sleep: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl Timer {
    /// A timer of a clock; nothing is armed yet.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Timer {
        Timer { clock, armed: None }
    }

    /// Waits until [`Clock::now`] is `at`. Safe to drop and call again, with any moment.
    pub(crate) async fn until(&mut self, at: Duration) {
        loop {
            if self.armed.as_ref().is_none_or(|armed| armed.at > at) {
                let clock = Arc::clone(&self.clock);
                self.armed = Some(Armed { at, sleep: Box::pin(async move { clock.sleep_until(at).await }) });
            }
            if let Some(armed) = &mut self.armed {
                armed.sleep.as_mut().await;
            }
            self.armed = None;
            if self.clock.now() >= at {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::TokioClock;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn it_fires_at_the_moment_that_was_asked_for_last() {
        let clock: Arc<dyn Clock> = Arc::new(TokioClock::new());
        let mut timer = Timer::new(Arc::clone(&clock));
        // Earlier and later than what is armed, and armed anew.
        for (dropped, awaited) in [(2, 5), (9, 7), (8, 8), (20, 9), (10, 12)] {
            tokio::select! {
                biased;
                () = timer.until(dropped * SECOND) => panic!("too early"),
                () = std::future::ready(()) => {}
            }
            timer.until(awaited * SECOND).await;
            assert_eq!(clock.now(), awaited * SECOND);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_moment_that_is_past_does_not_wait() {
        let clock: Arc<dyn Clock> = Arc::new(TokioClock::new());
        let mut timer = Timer::new(Arc::clone(&clock));
        timer.until(3 * SECOND).await;
        timer.until(2 * SECOND).await;
        assert_eq!(clock.now(), 3 * SECOND);
    }
}

use std::time::Duration;

use tokio::time::Instant;

use crate::error::Failure;
use crate::output::note;

/// How long a service that went away is waited for: longer than a restart takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The pause before a call is made again.
const PAUSE: Duration = Duration::from_secs(1);

/// Makes a call, and again for as long as it may succeed later: a tournament that went on so far has to end somehow.
pub(crate) async fn patiently<T, E: Into<Failure>>(
    call: impl AsyncFn() -> Result<T, E>,
) -> Result<T, Failure> {
    let start = Instant::now();
    let mut told = false;
    loop {
        match call().await.map_err(Into::into) {
            Err(Failure::Service(error)) if error.is_passing() && start.elapsed() < PATIENCE => {
                if !told {
                    note(format_args!("{error}; trying again"));
                    told = true;
                }
                tokio::time::sleep(PAUSE).await;
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use chickenfoot_bot::Error;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_may_succeed_later_is_tried_until_it_does() {
        let calls = Cell::new(0);
        let call = async || {
            calls.set(calls.get() + 1);
            if calls.get() < 20 { Err(Error::Ended) } else { Ok(calls.get()) }
        };
        assert_eq!(patiently(call).await.ok(), Some(20));
    }

    #[tokio::test(start_paused = true)]
    async fn patience_has_an_end() {
        let start = Instant::now();
        let failed = patiently(async || Err::<(), Error>(Error::Ended)).await;
        assert!(matches!(failed, Err(Failure::Service(Error::Ended))));
        assert_eq!(start.elapsed(), PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn what_fails_for_good_is_tried_once() {
        let calls = Cell::new(0);
        let call = async || {
            calls.set(calls.get() + 1);
            Err::<(), Error>(Error::Token)
        };
        assert!(patiently(call).await.is_err());
        assert_eq!(calls.get(), 1);
    }
}

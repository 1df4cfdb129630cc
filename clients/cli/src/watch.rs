use std::time::Duration;

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1;
use tokio::time::{MissedTickBehavior, interval};

use crate::args::Global;
use crate::error::Failure;
use crate::json;
use crate::matches::{aborted, missing, print_seats};
use crate::output::{Output, note};
use crate::story::Story;
use crate::tournament::Ending;
use crate::view::{self, Showing};

/// How often in a row a broken stream is taken up again.
const ATTEMPTS: u32 = 10;

/// The pause before a broken stream is taken up again.
const PAUSE: Duration = Duration::from_secs(1);

/// How often a match that did not begin is asked whom it waits for.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// `match watch` on a terminal: a view that fills it, and the seats with their scores when all is over.
pub(crate) async fn show(
    global: &Global,
    id: &str,
    after: u64,
    showing: Showing,
    out: &mut Output,
) -> Result<Ending, Failure> {
    let start = (after > 0).then(|| after.saturating_add(1));
    let (ending, last) = view::watch_match(global.client()?, id, start, showing).await?;
    if let Some(game) = last {
        out.heading(format_args!("match {}: {}", game.id, json::state(game.state())))?;
        print_seats(&game, out)?;
    }
    Ok(ending)
}

/// `match watch` in a pipe: the events from `after` on, to the end of the match.
pub(crate) async fn watch(global: &Global, id: &str, after: u64, out: &mut Output) -> Result<(), Failure> {
    let mut watcher = Watcher {
        client: global.client()?,
        id,
        after,
        // A program gets the events as they are; for people the table is needed, so from the first one on.
        seen: if out.is_json() { after } else { 0 },
        story: Story::default(),
        missing: None,
    };
    let mut failures = 0;
    loop {
        let before = watcher.seen;
        match watcher.follow(out).await {
            Ok(()) => return Ok(()),
            Err(Failure::Service(error)) if worth_trying(&error, watcher.seen) && failures < ATTEMPTS => {
                // Progress in between means that the service is back.
                failures = if watcher.seen > before { 1 } else { failures + 1 };
                out.flush()?;
                note(format_args!("{error}; trying again"));
                tokio::time::sleep(PAUSE).await;
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// A service that never answered is most likely not there.
fn worth_trying(error: &Error, seen: u64) -> bool {
    seen > 0 && error.is_passing()
}

struct Watcher<'a> {
    client: Client,
    id: &'a str,
    /// The last event that is not to be shown.
    after: u64,
    /// The last event that came.
    seen: u64,
    story: Story,
    /// Whom the match waited for when that was told last.
    missing: Option<String>,
}

impl Watcher<'_> {
    async fn follow(&mut self, out: &mut Output) -> Result<(), Failure> {
        let mut events = self.client.watch(self.id, self.seen).await?;
        let mut asks = interval(ASK_EVERY);
        asks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let event = tokio::select! {
                biased;
                event = events.next() => event?,
                _ = asks.tick(), if self.seen == 0 && !out.is_json() => {
                    self.tell_missing().await?;
                    continue;
                }
            };
            let Some(event) = event else { return self.tell_end(out).await };
            self.seen = event.seq;
            if out.is_json() {
                out.value(&json::event(&event))?;
            } else {
                self.story.tell(&event, event.seq > self.after, out)?;
            }
            out.flush()?;
        }
    }

    /// A match that never began has no event that would tell of its end.
    async fn tell_end(&self, out: &Output) -> Result<(), Failure> {
        if self.seen == 0 && !out.is_json() {
            let game = self.client.get_match(self.id).await?;
            if game.state() == v1::MatchState::Aborted {
                note(aborted(&game.abort_reason));
            }
        }
        Ok(())
    }

    /// Tells whom the match waits for, when that has changed.
    async fn tell_missing(&mut self) -> Result<(), Failure> {
        let missing = missing(&self.client.get_match(self.id).await?);
        if self.missing != missing {
            if let Some(text) = &missing {
                note(text);
            }
            self.missing = missing;
        }
        Ok(())
    }
}

use std::time::Duration;

use chickenfoot_bot::{Client, Error};

use crate::args::Global;
use crate::error::Failure;
use crate::json;
use crate::output::{Output, note};
use crate::story::Story;

/// How often in a row a broken stream is taken up again.
const ATTEMPTS: u32 = 10;

/// The pause before a broken stream is taken up again.
const PAUSE: Duration = Duration::from_secs(1);

/// `match watch`: the events from `after` on, to the end of the match.
pub(crate) async fn watch(global: &Global, id: &str, after: u64, out: &mut Output) -> Result<(), Failure> {
    let mut watcher = Watcher {
        client: global.client()?,
        id,
        after,
        // A program gets the events as they are; for people the table is needed, so from the first one on.
        seen: if out.is_json() { after } else { 0 },
        story: Story::default(),
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
}

impl Watcher<'_> {
    async fn follow(&mut self, out: &mut Output) -> Result<(), Failure> {
        let mut events = self.client.watch(self.id, self.seen).await?;
        while let Some(event) = events.next().await? {
            self.seen = event.seq;
            if out.is_json() {
                out.value(&json::event(&event))?;
            } else {
                self.story.tell(&event, event.seq > self.after, out)?;
            }
            out.flush()?;
        }
        Ok(())
    }
}

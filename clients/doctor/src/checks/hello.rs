use std::time::Duration;

use chickenfoot_protocol::v1::session_response::What as Down;

use super::{LIMIT, said};
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::transcript::{Log, Promise};

pub(super) const CHECK: Check = Check {
    name: "hello",
    proves: "opens a session with its token and gets Hello",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// From the opening of the stream to Open.
const OPEN: Duration = Duration::from_secs(5);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let what = "it opened a session and did not say Open";
    let agent = exam.expect(OPEN, Promise::Connects, what, greeted).await?;
    if agent == exam.name {
        return Ok(());
    }
    let what =
        format!("it plays as {agent:?}, not as {:?}: take the token from CHICKENFOOT_TOKEN", exam.name);
    Err(exam.broken(Promise::Connects, what))
}

/// Whom the service greeted.
fn greeted(log: &Log<'_>) -> Option<String> {
    log.entries.iter().find_map(|entry| match said(entry)? {
        Down::Hello(hello) => Some(hello.agent.clone()),
        _ => None,
    })
}

use std::time::Duration;

use chickenfoot_protocol::v1;
use prost_types::Duration as WireDuration;

use super::{LIMIT, options};
use crate::check::Check;
use crate::exam::{COME_BACK, Exam, Stop};
use crate::scene::Table;
use crate::transcript::{Happened, Log, Promise};

pub(super) const CHECK: Check = Check {
    name: "goodbye",
    proves: "comes back after Goodbye once the time that it names is over",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// What Goodbye says.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How much too early is no fault: clocks are read on both sides.
const MARGIN: Duration = Duration::from_millis(100);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let id = exam.begin(&Table::short()).await?;
    let asked = |log: &Log<'_>| log.entries.iter().find_map(options).map(drop);
    exam.expect(LIMIT, Promise::Stays, "no decision came to it", asked).await?;
    let (mark, at) = (exam.transcript.mark(), exam.transcript.now());
    let goodbye = v1::Goodbye {
        reason: v1::GoodbyeReason::Shutdown.into(),
        message: "the service stops".to_owned(),
        retry_after: Some(WireDuration { seconds: 1, nanos: 0 }),
    };
    exam.gateway.goodbye(goodbye).await;
    let what = format!("no session came within {} s after the time was over", COME_BACK.as_secs());
    let back = |log: &Log<'_>| {
        let opened = log.entries.iter().skip(mark).find(|entry| matches!(entry.what, Happened::Opened));
        opened.map(|entry| entry.at)
    };
    let back = exam.expect(RETRY_AFTER + COME_BACK, Promise::ComesBack, &what, back).await?;
    let away = back.saturating_sub(at);
    if away + MARGIN < RETRY_AFTER {
        let what = format!(
            "it came back after {:.1} s, where Goodbye said {} s",
            away.as_secs_f64(),
            RETRY_AFTER.as_secs()
        );
        return Err(exam.broken(Promise::Waits, what));
    }
    exam.over(&[id]).await.map(drop)
}

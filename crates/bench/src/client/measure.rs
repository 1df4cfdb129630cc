use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::hub::Hub;
use crate::Failure;
use crate::job::{Job, Outcome, Part, Until};
use crate::usage::{cpu, memory};

/// How long all matches may take to begin.
const BEGIN: Duration = Duration::from_secs(600);

/// How often answers are released where their rate is given.
const PACE: Duration = Duration::from_millis(1);

/// How often is looked whether a part of the run is over.
const LOOK: Duration = Duration::from_millis(20);

/// Waits until so many seats play, lets them, and measures as the job says. `tasks` are what must not end before.
pub(crate) async fn measure<M: Send + 'static>(
    job: &Job,
    hub: &Hub<M>,
    seats: u64,
    tasks: &mut JoinSet<Result<(), Failure>>,
    memory_before: u64,
) -> Result<Outcome, Failure> {
    let work = async {
        begin(hub, seats).await?;
        if matches!(job.until, Until::Begun) {
            // What was on its way to the sessions has to be written before the memory is looked at.
            sleep(Duration::from_secs(2)).await;
            return Ok(Vec::new());
        }
        match job.rate {
            None => {
                hub.open();
                play(job, hub).await
            }
            Some(rate) => tokio::select! {
                parts = play(job, hub) => parts,
                never = pace(hub, rate) => match never {},
            },
        }
    };
    let parts = tokio::select! {
        parts = work => parts?,
        Some(ended) = tasks.join_next() => {
            ended??;
            return Err("a session ended before the run did".into());
        }
    };
    Ok(Outcome { parts, memory_before, memory_after: memory(job.server)? })
}

async fn begin<M>(hub: &Hub<M>, seats: u64) -> Result<(), Failure> {
    let start = Instant::now();
    while hub.begun.load(Ordering::Relaxed) < seats {
        if start.elapsed() > BEGIN {
            let begun = hub.begun.load(Ordering::Relaxed);
            return Err(format!("of {seats} seats only {begun} play after {BEGIN:?}").into());
        }
        sleep(LOOK).await;
    }
    Ok(())
}

/// Releases so many answers a second, for as long as it is polled. What nobody had ready is not caught up with later.
async fn pace<M>(hub: &Hub<M>, rate: f64) -> std::convert::Infallible {
    let mut ticks = interval(PACE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut last, mut owed) = (Instant::now(), 0.0);
    loop {
        ticks.tick().await;
        let now = Instant::now();
        owed += rate * (now - last).as_secs_f64();
        last = now;
        hub.release(owed as usize);
        owed -= owed.floor();
    }
}

async fn play<M>(job: &Job, hub: &Hub<M>) -> Result<Vec<Part>, Failure> {
    sleep(Duration::from_secs_f64(job.warm_up)).await;
    hub.take()?;
    let mut parts = Vec::new();
    let parts_wanted = match job.until {
        Until::Matches { parts, .. } => parts,
        Until::Seconds(_) | Until::Begun => 1,
    };
    for _ in 0..parts_wanted {
        parts.push(part(job, hub).await?);
    }
    Ok(parts)
}

async fn part<M>(job: &Job, hub: &Hub<M>) -> Result<Part, Failure> {
    let (start, ended) = (Instant::now(), hub.ended.load(Ordering::Relaxed));
    let watched = hub.watched.load(Ordering::Relaxed);
    let (server, client) = (cpu(job.server)?, cpu(std::process::id())?);
    match job.until {
        Until::Seconds(seconds) => sleep(Duration::from_secs_f64(seconds)).await,
        Until::Matches { matches, parts } => {
            while hub.ended.load(Ordering::Relaxed) < ended + matches / u64::from(parts.max(1)) {
                sleep(LOOK).await;
            }
        }
        Until::Begun => {}
    }
    let tally = hub.take()?;
    Ok(Part {
        decisions: tally.decisions(),
        matches: hub.ended.load(Ordering::Relaxed) - ended,
        seconds: start.elapsed().as_secs_f64(),
        server: cpu(job.server)? - server,
        client: cpu(std::process::id())? - client,
        p50: tally.quantile(0.5),
        p99: tally.quantile(0.99),
        p999: tally.quantile(0.999),
        down: tally.mean_down(),
        up: tally.mean_up(),
        watched: hub.watched.load(Ordering::Relaxed) - watched,
        all_down: tally.all_down as f64 / tally.decisions().max(1) as f64,
    })
}

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, BufReader, stdin};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::hub::Hub;
use crate::Failure;
use crate::job::{Job, Outcome, Part, Until};
use crate::say;
use crate::usage::{cpu, memory};

/// How long all matches may take to begin.
const BEGIN: Duration = Duration::from_secs(600);

/// How often answers are released where their rate is given.
const PACE: Duration = Duration::from_millis(1);

/// How long the first answer of a part may take.
const FIRST: Duration = Duration::from_secs(30);

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
        match job.until {
            Until::Begun => {
                // What was on its way to the sessions has to be written before the memory is looked at.
                sleep(Duration::from_secs(2)).await;
                Ok(None)
            }
            Until::Told => orders(job, hub).await.map(|()| None),
            Until::Seconds(seconds) => match job.rate {
                None => {
                    hub.open();
                    play(job, hub, seconds).await.map(Some)
                }
                Some(rate) => tokio::select! {
                    part = play(job, hub, seconds) => part.map(Some),
                    never = pace(hub, rate) => match never {},
                },
            },
        }
    };
    let part = tokio::select! {
        part = work => part?,
        Some(ended) = tasks.join_next() => {
            ended??;
            return Err("a session ended before the run did".into());
        }
    };
    Ok(Outcome { part, memory_before, memory_after: memory(job.server)? })
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

async fn play<M>(job: &Job, hub: &Hub<M>, seconds: f64) -> Result<Part, Failure> {
    sleep(Duration::from_secs_f64(job.warm_up)).await;
    part(job, hub, sleep(Duration::from_secs_f64(seconds))).await
}

/// Plays so many matches as each line of the input says, and tells what was measured. In between nothing is played.
async fn orders<M>(job: &Job, hub: &Hub<M>) -> Result<(), Failure> {
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let goal = hub.ended.load(Ordering::Relaxed) + line.parse::<u64>()?;
        let played = async {
            hub.open();
            while hub.ended.load(Ordering::Relaxed) < goal {
                sleep(LOOK).await;
            }
            hub.hold();
            // Of each match that runs one answer is held, when nothing is under way any more.
            while hub.held_back() < job.matches as usize {
                sleep(LOOK).await;
            }
        };
        say(&serde_json::to_string(&part(job, hub, played).await?)?)?;
    }
    Ok(())
}

/// What is measured while something is done.
async fn part<M>(job: &Job, hub: &Hub<M>, done: impl Future<Output = ()>) -> Result<Part, Failure> {
    hub.take()?;
    let (start, ended) = (Instant::now(), hub.ended.load(Ordering::Relaxed));
    let watched = hub.watched.load(Ordering::Relaxed);
    let (server, client) = (cpu(job.server)?, cpu(std::process::id())?);
    done.await;
    let mut tally = hub.take()?;
    // A slow disk may let nothing through in a short time.
    while tally.decisions() == 0 && start.elapsed() < FIRST {
        sleep(LOOK).await;
        tally = hub.take()?;
    }
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

use std::path::PathBuf;
use std::time::Duration;

use chickenfoot_bot::request_id;
use tempfile::TempDir;
use tokio::time::{Instant, timeout};

use crate::bot::{Bot, Subject};
use crate::check::{Check, Failure, Outcome, Verdict};
use crate::checks::{CHECKS, FIRST};
use crate::exam::{COME_BACK, Exam, Stop, channel, client};
use crate::gateway::Gateway;
use crate::report::Report;
use crate::service::Service;
use crate::transcript::{Breach, Promise, Transcript};

/// The name of the doctor's own agent.
const OWN_NAME: &str = "doctor";

/// What is examined, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The bot.
    pub subject: Subject,
    /// The server program.
    pub server: PathBuf,
    /// The names of the checks that are wanted; empty for all.
    pub only: Vec<String>,
    /// How long to wait for a bot that somebody else starts, and for a program to come the first time.
    pub wait: Duration,
    /// How long the bot has for a decision.
    pub patience: Duration,
}

/// How the caller follows an examination.
pub trait Follow {
    /// The private service is there: with this address and token the bot comes to it.
    fn ready(&mut self, address: &str, token: &str);
    /// A check is done.
    fn checked(&mut self, outcome: &Outcome);
}

/// Why an examination could not take place.
#[derive(Debug)]
pub enum Error {
    /// The plan cannot be meant.
    Plan(String),
    /// The private server, the disk, the network: nothing about the bot.
    Trouble(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Plan(why) | Error::Trouble(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// What goes wrong on the way is trouble unless it is said otherwise.
impl From<String> for Error {
    fn from(why: String) -> Error {
        Error::Trouble(why)
    }
}

/// Examines a bot: every wanted check in order. All processes and files that this needs end with the future, also when it
/// is dropped.
///
/// # Errors
/// The plan names no check or no name that a bot can have, or the private server does not run.
pub async fn examine(plan: &Plan, follow: &mut dyn Follow) -> Result<Report, Error> {
    let wanted = wanted(plan)?;
    let folder = tempfile::Builder::new().prefix("chickenfoot-doctor-").tempdir();
    let folder = folder.map_err(|why| Error::Trouble(format!("no temporary folder: {why}")))?;
    let mut exam = admit(plan, folder).await?;
    follow.ready(exam.gateway.address(), &exam.token);
    let mut outcomes: Vec<Outcome> = Vec::new();
    for check in wanted {
        let start = Instant::now();
        let verdict = match missing(check, &outcomes) {
            Some(why) => Verdict::Skipped(why),
            None => {
                if !outcomes.is_empty() {
                    exam.transcript.begin();
                }
                judge(plan, &mut exam, check).await?
            }
        };
        let outcome = Outcome { name: check.name, proves: check.proves, verdict, took: start.elapsed() };
        follow.checked(&outcome);
        outcomes.push(outcome);
    }
    // Waited for, so that nothing is written into the folder while it is removed.
    exam.bot = Bot::Gone;
    exam.service.kill().await?;
    Ok(Report::new(plan.subject.name(), outcomes, &exam.transcript.times()))
}

/// The checks that are wanted, in their order.
fn wanted(plan: &Plan) -> Result<Vec<&'static Check>, Error> {
    let known = |name: &String| CHECKS.iter().any(|check| check.name == name);
    if let Some(name) = plan.only.iter().find(|name| !known(name)) {
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        return Err(Error::Plan(format!("there is no check {name:?}; there are {}", names.join(", "))));
    }
    let is_wanted = |check: &&Check| plan.only.is_empty() || plan.only.iter().any(|name| name == check.name);
    Ok(CHECKS.iter().filter(is_wanted).collect())
}

/// Starts the private server, makes the bot's agent, and starts the bot.
async fn admit(plan: &Plan, folder: TempDir) -> Result<Exam, Error> {
    let mut service = Service::new(&plan.server, folder.path());
    let transcript = Transcript::new(plan.patience);
    let gateway = Gateway::open(transcript.clone()).await.map_err(|why| format!("no port: {why}"))?;
    service.start().await?;
    gateway.upstream(Some(channel(service.address())?));
    let anyone = client(service.address(), None)?;
    // A name that no bot has, so that the bot's own is free.
    let own = format!("{OWN_NAME}-{}", &request_id()[..12]);
    let client_token = anyone.register(&own).await.map_err(|why| why.to_string())?;
    let token = anyone.register(plan.subject.name()).await.map_err(|why| match why.reason() {
        Some("AGENT_NAME_INVALID") => Error::Plan(why.to_string()),
        _ => Error::Trouble(why.to_string()),
    })?;
    let client = client(service.address(), Some(&client_token))?;
    Ok(Exam {
        name: plan.subject.name().to_owned(),
        token,
        bot: Bot::Gone,
        gateway,
        transcript,
        service,
        client,
        client_token,
        patience: plan.patience,
        made: Vec::new(),
        folder,
    })
}

/// Why a check makes no sense after what came before.
fn missing(check: &Check, outcomes: &[Outcome]) -> Option<String> {
    let failed = |name: &&str| outcomes.iter().any(|outcome| outcome.name == *name && outcome.has_failed());
    let name = FIRST.into_iter().filter(|name| *name != check.name).find(failed)?;
    Some(format!("{name} failed, and nothing works without it"))
}

/// Runs one check on a bot that is there, and tidies up behind it.
async fn judge(plan: &Plan, exam: &mut Exam, check: &Check) -> Result<Verdict, String> {
    let fresh = !exam.bot.is_running();
    if fresh {
        let (address, folder) = (exam.gateway.address(), exam.folder.path());
        exam.bot = Bot::start(&plan.subject, address, &exam.token, folder, &exam.transcript)?;
    }
    let known = !fresh && exam.transcript.was_connected();
    let wait = if known { COME_BACK } else { plan.wait };
    let checked = async {
        let what = format!("no session came within {} s", (wait + plan.patience).as_secs());
        exam.expect(wait, Promise::Connects, &what, |log| log.connected.then_some(())).await?;
        // A bot that has long for each decision may take long for all of them.
        let limit = check.limit + 4 * plan.patience;
        match timeout(limit, (check.script)(exam)).await {
            Ok(checked) => checked,
            Err(_) => {
                let what = format!("the check did not come to its end within {} s", limit.as_secs());
                Err(exam.broken(Promise::AnswersInTime, what))
            }
        }
    };
    let verdict = match checked.await {
        Ok(()) => Verdict::Passed,
        Err(Stop::Skipped(why)) => Verdict::Skipped(why),
        Err(Stop::Trouble(why)) => return Err(why),
        Err(Stop::Broken(breach)) => Verdict::Failed(failure(exam, &breach)),
    };
    tidy(plan, exam, matches!(verdict, Verdict::Failed(_))).await?;
    Ok(verdict)
}

fn failure(exam: &Exam, breach: &Breach) -> Failure {
    let mut transcript = exam.transcript.lines(breach.place);
    let words = exam.bot.last_words();
    if !words.is_empty() {
        transcript.push("     the last lines on stderr:".to_owned());
        transcript.extend(words.iter().map(|line| format!("     | {line}")));
    }
    Failure {
        promise: breach.promise,
        what: breach.what.clone(),
        advice: breach.promise.advice(),
        transcript,
    }
}

/// Leaves no match and no disturbance to the next check, and after a failure no old program and no old session.
async fn tidy(plan: &Plan, exam: &mut Exam, failed: bool) -> Result<(), String> {
    exam.gateway.calm();
    exam.transcript.release();
    if !exam.service.is_running() {
        exam.start_server().await?;
    }
    exam.abort().await;
    if failed {
        if plan.subject.is_started_here() {
            exam.bot = Bot::Gone;
        }
        exam.gateway.cut();
        let gone = exam.transcript.wait(|log| (!log.connected).then_some(()));
        // A session that outlives its connection is taken over by the next one.
        let _ = timeout(COME_BACK, gone).await;
    }
    Ok(())
}

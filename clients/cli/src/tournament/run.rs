use std::path::{Path, PathBuf};

use chickenfoot_bot::{Client, Error, stop_signal};
use chickenfoot_protocol::v1;
use serde_json::json;

use super::args;
use super::calls::read;
use super::ending::Ending;
use super::file;
use super::follow::{LEADERS, follow};
use super::patience::patiently;
use super::report::{self, Reports};
use super::run_state::RunState;
use super::{json, show};
use crate::agents::token_of;
use crate::args::Global;
use crate::error::Failure;
use crate::output::{Output, note};
use crate::view::{self, Showing};

/// `tournament watch` on a terminal: a view that fills it, and the standings when all is over.
pub(crate) async fn show(
    global: &Global,
    id: &str,
    showing: Showing,
    out: &mut Output,
) -> Result<Ending, Failure> {
    let client = global.client()?;
    let (left, last) = view::watch_tournament(client.clone(), id, showing).await?;
    let Some(last) = last.filter(|_| left == Ending::Done) else { return Ok(left) };
    let standings = patiently(async || client.standings(id).await).await?;
    tell(&standings, out)?;
    ending(&last, &standings)
}

/// `tournament watch` in a pipe.
pub(crate) async fn watch(global: &Global, id: &str, out: &mut Output) -> Result<Ending, Failure> {
    let client = global.client()?;
    let last = follow(client.watch_tournament(id, LEADERS).await?, out).await?;
    let standings = patiently(async || client.standings(id).await).await?;
    tell(&standings, out)?;
    ending(&last, &standings)
}

/// `tournament run`: each file's tournament, one after the other.
pub(crate) async fn run(global: &Global, run: &args::Run, out: &mut Output) -> Result<Ending, Failure> {
    if run.state.is_some() && run.files.len() > 1 {
        return Err(Failure::Usage("--state holds one tournament; give one FILE".to_owned()));
    }
    let reports = Reports::plan(run.output.as_deref(), run.files.len())?;
    // All that can be found wrong beforehand, for all of them, before the first is played.
    let plans: Vec<Plan> =
        run.files.iter().map(|file| Plan::read(global, run, file)).collect::<Result<_, _>>()?;
    reports.prepare()?;
    // One for all, so that no signal is lost between two of them.
    let stop = stop_signal();
    tokio::pin!(stop);
    let mut first = Ending::Done;
    for mut plan in plans {
        let played = tokio::select! {
            played = plan.play(global, &reports, out) => Some(played),
            () = &mut stop => None,
        };
        let Some(played) = played else {
            return Err(Failure::Interrupted { id: plan.state.saved.tournament });
        };
        let ending = played?;
        if first == Ending::Done {
            first = ending;
        }
    }
    Ok(first)
}

/// A tournament that is to be played.
struct Plan {
    file: PathBuf,
    config: v1::TournamentConfig,
    state: RunState,
}

impl Plan {
    fn read(global: &Global, run: &args::Run, file: &Path) -> Result<Plan, Failure> {
        let name = file.display().to_string();
        if name == "-" {
            return Err(Failure::Usage("a run comes back to its FILE; stdin is none".to_owned()));
        }
        let text = read(&name)?;
        let config = file::parse(&name, &text).map_err(Failure::NoTournament)?;
        let path = run.state.clone().unwrap_or_else(|| {
            let mut beside = file.as_os_str().to_owned();
            beside.push(".run");
            PathBuf::from(beside)
        });
        let state = if run.fresh {
            RunState::fresh(path, &global.server, &text)
        } else {
            RunState::find(path, &global.server, &text)?
        };
        Ok(Plan { file: file.to_owned(), config, state })
    }

    async fn play(
        &mut self,
        global: &Global,
        reports: &Reports,
        out: &mut Output,
    ) -> Result<Ending, Failure> {
        let (client, id) = match self.state.saved.tournament.clone() {
            Some(id) => {
                note(format_args!("{}: going on with tournament {id}", self.file.display()));
                (self.client(global)?, id)
            }
            None => self.create(global).await?,
        };
        let standing = client.get_tournament(&id).await.map_err(|error| self.gone(error))?;
        if standing.state() == v1::TournamentState::Open {
            patiently(async || client.start_tournament(&id).await).await?;
        }
        let watch = patiently(async || client.watch_tournament(&id, LEADERS).await).await?;
        let last = follow(watch, out).await?;
        let standings = patiently(async || client.standings(&id).await).await?;
        tell(&standings, out)?;
        // Before what is noted on stderr.
        out.flush()?;
        for (path, format) in reports.of(&self.file) {
            let bytes = patiently(async || report::write(&client, &id, format, &path).await).await?;
            tell_report(&id, &path, bytes, out)?;
        }
        out.flush()?;
        self.state.remove()?;
        ending(&last, &standings)
    }

    /// Makes the tournament, or finds it if an interrupted run made it and did not get to know.
    async fn create(&mut self, global: &Global) -> Result<(Client, String), Failure> {
        if global.token().is_none() && self.state.saved.token.is_none() {
            self.state.saved.token = Some(token_of(global, None).await?);
        }
        self.state.save()?;
        let client = self.client(global)?;
        let request_id = self.state.saved.request_id.clone();
        let made = match client.create_tournament_as(self.config.clone(), &request_id).await {
            Ok(made) => made,
            Err(error) => {
                // Refused for good, there is nothing to come back to.
                if !error.is_passing() {
                    self.state.remove()?;
                }
                return Err(error.into());
            }
        };
        self.state.saved.tournament = Some(made.id.clone());
        self.state.save()?;
        note(format_args!("{}: tournament {}", self.file.display(), made.id));
        Ok((client, made.id))
    }

    /// The caller's own token goes before that of the agent that was registered for the run.
    fn client(&self, global: &Global) -> Result<Client, Failure> {
        global.client_as(global.token().or(self.state.saved.token.as_deref()))
    }

    /// A tournament that the service does not know any more cannot be gone on with.
    fn gone(&self, error: Error) -> Failure {
        match (error.reason(), &self.state.saved.tournament) {
            (Some("TOURNAMENT_NOT_FOUND"), Some(id)) => Failure::RunState {
                path: self.state.path().display().to_string(),
                why: format!("tournament {id} is not there any more"),
            },
            _ => error.into(),
        }
    }
}

/// Tells of a report that was written.
pub(crate) fn tell_report(id: &str, path: &Path, bytes: u64, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        let file = path.display().to_string();
        return out.value(&json!({"event": "report", "tournament": id, "file": file, "bytes": bytes}));
    }
    note(format_args!("wrote {}, {bytes} bytes", path.display()));
    Ok(())
}

/// Tells the standings at the end.
fn tell(standings: &v1::GetStandingsResponse, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        let mut value = json::standings(standings, false);
        value["event"] = "standings".into();
        return out.value(&value);
    }
    show::standings(standings, out)
}

fn ending(
    last: &v1::WatchTournamentResponse,
    standings: &v1::GetStandingsResponse,
) -> Result<Ending, Failure> {
    let tournament = standings.tournament.as_ref().or(last.tournament.as_ref());
    let Some(tournament) = tournament else {
        return Err(chickenfoot_protocol::Malformed::missing("tournament").into());
    };
    if tournament.state() == v1::TournamentState::Cancelled {
        let (id, message) = (tournament.id.clone(), tournament.message.clone());
        return Err(Failure::Cancelled { id, message });
    }
    Ok(Ending::of(tournament, standings.ab.as_ref().or(last.ab.as_ref())))
}

mod answer;
mod input;
mod prompt;

use std::time::{Duration, Instant};

use chickenfoot_bot::{Client, Error, Session, Turn, entropy};
use chickenfoot_protocol::v1::event::What;
use chickenfoot_protocol::v1::{self, session_response::What as Down};

use crate::agents::token_of;
use crate::args::Global;
use crate::error::Failure;
use crate::matches::print_seats;
use crate::output::{Output, note};
use crate::play::input::Input;
use crate::story::Story;

/// How often in a row a lost session is opened again, a second apart: a restart of the service takes less.
const ATTEMPTS: u32 = 60;

/// The pause before a lost session is opened again.
const PAUSE: Duration = Duration::from_secs(1);

/// `match play`: a person on a seat.
///
/// Not a [`chickenfoot_bot::Runner`], whose bots cannot be interrupted: a person hears while thinking that the time is
/// up, and may leave at any time. The session carries all matches of the agent; what belongs to others is passed over.
pub(crate) async fn play(
    global: &Global,
    id: &str,
    name: Option<String>,
    out: &mut Output,
) -> Result<(), Failure> {
    if out.is_json() {
        let why = "match play is for people; a program runs an agent, or watches";
        return Err(Failure::Usage(why.to_owned()));
    }
    let token = token_of(global, name.as_deref()).await?;
    let client = global.client_as(Some(&token))?;
    let joined = client.join_match(id, None, entropy()).await?;
    out.line(format_args!("you have seat {} of match {id}", joined.seat))?;
    if joined.r#match.is_some_and(|game| game.state() == v1::MatchState::Open) {
        out.line("waiting for the other seats to be taken")?;
    }
    let mut player = Player {
        client,
        id,
        story: Story::default(),
        seen: 0,
        asked: None,
        leaving: false,
        failures: 0,
        input: Input::open(),
    };
    loop {
        match player.session(out).await {
            Ok(After::Over) => return Ok(()),
            Ok(After::Again) => {}
            Err(Failure::Service(error)) if error.is_passing() && player.failures < ATTEMPTS => {
                if player.failures == 0 {
                    note(format_args!("{error}; trying again for a minute"));
                }
                player.failures += 1;
            }
            Err(failure) => return Err(failure),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// What comes after a session.
enum After {
    /// Nothing: the match is over, or left.
    Over,
    /// Another one.
    Again,
}

struct Player<'a> {
    client: Client,
    id: &'a str,
    story: Story,
    /// The last event that was told; a new session goes on after it.
    seen: u64,
    asked: Option<Asked>,
    /// Whether the last question was whether to leave.
    leaving: bool,
    /// Attempts in a row to open a session that failed.
    failures: u32,
    input: Input,
}

/// A decision to make.
struct Asked {
    number: u32,
    turn: Turn,
    state: State,
    /// When it came, to tell how much time is left.
    since: Instant,
}

impl Asked {
    fn ask(&self, out: &mut Output) -> Result<(), Failure> {
        let left = self.turn.time_left.saturating_sub(self.since.elapsed());
        prompt::ask(self.turn.options.len(), left, out)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not shown yet: the events that led to it are still to come.
    Early,
    /// The person thinks.
    Shown,
    /// Answered.
    Sent,
}

impl Player<'_> {
    async fn session(&mut self, out: &mut Output) -> Result<After, Failure> {
        let open = v1::Open {
            events: true,
            client: concat!("chickenfoot-cli/", env!("CARGO_PKG_VERSION")).to_owned(),
            resume: vec![v1::Resume { match_id: self.id.to_owned(), after_seq: self.seen }],
        };
        let (mut session, _) = Session::open(&self.client, open).await?;
        self.failures = 0;
        // A session does not tell of a match that was over before it began.
        let game = self.client.get_match(self.id).await?;
        if is_over(&game) && game.head_seq == 0 {
            return finish(&game, out);
        }
        loop {
            out.flush()?;
            let listens = self.input.is_terminal() || self.is_thinking();
            let after = tokio::select! {
                message = session.next() => self.hear(message?, out)?,
                typed = self.input.next(), if listens => self.typed(typed, &session, out).await?,
            };
            if let Some(after) = after {
                return Ok(after);
            }
        }
    }

    fn is_thinking(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.state == State::Shown)
    }

    /// A message of the service.
    fn hear(&mut self, message: Down, out: &mut Output) -> Result<Option<After>, Failure> {
        match message {
            Down::GameStarted(it) if it.r#match.as_ref().is_some_and(|game| game.id == self.id) => {
                it.seats.iter().for_each(|seat| self.story.own(*seat));
            }
            Down::GameEvent(it) if it.match_id == self.id => {
                if let Some(event) = it.event {
                    self.event(&event, out)?;
                }
            }
            Down::Decision(it) if it.match_id == self.id => {
                // It may come before the events that lie between it and the one before.
                if self.asked.as_ref().is_some_and(|asked| asked.number != it.number) {
                    self.overtaken();
                }
                self.asked = Some(Asked {
                    number: it.number,
                    turn: Turn::try_from(&it)?,
                    state: State::Early,
                    since: Instant::now(),
                });
                self.show(out)?;
            }
            Down::Refusal(it) if it.match_id == self.id => self.refused(&it, out)?,
            Down::GameEnded(it) => {
                if let Some(game) = it.r#match.filter(|game| game.id == self.id) {
                    return finish(&game, out).map(Some);
                }
            }
            Down::Goodbye(it) if it.reason() == v1::GoodbyeReason::Replaced => {
                return Err(Error::Replaced.into());
            }
            Down::Goodbye(it) => {
                note(&it.message);
                return Ok(Some(After::Again));
            }
            // Of the agent's other matches, or nothing that a person needs to know.
            Down::GameStarted(_) | Down::GameEvent(_) | Down::Decision(_) | Down::Refusal(_) => {}
            Down::Hello(_) | Down::SeatOffer(_) | Down::ChoiceAccepted(_) | Down::Heartbeat(_) => {}
        }
        Ok(None)
    }

    fn event(&mut self, event: &v1::Event, out: &mut Output) -> Result<(), Failure> {
        if event.seq <= self.seen {
            return Ok(());
        }
        self.seen = event.seq;
        if is_turn(event) {
            self.overtaken();
            // A turn after the one that was asked for; one that is still to be shown is to come.
            self.asked = self.asked.take().filter(|asked| asked.state == State::Early);
        }
        self.story.tell(event, true, out)?;
        self.show(out)
    }

    /// The match goes on. Whoever still thinks is too late.
    fn overtaken(&self) {
        if self.is_thinking() {
            note("time is up: the service moves for you");
        }
    }

    /// Shows the decision as soon as everything that led to it was told.
    fn show(&mut self, out: &mut Output) -> Result<(), Failure> {
        let at = self.story.at();
        if let Some(asked) = &mut self.asked
            && asked.state == State::Early
            && at >= (asked.turn.view.round, asked.turn.view.history.len())
        {
            asked.state = State::Shown;
            self.leaving = false;
            prompt::show(&asked.turn, &self.story, out)?;
            asked.ask(out)?;
        }
        Ok(())
    }

    fn refused(&mut self, refusal: &v1::Refusal, out: &mut Output) -> Result<(), Failure> {
        note(format_args!("refused: {} ({})", refusal.message, refusal.reason));
        let open = !matches!(refusal.reason.as_str(), "DECISION_ANSWERED" | "MATCH_OVER");
        match &mut self.asked {
            Some(asked) if asked.number == refusal.decision && open => {
                asked.state = State::Shown;
                asked.ask(out)
            }
            _ => Ok(()),
        }
    }
}

/// Whether a seat made its move, so that what was asked before is answered.
fn is_turn(event: &v1::Event) -> bool {
    matches!(event.what, Some(What::StartLaid(_) | What::Played(_) | What::Drew(_) | What::Passed(_)))
}

fn is_over(game: &v1::Match) -> bool {
    matches!(game.state(), v1::MatchState::Finished | v1::MatchState::Aborted)
}

fn finish(game: &v1::Match, out: &mut Output) -> Result<After, Failure> {
    out.line("")?;
    print_seats(game, out)?;
    Ok(After::Over)
}

use chickenfoot_bot::Session;
use chickenfoot_protocol::v1::{self, session_request::What as Up};

use super::input::Typed;
use super::{After, Player, State, prompt};
use crate::error::Failure;
use crate::output::{Output, note};

impl Player<'_> {
    /// A line that was typed, or the end of the input.
    pub(super) async fn typed(
        &mut self,
        typed: Typed,
        session: &Session,
        out: &mut Output,
    ) -> Result<Option<After>, Failure> {
        match typed {
            Typed::End => self.leave(out).await,
            Typed::Line(text) if self.leaving => {
                if matches!(text.as_str(), "y" | "yes" | "q") {
                    return self.leave(out).await;
                }
                self.leaving = false;
                self.answer("", session, out).await
            }
            Typed::Line(text) if text == "q" => self.leave(out).await,
            Typed::Line(text) => self.answer(&text, session, out).await,
        }
    }

    async fn answer(
        &mut self,
        text: &str,
        session: &Session,
        out: &mut Output,
    ) -> Result<Option<After>, Failure> {
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.state == State::Shown) else {
            note("it is not your turn; q leaves");
            return Ok(None);
        };
        let Some(chosen) = prompt::read(text, &asked.turn) else {
            if !text.is_empty() {
                note(format_args!("{text:?} is no option"));
            }
            asked.ask(out)?;
            return Ok(None);
        };
        asked.state = State::Sent;
        let choice = v1::Choice {
            match_id: self.id.to_owned(),
            decision: asked.number,
            choice: Some(v1::choice::Choice::Move(chosen)),
        };
        session.send(Up::Choice(choice)).await?;
        Ok(None)
    }

    /// Gives the seat up; on a terminal only after asking.
    async fn leave(&mut self, out: &mut Output) -> Result<Option<After>, Failure> {
        if self.input.is_terminal() && !self.leaving {
            self.leaving = true;
            out.heading("leave the match and give up your seat? (y leaves):")?;
            return Ok(None);
        }
        match self.client.leave_match(self.id).await {
            Ok(_) => {
                note(format_args!("left {}", self.id));
                Ok(Some(After::Over))
            }
            // The session is about to tell how it ended.
            Err(error) if error.reason() == Some("MATCH_OVER") => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

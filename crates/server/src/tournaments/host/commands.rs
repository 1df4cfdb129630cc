//! What is asked of a tournament.

use chickenfoot_store::{AgentName, EntrantRow, EntrantState, TournamentState};

use super::super::command::{Ask, Command, Reply};
use super::super::roster;
use super::{Host, Stop};
use crate::refusal::Refusal;

impl Host {
    pub(super) async fn answer(&mut self, ask: Ask) -> Result<(), Stop> {
        let Ask { command, reply } = ask;
        let answer = match command {
            Command::Pause => self.pause().await,
            Command::Resume => self.resume().await,
            Command::Cancel => self.cancel().await,
            Command::Join { agent, entropy } => {
                let newcomer = roster::Newcomer { agent, entropy };
                match self.join(newcomer).await {
                    Ok(joined) => Ok(joined.map(|row| Reply::Entrant(Box::new(row)))),
                    Err(stop) => Err(stop),
                }
            }
            Command::Withdraw { name } => self.withdraw(&name).await,
        };
        // Who asked may be gone; what it asked for is done all the same.
        match answer {
            Ok(answer) => {
                self.publish();
                let _ = reply.send(answer);
                Ok(())
            }
            Err(stop) => {
                let _ = reply
                    .send(Err(Refusal::unavailable("the tournament is being taken up again; try again")));
                Err(stop)
            }
        }
    }

    async fn pause(&mut self) -> Result<Result<Reply, Refusal>, Stop> {
        if self.row.state == TournamentState::Running {
            self.change(TournamentState::Paused, String::new()).await?;
        }
        Ok(Ok(Reply::Done))
    }

    async fn resume(&mut self) -> Result<Result<Reply, Refusal>, Stop> {
        if self.row.state == TournamentState::Paused {
            self.change(TournamentState::Running, String::new()).await?;
        }
        Ok(Ok(Reply::Done))
    }

    async fn cancel(&mut self) -> Result<Result<Reply, Refusal>, Stop> {
        self.end(TournamentState::Cancelled, "cancelled".to_owned()).await?;
        Ok(Ok(Reply::Done))
    }

    /// Takes a newcomer in, if the format takes late entrants.
    async fn join(&mut self, newcomer: roster::Newcomer) -> Result<Result<EntrantRow, Refusal>, Stop> {
        let now_ms = self.state.arena.clock().unix_ms();
        let joined = roster::join(&self.settings, &self.field, newcomer, now_ms);
        let row = match joined {
            Ok(roster::Joined::Before(row)) => return Ok(Ok(row)),
            Ok(roster::Joined::Now(row)) => row,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if !self.settings.takes_late() {
            return Ok(Err(roster::closed()));
        }
        let number = row.number;
        match row.state {
            EntrantState::Checking => {
                self.store(self.row.clone(), vec![row.clone()]).await?;
                self.check(row).await?;
            }
            _ if self.run.is_some() => {
                self.admit(row).await?;
            }
            _ => self.store(self.row.clone(), vec![row]).await?,
        }
        let row = self.field.by_number(number).cloned();
        Ok(row.ok_or_else(roster::closed))
    }

    async fn withdraw(&mut self, name: &AgentName) -> Result<Result<Reply, Refusal>, Stop> {
        let Some(number) = self.field.by_name(name.as_str()).map(|row| row.number) else {
            return Ok(Err(roster::no_entrant(name.as_str())));
        };
        let row = self.take_out(number).await?;
        Ok(Ok(Reply::Entrant(Box::new(row))))
    }
}

//! What an agent is told on its session of its matches.

use chickenfoot_arena::{DecisionNote, Watched};
use chickenfoot_protocol::v1::{self, session_response::What as Down};
use chickenfoot_rules::Seat;
use chickenfoot_store::{MatchId, MatchRow, MatchState};
use futures_util::stream::{self, StreamExt};

use super::{Game, Session, Step};
use crate::wire::{wire_decision, wire_seats, wire_seen};

impl Session {
    pub(super) async fn offer(&mut self, row: &MatchRow) -> Step {
        let seats = row.seats_offered_to(&self.agent);
        if row.state != MatchState::Open || seats.is_empty() || !self.offered.insert(row.id) {
            return Ok(());
        }
        let wire = self.state.wire_match(row, Some(&self.agent)).await.ok();
        let seat = seats[0].number().into();
        self.send(Down::SeatOffer(v1::SeatOffer { r#match: wire.map(Box::new), seat })).await
    }

    /// Tells the agent of a match that has started, once. It may be over already: not every match asks every seat.
    pub(super) async fn announce(&mut self, id: MatchId) -> Step {
        if self.games.contains_key(&id) || self.told.contains(id) {
            return Ok(());
        }
        let Some(row) = self.row(id).await.filter(MatchRow::has_started) else {
            return Ok(());
        };
        let seats = row.seats_of(&self.agent);
        if seats.is_empty() {
            return Ok(());
        }
        self.offered.remove(&id);
        self.games.insert(id, Game { watched: self.events, ..Game::default() });
        let wire = self.state.wire_match(&row, Some(&self.agent)).await.ok();
        let started = v1::GameStarted { r#match: wire.map(Box::new), seats: wire_seats(&seats) };
        self.send(Down::GameStarted(started)).await?;
        if self.events {
            self.watch(id, seats).await;
        }
        Ok(())
    }

    pub(super) async fn watch(&mut self, id: MatchId, seats: Vec<Seat>) {
        let after = self.resume.remove(&id).unwrap_or_default();
        let Ok(mut events) = self.state.arena.watch(id, after).await else {
            // Then its end is told without them.
            if let Some(game) = self.games.get_mut(&id) {
                game.watched = false;
            }
            return;
        };
        events.undelayed();
        let stream = stream::unfold(Some((events, seats)), move |reader| async move {
            let (mut events, seats) = reader?;
            match events.next().await {
                Watched::Event(seq, told) => {
                    let event = wire_seen(seq, &told.event, &seats, events.tells_all());
                    Some(((id, Some(event)), Some((events, seats))))
                }
                Watched::Over | Watched::Broken => Some(((id, None), None)),
            }
        });
        self.watches.push(stream.boxed());
    }

    /// An event of a watched match; none when it is over.
    pub(super) async fn watched(&mut self, id: MatchId, event: Option<v1::Event>) -> Step {
        match event {
            Some(event) => {
                let event = v1::GameEvent { match_id: id.to_string(), event: Some(event) };
                self.send(Down::GameEvent(event)).await
            }
            None => {
                if let Some(game) = self.games.get_mut(&id) {
                    game.watched = false;
                }
                self.ended(id).await
            }
        }
    }

    pub(super) async fn decision(&mut self, note: &DecisionNote) -> Step {
        self.announce(note.match_id).await?;
        let Some(game) = self.games.get_mut(&note.match_id) else {
            return Ok(());
        };
        if note.number < game.decision {
            return Ok(());
        }
        if game.decision == note.number && !game.again {
            if game.open {
                // Its clock may have begun anew, and would stand until it hears that the decision is here.
                self.state.arena.delivered(note.match_id, &self.agent, note.number, self.stream);
            }
            return Ok(());
        }
        game.decision = note.number;
        game.open = true;
        game.again = false;
        self.send(Down::Decision(wire_decision(note))).await?;
        self.state.arena.delivered(note.match_id, &self.agent, note.number, self.stream);
        Ok(())
    }

    /// Tells the agent of a match that is over, once, and after its last event.
    pub(super) async fn ended(&mut self, id: MatchId) -> Step {
        if self.games.get(&id).is_none_or(|game| game.watched) {
            return Ok(());
        }
        let Some(row) = self.row(id).await.filter(|row| row.state.is_over()) else {
            return Ok(());
        };
        self.games.remove(&id);
        self.told.note(id);
        let wire = self.state.wire_match(&row, Some(&self.agent)).await.ok();
        let seats = wire_seats(&row.seats_of(&self.agent));
        self.send(Down::GameEnded(v1::GameEnded { r#match: wire.map(Box::new), seats })).await
    }
}

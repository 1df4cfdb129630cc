//! What an agent says on its session.

use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use futures_util::future::{BoxFuture, FutureExt};

use super::{Answered, Session, Step, not_opened};
use crate::matches::{read_choice, read_entropy};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::match_id;
use crate::wire::wire_duration;

impl Session {
    /// A message of the agent's.
    pub(super) async fn receive(&mut self, message: v1::SessionRequest) -> Step {
        match message.what {
            Some(Up::Choice(choice)) => self.choice(choice).await,
            Some(Up::OfferReply(reply)) => self.reply(reply).await,
            Some(Up::Open(_)) => Err(not_opened()),
            None => {
                let refusal = Refusal::new(Reason::FieldMissing, "what must be set").field("what");
                self.send(Down::Refusal(refusal.on_session("", 0))).await
            }
        }
    }

    async fn choice(&mut self, choice: v1::Choice) -> Step {
        let decision = choice.decision;
        let refuse = |refusal: Refusal| Down::Refusal(refusal.on_session(&choice.match_id, decision));
        if let Err(refusal) = self.admit() {
            // The decision goes out again with the next look, for agents that do not repeat their choice.
            if let Some(game) = match_id(&choice.match_id).ok().and_then(|id| self.games.get_mut(&id)) {
                game.again = true;
            }
            return self.send(refuse(refusal)).await;
        }
        let (id, answer) = match read_choice(&choice) {
            Ok(read) => read,
            Err(refusal) => return self.send(refuse(refusal)).await,
        };
        let (arena, agent) = (self.state.arena.clone(), self.agent.clone());
        let mut answer: BoxFuture<'static, Answered> = Box::pin(async move {
            let down = match arena.choose(id, &agent, decision, answer).await {
                Ok(chosen) => Down::ChoiceAccepted(v1::ChoiceAccepted {
                    match_id: id.to_string(),
                    decision,
                    r#move: Some(chosen.choice.into()),
                    think: Some(wire_duration(chosen.think)),
                    granted: Some(wire_duration(chosen.granted)),
                }),
                Err(why) => Down::Refusal(Refusal::from(why).on_session(&id.to_string(), decision)),
            };
            Answered::Choice { match_id: id, decision, down }
        });
        // Begun at once: it came in now, and counts also if the agent is gone with the next look.
        match (&mut answer).now_or_never() {
            Some(answered) => self.answered(answered).await,
            None => {
                self.pending.push(answer);
                Ok(())
            }
        }
    }

    async fn reply(&mut self, reply: v1::OfferReply) -> Step {
        let refuse = |refusal: Refusal| Down::Refusal(refusal.on_session(&reply.match_id, 0));
        if let Err(refusal) = self.admit() {
            return self.send(refuse(refusal)).await;
        }
        let read = match_id(&reply.match_id)
            .and_then(|id| Ok((id, read_entropy("offer_reply.entropy", &reply.entropy)?)));
        let (id, entropy) = match read {
            Ok(read) => read,
            Err(refusal) => return self.send(refuse(refusal)).await,
        };
        if !reply.accept {
            return Ok(());
        }
        if let Err(refusal) = self.state.gate.join(&self.agent, id) {
            self.offered.remove(&id);
            return self.send(refuse(refusal)).await;
        }
        let (arena, agent) = (self.state.arena.clone(), self.agent.clone());
        self.pending.push(Box::pin(async move {
            let joined = async {
                let offered = arena.row(id).await?.seats_offered_to(&agent);
                // With nothing on offer, joining says why.
                let wanted = offered.iter().map(|seat| Some(u32::from(seat.number())));
                for seat in wanted.chain(offered.is_empty().then_some(None)) {
                    arena.join(id, &agent, seat, entropy).await?;
                }
                Ok::<(), chickenfoot_arena::Error>(())
            };
            let refused = joined.await.err();
            let refused = refused.map(|why| Down::Refusal(Refusal::from(why).on_session(&id.to_string(), 0)));
            Answered::Reply { match_id: id, refused }
        }));
        Ok(())
    }

    /// Counts a choice or a reply.
    fn admit(&self) -> Result<(), Refusal> {
        let most = self.state.limits.max_pending;
        if self.pending.len() >= most as usize {
            let message = format!("{most} messages of this session wait for their answer already");
            self.state.metrics.limit_reached("limits.max_pending");
            let refusal = Refusal::new(Reason::TooManyPending, message);
            return Err(refusal.with("limit", "limits.max_pending").with("value", most));
        }
        self.state.gate.agent_call(&self.agent)
    }

    pub(super) async fn answered(&mut self, answered: Answered) -> Step {
        match answered {
            Answered::Choice { match_id, decision, down } => {
                if let Some(game) = self.games.get_mut(&match_id)
                    && game.decision == decision
                {
                    game.open &= !matches!(down, Down::ChoiceAccepted(_));
                    // Nobody knows what became of it: the decision goes out again with the next look.
                    game.again |=
                        matches!(&down, Down::Refusal(why) if why.reason == Reason::Unavailable.name());
                }
                self.send(down).await
            }
            Answered::Reply { refused: None, .. } => Ok(()),
            Answered::Reply { match_id, refused: Some(down) } => {
                // If the seat is still to be had, it is offered again with the next look.
                self.offered.remove(&match_id);
                self.send(down).await
            }
        }
    }
}

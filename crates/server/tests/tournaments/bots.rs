//! Bots that come to a tournament, good ones and others.

use std::collections::HashMap;

use chickenfoot_protocol::v1::{self, session_response::What as Down};
use tokio::task::JoinHandle;

use crate::common::{Agent, Session, option};

/// What a bot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Answers every decision with its first option.
    Honest,
    /// Takes its seats and never answers.
    Silent,
    /// Answers a decision when the next one has come.
    Late,
    /// Answers with an option that there is not.
    Illegal,
    /// Goes away for good at its first decision.
    Leaves,
    /// Opens a second session at its first decision, which takes over, and plays on there.
    Twice,
}

/// Lets an agent play in this manner until the test ends.
pub async fn play(agent: &Agent, manner: Manner) -> JoinHandle<()> {
    let mut session = agent.session().await;
    let mut other = (manner == Manner::Twice).then(|| Agent {
        name: agent.name.clone(),
        token: agent.token.clone(),
        client: agent.client.clone(),
        wire: agent.wire.clone(),
    });
    tokio::spawn(async move {
        let mut last = HashMap::new();
        loop {
            let message = session.down.message().await;
            let Ok(Some(v1::SessionResponse { what: Some(message) })) = message else { return };
            match message {
                Down::SeatOffer(offer) => session.accept(&offer.r#match.unwrap().id).await,
                Down::Decision(decision) => match manner {
                    Manner::Honest => session.choose(option(&decision, 0)).await,
                    Manner::Silent => {}
                    Manner::Late => late(&session, &mut last, decision).await,
                    Manner::Illegal => session.choose(option(&decision, 99)).await,
                    Manner::Leaves => return,
                    Manner::Twice => match other.take() {
                        // The new session gets the decision again.
                        Some(agent) => session = agent.session().await,
                        None => session.choose(option(&decision, 0)).await,
                    },
                },
                _ => {}
            }
        }
    })
}

/// Answers the decision before this one.
async fn late(session: &Session, last: &mut HashMap<String, v1::Decision>, decision: v1::Decision) {
    if let Some(before) = last.insert(decision.match_id.clone(), decision) {
        session.choose(option(&before, 0)).await;
    }
}

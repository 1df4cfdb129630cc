//! Who takes part: joining, the entry check, and what is refused.

use chickenfoot_arena::{Arena, Error as ArenaError, NewMatch};
use chickenfoot_rules::Entropy;
use chickenfoot_store::{
    AgentName, EntrantRow, EntrantState, MatchId, MatchRow, MatchState, Occupant, SeatSpec, TournamentRow,
};

use super::field::Field;
use super::settings::Settings;
use crate::reason::Reason;
use crate::refusal::Refusal;

/// An agent that wants to take part.
#[derive(Clone, Debug)]
pub(crate) struct Newcomer {
    pub(crate) agent: AgentName,
    pub(crate) entropy: Entropy,
}

/// What joining came to.
#[derive(Clone, Debug)]
pub(crate) enum Joined {
    /// It had joined before.
    Before(EntrantRow),
    /// It is new, or was invited and has come: to be stored.
    Now(EntrantRow),
}

/// Lets an agent in. Whether entry is open at all is for the caller to know.
///
/// # Errors
/// It is not invited, was taken out, its name is another entrant's, or there is no room.
pub(crate) fn join(
    settings: &Settings,
    field: &Field,
    newcomer: Newcomer,
    now_ms: u64,
) -> Result<Joined, Refusal> {
    let Newcomer { agent, entropy } = newcomer;
    let entered = if settings.entry_check { EntrantState::Checking } else { EntrantState::Entered };
    let Some(row) = field.by_name(agent.as_str()) else {
        if settings.invited_only {
            let message = "the tournament is for those agents only that its creator has named";
            return Err(Refusal::new(Reason::NotInvited, message));
        }
        if field.rows().len() >= settings.max_entrants as usize {
            let message = format!("the tournament has its {} entrants", settings.max_entrants);
            return Err(
                Refusal::new(Reason::TournamentFull, message).with("max_entrants", settings.max_entrants)
            );
        }
        return Ok(Joined::Now(EntrantRow {
            number: field.next_number(),
            name: agent.clone(),
            who: Occupant::Agent(agent),
            entropy,
            joined_ms: now_ms,
            state: entered,
            check: None,
            position: None,
            from_stage: 0,
            until_stage: None,
        }));
    };
    if row.who != Occupant::Agent(agent.clone()) {
        let message = format!("another entrant is named {agent}");
        return Err(Refusal::new(Reason::EntrantExists, message).with("name", agent));
    }
    match row.state {
        EntrantState::Entered | EntrantState::Checking => Ok(Joined::Before(row.clone())),
        EntrantState::Invited => {
            Ok(Joined::Now(EntrantRow { entropy, joined_ms: now_ms, state: entered, ..row.clone() }))
        }
        // Another match against itself.
        EntrantState::Rejected => Ok(Joined::Now(EntrantRow {
            entropy,
            joined_ms: now_ms,
            state: EntrantState::Checking,
            check: None,
            ..row.clone()
        })),
        EntrantState::Withdrawn => {
            let message = "the entrant has left the tournament, and does not come back";
            Err(Refusal::new(Reason::EntrantWithdrawn, message).with("name", agent))
        }
    }
}

/// Makes the match that an agent plays against itself.
///
/// # Errors
/// The store failed.
pub(crate) async fn make_check(
    arena: &Arena,
    tournament: &TournamentRow,
    settings: &Settings,
    agent: &AgentName,
) -> Result<MatchId, ArenaError> {
    let Some(rules) = settings.rules.last().copied() else {
        return Err(ArenaError::Corrupt("the tournament has no rules".to_owned()));
    };
    let new = NewMatch {
        creator: tournament.creator.clone(),
        rules,
        seats: vec![SeatSpec::Agent(agent.clone()); usize::from(rules.players())],
        clock: settings.clock,
        faults: settings.faults,
        forced: settings.forced(),
        spectator_delay: settings.spectator_delay,
        fixed: None,
        rated: false,
        block: None,
    };
    Ok(arena.create(new, |_| None).await?.id)
}

/// Whether a match against itself shows that an entrant can play: it came to its end without a fault.
pub(crate) fn passed(row: &MatchRow) -> bool {
    row.state == MatchState::Finished
        && row.summary.as_ref().is_some_and(|summary| {
            summary
                .ledger
                .iter()
                .all(|seat| seat.late + seat.gone + seat.illegal + seat.strikes == 0 && seat.out.is_none())
        })
}

/// Entry is closed.
pub(crate) fn closed() -> Refusal {
    Refusal::new(Reason::TournamentNotOpen, "the tournament has started and takes no more entrants")
}

/// No entrant has that name.
pub(crate) fn no_entrant(name: &str) -> Refusal {
    Refusal::new(Reason::EntrantNotFound, format!("the tournament has no entrant {name}")).with("name", name)
}

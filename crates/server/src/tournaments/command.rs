use chickenfoot_rules::Entropy;
use chickenfoot_store::{AgentName, EntrantRow};
use tokio::sync::oneshot;

use crate::refusal::Refusal;

/// What may be asked of a tournament that runs or rests.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// Begin no further matches.
    Pause,
    /// Go on.
    Resume,
    /// End it.
    Cancel,
    /// Take a late entrant in.
    Join { agent: AgentName, entropy: Entropy },
    /// Take an entrant out.
    Withdraw { name: AgentName },
}

/// A command on its way to the tournament's host.
pub(crate) struct Ask {
    pub(crate) command: Command,
    pub(crate) reply: oneshot::Sender<Result<Reply, Refusal>>,
}

/// What came of a command.
#[derive(Debug)]
pub(crate) enum Reply {
    /// It is done.
    Done,
    /// The entrant as it stands now.
    Entrant(Box<EntrantRow>),
}

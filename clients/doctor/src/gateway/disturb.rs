/// What the gateway does once, to the next message that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disturb {
    /// Delivers a decision twice.
    DecisionTwice,
    /// Delivers a decision once more when its answer comes, before that is acknowledged.
    AskAnswered,
    /// Delivers a decision with fields that the contract does not have.
    DecisionWithMore,
    /// Cuts the connection in place of delivering a decision.
    CutAtDecision,
    /// Swallows a choice and cuts the connection: the answer is lost.
    LoseChoice,
    /// Passes a choice on, and cuts the connection before it is acknowledged.
    LoseAcknowledgement,
}

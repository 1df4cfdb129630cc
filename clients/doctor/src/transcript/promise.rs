/// What a bot promises by playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// It comes to the service and says Open first.
    Connects,
    /// It takes the seats that are kept for it.
    TakesSeats,
    /// It answers every decision in time.
    AnswersInTime,
    /// It lays only tiles that it holds.
    TileInHand,
    /// It lays a tile only where it fits.
    EndThatFits,
    /// It chooses one of the options.
    OptionInRange,
    /// It sets every field that has to be set, also to 0.
    WholeFields,
    /// It answers a decision in one way.
    OneAnswer,
    /// It answers the decision that is open, by its number.
    OpenDecision,
    /// It says only what it was asked.
    OnlyWhatIsAsked,
    /// It says no more than it was asked.
    NoFlood,
    /// It reads what it is sent.
    Reads,
    /// It says messages of the contract.
    SpeaksTheProtocol,
    /// It stays while a match goes on.
    Stays,
    /// Its program runs until it is told to stop.
    KeepsRunning,
    /// It comes back after a lost connection.
    ComesBack,
    /// It comes back when the service said, and not before.
    Waits,
    /// It takes silence for a dead connection.
    NoticesSilence,
    /// It does not come back when it was replaced.
    StaysAway,
    /// It stops when it is told to.
    StopsCleanly,
}

impl Promise {
    /// The promise in words: what the bot does that keeps it.
    pub fn words(self) -> &'static str {
        match self {
            Promise::Connects => "it comes to the service and opens a session",
            Promise::TakesSeats => "it takes the seats that are kept for it",
            Promise::AnswersInTime => "it answers every decision in time",
            Promise::TileInHand => "it lays only tiles that it holds",
            Promise::EndThatFits => "it lays a tile only on an end that the options name",
            Promise::OptionInRange => "it chooses one of the options",
            Promise::WholeFields => "it sets every field that has to be set, also to 0",
            Promise::OneAnswer => "it answers a decision in one way, however often",
            Promise::OpenDecision => "it answers the open decision, by its number",
            Promise::OnlyWhatIsAsked => "it answers only what it was asked",
            Promise::NoFlood => "it answers once each time that it is asked",
            Promise::Reads => "it reads what it is sent",
            Promise::SpeaksTheProtocol => "it says only what the protocol knows",
            Promise::Stays => "it stays while a match goes on",
            Promise::KeepsRunning => "its program runs until it is told to stop",
            Promise::ComesBack => "it comes back after a lost connection",
            Promise::Waits => "it comes back after Goodbye when the service said, and not before",
            Promise::NoticesSilence => "it takes three missing heartbeats for a dead connection",
            Promise::StaysAway => "it does not come back by itself when another session took over",
            Promise::StopsCleanly => "it stops when it is told to",
        }
    }

    /// What its author may do when it is broken.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Promise::Connects => {
                "open AgentService.Session with the token and send Open first; proto/README.md, \"The session\""
            }
            Promise::TakesSeats => "answer each SeatOffer with an OfferReply that has accept set",
            Promise::AnswersInTime => {
                "answer each decision within its time_left; a program of lines has to flush its stdout after every answer"
            }
            Promise::TileInHand => {
                "choose from the decision's options; the hand is in the view and changes every turn"
            }
            Promise::EndThatFits => {
                "copy tile and end from one option: a tile that fits two ends has an option for each of them"
            }
            Promise::OptionInRange => "count the options from 0; the last one is their number less one",
            Promise::WholeFields => {
                "set low, high and end also when they are 0: a blank is a number like any other, and `optional` tells 0 \
                 from absent"
            }
            Promise::OneAnswer => {
                "keep the last answer of each match, and send the same when its decision comes again"
            }
            Promise::OpenDecision => {
                "take the match and the number of the answer from the decision that it answers"
            }
            Promise::OnlyWhatIsAsked => "send an answer for a decision and for nothing else",
            Promise::NoFlood => {
                "send one answer for each decision that comes; a refused one is not tried in a loop"
            }
            Promise::Reads => "read stdin line by line to its end, also while it thinks",
            Promise::SpeaksTheProtocol => {
                "over gRPC make the messages from the files in proto/, and send Open once and first; as a program of \
                 lines write answers to stdout and everything else to stderr"
            }
            Promise::Stays => {
                "keep the session open until GameEnded; a kind of message that is unknown is ignored"
            }
            Promise::KeepsRunning => "look at the lines that the program wrote last: no input may end it",
            Promise::ComesBack => {
                "open Session again after any lost connection, at first within a second, then with growing pauses"
            }
            Promise::Waits => "after GOODBYE_REASON_SHUTDOWN wait for retry_after, then open Session again",
            Promise::NoticesSilence => {
                "when nothing came for three times hello.heartbeat_interval, drop the session and open another one"
            }
            Promise::StaysAway => {
                "after GOODBYE_REASON_REPLACED open no other session: two of them would replace each other for ever"
            }
            Promise::StopsCleanly => {
                "over gRPC: at SIGTERM close the session and exit with 0 within five seconds; a program of lines ends \
                 when its stdin does"
            }
        }
    }

    /// The breach of this promise by what stands at `place` of the transcript.
    pub(crate) fn broken(self, place: usize, what: impl Into<String>) -> Breach {
        Breach { promise: self, what: what.into(), place: Some(place) }
    }
}

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    pub(crate) promise: Promise,
    /// What the bot did.
    pub(crate) what: String,
    /// Where in the transcript it did it.
    pub(crate) place: Option<usize>,
}

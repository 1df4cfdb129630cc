use chickenfoot_protocol::v1;

use super::promise::Promise;

/// Which promise a refusal says is broken, and how, in words. None for one that is not the bot's fault. `answer` is what the
/// bot had answered.
pub(super) fn blame(refusal: &v1::Refusal, answer: &str) -> Option<(Promise, String)> {
    let number = refusal.decision;
    let why = &refusal.message;
    let told = |what: &str| format!("{what}: {answer}, to decision {number}; the service says: {why}");
    let blame = match refusal.reason.as_str() {
        "TILE_NOT_IN_HAND" => (Promise::TileInHand, told("it chose a tile that it does not hold")),
        "MOVE_ILLEGAL" => match refusal.metadata.get("rule").map(String::as_str) {
            Some("NO_SUCH_END" | "DOES_NOT_FIT") => {
                (Promise::EndThatFits, told("it chose an end where the tile cannot be laid"))
            }
            _ => (Promise::OptionInRange, told("it chose a move that is no option")),
        },
        "LINE_UNKNOWN" => (Promise::EndThatFits, told("it chose an arm or toe that does not take the tile")),
        "OPTION_OUT_OF_RANGE" => (Promise::OptionInRange, told("it chose an option that there is not")),
        "TILE_INCOMPLETE" | "FIELD_MISSING" => {
            (Promise::WholeFields, told("it left out a field that has to be set"))
        }
        "FIELD_OUT_OF_RANGE" | "MATCH_ID_INVALID" | "MESSAGE_MALFORMED" | "MESSAGE_TOO_LARGE" => {
            (Promise::SpeaksTheProtocol, told("it sent what no field may hold"))
        }
        "DECISION_ANSWERED" => (Promise::OneAnswer, told("it answered again, and otherwise")),
        "DECISION_NOT_OPEN" => (Promise::OpenDecision, told("it answered a decision that is not open")),
        "NOT_SEATED" | "NOT_YOUR_DECISION" | "MATCH_NOT_FOUND" | "MATCH_NOT_STARTED" | "MATCH_OVER" => {
            (Promise::OnlyWhatIsAsked, told("it answered what it was not asked"))
        }
        "TOO_MANY_PENDING" | "LIMIT_REACHED" => {
            (Promise::NoFlood, told("it sent more than the service takes"))
        }
        // The service's own troubles, and those that the doctor makes.
        _ => return None,
    };
    Some(blame)
}

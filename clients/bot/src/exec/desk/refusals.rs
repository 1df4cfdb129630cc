use super::{Todo, Wrong};
use crate::exec::fault::Fault;
use crate::exec::lines::{self, Answer as Line, Message, Refused};

/// So much of an unreadable line is told, in characters.
const QUOTED: usize = 200;

/// The service refused an answer: nearly always because the clock was faster.
pub(super) fn overruled(refused: Refused) -> Todo {
    let about = Some((refused.match_id.clone(), refused.decision));
    let text = format!("the service refused the answer: {} ({})", refused.message, refused.reason);
    let wrong = Wrong { fault: Fault::Stale, about, text };
    Todo { say: vec![Message::Refused(refused).line()], faults: vec![wrong], ..Todo::default() }
}

pub(super) fn stale(line: &Line, reason: &str, message: &str) -> Todo {
    // The id is the program's own text.
    let about = Some((quote(&line.match_id), line.decision));
    let wrong = Wrong { fault: Fault::Stale, about, text: message.to_owned() };
    Todo { say: vec![refusal(line, reason, message)], faults: vec![wrong], ..Todo::default() }
}

pub(super) fn refusal(line: &Line, reason: &str, message: &str) -> String {
    let refused = Refused {
        match_id: quote(&line.match_id),
        decision: line.decision,
        reason: reason.to_owned(),
        message: message.to_owned(),
    };
    Message::Refused(refused).line()
}

/// A line that is no answer. Blank ones are let pass.
pub(super) fn garbage(why: &str, line: &[u8]) -> Todo {
    if line.trim_ascii().is_empty() {
        return Todo::default();
    }
    let quoted = quote(&String::from_utf8_lossy(line));
    let text = format!("{quoted:?} is no answer: {why}");
    let wrong = Wrong { fault: Fault::Garbage, about: None, text };
    Todo { say: vec![lines::unreadable(why, &quoted)], faults: vec![wrong], ..Todo::default() }
}

/// A line was longer than a line may be.
pub(in crate::exec) fn too_long(bytes: usize) -> Todo {
    let why = format!("a line has at most {bytes} bytes");
    let wrong = Wrong { fault: Fault::Garbage, about: None, text: why.clone() };
    Todo { say: vec![lines::unreadable(&why, "")], faults: vec![wrong], ..Todo::default() }
}

/// The beginning of a text of the program's.
pub(super) fn quote(text: &str) -> String {
    text.trim_end().chars().take(QUOTED).collect()
}

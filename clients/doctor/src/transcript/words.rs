use chickenfoot_protocol::v1::{
    self, choice::Choice as Answer, session_request::What as Up, session_response::What as Down,
};
use chickenfoot_rules::Choice;
use tonic::Code;

use super::{Entry, Happened};

/// Lines before the place that an excerpt is about, and behind it.
const BEFORE: usize = 14;
const BEHIND: usize = 6;

/// Options that are told of a decision; the others are counted.
const OPTIONS: usize = 12;

/// Characters of a line that the program wrote.
const WIDTH: usize = 200;

/// The lines around a place, or the last ones, with a mark where the promise was broken.
pub(super) fn excerpt(entries: &[Entry], around: Option<usize>) -> Vec<String> {
    let Some(last) = entries.len().checked_sub(1) else {
        return Vec::new();
    };
    let place = around.unwrap_or(last).min(last);
    let (from, to) = (place.saturating_sub(BEFORE), last.min(place + BEHIND));
    let mut lines = Vec::new();
    if from > 0 {
        lines.push(format!("     ... {from} lines before"));
    }
    for (number, entry) in entries.iter().enumerate().take(to + 1).skip(from) {
        let mark = if around == Some(number) { "=>" } else { "  " };
        lines.push(format!("{mark} {}", line(entry)));
    }
    if to < last {
        lines.push(format!("     ... {} lines behind", last - to));
    }
    lines
}

/// One line: time in seconds, session, direction, what.
fn line(entry: &Entry) -> String {
    let at = entry.at.as_secs_f64();
    let session = if entry.session == 0 { "  ".to_owned() } else { format!("#{}", entry.session) };
    let (way, what) = match &entry.what {
        Happened::Opened => (">", "opens a session".to_owned()),
        Happened::Up(message) => (">", up(message)),
        Happened::Down(message) => ("<", down(message)),
        Happened::Unreadable(bytes) => (">", format!("{bytes} bytes that are no message")),
        Happened::HungUp(how) => (">", how.clone()),
        Happened::Ended(status) if status.code() == Code::Ok => ("<", "the stream ends".to_owned()),
        Happened::Ended(status) => {
            ("<", format!("the stream ends with {:?}: {}", status.code(), status.message()))
        }
        Happened::Note(what) => ("*", what.clone()),
        Happened::Wrote(text) => ("|", text.chars().take(WIDTH).collect()),
        Happened::Fault { what, .. } => ("!", what.clone()),
        Happened::Exited(how) => ("!", how.clone()),
    };
    format!("{at:9.3} {session:>3} {way} {what}")
}

fn up(message: &v1::SessionRequest) -> String {
    match &message.what {
        Some(Up::Open(open)) => format!("Open {:?}, resumes {}", open.client, open.resume.len()),
        Some(Up::OfferReply(reply)) => {
            let word = if reply.accept { "accepts" } else { "declines" };
            format!("OfferReply {}: {word}", short(&reply.match_id))
        }
        Some(Up::Choice(choice)) => {
            format!("Choice {} {}: {}", short(&choice.match_id), choice.decision, answer_text(choice, &[]))
        }
        None => "a message of no kind".to_owned(),
    }
}

fn down(message: &v1::SessionResponse) -> String {
    let of = |wire: &Option<Box<v1::Match>>| short(wire.as_ref().map_or("", |wire| &wire.id)).to_owned();
    match &message.what {
        Some(Down::Hello(hello)) => format!("Hello {:?}", hello.agent),
        Some(Down::SeatOffer(offer)) => format!("SeatOffer {}: seat {}", of(&offer.r#match), offer.seat),
        Some(Down::GameStarted(game)) => format!("GameStarted {}: seats {:?}", of(&game.r#match), game.seats),
        Some(Down::Decision(asked)) => decision(asked),
        Some(Down::ChoiceAccepted(accepted)) => {
            let made = accepted.r#move.as_ref().map(move_text).unwrap_or_default();
            format!("ChoiceAccepted {} {}: {made}", short(&accepted.match_id), accepted.decision)
        }
        Some(Down::Refusal(refusal)) => format!(
            "Refusal {} {}: {}: {}",
            short(&refusal.match_id),
            refusal.decision,
            refusal.reason,
            refusal.message
        ),
        Some(Down::GameEvent(event)) => {
            let seq = event.event.as_ref().map_or(0, |event| event.seq);
            format!("GameEvent {} {seq}", short(&event.match_id))
        }
        Some(Down::GameEnded(ended)) => format!("GameEnded {}", of(&ended.r#match)),
        Some(Down::Heartbeat(beat)) => format!("Heartbeat, {} decisions open", beat.open_decisions),
        Some(Down::Goodbye(goodbye)) => {
            format!("Goodbye {}: {}", goodbye.reason().as_str_name(), goodbye.message)
        }
        None => "a kind of message that the contract does not have".to_owned(),
    }
}

fn decision(asked: &v1::Decision) -> String {
    let options = option_texts(&asked.options);
    let told = options.iter().enumerate().take(OPTIONS).map(|(number, option)| format!("{number}: {option}"));
    let mut told: Vec<String> = told.collect();
    if options.len() > OPTIONS {
        told.push(format!("{} more", options.len() - OPTIONS));
    }
    format!(
        "Decision {} {} for seat {}: {}",
        short(&asked.match_id),
        asked.number,
        asked.seat,
        told.join(", ")
    )
}

/// The first digits of a match's id, enough for people.
fn short(id: &str) -> &str {
    id.get(..6).unwrap_or(id)
}

/// A move as people write it.
pub(crate) fn move_text(wire: &v1::Move) -> String {
    match Choice::try_from(wire) {
        Ok(choice) => choice.action.to_string(),
        Err(why) => format!("a move that is none ({why})"),
    }
}

pub(super) fn option_texts(options: &[v1::Move]) -> Vec<String> {
    options.iter().map(move_text).collect()
}

/// What was chosen: the move, also where the position was given and the options are known.
pub(super) fn answer_text(choice: &v1::Choice, options: &[String]) -> String {
    match &choice.choice {
        Some(Answer::Option(option)) => match usize::try_from(*option).ok().and_then(|at| options.get(at)) {
            Some(text) => text.clone(),
            None => format!("option {option}"),
        },
        Some(Answer::Move(wire)) => move_text(wire),
        None => "nothing".to_owned(),
    }
}

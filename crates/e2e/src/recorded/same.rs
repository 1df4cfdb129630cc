use std::collections::HashMap;

use bytes::Bytes;
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, ReflectMessage, Value};

use crate::Failure;

/// Fields with what the service draws: a client takes it as it comes, and it is the same wherever it stands.
const DRAWN: [&str; 5] = ["id", "match_id", "tournament_id", "check_match_id", "token"];

/// Fields that tell of time, or how far a match had come at the moment, and texts for people.
const OF_THE_MOMENT: [&str; 15] = [
    "create_time",
    "start_time",
    "end_time",
    "think",
    "longest_match",
    "time_left",
    "bank_left",
    "bank_used",
    "server_version",
    "message",
    "head_seq",
    "running_matches",
    "running_blocks",
    "next_page_token",
    "online",
];

/// What was drawn when a recording was made, and what stands for it now.
#[derive(Default)]
pub(super) struct Drawn(HashMap<String, String>);

impl Drawn {
    /// What stands for it now.
    pub(super) fn now(&self, then: &str) -> Option<&String> {
        self.0.get(then)
    }

    /// The bytes of a message with all that was drawn replaced by what stands for it now: texts of the same length, so
    /// that nothing else changes.
    pub(super) fn replace(&self, message: &Bytes) -> Bytes {
        let mut bytes = message.to_vec();
        for (then, now) in self.0.iter().filter(|(then, now)| then.len() == now.len() && !then.is_empty()) {
            let mut at = 0;
            while let Some(found) = bytes[at..].windows(then.len()).position(|part| part == then.as_bytes()) {
                bytes[at + found..at + found + now.len()].copy_from_slice(now.as_bytes());
                at += found + now.len();
            }
        }
        bytes.into()
    }

    /// Whether a message tells its client what another one told it then. If so, notes what was drawn.
    ///
    /// # Errors
    /// The first difference that such a client would notice.
    pub(super) fn agree(&mut self, then: &DynamicMessage, now: &DynamicMessage) -> Result<(), Failure> {
        let mut noted = Drawn(self.0.clone());
        noted
            .messages(then, now)
            .map_err(|(path, what)| format!("{}{path}: {what}", then.descriptor().name()))?;
        *self = noted;
        Ok(())
    }

    fn messages(&mut self, then: &DynamicMessage, now: &DynamicMessage) -> Result<(), Difference> {
        for field in then.descriptor().fields() {
            self.field(&field, then, now)
                .map_err(|(path, what)| (format!(".{}{path}", field.name()), what))?;
        }
        Ok(())
    }

    fn field(
        &mut self,
        field: &FieldDescriptor,
        then: &DynamicMessage,
        now: &DynamicMessage,
    ) -> Result<(), Difference> {
        if OF_THE_MOMENT.contains(&field.name())
            || is_round_of_start(field)
            || is_progress_of_start(field, then)
        {
            return Ok(());
        }
        if field.supports_presence() && then.has_field(field) != now.has_field(field) {
            let [then, now] =
                [then, now].map(|message| if message.has_field(field) { "set" } else { "absent" });
            return Err(differs(then, now));
        }
        self.values(field, &then.get_field(field), &now.get_field(field))
    }

    fn values(&mut self, field: &FieldDescriptor, then: &Value, now: &Value) -> Result<(), Difference> {
        match (then, now) {
            (Value::Message(then), Value::Message(now)) => self.messages(then, now),
            // There may be more of them now.
            (Value::List(then), Value::List(now)) if field.name() == "limits" => {
                let known = |wanted: &&Value| !now.iter().any(|value| value == *wanted);
                then.iter()
                    .find(known)
                    .map_or(Ok(()), |limit| Err((String::new(), format!("lacks {limit:?}"))))
            }
            (Value::List(then), Value::List(now)) if then.len() == now.len() => {
                then.iter().zip(now).enumerate().try_for_each(|(at, (then, now))| {
                    self.values(field, then, now).map_err(|(path, what)| (format!("[{at}]{path}"), what))
                })
            }
            (Value::Map(then), Value::Map(now)) => {
                let lost = then.iter().find(|(key, value)| now.get(key) != Some(value));
                lost.map_or(Ok(()), |(key, value)| Err((String::new(), format!("lacks {key:?}: {value:?}"))))
            }
            (Value::String(then), Value::String(now)) if DRAWN.contains(&field.name()) => {
                self.drawn(then, now)
            }
            (then, now) if then == now => Ok(()),
            (then, now) => Err(differs(then, now)),
        }
    }

    fn drawn(&mut self, then: &str, now: &str) -> Result<(), Difference> {
        let known = self.0.entry(then.to_owned()).or_insert_with(|| now.to_owned());
        if known == now && then.len() == now.len() { Ok(()) } else { Err(differs(then, now)) }
    }
}

/// Where two messages differ, and how.
type Difference = (String, String);

fn differs(then: impl std::fmt::Debug, now: impl std::fmt::Debug) -> Difference {
    (String::new(), format!("was {then:?}, is {now:?}"))
}

/// A match is told of while the house plays on, so its round may be the next already. Events tell every round.
fn is_round_of_start(field: &FieldDescriptor) -> bool {
    field.full_name() == "chickenfoot.v1.Match.round"
}

/// A tournament was told of before any of its matches was made, and by now one may be.
fn is_progress_of_start(field: &FieldDescriptor, then: &DynamicMessage) -> bool {
    field.full_name() == "chickenfoot.v1.Tournament.progress"
        && then.get_field(field).as_message().is_some_and(|progress| progress.encoded_len() == 0)
}

#[cfg(test)]
mod tests {
    use chickenfoot_protocol::v1;
    use prost_reflect::DescriptorPool;

    use super::*;

    /// A message as a client reads it that knows today's contract.
    fn read(name: &str, bytes: &[u8]) -> DynamicMessage {
        let pool = DescriptorPool::decode(chickenfoot_protocol::DESCRIPTOR).unwrap();
        let message = pool.get_message_by_name(&format!("chickenfoot.v1.{name}")).unwrap();
        DynamicMessage::decode(message, bytes).unwrap()
    }

    fn game(id: &str) -> v1::Match {
        v1::Match {
            id: id.to_owned(),
            creator: "ann".to_owned(),
            seats: vec![v1::Seat { total: 5, ..v1::Seat::default() }, v1::Seat::default()],
            create_time: Some(prost_types::Timestamp { seconds: 7, nanos: 0 }),
            ..v1::Match::default()
        }
    }

    /// What a client says of this match that was told of match `a` then.
    fn told(now: &v1::Match) -> Result<(), String> {
        let then = read("Match", &game("a").encode_to_vec());
        Drawn::default().agree(&then, &read("Match", &now.encode_to_vec())).map_err(|why| why.to_string())
    }

    #[test]
    fn ids_and_times_may_differ() {
        let later = Some(prost_types::Timestamp { seconds: 8, nanos: 0 });
        assert_eq!(told(&v1::Match { create_time: later, ..game("b") }), Ok(()));
    }

    #[test]
    fn a_field_that_is_gone_or_has_another_value_is_told() {
        let differs = |now: v1::Match, what: &str| assert_eq!(told(&now), Err(what.to_owned()));
        differs(
            v1::Match { creator: String::new(), ..game("b") },
            "Match.creator: was String(\"ann\"), is String(\"\")",
        );
        differs(
            v1::Match { round: 0, strict: true, ..game("b") },
            "Match.strict: was Bool(false), is Bool(true)",
        );
        let mut other = game("b");
        other.seats[1].place = 1;
        differs(other, "Match.seats[1].place: was U32(0), is U32(1)");
        let mut fewer = game("b");
        fewer.seats.pop();
        assert!(told(&fewer).unwrap_err().starts_with("Match.seats: was "));
    }

    #[test]
    fn a_field_that_the_client_does_not_know_is_passed_over() {
        let then = read("Tile", &[8, 1, 16, 2]);
        // A field 15 besides.
        let now = read("Tile", &[8, 1, 16, 2, 120, 9]);
        assert!(Drawn::default().agree(&then, &now).is_ok());
        // The numbers 1 and 2 without 1: it is gone, or is another field now.
        let renumbered = read("Tile", &[24, 1, 16, 2]);
        let why = Drawn::default().agree(&then, &renumbered).unwrap_err().to_string();
        assert_eq!(why, "Tile.low: was \"set\", is \"absent\"");
    }

    #[test]
    fn an_id_is_the_same_wherever_it_stands() {
        let mut drawn = Drawn::default();
        let [then, now] = ["a", "b"].map(|id| read("Match", &game(id).encode_to_vec()));
        drawn.agree(&then, &now).unwrap();
        assert_eq!(drawn.replace(&Bytes::from_static(b"1a2")), Bytes::from_static(b"1b2"));
        let then = read("GetMatchRequest", &v1::GetMatchRequest { match_id: "a".to_owned() }.encode_to_vec());
        let other =
            read("GetMatchRequest", &v1::GetMatchRequest { match_id: "c".to_owned() }.encode_to_vec());
        assert!(drawn.agree(&then, &other).is_err());
    }
}

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Ids of 128 bits, written as 32 lower-case hexadecimal digits: as text for people, as bytes between programs.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u128);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(digits(self.0, &mut [0; 32]))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<$name, InvalidId> {
                parse(text).map($name)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    self.0.serialize(serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                if deserializer.is_human_readable() {
                    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
                } else {
                    u128::deserialize(deserializer).map($name)
                }
            }
        }
    };
}

id! {
    /// A match's global id.
    MatchId
}

id! {
    /// A tournament's global id.
    TournamentId
}

/// The digits of an id, put into `room`. Every message about a match has its id; the general way of writing a number
/// costs ten times as much.
fn digits(id: u128, room: &mut [u8; 32]) -> &str {
    for (pair, byte) in room.as_chunks_mut::<2>().0.iter_mut().zip(id.to_be_bytes()) {
        *pair = [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]);
    }
    str::from_utf8(room).unwrap_or_default()
}

fn parse(text: &str) -> Result<u128, InvalidId> {
    const INVALID: InvalidId = InvalidId { bound: "32 lower-case hexadecimal digits" };
    let digits: &[u8; 32] = text.as_bytes().try_into().map_err(|_| INVALID)?;
    let mut bytes = [0; 16];
    for (byte, [high, low]) in bytes.iter_mut().zip(digits.as_chunks().0) {
        *byte = digit(*high).ok_or(INVALID)? << 4 | digit(*low).ok_or(INVALID)?;
    }
    Ok(u128::from_be_bytes(bytes))
}

fn digit(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    }
}

/// An agent's name: 1 to 40 letters, digits, `.`, `_` and `-`, the first a letter or digit. Cheap to copy.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentName(Arc<str>);

impl AgentName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for AgentName {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<AgentName, InvalidId> {
        let plain = |c: u8| c.is_ascii_alphanumeric();
        let fine = (1..=40).contains(&text.len())
            && text.bytes().all(|c| plain(c) || b"._-".contains(&c))
            && text.bytes().next().is_some_and(plain);
        if fine {
            Ok(AgentName(text.into()))
        } else {
            Err(InvalidId { bound: "1 to 40 letters, digits, '.', '_' and '-', the first a letter or digit" })
        }
    }
}

impl Serialize for AgentName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for AgentName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AgentName, D::Error> {
        deserializer.deserialize_str(Name)
    }
}

/// Reads a name where its text lies.
struct Name;

impl de::Visitor<'_> for Name {
    type Value = AgentName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<AgentName, E> {
        text.parse().map_err(E::custom)
    }
}

/// A text that is no id or name of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidId {
    /// What it must be.
    pub bound: &'static str,
}

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {}", self.bound)
    }
}

impl std::error::Error for InvalidId {}

/// Names one attempt to append one entry, so that a repeated attempt is told from a competing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntryId(pub u64);

/// Which run of which server writes. A later one fences an earlier one off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Incarnation(pub u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_their_text() {
        let id = MatchId(0x0123_4567_89ab_cdef_0011_2233_4455_6677);
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in
            ["", "0", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33), &format!("+{}", "0".repeat(31))]
        {
            assert!(bad.parse::<MatchId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn names_keep_their_bounds() {
        for good in ["a", "A-1_b.c", &"x".repeat(40)] {
            assert!(good.parse::<AgentName>().is_ok(), "{good}");
        }
        for bad in ["", "-a", ".a", "a b", "a:b", "ä", &"x".repeat(41)] {
            assert!(bad.parse::<AgentName>().is_err(), "{bad}");
        }
    }
}

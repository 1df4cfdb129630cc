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
                write!(f, "{:032x}", self.0)
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

fn parse(text: &str) -> Result<u128, InvalidId> {
    const INVALID: InvalidId = InvalidId { bound: "32 lower-case hexadecimal digits" };
    let digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
    if text.len() != 32 || !text.bytes().all(digit) {
        return Err(INVALID);
    }
    u128::from_str_radix(text, 16).map_err(|_| INVALID)
}

/// An agent's name: 1 to 40 letters, digits, `.`, `_` and `-`, the first a letter or digit. Cheap to copy.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
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

impl TryFrom<String> for AgentName {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<AgentName, InvalidId> {
        text.parse()
    }
}

impl From<AgentName> for String {
    fn from(name: AgentName) -> String {
        name.as_str().to_owned()
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

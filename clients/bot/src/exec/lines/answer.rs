use std::fmt;

use serde::Deserialize;

/// What a program answers: `{"match":"..","decision":6,"option":0}`, or a `move` in place of the `option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The match.
    pub match_id: String,
    /// The decision's number.
    pub decision: u32,
    /// What it chooses.
    pub chosen: Chosen,
}

/// One of the options, as a program names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// By its position, from 0.
    Option(u64),
    /// By its text, as in the list of options.
    Move(String),
}

/// Why a line is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    r#match: String,
    decision: u32,
    option: Option<u64>,
    r#move: Option<String>,
}

impl Answer {
    /// Reads a line, with or without its line feed.
    ///
    /// # Errors
    /// It is no JSON object with `match`, `decision` and one of `option` and `move`, and nothing else.
    pub fn read(line: &[u8]) -> Result<Answer, Unreadable> {
        let raw: Raw = serde_json::from_slice(line).map_err(|why| Unreadable(why.to_string()))?;
        let chosen = match (raw.option, raw.r#move) {
            (Some(option), None) => Chosen::Option(option),
            (None, Some(text)) => Chosen::Move(text),
            (None, None) => return Err(Unreadable("neither `option` nor `move` is given".to_owned())),
            (Some(_), Some(_)) => return Err(Unreadable("both `option` and `move` are given".to_owned())),
        };
        Ok(Answer { match_id: raw.r#match, decision: raw.decision, chosen })
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_answer_names_a_decision_and_one_of_its_options() {
        let by_position = Answer::read(br#"{"match":"0a","decision":6,"option":0}"#).unwrap();
        assert_eq!(by_position.chosen, Chosen::Option(0));
        let by_text =
            Answer::read(b"{ \"decision\": 6, \"move\": \"keep\", \"match\": \"0a\" }\r\n").unwrap();
        assert_eq!(by_text.chosen, Chosen::Move("keep".to_owned()));
        assert_eq!((by_text.match_id.as_str(), by_text.decision), ("0a", 6));
    }

    #[test]
    fn anything_else_is_unreadable_and_says_why() {
        for (line, why) in [
            ("", "EOF"),
            ("hello", "expected"),
            ("[]", "invalid"),
            (r#"{"match":"0a","decision":6}"#, "neither"),
            (r#"{"match":"0a","decision":6,"option":0,"move":"keep"}"#, "both"),
            (r#"{"match":"0a","decision":6,"options":0}"#, "unknown field `options`"),
            (r#"{"decision":6,"option":0}"#, "missing field `match`"),
            (r#"{"match":"0a","decision":-1,"option":0}"#, "invalid value"),
            (r#"{"match":"0a","decision":6,"option":0.5}"#, "invalid type"),
            (r#"{"match":"0a","decision":6,"option":0}{"#, "trailing"),
        ] {
            let error = Answer::read(line.as_bytes()).unwrap_err();
            assert!(error.0.contains(why), "{line}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Answer::read(&line);
        }

        #[test]
        fn no_nesting_panics(depth in 0_usize..40_000, open in "[\\[{\"]") {
            let _ = Answer::read(open.repeat(depth).as_bytes());
        }
    }
}

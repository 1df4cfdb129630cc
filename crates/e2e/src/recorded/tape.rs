use std::fmt::Write as _;

use bytes::Bytes;

use crate::Failure;

/// What a client sent and what it got, in the order in which it saw it.
#[derive(Default)]
pub(super) struct Tape {
    pub(super) lines: Vec<Line>,
}

/// One line of a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A call begins: its service and method.
    Call(String),
    /// A message that the client sent.
    Up(Bytes),
    /// A message that it got.
    Down(Bytes),
    /// The call was refused, with this code and reason.
    Refused(String),
}

impl Tape {
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match line {
                Line::Call(method) => writeln!(text, "call {method}"),
                Line::Up(bytes) => writeln!(text, "> {bytes:x}"),
                Line::Down(bytes) => writeln!(text, "< {bytes:x}"),
                Line::Refused(why) => writeln!(text, "! {why}"),
            }
            .expect("a String takes everything");
        }
        text
    }

    pub(super) fn from_text(text: &str) -> Result<Tape, Failure> {
        let line = |line: &str| match line.split_once(' ') {
            Some(("call", method)) => Ok(Line::Call(method.to_owned())),
            Some((">", digits)) => Ok(Line::Up(bytes(digits)?)),
            Some(("<", digits)) => Ok(Line::Down(bytes(digits)?)),
            Some(("!", why)) => Ok(Line::Refused(why.to_owned())),
            _ => Err(Failure::from(format!("no line of a recording: {line}"))),
        };
        Ok(Tape { lines: text.lines().map(line).collect::<Result<_, _>>()? })
    }
}

fn bytes(digits: &str) -> Result<Bytes, Failure> {
    let digits = digits.as_bytes().chunks(2);
    let byte = |pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?);
    digits.map(byte).collect::<Result<Vec<u8>, Failure>>().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_survives_being_written_and_read() {
        let lines = [
            Line::Call("AgentService/Session".to_owned()),
            Line::Up(Bytes::from_static(&[0, 255, 16])),
            Line::Down(Bytes::new()),
            Line::Refused("5 MATCH_NOT_FOUND".to_owned()),
        ];
        let tape = Tape { lines: lines.to_vec() };
        assert_eq!(Tape::from_text(&tape.to_text()).unwrap().lines, lines);
        assert!(Tape::from_text("> 0g").is_err());
        assert!(Tape::from_text("nothing").is_err());
    }
}

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// 32 bytes that are written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hex32(pub [u8; 32]);

impl fmt::Display for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseHexError;

impl fmt::Display for ParseHexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 64 hexadecimal digits (32 bytes)")
    }
}

impl std::error::Error for ParseHexError {}

impl FromStr for Hex32 {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Hex32, ParseHexError> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(ParseHexError);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let digit = |c: u8| char::from(c).to_digit(16).ok_or(ParseHexError);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Ok(Hex32(bytes))
    }
}

/// Hashes the 4-byte big-endian length of `x`, then `x`.
pub(crate) fn lp(hash: &mut Sha256, x: &[u8]) {
    hash.update((x.len() as u32).to_be_bytes());
    hash.update(x);
}

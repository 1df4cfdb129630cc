use std::fmt::Write;

use sha2::{Digest, Sha256};

pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-256 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    sha256(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // A text takes everything that is written to it.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

use std::fmt;

/// What is wrong with a tournament file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileError {
    /// The file.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The character of the line, from 1.
    pub(crate) column: usize,
    /// The key with its tables, as in `format.rounds`; empty where the text is no TOML.
    pub(crate) key: String,
    /// What is wrong, and what would be right.
    pub(crate) what: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for FileError {}

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::exec::program::Program;

/// So much of a line is shown or quoted, in bytes.
const LINE: usize = 1000;

/// The last line that a process wrote to stderr, which mostly says why it ended.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<String>>);

impl LastWords {
    /// How a process ended, and its last words.
    pub(super) fn behind(&self, end: String) -> String {
        let words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if words.is_empty() { end } else { format!("{end}; the last line on stderr: {words}") }
    }

    fn set(&self, line: &str) {
        if !line.trim().is_empty() {
            let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            line.clone_into(&mut words);
        }
    }
}

/// Where the stderr of a process goes.
pub(super) struct Sink {
    label: String,
    show: bool,
    log: Option<Log>,
    words: LastWords,
    line: Vec<u8>,
}

impl Sink {
    pub(super) fn new(program: &Program, label: &str, words: LastWords) -> Sink {
        let log = program.logs.as_ref().map(|folder| Log::new(folder, label, program.log_bytes));
        Sink { label: label.to_owned(), show: program.show, log, words, line: Vec::new() }
    }

    /// Takes all that comes, to the end of the stream.
    pub(super) async fn drain(mut self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 8 * 1024];
        while let Ok(read @ 1..) = stream.read(&mut chunk).await {
            if let Some(log) = &mut self.log {
                log.write(&chunk[..read]);
            }
            self.split(&chunk[..read]);
        }
        self.end_line();
    }

    fn split(&mut self, chunk: &[u8]) {
        for (index, part) in chunk.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                self.end_line();
            }
            let room = LINE.saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
        }
    }

    fn end_line(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let line = String::from_utf8_lossy(&self.line).into_owned();
        if self.show {
            // Without stderr there is nobody to show it to.
            let _ = writeln!(io::stderr().lock(), "[{}] {line}", self.label);
        }
        self.words.set(&line);
        self.line.clear();
    }
}

/// A file that keeps the last bytes written to it: when it has half of them it becomes `.1`, in place of the one before.
struct Log {
    path: PathBuf,
    half: u64,
    open: Option<(File, u64)>,
}

impl Log {
    fn new(folder: &Path, label: &str, bytes: u64) -> Log {
        // A match's id comes from outside.
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = label.chars().map(safe).collect();
        Log { path: folder.join(format!("{name}.stderr")), half: (bytes / 2).max(1), open: None }
    }

    /// Writes as well as it can: a full disk must not stop a match.
    fn write(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let half = self.half;
            let Ok((file, size)) = self.file() else { return };
            let room = usize::try_from(half.saturating_sub(*size)).unwrap_or(usize::MAX);
            let (now, rest) = bytes.split_at(bytes.len().min(room));
            if file.write_all(now).is_err() {
                return;
            }
            *size += now.len() as u64;
            bytes = rest;
        }
    }

    /// The file, with room for at least a byte.
    fn file(&mut self) -> io::Result<&mut (File, u64)> {
        let mut open = self.open.take().map_or_else(|| open(&self.path), Ok)?;
        if open.1 >= self.half {
            std::fs::rename(&self.path, self.path.with_extension("stderr.1"))?;
            open = self::open(&self.path)?;
        }
        Ok(self.open.insert(open))
    }
}

/// A file to write to behind what it has, and how much that is.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().append(true).create(true).open(path)?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_the_last_bytes_and_no_more_than_it_may() {
        let folder = tempfile::tempdir().unwrap();
        for run in 0..5 {
            // A restarted process goes on in the same file.
            let mut log = Log::new(folder.path(), "../a match", 100);
            log.write(&[b'a' + run; 37]);
        }
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let (now, before) = (read("___a_match.stderr"), read("___a_match.stderr.1"));
        assert!(now.len() <= 50 && before.len() <= 50, "{} {}", now.len(), before.len());
        assert!(format!("{before}{now}").ends_with(&"e".repeat(37)));
    }
}

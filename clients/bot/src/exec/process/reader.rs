use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

use super::Output;
use crate::exec::program::Program;

/// Reads lines to the end of the stream. One that is too long is told of as such, again for each further
/// [`Program::LINE_BYTES`] of it.
pub(super) async fn read(mut stream: impl AsyncRead + Unpin, heard: mpsc::Sender<Output>) {
    let (mut lines, mut chunk) = (Lines::default(), vec![0; 16 * 1024]);
    while let Ok(read @ 1..) = stream.read(&mut chunk).await {
        for output in lines.take(&chunk[..read]) {
            if heard.send(output).await.is_err() {
                return;
            }
        }
    }
    if let Some(rest) = lines.rest() {
        let _ = heard.send(rest).await;
    }
}

/// Cuts a stream into lines of bounded length.
#[derive(Default)]
struct Lines {
    line: Vec<u8>,
    /// The rest of a line that is too long is to be passed over.
    skips: bool,
}

impl Lines {
    fn take(&mut self, chunk: &[u8]) -> Vec<Output> {
        let mut found = Vec::new();
        let mut parts = chunk.split(|byte| *byte == b'\n');
        let first = parts.next().unwrap_or_default();
        self.extend(first, &mut found);
        for part in parts {
            found.extend(self.rest());
            self.skips = false;
            self.extend(part, &mut found);
        }
        found
    }

    fn extend(&mut self, part: &[u8], found: &mut Vec<Output>) {
        self.line.extend_from_slice(part);
        if self.line.len() > Program::LINE_BYTES {
            self.line.clear();
            self.skips = true;
            found.push(Output::TooLong);
        }
    }

    /// What stands before a line feed, or before the end of the stream.
    fn rest(&mut self) -> Option<Output> {
        let line = std::mem::take(&mut self.line);
        (!self.skips && !line.is_empty()).then_some(Output::Line(line))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(chunks: &[&[u8]]) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::default();
        let mut found: Vec<Output> = chunks.iter().flat_map(|chunk| lines.take(chunk)).collect();
        found.extend(lines.rest());
        let line = |output| match output {
            Output::Line(line) => Some(line),
            Output::TooLong | Output::Ended(_) => None,
        };
        found.into_iter().map(line).collect()
    }

    #[test]
    fn what_is_too_long_is_told_and_passed_over() {
        let long = vec![b'x'; Program::LINE_BYTES];
        let one_more = [long.as_slice(), b"y\nz"].concat();
        assert_eq!(all(&[&one_more]), [None, Some(b"z".to_vec())]);
        assert_eq!(all(&[&long, b"\n"]), [Some(long.clone())]);
        // In pieces, and more than twice as long.
        assert_eq!(all(&[&long, &long, &long, b"\n\nz\n"]), [None, Some(b"z".to_vec())]);
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_they_come(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..400),
            size in 1_usize..50,
        ) {
            let chunks: Vec<&[u8]> = text.chunks(size).collect();
            let expected: Vec<Option<Vec<u8>>> = text
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.is_empty())
                .map(|line| Some(line.to_vec()))
                .collect();
            prop_assert_eq!(all(&chunks), expected);
        }
    }
}

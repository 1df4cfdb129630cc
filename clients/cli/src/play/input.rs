use std::io::{self, BufRead, IsTerminal};

use tokio::sync::mpsc;

/// Something that came in on stdin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    Line(String),
    /// The end of the input; on a terminal more may follow.
    End,
}

/// Stdin, line by line, for a reader that listens to something else too.
pub(crate) struct Input {
    lines: mpsc::Receiver<Typed>,
    terminal: bool,
}

impl Input {
    /// Reads stdin in a thread of its own: a read of stdin cannot be given up. The thread ends with the process.
    pub(crate) fn open() -> Input {
        let terminal = io::stdin().is_terminal();
        let (sender, lines) = mpsc::channel(1);
        std::thread::spawn(move || {
            while let Some(typed) = read() {
                let last = typed == Typed::End && !terminal;
                if sender.blocking_send(typed).is_err() || last {
                    break;
                }
            }
        });
        Input { lines, terminal }
    }

    /// Whether a person types, who may say something at any time; a pipe is read when there is a question.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    pub(crate) async fn next(&mut self) -> Typed {
        self.lines.recv().await.unwrap_or(Typed::End)
    }
}

/// The next line; none if stdin cannot be read, which counts as its end.
fn read() -> Option<Typed> {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut bytes) {
        Ok(0) => Some(Typed::End),
        Ok(_) => Some(Typed::Line(String::from_utf8_lossy(&bytes).trim().to_owned())),
        Err(_) => None,
    }
}

use std::io::{self, Stdout, Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::style::ResetColor;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::app::App;
use super::paint::{Look, Pen};

/// Whether the terminal is ours, and has to be given back.
static OURS: AtomicBool = AtomicBool::new(false);

static HOOK: Once = Once::new();

/// The whole terminal, from when it is opened until it is dropped, or something panics: then it is as it was before.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    look: Look,
}

impl Screen {
    /// Takes the terminal.
    pub(crate) fn open(look: Look) -> io::Result<Screen> {
        HOOK.call_once(|| {
            let hook = std::panic::take_hook();
            // What the hook says is to be read, so the terminal is given back before.
            std::panic::set_hook(Box::new(move |panic| {
                give_back();
                hook(panic);
            }));
        });
        OURS.store(true, Ordering::SeqCst);
        let opened = enable_raw_mode()
            .and_then(|()| execute!(stdout(), EnterAlternateScreen, Hide))
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        match opened {
            Ok(terminal) => Ok(Screen { terminal, look }),
            Err(why) => {
                give_back();
                Err(why)
            }
        }
    }

    /// Shows a view as it is now.
    pub(crate) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        let look = self.look;
        self.terminal.draw(|frame| {
            let area = frame.area();
            app.draw(&mut Pen { buffer: frame.buffer_mut(), look }, area);
        })?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, once.
fn give_back() {
    if OURS.swap(false, Ordering::SeqCst) {
        // A terminal that is gone needs nothing.
        let _ = leave(&mut stdout());
        let _ = disable_raw_mode();
    }
}

fn leave(out: &mut impl Write) -> io::Result<()> {
    execute!(out, ResetColor, LeaveAlternateScreen, Show)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_is_given_back() {
        let mut out = Vec::new();
        leave(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\x1b[?1049l") && text.ends_with("\x1b[?25h"), "{text:?}");
    }
}

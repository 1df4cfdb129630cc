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

    /// What [`a_panic_gives_the_terminal_back`] runs on a terminal.
    #[cfg(unix)]
    #[test]
    #[ignore = "panics, on a terminal that another test makes for it"]
    fn panics_on_the_screen() {
        let look = Look { colours: false, branches: chickenfoot_picture::Style::Ascii };
        let _screen = Screen::open(look).unwrap();
        panic!("as a test");
    }

    #[cfg(unix)]
    #[test]
    fn a_panic_gives_the_terminal_back() {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        use rustix::termios::tcgetattr;
        use std::fs::File;
        use std::io::Read;
        use std::process::Command;

        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let before = format!("{:?}", tcgetattr(&slave).unwrap());
        let end = || slave.try_clone().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "view::screen::tests::panics_on_the_screen", "--nocapture"])
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        assert!(!child.wait().unwrap().success());
        assert_eq!(format!("{:?}", tcgetattr(&slave).unwrap()), before);
        // All of it fits the terminal's queue; the end is that nobody has the other side open any more.
        drop(slave);
        let (mut master, mut bytes, mut part) = (File::from(master), Vec::new(), [0; 4096]);
        while let Ok(read @ 1..) = master.read(&mut part) {
            bytes.extend_from_slice(&part[..read]);
        }
        let text = String::from_utf8_lossy(&bytes);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what:?} is not in {text:?}"));
        let (taken, left, told) = (at("\u{1b}[?1049h"), at("\u{1b}[?1049l"), at("as a test"));
        assert!(taken < left && left < told, "{text:?}");
    }
}

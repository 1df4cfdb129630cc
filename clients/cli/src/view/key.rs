use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What somebody may want at a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Quit,
    /// Ctrl-C: as `Quit`, but the command did not come to its end.
    Interrupt,
    /// Back to where this was opened from.
    Back,
    Open,
    Help,
    StepBack,
    StepOn,
    First,
    Last,
    RoundBack,
    RoundOn,
    PlayPause,
    Live,
    Slower,
    Faster,
    Up,
    Down,
    Section,
}

/// The key of an event of the terminal; `None` for one that means nothing here.
pub(crate) fn key(event: &Event) -> Option<Key> {
    let Event::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press | KeyEventKind::Repeat, .. }) =
        event
    else {
        return None;
    };
    if modifiers.contains(KeyModifiers::CONTROL) {
        return (*code == KeyCode::Char('c')).then_some(Key::Interrupt);
    }
    Some(match code {
        KeyCode::Char('q' | 'Q') => Key::Quit,
        KeyCode::Esc => Key::Back,
        KeyCode::Enter => Key::Open,
        KeyCode::Char('?' | 'h') => Key::Help,
        KeyCode::Left => Key::StepBack,
        KeyCode::Right => Key::StepOn,
        KeyCode::Home => Key::First,
        KeyCode::End => Key::Last,
        KeyCode::PageUp => Key::RoundBack,
        KeyCode::PageDown => Key::RoundOn,
        KeyCode::Char(' ') => Key::PlayPause,
        KeyCode::Char('l' | 'L') => Key::Live,
        KeyCode::Char('-') => Key::Slower,
        KeyCode::Char('+' | '=') => Key::Faster,
        KeyCode::Up | KeyCode::Char('k') => Key::Up,
        KeyCode::Down | KeyCode::Char('j') => Key::Down,
        KeyCode::Tab => Key::Section,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        key(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn ctrl_c_is_the_only_key_with_control() {
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Interrupt));
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::CONTROL), None);
        assert_eq!(press(KeyCode::Char('q'), KeyModifiers::NONE), Some(Key::Quit));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), None);
    }

    #[test]
    fn a_key_that_is_let_go_is_no_key() {
        let mut event = KeyEvent::new(KeyCode::Left, KeyModifiers::NONE);
        event.kind = KeyEventKind::Release;
        assert_eq!(key(&Event::Key(event)), None);
    }
}

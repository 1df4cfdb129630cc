//! What a view shows, as text: compared with files, which `CHICKENFOOT_BLESS=1` writes anew.

use std::path::Path;

use chickenfoot_picture::Style as Branches;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::paint::{Look, Pen};
use crate::text::columns;

/// Without colours, in box characters.
pub(super) const LOOK: Look = Look { colours: false, branches: Branches::Unicode };

/// Draws on a terminal of this size.
pub(super) fn buffer(width: u16, height: u16, look: Look, draw: impl FnOnce(&mut Pen<'_>, Rect)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            let area = frame.area();
            draw(&mut Pen { buffer: frame.buffer_mut(), look }, area);
        })
        .unwrap();
    terminal.backend().buffer().clone()
}

/// The characters of a screen, a line each, without the spaces at the end.
pub(super) fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let row = |y| {
        let (mut row, mut x) = (String::new(), 0);
        while x < area.width {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            // A wide character covers the cell beside it.
            x += columns(symbol).max(1) as u16;
        }
        row
    };
    (0..area.height).map(|y| row(y).trim_end().to_owned() + "\n").collect()
}

/// Compares a screen with the file of this name.
pub(super) fn compare(name: &str, buffer: &Buffer) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/view/shots/{name}.txt"));
    let found = text(buffer);
    if std::env::var_os("CHICKENFOOT_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{} has another screen than this:\n{found}", path.display());
}

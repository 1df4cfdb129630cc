mod describe;
mod paint;
mod theme;

use crate::geometry::Bounds;
use crate::layout::{Layout, Slot};
use paint::Pen;

pub use describe::describe;
pub use theme::Theme;

/// A picture of a layout as SVG, in hundredths of a half tile.
///
/// Tiles bear digits, which always stand upright: a number is told by its digits, and by its colour as well. Open ends, and
/// arms and toes that are still to be begun, are dashed slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg<'a> {
    /// The colours; an inline picture has those of [`Svg::style`].
    pub theme: Theme,
    /// A file of its own, or a part of a page.
    pub form: Form<'a>,
    /// What the picture is of, for screen readers and as a tool tip. Any text.
    pub title: &'a str,
    /// Whether the tile laid last is marked.
    pub mark_newest: bool,
    /// How many tiles are drawn, the starting double included; `None` for all. The picture is as large as that of all, so
    /// that the pictures of a round lie upon each other.
    pub tiles: Option<usize>,
    /// Whether the picture has what a script needs to show every earlier state: see [`Svg::render`].
    pub history: bool,
}

/// Where a picture stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'a> {
    /// A file: with the XML header and its style.
    File,
    /// An element in a page of HTML, which has [`Svg::style`] in its style sheet.
    Inline {
        /// What the ids in the picture begin with, so that they are unique in the page: letters, digits, `-` and `_`;
        /// anything else is left out.
        id: &'a str,
    },
}

impl Default for Svg<'_> {
    /// A file that follows the reader's preference of dark or light, with the newest tile marked.
    fn default() -> Self {
        Svg {
            theme: Theme::Auto,
            form: Form::File,
            title: "Chicken Foot table",
            mark_newest: true,
            tiles: None,
            history: false,
        }
    }
}

impl Svg<'_> {
    /// Draws a layout.
    ///
    /// With [`Svg::history`], a tile and its stem bear `data-n`: how many tiles lie once it is laid. A slot bears `data-n`,
    /// the number of tiles from which on it is there, and `data-e`, from which on it is not; slots that are taken are in the
    /// picture, not displayed. So the state after n tiles is: everything with `data-n` at most n and without a `data-e` at
    /// most n; the newest tile, of the class `new`, is the one with `data-n` n.
    pub fn render(&self, layout: &Layout) -> String {
        let mut pen = Pen::new(self, layout);
        pen.draw();
        pen.text
    }

    /// The style sheet for inline pictures; everything in it is below the class `chickenfoot`.
    pub fn style(theme: Theme) -> String {
        theme.style(chickenfoot_rules::MAX_PIP)
    }

    /// What the picture shows: all tiles and the slots, with a margin.
    fn bounds(&self, layout: &Layout) -> Bounds {
        // The slots of all moments that may be drawn, so that the pictures of a round are of one size.
        let is_drawn = |slot: &&Slot| match slot.until {
            None => true,
            Some(until) => (self.history || self.tiles.is_some()) && until > slot.since,
        };
        let slots = layout.slots().iter().filter(is_drawn);
        let tiles = layout.tiles().iter().map(|placed| &placed.area);
        let bounds = Bounds::of(tiles.chain(slots.map(|slot| &slot.area)));
        const MARGIN: i32 = 400;
        Bounds {
            left: bounds.left - MARGIN,
            top: bounds.top - MARGIN,
            right: bounds.right + MARGIN,
            bottom: bounds.bottom + MARGIN,
        }
    }
}

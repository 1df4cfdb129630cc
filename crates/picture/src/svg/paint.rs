use std::fmt::{self, Write};

use super::{Form, Svg, describe};
use crate::geometry::{Area, Point};
use crate::layout::{Layout, Placed, Slot, SlotKind};

/// Appends to the picture. Writing to a string cannot fail.
macro_rules! put {
    ($pen:expr, $($text:tt)*) => {{
        let _ = write!($pen.text, $($text)*);
    }};
}

/// Writes the elements of a picture.
pub(crate) struct Pen<'a> {
    svg: &'a Svg<'a>,
    layout: &'a Layout,
    id: String,
    /// How many tiles are shown.
    tiles: usize,
    pub(crate) text: String,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(svg: &'a Svg<'a>, layout: &'a Layout) -> Pen<'a> {
        let id = match svg.form {
            Form::File => "cf".to_owned(),
            Form::Inline { id } => {
                id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
            }
        };
        let all = layout.tiles().len();
        Pen { svg, layout, id, tiles: svg.tiles.unwrap_or(all).clamp(1, all.max(1)), text: String::new() }
    }

    pub(crate) fn draw(&mut self) {
        self.head();
        self.slots();
        self.stems();
        self.tiles();
        put!(self, "</svg>");
        if self.svg.form == Form::File {
            self.text.push('\n');
        }
    }

    fn head(&mut self) {
        let id = self.id.clone();
        let is_file = self.svg.form == Form::File;
        // Within HTML, an svg element needs no namespace.
        let namespace = if is_file { " xmlns=\"http://www.w3.org/2000/svg\"" } else { "" };
        if is_file {
            put!(self, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        }
        let bounds = self.svg.bounds(self.layout);
        let (left, top) = (small(bounds.left), small(bounds.top));
        let (width, height) = (small(bounds.width()), small(bounds.height()));
        let title = Escaped(self.svg.title);
        let description = describe(self.layout, self.tiles);
        put!(
            self,
            "<svg{namespace} class=\"chickenfoot\" viewBox=\"{left} {top} {width} {height}\" \
             role=\"img\" aria-labelledby=\"{id}-h {id}-d\"><title id=\"{id}-h\">{title}</title>\
             <desc id=\"{id}-d\">{}</desc>",
            Escaped(&description)
        );
        if is_file {
            let numbers = self.layout.tiles().iter().map(|placed| placed.tile.high());
            let style = self.svg.theme.style(numbers.max().unwrap_or(0));
            put!(self, "<style>{}</style>", Escaped(&style));
        }
        // No style sheet reaches into what is used by reference in every browser: the line bears its colour itself.
        put!(
            self,
            "<defs><g id=\"{id}-t\"><rect x=\"-100\" y=\"-50\" width=\"200\" height=\"100\" rx=\"13\"/>\
             <path d=\"M0-36V36\" stroke=\"#888\" stroke-width=\"3\" stroke-opacity=\".6\"/></g>\
             <rect id=\"{id}-s\" x=\"-92\" y=\"-42\" width=\"184\" height=\"84\" rx=\"12\"/></defs>\
             <rect class=\"felt\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    fn slots(&mut self) {
        for slot in self.layout.slots() {
            if self.svg.history || slot.is_open(self.tiles) {
                self.slot(slot);
            }
        }
    }

    fn slot(&mut self, slot: &Slot) {
        let lacks = !matches!(slot.kind, SlotKind::End(_));
        put!(self, "<g class=\"slot{}\"", if lacks { " lack" } else { "" });
        if self.svg.history {
            put!(self, " data-n=\"{}\"", slot.since);
            if let Some(until) = slot.until {
                put!(self, " data-e=\"{until}\"");
            }
            self.hide_unless(slot.is_open(self.tiles));
        }
        put!(self, "><use href=\"#{}-s\"{}/>", self.id, Turned(&slot.area));
        if lacks {
            self.digit("", slot.number, slot.area.centre);
        }
        put!(self, "</g>");
    }

    fn stems(&mut self) {
        for (at, placed) in self.shown() {
            let Some(stem) = placed.stem else { continue };
            put!(self, "<path class=\"stem\"");
            self.tag(at);
            let [from, to] = [stem.from, stem.to].map(|point| (small(point.x), small(point.y)));
            put!(self, " d=\"M{} {}L{} {}\"/>", from.0, from.1, to.0, to.1);
        }
    }

    fn tiles(&mut self) {
        for (at, placed) in self.shown() {
            let is_newest = self.svg.mark_newest && at > 0 && at + 1 == self.tiles;
            let more = match (at, is_newest) {
                (0, _) => " hub",
                (_, true) => " new",
                (_, false) => "",
            };
            put!(self, "<g class=\"tile{more}\"");
            self.tag(at);
            put!(self, "><use href=\"#{}-t\"{}/>", self.id, Turned(&placed.area));
            let [inner, outer] = placed.halves();
            self.digit("n", placed.inner, inner);
            self.digit("n", placed.outer, outer);
            put!(self, "</g>");
        }
    }

    /// The tiles to be drawn, with their position.
    fn shown(&self) -> impl Iterator<Item = (usize, &'a Placed)> + use<'a> {
        let count = if self.svg.history { usize::MAX } else { self.tiles };
        self.layout.tiles().iter().enumerate().take(count)
    }

    /// What a script needs to know of a tile.
    fn tag(&mut self, at: usize) {
        if self.svg.history {
            put!(self, " data-n=\"{}\"", at + 1);
            self.hide_unless(at < self.tiles);
        }
    }

    fn hide_unless(&mut self, shown: bool) {
        if !shown {
            put!(self, " display=\"none\"");
        }
    }

    /// An upright number in the middle of a half tile; coloured if its class has a name.
    fn digit(&mut self, class: &str, number: u8, at: Point) {
        let colour = if class.is_empty() { String::new() } else { format!("{class}{number}") };
        let two = if number > 9 { " two" } else { "" };
        let below = if number > 9 { 23 } else { 29 };
        let class = format!("{colour}{two}");
        let class = class.trim_start();
        let (x, y) = (small(at.x), small(at.y) + below);
        if class.is_empty() {
            put!(self, "<text x=\"{x}\" y=\"{y}\">{number}</text>");
        } else {
            put!(self, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{number}</text>");
        }
    }
}

/// Units of the layout in those of the picture, to the nearest; halves are rounded up.
fn small(units: i32) -> i32 {
    (units + 5).div_euclid(10)
}

/// The attribute that moves a shape to its place. A tile looks the same when it is turned half round.
struct Turned<'a>(&'a Area);

impl fmt::Display for Turned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Area { centre, heading, half_length, half_width } = *self.0;
        let heading = if half_width > half_length { heading.turned(6) } else { heading };
        write!(f, " transform=\"translate({} {})", small(centre.x), small(centre.y))?;
        match heading.degrees() % 180 {
            0 => f.write_str("\""),
            degrees => write!(f, "rotate({degrees})\""),
        }
    }
}

/// A text that XML takes for text. What XML does not have at all is shown as the sign for such characters.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '\t' | '\n' => f.write_char(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER),
            _ => f.write_char(c),
        })
    }
}

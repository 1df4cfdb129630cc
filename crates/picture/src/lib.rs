//! Drawings of the table of a Chicken Foot round.
//!
//! A [`Table`] is built from the public steps of a round alone, so a drawing can show nothing that a spectator may not
//! know. It is the tree of arms and toes that every drawing starts from; an [`Outline`] is that tree as text. A [`Layout`]
//! says where each tile lies, and an [`Svg`] draws that. A [`Stage`] follows a whole match and tells of each of its moments
//! what everybody may know, and what came to the table. The crate's README has the rules of the layout and what it costs.
//!
//! ```
//! use chickenfoot_picture::{Outline, Style, Table};
//! use chickenfoot_rules::{Preset, RuleOptions, Terms};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = RuleOptions::new(Preset::Trains, 2).resolve()?;
//! let mut table = Table::new(&Terms::from(&rules), 9);
//! for (tile, end) in [("4-9", 9), ("8-9", 9), ("4-6", 4), ("8-8", 8), ("2-8", 8)] {
//!     table.lay(tile.parse()?, end, None)?;
//! }
//! let outline = Outline { style: Style::Unicode, ..Outline::default() };
//! assert_eq!(
//!     outline.render(&table),
//!     "\
//! [9|9]
//! ├─9-4 4-6 >6
//! └─9-8 [8|8]
//!   ├─8-2* >2
//!   ├─(toe open: 8)
//!   └─(toe open: 8)
//! "
//! );
//! # Ok(())
//! # }
//! ```
//!
//! A tile that is laid stays where it is, whatever is laid after it:
//!
//! ```
//! use chickenfoot_picture::{Heading, Layout, Svg};
//! use chickenfoot_rules::{Preset, RuleOptions, Terms};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = RuleOptions::new(Preset::Trains, 2).resolve()?;
//! let mut layout = Layout::new(&Terms::from(&rules), 9);
//! let first = *layout.place("4-9".parse()?, 9, None)?;
//! assert_eq!((first.area.heading, first.inner, first.outer), (Heading::UP, 9, 4));
//! layout.place("8-9".parse()?, 9, None)?;
//! assert_eq!(layout.tiles()[1], first);
//! assert!(Svg::default().render(&layout).contains("3 tiles. In the middle 9-9. Laid last: 9-8."));
//! # Ok(())
//! # }
//! ```
mod geometry;
mod layout;
mod outline;
mod record;
mod stage;
mod svg;
mod table;

pub use geometry::{Area, Bounds, Heading, Point};
pub use layout::{Layout, Placed, Slot, SlotKind, Stem};
pub use outline::{Outline, Style};
pub use record::tiles_after;
pub use stage::{Scene, Stage};
pub use svg::{Form, Svg, Theme, describe};
pub use table::{Double, Laid, Misfit, Run, Table};

//! Drawings of the table of a Chicken Foot round.
//!
//! A [`Table`] is built from the public steps of a round alone, so a drawing can show nothing that a spectator may not
//! know. It is the tree of arms and toes that every drawing starts from; an [`Outline`] is that tree as text.
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
mod geometry;
mod layout;
mod outline;
mod record;
mod svg;
mod table;

pub use geometry::{Area, Bounds, Heading, Point};
pub use layout::{Layout, Placed, Slot, SlotKind, Stem};
pub use outline::{Outline, Style};
pub use record::tiles_after;
pub use svg::{Form, Svg, Theme, describe};
pub use table::{Double, Laid, Misfit, Run, Table};

//! The spectators' page, as the build of `clients/web` made it: everything that a server sends to a browser, and a
//! replay as [one HTML file of its own](standalone).
//!
//! The files are embedded, so that a server is one program. They are compressed when they are first asked for, once.

mod asset;
mod hash;
mod standalone;

pub use asset::{Asset, asset, assets, gzip_fast, index};
pub use hash::hash;
pub use standalone::{escaped, standalone};

use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::hash::hash;

/// The document of every address of the page.
const INDEX: &str = "index.html";

/// A file of the page.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its name, without a folder.
    pub name: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// The same by gzip.
    pub gzip: Vec<u8>,
    /// SHA-256 of the bytes, in hexadecimal digits.
    pub hash: String,
}

impl Asset {
    fn new(name: &'static str, bytes: &'static [u8]) -> Asset {
        let content_type = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        Asset { name, content_type, bytes, gzip: gzip(bytes), hash: hash(bytes) }
    }

    /// The version that stands behind the asset's address in the document, as in `app.js?v=0123456789ab`: the first
    /// twelve digits of the hash.
    pub fn version(&self) -> &str {
        &self.hash[..12]
    }

    /// The file as text, which those of the page are; empty for anything else.
    pub(crate) fn text(&self) -> &'static str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
}

macro_rules! built {
    ($($name:literal),+) => {
        /// A test sees to it that this is all that the build makes.
        static ASSETS: LazyLock<Vec<Asset>> =
            LazyLock::new(|| vec![$(Asset::new($name, include_bytes!(concat!("../built/", $name)))),+]);
    };
}

built!("index.html", "app.js", "app.css", "favicon.svg");

/// All files of the page.
pub fn assets() -> &'static [Asset] {
    &ASSETS
}

/// The file of this name; the document is none that is asked for by its name.
pub fn asset(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name && name != INDEX)
}

/// The document, the same at every address of the page.
pub fn index() -> &'static Asset {
    // It is the first of the list.
    &ASSETS[0]
}

/// Compresses as well as can be: it is done once, or for a file that is kept.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    compress(bytes, Compression::best())
}

/// Compresses what is made for one answer, quickly.
pub fn gzip_fast(bytes: &[u8]) -> Vec<u8> {
    compress(bytes, Compression::fast())
}

fn compress(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

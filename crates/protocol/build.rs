//! Compiles the contract to Rust, without protoc, and keeps its descriptor for reflection.

use std::path::{Path, PathBuf};

use prost::Message;

const FILES: [&str; 6] = ["agent", "event", "game", "match", "scene", "tournament"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    println!("cargo:rerun-if-changed={}", root.join("chickenfoot/v1").display());
    let files = FILES.map(|name| format!("chickenfoot/v1/{name}.proto"));
    let descriptors = protox::compile(files, [root])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptor.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        .build_transport(false)
        .extern_path(".chickenfoot.v1.View", "crate::view::EncodedView")
        .extern_path(".chickenfoot.v1.Play", "crate::play::Play")
        .boxed("chickenfoot.v1.SeatOffer.match")
        .boxed("chickenfoot.v1.GameStarted.match")
        .boxed("chickenfoot.v1.GameEnded.match")
        .compile_fds(descriptors)?;
    Ok(())
}

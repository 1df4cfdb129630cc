//! Pictures of many tables, to be judged by eye: `cargo run --release -p chickenfoot-picture --example gallery -- FOLDER`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod common;

use std::error::Error;
use std::fs;
use std::path::Path;

use chickenfoot_picture::{Layout, Svg, Theme};
use chickenfoot_rules::{Preset, RuleOptions};
use common::{Play, layout_of, stress};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    for (max_pip, players) in [(9, 2), (9, 4), (9, 8), (12, 6), (18, 2), (18, 8)] {
        let options = RuleOptions { max_pip: Some(max_pip), ..RuleOptions::new(Preset::Trains, players) };
        let rules = options.resolve()?;
        let mut rounds: Vec<Layout> = (0..200)
            .map(|seed| {
                let mut play = Play::deal(&rules, seed);
                play.finish();
                layout_of(&play)
            })
            .collect();
        rounds.sort_by_key(|layout| layout.tiles().len());
        for (name, at) in [("median", 100), ("large", 199)] {
            write(folder, &format!("double-{max_pip}-players-{players}-{name}"), &rounds[at])?;
        }
    }
    for (max_pip, arms) in [(9, 4), (9, 6), (9, 8), (12, 4), (18, 4), (18, 8)] {
        write(folder, &format!("all-of-double-{max_pip}-arms-{arms}"), &stress(max_pip, arms, 1))?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, layout: &Layout) -> Result<(), Box<dyn Error>> {
    for (suffix, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
        let svg = Svg { theme, title: name, ..Svg::default() }.render(layout);
        fs::write(folder.join(format!("{name}-{suffix}.svg")), &svg)?;
        println!("{name}-{suffix}.svg: {} tiles, {} bytes", layout.tiles().len(), svg.len());
    }
    Ok(())
}

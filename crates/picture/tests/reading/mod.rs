//! Reads an outline back.
use chickenfoot_rules::{MAX_PIP, Tile};

/// What an outline says, without where it says it.
#[derive(Default)]
pub struct Reading {
    /// In canonical order.
    pub tiles: Vec<Tile>,
    /// How many open ends show each number.
    pub ends: [u8; MAX_PIP as usize + 1],
    pub arms_open: Vec<u8>,
    pub toes_open: Vec<u8>,
    pub newest: Option<Tile>,
}

impl Reading {
    pub fn of(outline: &str) -> Reading {
        let mut read = Reading::default();
        for line in outline.lines() {
            read.line(text(line));
        }
        read.tiles.sort();
        read
    }

    fn line(&mut self, text: &str) {
        if let Some(arm) = text.strip_prefix("(arm open: ") {
            self.arms_open.push(place(arm));
        } else if let Some(toe) = text.strip_prefix("(toe open: ") {
            self.toes_open.push(place(toe));
        } else {
            text.split(' ').for_each(|word| self.word(word));
        }
    }

    fn word(&mut self, word: &str) {
        if let Some(end) = word.strip_prefix('>') {
            self.ends[end.parse::<usize>().unwrap()] += 1;
            return;
        }
        let tile = tile(word.trim_end_matches('*'));
        self.tiles.push(tile);
        if word.ends_with('*') {
            assert_eq!(self.newest, None, "two newest tiles");
            self.newest = Some(tile);
        }
    }
}

/// The line without its branches.
pub fn text(line: &str) -> &str {
    line.trim_start_matches([' ', '|', '-', '`'])
}

/// How many parts a line has that could stand in lines of their own.
pub fn parts(line: &str) -> usize {
    text(line).split(' ').filter(|word| !word.starts_with('>')).count()
}

fn place(text: &str) -> u8 {
    text.trim_end_matches(')').parse().unwrap()
}

fn tile(word: &str) -> Tile {
    match word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) {
        Some(double) => double.replace('|', "-").parse().unwrap(),
        None => word.parse().unwrap(),
    }
}

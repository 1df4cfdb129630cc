//! The formats of the reference cases.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::HashMap;

use chickenfoot_rules::{DrawnTile, Move, Round, Seat, Terms, Tile, TileSet};
use serde::Deserialize;

use crate::oracle::naive;

#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    #[serde(flatten)]
    pub setup: Setup,
    pub steps: Vec<Step>,
    pub end: String,
    pub scores: Vec<u32>,
}

#[derive(Deserialize)]
pub struct Tree {
    pub name: String,
    #[serde(flatten)]
    pub setup: Setup,
    pub leaves: u64,
    pub actions: u64,
    pub out: u64,
    pub scores: u64,
}

#[derive(Deserialize)]
pub struct Setup {
    pub rules: RoundRules,
    pub hub: u8,
    pub first: u8,
    pub hands: Vec<Vec<(u8, u8)>>,
    pub boneyard: Vec<(u8, u8)>,
}

#[derive(Deserialize)]
pub struct RoundRules {
    pub max_pip: u8,
    pub players: u8,
    pub opening_arms: u8,
    pub reserve: u8,
    pub drawn_tile: String,
    pub double_blank: u8,
    #[serde(default = "three")]
    pub toes: u8,
}

fn three() -> u8 {
    3
}

#[derive(Deserialize)]
pub struct Step {
    pub seat: u8,
    pub options: Vec<Did>,
    pub did: Did,
    pub foot: Option<(u8, u8)>,
    pub arms_left: u8,
    pub open: HashMap<String, u8>,
    pub yard: u8,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Debug)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Did {
    Play { tile: (u8, u8), end: u8 },
    Draw,
    Pass,
    Keep,
}

#[derive(Deserialize)]
pub struct DealCase {
    pub deal_id: String,
    pub rules_text: String,
    pub seed: String,
    pub contributors: Vec<(String, String)>,
    pub commitment: String,
    pub transcript: String,
    pub rounds: Vec<DealtRound>,
}

#[derive(Deserialize)]
pub struct DealtRound {
    pub round: u8,
    pub starting_double: u8,
    pub starter: Option<u8>,
    pub hands: Vec<Vec<(u8, u8)>>,
    pub boneyard: Vec<(u8, u8)>,
    pub key: String,
}

impl Setup {
    pub fn terms(&self) -> Terms {
        Terms {
            max_pip: self.rules.max_pip,
            players: self.rules.players,
            opening_arms: self.rules.opening_arms,
            toes: self.rules.toes,
            reserve: self.rules.reserve,
            drawn_tile: match self.rules.drawn_tile.as_str() {
                "must_play" => DrawnTile::MustPlay,
                "may_play" => DrawnTile::MayPlay,
                other => panic!("drawn_tile {other:?}"),
            },
            double_blank: self.rules.double_blank,
        }
    }

    pub fn round<const W: usize>(&self) -> Round<W> {
        let hands: Vec<TileSet<W>> =
            self.hands.iter().map(|hand| tiles(hand).into_iter().collect()).collect();
        let first = Seat::new(self.first).unwrap();
        Round::new(self.terms(), self.hub, first, &hands, &tiles(&self.boneyard)).unwrap()
    }

    pub fn naive(&self) -> naive::Table {
        let rules = naive::Rules {
            max_pip: self.rules.max_pip,
            players: self.rules.players.into(),
            opening_arms: self.rules.opening_arms.into(),
            reserve: self.rules.reserve.into(),
            may_play: self.rules.drawn_tile == "may_play",
            double_blank: self.rules.double_blank.into(),
            toes: self.rules.toes,
        };
        naive::Table::new(rules, self.hub, self.first.into(), self.hands.clone(), self.boneyard.clone())
    }
}

pub fn tiles(pairs: &[(u8, u8)]) -> Vec<Tile> {
    pairs.iter().map(|(a, b)| Tile::new(*a, *b).unwrap()).collect()
}

impl From<Move> for Did {
    fn from(action: Move) -> Did {
        match action {
            Move::Play { tile, end } => Did::Play { tile: (tile.low(), tile.high()), end },
            Move::Draw => Did::Draw,
            Move::Pass => Did::Pass,
            Move::Keep => Did::Keep,
        }
    }
}

impl From<Did> for Move {
    fn from(did: Did) -> Move {
        match did {
            Did::Play { tile: (a, b), end } => Move::Play { tile: Tile::new(a, b).unwrap(), end },
            Did::Draw => Move::Draw,
            Did::Pass => Move::Pass,
            Did::Keep => Move::Keep,
        }
    }
}

//! Rounds with the places of their tiles, as lines of JSON.
use chickenfoot_picture::Layout;
use chickenfoot_rules::{DrawnTile, LineId, Terms};
use serde::{Deserialize, Serialize};

/// A round and where its tiles lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vector {
    pub max_pip: u8,
    pub opening_arms: u8,
    pub starting_double: u8,
    /// Tile, the number that it is laid on, arm or toe: `4-9 9 1`.
    pub plays: Vec<String>,
    /// The middle and the heading of each tile, the starting double first: x, y, steps of 15 degrees.
    pub tiles: Vec<[i32; 3]>,
    /// Position of a tile that stands on a stem, and both ends of it: x, y, x, y.
    pub stems: Vec<(usize, [i32; 4])>,
    /// The middle and the heading of each slot that is open at the end.
    pub slots: Vec<[i32; 3]>,
}

impl Vector {
    /// The vector of a round, laid out now.
    pub fn of(max_pip: u8, opening_arms: u8, starting_double: u8, plays: &[String]) -> Vector {
        let terms = Terms {
            max_pip,
            players: 2,
            opening_arms,
            toes: 3,
            reserve: 0,
            drawn_tile: DrawnTile::MustPlay,
            double_blank: 0,
        };
        let mut layout = Layout::new(&terms, starting_double);
        for play in plays {
            let mut words = play.split(' ');
            let tile = words.next().unwrap().parse().unwrap();
            let end = words.next().unwrap().parse().unwrap();
            let line = words.next().unwrap().parse().unwrap();
            layout.place(tile, end, LineId::new(line)).unwrap();
        }
        let place = |area: &chickenfoot_picture::Area| {
            [area.centre.x, area.centre.y, i32::from(area.heading.steps())]
        };
        let count = layout.tiles().len();
        let stems = layout.tiles().iter().enumerate().filter_map(|(at, placed)| {
            let stem = placed.stem?;
            Some((at, [stem.from.x, stem.from.y, stem.to.x, stem.to.y]))
        });
        Vector {
            max_pip,
            opening_arms,
            starting_double,
            plays: plays.to_vec(),
            tiles: layout.tiles().iter().map(|placed| place(&placed.area)).collect(),
            stems: stems.collect(),
            slots: layout
                .slots()
                .iter()
                .filter(|slot| slot.is_open(count))
                .map(|slot| place(&slot.area))
                .collect(),
        }
    }
}

use chickenfoot_rules::{Act, Foot, Numbers, Rules, SeatState, Step, Tile, View};
use serde::{Serialize, Serializer};

/// A view. Its seat stands beside it.
#[derive(Serialize)]
pub(super) struct Seen<'a> {
    round: u8,
    starting_double: u8,
    hand: Vec<Tile>,
    drawn: Option<Tile>,
    ends: Vec<u8>,
    foot: Option<Unfinished>,
    arms_left: u8,
    boneyard: u8,
    seats: Vec<Public>,
    #[serde(serialize_with = "steps")]
    history: &'a [Step],
    rules: Rules,
}

#[derive(Serialize)]
struct Unfinished {
    number: u8,
    missing: u8,
}

#[derive(Serialize)]
struct Public {
    tiles: u8,
    total: u32,
    lacks: Vec<u8>,
}

impl<'a> Seen<'a> {
    pub(super) fn of(view: &'a View<'_>) -> Seen<'a> {
        Seen {
            round: view.round,
            starting_double: view.starting_double,
            hand: view.hand.iter().collect(),
            drawn: view.drawn,
            ends: view.lines().all().iter().filter_map(|line| line.tip).collect(),
            foot: view.foot.map(Unfinished::from),
            arms_left: view.arms_left,
            boneyard: view.boneyard,
            seats: view.seats().iter().map(Public::from).collect(),
            history: &view.history,
            rules: view.rules,
        }
    }
}

impl From<Foot> for Unfinished {
    fn from(foot: Foot) -> Unfinished {
        Unfinished { number: foot.number, missing: foot.missing }
    }
}

impl From<&SeatState> for Public {
    fn from(seat: &SeatState) -> Public {
        let numbers = |numbers: Numbers| numbers.iter().collect();
        Public { tiles: seat.tiles, total: seat.total, lacks: numbers(seat.lacks) }
    }
}

/// Steps as records tell them, but that nobody sees which tile was drawn.
fn steps<S: Serializer>(steps: &&[Step], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(steps.iter().map(step_text))
}

fn step_text(step: &Step) -> String {
    let seat = step.seat;
    match step.act {
        Act::Start => format!("{seat} start"),
        Act::Play { tile, end, line } => format!("{seat} play {tile} {end} {}", line.number()),
        Act::Draw => format!("{seat} draw"),
        Act::Pass => format!("{seat} pass"),
    }
}

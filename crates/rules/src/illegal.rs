use std::fmt;

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Illegal {
    /// The round is over.
    RoundOver,
    /// The tile is not in the seat's hand.
    NotInHand,
    /// The tile does not bear the number of the end it was to be laid on.
    DoesNotFit,
    /// No end that may be used now shows this number: in the opening only the starting double may be used, beside an
    /// unfinished foot only its toes.
    NoSuchEnd,
    /// A tile other than the one just drawn.
    NotTheDrawnTile,
    /// The seat has a legal play, so it can neither draw nor pass; and a drawn tile that must be played cannot be kept.
    MustPlay,
    /// The seat has no legal play and there is a tile to draw.
    MustDraw,
    /// The boneyard is down to the reserve, or the seat has drawn already.
    NothingToDraw,
    /// No tile was drawn that could be kept.
    NothingToKeep,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::RoundOver => "the round is over",
            Illegal::NotInHand => "the tile is not in the hand",
            Illegal::DoesNotFit => "the tile does not bear the number of that end",
            Illegal::NoSuchEnd => "no end that may be used now shows that number",
            Illegal::NotTheDrawnTile => "only the tile just drawn may be played",
            Illegal::MustPlay => "there is a legal play, so the seat must play",
            Illegal::MustDraw => "there is no legal play, so the seat must draw",
            Illegal::NothingToDraw => "there is nothing to draw now",
            Illegal::NothingToKeep => "there is no drawn tile to keep",
        })
    }
}

impl std::error::Error for Illegal {}

/// A round that cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetupError {
    /// A number of [`crate::Terms`], the starting double or the first seat is out of range.
    OutOfRange(&'static str),
    /// The set does not fit the width of the round's tile sets.
    SetTooWide,
    /// Hands, boneyard and table are not the whole set with each tile once.
    NotTheSet,
    /// More than one hand is empty.
    EmptyHands,
    /// A hand or the boneyard is not as large as it was seen to be.
    NotTheCounts,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::OutOfRange(what) => write!(f, "{what} is out of range"),
            SetupError::SetTooWide => f.write_str("the set has more tiles than this round can hold"),
            SetupError::NotTheSet => {
                f.write_str("hands, boneyard and table must be the whole set, each tile once")
            }
            SetupError::EmptyHands => f.write_str("more than one hand is empty"),
            SetupError::NotTheCounts => {
                f.write_str("a hand or the boneyard is not as large as it was seen to be")
            }
        }
    }
}

impl std::error::Error for SetupError {}

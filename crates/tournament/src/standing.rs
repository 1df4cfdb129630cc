use crate::EntrantId;

/// What beating everybody in every match of a block is worth. Exact for all tables: a multiple of 2 n (n - 1) for n from
/// 2 to 8.
pub const FULL_SCORE: u64 = 1680;

/// An entrant's place by a format's own rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Who.
    pub entrant: EntrantId,
    /// From 1, no two alike.
    pub place: u32,
    /// Swiss: the sum of the block scores, each from 0 to [`FULL_SCORE`]. Elimination: the score of its last heat.
    pub score: u64,
    /// Whether nothing but the lot parts it from a neighbour.
    pub by_lot: bool,
}

impl Place {
    /// Places from a ranking and each one's score. `tied` says of two neighbours whether nothing but the lot parts them.
    pub(crate) fn all<T>(
        ranking: &[T],
        of: impl Fn(&T) -> (EntrantId, u64),
        tied: impl Fn(&T, &T) -> bool,
    ) -> Vec<Place> {
        let mut places: Vec<Place> = (1..)
            .zip(ranking)
            .map(|(place, it)| {
                let (entrant, score) = of(it);
                Place { entrant, place, score, by_lot: false }
            })
            .collect();
        for (at, pair) in ranking.windows(2).enumerate() {
            if tied(&pair[0], &pair[1]) {
                places[at].by_lot = true;
                places[at + 1].by_lot = true;
            }
        }
        places
    }
}

/// The stages of an elimination, as far as they are decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bracket {
    /// From the first stage on; the last one of a finished elimination has a single heat.
    pub stages: Vec<BracketStage>,
}

/// A stage of an elimination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BracketStage {
    /// The heats, by table.
    pub heats: Vec<Heat>,
    /// Who went on by being among the best of those that their heats left behind, best first. Empty before the stage is
    /// finished.
    pub best_losers: Vec<EntrantId>,
}

/// A table of an elimination, over all its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heat {
    /// Who sits there. One alone has no blocks and goes on.
    pub entrants: Vec<EntrantId>,
    /// The numbers of its blocks.
    pub blocks: Vec<u32>,
    /// The entrants from the best to the last; empty until all blocks are finished.
    pub order: Vec<EntrantId>,
    /// Who went on from its place in the heat. Empty before the stage is finished, and for the last stage.
    pub advanced: Vec<EntrantId>,
}

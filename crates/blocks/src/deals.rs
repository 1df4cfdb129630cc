use chickenfoot_rules::{Commitment, Contributor, Entropy, MatchStart, Rules, Seed};
use chickenfoot_tournament::{Block, EntrantId};

/// What the deals of a tournament with a given seed are bound to.
pub const FIXED: &str = "fixed";

/// Where the deals of a tournament come from.
#[derive(Clone, Debug)]
pub struct BlockDeals {
    seed: Seed,
    label: String,
    fixed: bool,
}

impl BlockDeals {
    /// Deals whose secret seed is bound to `label`, such as the tournament's id; its entrants may add entropy.
    pub fn sealed(seed: Seed, label: String) -> BlockDeals {
        BlockDeals { seed, label, fixed: false }
    }

    /// Deals of a given seed, to which no entrant adds entropy: the same seed, rules and names give the same deals.
    pub fn fixed(seed: Seed) -> BlockDeals {
        BlockDeals { seed, label: FIXED.to_owned(), fixed: true }
    }

    /// What fixes the seed, and may be told before anyone enters; also the public seed of the schedule.
    pub fn commitment(&self) -> Commitment {
        self.seed.commitment(&self.label)
    }

    /// What the deals of a block are bound to. `attempt` counts how often it was begun again.
    pub fn id(&self, number: u32, attempt: u32) -> String {
        format!("{}.{number}.{attempt}", self.label)
    }

    /// The seed of a block, with what it is bound to.
    pub fn of(&self, number: u32, attempt: u32) -> (Seed, String) {
        (self.seed.of_block(number, attempt), self.id(number, attempt))
    }

    /// The id of a match of the tournament with this id, `game` being its position in the block. It follows from the
    /// seed, so that a restarted service finds what it had made, and nobody can tell from ids which matches share a
    /// deal.
    pub fn match_id(&self, tournament: u128, number: u32, attempt: u32, game: usize) -> u128 {
        let bytes = self.seed.derive(&[
            b"chickenfoot/v1/match",
            &tournament.to_be_bytes(),
            &number.to_be_bytes(),
            &attempt.to_be_bytes(),
            &(game as u32).to_be_bytes(),
        ]);
        let (head, _) = bytes.split_at(16);
        head.iter().fold(0, |id, byte| id << 8 | u128::from(*byte))
    }

    /// Who contributes to the deals of a block: its entrants, sorted by name, each once. `entrant` gives the name of each
    /// and what it adds, which counts for nothing beside a given seed.
    pub fn contributors(
        &self,
        block: &Block,
        entrant: impl Fn(EntrantId) -> Option<Contributor>,
    ) -> Vec<Contributor> {
        let entrants = block.seatings.iter().flatten().filter_map(|id| entrant(*id));
        let mut contributors: Vec<Contributor> = entrants
            .map(|it| Contributor { entropy: if self.fixed { Entropy::default() } else { it.entropy }, ..it })
            .collect();
        contributors.sort_by(|one, other| one.name.cmp(&other.name));
        contributors.dedup_by(|one, other| one.name == other.name);
        contributors
    }

    /// How a match of a block begins, with the seed of its deals. `seats` are the names of those who sit down, from seat
    /// 0; their entropy counts for nothing.
    pub fn start(
        &self,
        (number, attempt): (u32, u32),
        rules: Rules,
        seats: Vec<Contributor>,
        contributors: Vec<Contributor>,
    ) -> (Seed, MatchStart) {
        let (seed, deal_id) = self.of(number, attempt);
        let silent = |it| Contributor { entropy: Entropy::default(), ..it };
        let seats = seats.into_iter().map(silent).collect();
        let start = MatchStart::of_block(rules, &deal_id, &seed, seats, contributors);
        (seed, start)
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_rules::Hex32;

    use super::*;

    fn block() -> Block {
        let seating = |ids: [u32; 3]| ids.map(EntrantId).to_vec();
        Block { number: 4, stage: 1, table: 0, seatings: vec![seating([2, 0, 1]), seating([0, 1, 2])] }
    }

    fn entrant(id: EntrantId) -> Option<Contributor> {
        let name = ["zoe", "ann", "bob"][id.index()].to_owned();
        Some(Contributor { name, entropy: Hex32([7; 32]) })
    }

    #[test]
    fn each_entrant_of_a_block_contributes_once_and_a_given_seed_silences_all() {
        let seed = Seed::new([3; 32]);
        for (deals, added) in
            [(BlockDeals::sealed(seed, "id".to_owned()), [7; 32]), (BlockDeals::fixed(seed), [0; 32])]
        {
            let found = deals.contributors(&block(), entrant);
            let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names, ["ann", "bob", "zoe"]);
            assert!(found.iter().all(|it| it.entropy == Hex32(added)));
        }
    }

    #[test]
    fn the_matches_of_a_block_share_their_deal_and_no_id() {
        let deals = BlockDeals::fixed(Seed::new([3; 32]));
        assert_eq!(deals.id(4, 1), "fixed.4.1");
        let ids: Vec<u128> = (0..3).map(|game| deals.match_id(9, 4, 0, game)).collect();
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
        assert_ne!(deals.match_id(9, 4, 0, 0), deals.match_id(8, 4, 0, 0));
        assert_ne!(deals.of(4, 0).0, deals.of(4, 1).0);
    }
}

use crate::EntrantId;
use crate::formats::estimate::Estimate;
use crate::formats::{Draft, Next, Plan};
use crate::meetings::Meetings;
use crate::schedule::Past;
use crate::score::HALF_SCORE;
use crate::seating::Seats;
use crate::setup::SameOwner;

/// Goes on as long as it is told. Every block is a stage of its own.
///
/// A block begins with the entrant of which least is known, which is the one that sat at fewest tables so far. Its
/// opponents are those who are nearest in strength, where having met often and having sat at many tables count as
/// distance. Nobody is at two of the tables that can be under way at once, unless too few are left.
///
/// Block k knows who sat at all tables below it, but only the results of blocks below k - `lookahead`.
#[derive(Debug)]
pub(crate) struct Ladder {
    blocks: u32,
    same_owner: SameOwner,
    sat: Vec<u32>,
    meetings: Meetings,
    estimate: Estimate,
    /// The results of blocks below it are in the estimate.
    learnt: usize,
}

/// How many of the nearest are looked at closely.
const NEAR: usize = 64;
/// What it counts as, in strength, to have been at all of each other's tables; a share of them counts in proportion.
const ALWAYS_MET: i64 = HALF_SCORE as i64 / 4;
/// What a table more than the least known entrant sat at counts as, in strength.
const KNOWN: i64 = HALF_SCORE as i64 / 64;

impl Ladder {
    pub(crate) fn new(blocks: u32, same_owner: SameOwner) -> Self {
        Self {
            blocks,
            same_owner,
            sat: Vec::new(),
            meetings: Meetings::default(),
            estimate: Estimate::default(),
            learnt: 0,
        }
    }

    fn may_meet(&self, past: &Past, a: EntrantId, b: EntrantId) -> bool {
        let owner = |it: EntrantId| past.entrants[it.index()].owner.as_str();
        self.same_owner == SameOwner::Together || owner(a).is_empty() || owner(a) != owner(b)
    }

    fn learn(&mut self, past: &Past) {
        let until = past.blocks.len().saturating_sub(past.setup.lookahead as usize);
        for result in past.results.iter().take(until).skip(self.learnt).flatten() {
            self.estimate.learn(result);
        }
        self.learnt = self.learnt.max(until);
        self.sat.resize(past.entrants.len(), 0);
    }

    fn table(&self, past: &Past, stage: u32) -> Option<Vec<EntrantId>> {
        let under_way = past.blocks.len().saturating_sub(past.setup.lookahead as usize);
        let mut busy = vec![false; past.entrants.len()];
        for entrant in past.blocks[under_way..].iter().flat_map(|block| &block.seatings[0]) {
            busy[entrant.index()] = true;
        }
        let ties = past.lots.ties(u64::from(stage), past.entrants.len());
        let players = past.players(stage);
        let chooser = Chooser { ladder: self, past, busy, ties };
        let first = chooser.least_known(&players)?;
        chooser.table_of(first, &players).or_else(|| {
            // Nobody may meet the first, so it waits, and whoever is least known of the others begins.
            let mut others = players.clone();
            others.sort_by_key(|&it| chooser.known(it));
            others.into_iter().find_map(|first| chooser.table_of(first, &players))
        })
    }
}

/// What the choice of a table goes by.
struct Chooser<'a> {
    ladder: &'a Ladder,
    past: &'a Past,
    /// Who sits at a table that can be under way, by entrant.
    busy: Vec<bool>,
    ties: Vec<u64>,
}

impl Chooser<'_> {
    fn least_known(&self, players: &[EntrantId]) -> Option<EntrantId> {
        players.iter().copied().min_by_key(|&it| self.known(it))
    }

    fn known(&self, it: EntrantId) -> (bool, u32, u64) {
        (self.busy[it.index()], self.ladder.sat[it.index()], self.ties[it.index()])
    }

    /// The table that an entrant begins, if anybody may meet it.
    fn table_of(&self, first: EntrantId, players: &[EntrantId]) -> Option<Vec<EntrantId>> {
        let mut near: Vec<EntrantId> =
            players.iter().copied().filter(|&it| self.may_meet(first, it)).collect();
        if near.len() > NEAR {
            near.select_nth_unstable_by_key(NEAR, |&it| self.distance(&[first], it, 0));
        }
        let (near, far) = near.split_at(near.len().min(NEAR));
        let mut table = vec![first];
        while table.len() < usize::from(self.past.setup.table) {
            let Some(next) = self.nearest(&table, near).or_else(|| self.nearest(&table, far)) else { break };
            table.push(next);
        }
        (table.len() >= 2).then_some(table)
    }

    fn nearest(&self, table: &[EntrantId], among: &[EntrantId]) -> Option<EntrantId> {
        let fits = |it: &EntrantId| table.iter().all(|&other| self.may_meet(other, *it));
        let met = |it: EntrantId| self.ladder.meetings.with(it, table);
        among.iter().copied().filter(fits).min_by_key(|&it| self.distance(table, it, met(it)))
    }

    fn may_meet(&self, a: EntrantId, b: EntrantId) -> bool {
        a != b && self.ladder.may_meet(self.past, a, b)
    }

    /// How far an entrant is from being the right one to add to a table.
    fn distance(&self, table: &[EntrantId], it: EntrantId, met: u32) -> (bool, i64, u64) {
        let (estimate, sat) = (&self.ladder.estimate, &self.ladder.sat);
        let strength = (estimate.of(table[0].index()) - estimate.of(it.index())).abs();
        let known = sat[it.index()].saturating_sub(sat[table[0].index()]);
        let together = ALWAYS_MET * i64::from(met) / i64::from(sat[table[0].index()].max(1));
        let distance = strength + together + KNOWN * i64::from(known);
        (self.busy[it.index()], distance, self.ties[it.index()])
    }
}

impl Plan for Ladder {
    fn next(&mut self, past: &Past) -> Next {
        if self.exhausted(past) {
            return Next::Never;
        }
        if !past.within_lookahead() {
            return Next::Later;
        }
        self.learn(past);
        let stage = past.next_number() + 1;
        let Some(group) = self.table(past, stage) else { return Next::Never };
        for entrant in &group {
            self.sat[entrant.index()] += 1;
        }
        self.meetings.add(&group);
        Next::Blocks(vec![Draft { stage, table: 0, seats: Seats::Rotations(group) }])
    }

    fn exhausted(&self, past: &Past) -> bool {
        if past.next_number() >= self.blocks {
            return true;
        }
        let mut players = past.ids().filter(|&it| past.plays(it, past.next_number() + 1));
        let Some(first) = players.next() else { return true };
        // If all others have its owner, no two of them may meet either.
        !players.any(|other| self.may_meet(past, first, other))
    }

    fn remaining(&self, past: &Past) -> u32 {
        if self.exhausted(past) { 0 } else { self.blocks - past.next_number() }
    }

    fn entry(&self, past: &Past) -> Option<u32> {
        (past.next_number() < self.blocks).then(|| past.next_number() + 1)
    }

    fn end(&self, _past: &Past) -> u32 {
        self.blocks
    }

    fn exit(&self, _entrant: EntrantId, past: &Past) -> u32 {
        past.next_number() + 1
    }
}

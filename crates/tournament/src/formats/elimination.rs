use std::collections::{BTreeMap, BTreeSet};

use crate::formats::{Draft, Next, Plan};
use crate::schedule::Past;
use crate::score::Merit;
use crate::seating::Seats;
use crate::setup::Seeding;
use crate::{BlockResult, Bracket, BracketStage, EntrantId, Error, Heat, Place, Setup};

/// Heats, until one table is left. A stage's heats are set up when the stage before is finished.
///
/// A heat is ranked by score over all its blocks, then by points, then by the game's own tie-breaks, then by lot; who was
/// absent from a block comes after all who were not. The first `advance` go on. Then the best of those left behind fill
/// up the tables of the next stage, if these are fewer than before, and never so that nobody leaves.
#[derive(Debug)]
pub(crate) struct Elimination {
    advance: u32,
    blocks: u32,
    seeding: Seeding,
    stages: Vec<Stage>,
}

/// A stage as it was set up.
#[derive(Debug)]
struct Stage {
    heats: Vec<Vec<EntrantId>>,
    /// For each heat the number of its first block. A heat of one has none.
    first_blocks: Vec<u32>,
    /// Heats that have blocks: how far apart the numbers of a heat's blocks are.
    played: u32,
}

impl Stage {
    fn new(heats: Vec<Vec<EntrantId>>, mut next: u32) -> Self {
        let mut played = 0;
        let mut first_blocks = Vec::with_capacity(heats.len());
        for heat in &heats {
            first_blocks.push(next);
            next += u32::from(heat.len() >= 2);
            played += u32::from(heat.len() >= 2);
        }
        Self { heats, first_blocks, played }
    }

    /// The numbers of a heat's blocks: first all heats' first blocks, then their second ones.
    fn numbers(&self, heat: usize, blocks: u32) -> impl Iterator<Item = u32> + use<> {
        let blocks = if self.heats[heat].len() >= 2 { blocks } else { 0 };
        let (first, played) = (self.first_blocks[heat], self.played);
        (0..blocks).map(move |block| first + block * played)
    }
}

/// A stage's outcome, as far as it goes.
struct Outcome {
    /// Each heat's entrants from the best to the last.
    orders: Vec<Vec<EntrantId>>,
    advanced: Vec<Vec<EntrantId>>,
    best_losers: Vec<EntrantId>,
    /// All who go on, the best seeded first.
    next: Vec<EntrantId>,
}

/// How one did in its heat, the best first: blocks that it was absent from, then merit.
type Form = (usize, Merit);

/// Most blocks of all heats together: the blocks of a stage are all decided at once, so they have to fit into memory.
const MAX_BLOCKS: u32 = 200_000;

/// Refuses too many blocks.
pub(crate) fn check(setup: &Setup, entrants: u32, advance: u8, blocks: u32) -> Result<(), Error> {
    let heats = heats_to_come(entrants, setup.table.into(), advance.into());
    match heats * u64::from(blocks) {
        all if all <= u64::from(MAX_BLOCKS) => Ok(()),
        _ => Err(Error::TooManyBlocks { at_most: MAX_BLOCKS }),
    }
}

/// Heats with two and more of all stages from one of `players` on.
fn heats_to_come(mut players: u32, seats: u32, advance: u32) -> u64 {
    let mut heats = 0;
    while players >= 2 {
        let tables = players.div_ceil(seats);
        let smaller = players / tables;
        let larger = players % tables;
        let alone = if smaller == 1 { tables - larger } else { 0 };
        heats += u64::from(tables - alone);
        if tables == 1 {
            break;
        }
        let by_place =
            larger * promoted(smaller + 1, advance) + (tables - larger) * promoted(smaller, advance);
        players = filled(by_place, players, seats);
    }
    heats
}

/// How many of a heat of this size go on by their place.
fn promoted(size: u32, advance: u32) -> u32 {
    if size == 1 { 1 } else { advance.min(size - 1) }
}

/// How many play the next stage: full tables if there are fewer of them than before, and if that leaves somebody behind.
fn filled(by_place: u32, players: u32, seats: u32) -> u32 {
    let tables = by_place.div_ceil(seats);
    if tables < players.div_ceil(seats) { (tables * seats).min(players - 1).max(by_place) } else { by_place }
}

impl Elimination {
    pub(crate) fn new(advance: u8, blocks: u32, seeding: Seeding) -> Self {
        Self { advance: advance.into(), blocks, seeding, stages: Vec::new() }
    }

    /// Who plays the next stage, the best seeded first. `None` after the last stage, or before this one is finished.
    fn seeds(&self, past: &Past) -> Option<Vec<EntrantId>> {
        let Some(last) = self.stages.last() else {
            let mut seeds = past.players(1);
            if self.seeding == Seeding::Lot {
                let lots = past.lots.ties(1, past.entrants.len());
                seeds.sort_by_key(|it| lots[it.index()]);
            }
            return Some(seeds);
        };
        let over = last.heats.len() == 1 || !past.all_finished();
        if over { None } else { Some(self.outcome(past, self.stages.len() - 1).next) }
    }

    /// The outcome of a finished stage.
    fn outcome(&self, past: &Past, at: usize) -> Outcome {
        let stage = &self.stages[at];
        let number = at as u32 + 1;
        let lots = past.lots.ties(0, past.entrants.len());
        let mut forms: BTreeMap<EntrantId, Form> = BTreeMap::new();
        let mut orders = Vec::new();
        for (heat, entrants) in stage.heats.iter().enumerate() {
            let results = self.results(past, stage, heat);
            for &entrant in entrants {
                forms.insert(entrant, form(entrant, &results, lots[entrant.index()]));
            }
            let mut order = entrants.clone();
            order.sort_by_key(|entrant| forms[entrant]);
            orders.push(order);
        }
        let goes_on = |entrant: &&EntrantId| past.plays(**entrant, number + 1);
        let quota = |order: &Vec<EntrantId>| promoted(order.len() as u32, self.advance) as usize;
        let advanced: Vec<Vec<EntrantId>> = orders
            .iter()
            .map(|order| order.iter().take(quota(order)).filter(goes_on).copied().collect())
            .collect();
        let by_place = orders.iter().map(|order| quota(order) as u32).sum();
        let players = orders.iter().map(|order| order.len() as u32).sum();
        let places = filled(by_place, players, past.setup.table.into()) as usize;
        let mut losers: Vec<EntrantId> = orders
            .iter()
            .flat_map(|order| order.iter().skip(quota(order)))
            .filter(goes_on)
            .copied()
            .collect();
        losers.sort_by_key(|entrant| forms[entrant]);
        losers.truncate(places.saturating_sub(advanced.iter().flatten().count()));
        let mut next: Vec<(usize, Form, EntrantId)> = Vec::new();
        for order in &advanced {
            next.extend(order.iter().enumerate().map(|(place, &entrant)| (place, forms[&entrant], entrant)));
        }
        next.extend(losers.iter().map(|&entrant| (usize::MAX, forms[&entrant], entrant)));
        next.sort();
        let next = next.into_iter().map(|(_, _, entrant)| entrant).collect();
        Outcome { orders, advanced, best_losers: losers, next }
    }

    fn results<'a>(&self, past: &'a Past, stage: &Stage, heat: usize) -> Vec<&'a BlockResult> {
        let numbers = stage.numbers(heat, self.blocks);
        numbers.filter_map(|number| past.results.get(number as usize)?.as_ref()).collect()
    }

    fn is_finished(&self, past: &Past, at: usize) -> bool {
        at + 1 < self.stages.len() || past.all_finished()
    }
}

/// One that is placed, and how far it came.
struct Ranked {
    entrant: EntrantId,
    came: Option<Came>,
}

/// How far an entrant came.
struct Came {
    stage: usize,
    /// Whether the stage is finished: before, the seeds order it.
    is_finished: bool,
    heat: usize,
    /// Its place in the heat.
    place: usize,
    absent: usize,
    merit: Merit,
}

impl Ranked {
    fn score(&self) -> u64 {
        self.came.as_ref().map_or(0, |came| came.merit.score())
    }

    /// Whether nothing but the lot parts the two: in one heat it also gives them their places there.
    fn ties(&self, other: &Ranked) -> bool {
        let (Some(one), Some(other)) = (&self.came, &other.came) else { return false };
        one.is_finished
            && one.stage == other.stage
            && (one.place == other.place || one.heat == other.heat)
            && one.absent == other.absent
            && one.merit.ties(&other.merit)
    }
}

fn form(entrant: EntrantId, results: &[&BlockResult], lot: u64) -> Form {
    let absent = results.iter().filter(|result| result.absent.contains(&entrant)).count();
    (absent, Merit::of(entrant, results.iter().copied(), lot))
}

/// Deals seeds out to and fro, so that the best are at different tables, and those at the smaller ones.
fn spread(seeds: &[EntrantId], seats: u8) -> Vec<Vec<EntrantId>> {
    let tables = seeds.len().div_ceil(usize::from(seats)).max(1);
    let mut heats = vec![Vec::new(); tables];
    for (at, &seed) in seeds.iter().enumerate() {
        let (row, column) = (at / tables, at % tables);
        let last_row = (row + 1) * tables >= seeds.len();
        let back = row % 2 == 1 || (last_row && !seeds.len().is_multiple_of(tables));
        heats[if back { tables - 1 - column } else { column }].push(seed);
    }
    heats
}

impl Plan for Elimination {
    fn next(&mut self, past: &Past) -> Next {
        if self.exhausted(past) {
            return Next::Never;
        }
        let Some(seeds) = self.seeds(past) else { return Next::Later };
        let heats = spread(&seeds, past.setup.table);
        let stage = self.stages.len() as u32 + 1;
        let tables: Vec<(u32, Vec<EntrantId>)> =
            (0..).zip(heats.clone()).filter(|(_, heat)| heat.len() >= 2).collect();
        let drafts = (0..self.blocks).flat_map(|_| {
            tables.iter().map(|(table, heat)| Draft {
                stage,
                table: *table,
                seats: Seats::Rotations(heat.clone()),
            })
        });
        let drafts = drafts.collect();
        self.stages.push(Stage::new(heats, past.next_number()));
        Next::Blocks(drafts)
    }

    fn exhausted(&self, past: &Past) -> bool {
        match self.stages.last() {
            Some(last) if last.heats.len() == 1 => true,
            Some(_) if !past.all_finished() => false,
            _ => self.seeds(past).is_none_or(|seeds| seeds.len() < 2),
        }
    }

    fn remaining(&self, past: &Past) -> u32 {
        let next = match self.stages.last() {
            None => past.players(1).len() as u32,
            Some(last) if last.heats.len() == 1 => 0,
            Some(last) => {
                let by_place = last.heats.iter().map(|heat| promoted(heat.len() as u32, self.advance)).sum();
                let players = last.heats.iter().map(|heat| heat.len() as u32).sum();
                filled(by_place, players, past.setup.table.into())
            }
        };
        let heats = heats_to_come(next, past.setup.table.into(), self.advance);
        u32::try_from(heats * u64::from(self.blocks)).unwrap_or(u32::MAX)
    }

    fn exit(&self, _entrant: EntrantId, past: &Past) -> u32 {
        past.last_stage() + 1
    }

    /// By the stage that one came to, then by place in the heat there, then by form; before a stage is finished by seed.
    fn places(&self, past: &Past) -> Option<Vec<Place>> {
        let lots = past.lots.ties(0, past.entrants.len());
        let mut ranked: Vec<Ranked> = Vec::new();
        let mut known = BTreeSet::new();
        for at in (0..self.stages.len()).rev() {
            let orders = match self.is_finished(past, at) {
                true => self.outcome(past, at).orders,
                false => self.stages[at].heats.clone(),
            };
            let mut stage: Vec<(usize, Form, EntrantId, usize)> = Vec::new();
            for (heat, order) in orders.iter().enumerate() {
                let results = self.results(past, &self.stages[at], heat);
                stage.extend(order.iter().enumerate().map(|(place, &entrant)| {
                    (place, form(entrant, &results, lots[entrant.index()]), entrant, heat)
                }));
            }
            stage.sort();
            stage.retain(|&(_, _, entrant, _)| known.insert(entrant));
            let is_finished = self.is_finished(past, at);
            ranked.extend(stage.into_iter().map(|(place, (absent, merit), entrant, heat)| Ranked {
                entrant,
                came: Some(Came { stage: at, is_finished, heat, place, absent, merit }),
            }));
        }
        let others = past.ids().filter(|&entrant| known.insert(entrant));
        ranked.extend(others.map(|entrant| Ranked { entrant, came: None }));
        Some(Place::all(&ranked, |it| (it.entrant, it.score()), Ranked::ties))
    }

    fn bracket(&self, past: &Past) -> Option<Bracket> {
        let stages = (0..self.stages.len()).map(|at| {
            let stage = &self.stages[at];
            let outcome = self.is_finished(past, at).then(|| self.outcome(past, at));
            let last = stage.heats.len() == 1;
            let heats = stage.heats.iter().enumerate().map(|(heat, entrants)| {
                let order = outcome.as_ref().map(|outcome| outcome.orders[heat].clone());
                let advanced =
                    outcome.as_ref().filter(|_| !last).map(|outcome| outcome.advanced[heat].clone());
                Heat {
                    entrants: entrants.clone(),
                    blocks: stage.numbers(heat, self.blocks).collect(),
                    order: order.unwrap_or_default(),
                    advanced: advanced.unwrap_or_default(),
                }
            });
            let heats = heats.collect();
            let losers = outcome.filter(|_| !last).map(|outcome| outcome.best_losers);
            BracketStage { heats, best_losers: losers.unwrap_or_default() }
        });
        Some(Bracket { stages: stages.collect() })
    }
}

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use chickenfoot_store::{BlockRow, EntrantRow, TournamentId};
use chickenfoot_tournament::{Figures, Run};

use super::conduct::Conduct;
use super::view::View;
use crate::reason::Reason;
use crate::refusal::Refusal;

/// Tournaments whose figures are kept.
const KEPT: usize = 16;

/// What is computed from the blocks of a tournament.
#[derive(Debug)]
pub(crate) struct Computed {
    /// The blocks that are over, by number.
    pub(crate) blocks: Vec<Arc<BlockRow>>,
    /// `None` before the field is settled.
    pub(crate) figures: Option<Figures>,
    /// By number of the entrant.
    pub(crate) conduct: HashMap<u32, Conduct>,
}

/// The figures that were computed last: many ask for the same.
#[derive(Default)]
pub(crate) struct FigureCache {
    kept: Mutex<VecDeque<(Key, Arc<Computed>)>>,
    /// Held by whoever computes: each computation has a whole tournament in memory, and those who ask for the same
    /// meanwhile are to find it and not to make it again.
    computing: tokio::sync::Mutex<()>,
}

/// What figures follow from: blocks are only added, and the row's version counts every change of the entrants.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    id: TournamentId,
    blocks: usize,
    version: u32,
}

impl Key {
    /// Whether what was computed for this one is as new as what is asked for with another.
    fn serves(&self, asked: &Key) -> bool {
        self.id == asked.id && self.blocks >= asked.blocks && self.version >= asked.version
    }
}

impl FigureCache {
    /// The figures of a tournament as it stands, or as it came to stand meanwhile.
    ///
    /// # Errors
    /// What is stored does not fit together.
    pub(crate) async fn of(&self, view: &Arc<View>) -> Result<Arc<Computed>, Refusal> {
        // As of now: blocks that end while others compute may be of entrants that this view does not know.
        let blocks = view.log.all();
        let asked = Key { id: view.row.id, blocks: blocks.len(), version: view.row.version };
        if let Some(computed) = self.find(&asked) {
            return Ok(computed);
        }
        let _computing = self.computing.lock().await;
        if let Some(computed) = self.find(&asked) {
            return Ok(computed);
        }
        let view = Arc::clone(view);
        // Bootstraps over many blocks take a while, and other tasks have to go on.
        let computed = tokio::task::spawn_blocking(move || compute(&view, blocks))
            .await
            .map_err(|_| Refusal::new(Reason::Internal, "the figures cannot be computed"))??;
        let computed = Arc::new(computed);
        let mut kept = self.kept();
        kept.retain(|(other, _)| other.id != asked.id);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((asked, Arc::clone(&computed)));
        Ok(computed)
    }

    fn find(&self, asked: &Key) -> Option<Arc<Computed>> {
        self.kept().iter().find(|(key, _)| key.serves(asked)).map(|(_, computed)| Arc::clone(computed))
    }

    /// An entry is added as a whole.
    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<(Key, Arc<Computed>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn compute(view: &View, blocks: Vec<Arc<BlockRow>>) -> Result<Computed, Refusal> {
    let conduct = Conduct::of(blocks.iter().map(|block| &**block));
    let figures = if view.row.begun {
        let run = replay(view, &blocks).map_err(|why| Refusal::new(Reason::Internal, why))?;
        Some(Figures::of(&run).map_err(|why| Refusal::new(Reason::Internal, why.to_string()))?)
    } else {
        None
    };
    Ok(Computed { blocks, figures, conduct })
}

/// The run of a tournament whose field is settled, after its stored blocks.
///
/// # Errors
/// What is stored does not fit together: says why.
pub(crate) fn replay(view: &View, blocks: &[Arc<BlockRow>]) -> Result<Run, String> {
    let entrants: Vec<EntrantRow> = view.field.scheduled().cloned().collect();
    let (setup, test) = view
        .settings
        .setup(&entrants, view.row.commitment())
        .map_err(|why| format!("no entrant is named {}", why.name))?;
    let players = entrants.iter().map(|row| view.settings.for_schedule(row)).collect();
    let mut run = Run::new(setup, test, players).map_err(|why| why.to_string())?;
    let results = blocks.iter().map(|block| view.field.result(block));
    run.take_up(results).map_err(|why| format!("the stored blocks do not fit the schedule: {why}"))?;
    Ok(run)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chickenfoot_rules::{Preset, RuleOptions, Seed};
    use chickenfoot_store::{BlockOutcome, ClockRules, FaultRules, Tally, TournamentRow, TournamentState};

    use super::super::settings::{FormatSettings, Settings};
    use super::super::view::{BlockLog, Counts};
    use super::*;

    /// A tournament without blocks.
    fn view() -> View {
        let settings = Settings {
            format: FormatSettings::Swiss { rounds: 1 },
            rules: vec![RuleOptions::new(Preset::Trains, 2).resolve().unwrap()],
            invited_only: false,
            max_entrants: 2,
            clock: ClockRules {
                decision: Duration::from_secs(1),
                bank: Duration::ZERO,
                grace: Duration::ZERO,
            },
            faults: FaultRules { strikes: 3, illegal: 3, strict: false },
            asks_forced: false,
            spectator_delay: 0,
            concurrency: 1,
            entrant_concurrency: 1,
            no_show: Duration::from_secs(1),
            entry_check: false,
            owners: Default::default(),
        };
        let row = TournamentRow {
            id: TournamentId(1),
            creator: "host".parse().unwrap(),
            created_ms: 0,
            started_ms: None,
            ended_ms: None,
            name: String::new(),
            settings: String::new(),
            seed: Seed::new([1; 32]),
            fixed_seed: true,
            state: TournamentState::Running,
            begun: false,
            message: String::new(),
            tally: Tally::default(),
            version: 0,
        };
        View {
            row,
            settings: Arc::new(settings),
            field: Arc::default(),
            log: Arc::new(BlockLog::new([])),
            counts: Counts::default(),
        }
    }

    fn block(number: u32) -> BlockRow {
        let outcome = BlockOutcome {
            stage: 1,
            table: number,
            attempt: 0,
            deal_id: String::new(),
            absent: Vec::new(),
            matches: Vec::new(),
        };
        BlockRow { tournament: TournamentId(1), number, ended_ms: 0, outcome }
    }

    #[tokio::test]
    async fn figures_are_computed_once_for_all_who_ask_until_a_block_ends_or_an_entrant_changes() {
        let (cache, mut view) = (FigureCache::default(), Arc::new(view()));
        let asked = tokio::join!(cache.of(&view), cache.of(&view), cache.of(&view));
        let first = asked.0.unwrap();
        assert!(Arc::ptr_eq(&first, &asked.1.unwrap()) && Arc::ptr_eq(&first, &asked.2.unwrap()));
        view.log.push(block(0));
        let second = cache.of(&view).await.unwrap();
        assert_eq!((first.blocks.len(), second.blocks.len()), (0, 1));
        assert!(Arc::ptr_eq(&second, &cache.of(&view).await.unwrap()));
        Arc::make_mut(&mut view).row.version += 1;
        let third = cache.of(&view).await.unwrap();
        assert!(!Arc::ptr_eq(&second, &third), "a change of the entrants makes other figures");
    }
}

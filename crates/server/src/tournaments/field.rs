use chickenfoot_store::{BlockMatch, BlockRow, EntrantRow, EntrantState};
use chickenfoot_tournament::{BlockResult, EntrantId, Game};

/// The entrants of a tournament: by number as people know them, and by position in the schedule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// By number, which may have gaps.
    rows: Vec<EntrantRow>,
    /// The index in `rows` of each scheduled entrant, by position.
    scheduled: Vec<usize>,
}

impl Field {
    /// The field of these rows.
    pub(crate) fn new(mut rows: Vec<EntrantRow>) -> Field {
        rows.sort_by_key(|row| row.number);
        let mut scheduled: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].position.is_some()).collect();
        scheduled.sort_by_key(|&i| rows[i].position);
        Field { rows, scheduled }
    }

    /// All entrants by number.
    pub(crate) fn rows(&self) -> &[EntrantRow] {
        &self.rows
    }

    /// The scheduled entrants by position.
    pub(crate) fn scheduled(&self) -> impl ExactSizeIterator<Item = &EntrantRow> {
        self.scheduled.iter().map(|&i| &self.rows[i])
    }

    /// A scheduled entrant.
    pub(crate) fn at(&self, id: EntrantId) -> Option<&EntrantRow> {
        self.scheduled.get(id.index()).map(|&i| &self.rows[i])
    }

    /// The entrant of that number.
    pub(crate) fn by_number(&self, number: u32) -> Option<&EntrantRow> {
        self.rows.binary_search_by_key(&number, |row| row.number).ok().map(|i| &self.rows[i])
    }

    /// The entrant of that name.
    pub(crate) fn by_name(&self, name: &str) -> Option<&EntrantRow> {
        self.rows.iter().find(|row| row.name.as_str() == name)
    }

    /// The number of the next entrant.
    pub(crate) fn next_number(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.number.saturating_add(1))
    }

    /// The position of the next scheduled entrant.
    pub(crate) fn next_position(&self) -> u32 {
        self.scheduled.len() as u32
    }

    /// Puts an entrant in, or in the place of the one with its number.
    pub(crate) fn put(&mut self, row: EntrantRow) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.retain(|other| other.number != row.number);
        rows.push(row);
        *self = Field::new(rows);
    }

    /// A block's result as the schedule and the statistics take it.
    pub(crate) fn result(&self, block: &BlockRow) -> BlockResult {
        BlockResult {
            number: block.number,
            absent: block.outcome.absent.iter().map(|number| self.id(*number)).collect(),
            games: block.outcome.matches.iter().map(|game| self.game(game)).collect(),
        }
    }

    fn game(&self, game: &BlockMatch) -> Game {
        Game {
            seating: game.seating.iter().map(|number| self.id(*number)).collect(),
            points: game.points.clone(),
            places: game.places.clone(),
            clean_rounds: game.clean_rounds.clone(),
            lowest_round: game.lowest_round.clone(),
        }
    }

    /// The position of the entrant of that number; beyond all of them if it has none.
    fn id(&self, number: u32) -> EntrantId {
        EntrantId(self.by_number(number).and_then(|row| row.position).unwrap_or(u32::MAX))
    }
}

/// Whether an entrant in this state is scheduled when the tournament begins, or may yet be.
pub(crate) fn may_play(state: EntrantState) -> bool {
    match state {
        EntrantState::Invited | EntrantState::Checking | EntrantState::Entered => true,
        EntrantState::Rejected | EntrantState::Withdrawn => false,
    }
}

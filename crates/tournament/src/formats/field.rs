use crate::EntrantId;
use crate::lots::Purpose;
use crate::meetings::Meetings;
use crate::schedule::Past;

/// Those who take turns at the tables of others: of a gauntlet's candidate, or of the two versions of an A/B test.
///
/// Who sat least goes first, so at any time two who played all along differ by one block at most. Among those, who met
/// the others of the table least, then by lot.
#[derive(Debug, Default)]
pub(crate) struct Field {
    sat: Vec<u32>,
    meetings: Meetings,
}

impl Field {
    /// Whether anybody but the hosts plays in this stage.
    pub(crate) fn is_empty(past: &Past, stage: u32, hosts: &[EntrantId]) -> bool {
        !past.ids().any(|entrant| past.plays(entrant, stage) && !hosts.contains(&entrant))
    }

    /// Takes up to `seats` of the field for the next block.
    pub(crate) fn take(
        &mut self,
        past: &Past,
        stage: u32,
        hosts: &[EntrantId],
        seats: usize,
    ) -> Vec<EntrantId> {
        self.sat.resize(past.entrants.len(), 0);
        let mut waiting = past.players(stage);
        waiting.retain(|entrant| !hosts.contains(entrant));
        past.lots.stream(Purpose::Field, u64::from(past.next_number())).shuffle(&mut waiting);
        let mut taken = Vec::new();
        while taken.len() < seats {
            let key = |&at: &usize| (self.sat[waiting[at].index()], self.meetings.with(waiting[at], &taken));
            let Some(next) = (0..waiting.len()).min_by_key(key) else { break };
            taken.push(waiting.swap_remove(next));
        }
        for entrant in &taken {
            self.sat[entrant.index()] += 1;
        }
        self.meetings.add(&taken);
        taken
    }
}

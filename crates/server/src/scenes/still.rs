use chickenfoot_arena::Watch;
use chickenfoot_picture::{Layout, Table};
use chickenfoot_rules::Situation;
use chickenfoot_store::{MatchId, MatchState};

use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::State;

/// A moment of a match as somebody without a seat may see it now.
#[derive(Clone, Debug)]
pub(crate) struct Still {
    /// The number of the event after which it is so.
    pub(crate) seq: u64,
    /// The number of the last event that may be seen now.
    pub(crate) head_seq: u64,
    /// What is public beside the table.
    pub(crate) situation: Situation,
    /// How many tiles lie, the starting double included; 0 between the start of a round and its starting double.
    pub(crate) tiles: usize,
    /// The round as far as it may be seen now, of which the first `tiles` lie; `None` while nothing lies.
    pub(crate) layout: Option<Layout>,
    /// The table as it is; `None` while nothing lies.
    pub(crate) table: Option<Table>,
}

impl State {
    /// A moment of a match: after an event, or after the last one that somebody without a seat may see by now.
    ///
    /// # Errors
    /// There is no such match, it has not begun as far as may be seen, or the event is none that may be seen.
    pub(crate) async fn still(&self, id: MatchId, seq: Option<u64>) -> Result<Still, Refusal> {
        let row = self.arena.row(id).await.map_err(Refusal::from)?;
        let not_begun = || Refusal::new(Reason::MatchNotStarted, "nothing of the match can be seen yet");
        let stage = self.scenes.of(id);
        // What is over and was followed to its end needs no log.
        let whole = row.summary.as_ref().map(|summary| summary.head_seq);
        let is_over = matches!(row.state, MatchState::Finished | MatchState::Aborted(_));
        let whole = whole.filter(|head| is_over && stage.with(|stage| stage.seq()) >= *head);
        let events = match whole {
            Some(_) => None,
            None if row.state == MatchState::Open => return Err(not_begun()),
            None => {
                let events = self.arena.watch(id, 0).await.map_err(Refusal::from)?;
                events.begun().await;
                Some(events)
            }
        };
        let head_seq = whole.or(events.as_ref().map(Watch::head_seq)).unwrap_or_default();
        if head_seq == 0 {
            return Err(not_begun());
        }
        let seq = seq.unwrap_or(head_seq);
        if !(1..=head_seq).contains(&seq) {
            let message = format!("seq must be 1 to {head_seq}, the last event that can be seen, not {seq}");
            return Err(Refusal::new(Reason::FieldOutOfRange, message).field("seq"));
        }
        if let Some(events) = &events {
            stage.reach(events, head_seq).await;
        }
        let last = stage.with(|stage| stage.last_of_round(seq, head_seq));
        stage.lay_out(last).await;
        stage.with(|stage| {
            Ok(Still {
                seq,
                head_seq,
                situation: stage.situation(seq).cloned().ok_or_else(not_begun)?,
                tiles: stage.tiles(seq),
                layout: stage.layout(seq, head_seq),
                table: stage.table(seq),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chickenfoot_arena::{Answer, NewMatch, ToAgent, Watched};
    use chickenfoot_rules::{Entropy, ForcedMoves, Preset, RuleOptions, Seed};
    use chickenfoot_store::{ClockRules, FaultRules, MatchRow, SeatSpec};

    use super::*;
    use crate::config::Limits;

    /// A match of two rounds against the house; the other seat is the house's too, or it waits for ann.
    async fn new_match(state: &State, other: SeatSpec, spectator_delay: u32) -> MatchRow {
        let rules = RuleOptions { rounds: Some(2), ..RuleOptions::new(Preset::Trains, 2) }.resolve().unwrap();
        let time = Duration::from_secs(3600);
        let new = NewMatch {
            creator: "ann".parse().unwrap(),
            rules,
            seats: vec![SeatSpec::House("greedy".to_owned()), other],
            clock: ClockRules { decision: time, bank: time, grace: time },
            faults: FaultRules { strikes: 3, illegal: 3, strict: false },
            forced: ForcedMoves::Automatic,
            spectator_delay,
            fixed: Some((Seed::new([7; 32]), "fixed".to_owned())),
            rated: false,
            block: None,
        };
        state.arena.create(new, |_| None).await.unwrap()
    }

    /// Plays a match of the house to its end. The number of its last event.
    async fn play(state: &State) -> (MatchId, u64) {
        let id = new_match(state, SeatSpec::House("lowest".to_owned()), 0).await.id;
        let mut events = state.arena.watch(id, 0).await.unwrap();
        while let Watched::Event(..) = events.next().await {}
        (id, events.at())
    }

    /// Takes ann's seat and plays for some turns. The number of the last event when she is asked again.
    async fn join(state: &State, id: MatchId) -> u64 {
        let ann = "ann".parse().unwrap();
        let mut inbox = state.arena.listen(&ann, 16);
        state.arena.join(id, &ann, None, Entropy::default()).await.unwrap();
        loop {
            let delivery = inbox.next().await.unwrap();
            match ToAgent::decode(&delivery.message) {
                Some(ToAgent::Decision(note)) if note.number > 30 => return u64::from(note.number) - 1,
                Some(ToAgent::Decision(note)) => {
                    state.arena.choose(id, &ann, note.number, Answer::Option(0)).await.unwrap();
                }
                _ => {}
            }
        }
    }

    #[tokio::test]
    async fn any_moment_of_a_match_that_is_over_can_be_seen() {
        let state = State::in_memory(Limits::default()).await;
        let (id, head) = play(&state).await;
        let last = state.still(id, None).await.unwrap();
        assert_eq!((last.seq, last.head_seq, last.situation.round), (head, head, 2));
        assert_eq!(last.layout.unwrap().tiles().len(), last.tiles);
        // The match began, a round began, two hands were dealt: then the starting double lies.
        let fourth = state.still(id, Some(4)).await.unwrap();
        assert_eq!((fourth.tiles, fourth.layout.is_none(), fourth.table.is_none()), (0, true, true));
        let fifth = state.still(id, Some(5)).await.unwrap();
        assert_eq!((fifth.seq, fifth.head_seq, fifth.situation.round, fifth.tiles), (5, head, 1, 1));
        assert_eq!(fifth.table.unwrap().newest(), None);
        assert!(
            fifth.layout.unwrap().tiles().len() > 10,
            "the whole round, so that its pictures lie upon each other"
        );
        for seq in [0, head + 1, u64::MAX] {
            let refusal = state.still(id, Some(seq)).await.unwrap_err();
            assert_eq!(refusal.reason, Reason::FieldOutOfRange);
            assert!(refusal.message.contains(&format!("1 to {head}")), "{}", refusal.message);
        }
        assert_eq!(state.still(MatchId(1), None).await.unwrap_err().reason, Reason::MatchNotFound);
    }

    #[tokio::test]
    async fn a_delay_holds_for_pictures_even_where_a_seat_is_further() {
        let state = State::in_memory(Limits::default()).await;
        let ann = || SeatSpec::Agent("ann".parse().unwrap());
        let id = new_match(&state, ann(), 3).await.id;
        assert_eq!(state.still(id, None).await.unwrap_err().reason, Reason::MatchNotStarted);
        let head = join(&state, id).await;
        for seat_is_further in [false, true] {
            if seat_is_further {
                let stage = state.scenes.of(id);
                let mut events = state.arena.watch(id, 0).await.unwrap();
                events.undelayed();
                while events.at() < head {
                    events.next().await;
                }
                stage.reach(&events, head).await;
                stage.lay_out(head).await;
                assert_eq!(stage.with(|stage| stage.seq()), head);
            }
            let still = state.still(id, None).await.unwrap();
            assert_eq!((still.seq, still.head_seq), (head - 3, head - 3));
            assert_eq!(still.layout.unwrap().tiles().len(), still.tiles);
            assert_eq!(still.table.unwrap().tiles().len(), still.tiles);
            let early = state.still(id, Some(5)).await.unwrap();
            assert_eq!(early.layout.unwrap().tiles().len(), still.tiles);
            assert_eq!(state.still(id, Some(head - 2)).await.unwrap_err().reason, Reason::FieldOutOfRange);
        }
        let whole = new_match(&state, ann(), 10_000).await.id;
        join(&state, whole).await;
        assert_eq!(state.still(whole, None).await.unwrap_err().reason, Reason::MatchNotStarted);
    }

    #[tokio::test]
    async fn what_was_followed_to_its_end_is_not_read_again() {
        let state = State::in_memory(Limits::default()).await;
        let (id, _) = play(&state).await;
        let first = state.still(id, None).await.unwrap();
        assert_eq!(state.scenes.counts(), (1, first.tiles as u64), "the last round alone");
        let again = state.still(id, None).await.unwrap();
        assert_eq!(again.layout.unwrap().tiles(), first.layout.unwrap().tiles());
        assert_eq!(state.scenes.counts(), (1, first.tiles as u64), "it was laid out once");
        assert_eq!(state.scenes.of(id).with(|stage| stage.seq()), first.seq);
    }
}

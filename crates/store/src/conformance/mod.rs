//! The laws that every backend must keep.
//!
//! Each is a function that takes an empty store and panics where the store breaks the law; its name is the law. A backend
//! runs them all with [`conformance!`](crate::conformance!), which names the store and what has to live as long as it:
//!
//! ```text
//! chickenfoot_store::conformance!((Memory::new(), ()));
//! ```
//!
//! Times are whole microseconds here, because a store may keep no finer ones.

#[expect(missing_docs, reason = "the name of a law says what it is")]
mod agents;
#[expect(missing_docs, reason = "the name of a law says what it is")]
mod appends;
#[expect(missing_docs, reason = "the name of a law says what it is")]
mod endings;
#[expect(missing_docs, reason = "the name of a law says what it is")]
mod matches;
#[expect(missing_docs, reason = "the name of a law says what it is")]
mod requests;
mod samples;
mod tournaments;

pub use agents::*;
pub use appends::*;
pub use endings::*;
pub use matches::*;
pub use requests::*;
pub use samples::{agent, answered, append, last, name, open, over, row_of, running, summary, without_end};
pub use tournaments::*;

use crate::{Agents, Append, Appended, Journal, LogRow, MatchId, Requests, Tournaments};

/// Makes a test of every law. The argument is an expression for a new, empty store and a guard that is dropped after it.
#[macro_export]
macro_rules! conformance {
    ($store:expr) => {
        $crate::conformance!(
            $store;
            an_append_has_five_answers,
            a_batch_gets_one_answer_each_in_order,
            the_last_entry_ends_the_match_and_the_log_stays,
            an_aborted_match_has_no_places,
            every_cause_and_count_of_an_entry_is_kept,
            every_fault_and_time_of_a_seat_is_kept,
            every_reason_of_an_abort_is_kept,
            a_match_may_be_over_when_it_is_created,
            an_open_match_may_be_over_when_it_is_updated,
            a_later_writer_fences_an_earlier_one_off,
            many_appends_at_once_leave_no_hole,
            of_competing_appends_one_wins,
            a_match_is_read_back_as_it_was_stored,
            an_id_is_given_once,
            an_update_names_the_version_that_it_was_made_from,
            only_an_open_match_is_updated,
            lists_are_newest_first_and_paged,
            the_matches_of_an_agent_and_of_a_tournament_are_listed,
            a_match_concerns_who_sits_or_may_sit_until_it_is_over,
            only_what_has_been_over_for_long_is_removed,
            an_answer_is_stored_with_what_it_is_about,
            the_first_answer_stays_until_it_is_forgotten,
            agents_are_found_by_name_and_token,
            a_new_token_replaces_the_old_one,
            agents_are_paged_by_name,
        );
        $crate::conformance!(
            $store;
            a_tournament_is_read_back_as_it_was_stored,
            entrants_are_read_back_as_they_were_stored,
            a_tournaments_id_is_given_once,
            an_update_of_a_tournament_names_the_version_that_it_was_made_from,
            of_competing_updates_of_a_tournament_one_wins,
            a_tournament_that_is_over_is_changed_no_more,
            an_answer_is_stored_with_its_tournament,
            tournaments_are_listed_newest_first_and_paged,
            entrants_are_paged_by_number_and_found_by_name,
            what_leaves_a_field_goes_before_what_comes,
            a_number_and_a_name_are_one_entrants,
            a_field_of_ten_thousand_is_full,
            the_first_block_of_a_number_stays,
            of_competing_blocks_one_wins,
            blocks_are_paged_by_number,
            a_block_opens_the_seals_of_its_matches_and_of_no_others,
            a_block_that_is_refused_opens_nothing,
            seals_are_opened_without_a_block,
            sealed_matches_are_listed_until_they_are_opened,
            an_update_from_before_a_seal_was_opened_does_not_close_it_again,
            a_match_keeps_its_block_and_its_rating,
            when_a_match_ended_is_the_stores_to_note,
            rated_matches_come_in_the_order_of_their_ends_and_none_is_missed,
            a_rated_match_stays_in_its_place_when_its_seal_is_opened,
        );
    };
    ($store:expr; $($law:ident,)*) => {
        $(
            #[tokio::test]
            async fn $law() {
                let (store, _guard) = $store;
                $crate::conformance::$law(&store).await;
            }
        )*
    };
}

/// A store that is whole.
pub trait Store: Journal + Agents + Requests + Tournaments {}

impl<T: Journal + Agents + Requests + Tournaments> Store for T {}

async fn one(store: &impl Store, append: Append) -> Appended {
    let answers = store.append(vec![append]).await;
    assert_eq!(answers.len(), 1);
    answers[0]
}

async fn assert_log(store: &impl Store, id: u128, length: u32) {
    let expected: Vec<LogRow> = (0..length).map(|position| append(id, position).row).collect();
    assert_eq!(store.log(MatchId(id), 0).await, Ok(expected.clone()));
    for from in [1, length / 2, length, length + 1] {
        let tail = expected.iter().skip(from as usize).copied().collect();
        assert_eq!(store.log(MatchId(id), from).await, Ok(tail));
    }
}

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

pub use agents::*;
pub use appends::*;
pub use endings::*;
pub use matches::*;
pub use requests::*;
pub use samples::{agent, answered, append, last, name, open, over, running, summary};

use crate::{Agents, Append, Appended, Journal, LogRow, MatchId, Requests};

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
            a_match_concerns_who_sits_or_may_sit_until_it_is_over,
            only_what_has_been_over_for_long_is_removed,
            an_answer_is_stored_with_what_it_is_about,
            the_first_answer_stays_until_it_is_forgotten,
            agents_are_found_by_name_and_token,
            a_new_token_replaces_the_old_one,
            agents_are_paged_by_name,
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
pub trait Store: Journal + Agents + Requests {}

impl<T: Journal + Agents + Requests> Store for T {}

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

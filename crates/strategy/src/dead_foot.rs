use chickenfoot_rules::{Move, View};

use crate::Strategy;
use crate::greedy::Greedy;

#[derive(Default)]
pub(crate) struct DeadFoot;

impl Strategy for DeadFoot {
    fn choose(&mut self, view: &View<'_>) -> Move {
        Greedy.choose(view)
    }
}

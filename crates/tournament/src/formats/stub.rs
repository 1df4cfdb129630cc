use super::*;
#[derive(Debug)]
pub(crate) struct Stub;
impl Plan for Stub {
    fn next(&mut self, _past: &Past) -> Next {
        Next::Never
    }
    fn exhausted(&self, _past: &Past) -> bool {
        true
    }
    fn remaining(&self, _past: &Past) -> u32 {
        0
    }
    fn exit(&self, _entrant: EntrantId, past: &Past) -> u32 {
        past.last_stage() + 1
    }
}

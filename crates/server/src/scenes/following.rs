use std::sync::Arc;

use chickenfoot_arena::{Told, Watch};
use chickenfoot_picture::Outline;
use chickenfoot_protocol::{v1, wire_scene};

use super::SharedStage;
use crate::limits::Gate;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::wire::wire_duration;

/// The scenes of one watch.
pub(crate) struct Following {
    stage: Arc<SharedStage>,
    outlines: bool,
    /// Whether nothing was told yet.
    first: bool,
}

impl Following {
    pub(crate) fn new(stage: Arc<SharedStage>, outlines: bool) -> Following {
        Following { stage, outlines, first: true }
    }

    /// The scene of an event that the watch has brought.
    pub(crate) async fn scene(
        &mut self,
        events: &Watch,
        seq: u64,
        told: &Told,
        gate: &Gate,
    ) -> Result<v1::Scene, Refusal> {
        self.stage.reach(events, seq).await;
        if !self.stage.lay_out_some(seq) {
            // More than comes with an event: a round that nobody has looked at yet.
            let _turn = gate.hand().await;
            self.stage.lay_out(seq).await;
        }
        let (scene, table) = self.stage.with(|stage| {
            let table = if self.outlines { stage.table(seq) } else { None };
            (stage.scene(seq, self.first), table)
        });
        let scene = scene.ok_or_else(|| Refusal::new(Reason::Internal, "the match's scenes have a gap"))?;
        self.first = false;
        Ok(v1::Scene {
            // While the match goes on it would tell which moves had an alternative, and so something of the hands.
            think: told.think.filter(|_| events.tells_all()).map(wire_duration),
            outline: table.map(|table| Outline::UNBROKEN.render(&table)).unwrap_or_default(),
            ..wire_scene(seq, &scene)
        })
    }
}

use chickenfoot_protocol::v1;
use clap::Args;

use crate::words::{DrawnTile, Preset, Starter, wire};

/// The options of a rule set. What is left out is the rule set's, and every bound is known elsewhere.
#[derive(Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleFlags {
    /// Highest number of the set: 6, 9, 12, 15 or 18
    #[arg(long, value_name = "N")]
    max_pip: Option<u32>,
    /// Tiles dealt to each seat
    #[arg(long, value_name = "N")]
    hand_size: Option<u32>,
    /// Arms begun on the starting double before free play
    #[arg(long, value_name = "N")]
    opening_arms: Option<u32>,
    /// Who starts a round
    #[arg(long, value_name = "WHO")]
    starter: Option<Starter>,
    /// What becomes of a drawn tile that fits
    #[arg(long, value_name = "RULE")]
    drawn_tile: Option<DrawnTile>,
    /// Tiles at the end of the boneyard that are never drawn
    #[arg(long, value_name = "N")]
    reserve: Option<u32>,
    /// What the double blank counts in a hand: 0 or 50
    #[arg(long, value_name = "N")]
    double_blank: Option<u32>,
    /// Number of rounds
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
}

impl RuleFlags {
    /// The rules as they are asked for, on the wire.
    pub(crate) fn rules(&self, preset: Preset, players: Option<u32>) -> v1::Rules {
        v1::Rules {
            preset: wire(Some(preset)),
            players,
            max_pip: self.max_pip,
            hand_size: self.hand_size,
            opening_arms: self.opening_arms,
            starter: wire(self.starter),
            drawn_tile: wire(self.drawn_tile),
            reserve: self.reserve,
            double_blank: self.double_blank,
            rounds: self.rounds,
        }
    }
}

use std::time::Duration;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1::{self, seat_spec::Who};
use chickenfoot_rules::Hex32;

use super::{Checked, Program};
use crate::Failure;
use crate::guest::Guest;
use crate::watcher::watch;

/// The agent that all programs play as in turn: a seat's name is part of the digest.
const AGENT: &str = "highest";

/// The rules of the matches, each played by every program: of both presets, so that tiles are drawn, kept and must be
/// played, and blanks are laid.
const RULES: [v1::Preset; 2] = [v1::Preset::Trains, v1::Preset::Classic];

/// How long a match may take.
const END: Duration = Duration::from_secs(120);

/// What a program made of the matches that all play.
pub(super) struct Played {
    pub(super) name: String,
    pub(super) digests: Vec<Hex32>,
}

/// Lets each program play the same matches with a fixed seed against players of the house, one program after another.
pub(super) async fn play(
    address: &str,
    host: &Client,
    programs: &[Program],
    checked: &mut Checked,
) -> Result<Vec<Played>, Failure> {
    let token = Client::connect(address, None)?.register(AGENT).await?;
    let mut all = Vec::new();
    for program in programs {
        let mut guest = Guest::start(&program.command, AGENT, address, &token)?;
        let mut digests = Vec::new();
        for preset in RULES {
            let id = one(host, preset, &mut guest).await.map_err(|why| format!("{}: {why}", program.name))?;
            digests.push(checked.record(&id).await?.digest);
        }
        guest.stop().await.map_err(|why| format!("{}: {why}", program.name))?;
        all.push(Played { name: program.name.clone(), digests });
    }
    Ok(all)
}

/// Plays one match to its end; returns its id.
async fn one(host: &Client, preset: v1::Preset, guest: &mut Guest) -> Result<String, Failure> {
    let house = ["greedy", "dead-foot", "lowest"].map(|strategy| Who::House(strategy.to_owned()));
    let seats = [Who::Agent(AGENT.to_owned())].into_iter().chain(house);
    let config = v1::MatchConfig {
        rules: Some(v1::Rules { preset: preset.into(), rounds: Some(5), ..v1::Rules::default() }),
        seats: seats.map(|who| v1::SeatSpec { who: Some(who) }).collect(),
        seed: vec![0xa1; 32],
        ..v1::MatchConfig::default()
    };
    let id = host.create_match(config).await?.id;
    if tokio::time::timeout(END, watch(host.clone(), id.clone())).await.is_err() {
        guest.check()?;
        return Err(guest.failed("does not come to the end of its match"));
    }
    let ledgers = host.get_match(&id).await?.seats.into_iter().filter_map(|seat| seat.ledger);
    let faults: u32 = ledgers.map(|ledger| ledger.late + ledger.gone + ledger.illegal).sum();
    if faults == 0 { Ok(id) } else { Err(guest.failed(&format!("made {faults} faults"))) }
}

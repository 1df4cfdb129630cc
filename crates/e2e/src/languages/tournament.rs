use std::time::Duration;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1::{self, entrant_spec::Who, tournament_config::Format};
use tokio::time::{Instant, sleep};

use super::{Checked, Program, start};
use crate::Failure;
use crate::guest::Guest;

/// How long the tournament may take.
const END: Duration = Duration::from_secs(300);

/// What came of a tournament.
pub(super) struct Held {
    pub(super) matches: usize,
    /// Who did what wrong.
    pub(super) faults: Vec<String>,
}

/// Holds a round robin of the programs and a player of the house, and checks its records.
pub(super) async fn hold(
    address: &str,
    host: &Client,
    programs: &[Program],
    house: &str,
    checked: &mut Checked,
) -> Result<Held, Failure> {
    let mut guests = Vec::new();
    for program in programs {
        guests.push(start(address, program).await?);
    }
    let id = host.create_tournament(config(programs, house)).await?.id;
    host.start_tournament(&id).await?;
    finish(host, &id, &mut guests).await?;
    let matches = check(host, &id, checked).await?;
    let standings = host.standings(&id).await?.standings;
    let faults = standings.into_iter().filter_map(|standing| fault(&standing)).collect();
    for guest in guests {
        guest.stop().await?;
    }
    Ok(Held { matches, faults })
}

fn config(programs: &[Program], house: &str) -> v1::TournamentConfig {
    let agents = programs.iter().map(|program| (program.name.clone(), Who::Agent(program.name.clone())));
    let house = [(format!("house-{house}"), Who::House(house.to_owned()))];
    let entrants = agents.chain(house);
    v1::TournamentConfig {
        name: "one contract, many languages".to_owned(),
        format: Some(Format::RoundRobin(v1::RoundRobin { cycles: 1 })),
        rules: Some(v1::Rules { rounds: Some(2), ..v1::Rules::default() }),
        table_size: u32::try_from(programs.len()).unwrap_or(u32::MAX).saturating_add(1).min(4),
        entrants: entrants
            .map(|(name, who)| v1::EntrantSpec { name, who: Some(who), owner: String::new() })
            .collect(),
        invited_only: true,
        seed: vec![0xa1; 32],
        ..v1::TournamentConfig::default()
    }
}

/// Waits for the end, as long as all programs live.
async fn finish(host: &Client, id: &str, guests: &mut [Guest]) -> Result<(), Failure> {
    let end = Instant::now() + END;
    loop {
        let tournament = host.get_tournament(id).await?;
        match tournament.state() {
            v1::TournamentState::Finished => return Ok(()),
            v1::TournamentState::Running if Instant::now() < end => {}
            state => {
                let told = guests.iter().map(|guest| guest.failed("plays").to_string());
                let told: Vec<String> = told.collect();
                return Err(format!(
                    "the tournament is {state:?}: {}\n{}",
                    tournament.message,
                    told.join("\n")
                )
                .into());
            }
        }
        guests.iter_mut().try_for_each(Guest::check)?;
        sleep(Duration::from_millis(100)).await;
    }
}

/// Checks the record of every match; returns how many there are.
async fn check(host: &Client, id: &str, checked: &mut Checked) -> Result<usize, Failure> {
    let (mut matches, mut token) = (0, String::new());
    loop {
        let page = host.blocks(id, &token).await?;
        for played in page.entries.iter().flat_map(|block| &block.matches) {
            let record = checked.record(&played.match_id).await?;
            if record.digest.0.as_slice() != played.digest {
                return Err(format!("{} has another digest in its block", played.match_id).into());
            }
            matches += 1;
        }
        if page.next.is_empty() {
            return Ok(matches);
        }
        token = page.next;
    }
}

/// What an entrant did wrong.
fn fault(standing: &v1::Standing) -> Option<String> {
    let v1::Conduct { late, gone, illegal, strikes, out, absent, .. } = standing.conduct?;
    let clean = [late, gone, illegal, strikes, out, absent].iter().all(|count| *count == 0);
    let told =
        format!("late {late}, gone {gone}, illegal {illegal}, strikes {strikes}, out {out}, absent {absent}");
    (!clean).then(|| format!("{}: {told}", standing.name))
}

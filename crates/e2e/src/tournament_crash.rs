use std::path::Path;
use std::time::Duration;

use chickenfoot_bot::{Client, Error, Runner, strategy_bots};
use chickenfoot_protocol::v1::{self, entrant_spec::Who, tournament_config::Format};
use clap::Args;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::server::Server;
use crate::{Failure, Verdict, patient};

/// The agents, each named after its strategy; players of the house fill the field.
const AGENTS: [&str; 3] = ["lowest", "greedy", "dead-foot"];

/// The sections of an exported tournament that tell of ids and times, which no two runs share.
const OF_THE_RUN: [&str; 4] = ["run", "records", "conduct", "surplus"];

/// How often it is held anew if it ended before the last kill.
const AGAIN: u32 = 3;

/// How long the tournament may take.
const END: Duration = Duration::from_secs(600);

/// Holds a tournament of deterministic bots twice, once undisturbed and once under a server that is killed again and
/// again, and compares what is exported byte for byte.
#[derive(Args)]
pub(crate) struct TournamentCrash {
    /// How often the server is killed
    #[arg(long, default_value_t = 10, value_name = "N")]
    kills: u64,
    /// Rounds of the Swiss tournament: more than are played between so many kills. If it ends before the last one, it is
    /// held anew with twice the rounds, three times at most
    #[arg(long, default_value_t = 150, value_name = "N")]
    rounds: u32,
}

impl TournamentCrash {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let mut rounds = self.rounds;
        let (mut disturbed, mut kills) = self.hold(program, rounds, self.kills).await?;
        for _ in 0..AGAIN {
            if kills == self.kills {
                break;
            }
            rounds = rounds.saturating_mul(2);
            (disturbed, kills) = self.hold(program, rounds, self.kills).await?;
        }
        let (calm, _) = self.hold(program, rounds, 0).await?;
        let same = calm == disturbed;
        let blocks = calm["blocks"].as_array().map_or(0, Vec::len);
        let text = format!(
            "blocks               {blocks}\nkills                {kills}\nexport               {} bytes\nsame export          {}",
            calm.to_string().len(),
            if same { "yes" } else { "no" },
        );
        // A tournament that ended before the last kill shows less than was asked for.
        Ok(Verdict { text, clean: same && kills == self.kills && blocks > 0 })
    }

    /// Holds the tournament; returns what is exported but for what no two runs share, and how often the server was killed.
    async fn hold(&self, program: &Path, rounds: u32, kills: u64) -> Result<(Value, u64), Failure> {
        let folder = tempfile::tempdir()?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let (host, bots) = open(&server.address()).await?;
        let id = patient(|| host.create_tournament_as(config(rounds), "the-one-tournament")).await?.id;
        patient(|| host.start_tournament(&id)).await?;
        let mut killed = 0;
        let ended = async {
            loop {
                if killed < kills {
                    sleep(Duration::from_millis(rand::random_range(50..400))).await;
                }
                let tournament = patient(|| host.get_tournament(&id)).await?;
                match tournament.state() {
                    v1::TournamentState::Finished => return Ok::<(), Failure>(()),
                    v1::TournamentState::Running if killed < kills => {
                        server.kill()?;
                        killed += 1;
                        server.start().await?;
                    }
                    v1::TournamentState::Running => sleep(Duration::from_millis(100)).await,
                    state => {
                        return Err(format!("the tournament is {state:?}: {}", tournament.message).into());
                    }
                }
            }
        };
        tokio::time::timeout(END, ended).await.map_err(|_| "the tournament does not end")??;
        let exported = export(&host, &id).await?;
        for bot in bots {
            bot.abort();
        }
        Ok((exported, killed))
    }
}

fn config(rounds: u32) -> v1::TournamentConfig {
    let agents = AGENTS.map(|name| (name.to_owned(), Who::Agent(name.to_owned())));
    let house = ["greedy", "lowest", "random", "dead-foot"];
    let house = house.map(|strategy| (format!("house-{strategy}"), Who::House(strategy.to_owned())));
    let entrants = agents.into_iter().chain(house);
    v1::TournamentConfig {
        name: "killed again and again".to_owned(),
        format: Some(Format::Swiss(v1::Swiss { rounds })),
        rules: Some(v1::Rules { rounds: Some(2), ..v1::Rules::default() }),
        table_size: 3,
        entrants: entrants
            .map(|(name, who)| v1::EntrantSpec { name, who: Some(who), owner: String::new() })
            .collect(),
        invited_only: true,
        seed: vec![0x5e; 32],
        ..v1::TournamentConfig::default()
    }
}

/// Registers the bots and lets them play. The last one makes the tournament.
async fn open(address: &str) -> Result<(Client, Vec<JoinHandle<()>>), Failure> {
    let mut bots = Vec::new();
    let mut host = None;
    for name in AGENTS {
        let token = Client::connect(address, None)?.register(name).await?;
        let make = strategy_bots(name, 7).ok_or("an unknown strategy")?;
        let runner = Runner::new(address, &token);
        bots.push(tokio::spawn(async move {
            // Ends only when the trial aborts it.
            let _ = runner.run(make, std::future::pending()).await;
        }));
        host = Some(Client::connect(address, Some(&token))?);
    }
    Ok((host.ok_or("a trial needs bots")?, bots))
}

/// The exported tournament without what tells of ids and times.
async fn export(host: &Client, id: &str) -> Result<Value, Failure> {
    let text = patient(|| async {
        let mut text = Vec::new();
        host.export_tournament(id, v1::ExportFormat::Json).await?.write_to(&mut text).await?;
        Ok::<_, Error>(text)
    });
    let mut exported: Value = serde_json::from_slice(&text.await?)?;
    let sections = exported.as_object_mut().ok_or("the export is no object")?;
    for section in OF_THE_RUN {
        sections.remove(section).ok_or_else(|| format!("the export has no section {section:?}"))?;
    }
    Ok(exported)
}

use chickenfoot_protocol::v1::{self, entrant_spec::Who, tournament_config::Format};

use crate::common::{Agent, within};

/// An entrant that is a player of the house.
pub fn house(name: &str, strategy: &str) -> v1::EntrantSpec {
    v1::EntrantSpec {
        name: name.to_owned(),
        who: Some(Who::House(strategy.to_owned())),
        owner: String::new(),
    }
}

/// An entrant that is an agent.
pub fn agent(name: &str) -> v1::EntrantSpec {
    v1::EntrantSpec { name: String::new(), who: Some(Who::Agent(name.to_owned())), owner: String::new() }
}

/// So many players of the house.
pub fn houses(count: usize) -> Vec<v1::EntrantSpec> {
    let strategies = ["random", "lowest", "greedy", "dead-foot"];
    (0..count).map(|i| house(&format!("bot-{i}"), strategies[i % strategies.len()])).collect()
}

/// A tournament with matches of one round and a fixed seed.
pub fn config(format: Format, table: u32, entrants: Vec<v1::EntrantSpec>) -> v1::TournamentConfig {
    v1::TournamentConfig {
        name: "a test".to_owned(),
        format: Some(format),
        rules: Some(v1::Rules { rounds: Some(1), ..v1::Rules::default() }),
        table_size: table,
        entrants,
        seed: vec![7; 32],
        ..v1::TournamentConfig::default()
    }
}

/// The calls of a host.
impl Agent {
    pub async fn create(&self, config: v1::TournamentConfig) -> v1::Tournament {
        let request = v1::CreateTournamentRequest { config: Some(config), request_id: String::new() };
        let made = within(self.wire.tournaments.clone().create_tournament(request)).await;
        made.unwrap().into_inner().tournament.unwrap()
    }

    pub async fn start(&self, id: &str) -> v1::Tournament {
        let request = v1::StartTournamentRequest { tournament_id: id.to_owned(), request_id: String::new() };
        let started = within(self.wire.tournaments.clone().start_tournament(request)).await;
        started.unwrap().into_inner().tournament.unwrap()
    }

    /// Follows a tournament to its end.
    pub async fn to_the_end(&self, id: &str) -> v1::WatchTournamentResponse {
        let request = v1::WatchTournamentRequest { tournament_id: id.to_owned(), standings: 100 };
        let mut watch =
            within(self.wire.tournaments.clone().watch_tournament(request)).await.unwrap().into_inner();
        let mut last = None;
        while let Some(message) = within(watch.message()).await.unwrap() {
            last = Some(message);
        }
        last.unwrap()
    }

    pub async fn standings(&self, id: &str) -> v1::GetStandingsResponse {
        let request = v1::GetStandingsRequest { tournament_id: id.to_owned(), pairings: true };
        within(self.wire.tournaments.clone().get_standings(request)).await.unwrap().into_inner()
    }

    pub async fn blocks(&self, id: &str) -> Vec<v1::TournamentBlock> {
        let request = v1::ListBlocksRequest {
            tournament_id: id.to_owned(),
            page_size: 1000,
            page_token: String::new(),
        };
        within(self.wire.tournaments.clone().list_blocks(request)).await.unwrap().into_inner().blocks
    }

    /// Makes a tournament, starts it and follows it to its end.
    pub async fn hold(&self, config: v1::TournamentConfig) -> String {
        let id = self.create(config).await.id;
        self.start(&id).await;
        let last = self.to_the_end(&id).await.tournament.unwrap();
        assert_eq!(last.state(), v1::TournamentState::Finished, "{}", last.message);
        id
    }
}

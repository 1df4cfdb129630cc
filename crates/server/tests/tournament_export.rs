//! Reports of tournaments as the service writes them.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_protocol::v1::tournament_config::Format;
use chickenfoot_protocol::v1::tournament_service_client::TournamentServiceClient;
use chickenfoot_protocol::v1::{self, ExportFormat, TournamentState, entrant_spec::Who};
use chickenfoot_tournament::report::VARYING;
use common::{Agent, Bearer, Service, within};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tonic_types::StatusExt;

struct Host(TournamentServiceClient<InterceptedService<Channel, Bearer>>);

impl Host {
    fn of(service: &Service, agent: &Agent) -> Host {
        let channel = Endpoint::from_shared(service.address.clone()).unwrap().connect_lazy();
        let bearer = Bearer(Some(format!("Bearer {}", agent.token)));
        Host(TournamentServiceClient::with_interceptor(channel, bearer))
    }

    /// Makes a tournament of bots of the house, deterministic ones with a fixed seed.
    async fn create(&mut self) -> String {
        let house = |strategy: &str| v1::EntrantSpec {
            name: format!("a-{strategy}"),
            who: Some(Who::House(strategy.to_owned())),
            owner: String::new(),
        };
        let config = v1::TournamentConfig {
            name: "<The> \"first\" & only".to_owned(),
            format: Some(Format::Gauntlet(v1::Gauntlet { candidate: String::new(), blocks: 3 })),
            rules: Some(v1::Rules { rounds: Some(1), ..v1::Rules::default() }),
            table_size: 2,
            entrants: ["greedy", "lowest", "dead-foot"].map(house).to_vec(),
            seed: vec![5; 32],
            ..v1::TournamentConfig::default()
        };
        let request = v1::CreateTournamentRequest { config: Some(config), request_id: String::new() };
        let made = within(self.0.create_tournament(request)).await.unwrap().into_inner();
        made.tournament.unwrap().id
    }

    /// Has it played to its end.
    async fn play(&mut self, id: &str) {
        let tournament_id = id.to_owned();
        let request = v1::StartTournamentRequest { tournament_id, request_id: String::new() };
        within(self.0.start_tournament(request)).await.unwrap();
        let request = v1::WatchTournamentRequest { tournament_id: id.to_owned(), standings: 0 };
        let mut watch = within(self.0.watch_tournament(request)).await.unwrap().into_inner();
        let mut state = TournamentState::Running;
        while let Some(seen) = within(watch.message()).await.unwrap() {
            state = seen.tournament.unwrap().state();
        }
        assert_eq!(state, TournamentState::Finished);
    }

    async fn export(&mut self, id: &str, format: i32) -> Result<String, Status> {
        let request = v1::ExportTournamentRequest { tournament_id: id.to_owned(), format };
        let mut parts = within(self.0.export_tournament(request)).await?.into_inner();
        let mut file = Vec::new();
        while let Some(part) = within(parts.message()).await? {
            file.extend(part.part);
        }
        Ok(String::from_utf8(file).unwrap())
    }
}

/// The lines of a JSON report without the sections that vary.
fn without_varying(file: &str) -> Vec<&str> {
    let mut keeps = true;
    let kept = |line: &&str| {
        if let Some((key, _)) = line.strip_prefix('"').and_then(|line| line.split_once("\": ")) {
            keeps = !VARYING.contains(&key);
        }
        keeps
    };
    file.lines().filter(kept).collect()
}

#[tokio::test]
async fn two_tournaments_of_one_seed_have_the_same_report_apart_from_what_varies() {
    let service = Service::start().await;
    let agent = service.agent("host").await;
    let mut host = Host::of(&service, &agent);
    let mut files = Vec::new();
    for _ in 0..2 {
        let id = host.create().await;
        host.play(&id).await;
        files.push(host.export(&id, ExportFormat::Json.into()).await.unwrap());
        assert_eq!(files.last(), host.export(&id, ExportFormat::Unspecified.into()).await.as_ref().ok());
        let value: serde_json::Value = serde_json::from_str(files.last().unwrap()).unwrap();
        assert_eq!(value["run"]["id"], id.as_str());
        assert_eq!(value["run"]["state"], "finished");
        assert_eq!(value["settings"]["title"], "<The> \"first\" & only");
        assert_eq!(value["settings"]["format"]["candidate"], "a-greedy");
        assert_eq!(value["settings"]["seed"], "05".repeat(32));
        assert_eq!(value["entrants"][2]["house"], "dead-foot");
        assert_eq!(value["blocks"].as_array().unwrap().len(), 3);
        assert_eq!(value["standings"].as_array().unwrap().len(), 3);
        let csv = host.export(&id, ExportFormat::Csv.into()).await.unwrap();
        assert_eq!(csv.lines().count(), 1 + 3 * 2 * 2);
        let page = host.export(&id, ExportFormat::Html.into()).await.unwrap();
        assert!(page.contains("&lt;The&gt; &quot;first&quot; &amp; only") && page.contains("a-dead-foot"));
    }
    assert_ne!(files[0], files[1]);
    assert_eq!(without_varying(&files[0]), without_varying(&files[1]));
    service.stop().await;
}

#[tokio::test]
async fn a_tournament_that_has_not_begun_has_a_report_without_figures() {
    let service = Service::start().await;
    let agent = service.agent("host").await;
    let mut host = Host::of(&service, &agent);
    let id = host.create().await;
    let json = host.export(&id, ExportFormat::Json.into()).await.unwrap();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["run"]["state"], "open");
    assert!(value["settings"]["seed"].is_null() && value.get("standings").is_none());
    let page = host.export(&id, ExportFormat::Html.into()).await.unwrap();
    assert!(page.contains("Gauntlet of the first entrant") && !page.contains(&"05".repeat(32)));
    service.stop().await;
}

#[tokio::test]
async fn an_unknown_form_of_report_is_refused() {
    let service = Service::start().await;
    let agent = service.agent("host").await;
    let mut host = Host::of(&service, &agent);
    let id = host.create().await;
    let status = host.export(&id, 99).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let details = status.get_error_details();
    assert_eq!(details.error_info().unwrap().reason, "FIELD_OUT_OF_RANGE");
    assert_eq!(details.bad_request().unwrap().field_violations[0].field, "format");
    service.stop().await;
}

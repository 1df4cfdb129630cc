use bytes::Bytes;
use chickenfoot_protocol::v1::{
    self, entrant_spec, seat_spec::Who, session_request::What as Up, session_response::What as Down,
    tournament_config::Format,
};
use prost::Message;

use super::client::{Both, RawClient, refusal};
use super::player::Player;
use super::tape::{Line, Tape};
use crate::Failure;

/// The agent that is recorded.
const NAME: &str = "recorded";

/// Plays as a client does and keeps what went up and down.
pub(super) async fn record(address: &str) -> Result<Tape, Failure> {
    let mut recorder = Recorder { client: RawClient::new(address)?, tape: Tape::default() };
    let request =
        v1::RegisterAgentRequest { name: NAME.to_owned(), request_id: "recorded-and-so-public".to_owned() };
    let registered: v1::RegisterAgentResponse = recorder.one("AgentService/RegisterAgent", &request).await?;
    recorder.client.token = Some(registered.token);
    let offered = recorder.create(v1::Preset::Trains, Who::Agent(NAME.to_owned())).await?;
    let joined = recorder.create(v1::Preset::Classic, Who::Open(v1::OpenSeat {})).await?;
    let join = v1::JoinMatchRequest { match_id: joined.clone(), ..v1::JoinMatchRequest::default() };
    let _: v1::JoinMatchResponse = recorder.one("MatchService/JoinMatch", &join).await?;
    recorder.session(2).await?;
    for match_id in [offered, joined] {
        recorder.ask_about(match_id).await?;
    }
    let _: v1::ListMatchesResponse =
        recorder.one("MatchService/ListMatches", &v1::ListMatchesRequest::default()).await?;
    recorder.tournament().await?;
    Ok(recorder.tape)
}

struct Recorder {
    client: RawClient,
    tape: Tape,
}

impl Recorder {
    /// Calls a method and keeps what comes down.
    async fn all(&mut self, method: &str, request: &impl Message) -> Result<Vec<Bytes>, Failure> {
        let message = Bytes::from(request.encode_to_vec());
        let answer = self.client.call(method, message.clone()).await?;
        self.tape.lines.extend([Line::Call(method.to_owned()), Line::Up(message)]);
        match answer {
            Ok(messages) => {
                self.tape.lines.extend(messages.iter().cloned().map(Line::Down));
                Ok(messages)
            }
            Err(status) => {
                self.tape.lines.push(Line::Refused(refusal(&status)));
                Ok(Vec::new())
            }
        }
    }

    /// As [`Recorder::all`], of a method that answers with one message.
    async fn one<T: Message + Default>(
        &mut self,
        method: &str,
        request: &impl Message,
    ) -> Result<T, Failure> {
        let messages = self.all(method, request).await?;
        let message = messages.into_iter().next().ok_or_else(|| format!("{method} was refused"))?;
        Ok(T::decode(message)?)
    }

    /// Makes a match of this seat against the house; returns its id.
    async fn create(&mut self, preset: v1::Preset, who: Who) -> Result<String, Failure> {
        let house = ["greedy", "dead-foot"].map(|strategy| Who::House(strategy.to_owned()));
        let seats = [who].into_iter().chain(house).map(|who| v1::SeatSpec { who: Some(who) });
        let rules = v1::Rules {
            preset: preset.into(),
            max_pip: Some(6),
            rounds: Some(1),
            hand_size: Some(5),
            ..v1::Rules::default()
        };
        let config = v1::MatchConfig {
            rules: Some(rules),
            seats: seats.collect(),
            seed: vec![0x07; 32],
            ..v1::MatchConfig::default()
        };
        // See the visitor: the order of lists is told apart by milliseconds.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        let request = v1::CreateMatchRequest { config: Some(config), request_id: format!("{preset:?}") };
        let made: v1::CreateMatchResponse = self.one("MatchService/CreateMatch", &request).await?;
        Ok(made.r#match.ok_or("no match")?.id)
    }

    /// Plays so many matches on a session.
    async fn session(&mut self, mut matches: usize) -> Result<(), Failure> {
        let method = "AgentService/Session";
        let open = v1::Open { events: true, client: "recording".to_owned(), resume: Vec::new() };
        let first = v1::SessionRequest { what: Some(Up::Open(open)) }.encode_to_vec();
        let mut both = self.client.open(method, first.clone().into()).await?;
        self.tape.lines.extend([Line::Call(method.to_owned()), Line::Up(first.into())]);
        let mut player = Player::default();
        while matches > 0 {
            let bytes = both.next().await?.ok_or("the session ended")?;
            let Some(what) = v1::SessionResponse::decode(bytes.clone())?.what else { continue };
            if matches!(what, Down::Heartbeat(_)) {
                continue;
            }
            self.tape.lines.push(Line::Down(bytes));
            matches -= usize::from(matches!(what, Down::GameEnded(_)));
            for up in player.answer(what) {
                self.send(&both, up).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, both: &Both, what: Up) -> Result<(), Failure> {
        let bytes = Bytes::from(v1::SessionRequest { what: Some(what) }.encode_to_vec());
        self.tape.lines.push(Line::Up(bytes.clone()));
        Ok(both.up.send(bytes).await?)
    }

    /// Asks all that can be asked about a match that is over.
    async fn ask_about(&mut self, match_id: String) -> Result<(), Failure> {
        let watch = v1::WatchMatchRequest { match_id: match_id.clone(), after_seq: 0, ..Default::default() };
        self.all("MatchService/WatchMatch", &watch).await?;
        self.all("MatchService/GetMatch", &v1::GetMatchRequest { match_id: match_id.clone() }).await?;
        self.all("MatchService/GetRecord", &v1::GetRecordRequest { match_id: match_id.clone() }).await?;
        let choice = v1::Choice { match_id, decision: 1, choice: Some(v1::choice::Choice::Option(0)) };
        self.all("MatchService/Play", &v1::PlayRequest { choice: Some(choice) }).await?;
        let unknown = v1::GetMatchRequest { match_id: "0".repeat(32) };
        self.all("MatchService/GetMatch", &unknown).await.map(drop)
    }

    /// A tournament of the house, with its figures.
    async fn tournament(&mut self) -> Result<(), Failure> {
        let entrant = |name: &str| v1::EntrantSpec {
            name: name.to_owned(),
            who: Some(entrant_spec::Who::House(name.to_owned())),
            owner: String::new(),
        };
        let config = v1::TournamentConfig {
            name: "recorded".to_owned(),
            format: Some(Format::RoundRobin(v1::RoundRobin { cycles: 2 })),
            rules: Some(v1::Rules { max_pip: Some(6), rounds: Some(1), ..v1::Rules::default() }),
            table_size: 2,
            entrants: ["greedy", "lowest", "dead-foot"].map(entrant).to_vec(),
            invited_only: true,
            seed: vec![0x07; 32],
            ..v1::TournamentConfig::default()
        };
        let request =
            v1::CreateTournamentRequest { config: Some(config), request_id: "tournament".to_owned() };
        let made: v1::CreateTournamentResponse =
            self.one("TournamentService/CreateTournament", &request).await?;
        let tournament_id = made.tournament.ok_or("no tournament")?.id;
        self.finish(&tournament_id).await?;
        let standings = v1::GetStandingsRequest { tournament_id: tournament_id.clone(), pairings: true };
        self.all("TournamentService/GetStandings", &standings).await?;
        let blocks = v1::ListBlocksRequest { tournament_id, ..v1::ListBlocksRequest::default() };
        self.all("TournamentService/ListBlocks", &blocks).await.map(drop)
    }

    /// Starts a tournament and waits for its end, of which only the last look is kept.
    async fn finish(&mut self, id: &str) -> Result<(), Failure> {
        let start = v1::StartTournamentRequest { tournament_id: id.to_owned(), request_id: String::new() };
        self.all("TournamentService/StartTournament", &start).await?;
        loop {
            let before = self.tape.lines.len();
            let get = v1::GetTournamentRequest { tournament_id: id.to_owned() };
            let now: v1::GetTournamentResponse = self.one("TournamentService/GetTournament", &get).await?;
            match now.tournament.map(|tournament| tournament.state()) {
                Some(v1::TournamentState::Finished) => return Ok(()),
                _ => self.tape.lines.truncate(before),
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

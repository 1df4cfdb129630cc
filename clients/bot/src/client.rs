use chickenfoot_protocol::Malformed;
use chickenfoot_protocol::v1::agent_service_client::AgentServiceClient;
use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_protocol::v1::tournament_service_client::TournamentServiceClient;
use chickenfoot_protocol::v1::{self, watch_match_response::What};
use chickenfoot_rules::Record;
use rand::TryRng;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};

use crate::endpoint::endpoint;
use crate::error::Error;
use crate::options::ConnectOptions;

/// Largest message that is taken: a record of the longest match has some hundred kilobytes.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;

/// The calls of the service. Cheap to clone; connects when it is first used.
#[derive(Clone)]
pub struct Client {
    agents: AgentServiceClient<InterceptedService<Channel, Bearer>>,
    matches: MatchServiceClient<InterceptedService<Channel, Bearer>>,
    pub(crate) tournaments: TournamentServiceClient<InterceptedService<Channel, Bearer>>,
}

/// One page of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// Its entries.
    pub entries: Vec<T>,
    /// Where the next page begins; empty if there is none.
    pub next: String,
}

impl Client {
    /// A client for the service at `address`, as in `http://127.0.0.1:7440`, with the caller's token, if it has one.
    ///
    /// # Errors
    /// The address is none, or the token has characters that no token has. Must be called in a tokio runtime.
    pub fn connect(address: &str, token: Option<&str>) -> Result<Client, Error> {
        let options = ConnectOptions::new();
        Client::connect_with(address, &token.map_or(options.clone(), |token| options.token(token)))
    }

    /// As [`Client::connect`], with a say in how; `https://` addresses are reached over TLS.
    ///
    /// # Errors
    /// As [`Client::connect`]; or a certificate or key is none, or the address is not one for TLS.
    pub fn connect_with(address: &str, options: &ConnectOptions) -> Result<Client, Error> {
        Client::on(endpoint(address, options)?.connect_lazy(), options)
    }

    /// A client on a channel, with the token among the options.
    pub(crate) fn on(channel: Channel, options: &ConnectOptions) -> Result<Client, Error> {
        let bearer = Bearer::new(options.token.as_deref())?;
        Ok(Client {
            agents: AgentServiceClient::with_interceptor(channel.clone(), bearer.clone())
                .max_decoding_message_size(MAX_MESSAGE),
            matches: MatchServiceClient::with_interceptor(channel.clone(), bearer.clone())
                .max_decoding_message_size(MAX_MESSAGE),
            tournaments: TournamentServiceClient::with_interceptor(channel, bearer)
                .max_decoding_message_size(MAX_MESSAGE),
        })
    }

    /// Registers an agent and returns its token.
    ///
    /// # Errors
    /// The name is taken or no name, or the service cannot be reached.
    pub async fn register(&self, name: &str) -> Result<String, Error> {
        let request = v1::RegisterAgentRequest { name: name.to_owned(), request_id: request_id() };
        Ok(self.agents.clone().register_agent(request).await?.into_inner().token)
    }

    /// Gives an agent a new token and returns it: the caller itself, or another one if the caller is an admin. If the
    /// answer is lost, so is the token; see [`Client::rotate_token_as`].
    ///
    /// # Errors
    /// The caller may not, or the service cannot be reached.
    pub async fn rotate_token(&self, name: Option<&str>) -> Result<String, Error> {
        self.rotate_token_as(name, &request_id()).await
    }

    /// As [`Client::rotate_token`] with a request id of the caller's, 16 to 64 characters and as secret as the token:
    /// repeating the call with it, by this same client, returns the same token.
    ///
    /// # Errors
    /// As [`Client::rotate_token`].
    pub async fn rotate_token_as(&self, name: Option<&str>, request_id: &str) -> Result<String, Error> {
        let request = v1::RotateTokenRequest {
            name: name.unwrap_or_default().to_owned(),
            request_id: request_id.to_owned(),
        };
        Ok(self.agents.clone().rotate_token(request).await?.into_inner().token)
    }

    /// Takes an agent's token away: the caller's own, or another's if the caller is an admin.
    ///
    /// # Errors
    /// The caller may not, or the service cannot be reached.
    pub async fn revoke_token(&self, name: Option<&str>) -> Result<v1::Agent, Error> {
        let request = v1::RevokeTokenRequest { name: name.unwrap_or_default().to_owned() };
        present(self.agents.clone().revoke_token(request).await?.into_inner().agent)
    }

    /// Sets what an agent may do.
    ///
    /// # Errors
    /// The caller is no admin, there is no such agent, or the service cannot be reached.
    pub async fn set_role(&self, name: &str, role: v1::Role) -> Result<v1::Agent, Error> {
        let request = v1::SetRoleRequest { name: name.to_owned(), role: role.into() };
        present(self.agents.clone().set_role(request).await?.into_inner().agent)
    }

    /// Tells about an agent.
    ///
    /// # Errors
    /// There is no such agent, or the service cannot be reached.
    pub async fn agent(&self, name: &str) -> Result<v1::Agent, Error> {
        let request = v1::GetAgentRequest { name: name.to_owned() };
        present(self.agents.clone().get_agent(request).await?.into_inner().agent)
    }

    /// A page of the agents.
    ///
    /// # Errors
    /// The service refused or cannot be reached.
    pub async fn agents(&self, page_token: &str) -> Result<Page<v1::Agent>, Error> {
        let request = v1::ListAgentsRequest { page_size: 0, page_token: page_token.to_owned() };
        let page = self.agents.clone().list_agents(request).await?.into_inner();
        Ok(Page { entries: page.agents, next: page.next_page_token })
    }

    /// A page of a leaderboard: of the pool with these rules, or of the one with the most matches if they are empty.
    ///
    /// # Errors
    /// There is no such pool, or the service cannot be reached.
    pub async fn leaderboard(
        &self,
        rules: &str,
        page_token: &str,
    ) -> Result<v1::GetLeaderboardResponse, Error> {
        let request = v1::GetLeaderboardRequest {
            rules_text: rules.to_owned(),
            page_size: 1000,
            page_token: page_token.to_owned(),
        };
        Ok(self.agents.clone().get_leaderboard(request).await?.into_inner())
    }

    /// Makes a match.
    ///
    /// # Errors
    /// The match is impossible, or the service cannot be reached.
    pub async fn create_match(&self, config: v1::MatchConfig) -> Result<v1::Match, Error> {
        self.create_match_as(config, &request_id()).await
    }

    /// As [`Client::create_match`] with a request id of the caller's: repeating the call with the same one makes no
    /// second match.
    ///
    /// # Errors
    /// As [`Client::create_match`].
    pub async fn create_match_as(
        &self,
        config: v1::MatchConfig,
        request_id: &str,
    ) -> Result<v1::Match, Error> {
        let request = v1::CreateMatchRequest { config: Some(config), request_id: request_id.to_owned() };
        present(self.matches.clone().create_match(request).await?.into_inner().r#match)
    }

    /// Where a match stands.
    ///
    /// # Errors
    /// There is no such match, or the service cannot be reached.
    pub async fn get_match(&self, id: &str) -> Result<v1::Match, Error> {
        let request = v1::GetMatchRequest { match_id: id.to_owned() };
        present(self.matches.clone().get_match(request).await?.into_inner().r#match)
    }

    /// A page of the matches in a state, newest first.
    ///
    /// # Errors
    /// The service refused or cannot be reached.
    pub async fn matches(&self, state: v1::MatchState, page_token: &str) -> Result<Page<v1::Match>, Error> {
        let page_token = page_token.to_owned();
        let request =
            v1::ListMatchesRequest { state: state.into(), page_token, ..v1::ListMatchesRequest::default() };
        self.list_matches(request).await
    }

    /// A page of the matches that a request asks for, newest first: those of an agent, of a tournament, in a state.
    ///
    /// # Errors
    /// The service refused or cannot be reached.
    pub async fn list_matches(&self, request: v1::ListMatchesRequest) -> Result<Page<v1::Match>, Error> {
        let page = self.matches.clone().list_matches(request).await?.into_inner();
        Ok(Page { entries: page.matches, next: page.next_page_token })
    }

    /// The newest hundred of the running matches of a tournament; none of one that is not there.
    ///
    /// # Errors
    /// The service refused or cannot be reached.
    pub async fn running_matches(&self, tournament_id: &str) -> Result<Page<v1::Match>, Error> {
        let request = v1::ListMatchesRequest {
            state: v1::MatchState::Running.into(),
            tournament_id: tournament_id.to_owned(),
            ..v1::ListMatchesRequest::default()
        };
        self.list_matches(request).await
    }

    /// Takes a seat: the named one, or any that the caller may have. `entropy` is empty or 32 bytes.
    ///
    /// # Errors
    /// No such seat is free for the caller, or the service cannot be reached.
    pub async fn join_match(
        &self,
        id: &str,
        seat: Option<u32>,
        entropy: Vec<u8>,
    ) -> Result<v1::JoinMatchResponse, Error> {
        let request =
            v1::JoinMatchRequest { match_id: id.to_owned(), seat, entropy, request_id: request_id() };
        Ok(self.matches.clone().join_match(request).await?.into_inner())
    }

    /// Gives up the caller's seats.
    ///
    /// # Errors
    /// The caller has none, the match is over, or the service cannot be reached.
    pub async fn leave_match(&self, id: &str) -> Result<v1::Match, Error> {
        let request = v1::LeaveMatchRequest { match_id: id.to_owned(), request_id: request_id() };
        present(self.matches.clone().leave_match(request).await?.into_inner().r#match)
    }

    /// Ends a match without a result.
    ///
    /// # Errors
    /// The caller did not make it, it was played to its end, or the service cannot be reached.
    pub async fn abort_match(&self, id: &str) -> Result<v1::Match, Error> {
        let request = v1::AbortMatchRequest { match_id: id.to_owned(), request_id: request_id() };
        present(self.matches.clone().abort_match(request).await?.into_inner().r#match)
    }

    /// Answers a decision and returns the move as it was made.
    ///
    /// # Errors
    /// The choice was refused, or the service cannot be reached.
    pub async fn play(&self, choice: v1::Choice) -> Result<v1::Move, Error> {
        let request = v1::PlayRequest { choice: Some(choice) };
        present(self.matches.clone().play(request).await?.into_inner().r#move)
    }

    /// The events of a match from the one after `after_seq` on.
    ///
    /// # Errors
    /// There is no such match, or the service cannot be reached.
    pub async fn watch(&self, id: &str, after_seq: u64) -> Result<Events, Error> {
        let request = v1::WatchMatchRequest { match_id: id.to_owned(), after_seq, ..Default::default() };
        Ok(Events(self.matches.clone().watch_match(request).await?.into_inner()))
    }

    /// As [`Client::watch`], with the scene of each event: what everybody may know after it and what came to the table, which
    /// is enough to draw it. With `outlines` each scene has the table as text too.
    ///
    /// # Errors
    /// There is no such match, or the service cannot be reached.
    pub async fn watch_scenes(&self, id: &str, after_seq: u64, outlines: bool) -> Result<Scenes, Error> {
        let request = v1::WatchMatchRequest { match_id: id.to_owned(), after_seq, scenes: true, outlines };
        Ok(Scenes { stream: self.matches.clone().watch_match(request).await?.into_inner(), event: None })
    }

    /// The record of a match that is over.
    ///
    /// # Errors
    /// The match is not over, or the service cannot be reached.
    pub async fn record(&self, id: &str) -> Result<Record, Error> {
        let request = v1::GetRecordRequest { match_id: id.to_owned() };
        let record = present(self.matches.clone().get_record(request).await?.into_inner().record)?;
        Ok(Record::try_from(&record)?)
    }

    /// Opens the caller's session.
    pub(crate) async fn session(
        &self,
        up: impl tokio_stream::Stream<Item = v1::SessionRequest> + Send + 'static,
    ) -> Result<Streaming<v1::SessionResponse>, Error> {
        Ok(self.agents.clone().session(up).await?.into_inner())
    }
}

/// The events of a match, to its end.
pub struct Events(Streaming<v1::WatchMatchResponse>);

impl Events {
    /// The next event; `None` after the last.
    ///
    /// # Errors
    /// The stream broke; watch again from the last event.
    pub async fn next(&mut self) -> Result<Option<v1::Event>, Error> {
        loop {
            match self.0.message().await?.map(|message| message.what) {
                None => return Ok(None),
                Some(Some(What::Event(event))) => return Ok(Some(event)),
                Some(Some(What::Heartbeat(_) | What::Decision(_) | What::Scene(_)) | None) => {}
            }
        }
    }
}

/// The events of a match with their scenes, to its end.
pub struct Scenes {
    stream: Streaming<v1::WatchMatchResponse>,
    /// The event whose scene has not come yet.
    event: Option<v1::Event>,
}

impl Scenes {
    /// The next event with its scene; `None` after the last. The first scene tells all that lies, each one after it what
    /// came since. May be given up while waiting; nothing is lost.
    ///
    /// # Errors
    /// The stream broke; watch again from the last event that came with its scene. Or the service tells no scenes, being
    /// older than they are.
    pub async fn next(&mut self) -> Result<Option<(v1::Event, v1::Scene)>, Error> {
        loop {
            let Some(message) = self.stream.message().await? else { return Ok(None) };
            match message.what {
                Some(What::Event(event)) => {
                    if self.event.replace(event).is_some() {
                        return Err(Malformed::missing("scene").into());
                    }
                }
                Some(What::Scene(scene)) => {
                    let event = self.event.take_if(|event| event.seq == scene.seq);
                    return Ok(Some((event.ok_or_else(|| Malformed::missing("event"))?, scene)));
                }
                Some(What::Heartbeat(_) | What::Decision(_)) | None => {}
            }
        }
    }
}

/// Sends the token with every call.
#[derive(Clone)]
pub(crate) struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    fn new(token: Option<&str>) -> Result<Bearer, Error> {
        let value = token.map(|token| format!("Bearer {token}").parse()).transpose();
        let mut value: Option<MetadataValue<Ascii>> = value.map_err(|_| Error::Token)?;
        if let Some(value) = &mut value {
            value.set_sensitive(true);
        }
        Ok(Bearer(value))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}

/// Fresh entropy for a seat: 32 bytes from the system, or none if the system has none to give.
pub fn entropy() -> Vec<u8> {
    let mut bytes = vec![0; 32];
    if rand::rngs::SysRng.try_fill_bytes(&mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}

/// A text that no other request bears: 32 hexadecimal digits. For calls that take the caller's own, such as
/// [`Client::create_match_as`].
pub fn request_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}

pub(crate) fn present<T>(field: Option<T>) -> Result<T, Error> {
    field.ok_or_else(|| Malformed::missing("answer").into())
}

use std::sync::Arc;

use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::agent_service_client::AgentServiceClient;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tonic::Request;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;

use super::agents::{Agent, Lines};
use super::hub::Hub;
use super::session::Session;
use super::starter::Starter;
use super::watchers::watch;
use super::{channels, measure};
use crate::Failure;
use crate::job::{Job, Outcome, Way};
use crate::usage::memory;

/// Plays on the match service.
pub(crate) async fn run(job: &Job) -> Result<Outcome, Failure> {
    let channels = channels(&job.address, job.connections).await?;
    let mut agents = Vec::new();
    for index in 0..job.sessions as usize {
        let channel = channels[index % channels.len()].clone();
        agents.push(register(channel, &format!("agent-{index}")).await?);
    }
    let lines: Vec<_> = agents.iter().map(|_| Lines::new(job.way)).collect();
    let hub = Arc::new(Hub::new(lines.iter().map(|lines| lines.up.clone())));
    let (ended, ends) = mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    let watchers = (job.watchers > 0).then(|| {
        let (watchers, games) = mpsc::unbounded_channel();
        tasks.spawn(watch(channels.clone(), job.watchers, Arc::clone(&hub), games));
        watchers
    });
    let mut opened = JoinSet::new();
    for (desk, (agent, lines)) in agents.iter().zip(lines).enumerate() {
        let session = Session {
            desk,
            hub: Arc::clone(&hub),
            agent: agent.clone(),
            ended: ended.clone(),
            watchers: watchers.clone(),
        };
        let (ready, is_ready) = tokio::sync::oneshot::channel();
        opened.spawn(is_ready);
        tasks.spawn(session.run(lines, ready));
    }
    while let Some(opened) = opened.join_next().await {
        if opened?.is_err() {
            // The task knows why.
            if let Some(why) = tasks.join_next().await {
                why??;
            }
            return Err("a session could not be opened".into());
        }
    }
    let memory_before = memory(job.server)?;
    let names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
    let channel = connect(&job.address).await?;
    let starter = Starter { agent: register(channel, "starter").await?, names };
    tasks.spawn(starter.run(job.matches, job.rules(), ends));
    measure(job, &hub, u64::from(job.matches) * 4, &mut tasks, memory_before).await
}

/// A connection of its own.
pub(crate) async fn connect(address: &str) -> Result<Channel, Failure> {
    channels(address, 1).await?.pop().ok_or_else(|| "no connection".into())
}

/// Registers an agent.
pub(crate) async fn register(channel: Channel, name: &str) -> Result<Agent, Failure> {
    let request = v1::RegisterAgentRequest { name: name.to_owned(), request_id: String::new() };
    let token = AgentServiceClient::new(channel.clone()).register_agent(request).await?.into_inner().token;
    let bearer: MetadataValue<Ascii> = format!("Bearer {token}").parse()?;
    Ok(Agent { name: name.to_owned(), bearer, channel })
}

impl Agent {
    /// A call in the agent's name.
    pub(crate) fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.bearer.clone());
        request
    }
}

impl Job {
    fn rules(&self) -> v1::Rules {
        v1::Rules { rounds: self.rounds, max_pip: self.max_pip, ..v1::Rules::default() }
    }
}

impl Lines {
    fn new(way: Way) -> Lines {
        let (up, answers) = mpsc::unbounded_channel();
        Lines { way, up, answers }
    }
}

use std::time::Duration;

use bytes::Bytes;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, ReflectMessage};
use tokio::time::{Instant, sleep};

use super::client::{Both, RawClient, refusal};
use super::same::Drawn;
use super::tape::{Line, Tape};
use crate::Failure;

/// How long a call that only reads is repeated until it tells what it told then: what it asks for may take its time.
const UNTIL: Duration = Duration::from_secs(30);

/// Plays a tape to the service; returns how many messages came down as they had.
pub(super) async fn visit(address: &str, pool: &DescriptorPool, tape: &Tape) -> Result<usize, Failure> {
    let mut visitor =
        Visitor { client: RawClient::new(address)?, pool, drawn: Drawn::default(), token: None, held: 0 };
    let mut lines = tape.lines.as_slice();
    while let Some((Line::Call(method), rest)) = lines.split_first() {
        let end = rest.iter().position(|line| matches!(line, Line::Call(_))).unwrap_or(rest.len());
        let (call, more) = rest.split_at(end);
        visitor.call(method, call).await.map_err(|why| format!("{method}: {why}"))?;
        lines = more;
    }
    Ok(visitor.held)
}

struct Visitor<'a> {
    client: RawClient,
    pool: &'a DescriptorPool,
    drawn: Drawn,
    /// The token of then.
    token: Option<String>,
    held: usize,
}

impl Visitor<'_> {
    async fn call(&mut self, method: &str, lines: &[Line]) -> Result<(), Failure> {
        let output = self.output(method)?;
        if let Some(then) = self.token.as_ref().and_then(|token| self.drawn.now(token)) {
            self.client.token = Some(then.clone());
        }
        match lines.split_first() {
            Some((Line::Up(first), rest)) if rest.iter().any(|line| matches!(line, Line::Up(_))) => {
                self.session(method, &output, first, rest).await
            }
            Some((Line::Up(message), answers)) => {
                if method == "MatchService/CreateMatch" {
                    // Of matches that are made in one millisecond lists tell no order, but by ids, which are drawn.
                    sleep(Duration::from_millis(2)).await;
                }
                self.unary(method, &output, message, answers).await
            }
            _ => Err("a call begins with what goes up".into()),
        }
    }

    /// The type of what comes down, as the client knows it.
    fn output(&self, method: &str) -> Result<MessageDescriptor, Failure> {
        let (service, name) = method.split_once('/').ok_or("no method")?;
        let service = self.pool.get_service_by_name(&format!("chickenfoot.v1.{service}"));
        let found = service.and_then(|service| service.methods().find(|method| method.name() == name));
        Ok(found.ok_or("the recording's contract has no such method")?.output())
    }

    async fn unary(
        &mut self,
        method: &str,
        output: &MessageDescriptor,
        message: &Bytes,
        answers: &[Line],
    ) -> Result<(), Failure> {
        let reads =
            method.split('/').nth(1).is_some_and(|name| name.starts_with("Get") || name.starts_with("List"));
        let end = Instant::now() + UNTIL;
        loop {
            let answer = self.client.call(method, self.drawn.replace(message)).await?;
            let lines: Vec<Line> = match answer {
                Ok(messages) => messages.into_iter().map(Line::Down).collect(),
                Err(status) => vec![Line::Refused(refusal(&status))],
            };
            match self.all(output, answers, &lines) {
                Ok(()) => return Ok(()),
                Err(why) if !reads || Instant::now() > end => return Err(why),
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn all(&mut self, output: &MessageDescriptor, then: &[Line], now: &[Line]) -> Result<(), Failure> {
        if then.len() != now.len() {
            return Err(format!("{} messages came down, and {} do now", then.len(), now.len()).into());
        }
        for (then, now) in then.iter().zip(now) {
            match (then, now) {
                (Line::Down(then), Line::Down(now)) => {
                    let then = DynamicMessage::decode(output.clone(), then.clone())?;
                    self.drawn.agree(&then, &DynamicMessage::decode(output.clone(), now.clone())?)?;
                    self.note_token(&then);
                }
                (then, now) if then == now => {}
                (then, now) => return Err(format!("was {then:?}, is {now:?}").into()),
            }
            self.held += 1;
        }
        Ok(())
    }

    fn note_token(&mut self, message: &DynamicMessage) {
        let token = message.get_field_by_name("token");
        if let Some(token) = token.as_deref().and_then(|value| value.as_str()) {
            self.token = Some(token.to_owned());
        }
    }

    /// Sends each message once all that had come down before it has come, in whatever order: of different matches, and of
    /// a choice and what follows from it, a client may not expect one.
    async fn session(
        &mut self,
        method: &str,
        output: &MessageDescriptor,
        first: &Bytes,
        lines: &[Line],
    ) -> Result<(), Failure> {
        let mut both = self.client.open(method, self.drawn.replace(first)).await?;
        let mut waiting = Vec::new();
        for line in lines {
            match line {
                Line::Up(message) => both.up.send(self.drawn.replace(message)).await?,
                Line::Down(then) => {
                    let then = DynamicMessage::decode(output.clone(), then.clone())?;
                    self.await_like(&then, &mut both, &mut waiting).await?;
                    self.held += 1;
                }
                Line::Call(_) | Line::Refused(_) => return Err("this cannot stand within a session".into()),
            }
        }
        Ok(())
    }

    /// Waits for a message that agrees with the one of then. Others wait for their turn.
    async fn await_like(
        &mut self,
        then: &DynamicMessage,
        both: &mut Both,
        waiting: &mut Vec<DynamicMessage>,
    ) -> Result<(), Failure> {
        if let Some(at) = waiting.iter().position(|now| self.drawn.agree(then, now).is_ok()) {
            waiting.remove(at);
            return Ok(());
        }
        loop {
            let next = both.next().await;
            let Ok(Some(bytes)) = next else {
                let differences = waiting.iter().filter(|now| kind(now) == kind(then));
                let told = differences
                    .filter_map(|now| self.drawn.agree(then, now).err())
                    .map(|why| why.to_string());
                let told: Vec<String> = told.collect();
                return Err(format!("{} did not come; {}", kind(then), told.join("; ")).into());
            };
            let now = DynamicMessage::decode(then.descriptor(), bytes)?;
            if self.drawn.agree(then, &now).is_ok() {
                return Ok(());
            }
            waiting.push(now);
        }
    }
}

/// Which of its kinds a message of a session is; empty for one that the client does not know.
fn kind(message: &DynamicMessage) -> String {
    message.fields().next().map(|(field, _)| field.name().to_owned()).unwrap_or_default()
}

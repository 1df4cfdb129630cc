use std::time::Duration;

use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

use crate::client::Client;
use crate::error::Error;

/// Messages that may wait to be sent.
const UP_QUEUE: usize = 1024;

/// Heartbeats that may be missed before the connection counts as dead.
const MISSED: u32 = 3;

/// How long the service may take to say Hello.
const HELLO: Duration = Duration::from_secs(10);

/// An open session: what is sent up and what comes down.
///
/// For a player that no [`crate::Bot`] can be, such as a person who may be interrupted while thinking. A [`Runner`]
/// does all of this by itself.
///
/// [`Runner`]: crate::Runner
pub struct Session {
    up: mpsc::Sender<v1::SessionRequest>,
    down: Streaming<v1::SessionResponse>,
    /// Silence for so long means that the connection is dead.
    silence: Duration,
}

impl Session {
    /// Opens a session and waits for Hello. It takes over from any other session of the same agent. `open.resume` names
    /// the matches that are known from an earlier session, so that nothing of them comes twice and their end is told.
    ///
    /// # Errors
    /// The token is wrong, or the service cannot be reached or does not greet in time.
    pub async fn open(client: &Client, open: v1::Open) -> Result<(Session, v1::Hello), Error> {
        let (up, queue) = mpsc::channel(UP_QUEUE);
        // Before the call: the service answers only after the first message.
        let _ = up.send(v1::SessionRequest { what: Some(Up::Open(open)) }).await;
        let opening = async {
            let down = client.session(ReceiverStream::new(queue)).await?;
            let mut session = Session { up, down, silence: HELLO };
            match session.next().await? {
                Down::Hello(hello) => Ok((session, hello)),
                _ => Err(Error::Connection("the service did not begin with Hello".to_owned())),
            }
        };
        let late = |_| Error::Connection("the service did not say Hello in time".to_owned());
        let (mut session, hello) = tokio::time::timeout(HELLO, opening).await.map_err(late)??;
        let interval = hello.heartbeat_interval.and_then(|wire| Duration::try_from(wire).ok());
        session.silence = interval.unwrap_or(HELLO) * MISSED;
        Ok((session, hello))
    }

    /// The next message. May be given up while waiting; nothing is lost.
    ///
    /// # Errors
    /// The stream ended, broke, or was silent for too long. A new session gets sent again what is still open.
    pub async fn next(&mut self) -> Result<Down, Error> {
        loop {
            let message = tokio::time::timeout(self.silence, self.down.message())
                .await
                .map_err(|_| Error::Connection(format!("silent for {:?}", self.silence)))??;
            match message {
                None => return Err(Error::Ended),
                Some(v1::SessionResponse { what: Some(what) }) => return Ok(what),
                // A kind of message that this version does not know.
                Some(v1::SessionResponse { what: None }) => {}
            }
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The session is over.
    pub async fn send(&self, what: Up) -> Result<(), Error> {
        let message = v1::SessionRequest { what: Some(what) };
        self.up.send(message).await.map_err(|_| Error::Ended)
    }

    /// Sends messages, as soon as there is room for it.
    pub(crate) fn sender(&self) -> mpsc::Sender<v1::SessionRequest> {
        self.up.clone()
    }
}

use chickenfoot_protocol::v1;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;

use crate::job::Way;

/// An agent of the service.
#[derive(Clone)]
pub(crate) struct Agent {
    pub(crate) name: String,
    /// What its calls carry.
    pub(crate) bearer: MetadataValue<Ascii>,
    /// The connection that it shares with others.
    pub(crate) channel: Channel,
}

/// The way up of a session.
pub(crate) struct Lines {
    pub(crate) way: Way,
    pub(crate) up: UnboundedSender<v1::SessionRequest>,
    pub(crate) answers: UnboundedReceiver<v1::SessionRequest>,
}

/// How the connection to the service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// It holds.
    Up,
    /// It was lost, and is tried again.
    Down {
        /// Why, in words.
        why: String,
    },
    /// It will not come back.
    Gone {
        /// Why, in words.
        why: String,
    },
}

impl Link {
    /// Whether there is none at present.
    pub(crate) fn is_down(&self) -> bool {
        !matches!(self, Link::Up)
    }

    /// What to say of it, if anything: with how many events are missing.
    pub(crate) fn words(&self, behind: u64) -> Option<String> {
        let behind = if behind > 0 { format!(", {behind} behind") } else { String::new() };
        match self {
            Link::Up => None,
            Link::Down { why } => Some(format!("connection lost{behind}, trying again: {why}")),
            Link::Gone { why } => Some(why.clone()),
        }
    }
}

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;

use crate::access::AccessArgs;
use crate::tls::TlsArgs;

/// How the service runs.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address to listen on. Port 0 takes a free one; the address is printed.
    #[arg(long, env = "CHICKENFOOT_LISTEN", default_value = "127.0.0.1:7440", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: Limits,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub access: AccessArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub tls: TlsArgs,
}

/// What bounds a client.
#[derive(Clone, Debug, Args)]
pub struct Limits {
    /// Seconds without another message after which a stream sends a heartbeat, 1 to 600.
    #[arg(long, env = "CHICKENFOOT_HEARTBEAT", default_value_t = 10, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=600))]
    pub heartbeat: u64,
    /// Largest message that is taken, in bytes, 1,024 to 4,194,304.
    #[arg(long, env = "CHICKENFOOT_MAX_MESSAGE", default_value_t = 65_536, value_name = "BYTES",
          value_parser = clap::value_parser!(u32).range(1024..=4_194_304))]
    pub max_message: u32,
    /// Most choices and replies of one session that may wait for their answer at once, 1 to 65,536.
    #[arg(long, env = "CHICKENFOOT_MAX_PENDING", default_value_t = 1024, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub max_pending: u32,
    /// Most streams and calls at once on one connection, 1 to 1,000,000.
    #[arg(long, env = "CHICKENFOOT_MAX_STREAMS", default_value_t = 10_000, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_streams: u32,
}

impl Limits {
    /// Time without another message after which a stream sends a heartbeat.
    pub fn heartbeat_interval(&self) -> Duration {
        Duration::from_secs(self.heartbeat)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { heartbeat: 10, max_message: 65_536, max_pending: 1024, max_streams: 10_000 }
    }
}

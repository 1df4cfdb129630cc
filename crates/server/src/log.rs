use std::io::IsTerminal;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::config::{Log, LogFormat};

/// Writes the log to stderr from now on.
///
/// No hand, seed or token is ever logged, whatever the level.
pub fn start(log: Log) {
    let text = match log.format {
        LogFormat::Auto => std::io::stderr().is_terminal(),
        LogFormat::Text => true,
        LogFormat::Json => false,
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| filter(log.level));
    // Fails only where somebody logs already.
    let _ = tracing::subscriber::set_global_default(subscriber(text, filter, std::io::stderr));
}

/// The service's own events at a level, and of the libraries' only what is wrong.
fn filter(level: LevelFilter) -> EnvFilter {
    let libraries = level.min(LevelFilter::WARN);
    let own = ["server", "arena", "store", "bot"].map(|name| format!("chickenfoot_{name}={level}")).join(",");
    EnvFilter::new(format!("{libraries},{own}"))
}

fn subscriber<W>(text: bool, filter: EnvFilter, to: W) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(to);
    if text {
        Box::new(builder.with_target(false).finish())
    } else {
        Box::new(builder.json().flatten_event(true).finish())
    }
}

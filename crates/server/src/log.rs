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

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use chickenfoot_bot::{Client, Runner, strategy_bots};
    use chickenfoot_protocol::v1::{self, event::What, seat_spec::Who};
    use tokio::net::TcpListener;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::{Limits, Server};

    /// Where a test's log goes.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Everything that anybody logs, the libraries included, while two agents play.
    #[tokio::test]
    async fn no_token_seed_or_hand_is_logged_at_any_level() {
        let kept = Kept::default();
        let to = kept.clone();
        let subscriber = subscriber(false, EnvFilter::new("trace"), move || to.clone());
        let _logging = tracing::subscriber::set_default(subscriber);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let server = Server::in_memory(Limits::default()).run(listener, stop.clone().cancelled_owned());
        let server = tokio::spawn(server);

        let mut secrets = Vec::new();
        let mut runners = Vec::new();
        for name in ["alice", "bob"] {
            let token = Client::connect(&address, None).unwrap().register(name).await.unwrap();
            let runner = Runner::new(&address, &token).games(1);
            let bots = strategy_bots("greedy", 1).unwrap();
            runners.push(tokio::spawn(async move { runner.run(bots, std::future::pending()).await }));
            secrets.push(token);
        }
        let client = Client::connect(&address, Some(&secrets[0])).unwrap();
        let seat = |name: &str| v1::SeatSpec { who: Some(Who::Agent(name.to_owned())) };
        let rules = v1::Rules { rounds: Some(1), ..v1::Rules::default() };
        let seats = vec![seat("alice"), seat("bob")];
        let config = v1::MatchConfig { seats, rules: Some(rules), ..v1::MatchConfig::default() };
        let id = client.create_match(config).await.unwrap().id;
        for runner in runners {
            runner.await.unwrap().unwrap();
        }
        let seed = client.get_match(&id).await.unwrap().seed;
        secrets.push(seed.iter().map(|byte| format!("{byte:02x}")).collect());
        secrets.push(format!("{seed:?}"));
        let mut events = client.watch(&id, 0).await.unwrap();
        while let Some(event) = events.next().await.unwrap() {
            if let Some(What::HandDealt(dealt)) = event.what {
                secrets.push(format!("{:?}", dealt.tiles));
                let tiles = dealt.tiles.iter().map(|tile| format!("{}-{}", tile.low(), tile.high()));
                // As the rules write a list of tiles; a few are enough.
                secrets.push(tiles.take(3).collect::<Vec<_>>().join(", "));
            }
        }
        stop.cancel();
        server.await.unwrap().unwrap();

        let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        assert!(log.contains("registered") && log.contains("\"TRACE\""), "this is no log");
        assert!(secrets.len() >= 8, "{}", secrets.len());
        for secret in secrets {
            if let Some(line) = log.lines().find(|line| line.contains(&secret)) {
                panic!("{secret} is in the log: {line}");
            }
        }
    }

    #[test]
    fn libraries_say_only_what_is_wrong() {
        let level = |level: LevelFilter| filter(level).max_level_hint();
        assert_eq!(level(LevelFilter::DEBUG), Some(LevelFilter::DEBUG));
        assert_eq!(level(LevelFilter::OFF), Some(LevelFilter::OFF));
        assert!(filter(LevelFilter::TRACE).to_string().contains("warn"));
    }
}

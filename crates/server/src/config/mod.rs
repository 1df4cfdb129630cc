use std::fmt::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

mod error;
mod file;
mod flags;
mod key;
mod limits;
mod telemetry;
mod tls;

pub use error::{ConfigError, Origin};
pub use flags::Flags;
pub use key::{KEYS, Key, Kind};
pub use limits::Limits;

use crate::access::AccessFrom;
use crate::tls::TlsFiles;
use crate::traces::TracesTo;
use file::File;
use key::Value;

/// Every key with its value and where that came from.
type Resolved = Vec<(&'static Key, Value, Origin)>;

/// How the service runs: every value checked, none to be looked up again.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Whether the spectators' page is served.
    pub page: bool,
    /// Address of the operator's HTTP port (metrics, liveness, readiness), if there is to be one.
    pub admin_listen: Option<SocketAddr>,
    /// Where agents and matches are kept.
    pub store: StoreAt,
    /// How long matches that are over are kept; for ever if it is not said.
    pub keep_matches: Option<Duration>,
    /// How long stopping may take.
    pub drain: Duration,
    /// Who comes in.
    pub access: AccessFrom,
    /// The certificates, if the service is to speak TLS.
    pub tls: Option<TlsFiles>,
    /// What bounds clients.
    pub limits: Limits,
    /// The log.
    pub log: Log,
    /// The collector of traces, if there is one.
    pub traces: Option<TracesTo>,
    resolved: Resolved,
}

/// Where agents and matches are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAt {
    /// In the process; they are lost when it ends.
    Memory,
    /// In this file.
    File(PathBuf),
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    /// What is too unimportant to be written.
    pub level: tracing::level_filters::LevelFilter,
    /// What a line looks like.
    pub format: LogFormat,
}

/// What a line of the log looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl Config {
    /// Finds the value of every key: a flag's before the environment's before the file's before the default.
    /// `file` is a file's name and content.
    ///
    /// # Errors
    /// A value is beyond its bounds or lacks another one beside it, or the file is no TOML or has a key that does not
    /// exist.
    pub fn resolve(
        flags: &Flags,
        env: impl Fn(&str) -> Option<String>,
        file: Option<(&str, &str)>,
    ) -> Result<Config, ConfigError> {
        let file = file.map(|(name, text)| File::read(name, text)).transpose()?.unwrap_or_default();
        let mut resolved = Vec::with_capacity(KEYS.len());
        for key in key::all() {
            let given = (flags.value(key).map(|text| (text.to_owned(), Origin::Flag(key.flag()))))
                .or_else(|| env(&key.env()).map(|text| (text, Origin::Env(key.env()))))
                .or_else(|| file.value(key));
            let (value, origin) = match given {
                None => (key.default_value(), Origin::Default),
                Some((text, origin)) => match key.read(&text) {
                    Ok(value) => (value, origin),
                    Err(bound) => return Err(ConfigError::value(key, &text, bound, origin)),
                },
            };
            resolved.push((key, value, origin));
        }
        let tls = tls::files(&resolved)?;
        let traces = telemetry::traces(&resolved)?;
        Ok(Config::of(resolved, tls, traces))
    }

    /// The keys' checks have accepted the texts, so reading them here cannot fail; the defaults are for the compiler.
    fn of(mut resolved: Resolved, tls: Option<TlsFiles>, traces: Option<TracesTo>) -> Config {
        let find = |id: &str| resolved.iter().find(|(key, ..)| key.id() == id).map(|(_, value, _)| value);
        let text = |id: &str| find(id).map(Value::text).unwrap_or_default();
        let number = |id: &str| find(id).map(Value::number).unwrap_or_default();
        let config = Config {
            listen: key::address(&text("server.listen")).unwrap_or_else(|| ([127, 0, 0, 1], 0).into()),
            page: text("server.page") == "on",
            admin_listen: key::address(&text("server.admin_listen")),
            store: match text("server.store").as_str() {
                "memory" => StoreAt::Memory,
                path => StoreAt::File(path.into()),
            },
            keep_matches: key::days(&text("store.keep_matches")),
            drain: Duration::from_secs(number("server.drain")),
            access: AccessFrom {
                registration: key::registration(&text("access.registration")).unwrap_or_default(),
                admin_token_file: some_path(text("access.admin_token_file")),
                admin_token: key::admin_token(&text("access.admin_token")),
            },
            tls,
            traces,
            limits: Limits::of(|name| number(&format!("limits.{name}"))),
            log: Log {
                level: key::level(&text("log.level")).unwrap_or(tracing::level_filters::LevelFilter::INFO),
                format: match text("log.format").as_str() {
                    "text" => LogFormat::Text,
                    "json" => LogFormat::Json,
                    _ => LogFormat::Auto,
                },
            },
            resolved: Vec::new(),
        };
        // What is not there cannot be printed by anything.
        for (_, value, _) in resolved.iter_mut().filter(|(key, ..)| key.secret) {
            *value = Value::Text(String::new());
        }
        Config { resolved, ..config }
    }

    /// All keys as a TOML file with their meaning, bounds and where the values came from. Secrets are hidden, and stand
    /// in comments: no file may have them.
    pub fn to_toml(&self) -> String {
        let mut toml = String::new();
        let mut section = "";
        for (key, value, origin) in &self.resolved {
            if key.section != section {
                let gap = if section.is_empty() { "" } else { "\n" };
                section = key.section;
                // Writing to a String cannot fail.
                let _ = writeln!(toml, "{gap}[{section}]");
            }
            let value = key.to_toml(value);
            let comment = if key.secret { "# " } else { "" };
            let _ =
                writeln!(toml, "# {} {}.\n{comment}{} = {value} # {origin}", key.doc, key.bound(), key.name);
        }
        toml
    }
}

fn some_path(text: String) -> Option<PathBuf> {
    (!text.is_empty()).then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(flags: &[(&str, &str)], env: &[(&str, &str)], file: &str) -> Result<Config, ConfigError> {
        let env =
            |name: &str| env.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
        Config::resolve(&Flags::of(flags), env, Some(("chickenfoot.toml", file)))
    }

    #[test]
    fn flags_go_before_the_environment_before_the_file_before_defaults() {
        let file = "[limits]\nheartbeat = 1\nmax_pending = 2\nmax_streams = 3\n";
        let env = [("CHICKENFOOT_HEARTBEAT", "11"), ("CHICKENFOOT_MAX_PENDING", "12")];
        let limits = resolve(&[("heartbeat", "21")], &env, file).unwrap().limits;
        let expected = Limits { heartbeat: 21, max_pending: 12, max_streams: 3, ..Limits::default() };
        assert_eq!(limits, expected);
    }

    #[test]
    fn a_wrong_value_is_named_with_its_place_and_bound() {
        let said = |result: Result<Config, ConfigError>| result.unwrap_err().to_string();
        let bound = "Number of seconds, 1 to 600";
        assert_eq!(said(resolve(&[("heartbeat", "0")], &[], "")), format!("--heartbeat: \"0\": {bound}"));
        assert_eq!(
            said(resolve(&[], &[("CHICKENFOOT_HEARTBEAT", "601")], "")),
            format!("CHICKENFOOT_HEARTBEAT: \"601\": {bound}")
        );
        assert_eq!(
            said(resolve(&[], &[], "[log]\nlevel = \"info\"\n[limits]\nheartbeat = -1\n")),
            format!("chickenfoot.toml, line 4: limits.heartbeat: \"-1\": {bound}")
        );
    }

    #[test]
    fn matches_are_kept_for_ever_or_for_whole_days() {
        let kept = |text: &str| resolve(&[("keep-matches", text)], &[], "").map(|config| config.keep_matches);
        assert_eq!(resolve(&[], &[], "").unwrap().keep_matches, None);
        assert_eq!(kept("forever"), Ok(None));
        assert_eq!(kept("1"), Ok(Some(Duration::from_secs(86_400))));
        let config = resolve(&[], &[], "[store]\nkeep_matches = 30\n").unwrap();
        assert_eq!(config.keep_matches, Some(Duration::from_secs(30 * 86_400)));
        assert!(config.to_toml().contains("keep_matches = \"30\""));
        for text in ["0", "0.5", "12h", "36501", "-1", ""] {
            assert!(kept(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_file_has_known_keys_only() {
        let said = |file| resolve(&[], &[], file).unwrap_err().to_string();
        assert_eq!(said("[limits]\n\nheart = 1"), "chickenfoot.toml, line 3: there is no key limits.heart");
        assert_eq!(said("[limit]\nheartbeat = 1"), "chickenfoot.toml, line 1: there is no section limit");
        assert_eq!(said("heartbeat = 1"), "chickenfoot.toml, line 1: there is no section heartbeat");
        assert!(said("[limits]\nheartbeat = \n").starts_with("chickenfoot.toml, line 2: "));
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let flags = [("listen", "[::1]:0"), ("store", "a \"b\"\\c"), ("log-format", "json"), ("drain", "3")];
        let config = resolve(&flags, &[], "").unwrap();
        let again = resolve(&[], &[], &config.to_toml()).unwrap();
        let values = |config: &Config| config.resolved.iter().map(|row| row.1.clone()).collect::<Vec<_>>();
        assert_eq!(values(&config), values(&again));
        assert_eq!(again.store, StoreAt::File("a \"b\"\\c".into()));
        assert_eq!(again.admin_listen, None);
    }

    #[test]
    fn every_default_keeps_its_bound_and_every_name_is_its_own() {
        let config = resolve(&[], &[], "").unwrap();
        assert_eq!(config.limits, Limits::default());
        let again = resolve(&[], &[], &config.to_toml());
        assert!(again.is_ok(), "{again:?}");
        let mut names: Vec<String> = key::all().map(Key::flag).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), key::all().count());
    }

    #[test]
    fn secrets_are_not_printed() {
        let key = Key { secret: true, ..KEYS[0] };
        assert_eq!(key.to_toml(&Value::Text("hunter2".to_owned())), "\"(hidden)\"");
        let error = ConfigError::value(&key, "hunter2", key.bound(), Origin::Default);
        assert!(!error.to_string().contains("hunter2"));
    }

    #[test]
    fn the_admins_token_comes_from_the_environment_and_goes_nowhere() {
        let token = "hunter2".repeat(5);
        let env = [("CHICKENFOOT_ADMIN_TOKEN", token.as_str())];
        let config = resolve(&[], &env, "").unwrap();
        assert!(config.access.admin_token.is_some());
        let printed = format!("{config:?}{}", config.to_toml());
        assert!(printed.contains("# admin_token = \"(hidden)\" # CHICKENFOOT_ADMIN_TOKEN"), "{printed}");
        assert!(!printed.contains("hunter2"), "{printed}");
        let said =
            resolve(&[], &[], &format!("[access]\nadmin_token = \"{token}\"\n")).unwrap_err().to_string();
        let expected = "access.admin_token is a secret: set CHICKENFOOT_ADMIN_TOKEN in the environment";
        assert_eq!(said, format!("chickenfoot.toml, line 2: {expected}"));
    }
}

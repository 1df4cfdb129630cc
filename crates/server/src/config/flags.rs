use std::collections::HashMap;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::key::{self, Key, Kind};

/// The flags of the configuration: one for every key that is no secret, made from the table of keys.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// A TOML file to read.
    pub config: Option<PathBuf>,
    /// Whether the configuration is to be printed instead of used.
    pub print_config: bool,
    /// The values that were given, by flag.
    values: HashMap<String, String>,
}

impl Flags {
    pub(super) fn value(&self, key: &Key) -> Option<&str> {
        self.values.get(&key.flag()).map(String::as_str)
    }

    #[cfg(test)]
    pub(super) fn of(values: &[(&str, &str)]) -> Flags {
        let values = values.iter().map(|(flag, value)| ((*flag).to_owned(), (*value).to_owned()));
        Flags { values: values.collect(), ..Flags::default() }
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new("config")
            .long("config")
            .env("CHICKENFOOT_CONFIG")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("TOML file with any of these keys; --print-config shows what it looks like");
        let print = Arg::new("print_config")
            .long("print-config")
            .action(ArgAction::SetTrue)
            .help("Print the configuration as TOML, secrets hidden, and exit");
        command.arg(config).arg(print).args(key::all().filter(|key| !key.secret).map(|key| {
            let (value_name, default) = match key.kind {
                Kind::Number { unit, default, .. } => (unit.to_uppercase(), default.to_string()),
                Kind::Text { default: "", .. } => ("TEXT".to_owned(), "nothing".to_owned()),
                Kind::Text { default, .. } => ("TEXT".to_owned(), default.to_owned()),
            };
            let help = format!("{} {} [default: {default}] [env: {}]", key.doc, key.bound(), key.env());
            Arg::new(key.flag())
                .long(key.flag())
                .value_name(value_name)
                .help(help)
                .allow_hyphen_values(true)
                .help_heading(key.section)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, clap::Error> {
        let flags = key::all().filter(|key| !key.secret).map(Key::flag);
        let values = flags.filter_map(|flag| Some((flag.clone(), matches.get_one::<String>(&flag)?.clone())));
        Ok(Flags {
            config: matches.get_one::<PathBuf>("config").cloned(),
            print_config: matches.get_flag("print_config"),
            values: values.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Flags::from_arg_matches(matches)?;
        Ok(())
    }
}

use std::collections::HashMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Origin};
use super::key::{self, Key};

/// What a configuration file says, value by value, with the line of each.
#[derive(Debug, Default)]
pub(super) struct File {
    name: String,
    values: HashMap<String, (String, usize)>,
}

impl File {
    /// Reads a file's text.
    ///
    /// # Errors
    /// It is no TOML, or has a section, key or type of value that does not exist.
    pub(super) fn read(name: &str, text: &str) -> Result<File, ConfigError> {
        let line = |at: usize| 1 + text.get(..at).unwrap_or(text).matches('\n').count();
        let wrong = |at: usize, what: String| {
            ConfigError::new(Origin::File { name: name.to_owned(), line: line(at) }, what)
        };
        let table = DeTable::parse(text).map_err(|why| {
            let at = why.span().map_or(0, |span| span.start);
            wrong(at, why.message().to_owned())
        })?;
        let mut values = HashMap::new();
        for (section, content) in table.get_ref() {
            let known = |key: &Key| key.section == section.get_ref();
            let DeValue::Table(content) = content.get_ref() else {
                return Err(wrong(
                    section.span().start,
                    format!("there is no section {}", section.get_ref()),
                ));
            };
            if !key::all().any(known) {
                return Err(wrong(
                    section.span().start,
                    format!("there is no section {}", section.get_ref()),
                ));
            }
            for (key, value) in content {
                let id = format!("{}.{}", section.get_ref(), key.get_ref());
                let at = key.span().start;
                let Some(known) = key::all().find(|known| known.id() == id) else {
                    return Err(wrong(at, format!("there is no key {id}")));
                };
                if known.secret {
                    let env = known.env();
                    return Err(wrong(at, format!("{id} is a secret: set {env} in the environment")));
                }
                let text = scalar(value)
                    .ok_or_else(|| wrong(value.span().start, format!("{id} must be a number or a text")))?;
                values.insert(id, (text, line(value.span().start)));
            }
        }
        Ok(File { name: name.to_owned(), values })
    }

    pub(super) fn value(&self, key: &Key) -> Option<(String, Origin)> {
        let (text, line) = self.values.get(&key.id())?;
        Some((text.clone(), Origin::File { name: self.name.clone(), line: *line }))
    }
}

fn scalar(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => None,
    }
}

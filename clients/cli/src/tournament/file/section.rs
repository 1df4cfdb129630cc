use std::ops::RangeInclusive;
use std::time::Duration;

use clap::ValueEnum;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::FileError;
use crate::time::time;

pub(super) const SECOND: Duration = Duration::from_secs(1);
pub(super) const HOUR: Duration = Duration::from_secs(3600);

/// The text that errors point into.
pub(super) struct Source<'a> {
    /// What the file is called.
    pub(super) name: &'a str,
    /// All of it.
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// An error at a byte of the text.
    pub(super) fn error(&self, at: usize, key: String, what: String) -> FileError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        FileError {
            file: self.name.to_owned(),
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
            key,
            what,
        }
    }
}

/// A table of the file, whose values are asked for by key and type. A key that is not there gives `None`.
pub(super) struct Section<'a> {
    source: &'a Source<'a>,
    /// With a dot at the end; empty at the top.
    path: String,
    /// Where the table begins.
    at: usize,
    table: &'a DeTable<'a>,
}

impl<'a> Section<'a> {
    /// The whole file.
    pub(super) fn top(source: &'a Source<'a>, table: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        Section { source, path: String::new(), at: 0, table: table.get_ref() }
    }

    /// Refuses every key but these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), FileError> {
        match self.table.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
            None => Ok(()),
            Some(key) => {
                let what = format!("there is no such key here; there are {}", known.join(", "));
                Err(self.error(key.span().start, key.get_ref(), what))
            }
        }
    }

    /// A value that has to be there.
    pub(super) fn must<T>(&self, key: &str, value: Option<T>) -> Result<T, FileError> {
        value.ok_or_else(|| self.error(self.at, key, "must be given".to_owned()))
    }

    /// An error about the value of a key, or about the table if it has no such key.
    pub(super) fn wrong(&self, key: &str, what: impl Into<String>) -> FileError {
        let at = self.table.get(key).map_or(self.at, |value| value.span().start);
        self.error(at, key, what.into())
    }

    /// Whether the table has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, FileError> {
        self.typed(key, "a text", |value| match value {
            DeValue::String(text) => Some(text.as_ref()),
            _ => None,
        })
    }

    /// `true` or `false`; without the key `false`.
    pub(super) fn flag(&self, key: &str) -> Result<bool, FileError> {
        Ok(self.typed(key, "true or false", DeValue::as_bool)?.unwrap_or_default())
    }

    /// A whole number in a range.
    pub(super) fn whole(&self, key: &str, range: RangeInclusive<u32>) -> Result<Option<u32>, FileError> {
        let integer = self.typed(key, "a whole number", |value| value.as_integer())?;
        let Some(integer) = integer else {
            return Ok(None);
        };
        match u32::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => {
                let (least, most) = (range.start(), range.end());
                Err(self.wrong(key, format!("must be {least} to {most}, not {integer}")))
            }
        }
    }

    /// A number above 0 that is below `limit`, or up to it.
    pub(super) fn positive(&self, key: &str, limit: Limit) -> Result<Option<f64>, FileError> {
        let number = self.typed(key, "a number", |value| match value {
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            _ => None,
        })?;
        let Some(text) = number else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|number| limit.allows(*number));
        number.map(Some).ok_or_else(|| self.wrong(key, format!("must be {limit}, not {text}")))
    }

    /// A time such as "30s" or "500ms".
    pub(super) fn time(
        &self,
        key: &str,
        range: RangeInclusive<Duration>,
    ) -> Result<Option<prost_types::Duration>, FileError> {
        const FORM: &str = "a time such as \"30s\", \"500ms\" or \"5m\"";
        let text = self.typed(key, FORM, DeValue::as_str)?;
        let Some(text) = text else {
            return Ok(None);
        };
        // A bare number is left to the command line: a file that says 500 may mean either.
        let duration = time(text).ok().filter(|_| text.ends_with(|c: char| c.is_ascii_alphabetic()));
        let duration = duration.ok_or_else(|| self.wrong(key, format!("must be {FORM}, not {text:?}")))?;
        if !range.contains(&duration) {
            let (least, most) = (range.start(), range.end());
            return Err(self.wrong(key, format!("must be {least:?} to {most:?}, not {text}")));
        }
        // Nothing in a range of hours is beyond what the wire can say.
        Ok(duration.try_into().ok())
    }

    /// One of a few words.
    pub(super) fn word<T: ValueEnum>(&self, key: &str) -> Result<Option<T>, FileError> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        let found = T::from_str(text, false).ok();
        found.map(Some).ok_or_else(|| {
            let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
            self.wrong(key, format!("must be one of {}, not {text:?}", names.join(", ")))
        })
    }

    /// A table inside of this one.
    pub(super) fn table(&self, key: &str) -> Result<Option<Section<'a>>, FileError> {
        let table = self.typed(key, "a table", DeValue::as_table)?;
        Ok(table.map(|table| Section {
            source: self.source,
            path: format!("{}{key}.", self.path),
            at: self.key_at(key),
            table,
        }))
    }

    /// A list of tables inside of this one.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Section<'a>>, FileError> {
        const FORM: &str = "a list of tables";
        let list = self.typed(key, FORM, DeValue::as_array)?;
        let entries = list.into_iter().flat_map(|list| list.iter()).enumerate();
        entries
            .map(|(index, entry)| match entry.get_ref() {
                DeValue::Table(table) => Ok(Section {
                    source: self.source,
                    path: format!("{}{key}[{index}].", self.path),
                    at: entry.span().start,
                    table,
                }),
                other => Err(self.error(
                    entry.span().start,
                    &format!("{key}[{index}]"),
                    format!("must be a table, not {}", kind(other)),
                )),
            })
            .collect()
    }

    fn key_at(&self, key: &str) -> usize {
        self.table.get_key_value(key).map_or(self.at, |(key, _)| key.span().start)
    }

    fn typed<T>(
        &self,
        key: &str,
        form: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, FileError> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        let value = value.get_ref();
        read(value).map(Some).ok_or_else(|| self.wrong(key, format!("must be {form}, not {}", kind(value))))
    }

    fn error(&self, at: usize, key: &str, what: String) -> FileError {
        self.source.error(at, format!("{}{key}", self.path), what)
    }
}

/// How large a number may be.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    Below(f64),
    UpTo(f64),
}

impl Limit {
    fn allows(self, number: f64) -> bool {
        number > 0.0
            && match self {
                Limit::Below(limit) => number < limit,
                Limit::UpTo(limit) => number <= limit,
            }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Below(limit) => write!(f, "above 0 and below {limit}"),
            Limit::UpTo(limit) => write!(f, "above 0 up to {limit}"),
        }
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

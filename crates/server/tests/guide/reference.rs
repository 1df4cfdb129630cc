//! The reference of the guide, made from the contract and its comments.

use std::collections::HashMap;
use std::fmt::Write;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, ServiceDescriptorProto,
};

/// The numbers of the parts of a descriptor, which a place in the source is a path of.
const MESSAGES: i32 = 4;
const ENUMS: i32 = 5;
const SERVICES: i32 = 6;
const INNER: i32 = 2;

/// The files in the order in which a reader of the guide meets what they tell of; others follow.
const ORDER: [&str; 5] = ["agent", "match", "game", "event", "tournament"];

/// What the files say, each service, message and enum under a heading of its own.
pub fn reference(files: &[FileDescriptorProto]) -> String {
    let place = |file: &&FileDescriptorProto| {
        ORDER.iter().position(|name| file.name().ends_with(&format!("/{name}.proto"))).unwrap_or(ORDER.len())
    };
    let mut files: Vec<&FileDescriptorProto> = files.iter().collect();
    files.sort_by_key(place);
    let mut out = String::new();
    for file in files {
        Page { comments: comments(file), out: &mut out }.file(file);
    }
    out.trim_end().to_owned()
}

/// The comments of a file by the place of what they are about, each as one line.
fn comments(file: &FileDescriptorProto) -> HashMap<Vec<i32>, String> {
    let places = file.source_code_info.iter().flat_map(|info| &info.location);
    let text = |comment: &str| comment.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    places.map(|place| (place.path.clone(), text(place.leading_comments()))).collect()
}

struct Page<'a> {
    comments: HashMap<Vec<i32>, String>,
    out: &'a mut String,
}

impl Page<'_> {
    fn file(&mut self, file: &FileDescriptorProto) {
        for (at, service) in (0..).zip(&file.service) {
            self.service(&[SERVICES, at], service);
        }
        for (at, message) in (0..).zip(&file.message_type) {
            self.message(&[MESSAGES, at], message);
        }
        for (at, words) in (0..).zip(&file.enum_type) {
            self.words(&[ENUMS, at], words);
        }
    }

    fn service(&mut self, place: &[i32], service: &ServiceDescriptorProto) {
        self.heading(service.name(), place);
        self.rows("| method | takes | gives | |\n| --- | --- | --- | --- |");
        for (at, method) in (0..).zip(&service.method) {
            let stream =
                |streams, name: &str| format!("{}{}", if streams { "stream of " } else { "" }, short(name));
            let takes = stream(method.client_streaming(), method.input_type());
            let gives = stream(method.server_streaming(), method.output_type());
            let about = self.about(place, at);
            self.rows(&format!("| `{}` | {takes} | {gives} | {about} |", method.name()));
        }
    }

    fn message(&mut self, place: &[i32], message: &DescriptorProto) {
        self.heading(message.name(), place);
        if message.field.is_empty() {
            return self.rows("It has no fields.");
        }
        self.rows("| field | number | type | |\n| --- | --- | --- | --- |");
        for (at, field) in (0..).zip(&message.field) {
            let about = self.about(place, at);
            let kind = kind(message, field);
            self.rows(&format!("| `{}` | {} | {kind} | {about} |", field.name(), field.number()));
        }
    }

    fn words(&mut self, place: &[i32], words: &EnumDescriptorProto) {
        self.heading(words.name(), place);
        self.rows("| word | number | |\n| --- | --- | --- |");
        for (at, word) in (0..).zip(&words.value) {
            let about = self.about(place, at);
            self.rows(&format!("| `{}` | {} | {about} |", word.name(), word.number()));
        }
    }

    fn heading(&mut self, name: &str, place: &[i32]) {
        let about = self.comments.get(place).map_or("", String::as_str);
        write!(self.out, "\n### {name}\n\n{about}\n\n").expect("a String takes everything");
    }

    fn rows(&mut self, rows: &str) {
        self.out.push_str(rows);
        self.out.push('\n');
    }

    /// What is said of a part of what stands at a place.
    fn about(&self, place: &[i32], part: i32) -> String {
        let path = [place, &[INNER, part]].concat();
        self.comments.get(&path).cloned().unwrap_or_default()
    }
}

/// A type as the guide writes it: with a link if it is one of the contract.
fn kind(message: &DescriptorProto, field: &FieldDescriptorProto) -> String {
    let name = match field.r#type() {
        Type::Message | Type::Enum => short(field.type_name()),
        scalar => format!("{scalar:?}").to_lowercase(),
    };
    if is_map(message, field) {
        return "map of string to string".to_owned();
    }
    match field.label() {
        Label::Repeated => format!("list of {name}"),
        _ if field.proto3_optional() => format!("optional {name}"),
        _ => match field.oneof_index {
            Some(at) => format!("{name}, of `{}`", message.oneof_decl[at as usize].name()),
            None => name,
        },
    }
}

fn is_map(message: &DescriptorProto, field: &FieldDescriptorProto) -> bool {
    let entry = field.type_name().rsplit('.').next();
    let inner = message.nested_type.iter().find(|inner| Some(inner.name()) == entry);
    inner.is_some_and(|inner| inner.options.as_ref().is_some_and(|options| options.map_entry()))
}

fn short(type_name: &str) -> String {
    let name = type_name.rsplit('.').next().unwrap_or_default();
    if type_name.starts_with(".chickenfoot.") {
        format!("[{name}](#{})", name.to_lowercase())
    } else {
        name.to_owned()
    }
}

use std::collections::HashMap;

use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

use crate::Failure;

/// How deep random messages are nested.
const DEPTH: usize = 5;

/// Random messages for every method of the contract, made from its descriptor: a new method or field is hit without
/// anybody thinking of it.
pub(crate) struct Noise {
    messages: HashMap<String, DescriptorProto>,
    pub(crate) methods: Vec<Method>,
    /// Texts that mean something to the service, such as ids.
    words: Vec<String>,
}

/// A method of the contract.
pub(crate) struct Method {
    pub(crate) path: PathAndQuery,
    input: String,
}

impl Noise {
    pub(crate) fn new(words: Vec<String>) -> Result<Noise, Failure> {
        let files = FileDescriptorSet::decode(chickenfoot_protocol::DESCRIPTOR)?;
        let (mut messages, mut methods) = (HashMap::new(), Vec::new());
        for file in files.file {
            for message in &file.message_type {
                messages.insert(format!(".{}.{}", file.package(), message.name()), message.clone());
            }
            for service in &file.service {
                for method in &service.method {
                    let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                    methods.push(Method { path: path.parse()?, input: method.input_type().to_owned() });
                }
            }
        }
        Ok(Noise { messages, methods, words })
    }

    /// A message that a method can read, or nearly one, or anything.
    pub(crate) fn message(&self, method: &Method) -> Bytes {
        let mut message = Vec::new();
        match rand::random_range(0..10) {
            0 => {
                let length = rand::random_range(0..2048);
                message.extend((0..length).map(|_| rand::random::<u8>()));
            }
            1 | 2 => {
                self.put(&method.input, DEPTH, &mut message);
                mangle(&mut message);
            }
            _ => self.put(&method.input, DEPTH, &mut message),
        }
        message.into()
    }

    fn put(&self, name: &str, depth: usize, out: &mut Vec<u8>) {
        // What the contract does not describe stays empty.
        let Some(message) = self.messages.get(name) else { return };
        for field in &message.field {
            let times = match field.label() {
                Label::Repeated => rand::random_range(0..6),
                // Twice is legal: the last one counts, and messages merge.
                _ => [0, 1, 1, 1, 1, 2][rand::random_range(0..6)],
            };
            for _ in 0..times {
                self.put_field(field, depth, out);
            }
        }
    }

    fn put_field(&self, field: &FieldDescriptorProto, depth: usize, out: &mut Vec<u8>) {
        let number = u32::try_from(field.number()).unwrap_or(1);
        let mut inner = Vec::new();
        match field.r#type() {
            Type::Message if depth == 0 => return,
            Type::Message => self.put(field.type_name(), depth - 1, &mut inner),
            Type::String => inner.extend(self.text(field.name()).into_bytes()),
            Type::Bytes => {
                let length = [0, 31, 32, 32, 33, 1000][rand::random_range(0..6)];
                inner.extend((0..length).map(|_| rand::random::<u8>()));
            }
            // All numbers of the contract, its enums and its truths are varints.
            _ => {
                encode_key(number, WireType::Varint, out);
                return encode_varint(self.number(), out);
            }
        }
        encode_key(number, WireType::LengthDelimited, out);
        encode_varint(inner.len() as u64, out);
        out.extend(inner);
    }

    fn number(&self) -> u64 {
        match rand::random_range(0..8) {
            0 => u64::MAX,
            1 => rand::random(),
            2 => u64::from(u32::MAX),
            3 => i64::MIN.unsigned_abs(),
            4 => rand::random_range(0..100_000),
            _ => rand::random_range(0..12),
        }
    }

    fn text(&self, field: &str) -> String {
        if field == "house" {
            return ["random", "lowest", "greedy", "dead-foot"][rand::random_range(0..4)].to_owned();
        }
        match rand::random_range(0..8) {
            0 => String::new(),
            1 => "\u{0}\u{202e}é\n".repeat(rand::random_range(1..200)),
            2 => format!("{:032x}", rand::random::<u128>()),
            _ => self.words.get(rand::random_range(0..self.words.len().max(1))).cloned().unwrap_or_default(),
        }
    }
}

/// Damages a message a little.
fn mangle(message: &mut Vec<u8>) {
    for _ in 0..rand::random_range(1..5) {
        if message.is_empty() {
            return message.push(rand::random());
        }
        let at = rand::random_range(0..message.len());
        match rand::random_range(0..3) {
            0 => message[at] ^= 1 << rand::random_range(0..8),
            1 => message.truncate(at),
            _ => message.insert(at, rand::random()),
        }
    }
}

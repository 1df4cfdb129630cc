//! The doctor on good bots and on bots that are broken on purpose, against the real server program.

mod broken_grpc;
mod broken_lines;
mod catalogue;
mod good;
mod leftovers;
mod support;

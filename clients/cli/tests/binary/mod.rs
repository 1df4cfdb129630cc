//! The real binary, and what it said.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with this on stdin. No variable of the caller's session gets in.
pub fn run(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chickenfoot"))
        .args(args)
        .env_remove("CHICKENFOOT_SERVER")
        .env_remove("CHICKENFOOT_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut pipe = child.stdin.take().expect("stdin is piped");
    // A command that reads nothing may be over already.
    let _ = pipe.write_all(stdin.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the command ends by itself")
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text is UTF-8")
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text is UTF-8")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended it")
}

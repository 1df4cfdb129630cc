//! The programs of this workspace, for trials and benchmarks that run them as processes of their own.

use std::path::PathBuf;
use std::process::Command;
use std::{env, io};

/// Builds the server in the profile of this program and returns where it is: beside this program.
///
/// # Errors
/// Cargo cannot be run, or says on standard error why the server cannot be built.
pub fn server() -> io::Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "-p", "chickenfoot-server", "--bin", "chickenfoot-server"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if !command.status()?.success() {
        return Err(io::Error::other("the server cannot be built"));
    }
    let here = env::current_exe()?;
    Ok(here.with_file_name(format!("chickenfoot-server{}", env::consts::EXE_SUFFIX)))
}

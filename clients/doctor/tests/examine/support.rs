use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use chickenfoot_doctor::{Failure, Follow, Outcome, Plan, Promise, Report, Subject, Verdict, examine};

/// The server program: the one that `CHICKENFOOT_SERVER_BIN` names, else it is built.
pub(crate) fn server() -> &'static Path {
    static SERVER: OnceLock<PathBuf> = OnceLock::new();
    SERVER.get_or_init(|| std::env::var_os("CHICKENFOOT_SERVER_BIN").map_or_else(build, PathBuf::from))
}

fn build() -> PathBuf {
    let args = ["build", "--quiet", "--offline", "-p", "chickenfoot-server", "--bin", "chickenfoot-server"];
    let status = Command::new(env!("CARGO")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).status();
    assert!(status.expect("cargo runs").success(), "the server cannot be built");
    // Tests lie in `deps`, programs above it.
    let own = std::env::current_exe().expect("a test has a program");
    let folder = own.ancestors().nth(2).expect("tests lie two folders deep");
    folder.join(format!("chickenfoot-server{}", std::env::consts::EXE_SUFFIX))
}

/// A plan with these checks, all without any.
pub(crate) fn plan(subject: Subject, only: &[&str]) -> Plan {
    Plan {
        subject,
        server: server().to_owned(),
        only: only.iter().map(|name| (*name).to_owned()).collect(),
        wait: Duration::from_secs(60),
        // What is broken is seen at once; a busy machine must not look like a slow bot.
        patience: Duration::from_secs(60),
    }
}

/// Follows an examination: `ready` is called with the address and the token.
pub(crate) struct Ready<F>(pub(crate) F);

impl<F: FnMut(&str, &str)> Follow for Ready<F> {
    fn ready(&mut self, address: &str, token: &str) {
        (self.0)(address, token);
    }

    fn checked(&mut self, _: &Outcome) {}
}

/// Examines a bot that the doctor starts.
pub(crate) async fn examined(plan: &Plan) -> Report {
    examine(plan, &mut Ready(|_: &str, _: &str| {})).await.expect("the server runs")
}

/// The failure of a report that has one check, which must have failed with this promise and these words.
#[track_caller]
pub(crate) fn assert_failed(report: &Report, promise: Promise, words: &str) -> Failure {
    let [outcome] = report.outcomes.as_slice() else { panic!("{report}") };
    let Verdict::Failed(failure) = &outcome.verdict else { panic!("it did not fail: {outcome}") };
    assert_eq!(failure.promise, promise, "{report}");
    assert!(failure.what.contains(words), "{:?} is not in {report}", words);
    failure.clone()
}

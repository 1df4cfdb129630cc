//! Bots that keep every promise.

use chickenfoot_bot::{Runner, strategy_bots};
use chickenfoot_doctor::{CHECKS, Report, Subject, Verdict, examine};
use tokio::task::JoinSet;

use crate::support::{Ready, examined, plan};

#[track_caller]
fn assert_passed(report: &Report, skipped: usize) {
    assert!(report.has_passed(), "{report}");
    assert_eq!(report.counts(), (CHECKS.len() - skipped, 0, skipped), "{report}");
    assert!(report.times.count() > 200, "{report}");
}

#[tokio::test]
async fn the_rust_client_passes_whoever_starts_it() {
    let subject = Subject::Agent { name: "rust".to_owned(), command: None };
    let mut bots = JoinSet::new();
    let mut ready = Ready(|address: &str, token: &str| {
        let (runner, make) = (Runner::new(address, token), strategy_bots("greedy", 1).unwrap());
        bots.spawn(async move { runner.run(make, std::future::pending()).await });
    });
    let report = examine(&plan(subject, &[]), &mut ready).await.unwrap();
    // The doctor does not stop what it did not start.
    assert_passed(&report, 2);
    let why =
        |name: &str| report.outcomes.iter().find(|outcome| outcome.name == name).map(|o| o.verdict.clone());
    assert_eq!(why("clean-stop"), Some(Verdict::Skipped("the bot is not started here".to_owned())));
}

#[tokio::test]
async fn the_example_of_the_line_protocol_passes() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../lines/highest.py");
    let command = ["python3", script].map(str::to_owned).to_vec();
    let subject = Subject::Lines { name: "lines".to_owned(), command };
    assert_passed(&examined(&plan(subject, &[])).await, 1);
}

//! Nothing is left behind, however an examination ends.

use std::time::Duration;

use chickenfoot_doctor::{Promise, Subject, examine};

use crate::support::{Ready, assert_failed, examined, plan};

/// A program that starts another one, tells both process ids in a file, and never comes to the service.
fn hangs(file: &std::path::Path) -> Subject {
    let script = format!("sleep 3600 & echo $$ $! > {}; wait", file.display());
    let command = ["sh", "-c", &script].map(str::to_owned).to_vec();
    Subject::Agent { name: "hangs".to_owned(), command: Some(command) }
}

/// Whether a process runs. One that has ended and that nobody has waited for runs no more.
fn runs(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn an_interrupted_examination_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let plan = plan(hangs(&file), &[]);
    let mut ready = Ready(|_: &str, _: &str| {});
    let told = async {
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let [one, two] = text.split_whitespace().collect::<Vec<_>>()[..] {
                return [one.to_owned(), two.to_owned()];
            }
            tokio::task::yield_now().await;
        }
    };
    let processes = tokio::select! {
        done = examine(&plan, &mut ready) => panic!("{done:?}"),
        processes = told => processes,
    };
    // The examination was dropped as Ctrl-C drops it.
    let gone = async {
        while processes.iter().any(|process| runs(process)) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.expect("a process was left");
}

#[tokio::test]
async fn a_program_that_never_comes_is_waited_for_no_longer_than_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(hangs(&folder.path().join("pids")), &["hello"]);
    (plan.wait, plan.patience) = (Duration::from_millis(300), Duration::from_millis(300));
    assert_failed(&examined(&plan).await, Promise::Connects, "no session came");
}

#[tokio::test]
async fn what_nothing_works_without_is_not_tried_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(hangs(&folder.path().join("pids")), &[]);
    (plan.wait, plan.patience) = (Duration::from_millis(300), Duration::from_millis(300));
    let report = examined(&plan).await;
    let (passed, failed, skipped) = report.counts();
    assert_eq!((passed, failed, skipped), (0, 1, report.outcomes.len() - 1), "{report}");
    let xml = report.junit();
    assert!(xml.contains("failures=\"1\"") && xml.contains("<skipped message=\"hello failed"), "{xml}");
}

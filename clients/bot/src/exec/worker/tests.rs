//! A worker with processes that the test plays, in paused time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::Instant;

use super::*;
use crate::exec::fault::Report;
use crate::exec::fixture::{Fake, FakeProcess, decision, start};
use crate::exec::lines::{End, Event, Outcome, Refused, What};

struct Scene {
    worker: Worker,
    launched: UnboundedReceiver<FakeProcess>,
    said: UnboundedReceiver<Said>,
    ledger: Ledger,
    texts: Arc<Mutex<Vec<String>>>,
}

impl Scene {
    fn new(program: Program) -> Scene {
        let (fake, launched) = Fake::new();
        let (sender, said) = mpsc::unbounded_channel();
        let texts = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&texts);
        let ledger = Ledger::new(move |note| told.lock().unwrap().push(note.to_string()));
        let worker = Worker::of(fake, &program, "program", &ledger, sender);
        Scene { worker, launched, said, ledger, texts }
    }

    async fn process(&mut self) -> FakeProcess {
        within(self.launched.recv()).await.expect("a process is launched")
    }

    async fn answer(&mut self) -> (u32, u32, bool) {
        match within(self.said.recv()).await.expect("the worker says something") {
            Said::Answer(answer) => (answer.decision, answer.option, answer.fallback),
            Said::GaveUp(error) => panic!("{error}"),
        }
    }

    fn report(&self) -> Report {
        self.ledger.report()
    }
}

/// What has to come, within more time than anything here takes; it is paused.
async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(1000), future).await.expect("it comes in time")
}

fn program() -> Program {
    Program::new("a program")
}

#[tokio::test(start_paused = true)]
async fn a_process_is_told_its_matches_and_its_answers_come_out() {
    let mut scene = Scene::new(program());
    let mut process = scene.process().await;
    scene.worker.tell(start("0a")).await;
    scene.worker.tell(decision("0a", 6, 30)).await;
    assert_eq!(process.lines().await, ["hello", "start", "decision 6"]);
    process.answer("0a", 6, 1).await;
    assert_eq!(scene.answer().await, (6, 1, false));
    // The same again is no mistake, another one is.
    process.answer("0a", 6, 1).await;
    process.answer("0a", 6, 0).await;
    assert_eq!(process.line().await, "refused 6 DECISION_ANSWERED");
    process.answer("0a", 4, 0).await;
    assert_eq!(process.line().await, "refused 4 DECISION_NOT_OPEN");
    process.answer("0b", 1, 0).await;
    assert_eq!(process.line().await, "refused 1 DECISION_NOT_OPEN");
    assert_eq!(scene.report().count(Fault::Stale), 3);
    let end = End {
        match_id: "0a".to_owned(),
        outcome: Outcome::Finished,
        totals: vec![1, 2],
        places: vec![1, 2],
        digest: String::new(),
    };
    scene.worker.tell(Message::End(end)).await;
    assert_eq!(process.line().await, "end");
    let stopping = tokio::spawn(scene.worker.stop());
    assert_eq!(process.line().await, "stop");
    assert_eq!(process.lines.recv().await, None, "stdin ends");
    assert_eq!((&mut process.stop).await, Ok(Duration::from_secs(2)));
    process.die().await;
    stopping.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_is_open_when_a_process_dies_is_asked_anew_with_the_time_that_is_left() {
    let mut scene = Scene::new(program());
    let mut first = scene.process().await;
    scene.worker.tell(start("0a")).await;
    scene.worker.tell(decision("0a", 6, 30)).await;
    scene.worker.tell(start("0b")).await;
    scene.worker.tell(decision("0b", 9, 30)).await;
    first.lines::<5>().await;
    first.answer("0b", 9, 0).await;
    scene.answer().await;
    tokio::time::advance(Duration::from_secs(10)).await;
    first.die().await;
    let mut second = scene.process().await;
    assert_eq!(second.lines().await, ["hello", "start"]);
    let asked = second.lines.recv().await.unwrap();
    let left = asked.split("\"time_left_ms\":").nth(1).unwrap().split(',').next().unwrap();
    let left: u64 = left.parse().unwrap();
    assert!((19_700..=19_900).contains(&left), "{left}");
    // The other match has nothing open.
    assert_eq!(second.line().await, "start");
    second.answer("0a", 6, 0).await;
    assert_eq!(scene.answer().await, (6, 0, false));
    assert_eq!((scene.report().count(Fault::Died), scene.report().started), (1, 2));
    assert_eq!(*scene.texts.lock().unwrap(), ["died: exit status: 3"]);
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_until_the_program_is_given_up() {
    let mut scene = Scene::new(program().restarts(4));
    let mut pauses = Vec::new();
    for _ in 0..5 {
        let before = Instant::now();
        scene.process().await.die().await;
        pauses.push(before.elapsed().as_secs_f64());
    }
    for (pause, longest) in pauses.into_iter().zip([0.01, 0.25, 0.5, 1.0, 2.0]) {
        assert!(pause <= longest + 0.01 && (longest < 0.1 || pause >= longest / 2.0), "{pause} of {longest}");
    }
    match scene.said.recv().await {
        Some(Said::GaveUp(Error::GaveUp { runs: 5, last, .. })) => assert_eq!(last, "exit status: 3"),
        other => panic!("{other:?}"),
    }
    assert_eq!(scene.report().count(Fault::Died), 5);
    // Whatever it is told now is lost, and nobody waits.
    scene.worker.tell(start("0a")).await;
    scene.worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_good_run_makes_up_for_the_bad_ones_before() {
    let mut scene = Scene::new(program().restarts(2));
    for number in 1..=5 {
        let mut process = scene.process().await;
        scene.worker.tell(decision("0a", number, 30)).await;
        process.lines::<2>().await;
        process.answer("0a", number, 0).await;
        scene.answer().await;
        tokio::time::advance(Duration::from_secs(10)).await;
        // Its end is the first failure again, the next run the second; never is there a third.
        let ended = Instant::now();
        process.die().await;
        scene.process().await.die().await;
        assert!(ended.elapsed() <= Duration::from_millis(260), "{:?}", ended.elapsed());
    }
    scene.process().await;
    assert_eq!((scene.report().count(Fault::Died), scene.report().started), (10, 11));
}

#[tokio::test(start_paused = true)]
async fn a_process_that_is_silent_until_the_time_is_up_is_started_again() {
    let mut scene = Scene::new(program());
    let mut first = scene.process().await;
    scene.worker.tell(start("0a")).await;
    scene.worker.tell(decision("0a", 6, 30)).await;
    first.lines::<3>().await;
    let asked = Instant::now();
    let _killed = (&mut first.stop).await.expect_err("it is killed at once");
    assert_eq!(asked.elapsed(), Duration::from_secs(30));
    let mut second = scene.process().await;
    // The service may still take the answer: who knows how its clock runs.
    assert_eq!(second.lines().await, ["hello", "start", "decision 6"]);
    scene.worker.tell(decision("0a", 8, 30)).await;
    assert_eq!(second.line().await, "decision 8");
    second.answer("0a", 8, 0).await;
    assert_eq!(scene.answer().await, (8, 0, false));
    let report = scene.report();
    assert_eq!((report.count(Fault::Silent), report.faults()), (1, 1));
    assert!(scene.texts.lock().unwrap()[0].contains("(match 0a, decision 6)"));
}

#[tokio::test(start_paused = true)]
async fn one_that_answers_others_meanwhile_is_late_and_goes_on() {
    let mut scene = Scene::new(program());
    let mut process = scene.process().await;
    scene.worker.tell(decision("0a", 6, 30)).await;
    scene.worker.tell(decision("0b", 6, 60)).await;
    process.lines::<3>().await;
    tokio::time::advance(Duration::from_secs(20)).await;
    process.answer("0b", 6, 0).await;
    scene.answer().await;
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!((scene.report().count(Fault::Late), scene.report().faults()), (1, 1));
    // What comes late is passed on: it is for the service to judge.
    process.answer("0a", 6, 1).await;
    assert_eq!(scene.answer().await, (6, 1, false));
    let (match_id, reason) = ("0a".to_owned(), "DECISION_ANSWERED".to_owned());
    scene
        .worker
        .tell(Message::Refused(Refused { match_id, decision: 6, reason, message: String::new() }))
        .await;
    assert_eq!(process.line().await, "refused 6 DECISION_ANSWERED");
    assert_eq!(scene.report().count(Fault::Stale), 1);
    assert_eq!(scene.report().started, 1);
}

#[tokio::test(start_paused = true)]
async fn silence_may_be_cut_short_and_the_decision_asked_anew() {
    let mut scene = Scene::new(program().silence(Duration::from_secs(5)));
    let mut first = scene.process().await;
    let asked = Instant::now();
    scene.worker.tell(decision("0a", 6, 30)).await;
    let mut second = scene.process().await;
    assert!((5.0..5.3).contains(&asked.elapsed().as_secs_f64()), "{:?}", asked.elapsed());
    assert_eq!(first.lines().await, ["hello", "decision 6"]);
    assert_eq!(second.lines().await, ["hello", "decision 6"]);
    // Any line shows that it lives.
    tokio::time::advance(Duration::from_secs(4)).await;
    second.write("thinking").await;
    assert_eq!(second.line().await, "error");
    tokio::time::advance(Duration::from_secs(4)).await;
    second.answer("0a", 6, 1).await;
    assert_eq!(scene.answer().await, (6, 1, false));
    let report = scene.report();
    assert_eq!((report.count(Fault::Silent), report.count(Fault::Garbage), report.started), (1, 1, 2));
    // Without a question nobody is silent.
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(scene.report(), report);
}

#[tokio::test(start_paused = true)]
async fn the_first_option_is_answered_shortly_before_the_time_is_up() {
    let mut scene = Scene::new(program().fallback_first());
    let mut process = scene.process().await;
    let asked = Instant::now();
    scene.worker.tell(decision("0a", 6, 30)).await;
    assert_eq!(scene.answer().await, (6, 0, true));
    assert_eq!(asked.elapsed(), Duration::from_secs(29));
    assert_eq!(process.lines().await, ["hello", "decision 6"]);
    // Also while none runs.
    drop(process);
    scene.process().await.die().await;
    scene.worker.tell(decision("0a", 8, 1)).await;
    let asked = Instant::now();
    assert_eq!(scene.answer().await, (8, 0, true));
    assert_eq!(asked.elapsed(), Duration::from_millis(900));
    assert_eq!(scene.report().fallbacks, 2);
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_comes_twice_is_asked_once_and_gets_the_same_answer() {
    let mut scene = Scene::new(program());
    let mut process = scene.process().await;
    scene.worker.tell(decision("0a", 6, 30)).await;
    tokio::time::advance(Duration::from_secs(20)).await;
    // After a lost connection, in which the clock stood.
    scene.worker.tell(decision("0a", 6, 30)).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(scene.report().faults(), 0, "it has the time of the second delivery");
    assert_eq!(process.lines().await, ["hello", "decision 6"]);
    process.answer("0a", 6, 1).await;
    assert_eq!(scene.answer().await, (6, 1, false));
    scene.worker.tell(decision("0a", 6, 30)).await;
    assert_eq!(scene.answer().await, (6, 1, false));
    // An older one is nobody's business any more.
    scene.worker.tell(decision("0a", 4, 30)).await;
    scene.worker.tell(decision("0a", 8, 30)).await;
    assert_eq!(process.line().await, "decision 8");
}

#[tokio::test(start_paused = true)]
async fn an_illegal_answer_is_told_three_times_and_leaves_the_decision_open() {
    let mut scene = Scene::new(program());
    let mut process = scene.process().await;
    scene.worker.tell(decision("0a", 6, 30)).await;
    assert_eq!(process.lines().await, ["hello", "decision 6"]);
    process.answer("0a", 6, 99).await;
    process.write(r#"{"match":"0a","decision":6,"move":"play 6-6 0"}"#).await;
    for _ in 0..3 {
        process.answer("0a", 6, 99).await;
    }
    assert_eq!(process.line().await, "refused 6 OPTION_OUT_OF_RANGE");
    assert_eq!(process.line().await, "refused 6 MOVE_ILLEGAL");
    assert_eq!(process.line().await, "refused 6 OPTION_OUT_OF_RANGE");
    process.answer("0a", 6, 1).await;
    assert_eq!(scene.answer().await, (6, 1, false));
    assert!(process.lines.try_recv().is_err());
    assert_eq!(scene.report().count(Fault::Illegal), 5);
}

#[tokio::test(start_paused = true)]
async fn a_hundred_useless_lines_in_a_row_are_enough() {
    let mut scene = Scene::new(program());
    let mut process = scene.process().await;
    scene.worker.tell(decision("0a", 6, 3000)).await;
    process.lines::<2>().await;
    for _ in 0..99 {
        process.write("noise").await;
    }
    process.answer("0a", 6, 0).await;
    scene.answer().await;
    // The count began anew, and blank lines are nothing.
    for _ in 0..99 {
        process.write("noise").await;
        process.write(" \r").await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(scene.report().started, 1);
    process.write("noise").await;
    scene.process().await;
    assert_eq!((scene.report().count(Fault::Garbage), scene.report().started), (199, 2));
}

#[tokio::test(start_paused = true)]
async fn one_that_does_not_read_is_started_again_and_holds_up_nobody() {
    let mut scene = Scene::new(program().queue(5));
    let _deaf = scene.process().await;
    let event = || Event { match_id: "0a".to_owned(), seq: 1, what: What::MatchAborted };
    scene.worker.tell(decision("0a", 6, 30)).await;
    // Room for five, and for two of the match; hello and the decision are among them.
    for _ in 0..5 {
        scene.worker.tell(Message::Event(event())).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(scene.report().faults(), 0);
    scene.worker.tell(Message::Event(event())).await;
    let mut second = scene.process().await;
    assert_eq!((scene.report().count(Fault::NotReading), scene.report().faults()), (1, 1));
    assert_eq!(second.lines().await, ["hello", "decision 6"]);
    second.answer("0a", 6, 0).await;
    scene.answer().await;
}

#[tokio::test(start_paused = true)]
async fn a_program_that_cannot_be_started_is_given_up() {
    let (fake, launched) = Fake::new();
    drop(launched);
    let (sender, mut said) = mpsc::unbounded_channel();
    let ledger = Ledger::default();
    let _worker = Worker::of(fake, &program().restarts(0), "program", &ledger, sender);
    assert!(matches!(said.recv().await, Some(Said::GaveUp(_))));
    assert_eq!((ledger.report().count(Fault::Died), ledger.report().started), (1, 0));
}

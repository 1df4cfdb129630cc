//! Whoever starts the service is told where its page is.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use chickenfoot_server::demo::{self, Show};
use tokio::sync::{mpsc, oneshot};

use crate::ask::get;
use crate::common::within;

/// Takes a text and hands its lines on.
struct Lines {
    line: Vec<u8>,
    sink: mpsc::UnboundedSender<String>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
                    // Nobody may be left to read it.
                    let _ = self.sink.send(line);
                }
                byte => self.line.push(*byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn lines() -> (Lines, mpsc::UnboundedReceiver<String>) {
    let (sink, lines) = mpsc::unbounded_channel();
    (Lines { line: Vec::new(), sink }, lines)
}

/// What follows `before` in the first line that has it, up to the next space; and the lines on the way.
async fn told(lines: &mut mpsc::UnboundedReceiver<String>, before: &str) -> String {
    loop {
        let line = within(lines.recv()).await.unwrap_or_else(|| panic!("nobody says {before:?}"));
        if let Some((_, rest)) = line.split_once(before) {
            return rest.split(' ').next().unwrap().to_owned();
        }
    }
}

async fn has_page(address: &str) -> bool {
    let path = address.find("/m/").or(address.find("/t/")).unwrap_or(address.len() - 1);
    let answer = get(&address[..path], &address[path..]).await;
    answer.status == 200 && answer.body == chickenfoot_page::index().bytes
}

#[tokio::test]
async fn a_demonstration_that_serves_goes_on_until_it_is_told_to_stop() {
    let (mut out, mut lines) = lines();
    let (stop, stopped) = oneshot::channel::<()>();
    let until = async move {
        let _ = stopped.await;
    };
    let running = demo::run(Show::Match, Some(until), &mut out);
    let watching = async {
        let address = told(&mut lines, "The service is at ").await;
        let game = told(&mut lines, "Watch it in a browser: ").await;
        assert!(game.starts_with(&format!("{address}m/")), "{game}");
        assert!(has_page(&address).await && has_page(&game).await);
        assert_eq!(told(&mut lines, "The service goes on at ").await, address);
        assert!(has_page(&game).await);
        let id = game.rsplit('/').next().unwrap();
        let record = get(address.trim_end_matches('/'), &format!("/m/{id}/record.json")).await;
        assert_eq!(record.status, 200, "what was played can be looked at");
        stop.send(()).unwrap();
    };
    let (ran, ()) = within(async { tokio::join!(running, watching) }).await;
    ran.unwrap();
}

#[tokio::test]
async fn a_demonstration_tells_where_its_tournament_is_shown() {
    let (mut out, mut lines) = lines();
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.html");
    let running = demo::run(Show::Tournament { report: &report }, None::<std::future::Ready<()>>, &mut out);
    let watching = async {
        let address = told(&mut lines, "The service is at ").await;
        let tournament = told(&mut lines, "Watch it in a browser: ").await;
        assert!(tournament.starts_with(&format!("{address}t/")), "{tournament}");
        assert!(has_page(&address).await && has_page(&tournament).await);
    };
    // The tournament itself takes long without optimisation, and `.ci/run` has it played.
    tokio::select! {
        ran = running => panic!("it was not watched in time: {ran:?}"),
        () = watching => {}
    }
}

/// A program that ends with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server and hands its log on.
fn serve(page: &str) -> (Program, mpsc::UnboundedReceiver<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chickenfoot-server"));
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--store",
        "memory",
        "--log-format",
        "json",
        "--page",
        page,
    ]);
    let mut child = command.env_remove("RUST_LOG").stderr(Stdio::piped()).spawn().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let (sink, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in stderr.lines().map_while(Result::ok) {
            let _ = sink.send(line);
        }
    });
    (Program(child), lines)
}

#[tokio::test]
async fn the_log_tells_where_the_page_is() {
    let (_program, mut lines) = serve("on");
    let line = told(&mut lines, "\"address\":\"http://").await;
    let address = format!("http://{}", line.split('"').next().unwrap());
    assert!(address.ends_with('/'), "{line}");
    assert!(has_page(&address).await);
}

#[tokio::test]
async fn a_server_without_the_page_has_none() {
    let (_program, mut lines) = serve("off");
    let line = told(&mut lines, "\"address\":\"127").await;
    let address = format!("http://127{}", line.split('"').next().unwrap());
    assert_eq!(get(&address, "/").await.status, 400);
}

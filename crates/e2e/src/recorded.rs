use std::path::{Path, PathBuf};

use clap::Args;
use prost::Message;
use prost_reflect::DescriptorPool;
use prost_types::FileDescriptorSet;

mod client;
mod player;
mod same;
mod script;
mod tape;
mod visit;

use crate::server::Server;
use crate::{Failure, Verdict};
use tape::Tape;
use visit::visit;

/// The contract as the recorded client knew it: what it cannot know it cannot miss.
const CONTRACT: &str = "contract.bin";

/// What went up and down.
const SESSION: &str = "session.txt";

/// Records a client that plays two matches with fixed seeds against players of the house and asks for all that it can.
#[derive(Args)]
pub(crate) struct RecordSession {
    /// Where the recording goes: a folder of its own, named after the version
    folder: PathBuf,
}

/// Sends what recorded clients sent, byte for byte but for tokens and ids, and checks that what comes down tells them
/// the same: every field that they know, with the same value, but for tokens, ids and times.
#[derive(Args)]
pub(crate) struct Replay {
    /// A folder of recordings
    folder: PathBuf,
}

impl RecordSession {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let folder = tempfile::tempdir()?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let tape = script::record(&server.address()).await?;
        std::fs::create_dir_all(&self.folder)?;
        std::fs::write(self.folder.join(CONTRACT), contract()?)?;
        std::fs::write(self.folder.join(SESSION), tape.to_text())?;
        Ok(Verdict { text: format!("messages recorded       {}", tape.lines.len()), clean: true })
    }
}

impl Replay {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let mut recordings: Vec<PathBuf> = std::fs::read_dir(&self.folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, Failure>>()?;
        recordings.sort();
        let mut text = String::new();
        for recording in &recordings {
            let name = recording.file_name().unwrap_or_default().display();
            let held = replay(program, recording).await.map_err(|why| format!("recording {name}: {why}"))?;
            text += &format!("recording {name}: {held} messages hold\n");
        }
        Ok(Verdict { text: text.trim_end().to_owned(), clean: !recordings.is_empty() })
    }
}

/// Replays one recording; returns how many messages came down as they had.
async fn replay(program: &Path, recording: &Path) -> Result<usize, Failure> {
    let pool = DescriptorPool::decode(std::fs::read(recording.join(CONTRACT))?.as_slice())?;
    let tape = Tape::from_text(&std::fs::read_to_string(recording.join(SESSION))?)?;
    let folder = tempfile::tempdir()?;
    let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
    server.start().await?;
    visit(&server.address(), &pool, &tape).await
}

/// Today's contract without its comments.
fn contract() -> Result<Vec<u8>, Failure> {
    let mut files = FileDescriptorSet::decode(chickenfoot_protocol::DESCRIPTOR)?;
    files.file.iter_mut().for_each(|file| file.source_code_info = None);
    Ok(files.encode_to_vec())
}

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Failure;

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(60);

/// The operator's port of a server, as a scraper or a probe sees it.
#[derive(Clone, Copy)]
pub(crate) struct Admin(pub(crate) u16);

impl Admin {
    /// The status and the body of a path.
    pub(crate) async fn get(self, path: &str) -> Result<(u16, String), Failure> {
        let mut answer = String::new();
        let call = async {
            let mut stream = TcpStream::connect(("127.0.0.1", self.0)).await?;
            let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            stream.read_to_string(&mut answer).await
        };
        tokio::time::timeout(ANSWER, call).await.map_err(|_| "the operator's port does not answer")??;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("the operator's port speaks no HTTP")?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.ok_or("the operator's port gives no status")?, body.to_owned()))
    }

    /// Why the server is not ready; `None` if it is.
    pub(crate) async fn not_ready(self) -> Result<Option<String>, Failure> {
        let (status, body) = self.get("/ready").await?;
        Ok((status != 200).then(|| body.trim().to_owned()))
    }

    /// The sum of all metrics of that name.
    pub(crate) async fn metric(self, name: &str) -> Result<f64, Failure> {
        let (_, text) = self.get("/metrics").await?;
        let of_name = |line: &&str| line.split([' ', '{']).next() == Some(name);
        let value = |line: &str| line.rsplit(' ').next().and_then(|value| value.parse::<f64>().ok());
        Ok(text.lines().filter(of_name).filter_map(value).sum())
    }
}

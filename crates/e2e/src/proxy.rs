use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, sleep_until};

use crate::Failure;

/// Stands between clients and a server and disturbs every connection at random.
pub(crate) struct Proxy {
    address: SocketAddr,
    disturbances: Arc<AtomicU64>,
    task: tokio::task::JoinHandle<()>,
}

/// What happens to a connection when its time has come.
#[derive(Clone, Copy, Debug)]
enum Disturbance {
    /// Both directions end at once.
    Cut,
    /// One direction ends; the other goes on for a while.
    HalfClose,
    /// Nothing passes for a while, then all of it.
    Delay(Duration),
    /// Little passes at a time for a while.
    Throttle(Duration),
}

impl Proxy {
    /// A proxy for the server on this local port.
    pub(crate) async fn before(port: u16) -> Result<Proxy, Failure> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let disturbances = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&disturbances);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let counted = Arc::clone(&counted);
                tokio::spawn(async move {
                    if let Ok(server) = TcpStream::connect(("127.0.0.1", port)).await {
                        carry(client, server, &counted).await;
                    }
                });
            }
        });
        Ok(Proxy { address, disturbances, task })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn disturbances(&self) -> u64 {
        self.disturbances.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Carries both directions of a connection until it is cut or one side ends it.
async fn carry(client: TcpStream, server: TcpStream, counted: &AtomicU64) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let until = || Instant::now() + Duration::from_millis(rand::random_range(50..1500));
    // Whichever direction ends first ends the connection, after a moment if it was half-closed.
    tokio::select! {
        () = pipe(from_client, to_server, until(), counted) => {}
        () = pipe(from_server, to_client, until(), counted) => {}
    }
    if rand::random_bool(0.3) {
        sleep(Duration::from_millis(200)).await;
    }
}

async fn pipe(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut next: Instant,
    counted: &AtomicU64,
) {
    let mut buffer = vec![0; 16 * 1024];
    let mut most = buffer.len();
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer[..most]) => read,
            () = sleep_until(next) => {
                counted.fetch_add(1, Ordering::Relaxed);
                match choose() {
                    Disturbance::Cut => return,
                    Disturbance::HalfClose => {
                        // The other side may be gone already.
                        let _ = to.shutdown().await;
                        return;
                    }
                    Disturbance::Delay(time) => sleep(time).await,
                    Disturbance::Throttle(time) => {
                        most = 7;
                        next = Instant::now() + time;
                        continue;
                    }
                }
                most = buffer.len();
                next = Instant::now() + Duration::from_millis(rand::random_range(50..1500));
                continue;
            }
        };
        match read {
            Ok(count) if count > 0 && to.write_all(&buffer[..count]).await.is_ok() => {}
            _ => return,
        }
    }
}

fn choose() -> Disturbance {
    let time = Duration::from_millis(rand::random_range(20..300));
    match rand::random_range(0..6) {
        0 | 1 => Disturbance::Cut,
        2 => Disturbance::HalfClose,
        3 | 4 => Disturbance::Delay(time),
        _ => Disturbance::Throttle(time),
    }
}

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::Failure;

/// Dials, sends random bytes, some behind a good beginning, and hangs up.
pub(super) async fn random_bytes(port: u16, count: Arc<AtomicU64>) -> Result<(), Failure> {
    loop {
        // It may be refused while there are too many.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)).await {
            let mut bytes: Vec<u8> = match rand::random_range(0..4) {
                0 => PREFACE.to_vec(),
                1 => b"GET / HTTP/1.1\r\n".to_vec(),
                _ => Vec::new(),
            };
            let length = rand::random_range(1..4096);
            bytes.extend((0..length).map(|_| rand::random::<u8>()));
            let talk = async {
                stream.write_all(&bytes).await?;
                stream.read(&mut bytes).await
            };
            let _ = timeout(Duration::from_millis(50), talk).await;
            count.fetch_add(1, Ordering::Relaxed);
        }
        sleep(Duration::from_millis(2)).await;
    }
}

/// How HTTP/2 begins: the preface and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A ping, which must be answered.
const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\0abcdefgh";

/// Sends pings for as long as anybody takes them, and reads no answer.
pub(super) async fn pings(port: u16, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let flood = PING.repeat(1024);
    loop {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)).await
            && stream.write_all(PREFACE).await.is_ok()
        {
            while stream.write_all(&flood).await.is_ok() {
                count.fetch_add(flood.len() as u64 / 1024, Ordering::Relaxed);
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Dials and says nothing.
pub(super) async fn silent(port: u16, most: usize, count: Arc<AtomicU64>) -> Result<(), Failure> {
    let mut held = Vec::new();
    while held.len() < most {
        match TcpStream::connect(("127.0.0.1", port)).await {
            Ok(stream) => {
                held.push(stream);
                count.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
    std::future::pending().await
}

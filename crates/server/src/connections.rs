use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_util::stream::{Stream, StreamExt};
use metrics::Counter;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tonic::transport::server::{Connected, TcpConnectInfo, TcpIncoming};

/// Accepts connections, but at most so many at the same time: one more is closed at once, because there is no room to
/// tell it anything. `refused` counts those.
pub(crate) fn accept(
    listener: TcpListener,
    most: usize,
    open: Arc<AtomicUsize>,
    refused: Counter,
) -> impl Stream<Item = io::Result<Connection>> + Send {
    TcpIncoming::from(listener).with_nodelay(Some(true)).filter_map(move |accepted| {
        let accepted = match accepted {
            Err(why) => Some(Err(why)),
            Ok(_) if open.load(Ordering::Relaxed) >= most => {
                refused.increment(1);
                None
            }
            Ok(stream) => {
                open.fetch_add(1, Ordering::Relaxed);
                Some(Ok(Connection { stream, open: Arc::clone(&open) }))
            }
        };
        std::future::ready(accepted)
    })
}

/// A connection that is counted while it lives.
pub(crate) struct Connection {
    stream: TcpStream,
    open: Arc<AtomicUsize>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

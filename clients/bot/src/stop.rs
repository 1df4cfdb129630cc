/// Ready when somebody asks the process to stop, by SIGINT (Ctrl-C) or SIGTERM: what [`Runner::run`] takes.
///
/// From the first call on these signals no longer end the process by themselves.
///
/// [`Runner::run`]: crate::Runner::run
#[cfg(unix)]
pub async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        // Without signals the process is ended from outside.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// Ready when somebody asks the process to stop, by Ctrl-C.
#[cfg(not(unix))]
pub async fn stop_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

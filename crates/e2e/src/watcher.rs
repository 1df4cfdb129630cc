use std::time::Duration;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;
use tokio::time::sleep;

/// Reads the events of a match to its end, coming back after every lost connection where it was. Returns the events
/// and how many were missed or came twice.
pub(crate) async fn watch(client: Client, match_id: String) -> (Vec<v1::Event>, u64) {
    let mut events: Vec<v1::Event> = Vec::new();
    let mut holes = 0;
    loop {
        let Ok(mut stream) = client.watch(&match_id, events.len() as u64).await else {
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        loop {
            match stream.next().await {
                Ok(Some(event)) => {
                    holes += u64::from(event.seq != events.len() as u64 + 1);
                    events.push(event);
                }
                Ok(None) => return (events, holes),
                Err(_) => break,
            }
        }
    }
}

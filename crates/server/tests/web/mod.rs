//! gRPC-Web by hand, for bytes and deadlines that no client library would send.

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Status;

use crate::common::within;

/// Sends bytes as the message of a call and returns the call's status.
pub async fn call(address: &str, path: &str, headers: &[(&str, &str)], message: &[u8]) -> Status {
    let host = address.strip_prefix("http://").unwrap();
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
         content-type: application/grpc-web+proto\r\ncontent-length: {}\r\n",
        message.len() + 5
    );
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    let mut request = (request + "\r\n").into_bytes();
    request.push(0);
    request.extend((message.len() as u32).to_be_bytes());
    request.extend(message);
    let mut stream = within(TcpStream::connect(host)).await.unwrap();
    within(stream.write_all(&request)).await.unwrap();
    let mut answer = Vec::new();
    within(stream.read_to_end(&mut answer)).await.unwrap();
    // A status is in the headers, or in the trailers that gRPC-Web puts into the body in the same form.
    let text = String::from_utf8_lossy(&answer).into_owned();
    let lines = text.split("\r\n").filter_map(|line| {
        let line = &line[line.find("grpc-status").unwrap_or(0)..];
        let (name, value) = line.split_once(':')?;
        let name: HeaderName = name.trim().to_ascii_lowercase().parse().ok()?;
        Some((name, HeaderValue::from_str(value.trim()).ok()?))
    });
    let headers: HeaderMap = lines.collect();
    Status::from_header_map(&headers).unwrap_or_else(|| panic!("no status in {text}"))
}

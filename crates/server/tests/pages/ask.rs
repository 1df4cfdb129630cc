//! HTTP/1.1 by hand, so that every header is seen as it was sent; and HTTP/2 through a channel of gRPC.

use http::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::body::Body;
use tonic::transport::Channel;
use tower::ServiceExt;

use crate::common::within;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// A header, which is there once.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let values: Vec<_> = self.headers.get_all(name).iter().collect();
        assert_eq!(values.len(), 1, "{name} in {:?}", self.headers);
        values[0].to_str().unwrap()
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// Sends a request and reads the answer.
pub async fn ask(address: &str, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
    let host = address.strip_prefix("http://").unwrap();
    let mut request = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += "\r\n";
    let mut stream = within(TcpStream::connect(host)).await.unwrap();
    within(stream.write_all(request.as_bytes())).await.unwrap();
    let mut answer = Vec::new();
    within(stream.read_to_end(&mut answer)).await.unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
    let head = std::str::from_utf8(&answer[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: HeaderMap = lines
        .map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value.trim()).unwrap())
        })
        .collect();
    assert!(!headers.contains_key("transfer-encoding"), "the length of every answer is known: {headers:?}");
    Answer { status, headers, body: answer[end + 4..].to_vec() }
}

pub async fn get(address: &str, target: &str) -> Answer {
    ask(address, "GET", target, &[]).await
}

/// The same over HTTP/2.
pub async fn ask_h2(channel: &Channel, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = http::Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = within(channel.clone().oneshot(request.body(Body::empty()).unwrap())).await.unwrap();
    let (head, body) = answer.into_parts();
    let body = within(body.collect()).await.unwrap().to_bytes().to_vec();
    Answer { status: head.status.as_u16(), headers: head.headers, body }
}

/// What was compressed.
pub fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut out).unwrap();
    out
}

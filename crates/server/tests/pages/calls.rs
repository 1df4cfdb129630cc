//! The page takes nothing from gRPC, and it can be turned off.

use chickenfoot_protocol::v1;
use chickenfoot_server::{Limits, Server};
use http::HeaderMap;
use prost::Message;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

use crate::ask::{ask, ask_h2, get};
use crate::common::{Service, within};
use crate::web;

async fn channel(service: &Service) -> Channel {
    Endpoint::from_shared(service.address.clone()).unwrap().connect().await.unwrap()
}

fn status(headers: &HeaderMap) -> Code {
    Status::from_header_map(headers).unwrap_or_else(|| panic!("no status in {headers:?}")).code()
}

#[tokio::test]
async fn calls_are_answered_beside_the_page() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let list = v1::ListMatchesRequest::default();
    within(ann.wire.matches.clone().list_matches(list.clone())).await.unwrap();
    let path = "/chickenfoot.v1.MatchService/ListMatches";
    assert_eq!(web::call(&service.address, path, &[], &list.encode_to_vec()).await.code(), Code::Ok);
    assert_eq!(get(&service.address, "/").await.status, 200);
    service.stop().await;
}

#[tokio::test]
async fn calls_of_what_does_not_exist_are_told_so_as_calls() {
    for page in [true, false] {
        let service = Service::run(Server::in_memory(Limits::default()).with_page(page)).await;
        let channel = channel(&service).await;
        // Paths of the page among them: what says that it is a call is one.
        for path in
            ["/no.such.Service/Method", "/chickenfoot.v1.MatchService/No", "/x", "/", "/agents", "/m/17"]
        {
            for kind in ["application/grpc", "application/grpc+proto"] {
                let answer =
                    ask_h2(&channel, "POST", path, &[("content-type", kind), ("te", "trailers")]).await;
                assert_eq!((answer.status, status(&answer.headers)), (200, Code::Unimplemented), "{path}");
            }
            assert_eq!(
                web::call(&service.address, path, &[], &[]).await.code(),
                Code::Unimplemented,
                "{path}"
            );
        }
        // What neither asks for a page nor says that it is a call is answered as ever.
        let answer = ask_h2(&channel, "POST", "/no.such.Service/Method", &[]).await;
        assert_eq!((answer.status, status(&answer.headers)), (200, Code::Unimplemented));
        let headers = [("content-length", "0")];
        let answer = ask(&service.address, "POST", "/no.such.Service/Method", &headers).await;
        assert_eq!(answer.status, 400);
        let answer = ask(&service.address, "OPTIONS", "/chickenfoot.v1.MatchService/GetMatch", &[]).await;
        assert_eq!(answer.status, 400);
        service.stop().await;
    }
}

#[tokio::test]
async fn without_the_page_nothing_of_it_is_there() {
    let service = Service::run(Server::in_memory(Limits::default()).with_page(false)).await;
    let channel = channel(&service).await;
    for path in ["/", "/agents", "/assets/app.js", "/favicon.svg", "/robots.txt", "/nothing"] {
        let answer = get(&service.address, path).await;
        assert_eq!((answer.status, answer.body.len()), (400, 0), "{path}");
        let answer = ask_h2(&channel, "GET", path, &[]).await;
        assert_eq!(status(&answer.headers), Code::Unimplemented, "{path}");
    }
    service.agent("ann").await;
    service.stop().await;
}

//! What stands where, and what a browser may do with it.

use chickenfoot_server::{Limits, Server, Tls};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::ask::{Answer, ask, ask_h2, get};
use crate::common::Service;

const ID: &str = "0123456789abcdef0123456789abcdef";

/// The policy of the page, word by word.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; \
     trusted-types lit-html";

#[track_caller]
fn is_guarded(answer: &Answer, policy: &str, used_by: &str) {
    assert_eq!(answer.header("content-security-policy"), policy);
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("cross-origin-resource-policy"), used_by);
    assert!(!answer.headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn every_address_of_the_page_has_the_document() {
    let service = Service::start().await;
    let paths = [
        "/".to_owned(),
        format!("/t/{ID}"),
        "/agents".to_owned(),
        "/agents/a.b-c_D9".to_owned(),
        format!("/m/{ID}"),
        format!("/m/{ID}/17"),
        "/?theme=dark".to_owned(),
    ];
    for path in paths {
        let answer = get(&service.address, &path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.body, chickenfoot_page::index().bytes, "{path}");
        is_guarded(&answer, &format!("{POLICY}; frame-ancestors 'none'"), "same-origin");
    }
    service.stop().await;
}

#[tokio::test]
async fn only_a_page_that_is_asked_for_as_embedded_may_be_framed() {
    let service = Service::start().await;
    let framed = get(&service.address, &format!("/m/{ID}?theme=dark&embed=1")).await;
    is_guarded(&framed, POLICY, "cross-origin");
    for query in ["embed", "embed=0", "embed=11", "x=embed=1"] {
        let answer = get(&service.address, &format!("/m/{ID}?{query}")).await;
        assert!(answer.header("content-security-policy").ends_with("frame-ancestors 'none'"), "{query}");
    }
    service.stop().await;
}

#[tokio::test]
async fn files_of_the_page_come_with_their_types() {
    let service = Service::start().await;
    for (path, kind) in [
        ("/assets/app.js", "text/javascript; charset=utf-8"),
        ("/assets/app.css", "text/css; charset=utf-8"),
        ("/assets/favicon.svg", "image/svg+xml"),
        ("/favicon.svg", "image/svg+xml"),
        ("/robots.txt", "text/plain; charset=utf-8"),
    ] {
        let answer = get(&service.address, path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, kind), "{path}");
        is_guarded(&answer, "default-src 'none'; frame-ancestors 'none'", "same-origin");
        if let Some(asset) = path.rsplit('/').next().and_then(chickenfoot_page::asset) {
            assert_eq!(answer.body, asset.bytes, "{path}");
        }
    }
    assert_eq!(get(&service.address, "/robots.txt").await.text(), "User-agent: *\nDisallow: /m/\n");
    service.stop().await;
}

#[tokio::test]
async fn what_is_not_there_or_no_id_is_told_in_a_text_that_nobody_keeps() {
    let service = Service::start().await;
    let unknown = [
        "/nothing",
        "/index.html",
        "/assets/index.html",
        "/assets/",
        "/assets/../app.js",
        "/agents/",
        "/t",
        "/m",
        "/m/",
        "//",
        "/a/b/c/d/e/f",
        "/favicon.ico",
        // A browser that goes to the path of a call.
        "/chickenfoot.v1.MatchService/GetMatch",
    ];
    let wrong = [
        ("/m/17", "match_id"),
        ("/m/0123456789ABCDEF0123456789ABCDEF", "match_id"),
        ("/m/17/3", "match_id"),
        ("/m/x/record.json", "match_id"),
        ("/t/17", "tournament_id"),
        ("/agents/-x", "name"),
        ("/agents/a%20b", "name"),
        ("/agents/%3Cscript%3E", "name"),
    ];
    let wrong = wrong.map(|(path, field)| (path.to_owned(), field));
    let numbers = ["-1", "1.0", "+1", "x", "99999999999999999999", "%31"];
    let wrong = wrong.into_iter().chain(numbers.map(|number| (format!("/m/{ID}/{number}"), "seq")));
    let expected = unknown.map(|path| (path.to_owned(), 404, "there is no such page"));
    for (path, status, word) in expected.into_iter().chain(wrong.map(|(path, field)| (path, 400, field))) {
        // An empty id is none either.
        let status = if path == "/m/" || path == "/agents/" { 400 } else { status };
        let answer = get(&service.address, &path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(status == 400 || answer.text().contains(word), "{path}: {}", answer.text());
        if word != "there is no such page" {
            assert!(answer.text().starts_with(word), "{path}: {}", answer.text());
        }
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(!answer.headers.contains_key("etag"), "{path}");
        is_guarded(&answer, "default-src 'none'; frame-ancestors 'none'", "same-origin");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_head_is_that_of_the_answer_without_its_body() {
    let service = Service::start().await;
    let channel = Endpoint::from_shared(service.address.clone()).unwrap().connect().await.unwrap();
    for (path, headers) in [
        ("/", &[][..]),
        ("/assets/app.js", &[("accept-encoding", "gzip")][..]),
        ("/nothing", &[]),
        ("/robots.txt", &[]),
    ] {
        let whole = ask(&service.address, "GET", path, headers).await;
        let head = ask(&service.address, "HEAD", path, headers).await;
        let head_h2 = ask_h2(&channel, "HEAD", path, headers).await;
        assert!(!whole.body.is_empty() && head.body.is_empty() && head_h2.body.is_empty(), "{path}");
        assert_eq!(whole.header("content-length"), whole.body.len().to_string());
        assert_eq!(head.status, whole.status);
        for name in ["content-length", "content-type", "content-security-policy", "cache-control"] {
            assert_eq!(head.header(name), whole.header(name), "{path}: {name}");
            assert_eq!(head_h2.header(name), whole.header(name), "{path}: {name}");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn pages_are_only_read() {
    let service = Service::start().await;
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        for path in
            ["/", "/agents", "/assets/app.js", "/m/17", "/robots.txt", &format!("/m/{ID}/record.json")]
        {
            let answer = ask(&service.address, method, path, &[("content-length", "0")]).await;
            assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method} {path}");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn the_page_comes_over_http_2_and_over_tls_too() {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let server = Server::in_memory(Limits::default());
    let safe = Service::run(server.with_tls(Some(Tls::new(cert.pem(), signing_key.serialize_pem())))).await;
    let address = safe.address.replace("http://", "https://");
    let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(cert.pem()));
    let over_tls = Endpoint::from_shared(address).unwrap().tls_config(tls).unwrap().connect().await.unwrap();
    let plain = Service::start().await;
    let over_tcp = Endpoint::from_shared(plain.address.clone()).unwrap().connect().await.unwrap();
    for (channel, opener) in [(over_tcp, None), (over_tls, Some("same-origin"))] {
        let answer = ask_h2(&channel, "GET", "/agents", &[]).await;
        assert_eq!((answer.status, answer.body.as_slice()), (200, chickenfoot_page::index().bytes));
        is_guarded(&answer, &format!("{POLICY}; frame-ancestors 'none'"), "same-origin");
        // Without TLS a browser passes it over, and says so in its console.
        let found = answer.headers.get("cross-origin-opener-policy").map(|value| value.to_str().unwrap());
        assert_eq!(found, opener);
        let answer = ask_h2(&channel, "POST", "/agents", &[]).await;
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"));
    }
    plain.stop().await;
    safe.stop().await;
}

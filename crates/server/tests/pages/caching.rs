//! What browsers keep, and what they are sent compressed.

use chickenfoot_page::asset;

use crate::ask::{ask, get, unpacked};
use crate::common::Service;

const EVER: &str = "public, max-age=31536000, immutable";

#[tokio::test]
async fn a_file_that_is_asked_for_by_its_hash_is_kept_for_ever() {
    let service = Service::start().await;
    for name in ["app.js", "app.css"] {
        let version = asset(name).unwrap().version();
        for (query, keep) in [
            (format!("?v={version}"), EVER),
            (format!("?x=1&v={version}"), EVER),
            (String::new(), "no-cache"),
            ("?v=".to_owned(), "no-cache"),
            // The document of an older server: it gets a file, and asks again the next time.
            ("?v=0123456789ab".to_owned(), "no-cache"),
        ] {
            let answer = get(&service.address, &format!("/assets/{name}{query}")).await;
            assert_eq!((answer.status, answer.header("cache-control")), (200, keep), "{name}{query}");
            assert_eq!(answer.body, asset(name).unwrap().bytes);
        }
    }
    assert_eq!(get(&service.address, "/favicon.svg").await.header("cache-control"), "public, max-age=86400");
    service.stop().await;
}

#[tokio::test]
async fn who_has_it_is_told_so() {
    let service = Service::start().await;
    for path in ["/", "/assets/app.js", "/assets/app.css?v=1", "/favicon.svg"] {
        for coding in ["identity", "gzip"] {
            let first = ask(&service.address, "GET", path, &[("accept-encoding", coding)]).await;
            let tag = first.header("etag").to_owned();
            assert!(tag.starts_with('"') && tag.ends_with('"'), "a strong one: {tag}");
            for has in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
                for method in ["GET", "HEAD"] {
                    let headers = [("accept-encoding", coding), ("if-none-match", &has)];
                    let again = ask(&service.address, method, path, &headers).await;
                    assert_eq!((again.status, again.body.len()), (304, 0), "{method} {path} {has}");
                    assert_eq!(again.header("etag"), tag);
                    assert_eq!(again.header("cache-control"), first.header("cache-control"));
                    assert_eq!(again.header("vary"), "accept-encoding");
                    assert!(!again.headers.contains_key("content-encoding"));
                }
            }
            let headers = [("accept-encoding", coding), ("if-none-match", "\"x\"")];
            assert_eq!(ask(&service.address, "GET", path, &headers).await.status, 200);
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn files_come_by_gzip_to_whoever_takes_it_and_under_another_tag() {
    let service = Service::start().await;
    for path in ["/", "/assets/app.js", "/assets/app.css"] {
        let plain = get(&service.address, path).await;
        let packed = ask(&service.address, "GET", path, &[("accept-encoding", "br, gzip")]).await;
        assert!(!plain.headers.contains_key("content-encoding"));
        assert_eq!(packed.header("content-encoding"), "gzip");
        assert_eq!(packed.header("content-type"), plain.header("content-type"));
        assert_eq!(unpacked(&packed.body), plain.body, "{path}");
        assert_ne!(packed.header("etag"), plain.header("etag"));
        assert_eq!((packed.header("vary"), plain.header("vary")), ("accept-encoding", "accept-encoding"));
        // The tag of one coding is not that of the other.
        let headers = [("accept-encoding", "gzip"), ("if-none-match", plain.header("etag"))];
        assert_eq!(ask(&service.address, "GET", path, &headers).await.status, 200);
        let refused = ask(&service.address, "GET", path, &[("accept-encoding", "gzip;q=0")]).await;
        assert_eq!(refused.body, plain.body);
    }
    service.stop().await;
}

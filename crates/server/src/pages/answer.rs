use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use chickenfoot_page::Asset;
use chickenfoot_store::MatchId;
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_NONE_MATCH, RETRY_AFTER, VARY,
};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use tonic::Code;
use tonic::body::Body;
use tonic::transport::server::{TcpConnectInfo, TlsConnectInfo};

use super::policy::Policy;
use crate::reason::Reason;
use crate::refusal::Refusal;

/// What of a request, beside its path, shapes the answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// Whether only the head of the answer is wanted.
    head_only: bool,
    /// Whether the answer may come by gzip.
    pub(super) takes_gzip: bool,
    /// The tags of answers that the asker has.
    has: String,
    /// Whether the page is to stand in a frame.
    pub(super) is_embedded: bool,
    /// Whether it came by TLS.
    by_tls: bool,
    /// The version that is asked for.
    pub(super) version: Option<String>,
}

impl Asked {
    pub(super) fn new<B>(request: &Request<B>) -> Asked {
        let headers = request.headers();
        let query = request.uri().query().unwrap_or_default();
        let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        Asked {
            head_only: request.method() == Method::HEAD,
            takes_gzip: takes_gzip(&values(headers, &ACCEPT_ENCODING)),
            has: values(headers, &IF_NONE_MATCH),
            is_embedded: pairs.clone().any(|pair| pair == ("embed", "1")),
            by_tls: request.extensions().get::<TlsConnectInfo<TcpConnectInfo>>().is_some(),
            version: pairs.find(|(name, _)| *name == "v").map(|(_, version)| version.to_owned()),
        }
    }

    /// Whether the asker has it in the coding that it would come in.
    pub(super) fn has(&self, lasting: &Lasting) -> bool {
        self.has_tag(&tag(&lasting.0, self.takes_gzip))
    }

    /// Whether the asker has what bears this tag.
    fn has_tag(&self, tag: &str) -> bool {
        let mut tags = self.has.split(',').map(|tag| tag.trim());
        tags.any(|has| has == "*" || has.strip_prefix("W/").unwrap_or(has) == tag)
    }
}

/// The tag of a content in a coding: the bytes under one tag are always the same.
fn tag(hash: &str, by_gzip: bool) -> String {
    format!("\"{}{}\"", hash.get(..32).unwrap_or(hash), if by_gzip { "-gzip" } else { "" })
}

/// All values of a header, as one list.
fn values(headers: &HeaderMap, name: &HeaderName) -> String {
    let texts: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    texts.join(",")
}

/// Whether a list of codings has gzip in it, by name or as any, and does not refuse it.
fn takes_gzip(accepted: &str) -> bool {
    let weight = |wanted: &str| {
        accepted.split(',').find_map(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            let is_wanted = parts.next()?.eq_ignore_ascii_case(wanted);
            let q = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            is_wanted.then(|| q.is_none_or(|q| q.parse::<f32>().is_ok_and(|q| q > 0.0)))
        })
    };
    weight("gzip").or_else(|| weight("*")).unwrap_or(false)
}

/// How long an answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Not at all.
    No,
    /// As long as one likes, but before each use one asks whether it is still right.
    Asking,
    /// For a day: it hardly changes.
    Day,
    /// For a week: only a later version of the service could make it otherwise.
    Week,
    /// For ever: something else would have another address.
    Ever,
}

impl Keep {
    fn value(self) -> &'static str {
        match self {
            Keep::No => "no-store",
            Keep::Asking => "no-cache",
            Keep::Day => "public, max-age=86400",
            Keep::Week => "public, max-age=604800",
            Keep::Ever => "public, max-age=31536000, immutable",
        }
    }
}

/// An answer to a browser.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    status: StatusCode,
    kind: &'static str,
    policy: Policy,
    keep: Keep,
    bytes: Bytes,
    /// The same by gzip, where that is worth it.
    gzip: Option<Bytes>,
    /// What tells this content from any other, in hexadecimal digits; what is not to be kept has none.
    hash: Option<Cow<'static, str>>,
    /// The name of the file that a browser makes of it.
    file: Option<String>,
    retry_after: Option<Duration>,
    allow: bool,
}

impl Answer {
    /// A text of this status, not to be kept.
    pub(super) fn text(status: StatusCode, text: impl Into<Bytes>) -> Answer {
        Answer {
            status,
            kind: "text/plain; charset=utf-8",
            policy: Policy::Inert,
            keep: Keep::No,
            bytes: text.into(),
            gzip: None,
            hash: None,
            file: None,
            retry_after: None,
            allow: false,
        }
    }

    /// Something that was made for this answer.
    pub(super) fn made(
        kind: &'static str,
        policy: Policy,
        keep: Keep,
        made: Made,
        lasting: Option<Lasting>,
    ) -> Answer {
        let Made { bytes, gzip } = made;
        let hash = lasting.map(|lasting| lasting.0.into());
        Answer { kind, policy, keep, gzip, hash, ..Answer::text(StatusCode::OK, bytes) }
    }

    /// Something that the asker [has](Asked::has): nothing is made.
    pub(super) fn known(policy: Policy, keep: Keep, lasting: Lasting) -> Answer {
        let made = Made { bytes: Bytes::new(), gzip: Some(Bytes::new()) };
        Answer::made("", policy, keep, made, Some(lasting))
    }

    fn embedded(asset: &'static Asset, policy: Policy, keep: Keep) -> Answer {
        let made =
            Made { bytes: Bytes::from_static(asset.bytes), gzip: Some(Bytes::from_static(&asset.gzip)) };
        Answer {
            hash: Some(asset.hash.as_str().into()),
            ..Answer::made(asset.content_type, policy, keep, made, None)
        }
    }

    /// The page.
    pub(super) fn document(is_embedded: bool) -> Answer {
        let policy = if is_embedded { Policy::Embedded } else { Policy::Page };
        Answer::embedded(chickenfoot_page::index(), policy, Keep::Asking)
    }

    /// A file of the page, in the version that is asked for: whoever has an older document still gets a file.
    pub(super) fn asset(asset: &'static Asset, version: Option<&str>) -> Answer {
        let keep = if version == Some(asset.version()) { Keep::Ever } else { Keep::Asking };
        Answer::embedded(asset, Policy::Inert, keep)
    }

    /// The page's icon.
    pub(super) fn icon(asset: &'static Asset) -> Answer {
        Answer::embedded(asset, Policy::Inert, Keep::Day)
    }

    /// Pages of matches are many and say nothing without their script.
    pub(super) fn robots() -> Answer {
        Answer { keep: Keep::Day, ..Answer::text(StatusCode::OK, "User-agent: *\nDisallow: /m/\n") }
    }

    /// Pages are only read.
    pub(super) fn method_not_allowed() -> Answer {
        Answer { allow: true, ..Answer::text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n") }
    }

    /// A refusal as a text that says what the call that it is of would say.
    pub(super) fn refusal(refusal: Refusal) -> Answer {
        let status = match refusal.reason.code() {
            Code::InvalidArgument | Code::OutOfRange => StatusCode::BAD_REQUEST,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::FailedPrecondition | Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
            Code::PermissionDenied | Code::Unauthenticated => StatusCode::FORBIDDEN,
            Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
            Code::Unavailable | Code::DeadlineExceeded => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let text = format!("{}\n", refusal.message);
        Answer { retry_after: refusal.retry_after, ..Answer::text(status, text) }
    }

    /// The refusal of a picture: what cannot be seen, or not yet, is not there.
    pub(super) fn nothing_to_see(refusal: Refusal) -> Answer {
        let is_hidden =
            matches!(refusal.reason, Reason::FieldOutOfRange | Reason::MatchNotStarted | Reason::MatchOver);
        let answer = Answer::refusal(refusal);
        if is_hidden { Answer { status: StatusCode::NOT_FOUND, ..answer } } else { answer }
    }

    /// The same as a file to be saved under this name, which has no character that would have to be quoted.
    pub(super) fn saved_as(self, file: String) -> Answer {
        Answer { file: Some(file), ..self }
    }

    /// As it goes to whoever asked.
    pub(super) fn respond(self, asked: &Asked) -> Response<Body> {
        let by_gzip = self.gzip.as_ref().filter(|_| asked.takes_gzip);
        let tag = self.hash.as_ref().map(|hash| tag(hash, by_gzip.is_some()));
        let is_known = tag.as_deref().is_some_and(|tag| asked.has_tag(tag));
        let body = by_gzip.unwrap_or(&self.bytes);

        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        self.policy.write(headers, asked.by_tls);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.keep.value()));
        if self.hash.is_some() || self.gzip.is_some() {
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        set(headers, ETAG, tag);
        set(headers, RETRY_AFTER, self.retry_after.map(|time| seconds(time).to_string()));
        if self.allow {
            headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(CONTENT_LENGTH, body.len().into());
        if by_gzip.is_some() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        set(headers, CONTENT_DISPOSITION, self.file.map(|file| format!("attachment; filename=\"{file}\"")));
        *response.status_mut() = self.status;
        if !asked.head_only {
            *response.body_mut() = Body::new(Full::new(body.clone()));
        }
        response
    }
}

/// Whole seconds, none of which is too short, and at least one.
fn seconds(time: Duration) -> u64 {
    time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0)).max(1)
}

/// Sets a header whose value is made of digits, letters and what stands above.
fn set(headers: &mut HeaderMap, name: HeaderName, value: Option<String>) {
    if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
        headers.insert(name, value);
    }
}

/// Something that was made for one answer.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) bytes: Bytes,
    pub(super) gzip: Option<Bytes>,
}

impl Made {
    /// A text, compressed too if it is to be.
    pub(super) fn of(text: String, by_gzip: bool) -> Made {
        let bytes = Bytes::from(text);
        let gzip = by_gzip.then(|| chickenfoot_page::gzip_fast(&bytes).into());
        Made { gzip, bytes }
    }
}

/// What tells something of a match that is over from anything else. Only a later version of the service would make
/// something else of it, so whoever has it can be told so before it is made.
#[derive(Clone, Debug)]
pub(super) struct Lasting(String);

impl Lasting {
    /// `what` is no other thing of the match.
    pub(super) fn new(id: MatchId, what: &str) -> Lasting {
        Lasting(chickenfoot_page::hash(format!("{} {id} {what}", env!("CARGO_PKG_VERSION")).as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::metrics::STATUSES;

    #[test]
    fn gzip_is_taken_by_name_or_as_any_but_not_where_it_is_refused() {
        for accepted in
            ["gzip", "deflate, GZIP;q=0.5", "br,gzip ; q=0.001", "*", "identity, *;q=0.1", "*;q=0, gzip"]
        {
            assert!(takes_gzip(accepted), "{accepted}");
        }
        for refused in ["", "br", "gzip;q=0", "gzip; q=0.0, *", "x-gzip2", "identity", "gzip;q=x"] {
            assert!(!takes_gzip(refused), "{refused}");
        }
    }

    #[test]
    fn every_status_that_an_answer_can_have_has_its_label_and_no_other_has() {
        let refused = Reason::ALL.iter().flat_map(|reason| {
            let refusal = || Refusal::new(*reason, "no");
            [Answer::refusal(refusal()), Answer::nothing_to_see(refusal())]
        });
        let others = [Answer::document(false), Answer::method_not_allowed()];
        let answers = refused.chain(others).map(|answer| answer.respond(&Asked::default()));
        let known = Asked { has: "*".to_owned(), ..Asked::default() };
        let answers = answers.chain([Answer::document(false).respond(&known)]);
        let found: BTreeSet<String> = answers.map(|answer| answer.status().as_str().to_owned()).collect();
        assert_eq!(found, STATUSES.map(str::to_owned).into());
    }

    #[test]
    fn nobody_is_told_to_come_back_too_early() {
        for (millis, whole) in [(0, 1), (1, 1), (1000, 1), (1001, 2), (2900, 3), (60_000, 60)] {
            assert_eq!(seconds(Duration::from_millis(millis)), whole, "{millis}");
        }
        assert_eq!(seconds(Duration::MAX), u64::MAX);
    }

    #[test]
    fn a_tag_is_known_in_a_list_and_when_it_is_weak() {
        let has = |list: &str| Asked { has: list.to_owned(), ..Asked::default() }.has_tag("\"a\"");
        assert!(has("\"a\"") && has("W/\"a\"") && has("\"b\", \"a\"") && has("*"));
        assert!(!has("") && !has("\"b\"") && !has("a"));
    }
}

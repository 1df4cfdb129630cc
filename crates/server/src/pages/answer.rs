use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use chickenfoot_page::Asset;
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_NONE_MATCH, RETRY_AFTER, VARY,
};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use tonic::Code;
use tonic::body::Body;

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
            version: pairs.find(|(name, _)| *name == "v").map(|(_, version)| version.to_owned()),
        }
    }

    /// Whether the asker has what bears this tag.
    fn has(&self, tag: &str) -> bool {
        let mut tags = self.has.split(',').map(|tag| tag.trim());
        tags.any(|has| has == "*" || has.strip_prefix("W/").unwrap_or(has) == tag)
    }
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
    /// What tells this content from any other; what is not to be kept has none.
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
    pub(super) fn made(kind: &'static str, policy: Policy, keep: Keep, made: Made) -> Answer {
        let Made { bytes, gzip, hash } = made;
        let hash = (keep != Keep::No).then(|| hash.into());
        Answer { kind, policy, keep, gzip, hash, ..Answer::text(StatusCode::OK, bytes) }
    }

    fn embedded(asset: &'static Asset, policy: Policy, keep: Keep) -> Answer {
        let made = Made {
            bytes: Bytes::from_static(asset.bytes),
            gzip: Some(Bytes::from_static(&asset.gzip)),
            hash: String::new(),
        };
        Answer {
            hash: Some(asset.hash.as_str().into()),
            ..Answer::made(asset.content_type, policy, keep, made)
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
        // The bytes under one tag are always the same.
        let coding = if by_gzip.is_some() { "-gzip" } else { "" };
        let tag = self.hash.as_ref().map(|hash| format!("\"{}{coding}\"", hash.get(..32).unwrap_or(hash)));
        let is_known = tag.as_deref().is_some_and(|tag| asked.has(tag));
        let body = by_gzip.unwrap_or(&self.bytes);

        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        self.policy.write(headers);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.keep.value()));
        if self.hash.is_some() || self.gzip.is_some() {
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        set(headers, ETAG, tag);
        set(headers, RETRY_AFTER, self.retry_after.map(|time| (time.as_secs().max(1)).to_string()));
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
    /// SHA-256 in hexadecimal digits.
    pub(super) hash: String,
}

impl Made {
    /// Hashes a text, and compresses it if it is to be.
    pub(super) fn of(text: String, by_gzip: bool) -> Made {
        let bytes = Bytes::from(text);
        let gzip = by_gzip.then(|| chickenfoot_page::gzip_fast(&bytes).into());
        Made { hash: chickenfoot_page::hash(&bytes), gzip, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_tag_is_known_in_a_list_and_when_it_is_weak() {
        let has = |list: &str| Asked { has: list.to_owned(), ..Asked::default() }.has("\"a\"");
        assert!(has("\"a\"") && has("W/\"a\"") && has("\"b\", \"a\"") && has("*"));
        assert!(!has("") && !has("\"b\"") && !has("a"));
    }
}

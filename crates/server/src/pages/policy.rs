//! What a browser may do with an answer.

use http::header::{CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};

/// What an answer is to a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// The page: it runs its own script and talks to its own server, and no other page may frame it.
    Page,
    /// The page in a frame of any other.
    Embedded,
    /// A picture, for pages of anybody.
    Picture,
    /// A file of the page, a text or a download: nothing in it is run.
    Inert,
}

/// All that the page may do. The library that fills its elements names its policy `lit-html`; no other code may turn text
/// into elements or scripts.
macro_rules! page {
    ($framed_by:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ",
            "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
            $framed_by
        )
    };
}

impl Policy {
    fn content(self) -> &'static str {
        match self {
            Policy::Page => page!("; frame-ancestors 'none'"),
            // What is not said is allowed: also to pages that are files.
            Policy::Embedded => page!(""),
            Policy::Picture => "default-src 'none'; style-src 'unsafe-inline'",
            Policy::Inert => "default-src 'none'; frame-ancestors 'none'",
        }
    }

    fn used_by(self) -> &'static str {
        match self {
            Policy::Page | Policy::Inert => "same-origin",
            Policy::Embedded | Policy::Picture => "cross-origin",
        }
    }

    /// Writes it into the head of an answer. What only counts where nobody can have changed the answer on its way is left
    /// out elsewhere: a browser would say in its console that it passes it over.
    pub(super) fn write(self, headers: &mut HeaderMap, by_tls: bool) {
        let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
        set(CONTENT_SECURITY_POLICY, self.content());
        set(X_CONTENT_TYPE_OPTIONS, "nosniff");
        set(REFERRER_POLICY, "no-referrer");
        if by_tls {
            set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        }
        set(HeaderName::from_static("cross-origin-resource-policy"), self.used_by());
    }
}

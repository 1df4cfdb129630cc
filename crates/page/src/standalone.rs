use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::asset::{asset, gzip, index};
use crate::hash::sha256;

/// The page as one HTML file that needs nothing else, showing `data`, which is what its script takes for a replay.
///
/// The data stand in the element `replay`, by gzip and then base64. The policy in the file lets this one script and this
/// one style sheet run, and nothing be fetched.
pub fn standalone(data: &[u8], title: &str) -> String {
    let text = |name| asset(name).map(|asset| asset.text()).unwrap_or_default();
    assemble(index().text(), text("app.js"), text("app.css"), data, title)
}

/// What may not begin in a script or in a style sheet, and the `<` that is written in its place.
const SCRIPT: &[&str] = &["</script", "<script", "<!--"];
const SCRIPT_LESS: &str = r"\x3c";
const STYLE: &[&str] = &["</style", "<!--"];
const STYLE_LESS: &str = r"\3c ";

fn assemble(index: &str, script: &str, style: &str, data: &[u8], title: &str) -> String {
    let script = inert(script, SCRIPT, SCRIPT_LESS);
    let style = inert(style, STYLE, STYLE_LESS);
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
        STANDARD.encode(sha256(script.as_bytes())),
        STANDARD.encode(sha256(style.as_bytes())),
    );
    let mut body = body(index).to_owned();
    let _ = write!(
        body,
        "<script type=\"application/octet-stream\" id=\"replay\">{}</script>\n<script type=\"module\">{script}</script>\n",
        STANDARD.encode(gzip(data)),
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         {metas}<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        metas = metas(index),
        title = escaped(title),
    )
}

/// What the document says of itself in its head, such as how wide it is and which colours it has.
fn metas(index: &str) -> String {
    let head = index.split("</head>").next().unwrap_or_default();
    let tags = head.split("<meta name=").skip(1).filter_map(|rest| rest.split_once('>'));
    tags.map(|(tag, _)| format!("<meta name={tag}>\n")).collect()
}

/// What stands in the body of the page's document.
fn body(index: &str) -> &str {
    let from =
        index.find("<body").and_then(|at| Some(at + index[at..].find('>')? + 1)).unwrap_or(index.len());
    let until = index.rfind("</body>").filter(|until| *until >= from).unwrap_or(index.len());
    index[from..until].trim_start()
}

/// A script or style sheet in which nothing can end the element that it stands in: where one of the words begins,
/// whatever the case of its letters, its `<` is written another way, which is the same in a string, a template or a
/// regular expression. Line ends become those that a browser makes of them, for the hash is over what it reads.
fn inert(source: &str, words: &[&str], less: &str) -> String {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(source.len());
    let mut rest = source.as_str();
    while let Some(at) = rest.find('<') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let begins = |word: &&str| {
            tail.as_bytes().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        };
        out.push_str(if words.iter().any(begins) { less } else { "<" });
        rest = &tail[1..];
    }
    out.push_str(rest);
    out
}

/// A text as it stands between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "<head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"x\"><link href=\"/assets/app.css\"></head>\n<body class=\"x\">\n<main id=\"app\"></main>\n</body></html>";

    /// What stands between two texts, both of which occur once.
    fn between<'a>(text: &'a str, from: &str, until: &str) -> &'a str {
        assert_eq!(text.matches(from).count(), 1, "{from} in {text}");
        let rest = text.split_once(from).unwrap().1;
        rest.split_once(until).unwrap().0
    }

    #[test]
    fn nothing_in_a_script_style_or_title_ends_its_element() {
        let script = "a = \"</SCRIPT><!-- <script>\"; b = 1 < 2;\r\nc = `</scripture`;";
        let style = ".a::after { content: \"</sTyle><b>\" }";
        let page = assemble(INDEX, script, style, b"data", "</title><script>alert(1)</script>&");
        assert_eq!(
            between(&page, "<script type=\"module\">", "</script>"),
            "a = \"\\x3c/SCRIPT>\\x3c!-- \\x3cscript>\"; b = 1 < 2;\nc = `\\x3c/scripture`;"
        );
        assert_eq!(between(&page, "<style>", "</style>"), ".a::after { content: \"\\3c /sTyle><b>\" }");
        assert_eq!(
            between(&page, "<title>", "</title>"),
            "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"
        );
        assert_eq!(page.to_lowercase().matches("<script").count(), 2);
    }

    #[test]
    fn the_policy_names_the_hashes_of_what_stands_in_the_elements() {
        let page = assemble(INDEX, "run();\r\nstop(\"</script>\")", "a { top: 0 }", b"data", "t");
        let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
        for (directive, element, end) in
            [("script-src", "<script type=\"module\">", "</script>"), ("style-src", "<style>", "</style>")]
        {
            let hash = STANDARD.encode(sha256(between(&page, element, end).as_bytes()));
            assert!(policy.contains(&format!("{directive} 'sha256-{hash}';")), "{policy}");
        }
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
    }

    #[test]
    fn the_data_come_out_as_they_went_in_and_the_body_is_that_of_the_page() {
        let data = b"</script>\x00\xff<!--".repeat(100);
        let page = assemble(INDEX, "", "", &data, "t");
        let packed = STANDARD.decode(between(&page, "id=\"replay\">", "</script>")).unwrap();
        let mut out = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed[..]), &mut out).unwrap();
        assert_eq!(out, data);
        assert!(between(&page, "<body>", "</body>").contains("<main id=\"app\"></main>"));
        assert!(!page.contains("/assets/"), "{page}");
        assert_eq!(page.matches("<meta name=\"viewport\" content=\"x\">").count(), 1, "{page}");
        assert_eq!(page.matches("charset").count(), 1, "{page}");
    }

    /// Where something is written another way, it has to stand in a string: elsewhere, as in `i<scripts.length`, it would
    /// mean something else.
    #[test]
    fn nothing_of_the_built_script_and_style_has_to_be_written_another_way() {
        for (name, words, less) in [("app.js", SCRIPT, SCRIPT_LESS), ("app.css", STYLE, STYLE_LESS)] {
            let text = asset(name).unwrap().text();
            assert!(!text.is_empty(), "{name}");
            let same = text.bytes().zip(inert(text, words, less).bytes()).take_while(|(a, b)| a == b).count();
            let around = &text.as_bytes()[same.saturating_sub(40)..(same + 40).min(text.len())];
            assert_eq!(same, text.len(), "{name}: {}", String::from_utf8_lossy(around));
        }
    }

    #[test]
    fn the_built_page_in_one_file_asks_for_nothing_else() {
        let page = standalone(b"{}", "A & B");
        let style = between(&page, "<style>", "</style>");
        let (head, rest) = page.split_once(style).unwrap();
        let (body, rest) = rest.split_once("<script type=\"application").unwrap();
        let end = rest.rsplit_once("</script>").unwrap().1;
        assert!(head.contains("<title>") && style.contains('{') && body.contains("<body"), "{head}{body}");
        for text in [head, body, end] {
            for outside in ["src=", "href=", "/assets/", "url(", "http:", "https:", "//"] {
                assert!(!text.contains(outside), "{outside} in {text}");
            }
        }
        for outside in ["@import", "@font-face", "image-set(", "/assets/", "http:", "https:"] {
            assert!(!style.contains(outside), "{outside} in the style");
        }
        let fetched: Vec<_> = style.match_indices("url(").map(|(at, _)| &style[at..]).collect();
        assert!(
            fetched.iter().all(|url| url[4..].trim_start_matches('"').starts_with("data:")),
            "{fetched:?}"
        );
        assert!(page.contains("<title>A &amp; B</title>"));
    }
}

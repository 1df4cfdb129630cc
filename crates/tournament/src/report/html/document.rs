use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style sheet of all pages.
const STYLE: &str = include_str!("style.css");

/// A page of HTML that is complete in itself, in the style of reports. `style` is what it adds to the style sheet: CSS that
/// is trusted, as it is not escaped.
pub fn document(title: &str, style: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { main { (body) } }
        }
    }
}

use chickenfoot_picture::{Form, Layout, Svg, Theme, tiles_after};
use chickenfoot_rules::{Record, RoundRecord};
use maud::{Markup, PreEscaped, html};

use super::step::Step;

/// Shows the table at each turn, where scripts run. It reads the page and asks for nothing.
const SCRIPT: &str = include_str!("board.js");

/// What pictures of the table need of the page's style sheet.
pub(super) fn style() -> String {
    let frame = ".board{margin:12px 0}.board svg{display:block;width:100%;max-height:70vh;border-radius:8px}\
        .board .turns{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:center;margin:6px 0;font-size:14px}\
        .board input{flex:1 1 12em;min-width:8em;accent-color:var(--accent)}\
        .board button,td.at button{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);\
        border-radius:5px;padding:3px 10px;cursor:pointer}td.at button{padding:0 6px}\
        .board output{flex-basis:100%;min-height:1.5em}tr[aria-current] td{box-shadow:inset 0 2px var(--accent),inset 0 -2px var(--accent)}\
        @media print{.board .turns{display:none}}";
    format!("{frame}{}", Svg::style(Theme::Auto))
}

pub(super) fn script() -> Markup {
    html! { script { (PreEscaped(SCRIPT)) } }
}

/// The table at the end of a round, with what the script needs to show it at any turn.
pub(super) fn board(record: &Record, number: u8, round: &RoundRecord) -> Markup {
    // A record that verifies has a place for every tile.
    let Ok(layout) = Layout::of_round(&record.rules, round) else { return html! {} };
    let id = format!("table-{number}");
    let title = format!("The table of round {number}");
    let svg = Svg { form: Form::Inline { id: &id }, title: &title, history: true, ..Svg::default() };
    html! { figure.board { (PreEscaped(svg.render(&layout))) } }
}

/// How many tiles lay on the table after a turn.
pub(super) fn tiles(round: &RoundRecord, step: &Step) -> usize {
    let made = round.moves.get(..step.at as usize).unwrap_or(&round.moves);
    tiles_after(made)
}

use std::sync::Arc;

use chickenfoot_picture::{Outline, Style, Svg, Theme};
use chickenfoot_store::{MatchId, MatchRow, Occupant};
use chickenfoot_tournament::report::page::visible;

use super::answer::{Answer, Asked, Keep, Lasting, Made};
use super::policy::Policy;
use super::route::Form;
use super::words::situation;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::scenes::Still;
use crate::state::State;

/// A moment of a match as a picture or a text: after an event, or after the last one that spectators may see by now.
///
/// # Errors
/// There is nothing to be seen of such a match or event; or too much is being made for browsers.
pub(super) async fn show(
    state: &Arc<State>,
    id: MatchId,
    seq: Option<u64>,
    form: Form,
    asked: &Asked,
) -> Result<Answer, Refusal> {
    let turn = state.gate.drawing().await?;
    // The row comes first: of what is over in it, nothing in the picture changes any more.
    let row = state.arena.row(id).await?;
    let (kind, policy) = match form {
        Form::Picture => ("image/svg+xml", Policy::Picture),
        Form::Text => ("text/plain; charset=utf-8", Policy::Inert),
    };
    // The summary is that of the end.
    let last = row.summary.as_ref().filter(|_| row.state.is_over()).map(|summary| summary.head_seq);
    let lasting = last.map(|last| Lasting::new(id, &format!("{} {form:?}", seq.unwrap_or(last))));
    if let (Some(last), Some(lasting)) = (last, &lasting)
        && (1..=last).contains(&seq.unwrap_or(last))
        && asked.has(lasting)
    {
        return Ok(Answer::known(policy, Keep::Week, lasting.clone()));
    }
    let still = state.still(id, seq).await?;
    let by_gzip = asked.takes_gzip;
    // Before the end, or as long as spectators are behind it, a picture may still change.
    let lasting = lasting.filter(|_| last == Some(still.head_seq));
    let made = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let text = match form {
            Form::Picture => picture(&row, &still),
            Form::Text => text(&row, &still),
        };
        Made::of(text, by_gzip)
    });
    let made = made.await.map_err(|_| Refusal::new(Reason::Internal, "the picture could not be drawn"))?;
    let keep = if lasting.is_some() { Keep::Week } else { Keep::No };
    Ok(Answer::made(kind, policy, keep, made, lasting))
}

fn picture(row: &MatchRow, still: &Still) -> String {
    let title = title(row, still);
    match &still.layout {
        Some(layout) => Svg { title: &title, tiles: Some(still.tiles), ..Svg::default() }.render(layout),
        None => empty(&title),
    }
}

/// A table on which nothing lies.
fn empty(title: &str) -> String {
    let title = chickenfoot_page::escaped(title);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chickenfoot\" \
         viewBox=\"-400 -300 800 600\" role=\"img\" aria-labelledby=\"cf-h cf-d\"><title id=\"cf-h\">{title}</title>\
         <desc id=\"cf-d\">No tile lies.</desc><style>{}</style>\
         <rect class=\"felt\" x=\"-400\" y=\"-300\" width=\"800\" height=\"600\"/></svg>\n",
        Svg::style(Theme::Auto)
    )
}

fn text(row: &MatchRow, still: &Still) -> String {
    let mut text = format!("{}\n\n{}", title(row, still), situation(&names(row), still));
    if let Some(table) = &still.table {
        text.push('\n');
        text.push_str(&Outline { style: Style::Unicode, ..Outline::default() }.render(table));
    }
    text
}

/// What moment it is, and of which match.
fn title(row: &MatchRow, still: &Still) -> String {
    let names = names(row).join(", ");
    let round = match still.situation.round {
        0 => "before the first round".to_owned(),
        round => format!("round {round} of {}", row.rules.rounds()),
    };
    format!(
        "Chicken Foot: {names}. Match {}, {round}, after event {} of {}",
        row.id, still.seq, still.head_seq
    )
}

/// The names of the seats, each on one line and in its own direction, whatever is in them.
fn names(row: &MatchRow) -> Vec<String> {
    let name = |occupant: &Option<Occupant>| {
        let name = occupant.as_ref().map(Occupant::name).unwrap_or_else(|| "nobody".to_owned());
        visible(&name)
    };
    row.seats.iter().map(|seat| name(&seat.occupant)).collect()
}

#[cfg(test)]
mod tests {
    use chickenfoot_picture::{Layout, Table};
    use chickenfoot_rules::{SeatState, Situation, Terms};
    use chickenfoot_store::conformance::running;

    use super::*;

    /// A moment with one tile, or none, of a match with names that no agent can have.
    fn moment(tiles: usize) -> (MatchRow, Still) {
        let mut row = running(7);
        let names = ["</title><script>alert('1')</script>&amp;\"", "a\u{0}b\nc\u{202e}d\u{1f414}"];
        for (seat, name) in row.seats.iter_mut().zip(names) {
            seat.occupant = Some(Occupant::House(name.to_owned()));
        }
        let terms = Terms::from(&row.rules);
        let still = Still {
            seq: 5,
            head_seq: 9,
            situation: Situation { round: 1, seats: vec![SeatState::default(); 2], ..Situation::default() },
            tiles,
            layout: (tiles > 0).then(|| Layout::new(&terms, 9)),
            table: (tiles > 0).then(|| Table::new(&terms, 9)),
        };
        (row, still)
    }

    #[test]
    fn names_with_markup_are_text_in_a_picture() {
        for tiles in [0, 1] {
            let (row, still) = moment(tiles);
            let svg = picture(&row, &still);
            let document = roxmltree::Document::parse(&svg).unwrap();
            assert!(document.descendants().all(|node| !node.has_tag_name("script")), "{svg}");
            let title = document.descendants().find(|node| node.tag_name().name() == "title").unwrap();
            let expected = "Chicken Foot: house:</title><script>alert('1')</script>&amp;\", house:a\u{fffd}b\u{fffd}c\u{fffd}d\u{1f414}. \
                            Match 00000000000000000000000000000007, round 1 of 10, after event 5 of 9";
            assert_eq!(title.text(), Some(expected));
        }
    }

    #[test]
    fn names_keep_to_their_line_of_a_text() {
        let (row, still) = moment(1);
        let text = text(&row, &still);
        assert_eq!(
            text.lines().filter(|line| line.contains("house:a\u{fffd}b\u{fffd}c\u{fffd}d")).count(),
            2,
            "{text}"
        );
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        assert!(text.contains("\n\n[9|9]\n"), "{text}");
    }
}

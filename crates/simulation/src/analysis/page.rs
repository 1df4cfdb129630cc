use chickenfoot_rules::Record;
use chickenfoot_tournament::report::page::{Chart, Line, Name, document, plain, signed, visible};
use maud::{Markup, html};

use super::account::{Account, Analysis, RoundAccount};
use super::board;
use super::step::Step;

/// What the page adds to the style of reports.
const STYLE: &str = "pre{font:13px/1.25 ui-monospace,Menlo,Consolas,monospace;overflow-x:auto;background:var(--soft);\
padding:10px 12px;margin:8px 0}td.made,td.options{text-align:left;white-space:normal}td.made{white-space:nowrap}\
.given td{background:rgb(var(--down) / .14)}.chosen{font-weight:650}.options span{white-space:nowrap}";

/// From so many pips on, what was given away is marked.
const MUCH: f64 = 1.0;

/// The analysis of a record as a page of HTML that is complete in itself: it asks for nothing from anywhere. Names are shown
/// as text, whatever is in them.
///
/// Of each round it has one picture of the table. Without scripts that is the table at the end; a short script of its own
/// shows the table at every turn.
pub fn page(record: &Record, analysis: &Analysis) -> String {
    let title = format!("Match {}", visible(&analysis.match_id));
    let style = format!("{STYLE}{}", board::style());
    let body = html! {
        header {
            h1 { (title) }
            p { code { (analysis.rules) } }
        }
        (seats(analysis))
        (graph(analysis))
        @for round in &analysis.rounds { (one_round(record, analysis, round)) }
        (method(analysis))
        (board::script())
    };
    document(&format!("{title} \u{b7} Chicken Foot analysis"), &style, &body).into_string()
}

fn seats(analysis: &Analysis) -> Markup {
    html! {
        section aria-labelledby="seats" {
            h2 id="seats" { "Seats" }
            p.note {
                "In pips; margin: mean points of the others less one\u{2019}s own. What is lost with a minus was gained."
            }
            div.wide role="region" aria-label="Seats" tabindex="0" {
                table {
                    thead { tr {
                        th.name { "seat" } th { "points" } th { "place" } th { "decisions" } (heads())
                    } }
                    tbody {
                        @for (number, seat) in analysis.seats.iter().enumerate() {
                            tr {
                                td.name { (number) " " (Name(&seat.name)) }
                                td { (seat.points) }
                                td { @match seat.place { Some(place) => (place), None => "\u{2013}" } }
                                td { (seat.decisions) }
                                (figures(&seat.account))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn heads() -> Markup {
    html! {
        th { "margin" } th { "lost by choices" } th { "lost to the deal" } th { "lost to draws" } th { "made by play" }
    }
}

fn figures(account: &Account) -> Markup {
    html! {
        td { (signed(account.margin, 1)) }
        td { (plain(account.lost_by_choices, 1)) }
        td { (plain(account.lost_to_deal, 1)) }
        td { (plain(account.lost_to_draws, 1)) }
        td { (signed(account.play, 1)) }
    }
}

/// How the match stood: the margins of the rounds that are over, and what the one on the table promises.
fn graph(analysis: &Analysis) -> Markup {
    let mut lines: Vec<Line> = analysis
        .seats
        .iter()
        .enumerate()
        .map(|(number, seat)| Line {
            name: format!("{number} {}", seat.name),
            points: Vec::new(),
            // There are eight colours.
            colour: (number < 8).then_some(number),
        })
        .collect();
    let mut before = vec![0.0; lines.len()];
    let mut across = 0;
    for round in &analysis.rounds {
        for step in &round.steps {
            for ((line, before), outlook) in lines.iter_mut().zip(&before).zip(&step.outlook) {
                line.points.push((across, before + outlook));
            }
            across += 1;
        }
        for ((line, before), account) in lines.iter_mut().zip(&mut before).zip(&round.seats) {
            *before += account.margin;
            line.points.push((across, *before));
        }
        across += 1;
    }
    let values = || lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let free = ((high - low) * 0.06).max(0.5);
    let ends: Vec<String> = lines
        .iter()
        .filter_map(|line| Some(format!("{} {}", visible(&line.name), signed(line.points.last()?.1, 1))))
        .collect();
    let chart = Chart {
        title: "Expected margin as the match went on",
        description: format!("Where the lines end: {}.", ends.join(", ")),
        unit: "pips, more is better",
        across: "turn",
        lines,
        marks: Vec::new(),
        low: low - free,
        high: high + free,
    };
    html! {
        section aria-labelledby="graph" {
            h2 id="graph" { "The match" }
            (chart.render())
        }
    }
}

fn one_round(record: &Record, analysis: &Analysis, round: &RoundAccount) -> Markup {
    let recorded = record.rounds.get(usize::from(round.number).saturating_sub(1));
    let id = format!("round-{}", round.number);
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { "Round " (round.number) " on double-" (round.starting_double) }
            p { @match &round.end { Some(end) => { "Ended: " (end) "." }, None => "Not played to its end." } }
            @if let Some(recorded) = recorded { (board::board(record, round.number, recorded)) }
            details {
                summary { "The table as text" }
                pre role="img" aria-label="The table at the end" { (round.table) }
            }
            div.wide role="region" aria-label="Accounts" tabindex="0" {
                table {
                    thead { tr { th.name { "seat" } th { "scored" } (heads()) } }
                    tbody {
                        @for (number, account) in round.seats.iter().enumerate() {
                            tr {
                                td.name { (seat_name(analysis, number)) }
                                td { @match round.scores.get(number) { Some(score) => (score), None => "\u{2013}" } }
                                (figures(account))
                            }
                        }
                    }
                }
            }
            details {
                summary { "Turns" }
                div.wide role="region" aria-label="Turns" tabindex="0" {
                    table {
                        thead { tr {
                            th { "turn" } th.name { "seat" } th.name { "made" } th { "given away" } th { "luck" }
                            th.name { "options" }
                        } }
                        tbody {
                            @for step in &round.steps {
                                (turn(analysis, step, recorded.map(|recorded| board::tiles(recorded, step))))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A turn; `tiles` is how many lay on the table after it.
fn turn(analysis: &Analysis, step: &Step, tiles: Option<usize>) -> Markup {
    let luck = step.luck.as_ref().and_then(|luck| luck.get(usize::from(step.seat)));
    let much = step.given_away.is_some_and(|away| away >= MUCH);
    html! {
        tr.given[much] data-tiles=[tiles] {
            td.at { (step.at) }
            td.name { (seat_name(analysis, usize::from(step.seat))) }
            td.made { (step.made) }
            td { @if let Some(away) = step.given_away { (plain(away, 2)) } }
            td { @if let Some(luck) = luck { (signed(*luck, 2)) } }
            td.options {
                @for (position, option) in step.options.iter().enumerate() {
                    @if position > 0 { ", " }
                    span.chosen[option.chosen] {
                        (option.option) " " (signed(option.value, 2))
                        @if let Some(error) = option.error { " \u{b1}" (plain(error, 2)) }
                    }
                }
            }
        }
    }
}

fn seat_name(analysis: &Analysis, number: usize) -> Markup {
    let name = analysis.seats.get(number).map_or("", |seat| &seat.name);
    html! { (number) " " (Name(name)) }
}

fn method(analysis: &Analysis) -> Markup {
    let method = &analysis.method;
    html! {
        section aria-labelledby="method" {
            h2 id="method" { "How it is estimated" }
            p.note {
                "Options: the expected margin in the round by " (method.strategy) " with about " (method.rollouts)
                " rollouts a decision, from what the seat could know, and its standard error. Given away: what the best option of \
                 one half of the deals has over the chosen one on the other half, the mean of both ways round; it is below 0 where \
                 the choice was the better one. Luck: by rounds that dead-foot plays to the end for all seats, all hands known and the \
                 boneyard shuffled " (method.shuffles) " times. The deal, with who starts: what is then expected where all seats \
                 were alike before. A draw: the tile that came, against the mean of all that might have. Made by play: the rest."
            }
        }
    }
}

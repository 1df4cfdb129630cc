//! What holds of the picture of any round, read back as XML.
#![allow(clippy::unwrap_used)]

#[expect(dead_code, reason = "other tests use more of it")]
mod common;

use std::collections::HashSet;

use chickenfoot_picture::{Form, Layout, Svg, Theme};
use chickenfoot_rules::{Preset, RuleOptions};
use common::{Play, layout_of, round_rules, stress};
use roxmltree::{Document, Node};

fn round(seed: u64) -> Layout {
    let mut play = Play::deal(&RuleOptions::new(Preset::Trains, 4).resolve().unwrap(), seed);
    play.finish();
    layout_of(&play)
}

fn all_classed<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    document.descendants().filter(has).collect()
}

#[test]
fn every_picture_is_well_formed_and_asks_for_nothing() {
    for max_pip in [6, 9, 12, 15, 18] {
        for (rules, seed) in round_rules(max_pip).iter().zip(0..) {
            let mut play = Play::deal(rules, seed);
            play.finish();
            let text = Svg::default().render(&layout_of(&play));
            let document = Document::parse(&text).unwrap();
            let ids: HashSet<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
            for href in document.descendants().filter_map(|node| node.attribute("href")) {
                assert!(ids.contains(href.strip_prefix('#').unwrap()), "{href}");
            }
            assert!(!text.contains("url("));
            assert!(!text.contains("<script"));
        }
    }
}

#[test]
fn every_tile_bears_its_two_numbers_upright() {
    let layout = round(3);
    let text = Svg::default().render(&layout);
    let document = Document::parse(&text).unwrap();
    let tiles = all_classed(&document, "tile");
    assert_eq!(tiles.len(), layout.tiles().len());
    for (tile, placed) in tiles.iter().zip(layout.tiles()) {
        let digits: Vec<Node<'_, '_>> = tile.children().filter(|node| node.has_tag_name("text")).collect();
        let numbers: Vec<u8> = digits.iter().map(|digit| digit.text().unwrap().parse().unwrap()).collect();
        assert_eq!(numbers, [placed.inner, placed.outer]);
        assert!(tile.attribute("transform").is_none());
        assert!(digits.iter().all(|digit| digit.attribute("transform").is_none()));
        for (digit, number) in digits.iter().zip(numbers) {
            assert!(digit.attribute("class").unwrap().split(' ').any(|class| class == format!("n{number}")));
        }
    }
}

#[test]
fn the_newest_tile_is_marked_on_demand() {
    let layout = round(4);
    let marks = |mark_newest| {
        let text = Svg { mark_newest, ..Svg::default() }.render(&layout);
        let document = Document::parse(&text).unwrap();
        let newest = all_classed(&document, "new");
        let texts = |tile: &Node<'_, '_>| {
            tile.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect()
        };
        newest.iter().map(texts).collect::<Vec<String>>()
    };
    let newest = layout.tiles().last().unwrap();
    let numbers: Vec<String> = vec![format!("{}{}", newest.inner, newest.outer)];
    assert_eq!(marks(true), numbers);
    assert_eq!(marks(false), Vec::<String>::new());
}

#[test]
fn any_title_is_text() {
    let title = "</title><script>alert(\"1\")</script> & 'x' \u{0}\u{1b}\u{fffe} \u{1f414}";
    let text = Svg { title, ..Svg::default() }.render(&round(5));
    let document = Document::parse(&text).unwrap();
    let found = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
    let shown = "</title><script>alert(\"1\")</script> & 'x' \u{fffd}\u{fffd}\u{fffd} \u{1f414}";
    assert_eq!(found.text().unwrap(), shown);
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
}

#[test]
fn an_id_is_cut_to_what_an_id_may_be() {
    let form = Form::Inline { id: "r1\"><script>x</script>" };
    let text = Svg { form, ..Svg::default() }.render(&round(5));
    let document = Document::parse(&text).unwrap();
    assert!(document.descendants().any(|node| node.attribute("id") == Some("r1scriptxscript-t")));
}

#[test]
fn a_file_has_a_header_and_colours_and_an_inline_picture_has_neither() {
    let layout = round(6);
    let file = Svg::default().render(&layout);
    assert!(file.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "));
    assert!(file.contains("prefers-color-scheme:dark"));
    for theme in [Theme::Light, Theme::Dark] {
        let file = Svg { theme, ..Svg::default() }.render(&layout);
        assert!(file.contains("<style>") && !file.contains("prefers-color-scheme"));
    }
    let inline = Svg { form: Form::Inline { id: "r1" }, ..Svg::default() }.render(&layout);
    assert!(inline.starts_with("<svg ") && inline.ends_with("</svg>") && !inline.contains("<style>"));
}

#[test]
fn pictures_of_a_round_lie_upon_each_other() {
    let layout = round(7);
    let count = layout.tiles().len();
    let boxes: HashSet<String> = (0..=count + 1)
        .map(|tiles| {
            let text = Svg { tiles: Some(tiles), ..Svg::default() }.render(&layout);
            let document = Document::parse(&text).unwrap();
            assert_eq!(all_classed(&document, "tile").len(), tiles.clamp(1, count));
            document.root_element().attribute("viewBox").unwrap().to_owned()
        })
        .collect();
    assert_eq!(boxes.len(), 1);
}

/// Does what a script does.
#[test]
fn a_history_holds_every_earlier_picture() {
    let layout = round(8);
    let history = Svg { history: true, ..Svg::default() }.render(&layout);
    let history = Document::parse(&history).unwrap();
    let number = |node: &Node<'_, '_>, name: &str| node.attribute(name).map(|n| n.parse::<usize>().unwrap());
    for tiles in 1..=layout.tiles().len() {
        let still = Svg { tiles: Some(tiles), ..Svg::default() }.render(&layout);
        let still = Document::parse(&still).unwrap();
        for class in ["tile", "slot", "stem"] {
            let there = |node: &&Node<'_, '_>| {
                number(node, "data-n").unwrap() <= tiles && number(node, "data-e").is_none_or(|e| e > tiles)
            };
            let nodes = all_classed(&history, class);
            assert_eq!(
                nodes.iter().filter(there).count(),
                all_classed(&still, class).len(),
                "{class} {tiles}"
            );
        }
    }
    let hidden = |node: &Node<'_, '_>| node.attribute("display") == Some("none");
    assert!(history.descendants().filter(hidden).all(|node| node.attribute("data-e").is_some()));
}

#[test]
fn what_is_drawn_is_in_the_box() {
    for layout in [round(9), stress(12, 4, 1)] {
        let text = Svg { history: true, ..Svg::default() }.render(&layout);
        let document = Document::parse(&text).unwrap();
        let view: Vec<i32> = document
            .root_element()
            .attribute("viewBox")
            .unwrap()
            .split(' ')
            .map(|n| n.parse().unwrap())
            .collect();
        for digit in document.descendants().filter(|node| node.has_tag_name("text")) {
            let at = |name| digit.attribute(name).unwrap().parse::<i32>().unwrap();
            assert!((view[0] + 40..view[0] + view[2] - 40).contains(&at("x")));
            assert!((view[1] + 40..view[1] + view[3] - 40).contains(&at("y")));
        }
    }
}

#[test]
fn slots_that_were_taken_since_are_in_the_box_of_earlier_pictures() {
    for layout in [round(9), stress(9, 4, 1)] {
        for tiles in 1..=layout.tiles().len() {
            let text = Svg { tiles: Some(tiles), ..Svg::default() }.render(&layout);
            let document = Document::parse(&text).unwrap();
            let view = document.root_element().attribute("viewBox").unwrap();
            let view: Vec<i32> = view.split(' ').map(|n| n.parse().unwrap()).collect();
            for slot in all_classed(&document, "slot") {
                let place = slot.first_element_child().unwrap().attribute("transform").unwrap();
                let place = place.strip_prefix("translate(").unwrap().split_once(')').unwrap().0;
                let (x, y) = place.split_once(' ').unwrap();
                let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
                // Half a tile's width at least, and the margin.
                assert!(
                    (view[0] + 90..view[0] + view[2] - 90).contains(&x),
                    "{x} in {view:?}, {tiles} tiles"
                );
                assert!(
                    (view[1] + 90..view[1] + view[3] - 90).contains(&y),
                    "{y} in {view:?}, {tiles} tiles"
                );
            }
        }
    }
}

#[test]
fn a_picture_is_small() {
    let layout = round(10);
    let text = Svg::default().render(&layout);
    assert!(text.len() < 5000 + 250 * layout.tiles().len(), "{}", text.len());
}

#[test]
fn screen_readers_hear_what_lies() {
    let mut layout = Layout::new(&Play::deal(&round_rules(9)[0], 0).terms, 9);
    let desc = |layout: &Layout| {
        let text = Svg::default().render(layout);
        let document = Document::parse(&text).unwrap();
        let found = document.descendants().find(|node| node.has_tag_name("desc")).unwrap();
        found.text().unwrap().to_owned()
    };
    assert_eq!(desc(&layout), "1 tile. In the middle 9-9. Arms to be begun on 9: 2.");
    for (tile, end) in [("4-9", 9), ("8-9", 9), ("8-8", 8), ("2-8", 8)] {
        layout.place(tile.parse().unwrap(), end, None).unwrap();
    }
    assert_eq!(
        desc(&layout),
        "5 tiles. In the middle 9-9. Laid last: 8-2. Open ends: 2, 4. Toes to be begun on 8: 2."
    );
}

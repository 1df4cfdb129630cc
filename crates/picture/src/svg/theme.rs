use std::fmt::Write;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark where the reader prefers it, else light.
    #[default]
    Auto,
    /// White tiles.
    Light,
    /// Dark tiles.
    Dark,
}

/// One set of colours, each `#rrggbb`.
pub(crate) struct Palette {
    felt: &'static str,
    tile: &'static str,
    /// The tile in the middle.
    hub: &'static str,
    edge: &'static str,
    slot: &'static str,
    stem: &'static str,
    mark: &'static str,
    /// The numbers from 0 on.
    numbers: [&'static str; 19],
}

pub(crate) const LIGHT: Palette = Palette {
    felt: "#1f5c46",
    tile: "#fffdf8",
    hub: "#ffeeb8",
    edge: "#0f3327",
    slot: "#7fae99",
    stem: "#e9e3b0",
    mark: "#ff8a1f",
    numbers: [
        "#5b6470", "#1f63c6", "#177a43", "#c32222", "#8438a8", "#9c5700", "#08757a", "#6b4226", "#c01b78",
        "#4d5a12", "#20307e", "#7d6300", "#0068a3", "#9c1340", "#3a7010", "#6b2fd0", "#343c48", "#b23c0c",
        "#0f5b57",
    ],
};

pub(crate) const DARK: Palette = Palette {
    felt: "#0d1a16",
    tile: "#2c333b",
    hub: "#4a4020",
    edge: "#7b8794",
    slot: "#5d7c70",
    stem: "#b9b48a",
    mark: "#ff9a3d",
    numbers: [
        "#b3bbc5", "#7db2ff", "#56d394", "#ff9890", "#d39df2", "#f2ad4a", "#45d0ca", "#d0a47e", "#ff85c6",
        "#bcca62", "#aab5ff", "#e6ca55", "#66caff", "#ff9ab0", "#98d867", "#c3a6ff", "#d5dde7", "#ffb184",
        "#6fe0c0",
    ],
};

impl Theme {
    /// The style sheet for numbers up to this one.
    pub(crate) fn style(self, max_number: u8) -> String {
        let mut text = String::from(SHAPES);
        match self {
            Theme::Light => LIGHT.write(max_number, &mut text),
            Theme::Dark => DARK.write(max_number, &mut text),
            Theme::Auto => {
                LIGHT.write(max_number, &mut text);
                text.push_str("@media (prefers-color-scheme:dark){");
                DARK.write(max_number, &mut text);
                text.push('}');
            }
        }
        text
    }
}

/// What is the same in all themes.
const SHAPES: &str = ".chickenfoot .tile{stroke-width:3}\
.chickenfoot .new{stroke-width:13}\
.chickenfoot .slot{fill:none;stroke-width:4;stroke-dasharray:12 10;opacity:.55}\
.chickenfoot .lack{stroke-width:6;opacity:1}\
.chickenfoot .stem{fill:none;stroke-width:9;stroke-dasharray:18 14}\
.chickenfoot text{font:700 80px \"DejaVu Sans\",Verdana,\"Segoe UI\",Roboto,system-ui,sans-serif;text-anchor:middle;stroke:none}\
.chickenfoot .two{font-size:64px;letter-spacing:-3px}";

impl Palette {
    /// Colours are written out and not given as variables, which many programs that show SVG do not know.
    fn write(&self, max_number: u8, text: &mut String) {
        let Palette { felt, tile, hub, edge, slot, stem, mark, .. } = self;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ".chickenfoot .felt{{fill:{felt}}}.chickenfoot .tile{{fill:{tile};stroke:{edge}}}.chickenfoot .hub{{fill:{hub}}}\
             .chickenfoot .new{{stroke:{mark}}}\
             .chickenfoot .slot{{stroke:{slot}}}.chickenfoot .slot text{{fill:{slot}}}.chickenfoot .stem{{stroke:{stem}}}"
        );
        for (number, colour) in self.numbers.iter().enumerate().take(usize::from(max_number) + 1) {
            let _ = write!(text, ".chickenfoot .n{number}{{fill:{colour}}}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour, and from it the contrast of two, as WCAG 2 defines them.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_number_can_be_read_on_its_tile() {
        for palette in [LIGHT, DARK] {
            for number in palette.numbers {
                for tile in [palette.tile, palette.hub] {
                    assert!(contrast(number, tile) >= 4.5, "{number} on {tile}: {}", contrast(number, tile));
                }
            }
        }
    }

    #[test]
    fn slots_stems_and_the_mark_can_be_seen_on_the_table() {
        for palette in [LIGHT, DARK] {
            for mark in [palette.slot, palette.stem, palette.mark] {
                assert!(contrast(mark, palette.felt) >= 3.0, "{mark}: {}", contrast(mark, palette.felt));
            }
        }
    }

    #[test]
    fn every_number_has_a_colour_of_its_own() {
        for palette in [LIGHT, DARK] {
            let mut colours = palette.numbers.to_vec();
            colours.sort_unstable();
            colours.dedup();
            assert_eq!(colours.len(), 19);
        }
    }
}

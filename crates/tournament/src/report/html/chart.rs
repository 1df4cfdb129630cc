//! Lines over blocks. The lines are an SVG that stretches with the page; every text stands beside it as HTML, so that it has
//! the same size at any width.

use maud::{Markup, PreEscaped, html};

use super::text::{plain, visible};

/// A chart of lines, in the classes of the style sheet of a [`document`](super::document()).
pub struct Chart<'a> {
    /// What it shows, in a few words.
    pub title: &'a str,
    /// What can be seen in it, for those who cannot see it.
    pub description: String,
    /// What stands upwards.
    pub unit: &'a str,
    /// What stands across, in one word.
    pub across: &'a str,
    /// The lines.
    pub lines: Vec<Line>,
    /// Values that are marked by a line across, with what they are.
    pub marks: Vec<(f64, String)>,
    /// The lowest value that is shown.
    pub low: f64,
    /// The highest value that is shown.
    pub high: f64,
}

/// One line.
pub struct Line {
    /// Its name. Any text.
    pub name: String,
    /// Positions across, from 0, and values, by position.
    pub points: Vec<(u32, f64)>,
    /// The number of its colour, from 0 to 7. A line without one stays grey and unnamed.
    pub colour: Option<usize>,
}

/// The most points of a line that are drawn: more cannot be told apart.
const MAX_POINTS: usize = 240;

/// The side of the drawing in its own units, which stretch.
const SIDE: f64 = 1000.0;

/// The height of a name in percent of the height of the chart.
const NAME: f64 = 6.0;

/// Colours that there are.
pub(super) const COLOURS: usize = 8;

impl Chart<'_> {
    /// The chart as HTML.
    pub fn render(&self) -> Markup {
        let last = self.lines.iter().filter_map(|line| line.points.last()).map(|point| point.0).max();
        let last = last.unwrap_or(0).max(1);
        let across = ticks(0.0, f64::from(last), 4);
        let upwards = ticks(self.low, self.high, 5);
        let marks = self.marks.iter().map(|(value, _)| *value).filter(|value| self.shows(*value));
        let grey_first = || {
            let coloured = self.lines.iter().rev().filter(|line| line.colour.is_some());
            self.lines.iter().filter(|line| line.colour.is_none()).chain(coloured)
        };
        html! {
            figure.chart {
                figcaption { (self.title) " " span.muted { "(" (self.unit) ")" } }
                div.ys aria-hidden="true" {
                    @for tick in &upwards.values {
                        span style=(at(self.percent(*tick))) { (plain(*tick, upwards.digits)) }
                    }
                }
                div.plot {
                    svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" {
                        title { (self.title) }
                        desc { (self.description) }
                        @for tick in &upwards.values { (across_at("grid", self.y(*tick))) }
                        @if self.low < 0.0 && self.high > 0.0 { (across_at("zero", self.y(0.0))) }
                        @for mark in marks { (across_at("mark", self.y(mark))) }
                        @for line in grey_first() {
                            polyline class=(class(line)) points=(self.points(line, last)) {}
                        }
                    }
                }
                div.names { (self.names()) }
                div.xs aria-hidden="true" {
                    @for tick in &across.values {
                        span style=(PreEscaped(format!("left:{:.1}%", 100.0 * tick / f64::from(last)))) {
                            (plain(*tick, across.digits))
                        }
                    }
                }
                div.x { (self.across) }
            }
        }
    }

    /// The names of the coloured lines and of the marks, beside their ends and apart from each other.
    fn names(&self) -> Markup {
        let line = |line: &Line| Some((self.percent(line.points.last()?.1), line.colour, line.name.clone()));
        let lines = self.lines.iter().filter(|line| line.colour.is_some()).filter_map(line);
        let marks = self.marks.iter().filter(|(value, _)| self.shows(*value));
        let marks = marks.map(|(value, name)| (self.percent(*value), None, name.clone()));
        let mut names: Vec<(f64, Option<usize>, String)> = lines.chain(marks).collect();
        names.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut least = 0.0_f64;
        for name in &mut names {
            name.0 = name.0.clamp(0.0, 100.0).max(least);
            least = name.0 + NAME;
        }
        let mut most = 100.0_f64;
        for name in names.iter_mut().rev() {
            name.0 = name.0.min(most);
            most = name.0 - NAME;
        }
        html! {
            @for (top, colour, name) in &names {
                @let class = colour.map_or("at".to_owned(), |colour| format!("at c{colour}"));
                span class=(class) style=(at(*top)) title=(visible(name)) { (visible(name)) }
            }
        }
    }

    fn shows(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// How far below the top a value is, from 0 to 1; some values are beyond.
    fn down(&self, value: f64) -> f64 {
        let down = (self.high - value) / (self.high - self.low);
        if down.is_finite() { down.clamp(-1.0, 2.0) } else { 0.5 }
    }

    fn y(&self, value: f64) -> f64 {
        SIDE * self.down(value)
    }

    fn percent(&self, value: f64) -> f64 {
        100.0 * self.down(value)
    }

    fn points(&self, line: &Line, last: u32) -> String {
        let step = line.points.len().div_ceil(MAX_POINTS).max(1);
        let end = line.points.len().saturating_sub(1);
        let drawn = line.points.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == end);
        let point = |(_, (block, value)): (usize, &(u32, f64))| {
            format!("{:.1},{:.1}", SIDE * f64::from(*block) / f64::from(last), self.y(*value))
        };
        drawn.map(point).collect::<Vec<_>>().join(" ")
    }
}

fn class(line: &Line) -> String {
    line.colour.map_or("other".to_owned(), |colour| format!("c{colour}"))
}

fn at(percent: f64) -> PreEscaped<String> {
    PreEscaped(format!("top:{percent:.1}%"))
}

fn across_at(class: &str, y: f64) -> Markup {
    html! { line class=(class) x1="0" x2="1000" y1=(format!("{y:.1}")) y2=(format!("{y:.1}")) {} }
}

/// Round values between two bounds, and the digits that they need after the point.
pub(super) struct Ticks {
    pub(super) values: Vec<f64>,
    pub(super) digits: usize,
}

/// About so many round values from `low` to `high`.
pub(super) fn ticks(low: f64, high: f64, about: u32) -> Ticks {
    let rough = (high - low) / f64::from(about);
    if !(rough.is_finite() && rough > 0.0) {
        return Ticks { values: Vec::new(), digits: 0 };
    }
    let exponent = libm::floor(libm::log10(rough));
    let power = libm::pow(10.0, exponent);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough).unwrap_or(10.0) * power;
    let first = libm::ceil(low / step);
    let count = libm::floor(high / step) - first;
    let values = (0u32..100).map(f64::from).take_while(|i| *i <= count).map(|i| (first + i) * step);
    let digits = if step < 1.0 { (-exponent).clamp(0.0, 12.0) as usize } else { 0 };
    Ticks { values: values.collect(), digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(-7.0, 12.0, 5).values, [-5.0, 0.0, 5.0, 10.0]);
        assert_eq!(ticks(0.0, 1.0, 4).values, [0.0, 0.5, 1.0]);
        assert_eq!(ticks(0.0, 1.0, 4).digits, 1);
        assert_eq!(ticks(0.0, 250.0, 4).values, [0.0, 100.0, 200.0]);
        assert!(ticks(3.0, 3.0, 4).values.is_empty());
        assert!(ticks(0.0, f64::NAN, 4).values.is_empty());
    }
}

use std::fmt;

/// A figure of several runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure(Vec<f64>);

impl Figure {
    /// From at least one run.
    pub(crate) fn new(values: impl IntoIterator<Item = f64>) -> Figure {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Figure(values)
    }

    /// The one in the middle; of an even number, the lower of both.
    pub(crate) fn median(&self) -> f64 {
        self.0.get((self.0.len().max(1) - 1) / 2).copied().unwrap_or(f64::NAN)
    }

    /// The ratios of two figures run by run would hide which runs were apart; this is median by median.
    pub(crate) fn over(&self, other: &Figure) -> f64 {
        self.median() / other.median()
    }
}

/// The median and the range.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => f.write_str("-"),
            [only] => f.write_str(&short(*only)),
            [least, .., most] => {
                write!(f, "{} ({} to {})", short(self.median()), short(*least), short(*most))
            }
        }
    }
}

/// A number with three digits that count.
pub(crate) fn short(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    match value.abs() {
        // Nothing finer than a hundred, which no run repeats.
        10_000.0.. => grouped((value / 100.0).round() as i64 * 100),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        0.1.. => format!("{value:.2}"),
        0.0 => "0".to_owned(),
        _ => format!("{value:.4}"),
    }
}

/// A whole number with its thousands apart.
fn grouped(number: i64) -> String {
    if number.abs() < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", grouped(number / 1000), (number % 1000).abs())
    }
}

/// A table in Markdown.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, row) in self.rows.iter().enumerate() {
            writeln!(f, "| {} |", row.join(" | "))?;
            if i == 0 {
                writeln!(f, "|{}", " --- |".repeat(row.len()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_show_median_and_range() {
        let figure = Figure::new([3.0, 1.0, 2.0]);
        assert_eq!(figure.to_string(), "2.00 (1.00 to 3.00)");
        assert_eq!(Figure::new([123_456.0]).to_string(), "123,500");
        assert_eq!(Figure::new([12_345_678.0]).to_string(), "12,345,700");
        assert_eq!(Figure::new([0.0123]).to_string(), "0.0123");
        assert_eq!(Figure::new([4.0, 1.0]).median(), 1.0);
        assert_eq!(figure.over(&Figure::new([4.0])), 0.5);
    }

    #[test]
    fn tables_are_markdown() {
        let mut table = Table::new(&["a", "b"]);
        table.row(["1".to_owned(), "2".to_owned()]);
        assert_eq!(table.to_string(), "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    }
}

/// The 97.5 % quantile of Student's distribution, which an interval of 95 % reaches on both sides, for `freedom` degrees of
/// freedom, at least 1: the Cornish-Fisher expansion of Abramowitz and Stegun 1964, 26.7.5. From 5 degrees on it is right to
/// three decimals.
pub(crate) fn quantile(freedom: u32) -> f64 {
    const NORMAL: f64 = 1.959_963_984_540_054;
    let x = NORMAL;
    let (x2, v) = (x * x, f64::from(freedom.max(1)));
    let terms = [
        x * (x2 + 1.0) / 4.0,
        x * ((5.0 * x2 + 16.0) * x2 + 3.0) / 96.0,
        x * (((3.0 * x2 + 19.0) * x2 + 17.0) * x2 - 15.0) / 384.0,
        x * ((((79.0 * x2 + 776.0) * x2 + 1482.0) * x2 - 1920.0) * x2 - 945.0) / 92_160.0,
    ];
    let (sum, _) = terms.iter().fold((x, 1.0), |(sum, power), term| (sum + term * power / v, power / v));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantiles_are_those_of_the_printed_tables() {
        for (freedom, expected) in [(5, 2.5706), (6, 2.4469), (10, 2.2281), (30, 2.0423), (120, 1.9799)] {
            assert!((quantile(freedom) - expected).abs() < 6e-4, "{freedom}: {}", quantile(freedom));
        }
    }
}

/// The normal equations of a weighted least squares fit with few features a row.
#[derive(Clone, Debug)]
pub(crate) struct Equations {
    size: usize,
    /// Row by row.
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl Equations {
    /// As many equations as there are features, of nothing yet.
    pub(crate) fn new(size: usize) -> Equations {
        Equations { size, matrix: vec![0.0; size * size], right: vec![0.0; size] }
    }

    /// Adds a row of features, not necessarily distinct ones, that is to give `result`.
    pub(crate) fn add(&mut self, row: &[(usize, f64)], weight: f64, result: f64) {
        for (i, x) in row {
            self.right[*i] += weight * x * result;
            for (j, y) in row {
                self.matrix[i * self.size + j] += weight * x * y;
            }
        }
    }

    /// Lets what was added so far count this much of what it did.
    pub(crate) fn scale(&mut self, factor: f64) {
        for x in self.matrix.iter_mut().chain(&mut self.right) {
            *x *= factor;
        }
    }

    /// Holds an unknown to zero.
    pub(crate) fn hold(&mut self, feature: usize, weight: f64) {
        self.add(&[(feature, 1.0)], weight, 0.0);
    }

    /// Holds two unknowns to one another.
    pub(crate) fn hold_together(&mut self, one: usize, other: usize, weight: f64) {
        self.add(&[(one, 1.0), (other, -1.0)], weight, 0.0);
    }

    /// The unknowns, by conjugate gradients (Hestenes and Stiefel 1952) scaled by the diagonal. Every unknown must be
    /// held, or be in some row.
    pub(crate) fn solve(&self) -> Vec<f64> {
        let rows = || self.matrix.chunks_exact(self.size);
        let scale: Vec<f64> = rows().enumerate().map(|(i, row)| 1.0 / row[i]).collect();
        let scaled = |r: &[f64]| -> Vec<f64> { r.iter().zip(&scale).map(|(x, y)| x * y).collect() };
        let (mut x, mut rest) = (vec![0.0; self.size], self.right.clone());
        let mut way = scaled(&rest);
        let mut error = dot(&rest, &way);
        let enough = error * 1e-9;
        for _ in 0..4 * self.size {
            if error <= enough {
                break;
            }
            let product: Vec<f64> = rows().map(|row| dot(row, &way)).collect();
            let step = error / dot(&way, &product);
            for i in 0..self.size {
                x[i] += step * way[i];
                rest[i] -= step * product[i];
            }
            let next = scaled(&rest);
            let left = dot(&rest, &next);
            for (way, next) in way.iter_mut().zip(next) {
                *way = next + left / error * *way;
            }
            error = left;
        }
        x
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unknowns_are_those_that_explain_the_rows() {
        let mut equations = Equations::new(3);
        equations.add(&[(0, 1.0), (1, 2.0)], 1.0, 8.0);
        equations.add(&[(1, 1.0), (2, -1.0)], 2.0, 1.0);
        equations.add(&[(0, 1.0), (0, 1.0), (2, 1.0)], 0.5, 6.0);
        let found = equations.solve();
        for (x, expected) in found.iter().zip([2.0, 3.0, 2.0]) {
            assert!((x - expected).abs() < 1e-3, "{found:?}");
        }
    }

    #[test]
    fn what_no_row_has_follows_its_neighbour() {
        let mut equations = Equations::new(2);
        equations.add(&[(0, 1.0)], 100.0, 5.0);
        equations.hold_together(0, 1, 1.0);
        let found = equations.solve();
        assert!((found[0] - 5.0).abs() < 1e-3 && (found[1] - 5.0).abs() < 1e-3, "{found:?}");
    }
}

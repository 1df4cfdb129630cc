/// A symmetric matrix, all of it stored, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..(i + 1) * self.size]
    }

    pub(crate) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] += value;
    }

    pub(crate) fn add_everywhere(&mut self, value: f64) {
        self.cells.iter_mut().for_each(|cell| *cell += value);
    }

    /// The sum of the diagonal.
    pub(crate) fn trace(&self) -> f64 {
        self.cells.iter().step_by(self.size + 1).sum()
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let product = |i| self.row(i).iter().zip(vector).map(|(a, b)| a * b).sum();
        (0..self.size).map(product).collect()
    }

    /// The inverse of a positive definite matrix, by sweeping every column (Goodnight 1979, "A tutorial on the SWEEP
    /// operator"); none if a pivot is not above 0. It takes `size`³ / 2 multiplications.
    pub(crate) fn inverse(mut self) -> Option<Matrix> {
        let n = self.size;
        let mut column = vec![0.0; n];
        for k in 0..n {
            // Only the upper half is kept up while sweeping: a column goes on as a row below the diagonal.
            for (i, cell) in column.iter_mut().enumerate() {
                *cell = if i < k { self.cells[i * n + k] } else { self.cells[k * n + i] };
            }
            let pivot = column[k];
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            for (i, value) in column.iter().enumerate() {
                let factor = value / pivot;
                let row = &mut self.cells[i * n + i..(i + 1) * n];
                row.iter_mut().zip(&column[i..]).for_each(|(cell, other)| *cell -= factor * other);
            }
            for (i, value) in column.iter().enumerate() {
                let place = if i < k { i * n + k } else { k * n + i };
                self.cells[place] = value / pivot;
            }
            self.cells[k * n + k] = -1.0 / pivot;
        }
        for i in 0..n {
            for j in i..n {
                let value = -self.cells[i * n + j];
                self.cells[i * n + j] = value;
                self.cells[j * n + i] = value;
            }
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let mut matrix = Matrix::zero(3);
        let cells = [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 5.0]];
        for (i, row) in cells.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, value)| matrix.add(i, j, *value));
        }
        let inverse = matrix.clone().inverse().unwrap();
        for (i, row) in cells.iter().enumerate() {
            for (j, product) in inverse.times(row).iter().enumerate() {
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{i} {j} {product}");
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_no_inverse() {
        assert!(Matrix::zero(2).inverse().is_none());
    }
}

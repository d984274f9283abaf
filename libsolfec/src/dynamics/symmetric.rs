//! Products with the dense symmetric matrix between the nodes of a body. It fits no cache, so that reading it is what a
//! product takes: only the blocks on and above the diagonal are read.

use rayon::prelude::*;

use crate::body::NodeMatrix;

/// Parts of the matrix, whatever the number of threads, as bits depend on them.
const PARTS: usize = 8;

/// Numbers that are summed side by side.
const LANES: usize = 8;

/// Rows that are read together.
const ROWS: usize = 3;

/// Adds `N x` to `y`, with the help of other threads if `split`; `room` for the sums of parts.
pub fn add_product(matrix: &NodeMatrix, x: &[f64], y: &mut [f64], room: &mut Vec<f64>, split: bool) {
    room.clear();
    room.resize(PARTS * y.len(), 0.0);
    let n = matrix.count();
    let part = |(part, sums): (usize, &mut [f64])| {
        let mut rows = first(part, n)..first(part + 1, n);
        while rows.len() >= ROWS {
            add_rows([0, 1, 2].map(|k| &matrix.row(rows.start + k)[..n]), rows.start, x, sums);
            rows.start += ROWS;
        }
        rows.for_each(|row| add_rows([&matrix.row(row)[..n]], row, x, sums));
    };
    if split {
        room.par_chunks_mut(y.len()).enumerate().for_each(part);
    } else {
        room.chunks_mut(y.len()).enumerate().for_each(part);
    }
    for sums in room.chunks(y.len()) {
        y.iter_mut().zip(sums).for_each(|(y, sum)| *y += sum);
    }
}

/// First row of a part, of which only the last has rows that are read alone: parts of a triangle have equal areas.
fn first(part: usize, rows: usize) -> usize {
    let left = 1.0 - part as f64 / PARTS as f64;
    let together = rows / ROWS;
    if part == PARTS {
        return rows;
    }
    ROWS * (together - (together as f64 * left.sqrt()).round() as usize)
}

/// Adds what rows bring from their diagonal block on, which begins at `at`, and the columns that mirror them.
fn add_rows<const K: usize>(rows: [&[f64]; K], at: usize, x: &[f64], sums: &mut [f64]) {
    let own: [f64; K] = std::array::from_fn(|k| x[at + k]);
    let beyond = at + K;
    let right = add_beyond(rows.map(|row| &row[beyond..]), own, &x[beyond..], &mut sums[beyond..]);
    for k in 0..K {
        let block: f64 = (0..K).map(|j| rows[k][at + j] * own[j]).sum();
        sums[at + k] += block + right[k];
    }
}

/// The products of rows with `x`; `own` times their columns is added to `sums`.
fn add_beyond<const K: usize>(rows: [&[f64]; K], own: [f64; K], x: &[f64], sums: &mut [f64]) -> [f64; K] {
    let mut products = [[0.0; LANES]; K];
    let whole = x.len() - x.len() % LANES;
    for at in (0..whole).step_by(LANES) {
        let rows = rows.map(|row| &row[at..at + LANES]);
        let (x, sums) = (&x[at..at + LANES], &mut sums[at..at + LANES]);
        for lane in 0..LANES {
            let mut sum = rows[0][lane] * own[0];
            (1..K).for_each(|k| sum += rows[k][lane] * own[k]);
            sums[lane] += sum;
            (0..K).for_each(|k| products[k][lane] += rows[k][lane] * x[lane]);
        }
    }
    for at in whole..x.len() {
        for k in 0..K {
            sums[at] += rows[k][at] * own[k];
            products[k][0] += rows[k][at] * x[at];
        }
    }
    products.map(|lanes| lanes.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(count: usize, room: usize) -> NodeMatrix {
        let mut matrix = NodeMatrix::with_room(room);
        matrix.set_count(count);
        let length = matrix.room();
        let entry = |i: usize, j: usize| ((i * j) as f64).sin() + if i == j { 3.0 } else { (i + j) as f64 / 1e3 };
        for (k, number) in matrix.all_rows().iter_mut().enumerate() {
            *number = entry(k / length, k % length);
        }
        matrix
    }

    #[test]
    fn products_are_those_of_all_rows_on_any_number_of_threads() {
        for (n, room) in [(1, 1), (3, 3), (8, 15), (21, 21), (196, 210), (600, 600)] {
            let matrix = matrix(n, room);
            let x: Vec<f64> = (0..n).map(|k| (k as f64).cos()).collect();
            let [alone, two, three] = [(1, false), (2, true), (3, true)].map(|(threads, split)| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let mut y = vec![1.0; n];
                pool.install(|| add_product(&matrix, &x, &mut y, &mut Vec::new(), split));
                y
            });
            assert!(alone == two && alone == three, "{n} numbers");
            for (k, y) in alone.iter().enumerate() {
                let exact = 1.0 + x.iter().zip(matrix.row(k)).map(|(x, a)| x * a).sum::<f64>();
                assert!((y - exact).abs() < 1e-12 * n as f64, "number {k} of {n}: {y} {exact}");
            }
        }
    }
}

//! Products with the dense symmetric matrix between the nodes of a body. It fits no cache, so that reading it is what a
//! product takes: only the blocks on and above the diagonal are read.

use rayon::prelude::*;

use crate::body::NodeMatrix;

/// Parts of the matrix, whatever the number of threads, as bits depend on them.
const PARTS: usize = 8;

/// Numbers that are summed side by side.
const LANES: usize = 8;

/// Adds `N x` to `y`, three numbers a node, with the help of other threads if `split`; `room` for the sums of parts.
pub fn add_product(matrix: &NodeMatrix, x: &[f64], y: &mut [f64], room: &mut Vec<f64>, split: bool) {
    room.clear();
    room.resize(PARTS * y.len(), 0.0);
    let part = |(part, sums): (usize, &mut [f64])| {
        (first(part, matrix.nodes())..first(part + 1, matrix.nodes())).for_each(|node| add_node(matrix, node, x, sums));
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

/// First node of a part: parts of a triangle have equal areas.
fn first(part: usize, nodes: usize) -> usize {
    let left = 1.0 - part as f64 / PARTS as f64;
    nodes - (nodes as f64 * left.sqrt()).round() as usize
}

/// Adds what the rows of a node bring from its diagonal block on, and the columns that mirror them.
fn add_node(matrix: &NodeMatrix, node: usize, x: &[f64], sums: &mut [f64]) {
    let (length, at, n) = (matrix.length(), 3 * node, x.len());
    let rows = [0, 1, 2].map(|axis| &matrix.rows(node)[axis * length..][..n]);
    let own = [x[at], x[at + 1], x[at + 2]];
    let beyond = at + 3;
    let right = add_rows(rows.map(|row| &row[beyond..]), own, &x[beyond..], &mut sums[beyond..]);
    for axis in 0..3 {
        let block: f64 = (0..3).map(|k| rows[axis][at + k] * own[k]).sum();
        sums[at + axis] += block + right[axis];
    }
}

/// The products of three rows with `x`; `own` times their columns is added to `sums`.
fn add_rows(rows: [&[f64]; 3], own: [f64; 3], x: &[f64], sums: &mut [f64]) -> [f64; 3] {
    let mut products = [[0.0; LANES]; 3];
    let whole = x.len() - x.len() % LANES;
    for at in (0..whole).step_by(LANES) {
        let [a, b, c] = rows.map(|row| &row[at..at + LANES]);
        let (x, sums) = (&x[at..at + LANES], &mut sums[at..at + LANES]);
        for k in 0..LANES {
            sums[k] += a[k] * own[0] + b[k] * own[1] + c[k] * own[2];
            products[0][k] += a[k] * x[k];
            products[1][k] += b[k] * x[k];
            products[2][k] += c[k] * x[k];
        }
    }
    for at in whole..x.len() {
        for axis in 0..3 {
            sums[at] += rows[axis][at] * own[axis];
            products[axis][0] += rows[axis][at] * x[at];
        }
    }
    products.map(|lanes| lanes.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(nodes: usize, room: usize) -> NodeMatrix {
        let mut matrix = NodeMatrix::with_room(room);
        matrix.set_nodes(nodes);
        let length = matrix.length();
        let entry = |i: usize, j: usize| ((i * j) as f64).sin() + if i == j { 3.0 } else { (i + j) as f64 / 1e3 };
        for (k, number) in matrix.all_rows().iter_mut().enumerate() {
            *number = entry(k / length, k % length);
        }
        matrix
    }

    #[test]
    fn products_are_those_of_all_rows_on_any_number_of_threads() {
        for (nodes, room) in [(1, 1), (2, 5), (7, 7), (65, 70), (200, 200)] {
            let matrix = matrix(nodes, room);
            let x: Vec<f64> = (0..3 * nodes).map(|k| (k as f64).cos()).collect();
            let [alone, two, three] = [(1, false), (2, true), (3, true)].map(|(threads, split)| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let mut y = vec![1.0; 3 * nodes];
                pool.install(|| add_product(&matrix, &x, &mut y, &mut Vec::new(), split));
                y
            });
            assert!(alone == two && alone == three, "{nodes} nodes");
            for (k, y) in alone.iter().enumerate() {
                let row = &matrix.rows(k / 3)[k % 3 * matrix.length()..];
                let exact = 1.0 + x.iter().zip(row).map(|(x, a)| x * a).sum::<f64>();
                assert!((y - exact).abs() < 1e-12 * nodes as f64, "number {k} of {nodes} nodes: {y} {exact}");
            }
        }
    }
}

//! Sums whose result does not depend on threads: fixed chunks, combined by a fixed binary tree.

use rayon::prelude::*;

/// Items summed one after another before the tree takes over.
const CHUNK: usize = 1024;

/// Sum of `part(i)` for `i < n`, bitwise the same for any number of threads.
pub fn tree_sum<const K: usize>(n: usize, part: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
    let chunk = |c: usize| {
        let mut sum = [0.0; K];
        for i in c * CHUNK..((c + 1) * CHUNK).min(n) {
            let x = part(i);
            for k in 0..K {
                sum[k] += x[k];
            }
        }
        sum
    };
    if n <= CHUNK {
        return chunk(0);
    }
    let mut sums: Vec<[f64; K]> = (0..n.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    while sums.len() > 1 {
        sums = sums
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => std::array::from_fn(|k| a[k] + b[k]),
                [a] => *a,
                _ => unreachable!("chunks(2) gives one or two items"),
            })
            .collect();
    }
    sums[0]
}

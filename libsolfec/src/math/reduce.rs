//! Sums whose result does not depend on threads: fixed chunks, combined by a fixed binary tree.

use std::ops::{Add, Range};

use super::Wide;

/// Items summed one after another before the tree takes over.
const CHUNK: usize = 1024;
/// Chunks up to which one thread sums.
const ALONE: usize = 8;

/// Sum of `part(i)` for `i < n`, bitwise the same for any number of threads.
pub fn tree_sum<const K: usize>(n: usize, part: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
    if n <= CHUNK {
        return (0..n).fold([0.0; K], |sum, i| add(sum, part(i)));
    }
    branch(0..n.div_ceil(CHUNK), n, &part)
}

/// Sum of a range of chunks.
fn branch<const K: usize>(chunks: Range<usize>, n: usize, part: &(impl Fn(usize) -> [f64; K] + Sync)) -> [f64; K] {
    if chunks.len() == 1 {
        let items = chunks.start * CHUNK..(chunks.end * CHUNK).min(n);
        return items.fold([0.0; K], |sum, i| add(sum, part(i)));
    }
    let middle = chunks.start + chunks.len() / 2;
    let halves = (|| branch(chunks.start..middle, n, part), || branch(middle..chunks.end, n, part));
    let (a, b) = if chunks.len() > ALONE { rayon::join(halves.0, halves.1) } else { (halves.0(), halves.1()) };
    add(a, b)
}

/// Sum of the first three lanes of `part` of each item, which may change it, in the same order.
pub fn sum_of_each<T: Send, const K: usize>(
    items: &mut [T],
    part: impl Fn(usize, &mut T) -> [Wide; K] + Sync,
) -> [f64; K] {
    branch_of_each(0, items, &part).map(|sum| {
        let [x, y, z, _] = sum.to_array();
        x + y + z
    })
}

/// Sum of items from the place `first` on, the beginning of a chunk.
fn branch_of_each<T: Send, const K: usize>(
    first: usize,
    items: &mut [T],
    part: &(impl Fn(usize, &mut T) -> [Wide; K] + Sync),
) -> [Wide; K] {
    let chunks = items.len().div_ceil(CHUNK);
    if chunks <= 1 {
        return items.iter_mut().enumerate().fold([Wide::ZERO; K], |sum, (i, item)| add(sum, part(first + i, item)));
    }
    let middle = chunks / 2 * CHUNK;
    let (left, right) = items.split_at_mut(middle);
    let mut halves = (|| branch_of_each(first, left, part), || branch_of_each(first + middle, right, part));
    let (a, b) = if chunks > ALONE { rayon::join(halves.0, halves.1) } else { (halves.0(), halves.1()) };
    add(a, b)
}

#[inline(always)]
fn add<T: Copy + Add<Output = T>, const K: usize>(a: [T; K], b: [T; K]) -> [T; K] {
    std::array::from_fn(|k| a[k] + b[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of numbers whose sum depends on its order.
    #[test]
    fn sums_have_the_same_bits_for_any_number_of_threads() {
        let number = |i: usize| (i as f64).sin() * 10_f64.powi(i as i32 % 17);
        for n in [0, 1, CHUNK, 3 * CHUNK + 1, 50 * CHUNK + 7] {
            let sums = [1, 2, 4].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| {
                    let mut items = vec![0.0; n];
                    let [of_each] = sum_of_each(&mut items, |i, item| {
                        *item = number(i);
                        [Wide::new([0.0, *item, 0.0, 1.0])]
                    });
                    assert!(items.iter().enumerate().all(|(i, item)| *item == number(i)));
                    (of_each, tree_sum(n, |i| [number(i)])[0])
                })
            });
            assert!(sums.iter().all(|(a, b)| a.to_bits() == sums[0].0.to_bits() && a == b), "{n}: {sums:?}");
        }
    }
}

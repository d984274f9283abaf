//! Loops over independent items: by all threads where there are many, else plain loops, which cost nothing to begin.

use rayon::prelude::*;

/// `out` becomes `item(0) … item(n − 1)`; tasks have at least `grain` items.
#[inline(always)]
pub fn fill<T: Send>(out: &mut Vec<T>, n: usize, grain: usize, item: impl Fn(usize) -> T + Send + Sync) {
    if n < 2 * grain {
        out.clear();
        out.extend((0..n).map(item));
    } else {
        (0..n).into_par_iter().with_min_len(grain).map(item).collect_into_vec(out);
    }
}

/// The same as [`each`]; returns the largest of what `work` returns, at least zero.
#[inline(always)]
pub fn largest_of_each<T: Send>(
    items: &mut [T],
    grain: usize,
    work: impl Fn(usize, &mut T) -> f64 + Send + Sync,
) -> f64 {
    if items.len() < 2 * grain {
        return items.iter_mut().enumerate().map(|(i, item)| work(i, item)).fold(0.0, f64::max);
    }
    let items = items.par_iter_mut().with_min_len(grain).enumerate();
    items.map(|(i, item)| work(i, item)).reduce(|| 0.0, f64::max)
}

/// Calls `work` with the place of each item and the item; tasks have at least `grain` items.
#[inline(always)]
pub fn each<T: Send>(items: &mut [T], grain: usize, work: impl Fn(usize, &mut T) + Send + Sync) {
    if items.len() < 2 * grain {
        items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
    } else {
        items.par_iter_mut().with_min_len(grain).enumerate().for_each(|(i, item)| work(i, item));
    }
}

/// Calls `work` with the place of each pair of items and the items; tasks have at least `grain` pairs.
#[inline(always)]
pub fn each_of_two<A: Send, B: Send>(
    first: &mut [A],
    second: &mut [B],
    grain: usize,
    work: impl Fn(usize, &mut A, &mut B) + Send + Sync,
) {
    if first.len() < 2 * grain {
        first.iter_mut().zip(second).enumerate().for_each(|(i, (a, b))| work(i, a, b));
    } else {
        let pairs = first.par_iter_mut().zip(second).with_min_len(grain).enumerate();
        pairs.for_each(|(i, (a, b))| work(i, a, b));
    }
}

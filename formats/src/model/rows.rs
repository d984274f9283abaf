//! Rows of the model → columns.

pub(super) fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

pub(super) fn collect<'a, R, T: Copy + 'a>(rows: &'a [R], of: impl Fn(&'a R) -> &'a [T]) -> Vec<T> {
    rows.iter().flat_map(|r| of(r).iter().copied()).collect()
}

/// `0, n0, n0 + n1, …`
pub(crate) fn offsets(counts: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut sum = 0;
    let mut all = vec![0];
    all.extend(counts.map(|n| {
        sum += n as u64;
        sum
    }));
    all
}

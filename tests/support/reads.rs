//! Histories as tests read them, and costs counted in bytes read, which no load of the machine changes.

use solfec_formats::results::{BodyColumns, BodyHistory, Results};

use crate::skip::skipped;

/// Bytes that this thread has read from files.
fn bytes_read() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("rchar: "))?.trim().parse().ok()
}

/// What `work` gives and the bytes it reads; `None`, said loudly, where the system does not count them.
pub fn counted<T>(work: impl FnOnce() -> T) -> Option<(T, u64)> {
    let Some(before) = bytes_read() else {
        skipped("no /proc/thread-self/io");
        return None;
    };
    let value = work();
    Some((value, bytes_read()? - before))
}

/// The states of a body in all frames.
///
/// # Panics
/// Results that cannot be read.
pub fn whole_history(results: &Results, body: u32) -> BodyHistory {
    let all: Vec<usize> = (0..results.frames(0).expect("frames").len()).collect();
    results.body_motion(0, body, &all, BodyColumns::All).expect("a history")
}

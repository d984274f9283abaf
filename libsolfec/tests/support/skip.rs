//! Loud skips.

use std::io::Write;

/// Says that a test, or a part of it, is skipped; where SF_STRICT is set it fails instead.
///
/// # Panics
/// With SF_STRICT=1.
pub fn skipped(why: &str) {
    not_here(why);
    assert!(std::env::var("SF_STRICT").map_or(true, |v| v != "1"), "skipped: {why}");
}

/// Says that a test, or a part of it, is skipped for want of what CI does not have either: ParaView, and the data
/// beside the repository.
pub fn not_here(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

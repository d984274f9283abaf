//! Loud skips.

use std::io::Write;

/// Says that a test, or a part of it, is skipped; where SF_STRICT is set it fails instead.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    assert!(std::env::var("SF_STRICT").map_or(true, |v| v != "1"), "skipped: {why}");
}

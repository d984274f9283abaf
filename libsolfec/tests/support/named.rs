//! Numbers that should be equal but for round-off, with a name for messages.

/// Fails where it is called if the numbers are further apart than `tolerance`.
#[track_caller]
pub fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    let apart = (found - expected).abs();
    assert!(apart <= tolerance, "{what}: {found:.12e} is {apart:.1e} from {expected:.12e}, more than {tolerance:.1e}");
}

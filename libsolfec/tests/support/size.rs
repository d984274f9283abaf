//! Sizes of tests.

/// Whether tests are to run in full size, as `make test-long` asks for with SF_LARGE=1.
pub fn large() -> bool {
    std::env::var_os("SF_LARGE").is_some()
}

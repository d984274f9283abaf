//! Results that SOLFEC_EXPORT writes of an object in WRITE mode.

use std::path::PathBuf;

use solfec_formats::results::Writer;

/// One directory; each call adds a frame.
pub struct Export {
    pub path: PathBuf,
    pub writer: Writer,
    pub frames: u64,
}

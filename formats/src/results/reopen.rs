//! Going on with results that are there.

use std::path::Path;

use super::{Options, Writer};
use crate::checkpoint::Checkpoint;
use crate::error::{Error, Result};
use crate::model::ModelFile;

impl Writer {
    /// Goes on with the results in `dir` from `checkpoint`: what lies beyond it is cut off, without one everything.
    pub fn reopen(dir: &Path, _model: &ModelFile, _checkpoint: Option<&Checkpoint>, _options: Options) -> Result<Self> {
        Err(Error::Io(format!("{}: not yet", dir.display())))
    }
}

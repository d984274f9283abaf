//! Results of an earlier run as a deck sees them: in READ mode (commands-and-results.md C.5), or where it goes on.

use std::path::Path;

use solfec::model::Model;
use solfec::query::Frame;
use solfec_formats::results::{Reader, Results};
use solfec_formats::Error;

use super::fault::{Fault, FaultKind};

/// One SOLFEC object of stored results.
pub struct Stored {
    pub results: Results,
    /// Which domain of the results.
    pub domain: usize,
    /// As it was at the end of the results.
    pub model: Model,
    /// Position of the current frame, and the frame; none until the first reading command (C.5).
    pub current: Option<(usize, Frame)>,
}

impl Stored {
    /// Opens domain `domain` of the results in a directory.
    ///
    /// # Errors
    /// What the results are damaged by.
    pub fn open(directory: &Path, domain: usize) -> Result<Stored, Fault> {
        let results = Reader::open(directory).map_err(fault)?;
        let mut file = results.model().map_err(fault)?;
        if domain >= file.domains.len() {
            let text = format!("{}: has no domain {domain}", directory.display());
            return Err(Fault::new(FaultKind::System, text));
        }
        Ok(Stored { model: file.domains.swap_remove(domain), results, domain, current: None })
    }
}

/// Files that cannot be read or are damaged, as a deck sees them.
pub fn fault(error: Error) -> Fault {
    let (Error::Io(text) | Error::Format(text)) = error;
    Fault::new(FaultKind::System, text)
}

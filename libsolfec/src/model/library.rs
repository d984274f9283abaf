//! Geometries of a model, each stored once, found by their fingerprints.

use std::collections::HashMap;
use std::sync::Arc;

use crate::shape::Geometry;

/// Rows of the first `entered` geometries of a library, by fingerprint or by the next free number after it.
#[derive(Debug, Clone, Default)]
pub(super) struct Library {
    rows: HashMap<u64, u32>,
    entered: usize,
}

/// Two models are equal if their geometries are, whatever has been looked up.
impl PartialEq for Library {
    fn eq(&self, _: &Library) -> bool {
        true
    }
}

impl Library {
    /// Row of a geometry, which is added if there is none equal to it.
    pub fn row(&mut self, library: &mut Vec<Arc<Geometry>>, geometry: &Arc<Geometry>) -> u32 {
        if self.entered > library.len() {
            *self = Library::default();
        }
        while self.entered < library.len() {
            if let Err(free) = self.find(library, &library[self.entered]) {
                self.rows.insert(free, self.entered as u32);
            }
            self.entered += 1;
        }
        match self.find(library, geometry) {
            Ok(row) => row,
            Err(free) => {
                let row = library.len() as u32;
                library.push(Arc::clone(geometry));
                self.rows.insert(free, row);
                self.entered += 1;
                row
            }
        }
    }

    /// Row of a geometry, or the number under which to enter it.
    fn find(&self, library: &[Arc<Geometry>], geometry: &Arc<Geometry>) -> Result<u32, u64> {
        let mut number = geometry.fingerprint();
        while let Some(&row) = self.rows.get(&number) {
            let known = &library[row as usize];
            if Arc::ptr_eq(known, geometry) || **known == **geometry {
                return Ok(row);
            }
            number = number.wrapping_add(1);
        }
        Err(number)
    }
}

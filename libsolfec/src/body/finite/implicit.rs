//! The matrix `A = M + s K` of the implicit scheme, its factor, and what is kept as long as the factor.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::factor::{Factor, Room};
use super::nodal::Nodal;
use super::stiffness::Stiffness;
use crate::body::Entry;
use crate::math::Vec3;
use crate::Result;

pub struct Implicit {
    /// Of this step, or that of the reference configuration.
    pub stiffness: Stiffness,
    /// Shared with those who solve with it while a step is solved for.
    factor: Arc<Factor>,
    room: Room,
    /// The multiple of K that is in the factor.
    scale: Option<f64>,
    /// What contacts have asked of the factor.
    nodal: Mutex<Nodal>,
    /// The matrix by blocks, if somebody has asked for it.
    entries: OnceLock<Arc<[Entry]>>,
}

impl Implicit {
    /// `places`: where the nodes are [m].
    ///
    /// # Errors
    /// The factors would not fit into memory.
    pub fn new(name: &str, stiffness: Stiffness, places: &[Vec3]) -> Result<Implicit> {
        let (factor, room) = Factor::new(name, &stiffness, places)?;
        let (factor, nodal) = (Arc::new(factor), Mutex::default());
        Ok(Implicit { stiffness, factor, room, scale: None, nodal, entries: OnceLock::new() })
    }

    /// Factorises `mass + scale K`; false if it is not positive definite.
    pub fn factorise(&mut self, mass: &[f64], scale: f64) -> bool {
        self.scale = Some(scale);
        self.nodal.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        self.entries.take();
        if Arc::get_mut(&mut self.factor).is_none() {
            self.factor = Arc::new(self.factor.another());
        }
        // Nobody else has it now.
        let Some(factor) = Arc::get_mut(&mut self.factor) else { return false };
        factor.make(mass, &self.stiffness, scale, &mut self.room)
    }

    /// The factor is of no use any more.
    pub fn forget(&mut self) {
        self.scale = None;
    }

    /// Whether the factor is that of this multiple of K.
    pub fn is_made_of(&self, scale: f64) -> bool {
        self.scale == Some(scale)
    }

    /// Replaces `x` by `A⁻¹ x`.
    pub fn solve(&mut self, x: &mut [Vec3]) {
        self.factor.solve(x, &mut self.room);
    }

    /// The factor, and what contacts have asked of it.
    pub fn factor(&self) -> (&Arc<Factor>, &Mutex<Nodal>) {
        (&self.factor, &self.nodal)
    }

    /// `A` by blocks, both triangles, for these masses of the nodes [kg].
    pub fn entries(&self, mass: &[f64]) -> Arc<[Entry]> {
        let made = || self.stiffness.entries(mass, self.scale.unwrap_or(0.0)).collect();
        Arc::clone(self.entries.get_or_init(made))
    }
}

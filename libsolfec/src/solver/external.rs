//! Solvers that are not ours: contact problems handed out and taken back (SICONOS_SOLVER).

use crate::dynamics::BlockSparse;
use crate::math::Vec3;
use crate::model::Siconos;
use crate::{Error, Result};

/// A problem of Signorini–Coulomb contacts alone, local components (T1, T2, N): `U = W R + q`, `U_N ≥ 0 ⊥ R_N ≥ 0`,
/// `|R_T| ≤ μ R_N`. Restitution, cohesion and other constraints are already in `w` and `q`.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactProblem {
    pub w: BlockSparse,
    pub q: Vec<Vec3>,
    pub friction: Vec<f64>,
    /// The guess.
    pub r: Vec<Vec3>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactSolution {
    pub r: Vec<Vec3>,
    pub iterations: u32,
    /// Its own measure of error.
    pub error: f64,
    pub converged: bool,
}

/// Whoever can solve contact problems outside of this library.
pub trait External {
    /// # Errors
    /// The solver is not installed, or it died.
    fn solve(&mut self, problem: &ContactProblem, settings: &Siconos) -> Result<ContactSolution>;
}

/// Nobody.
#[derive(Default)]
pub struct NoExternal;

impl External for NoExternal {
    fn solve(&mut self, _: &ContactProblem, _: &Siconos) -> Result<ContactSolution> {
        Err(Error::input("SICONOS_SOLVER: not available in this program; use sf-run"))
    }
}

//! The choice among the answers to one frictional contact: take-off, sticking, or the named block solver for sliding,
//! and the others where it fails (docs/theory.md 10).

use super::block::Block;
use super::contact::{BlockError, Contact, Found, Method};
use super::{cone, enumerative, fixed_point, projected_newton, semismooth};
use crate::math::Vec3;
use crate::model::BlockSolver;

/// The order of retries after the named block solver failed (docs/theory.md 10).
const RETRIES: [BlockSolver; 5] = [
    BlockSolver::Enumerative,
    BlockSolver::SemismoothNewton,
    BlockSolver::ProjectedGradient,
    BlockSolver::DeSaxceFeng,
    BlockSolver::ProjectedNewton,
];

/// A reaction, and whether the named block solver failed and another one found it.
pub(super) struct Solved {
    pub reaction: Vec3,
    pub retried: bool,
}

/// Part of the velocity that may be left of a contact at rest on a singular block.
const STOPPED: f64 = 1e-12;

impl Contact<'_> {
    /// Take-off, frictionless and sticking contacts directly (`block` is that of `W`), sliding by `method` from `start`, then by the other
    /// solvers. On failure of all of them: why the named one failed.
    #[inline(always)]
    pub(super) fn solve(&self, block: &Block, start: &Vec3, method: &Method) -> Result<Solved, BlockError> {
        let direct = |reaction| finite(reaction).map(|reaction| Solved { reaction, retried: false });
        if self.b.z >= 0.0 {
            return direct(Vec3::zeros());
        }
        if self.friction == 0.0 {
            return direct(Vec3::new(0.0, 0.0, -self.b.z / self.w.m33));
        }
        let stick = -(block.inverse * self.b);
        // A null direction cannot be stopped: the contact sticks only if it need not be.
        let stops = || (self.b + self.w * stick).norm() <= STOPPED * self.b.norm();
        if cone::tangential(&stick) <= self.friction * stick.z && (!block.singular || stops()) {
            return direct(stick);
        }
        self.slide(start, method)
    }

    /// A contact that slides.
    #[inline(never)]
    pub(super) fn slide(&self, start: &Vec3, method: &Method) -> Result<Solved, BlockError> {
        match self.iterate(start, method) {
            Ok(found) => Ok(Solved { reaction: found.reaction, retried: false }),
            Err(error) => self.retry(start, method).ok_or(error),
        }
    }

    #[cold]
    fn retry(&self, start: &Vec3, method: &Method) -> Option<Solved> {
        let others = RETRIES.into_iter().filter(|&solver| solver != method.solver);
        let found = others.filter_map(|solver| self.iterate(start, &Method { solver, ..*method }).ok()).next();
        found.map(|found| Solved { reaction: found.reaction, retried: true })
    }

    /// One block solver alone, whatever the state of the contact; the exact one wants a contact that slides.
    ///
    /// # Errors
    /// It does not get there.
    #[inline(always)]
    pub fn iterate(&self, start: &Vec3, method: &Method) -> Result<Found, BlockError> {
        let found = match method.solver {
            BlockSolver::SemismoothNewton => semismooth::solve(self, start, method),
            BlockSolver::Enumerative => enumerative::slide(self),
            BlockSolver::ProjectedGradient => fixed_point::projected_gradient(self, start, method),
            BlockSolver::DeSaxceFeng => fixed_point::de_saxce_feng(self, start, method),
            BlockSolver::ProjectedNewton => projected_newton::solve(self, start, method),
        }?;
        finite(found.reaction).map(|_| found)
    }
}

#[inline(always)]
fn finite(r: Vec3) -> Result<Vec3, BlockError> {
    if r.iter().all(|x| x.is_finite()) {
        Ok(r)
    } else {
        Err(BlockError::Failed)
    }
}

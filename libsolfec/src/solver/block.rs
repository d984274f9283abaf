//! One frictional contact: `U = b + W R`, `0 ≤ U_N ⊥ R_N ≥ 0`, `|R_T| ≤ μ R_N`, sliding opposite to `U_T`. Restitution and
//! cohesion are shifted out before (constraints-solvers-parallel.md 4.5), so none of the block solvers knows of them.

use nalgebra::Cholesky;

use super::{cone, enumerative, semismooth};
use crate::math::{Mat3, Vec3};
use crate::model::BlockSolver;

/// Least ratio of eigenvalues of a diagonal block that counts as definite (constraints-solvers-parallel.md 3.2).
const DEFINITE: f64 = 1e-14;

/// What is computed once per step of a diagonal block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// `W⁻¹`; null directions are force-free.
    pub inverse: Mat3,
    /// `1/λ_max(W)` [N s/m].
    pub rho: f64,
    /// Whether `W` has a null direction.
    pub singular: bool,
}

impl Block {
    pub fn new(w: &Mat3) -> Self {
        let rho = 1.0 / largest_eigenvalue(w);
        let definite = |c: &Cholesky<f64, nalgebra::Const<3>>| {
            let pivots = c.l_dirty().diagonal();
            pivots.min().powi(2) * rho > DEFINITE
        };
        match Cholesky::new(*w).filter(definite) {
            Some(cholesky) => Block { inverse: cholesky.inverse(), rho, singular: false },
            None => Block { inverse: pseudo_inverse(w), rho, singular: true },
        }
    }
}

/// Largest eigenvalue of a symmetric 3×3 matrix by Cardano's formula in trigonometric form.
fn largest_eigenvalue(w: &Mat3) -> f64 {
    let mean = w.trace() / 3.0;
    let deviator = w - Mat3::from_diagonal_element(mean);
    let size = (deviator.norm_squared() / 6.0).sqrt();
    if size == 0.0 {
        return mean;
    }
    let cosine = ((deviator / size).determinant() / 2.0).clamp(-1.0, 1.0);
    mean + 2.0 * size * (cosine.acos() / 3.0).cos()
}

fn pseudo_inverse(w: &Mat3) -> Mat3 {
    if !w.iter().all(|x| x.is_finite()) {
        return Mat3::zeros();
    }
    let eigen = w.symmetric_eigen();
    let least = DEFINITE * eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|l| if l > least { 1.0 / l } else { 0.0 });
    eigen.eigenvectors * Mat3::from_diagonal(&inverse) * eigen.eigenvectors.transpose()
}

/// The contact problem of one block solve.
#[derive(Debug, Clone, Copy)]
pub struct Contact<'a> {
    pub w: &'a Mat3,
    pub block: &'a Block,
    pub b: Vec3,
    pub friction: f64,
}

/// How a block is solved.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    pub solver: BlockSolver,
    /// `|ΔR| ≤ epsilon max(|R|, ρ|b|)` ends an iteration.
    pub epsilon: f64,
    pub limit: u32,
}

/// A reaction, and whether the named block solver failed and another one found it.
pub struct Solved {
    pub reaction: Vec3,
    pub retried: bool,
}

impl Contact<'_> {
    /// Take-off, frictionless and sticking contacts directly, sliding by `method` from `start`, then by the other solver.
    /// `None`: no solver gave a finite reaction.
    #[inline(always)]
    pub fn solve(&self, start: &Vec3, method: &Method) -> Option<Solved> {
        let direct = |reaction: Vec3| {
            let retried = false;
            finite(reaction).map(|reaction| Solved { reaction, retried })
        };
        if self.b.z >= 0.0 {
            return direct(Vec3::zeros());
        }
        if self.friction == 0.0 {
            return direct(Vec3::new(0.0, 0.0, -self.b.z / self.w.m33));
        }
        let stick = -(self.block.inverse * self.b);
        if cone::tangential(&stick) <= self.friction * stick.z {
            return direct(stick);
        }
        self.slide(start, method)
    }

    #[inline(never)]
    fn slide(&self, start: &Vec3, method: &Method) -> Option<Solved> {
        let by = |solver: BlockSolver| {
            let found = match solver {
                BlockSolver::SemismoothNewton => semismooth::solve(self, start, method.epsilon, method.limit),
                _ => enumerative::slide(self),
            };
            found.and_then(finite)
        };
        let other = match method.solver {
            BlockSolver::SemismoothNewton => BlockSolver::Enumerative,
            _ => BlockSolver::SemismoothNewton,
        };
        let solved = |retried| move |reaction| Solved { reaction, retried };
        by(method.solver).map(solved(false)).or_else(|| by(other).map(solved(true)))
    }
}

fn finite(r: Vec3) -> Option<Vec3> {
    r.iter().all(|x| x.is_finite()).then_some(r)
}

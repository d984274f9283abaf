//! Diagonal blocks: inverse, scale, null directions (docs/theory.md 6).

use nalgebra::Cholesky;

use crate::math::Mat3;

/// Least ratio of eigenvalues of a diagonal block that counts as definite.
const DEFINITE: f64 = 1e-14;

/// What is computed once per step of a diagonal block `W`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Block {
    /// `W⁻¹`; null directions are force-free.
    pub inverse: Mat3,
    /// `1/λ_max(W)` [N s/m].
    pub rho: f64,
    /// Whether `W` has a null direction.
    pub singular: bool,
}

impl Block {
    /// `w` may be slightly non-symmetric, as some matrices of other codes are; definiteness is that of its symmetric
    /// part.
    pub fn new(w: &Mat3) -> Self {
        let half = 0.5 * (w + w.transpose());
        let rho = 1.0 / largest_eigenvalue(&half);
        let definite = |c: &Cholesky<f64, nalgebra::Const<3>>| {
            let pivots = c.l_dirty().diagonal();
            pivots.min().powi(2) * rho > DEFINITE
        };
        let general = if half == *w { None } else { w.try_inverse() };
        match Cholesky::new(half).filter(definite) {
            Some(cholesky) => Block { inverse: general.unwrap_or_else(|| cholesky.inverse()), rho, singular: false },
            None => Block { inverse: pseudo_inverse(&half), rho, singular: true },
        }
    }

    /// Whether no normal reaction can change the normal velocity: `W_NN` is null.
    pub fn normal_is_free(&self, w: &Mat3) -> bool {
        w.m33 * self.rho <= DEFINITE || w.m33 <= 0.0
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

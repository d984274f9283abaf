//! Saint Venant–Kirchhoff elasticity per reference volume: `S = λ tr(E) I + 2μ E`, `E = ½(FᵀF − I)`, `P = F S`,
//! and Cauchy stress with von Mises' measure of it.

use crate::material::BulkMaterial;
use crate::math::{Mat3, Mat9};

/// Lamé's constants [Pa].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kirchhoff {
    pub lambda: f64,
    pub mu: f64,
}

impl Kirchhoff {
    pub fn new(young: f64, poisson: f64) -> Self {
        Kirchhoff {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }

    pub fn of(material: &BulkMaterial) -> Self {
        Self::new(material.young, material.poisson)
    }

    /// `λ tr(A) I + 2μ A` of a symmetric strain.
    pub fn elastic(&self, strain: &Mat3) -> Mat3 {
        strain * (2.0 * self.mu) + Mat3::identity() * (self.lambda * strain.trace())
    }

    /// Second Piola–Kirchhoff stress `S(F)`.
    pub fn second_stress(&self, f: &Mat3) -> Mat3 {
        self.elastic(&green_strain(f))
    }

    /// First Piola–Kirchhoff stress `P(F)`.
    pub fn first_stress(&self, f: &Mat3) -> Mat3 {
        f * self.second_stress(f)
    }

    /// Stored energy `Ψ = ½ E:S` per reference volume.
    pub fn energy(&self, f: &Mat3) -> f64 {
        let strain = green_strain(f);
        0.5 * strain.dot(&self.elastic(&strain))
    }

    /// Rate of `S` at `F` with this rate: zero where it turns without strain.
    pub fn stress_rate(&self, f: &Mat3, rate: &Mat3) -> Mat3 {
        let product = f.transpose() * rate;
        self.elastic(&((product + product.transpose()) * 0.5))
    }

    /// `∂P/∂F` on row-wise tensors: `δ_ik S_JL + λ F_iJ F_kL + μ (F_iL F_kJ + (FFᵀ)_ik δ_JL)`. `stress` is the `S` of
    /// the geometric (first) term.
    pub fn tangent(&self, f: &Mat3, stress: &Mat3) -> Mat9 {
        let left = f * f.transpose();
        Mat9::from_fn(|row, column| {
            let (i, j, k, l) = (row / 3, row % 3, column / 3, column % 3);
            let mut a = self.lambda * f[(i, j)] * f[(k, l)] + self.mu * f[(i, l)] * f[(k, j)];
            if i == k {
                a += stress[(j, l)];
            }
            if j == l {
                a += self.mu * left[(i, k)];
            }
            a
        })
    }
}

fn green_strain(f: &Mat3) -> Mat3 {
    (f.transpose() * f - Mat3::identity()) * 0.5
}

/// Cauchy stress `σ = P Fᵀ / det F` [Pa], spatial axes, in the order xx yy zz xy xz yz.
pub fn stress(f: &Mat3, young: f64, poisson: f64) -> [f64; 6] {
    cauchy(&Kirchhoff::new(young, poisson), f)
}

/// The same of a material law.
pub fn cauchy(law: &Kirchhoff, f: &Mat3) -> [f64; 6] {
    pushed_forward(&law.second_stress(f), f)
}

/// Cauchy stress `F S Fᵀ / det F` of a second stress.
pub fn pushed_forward(second: &Mat3, f: &Mat3) -> [f64; 6] {
    let s = f * second * f.transpose() / f.determinant();
    [s[(0, 0)], s[(1, 1)], s[(2, 2)], s[(0, 1)], s[(0, 2)], s[(1, 2)]]
}

/// Von Mises' equivalent of a stress in the order xx yy zz xy xz yz.
pub fn mises(s: &[f64; 6]) -> f64 {
    let [x, y, z, xy, xz, yz] = *s;
    let normal = (x - y).powi(2) + (x - z).powi(2) + (z - y).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + xz * xz + yz * yz)).sqrt()
}

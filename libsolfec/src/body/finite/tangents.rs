//! Tangent stiffness of hexahedra, four at a time: `∫ (∂Nₐ·S ∂N_b) I + λ a ⊗ b + μ b ⊗ a + μ (∂Nₐ·∂N_b) F Fᵀ dV` with
//! `a = F ∂Nₐ`, `b = F ∂N_b` (docs/theory.md 3), as [`tangent`](super::kernels::tangent) finds it for any element.

use super::hexes::{natural_gradients, Batch, Point, Vectors};
use super::lanes::Lanes;
use crate::math::Mat3;

/// Pairs of corners a ≤ b.
pub const PAIRS: usize = 36;

/// Blocks of the pairs of corners, row by row.
pub type Tangent = [[[Lanes; 3]; 3]; PAIRS];

/// The block of a pair of one of the four.
pub fn block_of(tangent: &Tangent, pair: usize, lane: usize) -> Mat3 {
    Mat3::from_fn(|i, j| tangent[pair][i][j].0[lane])
}

/// What a point of integration adds to the blocks of all pairs.
struct Terms {
    gradient: [Vectors; 8],
    /// `F ∂Nₐ`.
    carried: [Vectors; 8],
    /// `S` and `μ F Fᵀ`, times the volume of the point.
    stress: [[Lanes; 3]; 3],
    left: [[Lanes; 3]; 3],
    lambda: Lanes,
    mu: Lanes,
}

impl Batch {
    /// The tangents at displacements `u` [m] of the corners, added up in `out`, which is overwritten; with this share
    /// of the stress.
    #[inline(always)]
    pub fn tangents(&self, u: &[Vectors; 8], share: f64, out: &mut Tangent) {
        let share = Lanes::splat(share);
        *out = [[[Lanes::ZERO; 3]; 3]; PAIRS];
        for (q, point) in self.points.iter().enumerate() {
            let terms = Terms::new(point, &natural_gradients(q), u, self.lambda, self.twice_mu);
            let mut pair = 0;
            for a in 0..8 {
                let (ga, ca) = (terms.gradient[a], terms.carried[a]);
                let stressed = product(&terms.stress, &ga);
                let (la, ma) = (ca.map(|c| c * terms.lambda), ca.map(|c| c * terms.mu));
                for b in a..8 {
                    let (gb, cb) = (terms.gradient[b], terms.carried[b]);
                    let (geometric, close) = (dot(&stressed, &gb) * share, dot(&ga, &gb));
                    let block = &mut out[pair];
                    for i in 0..3 {
                        for j in 0..3 {
                            block[i][j] += la[i] * cb[j] + cb[i] * ma[j] + terms.left[i][j] * close;
                        }
                        block[i][i] += geometric;
                    }
                    pair += 1;
                }
            }
        }
    }
}

impl Terms {
    #[inline(always)]
    fn new(point: &Point, natural: &[[f64; 3]; 8], u: &[Vectors; 8], lambda: Lanes, twice_mu: Lanes) -> Terms {
        let (one, half) = (Lanes::splat(1.0), Lanes::splat(0.5));
        let mut gradient = [[Lanes::ZERO; 3]; 8];
        let mut f = [[Lanes::ZERO; 3]; 3];
        for (a, g) in gradient.iter_mut().enumerate() {
            for (m, inverse) in point.inverse.iter().enumerate() {
                let along = Lanes::splat(natural[a][m]);
                (0..3).for_each(|j| g[j] += along * inverse[j]);
            }
            (0..9).for_each(|k| f[k / 3][k % 3] += u[a][k / 3] * g[k % 3]);
        }
        (0..3).for_each(|i| f[i][i] += one);
        let (lambda, twice_mu) = (lambda * point.volume, twice_mu * point.volume);
        let mu = twice_mu * half;
        let (mut stress, mut left) = ([[Lanes::ZERO; 3]; 3], [[Lanes::ZERO; 3]; 3]);
        for i in 0..3 {
            for j in 0..3 {
                let metric = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
                let strain = (if i == j { metric - one } else { metric }) * half;
                stress[i][j] += twice_mu * strain;
                left[i][j] = dot(&f[i], &f[j]) * mu;
                if i == j {
                    let pressure = lambda * strain;
                    (0..3).for_each(|k| stress[k][k] += pressure);
                }
            }
        }
        let carried = gradient.map(|g| product(&f, &g));
        Terms { gradient, carried, stress, left, lambda, mu }
    }
}

#[inline(always)]
fn dot(a: &Vectors, b: &Vectors) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn product(matrix: &[[Lanes; 3]; 3], x: &Vectors) -> Vectors {
    [0, 1, 2].map(|i| dot(&matrix[i], x))
}

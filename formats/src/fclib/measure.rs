//! The error of reactions, measured on the numbers of the file in the order of the file (BASELINE.md 1).

use super::Raw;

/// How far `r` (and the multipliers `l`) are from a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// `√Σ|r − P_K(r − û)|²`, with `û` the velocity after De Saxcé's shift; with an equality part `|Vᵀr + Rl + s|²` is
    /// one more term of the sum.
    pub absolute: f64,
    /// `absolute / max(|q|, |r|, |u|)`: the measure of Siconos.
    pub err_siconos: f64,
    /// `absolute / |q|`: the measure of FCLIB and of older Siconos.
    pub err_over_q: f64,
}

/// Scales up to this divide nothing.
const NO_SCALE: f64 = 2.2e-16;

impl Raw {
    /// `u = W r + q + V l`.
    pub fn velocity(&self, r: &[f64], l: &[f64]) -> Vec<f64> {
        let mut u = self.q.clone();
        self.w.add_product(r, &mut u);
        if let Some(e) = &self.equality {
            e.v.add_product(l, &mut u);
        }
        u
    }

    /// The error of `r` and `l` (empty without an equality part), which must have the sizes of the problem.
    pub fn residual(&self, r: &[f64], l: &[f64]) -> Residual {
        let u = self.velocity(r, l);
        let mut sum = 0.0;
        for ((r, u), &mu) in r.as_chunks::<3>().0.iter().zip(u.as_chunks::<3>().0).zip(&self.mu) {
            let shifted = [u[0] + mu * u[1].hypot(u[2]), u[1], u[2]];
            let p = project([r[0] - shifted[0], r[1] - shifted[1], r[2] - shifted[2]], mu);
            sum += (0..3).map(|k| (r[k] - p[k]).powi(2)).sum::<f64>();
        }
        if let Some(e) = &self.equality {
            let mut miss = e.s.clone();
            e.v.add_transposed_product(r, &mut miss);
            e.r.add_product(l, &mut miss);
            sum += miss.iter().map(|x| x * x).sum::<f64>();
        }
        let absolute = sum.sqrt();
        let (q, r, u) = (norm(&self.q), norm(r), norm(&u));
        let over = |scale: f64| if scale <= NO_SCALE { absolute } else { absolute / scale };
        Residual { absolute, err_siconos: over(q.max(r).max(u)), err_over_q: over(q) }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Projection on the cone `|z_T| ≤ μ z_N`, normal first.
fn project(z: [f64; 3], mu: f64) -> [f64; 3] {
    let s = z[1].hypot(z[2]);
    if mu * s <= -z[0] {
        [0.0; 3]
    } else if s <= mu * z[0] {
        z
    } else {
        let n = (z[0] + mu * s) / (1.0 + mu * mu);
        [n, mu * n * z[1] / s, mu * n * z[2] / s]
    }
}

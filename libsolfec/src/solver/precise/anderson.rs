//! Anderson's acceleration (1965) of a fixed-point iteration of reactions, here of Gauss–Seidel sweeps.
//!
//! Of the last iterates `x`, their images `g(x)` and the residuals `f = g(x) − x`, the combination with the least
//! residual is found, in the norm `Σ scale |f|²`, an energy; the next iterate is the same combination of the images.

use crate::dynamics::Delassus;
use crate::math::Vec3;

/// Differences that are kept.
const MEMORY: usize = 5;
/// Relative size of the diagonal that is added to the normal equations.
const DAMPING: f64 = 1e-10;
/// Growth of the residual after which the differences are forgotten.
const GROWTH: f64 = 2.0;

/// The last iterates.
#[derive(Debug, Default)]
pub struct Anderson {
    /// Differences of iterates and of residuals, the latest at `next − 1`.
    dx: Vec<Vec<Vec3>>,
    df: Vec<Vec<Vec3>>,
    next: usize,
    x: Vec<Vec3>,
    f: Vec<Vec3>,
    /// Square of the norm of the last residual, if there is one.
    size: f64,
    started: bool,
}

impl Anderson {
    /// Takes in iterate `x` with its image `g`, and replaces the image by the next iterate. False when that is the
    /// image itself. Collective.
    pub fn next<D: Delassus>(&mut self, op: &D, scale: &[f64], x: &[Vec3], g: &mut [Vec3]) -> bool {
        let f: Vec<Vec3> = g.iter().zip(x).map(|(g, x)| g - x).collect();
        let inner = |a: &[Vec3], b: &[Vec3]| -> f64 {
            scale.iter().zip(a).zip(b).map(|((scale, a), b)| scale * a.dot(b)).sum()
        };
        let [size] = op.total([inner(&f, &f)]);
        let grew = !size.is_finite() || size > GROWTH * GROWTH * self.size;
        if !self.started || grew {
            (self.dx, self.df, self.next) = (Vec::new(), Vec::new(), 0);
        } else {
            let difference = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a - b).collect();
            let (dx, df): (Vec<Vec3>, Vec<Vec3>) = (difference(x, &self.x), difference(&f, &self.f));
            if self.dx.len() < MEMORY {
                self.dx.push(dx);
                self.df.push(df);
            } else {
                let at = self.next % MEMORY;
                (self.dx[at], self.df[at]) = (dx, df);
            }
            self.next += 1;
        }
        self.x.clear();
        self.x.extend_from_slice(x);
        self.started = true;
        self.size = size;
        let count = self.dx.len();
        let mut side = [0.0; MEMORY];
        let mut gram = nalgebra::SMatrix::<f64, MEMORY, MEMORY>::identity();
        for i in 0..count {
            side[i] = inner(&self.df[i], &f);
            let mut row = [0.0; MEMORY];
            for (j, entry) in row[..count].iter_mut().enumerate() {
                *entry = inner(&self.df[i], &self.df[j]);
            }
            let row = op.total(row);
            (0..count).for_each(|j| gram[(i, j)] = row[j]);
        }
        let side = op.total(side);
        self.f = f;
        let damping = DAMPING * (0..count).map(|i| gram[(i, i)]).sum::<f64>();
        (0..count).for_each(|i| gram[(i, i)] += damping);
        let Some(factors) = gram.cholesky().filter(|_| count > 0) else { return false };
        let weight = factors.solve(&nalgebra::SVector::from(side));
        for (k, (dx, df)) in self.dx.iter().zip(&self.df).enumerate() {
            g.iter_mut().zip(dx).zip(df).for_each(|((g, dx), df)| *g -= weight[k] * (dx + df));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Assembled, BlockSparse};
    use crate::math::Mat3;

    /// A linear contraction in six unknowns with factors up to 0.95, which the iteration alone approaches by 0.95 a step:
    /// with five differences 14 steps come nearer by five orders of magnitude.
    #[test]
    fn a_linear_contraction_ends_after_few_steps() {
        let w = BlockSparse::from_upper(&[vec![(0, Mat3::identity())], vec![(1, Mat3::identity())]]);
        let zeros = || vec![Vec3::zeros(); 2];
        let op = Assembled::new(w, zeros(), zeros()).expect("an operator");
        let map = |x: &[Vec3]| {
            let factors = [Vec3::new(0.95, 0.5, 0.9), Vec3::new(0.2, -0.7, 0.8)];
            let image = |(x, c): (&Vec3, &Vec3)| c.component_mul(x) + Vec3::new(1.0, -2.0, 0.5);
            x.iter().zip(&factors).map(image).collect::<Vec<_>>()
        };
        let distance = |x: &[Vec3]| map(x).iter().zip(x).map(|(g, x)| (g - x).norm()).sum::<f64>();
        let (mut plain, mut fast, mut anderson) = (zeros(), zeros(), Anderson::default());
        for k in 0..14 {
            plain = map(&plain);
            let mut next = map(&fast);
            assert_eq!(anderson.next(&op, &[1.0, 2.0], &fast, &mut next), k > 0);
            fast = next;
        }
        assert!(distance(&fast) < 1e-5 * distance(&plain), "{} {}", distance(&fast), distance(&plain));
    }
}

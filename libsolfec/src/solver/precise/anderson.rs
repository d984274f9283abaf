//! Anderson's acceleration (1965) of a fixed-point iteration of reactions, as of Gauss–Seidel sweeps.
//!
//! Of the last iterates `x`, their images `g(x)` and the residuals `f = g(x) − x`, the combination with the least
//! residual is found, in the norm `Σ scale |f|²`, an energy; the next iterate is the same combination of the images.

use nalgebra::{SMatrix, SVector};

use crate::dynamics::Delassus;
use crate::math::Vec3;

/// Relative size of the diagonal that is added to the normal equations.
const DAMPING: f64 = 1e-10;

/// The last iterates, as `N` differences at most.
#[derive(Debug)]
pub struct Anderson<const N: usize> {
    /// Growth of the residual beyond which the differences are forgotten.
    growth: f64,
    /// Differences of images and of residuals, of which `count` are in use, and inner products of the latter; the latest
    /// is at `next − 1`.
    dg: [Vec<Vec3>; N],
    df: [Vec<Vec3>; N],
    gram: SMatrix<f64, N, N>,
    count: usize,
    next: usize,
    /// The last image, its residual, and the square of the norm of that.
    g: Vec<Vec3>,
    f: Vec<Vec3>,
    size: f64,
}

impl<const N: usize> Anderson<N> {
    /// Differences are forgotten when the residual grows by more than this factor.
    pub fn new(growth: f64) -> Self {
        Anderson {
            growth,
            dg: std::array::from_fn(|_| Vec::new()),
            df: std::array::from_fn(|_| Vec::new()),
            gram: SMatrix::identity(),
            count: 0,
            next: 0,
            g: Vec::new(),
            f: Vec::new(),
            size: f64::NAN,
        }
    }

    /// Takes in iterate `x` with its image `g`, and replaces the image by the next iterate. False when that is the
    /// image itself. Collective.
    pub fn next<D: Delassus>(&mut self, op: &D, scale: &[f64], x: &[Vec3], g: &mut [Vec3]) -> bool {
        let [size] = op.sum(|i| [scale[i] * (g[i] - x[i]).norm_squared()]);
        // Also where it is not finite, or there is none to compare it with.
        let fell = size <= self.growth * self.growth * self.size;
        self.size = size;
        if fell {
            self.push(x, g);
        } else {
            (self.count, self.next) = (0, 0);
            self.g.clear();
            self.g.extend_from_slice(g);
            self.f.clear();
            self.f.extend(g.iter().zip(x).map(|(g, x)| g - x));
        }
        if self.count == 0 {
            return false;
        }
        let Some(weight) = self.weights(op, scale) else { return false };
        for (dg, weight) in self.dg[..self.count].iter().zip(&weight) {
            g.iter_mut().zip(dg).for_each(|(g, dg)| *g -= dg * *weight);
        }
        true
    }

    /// Replaces the last image and residual, and the oldest difference by that from them.
    fn push(&mut self, x: &[Vec3], g: &[Vec3]) {
        let (dg, df) = (&mut self.dg[self.next], &mut self.df[self.next]);
        dg.clear();
        df.clear();
        for (((x, g), old_g), old_f) in x.iter().zip(g).zip(&mut self.g).zip(&mut self.f) {
            let f = g - x;
            dg.push(g - *old_g);
            df.push(f - *old_f);
            (*old_g, *old_f) = (*g, f);
        }
        self.count = (self.count + 1).min(N);
        self.next = (self.next + 1) % N;
    }

    /// Weights of the differences whose sum leaves the least residual; none where they are dependent.
    fn weights<D: Delassus>(&mut self, op: &D, scale: &[f64]) -> Option<SVector<f64, N>> {
        let (count, latest) = (self.count, (self.next + N - 1) % N);
        let df = &self.df[..count];
        let products = |with: &[Vec3]| {
            op.sum(|i| {
                let scaled = with[i] * scale[i];
                std::array::from_fn(|k| df.get(k).map_or(0.0, |df| df[i].dot(&scaled)))
            })
        };
        let (side, row): ([f64; N], [f64; N]) = (products(&self.f), products(&df[latest]));
        for (k, product) in row[..count].iter().enumerate() {
            self.gram[(latest, k)] = *product;
            self.gram[(k, latest)] = *product;
        }
        let damping = DAMPING * (0..count).map(|k| self.gram[(k, k)]).sum::<f64>();
        // Those that are not in use are solved for themselves, with no right side.
        let damped = SMatrix::<f64, N, N>::from_fn(|i, j| match (i < count && j < count, i == j) {
            (true, true) => self.gram[(i, i)] + damping,
            (true, false) => self.gram[(i, j)],
            (false, own) => f64::from(u8::from(own)),
        });
        Some(damped.cholesky()?.solve(&SVector::from(side)))
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
        let (mut plain, mut fast, mut anderson) = (zeros(), zeros(), Anderson::<5>::new(2.0));
        for k in 0..14 {
            plain = map(&plain);
            let mut next = map(&fast);
            assert_eq!(anderson.next(&op, &[1.0, 2.0], &fast, &mut next), k > 0);
            fast = next;
        }
        assert!(distance(&fast) < 1e-5 * distance(&plain), "{} {}", distance(&fast), distance(&plain));
    }

    #[test]
    fn a_residual_that_grows_ends_the_acceleration_until_it_falls_again() {
        let w = BlockSparse::from_upper(&[vec![(0, Mat3::identity())]]);
        let op = Assembled::new(w, vec![Vec3::zeros()], vec![Vec3::zeros()]).expect("an operator");
        let mut anderson = Anderson::<3>::new(1.0);
        let residuals = [1.0, 0.9, 0.8, 0.81, 0.7, f64::NAN, 0.6, 0.5];
        let accelerated = residuals.map(|size| anderson.next(&op, &[1.0], &[Vec3::zeros()], &mut [Vec3::x() * size]));
        assert_eq!(accelerated, [false, true, true, false, true, false, false, true]);
    }
}

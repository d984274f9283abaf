//! Anderson's acceleration (1965) of a fixed-point iteration of reactions, as of Gauss–Seidel sweeps.
//!
//! Of the last iterates `x`, their images `g(x)` and the residuals `f = g(x) − x`, the combination with the least
//! residual is found, in the norm `Σ |f|² / ρ`, an energy; the next iterate is the same combination of the images.
//! Where the residual grows beyond a bound all of them are forgotten.

use nalgebra::{SMatrix, SVector};

use super::{Block, Law, SWEEP_GRAIN};
use crate::dynamics::Delassus;
use crate::math::{each, each_of_two, Vec3, Wide};

/// Largest number of differences, and of inner products that are found at once.
const MOST: usize = 5;
const PRODUCTS: usize = 2 * MOST + 1;
/// Relative size of the diagonal that is added to the normal equations.
const DAMPING: f64 = 1e-10;
/// Larger weights are of differences that hardly change the residual, as where constraints are redundant.
const LARGEST_WEIGHT: f64 = 1e3;

/// What is known of the last iterates, as `N` differences at most.
#[derive(Debug)]
pub struct Anderson<const N: usize> {
    /// Growth of the residual beyond which iterates are forgotten.
    growth: f64,
    rows: Vec<Row<N>>,
    /// Differences in use, and the place of the next one.
    count: usize,
    next: usize,
    /// Inner products of differences of residuals.
    gram: SMatrix<f64, N, N>,
    /// Square of the norm of the last residual.
    size: f64,
    /// Those of the differences that leave the least residual.
    weights: Option<SVector<f64, N>>,
}

/// Of one constraint: the present iterate, the last image and residual, and differences between images and between
/// residuals, each in a register.
#[derive(Debug, Clone)]
struct Row<const N: usize> {
    x: Wide,
    g: Wide,
    f: Wide,
    dg: [Wide; N],
    df: [Wide; N],
}

/// A vector in a register, with zero in its last lane.
#[inline(always)]
fn wide(v: &Vec3) -> Wide {
    Wide::new([v.x, v.y, v.z, 0.0])
}

impl<const N: usize> Row<N> {
    const ZERO: Self = Row { x: Wide::ZERO, g: Wide::ZERO, f: Wide::ZERO, dg: [Wide::ZERO; N], df: [Wide::ZERO; N] };

    /// Takes in the image `g` of `x`, which is the next iterate until further notice, in place of the last one, and the
    /// differences at `newest`; on the `first` call there are no others. Inner products of the last residual with the
    /// differences of residuals, of the newest of these with all from [`MOST`] on, and the square of the residual.
    #[inline(always)]
    fn push(&mut self, g: Wide, rho: f64, newest: usize, first: bool) -> [Wide; PRODUCTS] {
        let f = g - self.x;
        if first {
            // Those that are not in use have no part in products and in the next iterate.
            (self.dg, self.df) = ([Wide::ZERO; N], [Wide::ZERO; N]);
        }
        let df = f - self.f;
        (self.dg[newest], self.df[newest]) = (g - self.g, df);
        (self.x, self.g, self.f) = (g, g, f);
        let weight = Wide::splat(1.0 / rho);
        let (last, newest) = (f * weight, df * weight);
        let mut products = [Wide::ZERO; PRODUCTS];
        for (k, df) in self.df.iter().enumerate() {
            (products[k], products[MOST + k]) = (*df * last, *df * newest);
        }
        products[2 * MOST] = f * last;
        products
    }
}

impl<const N: usize> Default for Anderson<N> {
    fn default() -> Self {
        const { assert!(N <= MOST) };
        let gram = SMatrix::zeros();
        Anderson { growth: 1.0, rows: Vec::new(), count: 0, next: 0, gram, size: f64::NAN, weights: None }
    }
}

impl<const N: usize> Anderson<N> {
    /// Begins with reactions `x` of the constraints of this process. Iterates are forgotten when the residual grows by
    /// more than the factor `growth`.
    pub fn begin(&mut self, x: &[Vec3], growth: f64) {
        self.growth = growth;
        self.rows.resize(x.len(), Row::ZERO);
        each(&mut self.rows, SWEEP_GRAIN, |i, row| row.x = wide(&x[i]));
        self.size = f64::NAN;
        (self.count, self.next, self.weights) = (0, 0, None);
    }

    /// [`Self::take_in`] and [`Self::replace`]: the image `g` of the present iterate becomes the next one. Collective.
    pub fn next<D: Delassus>(&mut self, op: &D, laws: &[Law], blocks: &[Block], g: &mut [Vec3]) -> bool {
        self.take_in(op, blocks, g);
        self.replace(laws, g)
    }

    /// Takes in the image `g` of the present iterate; the square of the norm of the residual. Collective.
    pub fn take_in<D: Delassus>(&mut self, op: &D, blocks: &[Block], g: &[Vec3]) -> f64 {
        let bound = self.growth * self.growth * self.size;
        let side = self.push(op, blocks, g);
        let bounded = self.size <= bound;
        self.weights = if bounded { self.least(side) } else { None };
        if !bounded {
            // Also where it is not finite, or there is none to compare it with.
            (self.count, self.next) = (0, 0);
        }
        self.size
    }

    /// Replaces the image that was taken in by the next iterate, cut to what the laws admit. False when that is the image
    /// itself.
    pub fn replace(&mut self, laws: &[Law], g: &mut [Vec3]) -> bool {
        let Some(weights) = self.weights else { return false };
        let weights: [Wide; N] = std::array::from_fn(|k| Wide::splat(weights[k]));
        each_of_two(g, &mut self.rows, SWEEP_GRAIN, |i, g, row| {
            let next = row.dg.iter().zip(&weights).fold(row.g, |next, (dg, weight)| next - *dg * *weight);
            let [x, y, z, _] = next.to_array();
            *g = laws[i].clip(&Vec3::new(x, y, z));
            row.x = wide(g);
        });
        true
    }

    /// Replaces the last image and residual, and the oldest difference by that from them; the inner products of the
    /// residual with the differences of residuals.
    fn push<D: Delassus>(&mut self, op: &D, blocks: &[Block], g: &[Vec3]) -> SVector<f64, N> {
        let (latest, first) = (self.next, self.count == 0);
        let products = op.sum_of_each(&mut self.rows, |i, row| row.push(wide(&g[i]), blocks[i].rho, latest, first));
        self.size = products[2 * MOST];
        for (k, product) in products[MOST..MOST + N].iter().enumerate() {
            self.gram[(latest, k)] = *product;
            self.gram[(k, latest)] = *product;
        }
        self.count = (self.count + 1).min(N);
        self.next = (self.next + 1) % N;
        SVector::from_column_slice(&products[..N])
    }

    /// Weights of the differences whose sum leaves the least residual; none where they are dependent.
    fn least(&self, side: SVector<f64, N>) -> Option<SVector<f64, N>> {
        let count = self.count;
        let damping = DAMPING * (0..count).map(|k| self.gram[(k, k)]).sum::<f64>();
        // Those that are not in use are solved for themselves, with no right side.
        let damped = SMatrix::<f64, N, N>::from_fn(|i, j| match (i < count && j < count, i == j) {
            (true, true) => self.gram[(i, i)] + damping,
            (true, false) => self.gram[(i, j)],
            (false, own) => f64::from(u8::from(own)),
        });
        let weights = damped.cholesky()?.solve(&side);
        (weights.amax() <= LARGEST_WEIGHT).then_some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Assembled, BlockSparse};
    use crate::math::Mat3;

    const FREE: Law = Law::Velocity3 { target: Vec3::new(0.0, 0.0, 0.0) };

    fn operator(rows: usize) -> Assembled {
        let identity = |i| vec![(i as u32, Mat3::identity())];
        let w = BlockSparse::from_upper(&(0..rows).map(identity).collect::<Vec<_>>());
        let zeros = || vec![Vec3::zeros(); rows];
        Assembled::new(w, zeros(), zeros()).expect("an operator")
    }

    /// A linear contraction in six unknowns with factors up to 0.95, which the iteration alone approaches by 0.95 a step:
    /// with five differences 14 steps come nearer by five orders of magnitude.
    #[test]
    fn a_linear_contraction_ends_after_few_steps() {
        let op = operator(2);
        let map = |x: &[Vec3]| {
            let factors = [Vec3::new(0.95, 0.5, 0.9), Vec3::new(0.2, -0.7, 0.8)];
            let image = |(x, c): (&Vec3, &Vec3)| c.component_mul(x) + Vec3::new(1.0, -2.0, 0.5);
            x.iter().zip(&factors).map(image).collect::<Vec<_>>()
        };
        let distance = |x: &[Vec3]| map(x).iter().zip(x).map(|(g, x)| (g - x).norm()).sum::<f64>();
        let (mut plain, mut fast) = (vec![Vec3::zeros(); 2], vec![Vec3::zeros(); 2]);
        let blocks = [Block { rho: 1.0, ..Block::default() }, Block { rho: 0.5, ..Block::default() }];
        let mut anderson = Anderson::<5>::default();
        anderson.begin(&fast, 2.0);
        for k in 0..14 {
            plain = map(&plain);
            fast = map(&fast);
            assert_eq!(anderson.next(&op, &[FREE; 2], &blocks, &mut fast), k > 0);
        }
        assert!(distance(&fast) < 1e-5 * distance(&plain), "{} {}", distance(&fast), distance(&plain));
    }

    #[test]
    fn a_residual_that_grows_ends_the_acceleration_until_it_falls_again() {
        let op = operator(1);
        let mut anderson = Anderson::<3>::default();
        anderson.begin(&[Vec3::zeros()], 1.0);
        let block = Block { rho: 1.0, ..Block::default() };
        let residuals = [1.0, 0.9, 0.8, 0.81, 0.7, 0.9, 0.95, 0.5];
        let mut x = Vec3::zeros();
        let accelerated = residuals.map(|size| {
            let mut image = [x + Vec3::x() * size];
            let accelerated = anderson.next(&op, &[FREE], &[block], &mut image);
            x = image[0];
            accelerated
        });
        assert_eq!(accelerated, [false, true, true, false, true, false, false, true]);
    }
}

//! Elastic forces of hexahedra, four at a time.
//!
//! Derivatives of a trilinear field along ξ depend on η and ζ only. At the 2×2×2 points they follow from the four
//! differences along the edges of that direction by linear interpolation, one direction after the other (Orszag 1980),
//! and forces of the nodes by the transposed sums. With the inverse Jacobian `J⁻¹` of a point,
//! `F = I + (∂u/∂ξ) J⁻¹` and the forces are those of `P J⁻ᵀ` against `∂N/∂ξ`.

use super::grid::Grid;
use super::lanes::{Lanes, LANES};
use crate::body::kirchhoff::Kirchhoff;
use crate::math::{Mat3, Vec3};
use crate::shape::ElementKind;

/// A corner at (i, j, k), each 0 or 1 along ξ, η, ζ, is i + 2 j + 4 k here: its node in the order of elements.
pub const CORNER: [usize; 8] = [0, 1, 3, 2, 4, 5, 7, 6];
/// Weights of the nearer and the farther end at a point of Gauss's rule, `½ (1 ± 1/√3)`.
const NEAR: f64 = 0.788_675_134_594_812_9;
const FAR: f64 = 0.211_324_865_405_187_1;

/// Four hexahedra; the last ones of a mesh may be fewer.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Elements that there are.
    pub count: usize,
    /// Nodes of each element in the order of [`CORNER`].
    pub nodes: [[u32; 8]; LANES],
    pub lambda: Lanes,
    pub twice_mu: Lanes,
    pub points: [Point; 8],
}

/// A point of integration of four elements.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// `J⁻¹`, row by row [1/m].
    pub inverse: [[Lanes; 3]; 3],
    /// Weight times Jacobian [m³]; zero in lanes without an element.
    pub volume: Lanes,
}

/// A vector of each of four elements.
pub type Vectors = [Lanes; 3];

impl Batch {
    /// Of at most [`LANES`] hexahedra of a mesh, by their numbers.
    pub fn new(grid: &Grid, elements: &[u32]) -> Batch {
        let zero = Point { inverse: [[Lanes::ZERO; 3]; 3], volume: Lanes::ZERO };
        let mut batch = Batch {
            count: elements.len(),
            nodes: [[0; 8]; LANES],
            lambda: Lanes::ZERO,
            twice_mu: Lanes::ZERO,
            points: [zero; 8],
        };
        for lane in 0..LANES {
            // Lanes without an element repeat the last one without volume.
            let element = &grid.mesh.elements[elements[lane.min(elements.len() - 1)] as usize];
            batch.nodes[lane] = CORNER.map(|corner| element.nodes[corner]);
            let corners = element.gather(|node| grid.mesh.nodes[node as usize]);
            for (q, point) in batch.points.iter_mut().enumerate() {
                let jacobian = ElementKind::Hex.jacobian(&corners, &place(q));
                let inverse = jacobian.try_inverse().unwrap_or(Mat3::repeat(f64::NAN));
                for (row, column) in (0..9).map(|k| (k / 3, k % 3)) {
                    point.inverse[row][column].0[lane] = inverse[(row, column)];
                }
                point.volume.0[lane] = if lane < elements.len() { jacobian.determinant() } else { 0.0 };
            }
        }
        batch
    }

    pub fn set_law(&mut self, lane: usize, law: &Kirchhoff) {
        self.lambda.0[lane] = law.lambda;
        self.twice_mu.0[lane] = 2.0 * law.mu;
    }

    /// Forces `sign f_int` of the corners at displacements `u` [m] of the nodes, and the largest squared norm of the
    /// strain.
    #[inline(always)]
    pub fn forces(&self, u: &[Vectors; 8], sign: f64) -> ([Vectors; 8], Lanes) {
        let derivative = derivatives(u);
        let mut flow = [[[Lanes::ZERO; 3]; 4]; 3];
        let mut largest = Lanes::ZERO;
        let (one, half, sign) = (Lanes::splat(1.0), Lanes::splat(0.5), Lanes::splat(sign));
        for (q, point) in self.points.iter().enumerate() {
            let along = [derivative[0][q >> 1], derivative[1][(q & 1) | (q >> 2) << 1], derivative[2][q & 3]];
            let inverse = &point.inverse;
            let mut f = [[Lanes::ZERO; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    f[i][j] = along[0][i] * inverse[0][j] + along[1][i] * inverse[1][j] + along[2][i] * inverse[2][j];
                }
                f[i][i] += one;
            }
            let product = |a: usize, b: usize| f[0][a] * f[0][b] + f[1][a] * f[1][b] + f[2][a] * f[2][b];
            let diagonal = [0, 1, 2].map(|a| (product(a, a) - one) * half);
            let [xy, xz, yz] = [product(0, 1), product(0, 2), product(1, 2)].map(|x| x * half);
            let square = |x: Lanes| x * x;
            let shear = square(xy) + square(xz) + square(yz);
            let norm = square(diagonal[0]) + square(diagonal[1]) + square(diagonal[2]) + shear + shear;
            largest = largest.max(norm);
            let weight = sign * point.volume;
            let (lambda, twice_mu) = (self.lambda * weight, self.twice_mu * weight);
            let pressure = lambda * (diagonal[0] + diagonal[1] + diagonal[2]);
            let [sx, sy, sz] = diagonal.map(|e| twice_mu * e + pressure);
            let [sxy, sxz, syz] = [xy, xz, yz].map(|e| twice_mu * e);
            let s = [[sx, sxy, sxz], [sxy, sy, syz], [sxz, syz, sz]];
            for i in 0..3 {
                let p = [0, 1, 2].map(|j| f[i][0] * s[0][j] + f[i][1] * s[1][j] + f[i][2] * s[2][j]);
                let against = |m: usize| p[0] * inverse[m][0] + p[1] * inverse[m][1] + p[2] * inverse[m][2];
                flow[0][q >> 1][i] += against(0);
                flow[1][(q & 1) | (q >> 2) << 1][i] += against(1);
                flow[2][q & 3][i] += against(2);
            }
        }
        (corner_sums(&flow), largest)
    }
}

/// Derivatives of the shape functions of all corners along the natural directions at a point.
#[inline(always)]
pub fn natural_gradients(q: usize) -> [[f64; 3]; 8] {
    let share = |corner: usize, axis: usize| if (corner ^ q) >> axis & 1 == 0 { NEAR } else { FAR };
    let slope = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
    std::array::from_fn(|a| std::array::from_fn(|m| slope(a, m) * share(a, (m + 1) % 3) * share(a, (m + 2) % 3)))
}

/// Natural coordinates of a point of integration.
fn place(q: usize) -> Vec3 {
    let gauss = 1.0 / 3f64.sqrt();
    Vec3::new((q & 1) as f64, ((q >> 1) & 1) as f64, (q >> 2) as f64).map(|x| if x > 0.5 { gauss } else { -gauss })
}

/// Corners of the four edges along each direction: the lower of each, in the order of the other two directions.
const EDGES: [[usize; 4]; 3] = [[0, 2, 4, 6], [0, 1, 4, 5], [0, 1, 2, 3]];

/// Derivatives along each natural direction at its four pairs of points.
#[inline(always)]
fn derivatives(u: &[Vectors; 8]) -> [[Vectors; 4]; 3] {
    let half = Lanes::splat(0.5);
    let mut all = [[[Lanes::ZERO; 3]; 4]; 3];
    for (direction, out) in all.iter_mut().enumerate() {
        for axis in 0..3 {
            let edge = EDGES[direction].map(|low| (u[low | 1 << direction][axis] - u[low][axis]) * half);
            let values = interpolated(edge);
            (0..4).for_each(|q| out[q][axis] = values[q]);
        }
    }
    all
}

/// Forces of the corners from the sums at the pairs of points.
#[inline(always)]
fn corner_sums(flow: &[[Vectors; 4]; 3]) -> [Vectors; 8] {
    let half = Lanes::splat(0.5);
    let mut force = [[Lanes::ZERO; 3]; 8];
    for (direction, flow) in flow.iter().enumerate() {
        for axis in 0..3 {
            // The interpolation is its own transpose.
            let edge = interpolated([0, 1, 2, 3].map(|q| flow[q][axis]));
            for (value, low) in edge.into_iter().zip(EDGES[direction]) {
                let value = value * half;
                force[low | 1 << direction][axis] += value;
                force[low][axis] = force[low][axis] - value;
            }
        }
    }
    force
}

/// From the corners of a square to its 2×2 points.
#[inline(always)]
fn interpolated(corner: [Lanes; 4]) -> [Lanes; 4] {
    let (near, far) = (Lanes::splat(NEAR), Lanes::splat(FAR));
    let between = |a: Lanes, b: Lanes| (a * near + b * far, a * far + b * near);
    let (a, b) = between(corner[0], corner[1]);
    let (c, d) = between(corner[2], corner[3]);
    let (p, r) = between(a, c);
    let (q, s) = between(b, d);
    [p, q, r, s]
}

//! Shape functions of first-order elements, and the inverse of the map from natural coordinates to places.
//!
//! Natural coordinates (r, s, t): hexahedra fill [−1, 1]³; tetrahedra r, s, t ≥ 0, r + s + t ≤ 1; wedges a triangle r,
//! s ≥ 0, r + s ≤ 1 times t in [−1, 1]; pyramids |r|, |s| ≤ 1 − t, t in [0, 1], with the rational functions of
//! Bedrosian (1992), linear on triangles and bilinear on the base.

use super::{Element, ElementKind, Mesh};
use crate::math::{Mat3, Vec3};

/// Signs of the corners of a hexahedron, and of the base of a pyramid.
const SIGNS: [[f64; 3]; 8] = [
    [-1., -1., -1.],
    [1., -1., -1.],
    [1., 1., -1.],
    [-1., 1., -1.],
    [-1., -1., 1.],
    [1., -1., 1.],
    [1., 1., 1.],
    [-1., 1., 1.],
];

/// Change of natural coordinates at which the inverse map has converged.
const CONVERGED: f64 = 1e-13;
/// A larger last change is no convergence, but round-off of a large mesh or of a point far outside.
const STALLED: f64 = 1e-9;
const NEWTON_STEPS: usize = 25;
/// A point no farther outside than this, in natural coordinates, lies in the element.
const INSIDE: f64 = 1e-9;
/// Height above which a point of a pyramid counts as its apex.
const APEX: f64 = 1e-12;

impl ElementKind {
    /// Natural coordinates of the centre.
    pub fn center(self) -> Vec3 {
        match self {
            ElementKind::Tet => Vec3::repeat(0.25),
            ElementKind::Pyramid => Vec3::new(0.0, 0.0, 0.25),
            ElementKind::Wedge => Vec3::new(1.0 / 3.0, 1.0 / 3.0, 0.0),
            ElementKind::Hex => Vec3::zeros(),
        }
    }

    /// Natural coordinates of the nodes; zeros past the last.
    pub fn corner_coordinates(self) -> [Vec3; 8] {
        let rows: &[[f64; 3]] = match self {
            ElementKind::Tet => &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
            ElementKind::Pyramid => &[[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.], [0., 0., 1.]],
            ElementKind::Wedge => {
                &[[0., 0., -1.], [1., 0., -1.], [0., 1., -1.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.]]
            }
            ElementKind::Hex => &SIGNS,
        };
        let mut corners = [Vec3::zeros(); 8];
        corners.iter_mut().zip(rows).for_each(|(corner, x)| *corner = Vec3::from(*x));
        corners
    }

    /// Values of the shape functions at natural coordinates; their sum is 1. Entries past the number of nodes are 0.
    pub fn shape_functions(self, p: &Vec3) -> [f64; 8] {
        let (r, s, t) = (p.x, p.y, p.z);
        let mut n = [0.0; 8];
        match self {
            ElementKind::Tet => n[..4].copy_from_slice(&[1.0 - r - s - t, r, s, t]),
            ElementKind::Pyramid => {
                let twist = if 1.0 - t > APEX { r * s * t / (1.0 - t) } else { 0.0 };
                for (n, [a, b, _]) in n[..4].iter_mut().zip(SIGNS) {
                    *n = 0.25 * ((1.0 + a * r) * (1.0 + b * s) - t + a * b * twist);
                }
                n[4] = t;
            }
            ElementKind::Wedge => {
                let triangle = [1.0 - r - s, r, s];
                for i in 0..3 {
                    n[i] = 0.5 * triangle[i] * (1.0 - t);
                    n[i + 3] = 0.5 * triangle[i] * (1.0 + t);
                }
            }
            ElementKind::Hex => {
                for (n, [a, b, c]) in n.iter_mut().zip(SIGNS) {
                    *n = 0.125 * (1.0 + a * r) * (1.0 + b * s) * (1.0 + c * t);
                }
            }
        }
        n
    }

    /// Derivatives of the shape functions with respect to natural coordinates; their sum is 0.
    pub fn shape_gradients(self, p: &Vec3) -> [Vec3; 8] {
        let (r, s, t) = (p.x, p.y, p.z);
        let mut g = [Vec3::zeros(); 8];
        match self {
            ElementKind::Tet => {
                g[0] = Vec3::repeat(-1.0);
                (g[1], g[2], g[3]) = (Vec3::x(), Vec3::y(), Vec3::z());
            }
            ElementKind::Pyramid => {
                let below = 1.0 - t;
                let twist = [s * t / below, r * t / below, r * s / (below * below)];
                let [dr, ds, dt] = if below > APEX { twist } else { [0.0; 3] };
                for (g, [a, b, _]) in g[..4].iter_mut().zip(SIGNS) {
                    let x = a * (1.0 + b * s) + a * b * dr;
                    let y = b * (1.0 + a * r) + a * b * ds;
                    *g = 0.25 * Vec3::new(x, y, a * b * dt - 1.0);
                }
                g[4] = Vec3::z();
            }
            ElementKind::Wedge => {
                let triangle = [1.0 - r - s, r, s];
                let slope = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
                for i in 0..3 {
                    let [x, y] = slope[i];
                    g[i] = 0.5 * Vec3::new(x * (1.0 - t), y * (1.0 - t), -triangle[i]);
                    g[i + 3] = 0.5 * Vec3::new(x * (1.0 + t), y * (1.0 + t), triangle[i]);
                }
            }
            ElementKind::Hex => {
                for (g, [a, b, c]) in g.iter_mut().zip(SIGNS) {
                    let (x, y, z) = (1.0 + a * r, 1.0 + b * s, 1.0 + c * t);
                    *g = 0.125 * Vec3::new(a * y * z, b * x * z, c * x * y);
                }
            }
        }
        g
    }

    /// How far natural coordinates are outside the element; negative inside.
    pub fn outside(self, p: &Vec3) -> f64 {
        let (r, s, t) = (p.x, p.y, p.z);
        match self {
            ElementKind::Tet => (-p.min()).max(r + s + t - 1.0),
            ElementKind::Pyramid => (r.abs().max(s.abs()) + t - 1.0).max(-t),
            ElementKind::Wedge => (-r).max(-s).max(r + s - 1.0).max(t.abs() - 1.0),
            ElementKind::Hex => p.amax() - 1.0,
        }
    }

    /// Derivative of the place by natural coordinates: `Σ xₐ ⊗ ∂Nₐ`.
    pub fn jacobian(self, corners: &[Vec3; 8], p: &Vec3) -> Mat3 {
        let gradients = self.shape_gradients(p);
        let count = self.count();
        corners[..count].iter().zip(&gradients).map(|(x, g)| x * g.transpose()).sum()
    }

    /// Natural coordinates of the place `x` of an element with these corners, inside or outside; `None` where the map
    /// cannot be inverted.
    pub fn natural(self, corners: &[Vec3; 8], x: &Vec3) -> Option<Vec3> {
        // From the first corner: far from the origin, sums of places would lose the digits that are wanted.
        let (corners, x) = (&corners.map(|corner| corner - corners[0]), x - corners[0]);
        let mut p = self.center();
        let mut change = f64::INFINITY;
        for _ in 0..NEWTON_STEPS {
            let residual = x - interpolate(&self.shape_functions(&p), corners);
            let step = self.jacobian(corners, &p).try_inverse()? * residual;
            p += step;
            change = step.amax();
            if change <= CONVERGED {
                break;
            }
        }
        (change <= STALLED).then_some(p)
    }
}

/// The sum of `values` with these weights.
pub fn interpolate(weights: &[f64; 8], values: &[Vec3; 8]) -> Vec3 {
    weights.iter().zip(values).map(|(w, x)| x * *w).sum()
}

impl Element {
    /// Values at the nodes in order; zero past the last.
    pub fn gather(&self, value: impl Fn(u32) -> Vec3) -> [Vec3; 8] {
        let mut corners = [Vec3::zeros(); 8];
        corners.iter_mut().zip(self.nodes()).for_each(|(x, &n)| *x = value(n));
        corners
    }
}

impl ElementKind {
    /// Whether the place `x` lies in an element with these corners, in one of its faces, which may be warped, or no
    /// farther outside than `tolerance`.
    pub fn holds(self, corners: &[Vec3; 8], x: &Vec3, tolerance: f64) -> bool {
        let corners_of = &corners[..self.count()];
        if corners_of.iter().any(|corner| (corner - x).norm() <= tolerance) {
            return true;
        }
        let size = near(corners_of, x, tolerance);
        size.is_some_and(|size| {
            let reach = INSIDE.max(tolerance / size);
            self.natural(corners, x).is_some_and(|p| self.outside(&p) <= reach)
        })
    }
}

/// The longest side of the box of the corners if `x` is in it, or outside by no more than `slack` and rounding.
fn near(corners: &[Vec3], x: &Vec3, slack: f64) -> Option<f64> {
    let low = corners.iter().fold(Vec3::repeat(f64::INFINITY), |a, c| a.inf(c));
    let high = corners.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |a, c| a.sup(c));
    let size = (high - low).amax();
    let slack = slack.max(INSIDE * size);
    (0..3).all(|i| x[i] >= low[i] - slack && x[i] <= high[i] + slack).then_some(size)
}

impl Mesh {
    /// The element that holds the place `x` when the nodes are at `place`, with the natural coordinates of `x` in it:
    /// the first one, or, outside of all, the one that `x` is least outside of. `None` when no element can say.
    pub fn locate(&self, place: impl Fn(u32) -> Vec3, x: &Vec3) -> Option<(u32, Vec3)> {
        let mut best: Option<(f64, u32, Vec3)> = None;
        for boxed in [true, false] {
            for (e, element) in self.elements.iter().enumerate() {
                let corners = element.gather(&place);
                if boxed && near(&corners[..element.kind.count()], x, 0.0).is_none() {
                    continue;
                }
                let Some(p) = element.kind.natural(&corners, x) else { continue };
                let outside = element.kind.outside(&p);
                if outside <= INSIDE {
                    return Some((e as u32, p));
                }
                if best.is_none_or(|(least, ..)| outside < least) {
                    best = Some((outside, e as u32, p));
                }
            }
        }
        best.map(|(_, e, p)| (e, p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 1e-12;
    const KINDS: [ElementKind; 4] = [ElementKind::Tet, ElementKind::Pyramid, ElementKind::Wedge, ElementKind::Hex];

    #[test]
    fn shape_functions_are_one_at_their_node_and_reproduce_linear_fields() {
        for kind in KINDS {
            let nodes = kind.corner_coordinates();
            for (a, node) in nodes.iter().enumerate().take(kind.count()) {
                let n = kind.shape_functions(node);
                (0..8).for_each(|b| assert!((n[b] - f64::from(a == b)).abs() < TOLERANCE, "{kind:?} {a} {b}"));
            }
            let p = Vec3::new(0.21, 0.13, 0.33);
            assert!((interpolate(&kind.shape_functions(&p), &nodes) - p).norm() < TOLERANCE, "{kind:?}");
            assert!((kind.jacobian(&nodes, &p) - Mat3::identity()).norm() < TOLERANCE, "{kind:?}");
        }
    }

    #[test]
    fn gradients_are_the_derivatives_of_the_shape_functions() {
        let (p, step) = (Vec3::new(0.11, 0.23, 0.31), 1e-6);
        for kind in KINDS {
            let gradients = kind.shape_gradients(&p);
            for axis in 0..3 {
                let ahead = kind.shape_functions(&(p + Vec3::ith(axis, step)));
                let behind = kind.shape_functions(&(p - Vec3::ith(axis, step)));
                for (a, gradient) in gradients.iter().enumerate() {
                    let slope = (ahead[a] - behind[a]) / (2.0 * step);
                    assert!((gradient[axis] - slope).abs() < 1e-9, "{kind:?} node {a} axis {axis}");
                }
            }
        }
    }

    #[test]
    fn the_inverse_map_finds_points_of_warped_elements() {
        for kind in KINDS {
            let mut nodes = kind.corner_coordinates();
            for (k, x) in nodes.iter_mut().enumerate() {
                let k = k as f64;
                *x = Vec3::new(2.0, 0.5, 1.0).component_mul(x) + Vec3::new(k.sin(), k.cos(), (2.0 * k).sin()) * 0.1;
            }
            let p = kind.center() + Vec3::new(0.1, -0.05, 0.12);
            let x = interpolate(&kind.shape_functions(&p), &nodes);
            assert!((kind.natural(&nodes, &x).unwrap() - p).norm() < 1e-10, "{kind:?}");
            assert!(kind.outside(&p) < 0.0 && kind.outside(&(p + Vec3::repeat(2.0))) > 0.0);
        }
    }

    /// Far from the origin places are rounded, but what they are is found as well as near it.
    #[test]
    fn the_inverse_map_is_as_good_far_from_the_origin() {
        for kind in KINDS {
            for far in [1e5, 1e6, 1e8] {
                let nodes = kind.corner_coordinates().map(|x| 0.1 * x + Vec3::new(far, -far, 0.5 * far));
                let p = kind.center() + Vec3::new(0.1, -0.05, 0.12);
                let x = interpolate(&kind.shape_functions(&p), &nodes);
                let found = kind.natural(&nodes, &x).expect("the map is inverted");
                assert!((found - p).norm() < 100.0 * f64::EPSILON * far / 0.1, "{kind:?} at {far:e}: {found}");
            }
        }
    }

    #[test]
    fn points_are_located_inside_a_mesh_and_beside_it() {
        let corners: [Vec3; 8] = SIGNS.map(|s| Vec3::from(s) * 0.5);
        let mesh = Mesh::hex(&corners, [2, 1, 1], 1, &[1; 6], [None; 3]).unwrap();
        let own = |n: u32| mesh.nodes[n as usize];
        let (e, p) = mesh.locate(own, &Vec3::new(0.25, 0.0, 0.0)).unwrap();
        assert_eq!(e, 1);
        assert!(p.norm() < TOLERANCE);
        let (e, p) = mesh.locate(own, &Vec3::new(-1.0, 0.0, 0.25)).unwrap();
        assert_eq!(e, 0);
        assert!((p - Vec3::new(-3.0, 0.0, 0.5)).norm() < TOLERANCE);
    }
}

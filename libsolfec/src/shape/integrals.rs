//! Volume, centre and Euler tensor, always about a local apex, so that far objects lose
//! no digits.

use super::loops::middle;
use super::{Convex, Element, ElementKind, Mesh};
use crate::math::{tree_sum, Mat3, Vec3};

/// Volume [m³], centre [m] and Euler tensor about the centre per unit density, `∫ (x−c)(x−c)ᵀ dV` [m⁵].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integrals {
    pub volume: f64,
    pub center: Vec3,
    pub euler: Mat3,
}

/// About an apex: V, ∫y (3), ∫yyᵀ (xx yy zz xy xz yz).
type Moments = [f64; 10];

/// Three Gauss points on [−1, 1] with their weights: exact to degree 5.
const GAUSS: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];

/// Natural coordinates of the hexahedron's corners.
const CORNERS: [[f64; 3]; 8] = [
    [-1., -1., -1.],
    [1., -1., -1.],
    [1., 1., -1.],
    [-1., 1., -1.],
    [-1., -1., 1.],
    [1., -1., 1.],
    [1., 1., 1.],
    [-1., 1., 1.],
];

impl Integrals {
    fn from_moments(apex: &Vec3, m: &Moments) -> Integrals {
        let [v, x, y, z, xx, yy, zz, xy, xz, yz] = *m;
        let arm = Vec3::new(x, y, z) / v;
        Integrals {
            volume: v,
            center: apex + arm,
            euler: Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) - v * arm * arm.transpose(),
        }
    }

    /// After the motion `X = rotation · x + shift`.
    pub fn placed(&self, rotation: &Mat3, shift: &Vec3) -> Integrals {
        Integrals {
            volume: self.volume,
            center: rotation * self.center + shift,
            euler: rotation * self.euler * rotation.transpose(),
        }
    }

    /// After an affine `map` of all points.
    pub fn mapped(&self, map: impl Fn(&Vec3) -> Vec3) -> Integrals {
        let origin = map(&self.center);
        let column = |i: usize| map(&(self.center + Vec3::ith(i, 1.0))) - origin;
        let gradient = Mat3::from_columns(&[column(0), column(1), column(2)]);
        let ratio = gradient.determinant().abs();
        Integrals {
            volume: ratio * self.volume,
            center: origin,
            euler: ratio * gradient * self.euler * gradient.transpose(),
        }
    }

    /// Of the solid inside a closed surface of triangles, counter-clockwise seen from outside. NaN where they enclose
    /// no volume.
    pub fn enclosed<'a>(triangles: impl Iterator<Item = [&'a Vec3; 3]> + Clone) -> Integrals {
        let (sum, count) = triangles.clone().flatten().fold((Vec3::zeros(), 0_u32), |(sum, n), x| (sum + x, n + 1));
        let apex = sum / f64::from(count.max(1));
        let mut sum = [0.0; 10];
        for [a, b, c] in triangles {
            let part = tetrahedron(&(a - apex), &(b - apex), &(c - apex));
            (0..10).for_each(|k| sum[k] += part[k]);
        }
        Integrals::from_moments(&apex, &sum)
    }

    /// Inertia tensor about the centre per unit density, `tr(E) I − E` [m⁵].
    pub fn inertia(&self) -> Mat3 {
        Mat3::identity() * self.euler.trace() - self.euler
    }

    /// Of the juxtaposition of `parts`; overlaps count twice. Zero volume and NaN for no parts.
    pub fn together(parts: &[Integrals]) -> Integrals {
        let apex = parts.first().map_or_else(Vec3::zeros, |p| p.center);
        let volume: f64 = parts.iter().map(|p| p.volume).sum();
        let moment: Vec3 = parts.iter().map(|p| p.volume * (p.center - apex)).sum();
        let center = apex + moment / volume;
        let euler = parts
            .iter()
            .map(|p| {
                let arm = p.center - center;
                p.euler + p.volume * arm * arm.transpose()
            })
            .sum();
        Integrals { volume, center, euler }
    }
}

impl Convex {
    /// Volume, centre and Euler tensor.
    pub fn integrals(&self) -> Integrals {
        let apex = middle(self.vertices.iter().copied());
        let mut sum = [0.0; 10];
        for face in &self.faces {
            let corner = |i: usize| self.vertices[face.nodes[i] as usize] - apex;
            for i in 2..face.nodes.len() {
                let part = tetrahedron(&corner(0), &corner(i - 1), &corner(i));
                (0..10).for_each(|k| sum[k] += part[k]);
            }
        }
        Integrals::from_moments(&apex, &sum)
    }
}

impl Mesh {
    /// Volume, centre and Euler tensor; elements have bilinear faces.
    pub fn integrals(&self) -> Integrals {
        let apex = self.apex();
        let sum = tree_sum(self.elements.len(), |e| brick_moments(&self.elements[e].brick(&self.nodes, &apex)));
        Integrals::from_moments(&apex, &sum)
    }

    /// A point amid the elements; nodes of no element may be anywhere.
    fn apex(&self) -> Vec3 {
        let corners = || self.elements.iter().flat_map(|e| e.nodes().iter().map(|&n| &self.nodes[n as usize]));
        corners().sum::<Vec3>() / corners().count() as f64
    }
}

impl Element {
    /// Volume, with its sign, of the isoparametric element.
    pub(crate) fn volume(&self, nodes: &[Vec3]) -> f64 {
        brick_moments(&self.brick(nodes, &nodes[self.nodes[0] as usize]))[0]
    }

    /// The element as a hexahedron with coinciding corners, relative to `apex`. Its trilinear map has the same faces as
    /// the element's own, bilinear on quadrilaterals, hence the same integrals.
    fn brick(&self, nodes: &[Vec3], apex: &Vec3) -> [Vec3; 8] {
        let corners = match self.kind {
            ElementKind::Tet => [0, 1, 2, 2, 3, 3, 3, 3],
            ElementKind::Pyramid => [0, 1, 2, 3, 4, 4, 4, 4],
            ElementKind::Wedge => [0, 1, 2, 2, 3, 4, 5, 5],
            ElementKind::Hex => [0, 1, 2, 3, 4, 5, 6, 7],
        };
        corners.map(|i: usize| nodes[self.nodes[i] as usize] - apex)
    }
}

/// Moments about the origin of the tetrahedron of the origin and `a`, `b`, `c`.
fn tetrahedron(a: &Vec3, b: &Vec3, c: &Vec3) -> Moments {
    let jacobian = a.dot(&b.cross(c));
    let s = a + b + c;
    let p = |i: usize, k: usize| jacobian / 120.0 * (s[i] * s[k] + a[i] * a[k] + b[i] * b[k] + c[i] * c[k]);
    let first = |i: usize| jacobian / 24.0 * s[i];
    [jacobian / 6.0, first(0), first(1), first(2), p(0, 0), p(1, 1), p(2, 2), p(0, 1), p(0, 2), p(1, 2)]
}

/// Moments of the trilinear image of the cube. The integrand has degree 4 in each direction, so 3×3×3 points are exact.
fn brick_moments(x: &[Vec3; 8]) -> Moments {
    let mut sum = [0.0; 10];
    for (zeta, wz) in GAUSS {
        for (eta, wy) in GAUSS {
            for (xi, wx) in GAUSS {
                let mut y = Vec3::zeros();
                let mut gradient = [Vec3::zeros(); 3];
                for (corner, [a, b, c]) in x.iter().zip(CORNERS) {
                    let (p, q, r) = (1.0 + a * xi, 1.0 + b * eta, 1.0 + c * zeta);
                    y += corner * (0.125 * p * q * r);
                    gradient[0] += corner * (0.125 * a * q * r);
                    gradient[1] += corner * (0.125 * b * p * r);
                    gradient[2] += corner * (0.125 * c * p * q);
                }
                let dv = wx * wy * wz * gradient[0].dot(&gradient[1].cross(&gradient[2]));
                let part = [1., y.x, y.y, y.z, y.x * y.x, y.y * y.y, y.z * y.z, y.x * y.y, y.x * y.z, y.y * y.z];
                (0..10).for_each(|k| sum[k] += dv * part[k]);
            }
        }
    }
    sum
}

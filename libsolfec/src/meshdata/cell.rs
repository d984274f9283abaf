//! Convex cells: polyhedra of which planes cut off parts.

use crate::math::Vec3;

/// The plane of points `x` with `normal · x = height`, the normal being of unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    pub normal: Vec3,
    pub height: f64,
}

impl Cut {
    /// `None` without a direction.
    pub fn through(point: &Vec3, normal: &Vec3) -> Option<Cut> {
        let normal = normal.try_normalize(0.0)?;
        Some(Cut { normal, height: normal.dot(point) })
    }

    /// Signed distance of a point.
    pub fn above(&self, x: &Vec3) -> f64 {
        self.normal.dot(x) - self.height
    }

    pub fn flipped(&self) -> Cut {
        Cut { normal: -self.normal, height: -self.height }
    }
}

/// The part of a polygon at or below a plane (Sutherland and Hodgman 1974); corners closer to it than `snap` lie in it.
pub fn clipped(corners: &[Vec3], cut: &Cut, snap: f64) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, a) in corners.iter().enumerate() {
        let b = &corners[(i + 1) % corners.len()];
        let (ha, hb) = (cut.above(a), cut.above(b));
        if ha <= snap {
            kept.push(*a);
        }
        if (ha > snap && hb < -snap) || (ha < -snap && hb > snap) {
            kept.push(a + (b - a) * (ha / (ha - hb)));
        }
    }
    kept
}

/// A convex polyhedron as its faces, counter-clockwise seen from outside; nothing without faces.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub faces: Vec<Vec<Vec3>>,
}

/// Corners of the faces of a box; bit `i` of a corner chooses the higher end along axis `i`.
const BOX: [[usize; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

impl Cell {
    pub fn boxed(low: &Vec3, high: &Vec3) -> Cell {
        let corner = |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { low[i] } else { high[i] });
        Cell { faces: BOX.iter().map(|face| face.map(corner).to_vec()).collect() }
    }

    /// Corners, each as often as there are faces at it.
    pub fn corners(&self) -> impl Iterator<Item = &Vec3> {
        self.faces.iter().flatten()
    }

    /// The part at or below a plane.
    pub fn below(&self, cut: &Cut, snap: f64) -> Cell {
        let heights = || self.corners().map(|x| cut.above(x));
        if !heights().any(|h| h > snap) {
            return self.clone();
        }
        if !heights().any(|h| h < -snap) {
            return Cell { faces: Vec::new() };
        }
        let mut faces: Vec<Vec<Vec3>> = self.faces.iter().map(|face| clipped(face, cut, snap)).collect();
        faces.retain(|face| face.len() > 2);
        // What is cut open lies in the plane, whatever round-off says: corners are new, or were in it.
        let near = snap.max(f64::EPSILON * 16.0 * cut.height.abs().max(1.0));
        let open: Vec<Vec3> = faces.iter().flatten().copied().filter(|x| cut.above(x).abs() <= near).collect();
        faces.extend(ring(open, &cut.normal));
        Cell { faces }
    }

    /// [m³]
    pub fn volume(&self) -> f64 {
        let Some(apex) = self.corners().next().copied() else { return 0.0 };
        let of_face = |face: &Vec<Vec3>| {
            let tetrahedron = |i: usize| (face[0] - apex).dot(&(face[i - 1] - apex).cross(&(face[i] - apex)));
            (2..face.len()).map(tetrahedron).sum::<f64>()
        };
        self.faces.iter().map(of_face).sum::<f64>() / 6.0
    }

    /// Whether a point lies inside.
    pub fn holds(&self, x: &Vec3) -> bool {
        let below = |face: &Vec<Vec3>| {
            let normal: Vec3 = (2..face.len()).map(|i| (face[i - 1] - face[0]).cross(&(face[i] - face[0]))).sum();
            (x - face[0]).dot(&normal) < 0.0
        };
        self.faces.iter().all(below)
    }

    /// Whether all of it lies above a plane.
    fn is_above(&self, cut: &Cut) -> bool {
        self.corners().all(|x| cut.above(x) >= 0.0)
    }

    /// Volume of what a triangle covers of the cell on the way against x, with the sign of the x of its normal [m³].
    /// Summed over a closed surface this is the volume that cell and inside have in common.
    pub fn behind(&self, [a, b, c]: &[Vec3; 3]) -> f64 {
        let normal = (b - a).cross(&(c - a));
        if normal.x == 0.0 {
            return 0.0;
        }
        let sign = normal.x.signum();
        let [b, c] = if sign > 0.0 { [b, c] } else { [c, b] };
        let side = |p: &Vec3, q: &Vec3| Cut::through(p, &(q - p).cross(&Vec3::x()));
        let planes = [side(a, b), side(b, c), side(c, a), Cut::through(a, &(normal * sign))];
        if planes.iter().flatten().any(|plane| self.is_above(plane)) {
            return 0.0;
        }
        planes.iter().flatten().fold(self.clone(), |cell, plane| cell.below(plane, 0.0)).volume() * sign
    }
}

/// Corners of a convex polygon in their order about a normal.
fn ring(mut corners: Vec<Vec3>, normal: &Vec3) -> Option<Vec<Vec3>> {
    let count = corners.len() as f64;
    let middle = corners.iter().sum::<Vec3>() / count;
    let far = corners.iter().map(|x| x - middle).max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()))?;
    let first = (far - normal * far.dot(normal)).try_normalize(0.0)?;
    let second = normal.cross(&first);
    let angle = |x: &Vec3| (x - middle).dot(&second).atan2((x - middle).dot(&first));
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    corners.dedup();
    (corners.len() > 2).then_some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube without the corner x + y + z > 5/2, of volume (1/2)³ / 6, and then the half of it.
    #[test]
    fn a_cube_loses_a_corner() {
        let cube = Cell::boxed(&Vec3::zeros(), &Vec3::repeat(1.0));
        assert!((cube.volume() - 1.0).abs() < 1e-15);
        let slant = Cut::through(&Vec3::new(1.0, 1.0, 0.5), &Vec3::repeat(1.0)).unwrap();
        let (most, corner) = (cube.below(&slant, 1e-12), cube.below(&slant.flipped(), 1e-12));
        assert!((most.volume() - 47.0 / 48.0).abs() < 1e-15 && (corner.volume() - 1.0 / 48.0).abs() < 1e-15);
        assert_eq!((most.faces.len(), corner.faces.len()), (7, 4));
        let half = Cut::through(&Vec3::zeros(), &Vec3::new(1.0, -1.0, 0.0)).unwrap();
        assert!((most.below(&half, 1e-12).volume() - 47.0 / 96.0).abs() < 1e-15);
        let beyond = Cut::through(&Vec3::zeros(), &Vec3::x()).unwrap();
        assert!(cube.below(&beyond, 1e-12).faces.is_empty() && cube.below(&beyond.flipped(), 1e-12) == cube);
    }

    /// The prism behind a triangle that crosses the cube.
    #[test]
    fn a_triangle_covers_what_is_behind_it() {
        let cube = Cell::boxed(&Vec3::zeros(), &Vec3::repeat(1.0));
        let triangle = [[0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, 0.0, 1.0]].map(Vec3::from);
        assert!((cube.behind(&triangle) - 0.25).abs() < 1e-15);
        let [a, b, c] = triangle;
        assert!((cube.behind(&[a, c, b]) + 0.25).abs() < 1e-15);
        assert_eq!(cube.behind(&triangle.map(|x| x - Vec3::x())), 0.0);
        assert!((cube.behind(&triangle.map(|x| x + Vec3::x())) - 0.5).abs() < 1e-15);
    }
}

//! Bending a mesh about an axis: planes across a straight line become planes through the axis.

use super::loops::diameter;
use super::{Mesh, FLATNESS};
use crate::math::Vec3;
use crate::{Error, Result};

/// An axis: a point and a unit vector.
struct Axis {
    point: Vec3,
    along: Vec3,
}

impl Axis {
    /// The vector from the axis to a point, across it.
    fn arm(&self, x: &Vec3) -> Vec3 {
        let way = x - self.point;
        way - self.along * self.along.dot(&way)
    }
}

impl Mesh {
    /// The mesh bent by `angle` [degree] about the axis through `point` along `direction`. What lies within the bend
    /// follows circles about the axis; what lies beyond goes straight on. Lengths are kept at the distance from the axis
    /// of the node that is nearest to it; the plane through the axis and that node, and what is behind it, stays.
    ///
    /// # Errors
    /// Numbers that are not finite, an angle that is not positive, no direction, an axis that passes through or touches
    /// an element, elements that are inverted afterwards.
    pub fn bent(&self, point: &Vec3, direction: &Vec3, angle: f64) -> Result<Mesh> {
        let finite = point.iter().chain(direction.iter()).all(|x| x.is_finite());
        let along = direction.try_normalize(0.0).filter(|_| finite);
        let Some(along) = along else {
            return Err(Error::input("axis of the bend: give a finite point and a direction that is not zero"));
        };
        if !(angle > 0.0 && angle.is_finite()) {
            return Err(Error::input(format!("angle of the bend is {angle}: give a positive number of degrees")));
        }
        let axis = Axis { point: *point, along };
        if let Some(element) = self.stabbed(&axis) {
            return Err(Error::input(format!(
                "the axis of the bend passes through element {element} of the mesh: it must lie beside the mesh"
            )));
        }
        let arms = self.nodes.iter().map(|x| axis.arm(x));
        let nearest = arms.min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared())).unwrap_or_else(Vec3::zeros);
        let radius = nearest.norm();
        let forward = along.cross(&nearest) / radius;
        let angle = angle.to_radians();
        let bend = |x: &Vec3| {
            let s = forward.dot(&axis.arm(x));
            if s <= 0.0 {
                return *x;
            }
            // Where it was in the plane that stays, and how far from the axis.
            let start = x - forward * s;
            let w = axis.arm(&start);
            let turn = (s / radius).min(angle);
            let (sine, cosine) = turn.sin_cos();
            let toward = forward * w.norm();
            let out = (toward * cosine - w * sine).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            let beyond = (s - radius * angle).max(0.0);
            start - w + w * cosine + toward * sine + out * beyond
        };
        let mesh = Mesh { nodes: self.nodes.iter().map(bend).collect(), ..self.clone() };
        mesh.check_elements()?;
        Ok(mesh)
    }

    /// The first element that the axis meets.
    fn stabbed(&self, axis: &Axis) -> Option<usize> {
        let tolerance = FLATNESS * diameter(&self.nodes);
        self.elements.iter().position(|element| {
            let corners = element.nodes().iter().map(|&n| axis.arm(&self.nodes[n as usize]));
            near_origin(&corners.collect::<Vec<Vec3>>(), &axis.along, tolerance)
        })
    }
}

/// Whether the convex hull of points of the plane across `normal` through the origin comes nearer to the origin than
/// `tolerance`: no line through two of the points separates them.
fn near_origin(points: &[Vec3], normal: &Vec3, tolerance: f64) -> bool {
    if points.iter().any(|p| p.norm() <= tolerance) {
        return true;
    }
    // Of a hull that the origin is outside of, some edge, or corner, has all points on its far side.
    let apart = |direction: &Vec3| points.iter().all(|p| direction.dot(p) > tolerance);
    let corner = |p: &Vec3| apart(&p.normalize());
    let edge = |a: &Vec3, b: &Vec3| {
        let across = normal.cross(&(b - a)).try_normalize(0.0);
        across.is_some_and(|n| apart(&n) || apart(&-n))
    };
    let edges = points.iter().enumerate().any(|(i, a)| points[i + 1..].iter().any(|b| edge(a, b)));
    !(edges || points.iter().any(corner))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::shape::Shape;

    /// x ∈ [0, π/2], y ∈ [0, 0.1], z ∈ [1, 1.2].
    fn bar(count: usize) -> Mesh {
        let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let end = FRAC_PI_2;
        let quad = |z: f64| [corner(0.0, 0.0, z), corner(end, 0.0, z), corner(end, 0.1, z), corner(0.0, 0.1, z)];
        let ([a, b, c, d], [e, f, g, h]) = (quad(1.0), quad(1.2));
        Mesh::hex(&[a, b, c, d, e, f, g, h], [count, 1, 1], 1, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap()
    }

    /// Where the node that was nearest to `x` is in the bent mesh.
    fn follow(mesh: &Mesh, bent: &Mesh, x: [f64; 3]) -> Vec3 {
        let x = Vec3::from(x);
        let nodes = mesh.nodes.iter().zip(&bent.nodes);
        *nodes.min_by(|(a, _), (b, _)| (*a - x).norm().total_cmp(&(*b - x).norm())).unwrap().1
    }

    #[test]
    fn a_bar_becomes_a_quarter_of_a_ring() {
        let mesh = bar(16);
        let bent = mesh.bent(&Vec3::zeros(), &Vec3::y(), 90.0).unwrap();
        for (from, to) in [([FRAC_PI_2, 0.0, 1.0], Vec3::x()), ([FRAC_PI_2, 0.0, 1.2], Vec3::x() * 1.2)] {
            assert!((follow(&mesh, &bent, from) - to).norm() < 1e-14);
        }
        // Chords of 16 elements: ½ (1.2² − 1) · 0.1 · 16 sin(π/32).
        let exact = 0.5 * 0.44 * 0.1 * 16.0 * (FRAC_PI_2 / 16.0).sin();
        assert!((Shape::new(bent).integrals().volume / exact - 1.0).abs() < 1e-12);
    }

    #[test]
    fn beyond_the_angle_the_bar_is_straight() {
        let mesh = bar(16);
        let bent = mesh.bent(&Vec3::zeros(), &Vec3::y(), 45.0).unwrap();
        let end = follow(&mesh, &bent, [FRAC_PI_2, 0.0, 1.0]);
        let eighth = FRAC_PI_2 / 2.0;
        let exact = Vec3::new(1.0, 0.0, 1.0) * 0.5f64.sqrt() + Vec3::new(1.0, 0.0, -1.0) * (eighth * 0.5f64.sqrt());
        assert!((end - exact).norm() < 1e-14, "{end}");
        assert!((end - Vec3::new(1.262_467, 0.0, 0.151_746)).norm() < 1e-6, "{end}");
    }

    #[test]
    fn surfaces_keep_their_ids() {
        let mesh = bar(4);
        let bent = mesh.bent(&Vec3::zeros(), &Vec3::y(), 30.0).unwrap();
        assert_eq!((bent.boundary, bent.elements), (mesh.boundary, mesh.elements));
    }

    #[test]
    fn an_axis_through_the_mesh_is_refused() {
        let mesh = bar(4);
        for height in [1.0, 1.1, 1.2] {
            let error = mesh.bent(&Vec3::new(0.5, 0.0, height), &Vec3::y(), 90.0).unwrap_err();
            assert!(error.to_string().contains("axis of the bend passes through element 1"), "{error}");
        }
        for (direction, angle, word) in [(Vec3::zeros(), 90.0, "direction"), (Vec3::y(), 0.0, "angle")] {
            let error = mesh.bent(&Vec3::zeros(), &direction, angle).unwrap_err();
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}

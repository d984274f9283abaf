//! The generator of straight pipes.

use std::f64::consts::TAU;

use super::convex::check_finite;
use super::{Element, ElementKind, Mesh, RawMesh};
use crate::math::Vec3;
use crate::{Error, Result};

/// A straight pipe: lengths in metres, numbers of elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pipe {
    /// Centre of the first end, and the way from there to the centre of the other one.
    pub point: Vec3,
    pub direction: Vec3,
    pub inner_radius: f64,
    pub thickness: f64,
    /// Elements along the axis, around it and through the thickness.
    pub counts: [usize; 3],
}

/// Elements around a pipe at least: two do not enclose anything.
const LEAST_AROUND: usize = 3;

impl Mesh {
    /// A pipe of hexahedra. Nodes lie on circles, faces are their chords. Nodes and elements run fastest through the
    /// thickness, then around, then along the axis. `surfids`: first end, other end, inside, outside.
    ///
    /// # Errors
    /// Numbers that are not finite or not positive, fewer than three elements around, too many nodes.
    pub fn pipe(pipe: &Pipe, volid: i32, surfids: &[i32; 4]) -> Result<Mesh> {
        let [along, around, through] = pipe.counts;
        pipe.check()?;
        let rings = through + 1;
        let node = |i: usize, j: usize, k: usize| ((i * around + j % around) * rings + k) as u32;
        let mut elements = Vec::with_capacity(along * around * through);
        let mut faces = Vec::new();
        for i in 0..along {
            for j in 0..around {
                for k in 0..through {
                    let quad = |i| [node(i, j, k), node(i, j, k + 1), node(i, j + 1, k + 1), node(i, j + 1, k)];
                    let ([n0, n1, n2, n3], [n4, n5, n6, n7]) = (quad(i), quad(i + 1));
                    let element = Element { kind: ElementKind::Hex, nodes: [n0, n1, n2, n3, n4, n5, n6, n7], volid };
                    // Rows of the face table of hexahedra: first end, other end, inside, outside.
                    let outer = [(0, i == 0), (5, i + 1 == along), (4, k == 0), (2, k + 1 == through)];
                    let outer = outer.into_iter().zip(surfids).filter(|((_, outer), _)| *outer);
                    faces.extend(outer.map(|((face, _), id)| (element.face(face).collect(), *id)));
                    elements.push(element.into());
                }
            }
        }
        RawMesh { nodes: pipe.nodes(), elements, surfid: 0, faces }.mesh().map(|(mesh, _)| mesh)
    }
}

impl Pipe {
    fn check(&self) -> Result<()> {
        check_finite("point", &[self.point])?;
        check_finite("direction", &[self.direction])?;
        for (name, value) in [("inner radius", self.inner_radius), ("thickness", self.thickness)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::input(format!("{name} of the pipe is {value}: give a positive, finite number")));
            }
        }
        if self.direction.norm() <= 0.0 {
            return Err(Error::input("direction of the pipe is (0, 0, 0): give the way from one end to the other"));
        }
        let [along, around, through] = self.counts;
        if along == 0 || around < LEAST_AROUND || through == 0 {
            return Err(Error::input(format!(
                "the pipe has {along} elements along its axis, {around} around and {through} through its thickness: give \
                 at least 1, {LEAST_AROUND} and 1"
            )));
        }
        let total = [along.saturating_add(1), around, through.saturating_add(1)];
        let total = total.iter().try_fold(1_usize, |n, count| n.checked_mul(*count));
        if total.is_none_or(|n| n >= u32::MAX as usize) {
            return Err(Error::input("the pipe has too many nodes for one mesh: give fewer elements"));
        }
        Ok(())
    }

    fn nodes(&self) -> Vec<Vec3> {
        let [along, around, through] = self.counts;
        let d = self.direction.normalize();
        let b = across(&d);
        let a = d.cross(&b);
        let mut nodes = Vec::with_capacity((along + 1) * around * (through + 1));
        for i in 0..=along {
            let center = self.point + self.direction * (i as f64 / along as f64);
            for j in 0..around {
                let (sine, cosine) = (TAU * j as f64 / around as f64).sin_cos();
                let radial = a * sine + b * cosine;
                nodes.extend((0..=through).map(|k| {
                    let radius = self.inner_radius + self.thickness * (k as f64 / through as f64);
                    center + radial * radius
                }));
            }
        }
        nodes
    }
}

/// A unit vector across the unit vector `d`: `d × e`, with the first axis `e` that is not parallel to it.
fn across(d: &Vec3) -> Vec3 {
    const PARALLEL: f64 = 1e-10;
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let found = axes.iter().map(|e| d.cross(e)).find(|b| b.norm() >= PARALLEL);
    found.map_or_else(Vec3::y, |b| b.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    fn pipe(direction: Vec3) -> Pipe {
        Pipe { point: Vec3::zeros(), direction, inner_radius: 0.5, thickness: 1.0, counts: [1, 8, 1] }
    }

    /// Chords of eight sides: area ½ · 8 · sin 45° (1.5² − 0.5²).
    const VOLUME: f64 = 11.313_708_498_984_761;

    #[test]
    fn a_pipe_has_the_volume_of_its_chords_in_any_direction() {
        for direction in [Vec3::z(), Vec3::x(), Vec3::repeat(1.0), Vec3::new(-3.0, 0.1, 0.2)] {
            let mesh = Mesh::pipe(&pipe(direction.normalize() * 2.0), 1, &[1, 2, 3, 4]).unwrap();
            assert_eq!((mesh.nodes.len(), mesh.elements.len(), mesh.boundary.len()), (32, 8, 32));
            let integrals = Shape::new(mesh).integrals();
            assert!((integrals.volume / VOLUME - 1.0).abs() < 1e-14, "{direction}: {}", integrals.volume);
            assert!((integrals.center - direction.normalize()).norm() < 1e-14);
        }
    }

    #[test]
    fn nodes_of_a_pipe_run_through_the_thickness_first() {
        let mesh = Mesh::pipe(&pipe(Vec3::z() * 2.0), 1, &[1, 2, 3, 4]).unwrap();
        let half = 0.25 * 2f64.sqrt();
        for (node, place) in [(0, [0.0, 0.5, 0.0]), (1, [0.0, 1.5, 0.0]), (2, [-half, half, 0.0])] {
            assert!((mesh.nodes[node] - Vec3::from(place)).norm() < 1e-15, "{node}: {}", mesh.nodes[node]);
        }
    }

    #[test]
    fn surfaces_of_a_pipe_are_its_ends_and_its_walls() {
        let fine = Pipe { counts: [3, 12, 2], ..pipe(Vec3::z() * 2.0) };
        let mesh = Mesh::pipe(&fine, 1, &[1, 2, 3, 4]).unwrap();
        let on = |id: i32| mesh.nodes_on_surface(id).into_iter().map(|n| mesh.nodes[n as usize]).collect::<Vec<_>>();
        assert!(on(1).iter().all(|x| x.z == 0.0) && on(2).iter().all(|x| x.z == 2.0));
        assert!(on(3).iter().all(|x| (x.xy().norm() - 0.5).abs() < 1e-15));
        assert!(on(4).iter().all(|x| (x.xy().norm() - 1.5).abs() < 1e-15));
        let counts = [1, 2, 3, 4].map(|id| mesh.boundary.iter().filter(|face| face.surfid == id).count());
        assert_eq!(counts, [24, 24, 36, 36]);
    }

    #[test]
    fn pipes_that_enclose_nothing_are_refused() {
        for (wrong, word) in [
            (Pipe { counts: [1, 2, 1], ..pipe(Vec3::z()) }, "around"),
            (Pipe { thickness: 0.0, ..pipe(Vec3::z()) }, "thickness"),
            (Pipe { inner_radius: f64::NAN, ..pipe(Vec3::z()) }, "inner radius"),
            (pipe(Vec3::zeros()), "direction"),
            (Pipe { counts: [usize::MAX, 3, 1], ..pipe(Vec3::z()) }, "too many"),
        ] {
            let error = Mesh::pipe(&wrong, 0, &[0; 4]).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}

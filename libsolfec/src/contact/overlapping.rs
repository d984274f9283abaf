//! Which shapes touch or overlap others, before there are bodies.

use std::cell::OnceCell;

use super::broad::{part_pairs, BodyPairs};
use super::kinematics::Kinematics;
use super::narrow::{collide, first_is_slave, Object, Workspace};
use super::objects::Objects;
use super::rules::Exclusions;
use crate::body::MaterialPoint;
use crate::ids::{BodyId, BodyIndex, ObjectIndex};
use crate::math::Vec3;
use crate::meshdata::{triangulate, Shell};
use crate::shape::{filling_parts, BoundaryFace, Shape, SolidView};
use crate::{Error, Result};

/// Everything where it was described.
struct AtRest;

impl Kinematics for AtRest {
    fn check_place(&self, _: BodyIndex) -> Result<(), String> {
        Ok(())
    }

    fn place(&self, _: BodyIndex, reference: &[Vec3], _: &[u32], out: &mut [Vec3]) {
        out.copy_from_slice(reference);
    }

    fn turn_normals(&self, _: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        out.copy_from_slice(reference);
        true
    }

    fn point(&self, point: &MaterialPoint) -> Vec3 {
        point.reference
    }

    fn reference(&self, _: BodyIndex, _: ObjectIndex, _: u32, here: &Vec3) -> Option<Vec3> {
        Some(*here)
    }
}

/// Of each of the `groups` of shapes, whether it overlaps one of the `obstacles` with the gap `most` [m] or less:
/// touching shapes, nearer than `epsilon` [m], have the gap 0. The gap is that of a pair of convex parts, of which a
/// mesh has as many as elements; a part inside a mesh is no less deep than its largest ball is below the boundary. Cost
/// grows with the number of pairs whose boxes meet.
///
/// # Errors
/// Shapes whose contact cannot be computed.
pub fn overlapping(obstacles: &[Shape], groups: &[Vec<Shape>], most: f64, epsilon: f64) -> Result<Vec<bool>> {
    let mut objects = Objects::new();
    // Pairs of obstacles are not looked for, so the groups are, and what they are compared with is none.
    objects.insert_apart(BodyId(1), false, &filling_parts(obstacles))?;
    for (id, group) in (2..).zip(groups) {
        objects.insert_apart(BodyId(id), true, &filling_parts(group))?;
    }
    objects.place(&AtRest, epsilon)?;
    let mut found = vec![false; groups.len()];
    let around = Boundary::of(obstacles);
    let (mut pairs, mut workspace) = (Vec::new(), Workspace::default());
    for bodies in BodyPairs::default().find(&objects, &Exclusions::default()) {
        pairs.clear();
        part_pairs(&objects, *bodies, &mut pairs);
        let [i, j] = *bodies;
        let group = Boundary::of(&groups[j.index() - 1]);
        for [a, b] in &pairs {
            let (a, b) = (objects.object(i, *a), objects.object(j, *b));
            let (slave, master) = if first_is_slave(&a, &b) { (a, b) } else { (b, a) };
            let contact = collide(&slave, &master, epsilon, &mut workspace)
                .map_err(|error| Error::input(format!("shape {}: {error}", j.index() - 1)))?;
            let Some((point, _)) = contact else { continue };
            let depths = || [around.depth(&a, &b, epsilon), group.depth(&b, &a, epsilon)].into_iter().flatten();
            if point.gap <= most || depths().any(|depth| depth >= -most) {
                found[j.index() - 1] = true;
                break;
            }
        }
    }
    Ok(found)
}

/// The boundary of the meshes among some shapes, made when it is asked for.
struct Boundary<'a> {
    shapes: &'a [Shape],
    shell: OnceCell<Shell>,
}

impl Boundary<'_> {
    fn of(shapes: &[Shape]) -> Boundary<'_> {
        Boundary { shapes, shell: OnceCell::new() }
    }

    /// How far `part` is at least to be moved out of the meshes [m], if the centre of its ball is in this `element`.
    fn depth(&self, element: &Object, part: &Object, epsilon: f64) -> Option<f64> {
        let Object::Solid(view) = element else { return None };
        let (center, radius) = inner_ball(part);
        if height(view, &center) > epsilon {
            return None;
        }
        let shell = self.shell.get_or_init(|| Shell::new(self.shapes.iter().flat_map(boundary_triangles).collect()));
        // Where there is no mesh the gap of the pair is the depth.
        (!shell.triangles().is_empty()).then(|| shell.distance(&center) + radius)
    }
}

/// Triangles of the boundary of a mesh.
pub fn boundary_triangles(shape: &Shape) -> Vec<[Vec3; 3]> {
    let Some(mesh) = shape.geometry.mesh() else { return Vec::new() };
    let nodes = shape.vertices();
    let corners = |face: &BoundaryFace| mesh.elements[face.element as usize].face(face.local.into());
    let polygon = |face: &BoundaryFace| corners(face).collect::<Vec<u32>>();
    let triangles = mesh.boundary.iter().flat_map(|face| triangulate(&polygon(face), &nodes));
    triangles.map(|t| t.map(|n| nodes[n as usize])).collect()
}

/// A ball inside of a part: its centre and radius [m].
fn inner_ball(part: &Object) -> (Vec3, f64) {
    match part {
        Object::Solid(view) => {
            let center = view.vertices.iter().sum::<Vec3>() / view.vertices.len() as f64;
            (center, -height(view, &center))
        }
        Object::Ball(ball) => (ball.center, ball.radius),
        Object::Curved(view) => {
            let axes = view.form.half_axes(view.points);
            (view.form.center(view.points), axes.map_or(0.0, |axes| axes.singular_values().min()))
        }
    }
}

/// The greatest height of a point above the faces of a solid.
fn height(view: &SolidView, x: &Vec3) -> f64 {
    let above = |f: usize| view.normals[f].dot(&(x - view.vertices[view.topology.face(f)[0] as usize]));
    (0..view.topology.faces()).map(above).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Convex, Ellipsoid, Mesh, Sphere};

    #[test]
    fn touching_and_overlapping_shapes_are_found() {
        let corners: Vec<Vec3> = (0..8).map(|k| Vec3::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
        let cube = [Shape::new(Convex::hull(&corners, 1, 1).unwrap())];
        let ball = |z: f64| vec![Shape::new(Sphere::new(Vec3::new(0.5, 0.5, z), 0.5, 1, 1).unwrap())];
        let egg = Ellipsoid::new(Vec3::new(0.5, 0.5, 1.29), Vec3::new(0.5, 0.4, 0.3), 1, 1).unwrap();
        let mut groups = vec![ball(1.5), ball(1.49), ball(1.6)];
        assert_eq!(overlapping(&cube, &groups, 0.0, 1e-6).unwrap(), [true, true, false]);
        assert_eq!(overlapping(&cube, &groups, -0.005, 1e-6).unwrap(), [false, true, false]);
        groups.push([ball(3.0), vec![Shape::new(egg)]].concat());
        assert_eq!(overlapping(&cube, &groups, 0.0, 1e-6).unwrap(), [true, true, false, true]);
        assert!(overlapping(&cube, &[], 0.0, 1e-6).unwrap().is_empty());
        assert_eq!(overlapping(&[], &groups, 0.0, 1e-6).unwrap(), [false; 4]);
    }
    fn cube(low: f64, size: f64, n: usize) -> Mesh {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::repeat(low) + size * Vec3::from(x.map(f64::from)));
        Mesh::hex(&corners, [n; 3], 1, &[1; 6], [None; 3]).unwrap()
    }

    /// Shapes of the depth 1.6 in the middle of a cube of 3, which has elements only there that nothing can touch, and
    /// one beside.
    fn inside() -> Vec<Vec<Shape>> {
        let middle = Vec3::repeat(1.5);
        let corners = cube(1.4, 0.2, 1).nodes;
        vec![
            vec![Shape::new(Sphere::new(middle, 0.1, 1, 1).unwrap())],
            vec![Shape::new(Ellipsoid::new(middle, Vec3::new(0.1, 0.2, 0.3), 1, 1).unwrap())],
            vec![Shape::new(Convex::hull(&corners, 1, 1).unwrap())],
            vec![Shape::new(cube(1.4, 0.2, 1))],
            vec![Shape::new(cube(1.4, 0.2, 3))],
            vec![Shape::new(cube(3.1, 0.2, 1))],
        ]
    }

    /// Neither the division of a mesh nor which of two shapes is the obstacle decides.
    #[test]
    fn shapes_inside_of_meshes_overlap_them() {
        let wanted = [true, true, true, true, true, false];
        for n in [1, 2, 3, 5, 6] {
            let big = [Shape::new(cube(0.0, 3.0, n))];
            for gap in [0.0, -0.7, -1.49] {
                assert_eq!(overlapping(&big, &inside(), gap, 1e-6).unwrap(), wanted, "{n} {gap}");
                for (small, wanted) in inside().iter().zip(wanted) {
                    assert_eq!(overlapping(small, &[big.to_vec()], gap, 1e-6).unwrap(), [wanted], "{n} {gap}");
                }
            }
            assert_eq!(overlapping(&big, &inside(), -1.7, 1e-6).unwrap(), [false; 6], "{n}");
            let pieces = cube(0.0, 3.0, n).polyhedra().unwrap().into_iter().map(Shape::new).collect::<Vec<Shape>>();
            assert_eq!(overlapping(&pieces, &inside(), 0.0, 1e-6).unwrap(), wanted, "{n} polyhedra");
        }
    }

    /// A ball in a cavity is not in the solid.
    #[test]
    fn a_shape_in_a_cavity_does_not_overlap() {
        let mut block = cube(0.0, 3.0, 3);
        block.elements.remove(13);
        let hollow = [Shape::new(Mesh::new(block.nodes, block.elements, 1, &[]).unwrap().0)];
        let ball = |radius: f64| vec![Shape::new(Sphere::new(Vec3::repeat(1.5), radius, 1, 1).unwrap())];
        assert_eq!(overlapping(&hollow, &[ball(0.1), ball(0.5)], 0.0, 1e-6).unwrap(), [false, true]);
    }
}

//! Contact of bodies that deform: their shapes follow the nodes of their meshes.

use super::*;
use solfec::body::MaterialPoint;
use solfec::contact::{Kinematics, Object};
use solfec::shape::{placed_parts, Shape, SolidView};

/// Body 0 deforms: its nodes are here. Body 1 rests.
struct Deformed {
    nodes: Vec<Vec3>,
}

impl Kinematics for Deformed {
    fn check_place(&self, _: BodyIndex) -> Result<(), String> {
        Ok(())
    }

    fn place(&self, body: BodyIndex, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]) {
        if body == BodyIndex(0) {
            out.iter_mut().zip(nodes).for_each(|(x, &n)| *x = self.nodes[n as usize]);
        } else {
            out.copy_from_slice(reference);
        }
    }

    fn turn_normals(&self, body: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        if body == BodyIndex(0) {
            return false;
        }
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

/// A block of 3×3×2 hexahedra over an obstacle with its top at z = 0; the nodes of the block are moved by `deform`.
fn scene(deform: impl Fn(&Vec3) -> Vec3) -> (Objects, Deformed, Mesh) {
    let corners = corners([-1.0, -1.0, 0.0], [1.0, 1.0, 1.5]);
    let mesh = Mesh::hex(&corners, [3, 3, 2], 0, &[1, 2, 3, 4, 5, 6], [None; 3]).expect("a block");
    let mut objects = Objects::new();
    let shape = Shape::new(mesh.clone());
    objects.insert(BodyId(1), false, false, &placed_parts(&[shape], true), EPS).expect("ids differ");
    let floor = brick([-9.0, -9.0, -9.0], [9.0, 9.0, 0.0], [1; 3], [7; 6]);
    objects.insert(BodyId(2), true, false, &[floor], EPS).expect("ids differ");
    let bodies = Deformed { nodes: mesh.nodes.iter().map(deform).collect() };
    objects.place(&bodies, EPS).expect("placed");
    (objects, bodies, mesh)
}

fn solids(objects: &Objects) -> Vec<SolidView<'_>> {
    let parts = (0..objects.parts_of(BodyIndex(0)) as u32).map(ObjectIndex);
    parts
        .map(|object| match objects.object(BodyIndex(0), object) {
            Object::Solid(view) => view,
            Object::Ball(_) | Object::Curved(_) => panic!("the parts of a mesh are solids"),
        })
        .collect()
}

/// Volume of the part of a tetrahedron under z = 0, exact: tetrahedra of its corners and of the points where edges
/// cross.
fn volume_below(x: &[Vec3]) -> f64 {
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| ((b - a).cross(&(c - a)).dot(&(d - a)) / 6.0).abs();
    let (low, high): (Vec<Vec3>, Vec<Vec3>) = x.iter().partition(|v| v.z < 0.0);
    let crossing = |a: &Vec3, b: &Vec3| a + (b - a) * (a.z / (a.z - b.z));
    let corner = |top: &Vec3, others: &[Vec3]| {
        let [p, q, r] = [0, 1, 2].map(|k| crossing(top, &others[k]));
        volume(*top, p, q, r)
    };
    match low.len() {
        0 => 0.0,
        1 => corner(&low[0], &high),
        2 => {
            // a wedge with the edge of the two low corners
            let [a, b] = [low[0], low[1]];
            let [p, q, r, s] =
                [crossing(&a, &high[0]), crossing(&a, &high[1]), crossing(&b, &high[0]), crossing(&b, &high[1])];
            volume(a, p, q, b) + volume(b, p, q, r) + volume(b, q, r, s)
        }
        3 => volume(x[0], x[1], x[2], x[3]) - corner(&high[0], &low),
        _ => volume(x[0], x[1], x[2], x[3]),
    }
}

/// `∫ max(0, −z)` over the plan of a triangle.
fn depth_integral(x: [Vec3; 3]) -> f64 {
    let mut polygon: Vec<Vec3> = Vec::new();
    for k in 0..3 {
        let (a, b) = (x[k], x[(k + 1) % 3]);
        if a.z <= 0.0 {
            polygon.push(a);
        }
        if (a.z < 0.0) != (b.z < 0.0) && a.z != b.z {
            polygon.push(a + (b - a) * (a.z / (a.z - b.z)));
        }
    }
    let mut sum = 0.0;
    for k in 2..polygon.len() {
        let [a, b, c] = [polygon[0], polygon[k - 1], polygon[k]];
        sum -= 0.5 * (b - a).xy().perp(&(c - a).xy()).abs() * (a.z + b.z + c.z) / 3.0;
    }
    sum
}

#[test]
fn vertices_follow_the_nodes_and_normals_the_faces() {
    let wave = |x: &Vec3| x + Vec3::new(0.1 * x.y * x.z, 0.2 * x.x * x.x, 0.15 * x.x * x.y);
    let (objects, bodies, mesh) = scene(wave);
    for view in solids(&objects) {
        for x in view.vertices {
            assert!(bodies.nodes.contains(x));
        }
        for (f, n) in view.normals.iter().enumerate() {
            let corner = |k: usize| view.vertices[view.topology.face(f)[k] as usize];
            assert!(n.dot(&(corner(1) - corner(0))).abs() < 1e-15 && n.dot(&(corner(2) - corner(0))).abs() < 1e-15);
            assert!((n.norm() - 1.0).abs() < 1e-15);
            assert!(view.vertices.iter().all(|x| n.dot(&(x - corner(0))) < 1e-14), "normals point outwards");
        }
    }
    let elements = (0..objects.parts_of(BodyIndex(0)) as u32).map(|k| objects.element(BodyIndex(0), ObjectIndex(k)));
    assert_eq!(elements.max(), Some(mesh.elements.len() as u32 - 1));
}

/// The bottom sinks below the floor by different amounts; the parts hold exactly what the triangles of the bottom cut
/// off.
#[test]
fn the_parts_overlap_a_plane_by_the_exact_volume() {
    let bottom = |x: &Vec3| 0.1 * (1.3 * x.x + 0.4).sin() * (2.1 * x.y - 0.3).cos() - 0.03;
    let deform = |x: &Vec3| x + Vec3::new(0.1 * x.y * x.x, -0.07 * x.x, bottom(x) * (1.0 - x.z / 1.5));
    let (objects, bodies, mesh) = scene(deform);
    let volume: f64 = solids(&objects).iter().map(|view| volume_below(view.vertices)).sum();
    let mut exact = 0.0;
    for face in mesh.boundary.iter().filter(|face| face.surfid == 1) {
        let nodes: Vec<u32> = mesh.elements[face.element as usize].face(face.local as usize).collect();
        let first = (0..4).min_by_key(|&i| nodes[i]).expect("four nodes");
        let at = |k: usize| bodies.nodes[nodes[(first + k) % 4] as usize];
        exact += depth_integral([at(0), at(1), at(2)]) + depth_integral([at(0), at(2), at(3)]);
    }
    assert!(exact > 0.05);
    assert_near(volume, exact, 1e-14);
}

/// The bottom stays plane but is stretched unevenly: the areas of all contacts add up to its area.
#[test]
fn touching_areas_add_up_to_the_area_of_the_placed_faces() {
    let deform = |x: &Vec3| x + Vec3::new(0.2 * x.y * x.x, 0.1 * x.x * x.x, 0.1 * x.z * x.x * x.y);
    let (objects, bodies, mesh) = scene(deform);
    let mut said = Said::threshold(0.0);
    said.settings.sparsify.mindist = 0.0;
    let detection = Detector::default().detect(&objects, &bodies, &[], &said.rules());
    assert_eq!(detection.statistics.failures, 0);
    let mut exact = 0.0;
    for face in mesh.boundary.iter().filter(|face| face.surfid == 1) {
        let nodes: Vec<u32> = mesh.elements[face.element as usize].face(face.local as usize).collect();
        let at = |k: usize| bodies.nodes[nodes[k] as usize];
        exact += 0.5 * (at(2) - at(0)).cross(&(at(3) - at(1))).norm();
    }
    let sum: f64 = detection.contacts.iter().map(|c| c.area).sum();
    assert_near(sum, exact, 1e-9);
    for c in detection.contacts.iter().filter(|c| c.area > 0.0) {
        let side = if c.slave.body == BodyIndex(0) { &c.slave } else { &c.master };
        assert_eq!(side.surf, 1);
        assert_eq!(side.element, objects.element(BodyIndex(0), side.object));
        assert!((side.element as usize) < 9, "the lower layer of elements");
        assert!(c.base.column(2).xy().norm() < 1e-12);
    }
}

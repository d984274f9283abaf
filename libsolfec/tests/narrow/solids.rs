//! Solids made by hand, and one workspace a call.

use std::sync::Arc;

use solfec::contact::narrow::{solids, GeometryError, Workspace};
use solfec::contact::Hit;
use solfec::math::Vec3;
use solfec::shape::{Edge, Solid, Topology};

pub fn try_contact(a: &Solid, b: &Solid, eps: f64) -> Result<Option<Hit>, GeometryError> {
    solids(&a.view(), &b.view(), eps, &mut Workspace::default())
}

pub fn contact(a: &Solid, b: &Solid, eps: f64) -> Option<Hit> {
    try_contact(a, b, eps).expect("kernel")
}

/// A solid from loops, counter-clockwise from outside; surface ids 1, 2, ...
pub fn solid(vertices: Vec<Vec3>, faces: &[Vec<u16>]) -> Solid {
    let mut topology = Topology {
        face_start: vec![0],
        face_nodes: Vec::new(),
        skin: faces.len(),
        surfid: (1..=faces.len() as i32).collect(),
        edges: Vec::new(),
    };
    for face in faces {
        topology.face_nodes.extend(face);
        topology.face_start.push(topology.face_nodes.len() as u16);
    }
    let sides = |f: usize| {
        let l = &faces[f];
        (0..l.len()).map(move |k| (l[k], l[(k + 1) % l.len()]))
    };
    for f in 0..faces.len() {
        for (p, q) in sides(f) {
            let twin = (0..faces.len())
                .find(|&g| sides(g).any(|s| s == (q, p)))
                .expect("closed");
            if f < twin {
                topology.edges.push(Edge {
                    nodes: [p, q],
                    faces: [f as u16, twin as u16],
                });
            }
        }
    }
    finish(topology, vertices)
}

fn finish(topology: Topology, vertices: Vec<Vec3>) -> Solid {
    let normals = (0..topology.faces())
        .map(|f| {
            let l = topology.face(f);
            let x = |k: usize| vertices[l[k % l.len()] as usize];
            let doubled: Vec3 = (0..l.len()).map(|k| (x(k) - x(0)).cross(&(x(k + 1) - x(0)))).sum();
            doubled.normalize()
        })
        .collect();
    Solid {
        topology: Arc::new(topology),
        vertices,
        normals,
        mesh_nodes: Vec::new(),
    }
}

fn mapped(s: &Solid, map: impl Fn(&Vec3) -> Vec3) -> Solid {
    finish((*s.topology).clone(), s.vertices.iter().map(map).collect())
}

pub fn translate(s: &Solid, t: &Vec3) -> Solid {
    mapped(s, |v| v + t)
}

pub fn scaled(s: &Solid, k: f64) -> Solid {
    mapped(s, |v| v * k)
}

pub fn rotate(s: &Solid, axis: &Vec3, angle: f64) -> Solid {
    let axis = nalgebra::Unit::new_normalize(*axis);
    let r = nalgebra::Rotation3::from_axis_angle(&axis, angle);
    mapped(s, |v| r * v)
}

/// Nodes and faces in the order of hexahedra: z−, x−, y+, x+, y−, z+ with ids 1 to 6.
pub fn cuboid(low: [f64; 3], high: [f64; 3]) -> Solid {
    let pick = |i: usize, j: usize, k: usize| {
        let p = [low, high];
        Vec3::new(p[i][0], p[j][1], p[k][2])
    };
    let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
    let vertices = (0..2).flat_map(|k| corners.map(|(i, j)| pick(i, j, k))).collect();
    let faces = [
        [0, 3, 2, 1],
        [0, 4, 7, 3],
        [2, 3, 7, 6],
        [1, 2, 6, 5],
        [0, 1, 5, 4],
        [4, 5, 6, 7],
    ];
    solid(vertices, &faces.map(|f: [u16; 4]| f.to_vec()))
}

/// A wedge whose 90° edge along y points down: middle of the edge, its length, height of the wedge.
pub fn roof(edge: [f64; 3], length: f64, height: f64) -> Solid {
    let e = Vec3::from(edge);
    let at = |x: f64, y: f64, z: f64| e + Vec3::new(x * height, y * 0.5 * length, z * height);
    let ends = [-1.0, 1.0];
    let vertices = ends
        .iter()
        .flat_map(|&y| [at(0.0, y, 0.0), at(1.0, y, 1.0), at(-1.0, y, 1.0)])
        .collect();
    let faces = [
        vec![0, 1, 2],
        vec![3, 5, 4],
        vec![0, 3, 4, 1],
        vec![1, 4, 5, 2],
        vec![2, 5, 3, 0],
    ];
    solid(vertices, &faces)
}

/// The same wedge with its edge up.
pub fn roof_up(edge: [f64; 3], length: f64, height: f64) -> Solid {
    let down = rotate(&roof([0.0; 3], length, height), &Vec3::y(), std::f64::consts::PI);
    translate(&down, &Vec3::from(edge))
}

pub fn octahedron(center: [f64; 3], radius: f64) -> Solid {
    let c = Vec3::from(center);
    let axes = [Vec3::x(), Vec3::y(), -Vec3::x(), -Vec3::y()];
    let mut vertices: Vec<Vec3> = axes.iter().map(|a| c + a * radius).collect();
    vertices.extend([c + Vec3::z() * radius, c - Vec3::z() * radius]);
    let faces: Vec<Vec<u16>> = (0..4u16)
        .flat_map(|k| [vec![k, (k + 1) % 4, 4], vec![(k + 1) % 4, k, 5]])
        .collect();
    solid(vertices, &faces)
}

/// Every face cut in triangles from its first vertex.
pub fn triangulated(s: &Solid) -> Solid {
    let t = &s.topology;
    let faces: Vec<Vec<u16>> = (0..t.faces())
        .flat_map(|f| {
            let l = t.face(f);
            (1..l.len() - 1).map(|k| vec![l[0], l[k], l[k + 1]]).collect::<Vec<_>>()
        })
        .collect();
    solid(s.vertices.clone(), &faces)
}

/// The same solid with one face inside a mesh: moved to the end, without a surface id.
pub fn with_inner(s: &Solid, face: usize) -> Solid {
    let t = &s.topology;
    let order: Vec<usize> = (0..t.faces()).filter(|&f| f != face).chain([face]).collect();
    let faces: Vec<Vec<u16>> = order.iter().map(|&f| t.face(f).to_vec()).collect();
    let reordered = solid(s.vertices.clone(), &faces);
    let mut topology = (*reordered.topology).clone();
    topology.skin -= 1;
    topology.surfid = order[..topology.skin].iter().map(|&f| t.surfid[f]).collect();
    finish(topology, s.vertices.clone())
}

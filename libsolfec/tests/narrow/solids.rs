//! Boxes made by hand.

use std::sync::Arc;

use solfec::math::Vec3;
use solfec::shape::{Edge, Solid, Topology};

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
            let twin = (0..faces.len()).find(|&g| sides(g).any(|s| s == (q, p))).expect("closed");
            if f < twin {
                topology.edges.push(Edge { nodes: [p, q], faces: [f as u16, twin as u16] });
            }
        }
    }
    finish(topology, vertices)
}

pub fn finish(topology: Topology, vertices: Vec<Vec3>) -> Solid {
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
        element: solfec::shape::NO_ELEMENT,
    }
}

pub fn mapped(s: &Solid, map: impl Fn(&Vec3) -> Vec3) -> Solid {
    finish((*s.topology).clone(), s.vertices.iter().map(map).collect())
}

pub fn translate(s: &Solid, t: &Vec3) -> Solid {
    mapped(s, |v| v + t)
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
    let faces = [[0, 3, 2, 1], [0, 4, 7, 3], [2, 3, 7, 6], [1, 2, 6, 5], [0, 1, 5, 4], [4, 5, 6, 7]];
    solid(vertices, &faces.map(|f: [u16; 4]| f.to_vec()))
}

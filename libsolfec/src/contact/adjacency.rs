//! Which parts of one body hang together: elements of one mesh that share a node, polyhedra that touch in the reference
//! configuration. Frozen when the body is made (docs/theory.md 4).

use super::narrow::distance;
use super::tree::Tree;
use crate::shape::{Bounds, Convex, ConvexPart, Solid};

/// For each part of a body, counted through its shapes, the adjacent ones in ascending order, without itself.
pub fn adjacency(shapes: &[Vec<ConvexPart>], epsilon: f64) -> Vec<Vec<u32>> {
    let mut adjacent = vec![Vec::new(); shapes.iter().map(Vec::len).sum()];
    if adjacent.len() < 2 {
        return adjacent;
    }
    let mut polyhedra: Vec<(u32, &Solid)> = Vec::new();
    let mut first = 0;
    for shape in shapes {
        let mut incidences: Vec<(u32, u32)> = Vec::new();
        for (index, part) in (first..).zip(shape) {
            match part {
                ConvexPart::Solid(s) if s.mesh_nodes.is_empty() => polyhedra.push((index, s)),
                ConvexPart::Solid(s) => incidences.extend(s.mesh_nodes.iter().map(|&n| (n, index))),
                ConvexPart::Ball { .. } | ConvexPart::Curved(_) => {}
            }
        }
        incidences.sort_unstable();
        for fan in incidences.chunk_by(|a, b| a.0 == b.0) {
            for (k, (_, a)) in fan.iter().enumerate() {
                fan[k + 1..].iter().for_each(|(_, b)| link(&mut adjacent, *a, *b));
            }
        }
        first += shape.len() as u32;
    }
    link_touching(&mut adjacent, &polyhedra, epsilon);
    for neighbours in &mut adjacent {
        neighbours.sort_unstable();
        neighbours.dedup();
    }
    adjacent
}

/// For each polyhedron the ones that it touches, nearer than `epsilon` [m], in ascending order.
pub fn touching(polyhedra: &[Convex], epsilon: f64) -> Vec<Vec<u32>> {
    let solids: Vec<Vec<ConvexPart>> = polyhedra.iter().map(|convex| vec![ConvexPart::Solid(convex.solid())]).collect();
    adjacency(&solids, epsilon)
}

fn link(adjacent: &mut [Vec<u32>], a: u32, b: u32) {
    adjacent[a as usize].push(b);
    adjacent[b as usize].push(a);
}

fn link_touching(adjacent: &mut [Vec<u32>], polyhedra: &[(u32, &Solid)], epsilon: f64) {
    let boxes: Vec<Bounds> = polyhedra.iter().map(|(_, s)| Bounds::around(&s.vertices, epsilon)).collect();
    let mut tree = Tree::default();
    tree.build(&boxes);
    tree.each_pair(&boxes, |i, j| {
        let ((a, p), (b, q)) = (polyhedra[i as usize], polyhedra[j as usize]);
        if distance(&p.view(), &q.view()).0 <= epsilon {
            link(adjacent, a, b);
        }
    });
}

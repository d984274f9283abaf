//! Shapes made from shapes: pieces of meshes and polyhedra have the volumes, faces and ids that they should have.

mod cuts;
mod openings;
mod polyhedra;

use solfec::math::Vec3;
use solfec::meshing::{Plane, Split};
use solfec::shape::{Mesh, Pipe};

/// The unit cube of `counts` hexahedra, with surface ids 1 to 6: z−, x−, y+, x+, y−, z+.
fn block(counts: [usize; 3]) -> Mesh {
    let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
    Mesh::hex(&corners, counts, 1, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap()
}

/// A ring of eight hexahedra, 2 m high, with radii 0.5 m and 1.5 m.
fn ring() -> Mesh {
    let pipe = Pipe {
        point: Vec3::zeros(),
        direction: Vec3::new(0.0, 0.0, 2.0),
        inner_radius: 0.5,
        thickness: 1.0,
        counts: [1, 8, 1],
    };
    Mesh::pipe(&pipe, 1, &[1, 1, 1, 1]).unwrap()
}

fn split(point: [f64; 3], normal: [f64; 3]) -> Split {
    let plane = Plane::new(point.into(), normal.into()).unwrap();
    Split { plane, surfids: [20, 30], epsilon: 1e-6, near: None, remesh: true }
}

fn volume(mesh: &Mesh) -> f64 {
    mesh.integrals().volume
}

fn volumes(meshes: &[Mesh]) -> f64 {
    meshes.iter().map(volume).sum()
}

/// Sum of the areas of the boundary faces with a surface id.
fn area(mesh: &Mesh, surfid: i32) -> f64 {
    let faces = mesh.boundary.iter().filter(|face| face.surfid == surfid);
    let of = |face: &solfec::shape::BoundaryFace| {
        let nodes = mesh.elements[face.element as usize].face(face.local.into());
        solfec::shape::area_vector(nodes.map(|n| mesh.nodes[n as usize])).norm()
    };
    faces.map(of).sum()
}

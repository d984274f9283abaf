//! What contact sees.

use super::*;

#[test]
fn equal_patterns_share_a_topology() {
    let parts = Geometry::Mesh(Mesh::hex(&cube(), [4, 4, 4], 0, &[1; 6], [None; 3]).unwrap()).parts();
    let mut kinds: Vec<*const Topology> = parts.iter().map(|a| solid(a).view().topology as *const _).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 26);
}

#[test]
fn skin_comes_first() {
    let parts = Geometry::Mesh(block(2, 1, 1)).parts();
    let second = solid(&parts[1]);
    let t = &second.topology;
    assert_eq!((t.skin, t.faces(), t.surfid.as_slice()), (5, 6, &[1, 5, 4, 3, 6][..]));
    assert_eq!(second.normals[5], -Vec3::x());
    for edge in &t.edges {
        let [a, b] = edge.nodes;
        let runs = |f: u16, a: u16, b: u16| {
            let nodes = t.face(f as usize);
            (0..nodes.len()).any(|i| nodes[i] == a && nodes[(i + 1) % nodes.len()] == b)
        };
        assert!(runs(edge.faces[0], a, b) && runs(edge.faces[1], b, a));
    }
}

#[test]
fn collapsed_and_strongly_warped_elements_become_convex() {
    let mut collapsed = cube();
    collapsed[5] = collapsed[4];
    let mut twisted = cube();
    let turn = rotation_about(&Vec3::z(), 50.0).unwrap();
    let middle = v(0.5, 0.5, 0.);
    twisted[4..].iter_mut().for_each(|x| *x = middle + turn * (*x - middle));
    for corners in [collapsed, twisted] {
        let mesh = Mesh::hex(&corners, [1, 1, 1], 0, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap();
        let parts = Geometry::Mesh(mesh).parts();
        let s = solid(&parts[0]);
        assert!(bulge(s) < 1e-14);
        assert!(s.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-14));
        assert_eq!(s.topology.skin, s.topology.faces());
    }
}

#[test]
fn placing_moves_vertices_and_normals() {
    let mut shape = Shape::new(Geometry::Mesh(block(1, 1, 1)));
    shape.rotate(&v(3., 2., 1.), &v(1., 2., -1.), 37.0).unwrap();
    let own = &shape.geometry.parts()[0];
    let placed = own.clone().placed(&shape.rotation, &shape.shift);
    let order: Vec<usize> = solid(own).mesh_nodes.iter().map(|&n| n as usize).collect();
    let vertices = shape.vertices();
    assert!(solid(&placed).vertices.iter().zip(order).all(|(x, n)| *x == vertices[n]));
    assert!(bulge(solid(&placed)) < 1e-14);
    let ball = ConvexPart::Ball { center: Vec3::x(), radius: 2.0, surfid: 3 };
    let moved = ball.placed(&rotation_about(&Vec3::z(), 90.0).unwrap(), &Vec3::z());
    assert_eq!(moved, ConvexPart::Ball { center: v(0., 1., 1.), radius: 2.0, surfid: 3 });
}

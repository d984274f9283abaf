//! Shapes and integrals with known values.

use super::*;

#[test]
fn hull_of_a_cube_with_points_inside() {
    let mut random = noise(1);
    let mut points: Vec<Vec3> = (0..50).map(|_| v(random(), random(), random())).collect();
    points.extend(cube());
    points.extend((0..50).map(|_| v(random(), random(), random())));
    let hull = Convex::hull(&points, 0, 7).unwrap();
    assert_eq!(hull.vertices, cube());
    assert_eq!(hull.faces.len(), 6);
    assert!(hull.faces.iter().all(|f| f.nodes.len() == 4 && f.surfid == 7));
    let geometry = Geometry::Convex(hull);
    assert!((geometry.integrals().volume - 1.0).abs() <= 1e-15);
    assert_eq!(solid(&geometry.parts()[0]).topology.edges.len(), 12);
}

#[test]
fn hull_of_a_prism() {
    let ring = |z: f64| {
        (0..64).map(move |i| {
            let a = f64::from(i) * std::f64::consts::TAU / 64.0;
            v(a.cos(), a.sin(), z)
        })
    };
    let points: Vec<Vec3> = ring(0.0).chain(ring(1.0)).collect();
    let hull = Convex::hull(&points, 0, 0).unwrap();
    assert_eq!((hull.vertices.len(), hull.faces.len()), (128, 66));
}

#[test]
fn hull_of_coplanar_points_is_refused() {
    let flat = [v(0., 0., 1.), v(1., 0., 1.), v(1., 1., 1.), v(0., 1., 1.)];
    assert_says(Convex::hull(&flat, 0, 0), &["degenerate", "coplanar"]);
    let turned = flat.map(|x| rotation_about(&v(1., 2., 3.), 33.0).unwrap() * x);
    assert_says(Convex::hull(&turned, 0, 0), &["degenerate", "coplanar"]);
}

#[test]
fn a_reversed_face_of_a_convex() {
    for f in 0..6 {
        let mut faces = cube_faces();
        faces[f].nodes.reverse();
        let result = Convex::new(cube().to_vec(), faces, 0, 1e-6);
        assert_says(result, &[&format!("reverse the loop of face {f}")]);
    }
}

#[test]
fn a_shared_face_has_no_surface() {
    let block = Mesh::hex(&box_corners(2., 1., 1.), [2, 1, 1], 0, &[0; 6], [None; 3]).unwrap();
    let shared = vec![1, 4, 10, 7];
    let (mesh, warnings) = Mesh::new(block.nodes, block.elements, 7, &[(shared, 9)]).unwrap();
    assert!(warnings.is_empty());
    assert_eq!(mesh.boundary.len(), 10);
    assert!(mesh.boundary.iter().all(|f| f.surfid == 7));
}

#[test]
fn skin_of_a_block_of_elements() {
    let mesh = block(3, 3, 3);
    assert_eq!(mesh.boundary.len(), 54);
    assert_eq!(mesh.elements.len(), 27);
    let parts = Geometry::Mesh(mesh.clone()).parts();
    assert_eq!(parts.len(), 26);
    assert!(parts.iter().all(|a| solid(a).mesh_nodes != mesh.elements[13].nodes()));
    assert_eq!(parts.iter().map(|a| solid(a).topology.skin).sum::<usize>(), 54);
}

#[test]
fn three_elements_on_one_face_are_refused() {
    let nodes = vec![v(0., 0., 0.), v(1., 0., 0.), v(0., 1., 0.), v(0., 0., 1.), v(0., 0., 2.), v(0.1, 0.1, 3.)];
    let elements = [3, 4, 5].map(|top| Element::new(&[0, 1, 2, top], 0).unwrap());
    let result = Mesh::new(nodes, elements.to_vec(), 0, &[]);
    assert_says(result, &["non-manifold face", "[0, 1, 2]"]);
}

#[test]
fn volume_of_a_tetrahedron_mesh() {
    let parts = Geometry::Mesh(tet()).parts();
    let normals = &solid(&parts[0]).normals;
    let slant = 1.0 / 3_f64.sqrt();
    let expected = [v(0., 0., -1.), v(0., -1., 0.), v(slant, slant, slant), v(-1., 0., 0.)];
    for (n, e) in normals.iter().zip(expected) {
        assert!((n - e).norm() < 1e-15);
    }
}

#[test]
fn a_warped_hexahedron() {
    let mut corners = cube();
    corners[6].z += 0.1;
    let mesh = Mesh::hex(&corners, [1, 1, 1], 0, &[10, 11, 12, 13, 14, 15], [None; 3]).unwrap();
    let parts = Geometry::Mesh(mesh).parts();
    let s = solid(&parts[0]);
    let number = |l: usize| s.mesh_nodes[l];
    // Mesh numbering of the block: hexahedron corner 4 is node 4, corner 6 is node 7, corner 5 is 5, corner 7 is 6.
    let top: Vec<Vec<u32>> = (0..s.topology.faces())
        .filter(|&f| s.topology.surfid[f] == 15)
        .map(|f| s.topology.face(f).iter().map(|&l| number(l as usize)).collect())
        .collect();
    assert_eq!(s.topology.faces(), 7);
    assert_eq!(top, [vec![4, 5, 7], vec![4, 7, 6]]);
    assert!(bulge(s) <= 1e-15);
}

#[test]
fn counts_of_a_generated_block() {
    let mesh = block(2, 3, 2);
    assert_eq!((mesh.nodes.len(), mesh.elements.len(), mesh.boundary.len()), (36, 12, 32));
    assert_eq!(mesh.nodes[35], v(1., 1., 1.));
}

#[test]
fn surfaces_of_a_generated_block() {
    let mesh = block(2, 2, 2);
    let planes = [(2, 0.), (0, 0.), (1, 1.), (0, 1.), (1, 0.), (2, 1.)];
    for (id, (axis, level)) in planes.into_iter().enumerate() {
        let expected: Vec<u32> = (0..27).filter(|&n| mesh.nodes[n as usize][axis] == level).collect();
        assert_eq!(mesh.nodes_on_surface(id as i32 + 1), expected);
    }
}

#[test]
fn grading_of_a_generated_block() {
    let widths = [1., 1., 5., 5., 1., 1.];
    let mesh = Mesh::hex(&box_corners(14., 1., 1.), [6, 1, 1], 0, &[0; 6], [Some(&widths), None, None]).unwrap();
    let grid: Vec<f64> = mesh.nodes[..7].iter().map(|x| x.x).collect();
    assert_eq!(grid, [0., 1., 2., 7., 12., 13., 14.]);
}

#[test]
fn a_block_with_swapped_faces() {
    let c = cube();
    let swapped: [Vec3; 8] = std::array::from_fn(|i| c[(i + 4) % 8]);
    let mesh = Mesh::hex(&swapped, [2, 2, 2], 0, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap();
    for element in &mesh.elements {
        let (one, _) = Mesh::new(mesh.nodes.clone(), vec![*element], 0, &[]).unwrap();
        assert!((Geometry::Mesh(one).integrals().volume - 0.125).abs() < 1e-15);
    }
    // The quad listed last is the one at z = 0.
    assert!(mesh.nodes_on_surface(1).iter().all(|&n| mesh.nodes[n as usize].z == 0.0));
    assert_eq!(mesh.nodes_on_surface(1).len(), 9);
}

fn chars(geometry: Geometry, density: f64, kind: BodyKind) -> Characteristics {
    characteristics(&[Shape::new(geometry)], density, kind).unwrap()
}

#[test]
fn mass_of_a_cube() {
    let (convex, _) = Convex::new(cube().to_vec(), cube_faces(), 0, 1e-6).unwrap();
    for geometry in [Geometry::Convex(convex), Geometry::Mesh(block(1, 1, 1)), Geometry::Mesh(block(3, 2, 4))] {
        let i = geometry.integrals();
        assert!((i.volume - 1.0).abs() < 1e-15);
        assert!((i.center - v(0.5, 0.5, 0.5)).norm() < 1e-15);
        assert_close(&i.euler, &(Mat3::identity() / 12.0), 1e-15);
        let rigid = chars(geometry.clone(), 1.0, BodyKind::Rigid);
        assert_close(&rigid.tensor, &(Mat3::identity() / 6.0), 1e-15);
        let pseudo = chars(geometry, 3.0, BodyKind::PseudoRigid);
        assert!((pseudo.mass - 3.0).abs() < 1e-14);
        assert_close(&pseudo.tensor, &(Mat3::identity() / 4.0), 1e-14);
    }
}

#[test]
fn mass_of_a_tetrahedron() {
    let mesh = tet();
    let hull = Convex::hull(&mesh.nodes, 0, 0).unwrap();
    for geometry in [Geometry::Mesh(mesh), Geometry::Convex(hull)] {
        let i = geometry.integrals();
        assert!((i.volume - 1.0 / 6.0).abs() < 1e-15);
        assert!((i.center - v(0.25, 0.25, 0.25)).norm() < 1e-15);
        assert!((i.euler[(0, 0)] - 1.0 / 160.0).abs() < 1e-16);
        assert!((i.euler[(0, 1)] + 1.0 / 480.0).abs() < 1e-16);
        let j = chars(geometry, 1.0, BodyKind::Rigid).tensor;
        assert!((j[(0, 0)] - 1.0 / 80.0).abs() < 1e-16);
        assert!((j[(0, 1)] - 1.0 / 480.0).abs() < 1e-16);
    }
}

#[test]
fn mass_of_a_sphere() {
    let sphere = Sphere::new(v(1., 2., 3.), 2.0, 0, 0).unwrap();
    let i = Geometry::Sphere(sphere).integrals();
    assert!((i.volume - 33.510322).abs() < 5e-7);
    assert_eq!(i.center, v(1., 2., 3.));
    assert_close(&i.euler, &(26.808257 * Mat3::identity()), 5e-7);
    let j = chars(Geometry::Sphere(sphere), 2.0, BodyKind::Rigid).tensor / 2.0;
    assert_close(&j, &(53.616515 * Mat3::identity()), 6e-7);
}

#[test]
fn mass_of_two_cubes() {
    let first = Shape::new(Geometry::Mesh(block(1, 1, 1)));
    let mut second = Shape::new(Geometry::Convex(Convex::hull(&cube(), 0, 0).unwrap()));
    second.translate(&v(1., 0., 0.));
    let c = characteristics(&[first, second], 1.0, BodyKind::PseudoRigid).unwrap();
    assert!((c.volume - 2.0).abs() < 1e-15);
    assert!((c.center - v(1., 0.5, 0.5)).norm() < 1e-15);
    let expected = Mat3::from_diagonal(&v(2. / 3., 1. / 6., 1. / 6.));
    assert_close(&c.tensor, &expected, 1e-15);
}

#[test]
fn mass_of_a_distant_cube() {
    let far = cube().map(|x| x + v(1e8, 0., 0.));
    let (baked, _) = Convex::new(far.to_vec(), cube_faces(), 0, 1e-6).unwrap();
    let mesh = Mesh::hex(&far, [2, 2, 2], 0, &[0; 6], [None; 3]).unwrap();
    let mut moved = Shape::new(Geometry::Mesh(block(1, 1, 1)));
    moved.translate(&v(1e8, 0., 0.));
    for shape in [Shape::new(Geometry::Convex(baked)), Shape::new(Geometry::Mesh(mesh)), moved] {
        let i = shape.integrals();
        assert_eq!(i.center.x, 1e8 + 0.5);
        assert!((i.euler[(0, 0)] - 1.0 / 12.0).abs() < 1e-9);
    }
}

/// A node of no element, however far, costs no digits.
#[test]
fn unused_nodes_have_no_weight() {
    let mut nodes = cube().to_vec();
    nodes.push(v(1e9, 0., 0.));
    let one = Element::new(&[0, 1, 2, 3, 4, 5, 6, 7], 0).unwrap();
    let (mesh, warnings) = Mesh::new(nodes, vec![one], 0, &[]).unwrap();
    assert_eq!(warnings.len(), 1);
    let i = Shape::new(Geometry::Mesh(mesh)).integrals();
    assert!((i.volume - 1.0).abs() < 1e-14);
    assert_close(&i.euler, &Mat3::from_diagonal_element(1.0 / 12.0), 1e-14);
}

#[test]
fn rotation_by_a_quarter() {
    let turn = rotation_about(&v(0., 0., 2.), 90.0).unwrap();
    assert!((turn * Vec3::x() - Vec3::y()).norm() <= 1e-15);
    let mut shape = Shape::new(Geometry::Sphere(Sphere::new(Vec3::x(), 1.0, 0, 0).unwrap()));
    shape.rotate(&Vec3::zeros(), &Vec3::z(), 90.0).unwrap();
    assert!((shape.vertices()[0] - Vec3::y()).norm() <= 1e-15);
}

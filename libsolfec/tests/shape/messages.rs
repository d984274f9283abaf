//! Bad input: the message names the culprit and the remedy.

use super::*;

fn convex(vertices: &[Vec3], faces: Vec<Face>) -> solfec::Result<(Convex, Vec<String>)> {
    Convex::new(vertices.to_vec(), faces, 0, 1e-6)
}

#[test]
fn polyhedron() {
    let mut bad = cube();
    bad[5].y = f64::NAN;
    assert_says(convex(&bad, cube_faces()), &["vertex 5", "NaN", "finite"]);
    let mut open = cube_faces();
    open.remove(2);
    assert_says(convex(&cube(), open), &["open", "add the missing face"]);
    let mut faces = cube_faces();
    faces[3].nodes[1] = 8;
    assert_says(convex(&cube(), faces), &["face 3", "vertex 8", "from 0 to 7"]);
    let mut faces = cube_faces();
    faces[3].nodes[1] = 2;
    assert_says(convex(&cube(), faces), &["face 3", "vertex 2 twice"]);
    let mut faces = cube_faces();
    faces[4].nodes.truncate(2);
    assert_says(convex(&cube(), faces), &["face 4", "at least 3"]);
    assert_says(convex(&cube(), cube_faces()[..3].to_vec()), &["3 faces", "at least 4"]);
    let mut inside_out = cube_faces();
    inside_out.iter_mut().for_each(|f| f.nodes.reverse());
    assert_says(convex(&cube(), inside_out), &["volume -1", "counter-clockwise"]);
    let mut warped = cube();
    warped[6].z += 0.1;
    assert_says(convex(&warped, cube_faces()), &["face 5 is not planar", "vertex 4", "split"]);
}

#[test]
fn polyhedron_with_a_dent() {
    // A cube whose top is a pyramid pushed down to the middle.
    let mut vertices = cube().to_vec();
    vertices.push(v(0.5, 0.5, 0.5));
    let mut faces = cube_faces();
    faces.pop();
    for side in [[4, 5], [5, 6], [6, 7], [7, 4]] {
        let nodes = vec![side[0], side[1], 8];
        faces.push(Face { nodes: nodes.into(), surfid: 0 });
    }
    assert_says(convex(&vertices, faces), &["not convex", "above the plane of face 5", "HULL"]);
}

#[test]
fn isolated_vertices_are_dropped_with_a_warning() {
    let mut vertices = cube().to_vec();
    vertices.insert(3, v(9., 9., 9.));
    let mut faces = cube_faces();
    let past = |n: &mut u32| *n += u32::from(*n >= 3);
    faces.iter_mut().flat_map(|f| &mut f.nodes).for_each(past);
    let (convex, warnings) = convex(&vertices, faces).unwrap();
    assert_eq!(convex.vertices, cube());
    assert_eq!(convex.faces, cube_faces());
    assert!(warnings.len() == 1 && warnings[0].contains("vertex 3"));
}

#[test]
fn hull() {
    let line: Vec<Vec3> = (0..5).map(|i| f64::from(i) * v(1., 2., 3.)).collect();
    assert_says(Convex::hull(&line, 0, 0), &["degenerate", "collinear"]);
    assert_says(Convex::hull(&[v(1., 1., 1.); 6], 0, 0), &["degenerate", "coincident"]);
    assert_says(Convex::hull(&cube()[..3], 0, 0), &["degenerate", "at least 4"]);
    assert_says(Convex::hull(&[], 0, 0), &["degenerate"]);
    let mut bad = cube();
    bad[0].x = f64::INFINITY;
    assert_says(Convex::hull(&bad, 0, 0), &["point 0", "finite"]);
}

fn mesh(nodes: &[Vec3], elements: &[&[u32]]) -> solfec::Result<(Mesh, Vec<String>)> {
    let elements = elements.iter().map(|n| Element::new(n, 0).unwrap()).collect();
    Mesh::new(nodes.to_vec(), elements, 0, &[])
}

#[test]
fn mesh_errors() {
    let mut bad = cube();
    bad[2].z = f64::NAN;
    assert_says(mesh(&bad, &[&[0, 1, 2, 3, 4, 5, 6, 7]]), &["node 2", "finite"]);
    assert_says(mesh(&cube(), &[&[0, 1, 2, 9]]), &["element 0", "node 9", "from 0 to 7"]);
    assert_says(mesh(&cube(), &[&[0, 1, 2, 2]]), &["element 0", "node 2 twice"]);
    assert_says(mesh(&cube(), &[]), &["no elements"]);
    assert_says(mesh(&cube(), &[&[0, 2, 1, 4]]), &["element 0 (tetrahedron)", "inverted"]);
    assert_says(mesh(&cube(), &[&[0, 1, 2, 3]]), &["element 0 (tetrahedron)", "flat"]);
    assert_says(mesh(&cube(), &[&[4, 5, 6, 7, 0, 1, 2, 3]]), &["element 0 (hexahedron)", "inverted"]);
    assert_says(mesh(&cube(), &[&[0, 1, 3, 4], &[3, 0, 1, 4]]), &["elements 0 and 1", "same nodes"]);
    assert_says(Element::new(&[0; 7], 0), &["7 nodes", "8 (hexahedron)"]);
    let one = Element::new(&[0, 1, 2, 3, 4, 5, 6, 7], 0).unwrap();
    let with = |face: &[u32]| Mesh::new(cube().to_vec(), vec![one], 0, &[(face.to_vec(), 1)]);
    assert_says(with(&[0, 1]), &["face 0 of the surface ids", "2 nodes"]);
    assert_says(with(&[0, 1, 8]), &["face of the surface ids 0", "node 8"]);
    // A corner pushed through the hexahedron: its volume is positive, its map is not.
    let mut dented = cube();
    dented[6] = v(0.2, 0.2, 0.2);
    assert_says(mesh(&dented, &[&[0, 1, 2, 3, 4, 5, 6, 7]]), &["inverted at its node 6"]);
}

#[test]
fn mesh_warnings() {
    let mut nodes = cube().to_vec();
    nodes.push(v(0.5, 0.5, 2.));
    let (_, warnings) = mesh(&nodes, &[&[0, 1, 2, 3, 4, 5, 6, 7]]).unwrap();
    assert!(warnings.len() == 1 && warnings[0].contains("node 8"));
    let (_, warnings) = mesh(&nodes, &[&[0, 1, 2, 3, 4, 5, 6, 7], &[4, 5, 6, 8], &[4, 6, 7, 8]]).unwrap();
    assert!(warnings.len() == 1 && warnings[0].starts_with("1 quadrilateral"), "{warnings:?}");
}

#[test]
fn block_errors() {
    let hex = |x: &[Vec3; 8], n, dx| Mesh::hex(x, n, 0, &[0; 6], [dx, None, None]);
    let mut twisted = cube();
    twisted.swap(0, 1);
    assert_says(hex(&twisted, [1, 1, 1], None), &["inverted or flat"]);
    assert_says(hex(&cube().map(|x| v(x.x, x.y, 0.)), [1, 1, 1], None), &["inverted or flat"]);
    assert_says(hex(&cube(), [1, 0, 1], None), &["(1, 0, 1)", "positive"]);
    assert_says(hex(&cube(), [2, 1, 1], Some(&[1.0])), &["dx has 1 spacings", "at least 2"]);
    assert_says(hex(&cube(), [2, 1, 1], Some(&[1.0, -1.0])), &["dx[1] is -1", "positive"]);
    assert_says(hex(&cube(), [usize::MAX, 2, 2], None), &["too many nodes"]);
    let mut bad = cube();
    bad[7].x = f64::NAN;
    assert_says(hex(&bad, [1, 1, 1], None), &["corner 7", "finite"]);
}

#[test]
fn sphere_and_placement() {
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_says(Sphere::new(Vec3::zeros(), radius, 0, 0), &["radius", "positive"]);
    }
    assert_says(Sphere::new(v(f64::NAN, 0., 0.), 1.0, 0, 0), &["center", "finite"]);
    let mut ball = Shape::new(Geometry::Sphere(Sphere::new(Vec3::x(), 1.0, 0, 0).unwrap()));
    assert_says(ball.scale(&v(1., 2., 1.)), &["(1, 2, 1)", "equal", "ELLIP"]);
    assert_says(ball.scale(&v(0., 0., 0.)), &["zero"]);
    assert_says(ball.rotate(&Vec3::zeros(), &Vec3::zeros(), 1.0), &["axis", "positive"]);
    assert_says(ball.rotate(&Vec3::zeros(), &Vec3::x(), f64::NAN), &["angle is NaN"]);
    assert_says(ball.rotate(&v(0., f64::NAN, 0.), &Vec3::x(), 1.0), &["point"]);
    assert_eq!(ball.vertices(), [Vec3::x()]);
}

#[test]
fn masses() {
    assert_says(characteristics(&[], 1.0, BodyKind::Rigid), &["volume", "positive"]);
    let shape = [Shape::new(Geometry::Mesh(block(1, 1, 1)))];
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_says(characteristics(&shape, density, BodyKind::Rigid), &["density", "positive"]);
    }
    assert_eq!(characteristics(&shape, 0.0, BodyKind::Obstacle).unwrap().mass, 0.0);
}

//! Volumes, centres and Euler tensors of everything that a deck can make, against formulas.

use solfec::assembly::brick;
use solfec::meshing::{ellipsoid_mesh, enclosing_block};

use super::*;

const TOLERANCE: f64 = 1e-13;

fn check(what: &str, found: &Integrals, volume: f64, center: Vec3, euler: &Mat3, tolerance: f64) {
    let scale = euler.norm();
    assert!((found.volume / volume - 1.0).abs() < tolerance, "{what}: volume {} {volume}", found.volume);
    assert!((found.center - center).norm() < tolerance * (1.0 + center.norm()), "{what}: {}", found.center);
    assert!((found.euler - euler).norm() < tolerance * scale, "{what}: {} {euler}", found.euler);
}

fn diagonal(x: f64, y: f64, z: f64) -> Mat3 {
    Mat3::from_diagonal(&v(x, y, z))
}

/// A parallelepiped with the edges `A` has V = det A and E = V/12 A Aᵀ, however it is divided.
#[test]
fn blocks() {
    let edges = Mat3::new(2.0, 0.3, -0.2, 0.1, 3.0, 0.4, -0.5, 0.2, 1.5);
    let corners = cube().map(|x| edges * x + v(7.0, -3.0, 1.0));
    let mesh =
        Mesh::hex(&corners, [2, 3, 4], 1, &[1; 6], [Some(&[1.0, 2.0]), None, Some(&[1.0, 3.0, 1.0, 2.0])]).unwrap();
    let volume = edges.determinant();
    let center = edges * v(0.5, 0.5, 0.5) + v(7.0, -3.0, 1.0);
    check("HEX", &mesh.integrals(), volume, center, &(edges * edges.transpose() * (volume / 12.0)), TOLERANCE);
    let made = brick(&v(3.0, 2.0, 1.0), &v(1.0, -1.0, 0.5), [2, 1, 3], 1, &[1; 6]).unwrap();
    check("BOX", &made.integrals(), 3.0, v(2.0, 0.5, 0.75), &diagonal(1.0, 9.0 / 4.0, 1.0 / 16.0), TOLERANCE);
}

/// A ring of n chords: from triangles about the axis, ∫x² = ∫y² = n sin θ (2 + cos θ) (R⁴ − r⁴)/24 for θ = 2π/n.
#[test]
fn pipes() {
    for (around, along, through) in [(3, 1, 1), (8, 2, 3), (37, 1, 2)] {
        let (inner, thickness, length) = (0.4, 0.3, 2.5);
        let mesh = Mesh::pipe(
            &Pipe {
                point: v(1.0, 2.0, 3.0),
                direction: v(0.0, 0.0, length),
                inner_radius: inner,
                thickness,
                counts: [along, around, through],
            },
            1,
            &[1; 4],
        )
        .unwrap();
        let outer: f64 = inner + thickness;
        let (sine, cosine) = (std::f64::consts::TAU / around as f64).sin_cos();
        let n = around as f64;
        let area = 0.5 * n * sine * (outer * outer - inner * inner);
        let second = n * sine * (2.0 + cosine) * (outer.powi(4) - inner.powi(4)) / 24.0;
        let euler = diagonal(second * length, second * length, area * length.powi(3) / 12.0);
        check("PIPE", &mesh.integrals(), area * length, v(1.0, 2.0, 3.0 + 0.5 * length), &euler, TOLERANCE);
    }
}

/// A bar bent by a quarter turn is a row of prisms on trapezoids: the difference of two triangles each, whose centroids
/// are at two thirds of their height.
#[test]
fn bends() {
    let (count, inner, outer, depth) = (12, 1.0, 1.2, 0.1);
    let end = std::f64::consts::FRAC_PI_2;
    let quad = |z: f64| [v(0.0, 0.0, z), v(end, 0.0, z), v(end, depth, z), v(0.0, depth, z)];
    let ([a, b, c, d], [e, f, g, h]) = (quad(inner), quad(outer));
    let bar = Mesh::hex(&[a, b, c, d, e, f, g, h], [count, 1, 1], 1, &[1; 6], [None; 3]).unwrap();
    let found = bar.bent(&Vec3::zeros(), &Vec3::y(), 90.0).unwrap().integrals();
    let step = end / count as f64;
    let area = |r: f64| 0.5 * r * r * step.sin();
    let moment = |r: f64| area(r) * 2.0 / 3.0 * r * (0.5 * step).cos();
    let middle: Vec3 = (0..count).map(|k| (k as f64 + 0.5) * step).map(|t| v(t.sin(), 0.0, t.cos())).sum();
    let volume = count as f64 * (area(outer) - area(inner)) * depth;
    let center = middle * ((moment(outer) - moment(inner)) * depth / volume) + v(0.0, 0.5 * depth, 0.0);
    assert!((found.volume / volume - 1.0).abs() < TOLERANCE);
    assert!((found.center - center).norm() < TOLERANCE, "{} {center}", found.center);
}

/// Elements: tetrahedron, pyramid and wedge of unit sides, alone and in one mesh.
#[test]
fn elements_of_every_kind() {
    let one = |nodes: &[[f64; 3]]| {
        let numbers: Vec<u32> = (0..nodes.len() as u32).collect();
        let nodes = nodes.iter().map(|x| Vec3::from(*x)).collect();
        Mesh::new(nodes, vec![Element::new(&numbers, 0).unwrap()], 0, &[]).unwrap().0.integrals()
    };
    let tetrahedron = one(&[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]]);
    let euler = Mat3::from_fn(|i, j| if i == j { 1.0 / 160.0 } else { -1.0 / 480.0 });
    check("tetrahedron", &tetrahedron, 1.0 / 6.0, Vec3::repeat(0.25), &euler, TOLERANCE);
    let pyramid = one(&[[-0.5, -0.5, 0.], [0.5, -0.5, 0.], [0.5, 0.5, 0.], [-0.5, 0.5, 0.], [0., 0., 1.]]);
    check("pyramid", &pyramid, 1.0 / 3.0, v(0.0, 0.0, 0.25), &diagonal(1.0 / 60.0, 1.0 / 60.0, 1.0 / 80.0), TOLERANCE);
    let wedge = one(&[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.]]);
    let euler = Mat3::new(1.0 / 36.0, -1.0 / 72.0, 0.0, -1.0 / 72.0, 1.0 / 36.0, 0.0, 0.0, 0.0, 1.0 / 24.0);
    check("wedge", &wedge, 0.5, v(1.0 / 3.0, 1.0 / 3.0, 0.5), &euler, TOLERANCE);
    // A cube of a pyramid on its floor, and of two tetrahedra and a wedge around it: together a cube again.
    let nodes = cube().to_vec();
    let elements: [&[u32]; 3] = [&[0, 1, 2, 4, 5, 6], &[0, 4, 6, 2, 3], &[4, 7, 6, 3]];
    let elements = elements.map(|nodes| Element::new(nodes, 0).unwrap());
    let (mixed, warnings) = Mesh::new(nodes, elements.to_vec(), 0, &[]).unwrap();
    assert!(warnings.is_empty() && mixed.boundary.len() == 10, "{warnings:?} {}", mixed.boundary.len());
    check(
        "mixed",
        &mixed.integrals(),
        1.0,
        Vec3::repeat(0.5),
        &diagonal(1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0),
        TOLERANCE,
    );
}

/// An octahedron |x| + |y| + |z| ≤ r: V = 4r³/3, ∫x² = 2r⁵/15.
#[test]
fn hulls() {
    let r: f64 = 1.7;
    let corners: Vec<Vec3> = (0..3).flat_map(|k| [Vec3::ith(k, r), Vec3::ith(k, -r)]).collect();
    let hull = Convex::hull(&corners, 1, 1).unwrap();
    let second = 2.0 * r.powi(5) / 15.0;
    check(
        "HULL",
        &hull.integrals(),
        4.0 * r.powi(3) / 3.0,
        Vec3::zeros(),
        &diagonal(second, second, second),
        TOLERANCE,
    );
}

/// V = 4π abc/3, E = V/5 diag(a², b², c²): exact for the shapes; their meshes come near from inside.
#[test]
fn balls_and_ellipsoids() {
    let radii = v(0.5, 1.0, 2.0);
    let exact = |radii: &Vec3| {
        let volume = 4.0 / 3.0 * std::f64::consts::PI * radii.product();
        (volume, Mat3::from_diagonal(&(radii.component_mul(radii) * (volume / 5.0))))
    };
    let center = v(1.0, -2.0, 3.0);
    let (volume, euler) = exact(&radii);
    let solid = Shape::new(Ellipsoid::new(center, radii, 1, 1).unwrap()).integrals();
    check("ELLIP", &solid, volume, center, &euler, TOLERANCE);
    let (ball, tensor) = exact(&Vec3::repeat(0.7));
    let solid = Shape::new(Sphere::new(center, 0.7, 1, 1).unwrap()).integrals();
    check("SPHERE", &solid, ball, center, &tensor, TOLERANCE);
    let stone = Ellipsoid::new(center, radii, 1, 1).unwrap().polyhedron().unwrap().integrals();
    assert!((stone.volume / volume - 1.0).abs() < TOLERANCE && (stone.center - center).norm() < TOLERANCE);
    assert!((stone.euler - euler).norm() < 0.01 * euler.norm(), "{}", stone.euler);
    for (error, near) in [(0.05, 0.2), (0.01, 0.05)] {
        let mesh = ellipsoid_mesh(center, radii, error, 1, 1).unwrap().integrals();
        check("ELLIP_MESH", &mesh, volume, center, &euler, near);
        assert!(mesh.volume < volume);
    }
}

/// Around a turned brick of sides 1, 2, 3 the block has the brick's integrals, but for its margin.
#[test]
fn enclosing_blocks() {
    let corners = box_corners(1.0, 2.0, 3.0);
    let mut shape = Shape::new(Convex::hull(&corners, 1, 1).unwrap());
    shape.rotate(&Vec3::zeros(), &v(1.0, 0.4, -0.3), 55.0).unwrap();
    let (brick, block) =
        (shape.integrals(), enclosing_block(&[shape], [2, 2, 2], [None; 3], 1e-6).unwrap().integrals());
    check("ROUGH_HEX", &block, brick.volume, brick.center, &brick.euler, 1e-4);
}

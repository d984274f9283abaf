//! Eigenvalues: single elements, bars, meshes in pieces.

use super::*;

fn assert_values(found: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(found.len(), expected.len());
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= relative * expected, "eigenvalue {k}: {found}, not {expected}");
    }
}

/// All are M-orthonormal, and each satisfies its equation.
fn assert_modes(pencil: &Pencil, modes: &Modes) {
    for (i, x) in modes.vectors.iter().enumerate() {
        for (j, y) in modes.vectors.iter().enumerate() {
            let expected = f64::from(u8::from(i == j));
            let found = product(x, y, &pencil.mass);
            assert!((found - expected).abs() < 1e-10, "modes {i} and {j}: {found}");
        }
        let first =
            x.iter().flat_map(|x| x.iter()).fold(0.0, |a: f64, b| if b.abs() > a.abs() + 1e-9 { *b } else { a });
        assert!(first > 0.0, "the sign of mode {i}");
    }
    assert_eq!(modes.values[..6], [0.0; 6]);
    assert!(modes.residuals.iter().all(|residual| *residual < 1e-6), "{:?}", modes.residuals);
}

/// The eigenvalues of a cube of one element, in units of E/ρ, with their multiplicities.
#[test]
fn modes_of_one_hexahedron() {
    let spectrum = |parts: &[(f64, usize)]| parts.iter().flat_map(|(v, n)| vec![*v * 1e3; *n]).collect::<Vec<f64>>();
    let soft = spectrum(&[(0., 6), (2. / 3., 2), (8. / 9., 3), (2., 6), (8. / 3., 1), (4., 6)]);
    let stiff =
        spectrum(&[(0., 6), (0.512821, 2), (0.940171, 3), (1.538462, 3), (2.051282, 1), (3.076923, 8), (10., 1)]);
    for (poisson, expected) in [(0.0, soft), (0.3, stiff)] {
        let pencil = pencil(block([0.0; 3], [1.0; 3], [1; 3]), 1e6, poisson, 1e3);
        let found = lowest(&pencil, 24);
        assert_modes(&pencil, &found);
        assert_values(&found.values, &expected, 1e-6);
        // A part of them is the beginning of all.
        assert_values(&lowest(&pencil, 8).values, &expected[..8], 1e-6);
    }
}

/// The axial eigenvalues of a lumped bar are [(2 c / l) sin(k π / 2n)]², the others those of a reference computation.
#[test]
fn modes_of_a_free_bar() {
    let pencil = pencil(block([0.0; 3], [1.0, 0.1, 0.1], [10, 1, 1]), 1e6, 0.0, 1e3);
    let found = lowest(&pencil, 40);
    assert_modes(&pencil, &found);
    let first = [518.798, 518.798, 1631.449, 3274.274, 3274.274, 6366.100, 9788.697, 10340.633];
    assert_values(&found.values[6..14], &first, 1e-6);
    for k in 1..=3 {
        let axial = (2.0 * 1e3f64.sqrt() / 0.1 * (f64::from(k) * std::f64::consts::PI / 20.0).sin()).powi(2);
        let near = found.values.iter().map(|value| (value / axial - 1.0).abs()).fold(1.0, f64::min);
        assert!(near < 1e-9, "axial mode {k} of {axial}: {near:e}");
    }
}

/// A bar that has turned vibrates as before. One that is strained by a few thousandths as well has translations of
/// eigenvalue zero only: its stresses act on rotations, up or down.
#[test]
fn modes_of_a_bar_that_has_turned_and_is_strained() {
    let mut world = World::new(1e-3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson, world.model.bulk[0].density) = (1e9, 0.3, 1e3);
    let id = world.body(BodyKind::FiniteElement, &[block([0.0; 3], [1.0, 0.1, 0.1], [20, 2, 2])], 1e3);
    let at_rest = Pencil::of(&world.model, id, &[]).expect("a body");
    let turn = nalgebra::Rotation3::new(Vec3::new(0.4, 1.3, -0.7));
    let turned = |strain: f64| {
        let place = |x: &Vec3| {
            let bend = Vec3::new(0.0, 0.0, strain * x.x * x.x);
            turn * (x + bend + Vec3::new(-strain * x.x * x.z, 0.3 * strain * x.y, 0.0)) + Vec3::new(3.0, -2.0, 1.0)
        };
        let moved: Vec<Vec3> = at_rest.reference.iter().map(|x| place(x) - x).collect();
        Pencil::of(&world.model, id, &moved).expect("a body")
    };
    let plain = lowest(&at_rest, 18);
    let found = lowest(&turned(0.0), 18);
    assert_modes(&turned(0.0), &found);
    assert_values(&found.values[6..], &plain.values[6..], 1e-8);
    for strain in [-3e-3, 1e-3, 1e-2] {
        for count in [6, 9, 18, 30] {
            let found = lowest(&turned(strain), count);
            let zeros = found.values.iter().filter(|value| **value == 0.0).count();
            assert!(zeros == 3 && found.values.len() == count, "{:?}", found.values);
            assert!(found.residuals.iter().all(|residual| *residual < 1e-6), "{:?}", found.residuals);
        }
    }
}

/// The first frequency of bending converges with h² to that of ASTM E1876 (Spinner and Tefft 1961), Timoshenko's beam
/// with its shear and rotary inertia: f² = E b t³ / (0.9465 m L³ T), here with t/L = 0.1 and no Poisson's ratio.
#[test]
fn the_frequency_of_bending_converges_under_refinement() {
    let frequency = |n: usize| {
        let pencil = pencil(block([0.0; 3], [1.0, 0.1, 0.1], [10 * n, n, n]), 1e6, 0.0, 1e3);
        lowest(&pencil, 8).values[6].sqrt() / std::f64::consts::TAU
    };
    let square = 0.1_f64.powi(2);
    let factor = 1.0 + 6.585 * square - 0.868 * square.powi(2) - 8.34 * square.powi(2) / (1.0 + 6.338 * square);
    let expected = (1e6 * square / (0.9465 * 1e3 * factor)).sqrt();
    let [coarse, middle, fine] = [1, 2, 4].map(frequency);
    let limit = fine + (fine - middle) / 3.0;
    assert!((limit / expected - 1.0).abs() < 3e-3, "{coarse} {middle} {fine}: {limit}, not {expected}");
    let ratio = (coarse - limit) / (middle - limit);
    assert!((3.0..5.5).contains(&ratio), "{coarse} {middle} {fine}: {ratio}");
}

/// Two separate cubes: twelve zero eigenvalues, then each value of the single cube twice.
#[test]
fn a_mesh_of_two_pieces_has_twelve_null_vectors() {
    let one = Mesh::hex(&corners([0.0; 3], [1.0; 3]), [1; 3], 1, &[1; 6], [None; 3]).expect("a cube");
    let mut nodes = one.nodes.clone();
    nodes.extend(one.nodes.iter().map(|x| x + Vec3::new(3.0, 0.0, 0.0)));
    // A node without an element has no part.
    nodes.push(Vec3::new(0.0, 9.0, 0.0));
    let shifted: Vec<u32> = one.elements[0].nodes().iter().map(|node| node + 8).collect();
    let elements = vec![one.elements[0], Element::new(&shifted, 1).expect("a cube")];
    let (two, _) = Mesh::new(nodes, elements, 1, &[]).expect("two cubes");
    let pencil = pencil(Shape::new(Geometry::Mesh(two)), 1e6, 0.0, 1e3);
    let found = lowest(&pencil, 22);
    let spectrum = [(0.0, 12), (2000.0 / 3.0, 4), (8000.0 / 9.0, 6)];
    let expected: Vec<f64> = spectrum.iter().flat_map(|(v, n)| vec![*v; *n]).collect();
    assert_modes(&pencil, &found);
    assert_values(&found.values, &expected, 1e-9);
}

/// Bars at these places, of this size and so many elements, as one mesh, in which nodes at one place are one.
fn joined(places: [[f64; 3]; 2], size: [f64; 3], counts: [usize; 3]) -> Shape {
    let (mut nodes, mut elements) = (Vec::<Vec3>::new(), Vec::new());
    for low in places {
        let shape = block(low, std::array::from_fn(|i| low[i] + size[i]), counts);
        let bar = shape.geometry.mesh().expect("a mesh");
        let mut place = |x: &Vec3| {
            let near = nodes.iter().position(|other| (other - x).norm() < 1e-9);
            near.unwrap_or_else(|| {
                nodes.push(*x);
                nodes.len() - 1
            }) as u32
        };
        let number: Vec<u32> = bar.nodes.iter().map(&mut place).collect();
        for element in &bar.elements {
            let nodes: Vec<u32> = element.nodes().iter().map(|node| number[*node as usize]).collect();
            elements.push(Element::new(&nodes, 1).expect("an element"));
        }
    }
    Shape::new(Geometry::Mesh(Mesh::new(nodes, elements, 1, &[]).expect("bars").0))
}

fn zeros(modes: &Modes) -> usize {
    modes.values.iter().filter(|value| **value == 0.0).count()
}

/// Bars that hang together at an edge, at a point or nowhere turn about what they share: one, three or six zero
/// eigenvalues more, and beside them the others as exact as ever.
#[test]
fn pieces_that_hang_together_loosely_have_more_null_vectors() {
    let size = [1.0, 0.1, 0.1];
    for (second, more) in [([1.0, 0.0, 0.1], 1), ([1.0, 0.1, 0.1], 3), ([3.0, 0.0, 0.0], 6)] {
        for counts in [[3, 1, 1], [6, 3, 3]] {
            let pencil = pencil(joined([[0.0; 3], second], size, counts), 1e9, 0.3, 1e3);
            let all = lowest(&pencil, 40);
            assert_eq!(zeros(&all), 6 + more, "{:?}", all.values);
            for count in (7..40).step_by(3) {
                let found = lowest(&pencil, count);
                assert_modes(&pencil, &found);
                assert_eq!(zeros(&found), count.min(6 + more), "{:?}", found.values);
                for (found, wanted) in found.values.iter().zip(&all.values) {
                    assert!((found - wanted).abs() <= 1e-9 * wanted, "{found}, not {wanted}");
                }
            }
        }
    }
}

/// A bar in tension turns about its axis without resistance, and next to it the other rotations have small
/// eigenvalues.
#[test]
fn a_bar_in_tension_turns_freely_about_its_axis() {
    let mut world = World::new(1e-3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson, world.model.bulk[0].density) = (2e9, 0.0, 1e3);
    let id = world.body(BodyKind::FiniteElement, &[block([0.0; 3], [1.0, 0.06, 0.04], [20, 2, 2])], 1e3);
    let at_rest = Pencil::of(&world.model, id, &[]).expect("a body");
    for strain in [5e-4, 1e-6] {
        let moved: Vec<Vec3> = at_rest.reference.iter().map(|x| Vec3::new(strain * x.x, 0.0, 0.0)).collect();
        let pencil = Pencil::of(&world.model, id, &moved).expect("a body");
        for count in [4, 12, 13, 16, 20] {
            let found = lowest(&pencil, count);
            assert_eq!((zeros(&found), found.values.len()), (4, count), "{:?}", found.values);
            assert!(found.values.windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }
}

/// More modes than unknowns, or none, are refused.
#[test]
fn the_number_of_modes_is_checked() {
    let pencil = pencil(block([0.0; 3], [1.0; 3], [1; 3]), 1e6, 0.0, 1e3);
    for count in [0, 25] {
        let text = modes(&pencil, &wanted(count)).expect_err("no modes").to_string();
        assert!(text.contains("give a number from 1 to 24"), "{text}");
    }
}

/// One restart is not enough for a tight tolerance: that is an error, not a poor answer.
#[test]
fn a_search_that_does_not_converge_is_an_error() {
    let pencil = pencil(block([0.0; 3], [1.0, 0.1, 0.1], [20, 2, 2]), 1e6, 0.2, 1e3);
    let text = modes(&pencil, &Wanted { count: 30, tolerance: 1e-11, restarts: 0 }).expect_err("no modes").to_string();
    assert!(text.contains("has not converged"), "{text}");
}

/// Eigenvalues of `M^-½ K M^-½` as a dense matrix, ascending.
fn dense(pencil: &Pencil) -> Vec<f64> {
    let n = 3 * pencil.nodes();
    let mut matrix = nalgebra::DMatrix::zeros(n, n);
    for column in 0..n {
        let mut unit = vec![Vec3::zeros(); pencil.nodes()];
        unit[column / 3][column % 3] = 1.0;
        for (row, x) in pencil.product(&unit).iter().flat_map(|x| x.iter()).enumerate() {
            matrix[(row, column)] = x / (pencil.mass[row / 3] * pencil.mass[column / 3]).sqrt();
        }
    }
    let mut values: Vec<f64> = matrix.symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Stresses of a cube that is compressed make it unstable: the negative eigenvalues come before the zero ones, some of
/// them twice, however many are asked for.
#[test]
fn modes_of_a_compressed_cube_begin_below_zero() {
    let mut world = World::new(1e-3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson, world.model.bulk[0].density) = (1e6, 0.3, 1e3);
    let id = world.body(BodyKind::FiniteElement, &[block([0.0; 3], [1.0; 3], [2; 3])], 1e3);
    let at_rest = Pencil::of(&world.model, id, &[]).expect("a body");
    for shortening in [1e-5, 0.01, 0.03, 0.1, 0.3, 0.5] {
        let moved: Vec<Vec3> = at_rest.reference.iter().map(|x| Vec3::new(-shortening * x.x, 0.0, 0.0)).collect();
        let pencil = Pencil::of(&world.model, id, &moved).expect("a body");
        let expected = dense(&pencil);
        let size = expected[80].max(-expected[0]);
        assert!(expected[0] < -1e-9 * size);
        for count in [1, 2, 3, 4, 5, 6, 8, 9, 13, 30, 80, 81] {
            let found = lowest(&pencil, count);
            assert_eq!(found.values.len(), count);
            for (k, (found, wanted)) in found.values.iter().zip(&expected).enumerate() {
                let error = (found - wanted).abs();
                assert!(
                    error <= 1e-9 * wanted.abs() + 1e-12 * size,
                    "{shortening}, {count}: mode {k} {found}, not {wanted}"
                );
            }
        }
    }
}

//! Bodies whose shape is not their mesh: polyhedra in a background mesh (docs/theory.md 3).

use super::*;

use solfec::body::Pencil;
use solfec::modal::{modes, Wanted};
use solfec::model::{outline, pruned, ShapeRow};
use solfec::shape::{Convex, Face};

/// A box as a polyhedron.
fn polyhedron(low: [f64; 3], side: f64) -> Shape {
    let at = |k: usize| Vec3::from(low) + Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) * side;
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = faces.map(|nodes| Face { nodes: nodes.into(), surfid: 1 }).to_vec();
    Shape::new(Convex { vertices: (0..8).map(at).collect(), faces, volid: 1 })
}

/// The unit cube as eight polyhedra.
fn eight() -> Vec<Shape> {
    let low = |k: usize| [0.5 * (k & 1) as f64, 0.5 * (k >> 1 & 1) as f64, 0.5 * (k >> 2) as f64];
    (0..8).map(|k| polyhedron(low(k), 0.5)).collect()
}

/// A cube of side 1.2 about the unit cube.
fn around(parts: usize) -> Shape {
    block([-0.1; 3], [1.1; 3], [parts; 3])
}

/// The unit cube in a mesh around it.
fn carried(world: &mut World, mesh: Shape, form: Formulation, scheme: Scheme) -> u64 {
    carried_shapes(world, &eight(), mesh, form, scheme)
}

/// Polyhedra in a mesh around them.
fn carried_shapes(world: &mut World, shapes: &[Shape], mesh: Shape, form: Formulation, scheme: Scheme) -> u64 {
    let id = world.body(BodyKind::FiniteElement, shapes, DENSITY);
    world.model.library.push(mesh.geometry);
    let geometry = world.model.library.len() as u32 - 1;
    world.model.shapes.push(ShapeRow { geometry, rotation: mesh.rotation, shift: mesh.shift });
    let row = &mut world.model.bodies[id as usize - 1];
    (row.form, row.scheme, row.shapes.end) = (form, scheme, row.shapes.end + 1);
    id
}

/// The mass is that of the shape, and a free fall is that of a rigid body.
#[test]
fn polyhedra_in_one_hexahedron_fall_as_a_rigid_body() {
    for (form, scheme) in [(Formulation::TotalLagrangian, Scheme::DefExp), (Formulation::Corotational, Scheme::DefLim)]
    {
        let h = 1e-3;
        let mut world = world(h, YOUNG, 0.3).gravity([0.0, 0.0, -10.0]);
        let id = carried(&mut world, around(1), form, scheme);
        assert!((world.model.bodies[0].chars.mass - DENSITY).abs() < 1e-9 * DENSITY);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-6), 100, |_, _| {});
        let fall = Vec3::new(0.0, 0.0, -5.0 * (100.0 * h) * (100.0 * h));
        let u = displacements(&simulation, id);
        assert_eq!(u.len(), 8);
        for u in u {
            assert!((u - fall).norm() < 1e-12, "{form:?}: {u}");
        }
    }
}

/// A uniform stretch stores ½ E ε² of the cube's volume, whatever mesh carries it.
#[test]
fn a_uniform_stretch_has_the_energy_of_the_cube() {
    let strain = 1e-4;
    for parts in [1, 2, 3] {
        let mut world = world(1e-3, YOUNG, 0.0);
        let id = carried(&mut world, around(parts), Formulation::TotalLagrangian, Scheme::DefLim);
        let stretched = nodes_of(&around(parts)).iter().map(|x| Vec3::new(strain * x.x, 0.0, 0.0)).collect::<Vec<_>>();
        world.model.bodies[id as usize - 1].conf = flat(&stretched);
        let simulation = world.simulation();
        let body = simulation.bodies().index(BodyId(id)).expect("the body");
        let energy = simulation.bodies().energies(body)[1];
        assert_near(energy, 0.5 * YOUNG * strain * strain * (1.0 + 0.5 * strain).powi(2), 1e-12, "energy");
    }
}

/// Elements without a part of the shape are left out, and so are their nodes; a mesh that does not contain the shape is
/// refused.
#[test]
fn meshes_are_pruned_and_must_contain_the_shape() {
    let cube = [polyhedron([0.05; 3], 0.3)];
    let mesh = block([0.0; 3], [1.2; 3], [3; 3]);
    let pruned = pruned(&cube, mesh_of(&mesh)).expect("a mesh that contains the cube");
    assert_eq!((pruned.elements.len(), pruned.nodes.len(), pruned.boundary.len()), (1, 8, 6));
    let far = [polyhedron([1.0; 3], 0.3)];
    let told = solfec::model::pruned(&far, mesh_of(&mesh)).expect_err("a mesh too small").to_string();
    assert!(told.contains("its background mesh covers 0.29"), "{told}");
    let ball = [Shape::new(solfec::shape::Sphere { center: Vec3::repeat(0.5), radius: 0.1, volid: 1, surfid: 1 })];
    let told = solfec::model::pruned(&ball, mesh_of(&mesh)).expect_err("no polyhedron").to_string();
    assert!(told.contains("CONVEX objects only"), "{told}");
    let mut shapes = eight();
    shapes.push(mesh);
    assert_eq!(outline(BodyKind::Rigid, &shapes).0.len(), 9);
    assert_eq!(outline(BodyKind::FiniteElement, &shapes).0.len(), 8);
}

/// A cube that is carried by a mesh around it comes to rest on an obstacle: the reaction is its weight, and contact is at
/// the polyhedra, not at the mesh.
#[test]
fn polyhedra_in_a_mesh_touch_by_their_own_faces() {
    let mut world = world(2e-3, YOUNG, 0.2).gravity([0.0, 0.0, -10.0]);
    world.obstacle(block([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
    let id = carried(&mut world, around(2), Formulation::TotalLagrangian, Scheme::DefLim);
    world.model.bodies[id as usize - 1].damping = 5e-2;
    let mut simulation = world.simulation();
    let mut force = 0.0;
    let vertical = |s: &Simulation| s.contacts().iter().map(|c| (c.base * c.r).z).sum();
    steps(&mut simulation, &gauss_seidel(1e-6), 150, |s, _| force = vertical(s));
    assert_near(force, 10.0 * DENSITY, 5.0, "weight");
    let highest = simulation.contacts().iter().map(|c| c.slave.point.z.abs()).fold(0.0, f64::max);
    assert!(highest < 1e-2, "contacts at the bottom of the cube, {highest}");
}

/// Elements of one size that a cube cuts are unlike each other: the explicit step is that of the stiffest of them, so
/// that `h ω` of the highest mode of the mesh is at most 1, half of what is stable, wherever the mesh lies.
#[test]
fn explicit_steps_are_stable_however_the_shape_cuts_its_mesh() {
    for (parts, side, shift) in [(3, 1.9, 0.3), (3, 1.5, 0.02), (2, 1.9, 0.02), (4, 1.5, 0.3), (3, 1.1, 0.5)] {
        let low = -(side - 1.0) * shift;
        let cube = [polyhedron([0.0; 3], 1.0)];
        let mesh = block([low; 3], [low + side; 3], [parts; 3]);
        let mesh = Shape::new(pruned(&cube, mesh_of(&mesh)).expect("a mesh that contains the cube"));
        let mut world = world(1.0, YOUNG, 0.3);
        let id = carried_shapes(&mut world, &cube, mesh, Formulation::TotalLagrangian, Scheme::DefExp);
        let (h, _) = world.simulation().bodies().critical_step().expect("an explicit body");
        let pencil = Pencil::of(&world.model, id, &[]).expect("a body");
        let all = Wanted { count: 3 * pencil.nodes(), tolerance: 1e-6, restarts: 100 };
        let highest = modes(&pencil, &all).expect("modes").values.last().copied().unwrap_or(f64::NAN).sqrt();
        assert!(h * highest <= 1.0, "{parts} elements along {side}: step times frequency {}", h * highest);
    }
}

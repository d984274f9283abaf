//! Bodies with more nodes in contact than a dense matrix between them is kept for.

use solfec::model::{Auto, GaussSeidel, Newton, SolverSettings};
use solfec::simulation::WarningKind;
use solfec::solver::Status;

use super::*;

/// Steps of a block that slides on a plane, and another that stands on it, at most so many nodes in contact with a dense
/// matrix in each step: displacements of the nodes of both, and how often the solver was replaced.
fn slid(form: Formulation, dense_nodes: [usize; 2], solver: &SolverSettings) -> (Vec<Vec3>, u64) {
    let mut world = world(1e-3, YOUNG, 0.2).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let low = finite(&mut world, block([0.0; 3], [1.0, 0.8, 0.4], [4, 3, 1]), form, Scheme::DefLim);
    let high = finite(&mut world, block([0.2, 0.2, 0.4], [0.7, 0.6, 0.8], [2, 2, 1]), form, Scheme::DefLim);
    world.model.bodies[low as usize - 1].velo = vec![0.0, 0.0, 0.0, 0.5, 0.2, 0.0];
    let mut simulation = world.simulation();
    let mut told = Vec::new();
    let mut contacts = 0;
    for most in dense_nodes {
        simulation.set_dense_nodes(most);
        let report = simulation.step(solver).expect("a step");
        contacts = contacts.max(report.contacts);
        assert_eq!(report.solver.status, Status::Converged, "{form:?}, {dense_nodes:?}: {:?}", report.solver);
        told.extend(report.warnings.into_iter().filter(|warning| warning.kind == WarningKind::Method));
    }
    assert!(contacts > 20, "{contacts} contacts");
    let rows = simulation.warnings();
    let count = rows.kind.iter().position(|kind| kind == "method").map_or(0, |k| rows.count[k]);
    assert_eq!(told.len(), usize::from(count > 0), "it is told once");
    if let [warning] = &told[..] {
        assert!(
            warning.text.contains("too many nodes in contact")
                && warning.text.contains("GAUSS_SEIDEL_SOLVER needs: JACOBI")
        );
    }
    let both = [low, high].map(|body| displacements(&simulation, body)).concat();
    (both, count)
}

fn far(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// Without dense matrices the same solver finds the same motion, and Gauss–Seidel, which needs them, gives its place to
/// block Jacobi iterations with one warning that is counted in every step; AUTO takes these without a warning.
#[test]
fn without_a_dense_matrix_the_motion_is_the_same() {
    let newton = SolverSettings::Newton(Newton { meritval: 1e-16, ..Newton::default() });
    let sweeps = SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-16, ..GaussSeidel::new(1.0, 2000) });
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        let (dense, none) = slid(form, [usize::MAX; 2], &newton);
        let (swept, neither) = slid(form, [usize::MAX; 2], &sweeps);
        let (solved, not_told) = slid(form, [0; 2], &newton);
        let (replaced, count) = slid(form, [0; 2], &sweeps);
        let (chosen, not_told_either) = slid(form, [0; 2], &SolverSettings::Auto(Auto { meritval: 1e-16 }));
        let (grown, once) = slid(form, [usize::MAX, 0], &sweeps);
        let (shrunk, once_too) = slid(form, [0, usize::MAX], &sweeps);
        assert_eq!([none, neither, not_told, not_told_either, count, once, once_too], [0, 0, 0, 0, 2, 1, 1]);
        for (found, what) in [
            (&solved, "NEWTON_SOLVER"),
            (&swept, "GAUSS_SEIDEL"),
            (&replaced, "in place of it"),
            (&chosen, "AUTO"),
            (&grown, "in place of it from the second step on"),
            (&shrunk, "in place of it in the first step"),
        ] {
            assert!(far(&dense, found) < 1e-9, "{form:?}, {what}: {:e}", far(&dense, found));
        }
    }
}

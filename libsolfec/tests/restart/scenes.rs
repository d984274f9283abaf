use crate::models::{bonded, changes, heap, joints, soft, sprung, swollen, Scene};
use crate::same::{check, started};
use solfec::model::*;

fn gauss_seidel() -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-6, 1000))
}

fn solvers() -> Vec<(&'static str, SolverSettings)> {
    let relaxed = GaussSeidel { relaxation: 1.2, meritval: 1e-8, ..GaussSeidel::new(1e-4, 200) };
    let diag = Newton { linver: LinearVariant::Diag, maxiter: 50, ..Newton::default() };
    let free = Newton { locdyn: false, omega: None, ..Newton::default() };
    vec![
        ("gauss-seidel", gauss_seidel()),
        ("gauss-seidel relaxed", SolverSettings::GaussSeidel(relaxed)),
        ("penalty", SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit })),
        ("penalty explicit", SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Explicit })),
        ("newton", SolverSettings::Newton(Newton::default())),
        ("newton diag", SolverSettings::Newton(diag)),
        ("newton without W", SolverSettings::Newton(free)),
        ("interior point", SolverSettings::InteriorPoint(InteriorPoint::default())),
        ("proximal newton", SolverSettings::ProximalNewton(ProximalNewton::default())),
        ("admm", SolverSettings::Admm(Admm { maxiter: 500, ..Admm::default() })),
        ("auto", SolverSettings::Auto(Auto::default())),
    ]
}

fn springy(mut scene: Scene) -> Scene {
    for material in &mut scene.model.surface {
        (material.spring, material.dashpot) = (5e4, 10.0);
    }
    scene
}

#[test]
fn every_solver_goes_on_in_dynamics() {
    for (name, solver) in solvers() {
        check(name, &springy(heap(Analysis::Dynamic)), &solver, 24, &[0, 1, 7, 16]);
    }
}

#[test]
fn every_solver_goes_on_in_quasi_statics() {
    for (name, solver) in solvers() {
        check(name, &springy(heap(Analysis::QuasiStatic)), &solver, 12, &[1, 6]);
    }
}

#[test]
fn pseudo_rigid_bodies_and_their_step_go_on() {
    let scene = soft(Analysis::Dynamic);
    let (_, stops, _) = started(&scene, &gauss_seidel(), 24, &[2, 30]);
    let [early, late] = [&stops[0], &stops[1]].map(|stop| stop.state.clock.h);
    assert!(early < scene.model.step && late > early, "the step was lowered to {early} and grew to {late}");
    check("soft", &scene, &gauss_seidel(), 24, &[0, 3, 9, 12, 20, 21, 30]);
    check("soft, quasi-static", &soft(Analysis::QuasiStatic), &gauss_seidel(), 12, &[3, 9]);
}

#[test]
fn constraints_go_on() {
    let scene = joints(Analysis::Dynamic, &[]);
    let (_, stops, _) = started(&scene, &gauss_seidel(), 24, &[23]);
    let left = stops[0].state.constraints.row.len();
    assert!(left < scene.model.constraints.len() - 1, "one was deleted and at least one broke, {left} are left");
    assert!(stops[0].state.constraints.lag.iter().any(|lag| *lag != [0.0; 3]), "joints lag behind a shorter step");
    check("joints", &scene, &gauss_seidel(), 24, &[0, 1, 5, 6, 7, 11, 13, 20]);
    check("joints, newton", &scene, &SolverSettings::Newton(Newton::default()), 16, &[6, 9]);
    check("joints, quasi-static", &joints(Analysis::QuasiStatic, &[]), &gauss_seidel(), 16, &[1, 6, 12]);
    let legacy = joints(Analysis::Dynamic, &["constraint_drift", "prescribed", "schedule"]);
    check("joints, legacy", &legacy, &gauss_seidel(), 16, &[1, 6, 12]);
}

/// What springs have learnt of their functions is part of the state: a restarted run foretells the same forces, bit for
/// bit, and calls the functions as often.
#[test]
fn what_springs_have_learnt_goes_on() {
    let scene = sprung();
    let (_, stops, _) = started(&scene, &gauss_seidel(), 40, &[0, 1, 2, 5, 39]);
    let sure =
        |stop: usize| -> Vec<f64> { stops[stop].state.constraints.memory.iter().map(|memory| memory[5]).collect() };
    assert_eq!(sure(0), [-1.0; 4], "nothing is known");
    assert_eq!(sure(3)[..3], [1.0; 3], "linear laws are known");
    assert!(sure(4)[2] < 1.0, "this one is linear no more");
    assert!(stops[4].state.constraints.memory[3][5] < 1.0, "this one never was");
    let every: Vec<u64> = (0..40).collect();
    check("springs with functions", &scene, &gauss_seidel(), 40, &every);
    let newton = SolverSettings::Newton(Newton::default());
    check("springs with functions, newton", &scene, &newton, 20, &[1, 2, 3, 10]);
}

#[test]
fn bonds_go_on() {
    let scene = bonded();
    let (_, stops, _) = started(&scene, &gauss_seidel(), 40, &[5, 39]);
    let held = |k: usize| stops[k].state.contacts.cohesion.iter().filter(|&&c| c > 0.0).count();
    assert!(held(0) > held(1), "bonds break: {} and {}", held(0), held(1));
    check("bonds", &scene, &gauss_seidel(), 40, &[0, 1, 5, 15, 20, 25, 30, 35]);
    check(
        "bonds, penalty",
        &springy(scene),
        &SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit }),
        30,
        &[5, 20],
    );
}

#[test]
fn operations_are_replayed() {
    let scene = changes(&[]);
    let (_, stops, _) = started(&scene, &gauss_seidel(), 24, &[0, 25]);
    let bodies = |k: usize| stops[k].state.rigid.id.len();
    // Two came, one was deleted.
    assert!(bodies(1) < bodies(0) + 1, "bodies left: {} and {}", bodies(0), bodies(1));
    let every: Vec<u64> = (0..24).collect();
    check("changes", &scene, &gauss_seidel(), 24, &every);
    check("changes, legacy", &changes(&["schedule", "sparsify"]), &gauss_seidel(), 24, &[1, 5, 10, 14, 19]);
}

/// The strain of the last step decides the length of the next one, also of the first after a restart.
#[test]
fn strained_elements_and_their_step_go_on() {
    let scene = swollen();
    let every: Vec<u64> = (0..25).collect();
    let (_, stops, _) = started(&scene, &gauss_seidel(), 24, &every);
    let shortest = stops.iter().skip(1).map(|stop| stop.state.clock.h).fold(1.0, f64::min);
    assert!(shortest < 0.9 * 5e-3, "{shortest} is not of the strain: 0.005 is the step at rest");
    check("swollen", &scene, &gauss_seidel(), 24, &every);
}

use super::*;
use solfec::model::{
    Admm, Auto, CorrectedSweeps, Delta, GaussSeidel, InteriorPoint, LinearVariant, Newton, ProximalNewton, Siconos,
    SolverSettings, Variant,
};

fn settings(deck: &str) -> Vec<SolverSettings> {
    let take = |op: StoredOp| match op {
        Op::Run { solver, .. } => Some(solver.settings),
        _ => None,
    };
    model(&format!("{START}{deck}")).program.into_iter().filter_map(take).collect()
}

#[test]
fn defaults_are_those_of_the_core() {
    let found = settings(
        "for x in (NEWTON_SOLVER(), SICONOS_SOLVER(), INTERIOR_POINT_SOLVER(), PROXIMAL_NEWTON_SOLVER(), ADMM_SOLVER(), AUTO_SOLVER(), 'AUTO'):\n  RUN(s, x, 1)\n",
    );
    let expected = [
        SolverSettings::Newton(Newton::default()),
        SolverSettings::Siconos(Siconos::default()),
        SolverSettings::InteriorPoint(InteriorPoint::default()),
        SolverSettings::ProximalNewton(ProximalNewton::default()),
        SolverSettings::Admm(Admm::default()),
        SolverSettings::Auto(Auto::default()),
        SolverSettings::Auto(Auto::default()),
    ];
    assert_eq!(found, expected);
}

#[test]
fn every_argument_and_member_counts() {
    let all = Newton {
        meritval: 1e-6,
        maxiter: 7,
        locdyn: false,
        linver: LinearVariant::Diag,
        linmaxiter: 8,
        maxmatvec: 9,
        epsilon: 0.5,
        delta: 0.25,
        theta: 1.0,
        omega: None,
        gsflag: false,
        reldelta: Delta::Average,
    };
    let siconos = Siconos { epsilon: 1e-6, maxiter: 5, verbose: true };
    let found = settings(
        "RUN(s, NEWTON_SOLVER(1e-6, 7, 'OFF', 'DIAG', 8, 9, 0.5, 0.25, 1, 'AUTO', 'OFF', 'avgWii'), 1)\n\
         RUN(s, NEWTON_SOLVER(reldelta='avgWii', gsflag=False, omega='AUTO', theta=1.0, delta=0.25, epsilon=0.5, maxmatvec=9.0, linmaxiter=8, linver='DIAG', locdyn=False, maxiter=7, meritval=1e-6), 1)\n\
         n = NEWTON_SOLVER(); n.meritval = 1e-6; n.maxiter = 7; n.locdyn = 'OFF'; n.linver = 'DIAG'; n.linmaxiter = 8; n.maxmatvec = 9\n\
         n.epsilon = .5; n.delta = .25; n.theta = 1; n.omega = 'AUTO'; n.gsflag = 'OFF'; n.reldelta = 'avgWii'; RUN(s, n, 1)\n\
         RUN(s, SICONOS_SOLVER(1e-6, 5, 'ON'), 1)\nc = SICONOS_SOLVER(); c.epsilon = 1e-6; c.maxiter = 5; c.verbose = True; RUN(s, c, 1)\n\
         i = INTERIOR_POINT_SOLVER(1e-9, 3); i.maxiter = 4; RUN(s, i, 1)\np = PROXIMAL_NEWTON_SOLVER(1e-9, 3, 0.5); p.alpha = 0.25; RUN(s, p, 1)\n\
         k = CORRECTED_SWEEPS_SOLVER(1e-9, 3, 5); k.sweeps = 6; RUN(s, k, 1)\n\
         d = ADMM_SOLVER(1e-9, 3, 0.5, 1.25); d.rho = 0.125; RUN(s, d, 1)\nu = AUTO_SOLVER(1e-3); u.meritval = 1e-4; RUN(s, u, 1)\n\
         g = GAUSS_SEIDEL_SOLVER(1e-3, 10, diagsolver='DE_SAXCE_FENG'); g.variant = 'BOUNDARY_JACOBI'; g.innerloops = 2; g.relaxation = 1.5; RUN(s, g, 1)\n",
    );
    let gauss = GaussSeidel {
        diagsolver: solfec::model::BlockSolver::DeSaxceFeng,
        variant: Variant::BoundaryJacobi,
        innerloops: 2,
        relaxation: 1.5,
        ..GaussSeidel::new(1e-3, 10)
    };
    let expected = [
        SolverSettings::Newton(all.clone()),
        SolverSettings::Newton(all.clone()),
        SolverSettings::Newton(all),
        SolverSettings::Siconos(siconos.clone()),
        SolverSettings::Siconos(siconos),
        SolverSettings::InteriorPoint(InteriorPoint { meritval: 1e-9, maxiter: 4 }),
        SolverSettings::ProximalNewton(ProximalNewton { meritval: 1e-9, maxiter: 3, alpha: 0.25 }),
        SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval: 1e-9, maxiter: 3, sweeps: 6 }),
        SolverSettings::Admm(Admm { meritval: 1e-9, maxiter: 3, rho: 0.125, relaxation: 1.25 }),
        SolverSettings::Auto(Auto { meritval: 1e-4 }),
        SolverSettings::GaussSeidel(gauss),
    ];
    assert_eq!(found, expected);
}

#[test]
fn members_are_read_as_they_were_written() {
    let out = prints(&format!(
        "{START}n = NEWTON_SOLVER(omega=1e-3)\n\
         print(n.meritval, n.maxiter, n.locdyn, n.linver, n.linmaxiter, n.maxmatvec, n.epsilon, n.delta, n.theta, n.omega, n.gsflag, n.reldelta)\n\
         n.omega = 'AUTO'; print(n.omega, n.iters, n.merhist, n.mvhist, n.itershist)\n\
         g = GAUSS_SEIDEL_SOLVER(1, 1); g.variant = 'MIDDLE_JACOBI'; g.innerloops = 3; print(g.variant, g.innerloops, g.relaxation, g.diagsolver)"
    ));
    let expected = "1e-08 1000 ON GMRES 10 10000 0.25 0.0 0.25 0.001 ON OFF\nAUTO 0 [] [] None\nMIDDLE_JACOBI 3 1.0 SEMISMOOTH_NEWTON\n";
    assert_eq!(out, expected);
}

#[test]
fn the_test_solver_of_the_original_is_newton() {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}RUN(s, TEST_SOLVER(maxiter=5), 1)\n"));
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert!(text(&out.stderr)
        .contains("deck.py:3: TEST_SOLVER: was an experiment of Solfec 1.0; NEWTON_SOLVER takes its place"));
    let expected = Newton { maxiter: 5, maxmatvec: 1000, delta: 0.51e-7, omega: Some(1e-9), ..Newton::default() };
    let program = read_file(&folder.path("m.h5")).unwrap().domains.remove(0).program;
    assert_eq!(program, [Op::Run { duration: 1.0, solver: SolverSettings::Newton(expected).into() }]);
}

#[test]
fn refuse_what_makes_no_sense() {
    let fault = |line: &str, message: &str| {
        let (code, errors) = fails(&format!("{START}{line}\n"));
        assert_eq!((code, errors), (3, format!("sf-build: error: deck.py:3: {message}\n")));
    };
    fault("RUN(s, 'auto', 1)", "RUN: solver: is 'auto'; give a solver or 'AUTO'");
    fault("RUN(s, s, 1)", "RUN: solver: is a SOLFEC; give a solver or 'AUTO'");
    fault("NEWTON_SOLVER(theta=0)", "NEWTON_SOLVER: theta: is 0; give a number in (0, 1]");
    fault("NEWTON_SOLVER(theta=1.5)", "NEWTON_SOLVER: theta: is 1.5; give a number in (0, 1]");
    fault("NEWTON_SOLVER().theta = 2", "NEWTON_SOLVER.theta: value: is 2; give a number in (0, 1]");
    fault("NEWTON_SOLVER(omega=0)", "NEWTON_SOLVER: omega: is 0; give a number > 0 or 'AUTO'");
    fault("NEWTON_SOLVER(omega='auto')", "NEWTON_SOLVER: omega: is 'auto'; give a number > 0 or 'AUTO'");
    fault("NEWTON_SOLVER(delta=-1)", "NEWTON_SOLVER: delta: is -1; give a number >= 0");
    fault("NEWTON_SOLVER(linver='LU')", "NEWTON_SOLVER: linver: is 'LU'; give one of 'GMRES', 'DIAG'");
    fault("NEWTON_SOLVER(maxiter=0)", "NEWTON_SOLVER: maxiter: is 0; give a positive integer");
    fault("NEWTON_SOLVER(meritval=0)", "NEWTON_SOLVER: meritval: is 0; give a number > 0");
    fault("GAUSS_SEIDEL_SOLVER(1, 1, meritval=-1)", "GAUSS_SEIDEL_SOLVER: meritval: is -1; give a number > 0");
    fault(
        "GAUSS_SEIDEL_SOLVER(1, 1, failure='CALLBACK')",
        "GAUSS_SEIDEL_SOLVER: failure: 'CALLBACK' needs the argument callback; give a function",
    );
    fault(
        "GAUSS_SEIDEL_SOLVER(1, 1, failure='CALLBACK', callback=3)",
        "GAUSS_SEIDEL_SOLVER: callback: is 3; give a function",
    );
    fault("SURFACE_MATERIAL(s, friction=-0.1)", "SURFACE_MATERIAL: friction: is -0.1; give a number >= 0");
    fault("SURFACE_MATERIAL(s, restitution=1.1)", "SURFACE_MATERIAL: restitution: is 1.1; give a number in [0, 1]");
}

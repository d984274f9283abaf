//! Problems handed to solvers outside: everything but contacts is eliminated or refused. Our own Gauss–Seidel plays the
//! solver outside.

use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::body::Inertia;
use solfec::dynamics::{Assembled, BodyOperator, End, WholeMatrix};
use solfec::math::{Mat3, Vec3};
use solfec::model::{self, BlockSolver};
use solfec::solver::{
    external, ContactProblem, ContactSolution, Elastic, External, Law, Link, Report, Status, Unknowns, Workspace,
};

/// Gauss–Seidel outside; keeps the problem it got last.
#[derive(Default)]
struct Outside {
    got: ContactProblem,
}

impl External for Outside {
    fn solve(&mut self, problem: &ContactProblem, _: &model::Siconos) -> solfec::Result<ContactSolution> {
        self.got = problem.clone();
        let none = vec![Vec3::zeros(); problem.q.len()];
        let mut op = Assembled::new(problem.w.clone(), problem.q.clone(), none)?;
        let laws: Vec<Law> = problem.friction.iter().map(|&friction| coulomb(friction)).collect();
        let fine = settings(1e-14, 20000, BlockSolver::Enumerative);
        let solution = solve_from(&mut op, &laws, &fine, &problem.r);
        let report = solution.report;
        let converged = report.status == Status::Converged;
        Ok(ContactSolution { r: solution.r, iterations: report.iterations, error: report.error, converged })
    }
}

fn by<D: WholeMatrix>(
    op: &mut D,
    laws: &[Law],
    outside: &mut dyn External,
) -> solfec::Result<(Vec<Vec3>, Vec<Vec3>, Report)> {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let deck = model::Siconos::default();
    let report = external(&mut Workspace::new(), op, laws, &deck, STEP, unknowns, outside)?;
    Ok((r, u, report))
}

/// Contacts with restitution and cohesion among prescribed velocities, on random bodies: as Gauss–Seidel solves them in
/// one sweep with all constraints.
#[test]
fn mixed_constraints_as_in_one_sweep() {
    for seed in 1..6 {
        let (bodies, rows) = random_system(12, 10, seed);
        let random = &mut Random(100 + seed);
        let mut law = |i: usize| match i % 4 {
            1 if i % 8 == 1 => Law::Velocity3 { target: 0.1 * random.vector() },
            3 => Law::Velocity { target: 0.1 * random.number() },
            _ => Law::Coulomb {
                friction: 0.2 * (1.0 + random.number()),
                restitution: 0.5 * (1.0 + random.number()),
                cohesion: 5.0 * (1.0 + random.number()),
                closing: 0.0,
            },
        };
        let laws: Vec<Law> = (0..rows.len()).map(&mut law).collect();
        let mut op = filled(&bodies, &rows);
        let all = solve(&mut op, &laws, &settings(1e-14, 20000, BlockSolver::Enumerative));
        assert_eq!(all.report.status, Status::Converged, "seed {seed}");
        let (r, u, report) = by(&mut op, &laws, &mut Outside::default()).unwrap();
        assert_eq!(report.status, Status::Converged);
        assert!(report.merit < 1e-18 && report.residual < 1e-9, "seed {seed}: {report:?}");
        let scale = u.iter().map(Vec3::amax).fold(0.0, f64::max);
        for (u, v) in u.iter().zip(&all.u) {
            close(u, v, 1e-9 * scale);
        }
        let scale = r.iter().map(Vec3::amax).fold(0.0, f64::max);
        for (law, r) in laws.iter().zip(&r) {
            assert!(!matches!(law, Law::Velocity { .. }) || r.xy().amax() == 0.0);
            assert!(r.amax() <= scale && scale.is_finite());
        }
    }
}

/// A slab held by three fixed points, nine equations for six freedoms, with a ball on it and the ground below.
fn slab() -> (BodyOperator, Vec<Law>) {
    let weight = -10.0 * STEP.h;
    let slab = Inertia::Rigid {
        inverse_mass: 0.5,
        inverse_inertia: Mat3::from_diagonal_element(3.0),
        free: translation(Vec3::new(0.0, 0.0, weight)),
        previous: translation(Vec3::zeros()),
    };
    let ball = particle(1.0, Vec3::new(0.0, 0.0, weight));
    let identity = Mat3::identity();
    let fixed = [Vec3::x(), Vec3::y(), -Vec3::x()].map(|arm| row((1, 10), identity, body(0, arm), Some(End::Fixed)));
    let ground = row((1, 11), identity, body(0, -Vec3::z()), Some(End::Fixed));
    let top = row((2, 1), identity, body(1, Vec3::zeros()), Some(body(0, Vec3::new(0.2, 0.1, 0.5))));
    let mut op = BodyOperator::new();
    let [a, b, c] = fixed;
    op.fill(STEP.h, [slab, ball], &[a, b, c, ground, top]);
    let still = Law::Velocity3 { target: Vec3::zeros() };
    (op, vec![still, still, still, coulomb(0.5), coulomb(0.5)])
}

#[test]
fn redundant_constraints_share_their_reactions() {
    let (mut op, laws) = slab();
    let mut outside = Outside::default();
    let (r, u, report) = by(&mut op, &laws, &mut outside).unwrap();
    assert_eq!(outside.got.q.len(), 1, "the contact below a slab that cannot move takes no part");
    close(&r[3], &Vec3::zeros(), 0.0);
    close(&r[4], &Vec3::new(0.0, 0.0, 10.0), 1e-9);
    close(&(r[0] + r[1] + r[2]), &Vec3::new(0.0, 0.0, 30.0), 1e-9);
    u.iter().for_each(|u| close(u, &Vec3::zeros(), 1e-12));
    assert!(report.status == Status::Converged && report.merit < 1e-18, "{report:?}");
}

#[test]
fn without_contacts_nobody_is_asked() {
    struct Nobody;
    impl External for Nobody {
        fn solve(&mut self, _: &ContactProblem, _: &model::Siconos) -> solfec::Result<ContactSolution> {
            panic!("nobody is asked")
        }
    }
    let (weight, target) = (Vec3::new(0.0, 0.0, -10.0 * STEP.h), Vec3::new(0.5, 0.0, 0.25));
    let mut op = BodyOperator::new();
    let held = row((1, 2), Mat3::identity(), body(0, Vec3::zeros()), Some(End::Fixed));
    op.fill(STEP.h, [particle(2.0, weight)], &[held]);
    let (r, u, report) = by(&mut op, &[Law::Velocity3 { target }], &mut Nobody).unwrap();
    close(&u[0], &target, 1e-15);
    close(&r[0], &((target - weight) * 2.0 / STEP.h), 1e-12);
    assert_eq!(report.status, Status::Converged);

    let mut empty = BodyOperator::new();
    empty.fill(STEP.h, [], &[]);
    assert_eq!(by(&mut empty, &[], &mut Nobody).unwrap().2, Report::default());
}

#[test]
fn a_result_that_is_not_finite_leaves_the_guess() {
    struct Wild;
    impl External for Wild {
        fn solve(&mut self, problem: &ContactProblem, _: &model::Siconos) -> solfec::Result<ContactSolution> {
            let r = vec![Vec3::repeat(f64::NAN); problem.q.len()];
            Ok(ContactSolution { r, converged: true, ..ContactSolution::default() })
        }
    }
    let (r, u, report) = by(&mut column(1.0, 1.0), &[coulomb(0.0); 2], &mut Wild).unwrap();
    assert_eq!(report.status, Status::NotFinite);
    assert!(r.iter().chain(&u).all(|x| x.iter().all(|x| x.is_finite())) && report.merit.is_finite());
}

#[test]
fn what_cannot_be_passed_on_is_refused_by_name() {
    let link = Link { length: 1.0, distance: 1.0, reach: 0.5 * STEP.h };
    let spring = Elastic { force: 0.0, slope: -1.0, at: 0.0, lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    for (law, name) in [(Law::Link(link), "PUT_RIGID_LINK"), (Law::Spring(spring), "PUT_SPRING")] {
        let laws = [coulomb(0.0), law];
        let error = by(&mut column(1.0, 1.0), &laws, &mut Outside::default()).unwrap_err();
        assert!(error.to_string().starts_with("SICONOS_SOLVER: takes no") && error.to_string().contains(name));
    }
}

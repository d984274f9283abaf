//! Compliant contacts (docs/theory.md 7.9, 7.10) and cohesion, one or two contacts at a time.

use solfec_testing::ball::Ball;
use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::dynamics::Delassus;
use solfec::math::{Mat3, Vec3};
use solfec::model::{Analysis, BlockSolver, Penalty, PenaltyVariant};
use solfec::solver::{decohesion, penalty, Compliance, Conditions, Law, Status, Unknowns, Workspace};

#[test]
fn one_step_of_spring_and_damper() {
    let mut ball = Ball::new(0.01);
    ball.v = Vec3::new(0.0, 0.0, -0.1);
    let (r, u) = ball.reaction(-1e-3, PenaltyVariant::Implicit);
    near(r.z, 8.0, 1e-12);
    near(u.z, -0.02, 1e-14);
    let (r, u) = ball.reaction(-1e-3, PenaltyVariant::Explicit);
    near(r.z, 10.0, 1e-12);
    near(u.z, 0.0, 1e-14);
    ball.dashpot = -1.0;
    let (r, u) = ball.reaction(-1e-3, PenaltyVariant::Implicit);
    near(r.z, 40.0 / 3.0, 1e-12);
    near(u.z, 1.0 / 30.0, 1e-14);
}

#[test]
fn an_undamped_spring_keeps_energy() {
    let rebound = |h: f64| {
        let mut ball = Ball::new(h);
        let energy = |ball: &Ball| 0.5 * ball.v.z.powi(2) + 0.5 * ball.spring * ball.x.powi(2);
        let mut inside = 0;
        while ball.x <= 0.0 {
            let before = energy(&ball);
            ball.step();
            if ball.x <= 0.0 {
                near(energy(&ball), before, 1e-13);
                inside += 1;
            }
        }
        assert!(inside as f64 * h > 0.03, "half a period lasts 0.0314 s");
        ball.step();
        ball.v.z
    };
    near(rebound(1e-4), 1.0, 1e-4);
    near(rebound(1e-5), 1.0, 1e-6);
}

#[test]
fn rebound_of_a_damped_ball() {
    for (zeta, expected) in [(0.0, 1.0), (0.1, 0.744079398), (0.5, 0.298436059), (1.0, (-2.0_f64).exp())] {
        let mut ball = Ball::new(1e-5);
        ball.dashpot = 2.0 * zeta * ball.spring.sqrt();
        let mut depth = 0.0_f64;
        for _ in 0..8000 {
            ball.step();
            depth = depth.max(-ball.x);
        }
        near(ball.v.z, expected, 1e-6);
        if zeta == 1.0 {
            near(depth, 0.01 * (-1.0_f64).exp(), 1e-9);
        }
    }
}

#[test]
fn a_resting_ball_sinks_to_equilibrium() {
    // With half a unit of the last digit of the reference.
    let cases = [(1.0, 1e-2, 0.0, 1e-12), (1.5, 1e-2, 1.55e-4, 0.005e-4), (1.5, 1e-3, 1.6e-8, 0.05e-8)];
    for (hpow, h, excess, digit) in cases {
        let mut ball = Ball::new(h);
        ball.v = Vec3::zeros();
        ball.hpow = hpow;
        ball.load = Vec3::new(0.0, 0.0, -10.0);
        // At rest the reaction is the weight: the gap by bisection.
        let (mut low, mut high) = (-1.0, 0.0);
        for _ in 0..200 {
            let gap = 0.5 * (low + high);
            if ball.reaction(gap, PenaltyVariant::Implicit).0.z > 10.0 {
                low = gap;
            } else {
                high = gap;
            }
        }
        let exact = (10.0 / ball.spring).powf(1.0 / hpow);
        near(-low / exact - 1.0, excess, digit);
    }
}

#[test]
fn a_friction_block_sticks_and_slides() {
    let after = |push: f64, v: f64, steps: u32| {
        let mut ball = Ball::new(1e-3);
        ball.x = -1e-3;
        ball.v = Vec3::new(v, 0.0, 0.0);
        ball.friction = 0.3;
        ball.load = Vec3::new(push, 0.0, -10.0);
        (0..steps).for_each(|_| ball.step());
        ball.v.x
    };
    near(after(2.9, 0.0, 1000), 0.0, 1e-15);
    near(after(5.0, 0.0, 1000), 2.0, 1e-10);
    near(after(0.0, 2.0, 500), 2.0 - 0.3 * 10.0 * 0.5, 1e-10);
}

/// A contact at the corner of a block answers a tangential force aside and along the normal too: friction has the size
/// of its bound and acts against the slip all the same.
#[test]
fn friction_of_compliant_contacts_acts_against_the_slip() {
    let mut random = Random(7);
    let mut slid = 0;
    for _ in 0..200 {
        let a = Mat3::from_fn(|_, _| random.number());
        let w = (a * a.transpose() + Mat3::from_diagonal_element(0.05)) * 0.01;
        let b = Vec3::new(random.number(), random.number(), -0.1);
        let (gap, friction) = (-1e-3, 0.3 + 0.3 * random.number().abs());
        let law = Law::SpringDashpot(Compliance { gap, spring: 1e4, dashpot: 0.0, hpow: 1.0, friction, cohesion: 0.0 });
        let (mut r, mut u, mut parts) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        let implicit = Penalty { variant: PenaltyVariant::Implicit };
        penalty(&mut Workspace::new(), &mut single(w, b), &[law], &implicit, STEP, unknowns);
        let (r, u) = (r[0], u[0]);
        if r.z > 0.0 && r.xy().norm() > (1.0 - 1e-9) * friction * r.z {
            slid += 1;
            near(r.xy().norm(), friction * r.z, 1e-12 * r.z);
            assert!((r.xy() / r.xy().norm() + u.xy() / u.xy().norm()).norm() < 1e-10, "{r} at {u}");
        } else {
            assert!(u.xy().norm() < 1e-13, "{u}");
        }
    }
    assert!(slid > 100, "{slid}");
}

/// The column of 5.2 on a spring that carries both weights: the compliant contact feels its neighbour, and its merit
/// is that of its own law.
#[test]
fn compliant_contacts_in_gauss_seidel() {
    let spring = Law::SpringDashpot(Compliance {
        gap: -1e-3,
        spring: 2e4,
        dashpot: 0.0,
        hpow: 1.0,
        friction: 0.5,
        cohesion: 0.0,
    });
    let fine = settings(1e-14, 200, BlockSolver::SemismoothNewton);
    let solution = solve(&mut column(1.0, 1.0), &[spring, coulomb(0.5)], &fine);
    assert_eq!(solution.report.status, Status::Converged);
    close(&solution.r[0], &Vec3::new(0.0, 0.0, 20.0), 1e-10);
    close(&solution.r[1], &Vec3::new(0.0, 0.0, 10.0), 1e-10);
    assert!(solution.report.merit < 1e-20, "{}", solution.report.merit);
}

#[test]
fn explicit_penalty_reports_its_critical_step() {
    let mut ball = Ball::new(0.01);
    ball.dashpot = 40.0;
    let mut op = single(Mat3::from_diagonal_element(0.01), Vec3::zeros());
    let (mut r, mut u, mut parts) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let explicit = Penalty { variant: PenaltyVariant::Explicit };
    let law = [ball.law(-1e-3)];
    let report = penalty(&mut Workspace::new(), &mut op, &law, &explicit, STEP, unknowns);
    // m = 1, k = 1e4, ζ = 0.2.
    near(report.critical_step.unwrap(), 0.02 * (1.04_f64.sqrt() - 0.2), 1e-15);
}

/// The hanging block of 2.11 as one contact: m = 1, g = 10, h = 0.01.
#[test]
fn cohesion_holds_to_its_strength() {
    let hang = |cohesion: f64, friction: f64, pull: f64| {
        let law = [Law::Coulomb { friction, restitution: 0.0, cohesion, closing: 0.0 }];
        let mut op = single(Mat3::from_diagonal_element(0.01), Vec3::new(pull * 0.01, 0.0, 0.1));
        let solution = solve(&mut op, &law, &settings(1e-12, 20, BlockSolver::SemismoothNewton));
        assert!(solution.report.merit < 1e-24);
        let mut broken = Vec::new();
        decohesion(&law, op.diagonal(), &solution.r, &solution.u, solution.report.residual, &mut broken);
        (solution.r[0], solution.u[0], broken)
    };
    let (r, u, broken) = hang(11.0, 0.3, 0.0);
    close(&r, &Vec3::new(0.0, 0.0, -10.0), 1e-13);
    close(&u, &Vec3::zeros(), 1e-15);
    assert!(broken.is_empty());
    let (r, u, broken) = hang(9.0, 0.3, 0.0);
    close(&r, &Vec3::new(0.0, 0.0, -9.0), 1e-13);
    near(u.z, 0.01, 1e-15);
    assert_eq!(broken, [0]);
    // Without friction a cohesive contact holds as long as nothing slides.
    assert!(hang(11.0, 0.0, 0.0).2.is_empty());
    // The bound is 0.3 (−10 + 11): a pull of 0.29 sticks, one of 0.31 slides and breaks.
    assert!(hang(11.0, 0.3, 0.29).2.is_empty());
    assert_eq!(hang(11.0, 0.3, 0.31).2, [0]);
}

/// A cohesive spring-dashpot contact holds tension up to its strength, then gives that and breaks; so it does by
/// sliding (section 7, steps 6 and 7). m = 1, k = 1e4, h = 0.01.
#[test]
fn cohesive_springs_hold_to_their_strength() {
    let pull = |gap: f64, cohesion: f64, side: f64| {
        let ball = Ball { friction: 0.5, ..Ball::new(0.01) };
        let law = [Law::SpringDashpot(Compliance { cohesion, ..ball.compliance(gap) })];
        let mut op = single(Mat3::from_diagonal_element(0.01), Vec3::new(side, 0.0, 0.4));
        let (mut r, mut u, mut parts) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        let implicit = Penalty { variant: PenaltyVariant::Implicit };
        let report = penalty(&mut Workspace::new(), &mut op, &law, &implicit, STEP, unknowns);
        assert_eq!(report.status, Status::Converged);
        let mut broken = Vec::new();
        decohesion(&law, op.diagonal(), &r, &u, report.residual, &mut broken);
        (r[0], broken)
    };
    // The spring of a touching contact pushes only; the dashpot of one that has none pulls nothing.
    assert_eq!(pull(1e-3, 5.0, 0.0), (Vec3::zeros(), vec![]));
    // A spring under pressure that opens: (k|g| − k (h/4) b) / (1 + k h W/4) with b = 0.4, one side of zero or the
    // other.
    let (r, broken) = pull(-2e-3, 5.0, 0.0);
    near(r.z, (20.0 - 10.0) / 1.25, 1e-12);
    assert!(broken.is_empty());
    // A dashpot pulls: d = 100 and no overlap: −(d/2)(b + v) / (1 + k h W/4 + d W/2) = −20/1.75, more than 5.
    let damped = |cohesion: f64| {
        let ball = Ball { dashpot: 100.0, ..Ball::new(0.01) };
        let law = [Law::SpringDashpot(Compliance { cohesion, ..ball.compliance(0.0) })];
        let mut op = single(Mat3::from_diagonal_element(0.01), Vec3::new(0.0, 0.0, 0.4));
        let solution = solve(&mut op, &law, &settings(1e-12, 20, BlockSolver::SemismoothNewton));
        let mut broken = Vec::new();
        decohesion(&law, op.diagonal(), &solution.r, &solution.u, solution.report.residual, &mut broken);
        (solution.r[0].z, broken)
    };
    assert_eq!(damped(0.0), (0.0, vec![]));
    assert_eq!(damped(5.0), (-5.0, vec![0]));
    let (r, broken) = damped(12.0);
    near(r, -20.0 / 1.75, 1e-12);
    assert!(broken.is_empty());
    // Sliding: the bound is 0.5 · 8 N; a side velocity of 0.05 m/s needs 5 N, one of 0.03 only 3 N.
    assert_eq!(pull(-2e-3, 5.0, 0.05).1, [0]);
    assert!(pull(-2e-3, 5.0, 0.03).1.is_empty());
}

/// In quasi-statics the law holds at the end of the step: R = −k (g + hU) − dU with U = B + W R. m = 1, h = 0.1, k =
/// 1e4, g = 0, falling by B = −1.
#[test]
fn quasi_static_springs_act_at_the_end_of_the_step() {
    let step = Conditions { h: 0.1, analysis: Analysis::QuasiStatic, energy: 0.0 };
    let implicit = Penalty { variant: PenaltyVariant::Implicit };
    for (dashpot, expected) in [(0.0, 1000.0 / 101.0), (100.0, 1100.0 / 111.0)] {
        let law = [Law::SpringDashpot(Compliance { dashpot, ..Ball::new(0.1).compliance(0.0) })];
        let mut op = single(Mat3::from_diagonal_element(0.1), -Vec3::z());
        let (mut r, mut u, mut parts) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        let report = penalty(&mut Workspace::new(), &mut op, &law, &implicit, step, unknowns);
        near(r[0].z, expected, 1e-12);
        near(r[0].z, -1e4 * 0.1 * u[0].z - dashpot * u[0].z, 1e-9);
        assert!(report.merit < 1e-24, "{}", report.merit);
    }
    let mut op = single(Mat3::from_diagonal_element(0.1), -Vec3::z());
    let law = [Law::SpringDashpot(Ball::new(0.1).compliance(-1e-3))];
    let (mut r, mut u, mut parts) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let explicit = Penalty { variant: PenaltyVariant::Explicit };
    let report = penalty(&mut Workspace::new(), &mut op, &law, &explicit, step, unknowns);
    near(r[0].z, 10.0, 1e-12);
    near(report.critical_step.unwrap(), (2.0_f64 / 1e4).sqrt(), 1e-15);
}

/// A quasi-static cohesive contact that stands open by g closes within its strength: U_N = −g/h.
#[test]
fn quasi_static_gaps_close() {
    let (h, gap) = (STEP.h, 1e-3);
    let law = |cohesion| [Law::Coulomb { friction: 0.3, restitution: 0.0, cohesion, closing: gap / h }];
    let w = Mat3::from_diagonal_element(0.01);
    let fine = settings(1e-12, 20, BlockSolver::SemismoothNewton);
    // Pushed faster than the gap: it closes and the reaction stops the rest.
    let pushed = solve(&mut single(w, Vec3::new(0.0, 0.0, -0.3)), &law(0.0), &fine);
    near(pushed.u[0].z, -gap / h, 1e-14);
    near(pushed.r[0].z, 20.0, 1e-10);
    // Pushed more slowly: free.
    let slow = solve(&mut single(w, Vec3::new(0.0, 0.0, -0.05)), &law(0.0), &fine);
    assert_eq!((slow.r[0].z, slow.u[0].z), (0.0, -0.05));
    // Pulled: the strength of 11 N holds 10 N back and keeps to it while the gap is open.
    let pulled = solve(&mut single(w, Vec3::new(0.0, 0.0, 0.1)), &law(11.0), &fine);
    near(pulled.r[0].z, -11.0, 1e-10);
    assert!(pulled.report.merit < 1e-24);
}

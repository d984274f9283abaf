//! Bilateral constraints, links and springs (docs/theory.md 8): their laws, one block at a time and over time, and with
//! the contacts of the penalty solver.

use crate::problems::assembled;
use solfec_testing::ball::Ball;
use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::dynamics::{Assembled, BodyOperator, Delassus, End, WholeMatrix};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{BlockSolver, GaussSeidel, Penalty, PenaltyVariant};
use solfec::solver::{penalty, Elastic, Law, Link, Report, Status, Unknowns, Workspace};

fn fine() -> GaussSeidel {
    settings(1e-12, 1000, BlockSolver::SemismoothNewton)
}

fn random_block(random: &mut Random) -> Mat3 {
    let a = random.matrix();
    a * a.transpose() + Mat3::from_diagonal_element(0.2)
}

/// `U` is as asked for; the kinds with one component leave the tangents alone.
#[test]
fn velocities_are_as_prescribed() {
    let random = &mut Random(51);
    for _ in 0..100 {
        let (w, b, target) = (random_block(random), random.vector(), random.vector());
        let full = solve(&mut single(w, b), &[Law::Velocity3 { target }], &fine());
        close(&full.u[0], &target, 1e-13);
        let normal = solve(&mut single(w, b), &[Law::Velocity { target: target.z }], &fine());
        near(normal.u[0].z, target.z, 1e-13);
        assert_eq!((normal.r[0].x, normal.r[0].y), (0.0, 0.0));
        close(&normal.u[0], &(b + w.column(2) * normal.r[0].z), 1e-13);
        assert_eq!((full.report.iterations, normal.report.iterations), (2, 2));
        assert!(full.report.merit < 1e-24 && normal.report.merit < 1e-24);
    }
}

/// The end of the step is at the length of the link, by the smaller of both forces that bring it there.
#[test]
fn links_end_at_their_length() {
    let random = &mut Random(52);
    for _ in 0..1000 {
        let (w, b, reach) = (random_block(random), 10.0 * random.vector(), 0.005);
        let link = Link { length: 1.0 + 0.5 * random.number(), distance: 1.0 + 0.5 * random.number(), reach };
        if (reach * b.xy().norm()) > 0.5 * link.length {
            continue;
        }
        let r = link.reaction(&w, &b);
        let end = |r: f64| Vec3::z() * link.distance + reach * (b + w.column(2) * r);
        let column: Vec3 = reach * w.column(2);
        // Roots of a² r² + 2 (y·a) r + … have the sum −2 (y·a)/a².
        let other = -2.0 * end(0.0).dot(&column) / column.norm_squared() - r;
        if link.length.powi(2) * column.norm_squared() <= end(0.0).cross(&column).norm_squared() {
            continue;
        }
        near(end(r).norm(), link.length, 1e-14);
        near(end(other).norm(), link.length, 1e-9);
        assert!(r.abs() <= other.abs());
        let u = b + w.column(2) * r;
        near(link.defect(&u), 0.0, 1e-10);
        near(link.excess(&u), 0.0, 1e-14);
        let solution = solve(&mut single(w, b), &[Law::Link(link)], &fine());
        near(solution.r[0].z, r, 1e-12 * r.abs());
    }
}

#[test]
fn slopes_of_links_are_derivatives() {
    let link = Link { length: 1.1, distance: 1.05, reach: 0.1 };
    let (u, step) = (Vec3::new(2.0, -3.0, 0.7), 1e-6);
    let slope = link.slope(&u);
    for k in 0..3 {
        let d = Vec3::ith(k, step);
        near((link.defect(&(u + d)) - link.defect(&(u - d))) / (2.0 * step), slope[k], 1e-8);
    }
    // And the defect is the formula of docs/theory.md.
    let level = 1.1_f64 * 1.1 - 0.01 * 13.0;
    near(link.defect(&u), 0.7 - (level.sqrt() - 1.05) / 0.1, 1e-13);
}

/// A link that cannot reach its length comes as near to it as it can, and reports the difference.
#[test]
fn a_link_out_of_reach_comes_near() {
    let link = Link { length: 0.5, distance: 1.0, reach: 0.005 };
    let (w, b) = (Mat3::from_diagonal_element(0.01), Vec3::new(200.0, 0.0, 0.0));
    let solution = solve(&mut single(w, b), &[Law::Link(link)], &fine());
    let end = |r: f64| (Vec3::z() * link.distance + link.reach * (b + w.column(2) * r)).norm();
    let r = solution.r[0].z;
    assert!(end(r) <= end(r * 1.001) && end(r) <= end(r * 0.999) && end(r) > 0.5);
    near(link.excess(&solution.u[0]), 0.5, 1e-15);
}

/// Two linked unit masses that circle one another (2.1): distance, speed and force for a thousand steps, and the angle.
#[test]
fn linked_masses_circle() {
    let (h, mut z, mut v) = (STEP.h, Vec3::x(), 2.0 * Vec3::y());
    let mut angle = 0.0;
    for _ in 0..1000 {
        let middle = z + 0.5 * h * v;
        let base = local_base(&middle.normalize());
        let link = Link { length: 1.0, distance: middle.norm(), reach: 0.5 * h };
        let mut op = single(Mat3::from_diagonal_element(2.0 * h), base.tr_mul(&v));
        let solution = solve(&mut op, &[Law::Link(link)], &fine());
        near(solution.r[0].z, -1.9999000075, 1e-9);
        v = base * solution.u[0];
        let end = middle + 0.5 * h * v;
        angle += (z.x * end.y - z.y * end.x).atan2(z.dot(&end));
        z = end;
        near(z.norm(), 1.0, 1e-12);
        near(v.norm(), 2.0, 1e-11);
    }
    near(angle.rem_euclid(std::f64::consts::TAU), 1.1497774518, 1e-9);
}

/// A unit mass on a spring, implicit at mid-step (2.7): k = 100, h = 0.01, the energy stays for ten thousand steps.
#[test]
fn springs_keep_energy() {
    let (h, k) = (0.01, 100.0);
    let (mut s, mut v) = (0.1, 0.0);
    for _ in 0..10_000 {
        let middle = s + 0.5 * h * v;
        let spring =
            Elastic { force: -k * middle, slope: -0.25 * k * h, at: v, lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        let mut op = single(Mat3::from_diagonal_element(h), Vec3::z() * v);
        let solution = solve(&mut op, &[Law::Spring(spring)], &fine());
        v = solution.u[0].z;
        s = middle + 0.5 * h * v;
        near(0.5 * v * v + 0.5 * k * s * s, 0.5, 1e-12);
    }
}

/// Stops push when the velocity would leave their bounds, and only then.
#[test]
fn stops_hold_springs() {
    let w = Mat3::from_diagonal_element(0.5);
    let spring = Elastic { force: 1.0, slope: -2.0, at: 0.0, lower: -0.5, upper: 0.25 };
    for (b, expected_u) in [(-3.0, -0.5), (3.0, 0.25), (-0.2, 0.15)] {
        let solution = solve(&mut single(w, Vec3::z() * b), &[Law::Spring(spring)], &fine());
        let (r, u) = (solution.r[0].z, solution.u[0].z);
        near(u, expected_u, 1e-15);
        assert!(solution.report.merit < 1e-24);
        // At a stop it pushes away from it, beyond the spring.
        let beyond = r - spring.force(u);
        match u {
            u if u <= -0.5 => assert!(beyond > 0.0),
            u if u >= 0.25 => assert!(beyond < 0.0),
            _ => near(beyond, 0.0, 1e-14),
        }
    }
    // The defect is W_NN (f − R) between the stops.
    near(spring.defect(0.5, 0.7, 0.1), -0.5 * (0.8 - 0.7), 1e-15);
}

fn by_penalty<D: Delassus>(op: &mut D, laws: &[Law], variant: PenaltyVariant) -> (Vec<Vec3>, Vec<Vec3>, Report) {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let report = penalty(&mut Workspace::new(), op, laws, &Penalty { variant }, STEP, unknowns);
    near(parts.iter().sum::<f64>(), report.merit, 1e-12 * report.merit);
    (r, u, report)
}

/// A ball on a compliant floor, and on it two others by a link and by a pin: its contact pushes as without them, then
/// they are solved with its reaction.
fn pinned_balls() -> (BodyOperator, Vec<Law>) {
    let fall = -10.0 * STEP.h * Vec3::z();
    let bodies = [particle(1.0, fall), particle(2.0, fall + 0.3 * Vec3::x()), particle(0.5, fall)];
    let up = local_base(&Vec3::z());
    let end = |slot| body(slot, Vec3::zeros());
    let rows = [
        row((0, 1), up, end(0), Some(End::Fixed)),
        row((1, 2), up, end(1), Some(end(0))),
        row((2, 3), Mat3::identity(), end(2), Some(end(1))),
    ];
    let link = Link { length: 1.0, distance: 1.0, reach: 0.5 * STEP.h };
    let floor = Law::SpringDashpot(Ball::new(STEP.h).compliance(-1e-3));
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies, &rows);
    (op, vec![floor, Law::Link(link), Law::Velocity3 { target: Vec3::zeros() }])
}

/// What a guess has aside of a scalar row is taken off its bodies too.
#[test]
fn guesses_that_scalar_laws_do_not_admit_change_nothing() {
    let bodies = [particle(1.0, Vec3::new(0.1, 0.2, -0.3)), particle(2.0, Vec3::new(-0.2, 0.1, 0.4))];
    let end = |slot| body(slot, Vec3::zeros());
    let rows = [
        row((0, 1), local_base(&Vec3::z()), end(0), Some(End::Fixed)),
        row((1, 2), local_base(&Vec3::new(1.0, 2.0, 2.0).normalize()), end(1), Some(end(0))),
    ];
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies, &rows);
    let laws = [Law::Velocity { target: 0.05 }, Law::Velocity { target: 0.1 }];
    let plain = solve(&mut op, &laws, &fine());
    let guessed = solve_from(&mut op, &laws, &fine(), &[Vec3::new(3.0, -2.0, 1.0), Vec3::new(5.0, 7.0, -1.0)]);
    for (a, b) in plain.r.iter().zip(&guessed.r) {
        assert!(a.norm() > 1.0 && (a - b).norm() <= 1e-9, "{a:?} {b:?}");
    }
}

#[test]
fn penalty_solves_bilateral_constraints() {
    for variant in [PenaltyVariant::Implicit, PenaltyVariant::Explicit] {
        let (mut bodies, laws) = pinned_balls();
        let (free, previous) = (bodies.free().to_vec(), bodies.previous().to_vec());
        let mut op = Assembled::new(bodies.assemble(), free, previous).unwrap();
        let (r, u, report) = by_penalty(&mut op, &laws, variant);
        let (other, _, _) = by_penalty(&mut bodies, &laws, variant);
        assert_eq!(report.status, Status::Converged);
        assert!(report.iterations > 1 && report.error <= 1e-4, "{report:?}");
        // The contact alone.
        let mut alone = single(op.diagonal()[0], op.free()[0]);
        let (contact, _, single_report) = by_penalty(&mut alone, &laws[..1], variant);
        assert_eq!((r[0], single_report.iterations), (contact[0], 1));
        // The others hold at its reaction, which is in their free velocities.
        let mut exact = op.clone();
        let held =
            Law::Spring(Elastic { force: r[0].z, slope: 0.0, at: 0.0, lower: f64::NEG_INFINITY, upper: f64::INFINITY });
        let solution = solve(&mut exact, &[held, laws[1], laws[2]], &settings(1e-14, 10_000, SOLVERS[0]));
        let force = solution.r.iter().map(Vec3::norm).fold(0.0, f64::max);
        for found in [&r, &other] {
            assert_eq!(found[0], contact[0]);
            found.iter().zip(&solution.r).for_each(|(r, exact)| close(r, exact, 1e-3 * force));
        }
        close(&u[2], &Vec3::zeros(), 1e-4);
        let product = op.free()[1] + op.matrix().row_product(1, &r);
        close(&u[1], &product, 1e-15);
    }
}

#[test]
fn penalty_reports_contradictions() {
    let (mut op, mut laws) = pinned_balls();
    assert_eq!(by_penalty(&mut op, &laws, PenaltyVariant::Implicit).2.status, Status::Converged);
    // Two demands on one ball.
    let pin = row((0, 1), Mat3::identity(), body(0, Vec3::zeros()), Some(End::Fixed));
    let mut op = assembled(&[particle(1.0, Vec3::zeros())], &[pin, pin]);
    laws = [0.0, 1.0].map(|x| Law::Velocity3 { target: x * Vec3::x() }).to_vec();
    let (r, _, report) = by_penalty(&mut op, &laws, PenaltyVariant::Implicit);
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 1000));
    assert!(r.iter().all(|r| r.norm().is_finite()));
}

/// Every law in one sweep, coupled through one body.
#[test]
fn all_laws_in_one_sweep() {
    let fall = Vec3::new(0.2, -0.1, -10.0 * STEP.h);
    let bodies = [particle(1.0, fall), particle(2.0, 0.5 * fall), particle(1.5, -fall)];
    let end = |slot| body(slot, Vec3::zeros());
    let base = |x, y, z| local_base(&Vec3::new(x, y, z).normalize());
    let rows = [
        row((0, 1), base(0.0, 0.0, 1.0), end(0), Some(End::Fixed)),
        row((0, 1), base(0.2, 0.1, 1.0), end(0), Some(End::Fixed)),
        row((0, 2), base(1.0, 0.2, 0.0), end(1), Some(End::Fixed)),
        row((0, 3), Mat3::identity(), end(2), Some(End::Fixed)),
        row((1, 2), base(0.3, 0.1, 0.9), end(1), Some(end(0))),
        row((2, 3), base(0.1, 0.8, 0.2), end(2), Some(end(1))),
    ];
    let floor = Ball { friction: 0.3, ..Ball::new(STEP.h) };
    let spring = Elastic { force: 3.0, slope: -20.0, at: 0.1, lower: -1.0, upper: 1.0 };
    let laws = [
        floor.law(-1e-4),
        coulomb(0.4),
        Law::Velocity { target: 0.05 },
        Law::Velocity3 { target: Vec3::new(0.0, 0.1, 0.0) },
        Law::Link(Link { length: 1.0, distance: 1.0001, reach: 0.5 * STEP.h }),
        Law::Spring(spring),
    ];
    let mut op = assembled(&bodies, &rows);
    for solver in SOLVERS {
        let solution = solve(&mut op, &laws, &settings(1e-13, 10_000, solver));
        let report = solution.report;
        assert_eq!((report.status, report.failed_blocks), (Status::Converged, 0), "{report:?}");
        assert!(report.merit < 1e-20 && report.residual < 1e-10, "{report:?}");
        assert!(solution.parts.iter().all(|&part| part < 1e-20));
        near(solution.u[2].z, 0.05, 1e-10);
        near(solution.r[5].z, spring.force(solution.u[5].z), 1e-8);
    }
}

//! The operator of bodies factorises in the space of velocities where that is less work than with an assembled W: the
//! methods that factorise need not know.

use solfec::dynamics::{Assembled, BodyOperator, Delassus, WholeMatrix};
use solfec::math::{Mat3, Vec3};
use solfec::model::{Admm, InteriorPoint, ProximalNewton};
use solfec::solver::{admm, auto, interior_point, proximal_newton, Goal, Law, Report, Status, Unknowns};

use solfec_testing::problems::{coulomb, filled, random_system, Random, STEP};

fn far(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

fn size(x: &[Vec3]) -> f64 {
    x.iter().map(Vec3::norm).fold(0.0, f64::max)
}

/// Many constraints on few bodies of all forms, and the same with an assembled W.
fn crowd() -> (BodyOperator, Assembled) {
    let (bodies, rows) = random_system(16, 150, 61);
    let op = filled(&bodies, &rows);
    let assembled = Assembled::new(op.assemble(), op.free().to_vec(), op.previous().to_vec()).expect("a good problem");
    (op, assembled)
}

#[test]
fn factors_and_products_are_those_of_the_assembled_matrix() {
    let (mut op, mut assembled) = crowd();
    let n = op.len();
    let [cost, whole] = [op.prepare_factors(), assembled.prepare_factors()].map(|cost| cost.expect("small"));
    assert!(3.0 * cost.products < whole.products, "{cost:?} {whole:?}");
    let random = &mut Random(62);
    let vectors: Vec<Vec3> = (0..n).map(|_| random.vector()).collect();
    let (mut one, mut two) = (vectors.clone(), vectors.clone());
    op.product(&vectors, &mut one);
    assembled.product(&vectors, &mut two);
    assert!(far(&one, &two) < 1e-13 * size(&two));
    let scale: Vec<f64> = op.diagonal().iter().map(Mat3::norm).collect();
    for least in [1.0_f64, 1e-6] {
        // Rows that are open, and those that stick, softly or hardly so.
        let x: Vec<Mat3> = (0..n).map(|i| if i % 4 == 1 { Mat3::zeros() } else { Mat3::identity() }).collect();
        let soft = |i: usize| if i % 4 == 1 { 1.0 } else { scale[i] * least.powf((i % 3) as f64 / 2.0) };
        let y: Vec<Mat3> =
            (0..n).map(|i| Mat3::from_diagonal_element(soft(i)) + 0.1 * soft(i) * random.matrix()).collect();
        assert!(op.factor(&x, &y) && assembled.factor(&x, &y));
        (one, two) = (vectors.clone(), vectors.clone());
        op.solve(&mut one);
        assembled.solve(&mut two);
        assert!(far(&one, &two) < 1e-14 / least * size(&two).max(1.0), "{least}: {}", far(&one, &two) / size(&two));
    }
    assert_eq!(op.assemblies(), 1, "only the test asked for W");
    assert!(!op.factor(&vec![Mat3::zeros(); n], &vec![Mat3::zeros(); n]));
}

/// Solves by one of the methods that factorise, or by all in turn.
fn solve<D: Delassus>(method: usize, op: &mut D, laws: &[Law]) -> (Vec<Vec3>, Report) {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let goal = Goal::Merit(1e-18);
    let report = match method {
        0 => interior_point(op, laws, &InteriorPoint::default(), goal, STEP, unknowns),
        1 => proximal_newton(op, laws, &ProximalNewton::default(), goal, STEP, unknowns),
        2 => admm(op, laws, &Admm::default(), goal, STEP, unknowns),
        _ => auto(op, laws, goal, STEP, unknowns),
    };
    (u, report)
}

/// Reactions of so many constraints are not unique; velocities are, without friction.
#[test]
fn methods_that_factorise_find_the_same_without_the_assembled_matrix() {
    let n = crowd().0.len();
    let mut laws = vec![coulomb(0.0); n];
    laws[11] = Law::Coulomb { friction: 0.0, restitution: 0.0, cohesion: 0.5, closing: 0.0 };
    for method in 0..4 {
        let (mut op, mut assembled) = crowd();
        let (u, report) = solve(method, &mut op, &laws);
        let (exact, whole) = solve(method, &mut assembled, &laws);
        assert_eq!((report.status, whole.status), (Status::Converged, Status::Converged), "method {method}");
        let off = far(&u, &exact) / size(&exact);
        assert!(off < 1e-6, "method {method}: {off}");
        assert_eq!(op.assemblies(), 1, "only the test asked for W");
    }
}

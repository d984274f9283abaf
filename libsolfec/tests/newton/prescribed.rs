//! Points of one body with prescribed velocities, which feel each other strongly.

use super::*;
use solfec::body::{Axes, Condensed, MaterialPoint, NO_ELEMENT};
use solfec::dynamics::Row;
use solfec::ids::{BodyIndex, ObjectIndex, Slot};
use solfec::math::local_base;
use solfec::solver::Status;

/// A string of springs between points of unit distance, its first one held softly: what a force does at one point it
/// does at all beyond. Points between stand for their place.
struct Strip;

impl Condensed for Strip {
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = Vec3::new(0.1, point.reference.x.sin(), -1.0));
    }

    fn previous(&self, _points: &[MaterialPoint], out: &mut [Vec3]) {
        out.fill(Vec3::zeros());
    }

    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
        for (k, block) in out.iter_mut().enumerate() {
            let place = |k: usize| points[k].reference.x;
            let common = place(k / points.len()).min(place(k % points.len()));
            *block = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0)) * (5.0 + common);
        }
    }
}

fn at(x: f64) -> End {
    let point = MaterialPoint {
        body: BodyIndex(0),
        object: ObjectIndex::NONE,
        element: NO_ELEMENT,
        reference: Vec3::new(x, 0.0, 0.0),
    };
    End::Point { slot: Slot(0), point, axes: Axes::All }
}

fn held(rows: &[Row]) -> BodyOperator {
    let mut op = BodyOperator::new();
    op.fill(STEP.h, [Inertia::Condensed(&Strip)], rows);
    op
}

/// 30 fixed points, 30 fixed directions, and a contact at the end.
fn rows(places: impl Fn(usize) -> f64) -> (Vec<Row>, Vec<Law>) {
    let base = |k: usize| local_base(&Vec3::new(1.0, k as f64, 3.0).normalize());
    let row = |(k, x): (usize, f64)| row((0, 1), base(k), at(x), Some(End::Fixed));
    let law = |k: usize| match k {
        0..30 => Law::Velocity3 { target: Vec3::new(0.0, 0.1, 0.0) },
        30..60 => Law::Velocity { target: 0.2 },
        _ => coulomb(0.3),
    };
    ((0..61).map(|k| row((k, places(k)))).collect(), (0..61).map(law).collect())
}

fn assert_prescribed(laws: &[Law], found: &Solution) {
    for (law, u) in laws.iter().zip(&found.u) {
        assert!(law.missed(u) < 1e-7, "{law:?} {u}");
    }
}

/// One factor serves all: two products a step of Newton's method, whatever the points do to each other.
#[test]
fn prescribed_velocities_of_a_body_are_solved_for_together() {
    let (rows, laws) = rows(|k| 1.0 + k as f64);
    let settings = Newton { gsflag: false, ..Newton { meritval: 1e-16, ..Newton::default() } };
    let alone = solve(&mut held(&rows[..60]), &laws[..60], &settings);
    assert_eq!((alone.report.status, alone.report.iterations), (Status::Converged, 1));
    assert!(alone.products[0] <= 3, "{:?}", alone.products);
    assert_prescribed(&laws[..60], &alone);
    let touched = solve(&mut held(&rows), &laws, &settings);
    assert_eq!(touched.report.status, Status::Converged);
    assert!(touched.products.last().unwrap() <= &60, "{:?}", touched.products);
    assert_prescribed(&laws, &touched);
    // A shift that is far from small: the factor has it too.
    let shifted = solve(&mut held(&rows[..60]), &laws[..60], &Newton { delta: 1e-3, ..settings });
    assert_eq!(shifted.report.status, Status::Converged);
    assert_prescribed(&laws[..60], &shifted);
}

/// A place that is fixed twice makes the matrix singular: the blocks alone do.
#[test]
fn places_that_are_fixed_twice_are_solved_for_too() {
    let (rows, laws) = rows(|k| 1.0 + (k % 20) as f64);
    let laws: Vec<Law> = laws.iter().map(|_| Law::Velocity3 { target: Vec3::zeros() }).collect();
    let settings = Newton { meritval: 1e-14, gsflag: false, maxiter: 500, ..Newton::default() };
    let found = solve(&mut held(&rows), &laws, &settings);
    assert_eq!(found.report.status, Status::Converged);
    assert!(found.u.iter().all(|u| u.norm() < 1e-5), "{:?}", found.u);
}

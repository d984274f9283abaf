//! Bodies in condensed form against the same bodies in rigid and affine form, and a large one on several threads.

use std::fs;

use solfec::body::{Attachment, Axes, Condensed, Forces, Inertia, MaterialPoint, NO_ELEMENT};
use solfec::dynamics::{BodyOperator, Delassus, End, Row, WholeMatrix};
use solfec::ids::{BodyIndex, ObjectIndex, Slot};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{BlockSolver, GaussSeidel};
use solfec::solver::{interior_point, Goal, Law, Status, Unknowns};

use solfec_testing::problems::*;
use solfec_testing::threads::with_threads;

/// A body of another form that answers for its points; their reference places are arms.
struct Points<'a>(Inertia<'a>);

impl Points<'_> {
    fn velocity(&self, arm: &Vec3, previous: bool) -> Vec3 {
        match &self.0 {
            Inertia::Rigid { free, previous: before, .. } => {
                let twist = if previous { before } else { free };
                twist.linear + twist.angular.cross(arm)
            }
            Inertia::Affine { free, previous: before, .. } => {
                let rate = if previous { before } else { free };
                rate.v + rate.fdot * arm
            }
            Inertia::Condensed(_) => panic!("a body of another form"),
        }
    }

    /// Velocity at arm `a` for unit forces at arm `b`.
    fn response(&self, a: &Vec3, b: &Vec3) -> Mat3 {
        let column = |force: Vec3| match &self.0 {
            Inertia::Rigid { inverse_mass, inverse_inertia, .. } => {
                force * *inverse_mass + (inverse_inertia * b.cross(&force)).cross(a)
            }
            Inertia::Affine { inverse_mass, inverse, .. } => {
                force * *inverse_mass + inverse.apply(&(force * b.transpose())) * a
            }
            Inertia::Condensed(_) => panic!("a body of another form"),
        };
        Mat3::from_columns(&[column(Vec3::x()), column(Vec3::y()), column(Vec3::z())])
    }
}

impl Condensed for Points<'_> {
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.velocity(&point.reference, false));
    }

    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.velocity(&point.reference, true));
    }

    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
        let n = points.len();
        for a in 0..n {
            for b in a..n {
                let block = self.response(&points[a].reference, &points[b].reference);
                out[a * n + b] = if a == b { 0.5 * (block + block.transpose()) } else { block };
                out[b * n + a] = out[a * n + b].transpose();
            }
        }
    }
}

fn at_point(slot: Slot, arm: Vec3) -> End {
    let point =
        MaterialPoint { body: BodyIndex(slot.0), object: ObjectIndex::NONE, element: NO_ELEMENT, reference: arm };
    End::Point { slot, point, axes: Axes::All }
}

/// The same constraint with its ends at points of the condensed bodies.
fn condensed_row(row: &Row, condensed: impl Fn(Slot) -> bool) -> Row {
    let end = |end: End| match end {
        End::Body { slot, arm } if condensed(slot) => at_point(slot, arm),
        End::Body { .. } | End::Fixed | End::Point { .. } => end,
    };
    Row { master: end(row.master), slave: row.slave.map(end), ..*row }
}

fn choose<'a>(condensed: bool, body: &'a Body, points: &'a Points<'a>) -> Inertia<'a> {
    if condensed {
        Inertia::Condensed(points)
    } else {
        body.inertia()
    }
}

/// A random system in rigid and affine form, and with two of three bodies in condensed form.
fn twins(bodies: &[Body], rows: &[Row]) -> [BodyOperator; 2] {
    let condensed = |slot: Slot| !slot.0.is_multiple_of(3);
    let points: Vec<Points> = bodies.iter().map(|body| Points(body.inertia())).collect();
    let rows_at_points: Vec<Row> = rows.iter().map(|row| condensed_row(row, condensed)).collect();
    let all: Vec<Row> = rows.iter().map(|row| condensed_row(row, |_| true)).collect();
    let mut op = BodyOperator::new();
    // Memory of an earlier step leaves no trace.
    op.fill(STEP.h, points.iter().map(|points| Inertia::Condensed(points)), &all);
    let inertia = |(k, (body, points))| -> Inertia<'_> { choose(condensed(Slot(k)), body, points) };
    op.fill(STEP.h, (0..).zip(bodies.iter().zip(&points)).map(inertia), &rows_at_points);
    [filled(bodies, rows), op]
}

fn far(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

fn size(x: &[Vec3]) -> f64 {
    x.iter().map(Vec3::norm).fold(0.0, f64::max)
}

#[test]
fn local_dynamics_are_those_of_the_other_forms() {
    let (bodies, rows) = random_system(60, 120, 51);
    let [plain, condensed] = twins(&bodies, &rows);
    assert!(far(plain.free(), condensed.free()) < 1e-13 * size(plain.free()));
    assert!(far(plain.previous(), condensed.previous()) < 1e-13 * size(plain.previous()));
    let (w, v) = (plain.assemble(), condensed.assemble());
    assert_eq!((&w.row_offset, &w.column), (&v.row_offset, &v.column));
    let scale = w.block.iter().map(|block| block.amax()).fold(0.0, f64::max);
    w.block.iter().zip(&v.block).for_each(|(w, v)| assert!((w - v).amax() < 1e-13 * scale));
}

#[test]
fn solutions_and_forces_are_those_of_the_other_forms() {
    let (bodies, rows) = random_system(40, 30, 52);
    let [mut plain, mut condensed] = twins(&bodies, &rows);
    let laws: Vec<Law> = (0..rows.len()).map(|i| coulomb(0.1 * (i % 5) as f64)).collect();
    let fine = settings(1e-13, 5000, BlockSolver::SemismoothNewton);
    let exact = solve(&mut plain, &laws, &fine);
    let found = solve(&mut condensed, &laws, &fine);
    assert_eq!((exact.report.status, found.report.status), (Status::Converged, Status::Converged));
    assert!(far(&exact.r, &found.r) < 1e-9 * size(&exact.r));
    assert!(far(&exact.u, &found.u) < 1e-9 * size(&exact.u));

    let n = rows.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let report = interior_point(&mut condensed, &laws, &Default::default(), Goal::Merit(1e-24), STEP, unknowns);
    assert_eq!(report.status, Status::Converged);
    assert!(far(&exact.u, &u) < 1e-9 * size(&exact.u));

    let slots: Vec<Slot> = (0..bodies.len() as u32).map(Slot).collect();
    for k in 0..bodies.len() {
        let list = |op: &BodyOperator| {
            let mut list = Vec::new();
            op.reactions(&exact.r, &slots).on(BodyIndex(k as u32), &mut |force| list.push(*force));
            list
        };
        let (plain, condensed) = (list(&plain), list(&condensed));
        assert_eq!(plain.len(), condensed.len());
        for (a, b) in plain.iter().zip(&condensed) {
            assert_eq!(a.force, b.force);
            match (a.at, b.at) {
                (Attachment::Arm(arm), Attachment::Point(point)) => assert_eq!(arm, point.reference),
                (a, b) => assert_eq!(a, b),
            }
        }
    }
}

/// A body that gives way around a force, besides its motion as a whole.
struct Soft<'a>(Points<'a>);

impl Condensed for Soft<'_> {
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        self.0.free(points, out);
    }

    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        self.0.previous(points, out);
    }

    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
        self.0.compliance(points, out);
        for (k, block) in out.iter_mut().enumerate() {
            let way = points[k / points.len()].reference - points[k % points.len()].reference;
            *block += Mat3::from_diagonal_element(20.0 / (1.0 + 200.0 * way.norm_squared()));
        }
    }
}

/// A block with `n` contacts on an obstacle, in condensed form.
fn block(n: u32) -> (Body, Vec<Row>) {
    let random = &mut Random(53);
    let velocities = [translation(Vec3::new(0.3, 0.1, -1.0)), translation(Vec3::zeros())];
    let body = Body::Rigid(1.0, Mat3::from_diagonal_element(2.0), velocities);
    let arm = |random: &mut Random| Vec3::new(random.number(), random.number(), -0.5);
    let rows = (0..n).map(|_| row((1, 2), local_base(&Vec3::z()), at_point(Slot(0), arm(random)), Some(End::Fixed)));
    (body, rows.collect())
}

/// Nanoseconds that threads of this process with a name that begins so have run.
fn spent(name: &str) -> Vec<u64> {
    let mut spent = Vec::new();
    for task in fs::read_dir("/proc/self/task").expect("threads").flatten() {
        let read = |file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
        if read("comm").starts_with(name) {
            let stat = read("schedstat");
            spent.push(stat.split_whitespace().next().and_then(|first| first.parse().ok()).expect("nanoseconds"));
        }
    }
    spent
}

/// One body on one obstacle is one pair, whose contacts are solved one after another; still several threads work on it.
#[test]
fn a_large_block_on_an_obstacle_uses_several_threads_with_equal_bits() {
    let (body, rows) = block(2000);
    let laws = vec![coulomb(0.3); rows.len()];
    let sweeps = GaussSeidel::new(1e-12, 4);
    let run = || {
        let soft = Soft(Points(body.inertia()));
        let mut op = BodyOperator::new();
        op.fill(STEP.h, [Inertia::Condensed(&soft)], &rows);
        let solution = solve(&mut op, &laws, &sweeps);
        (solution.r, solution.u, solution.parts, solution.report)
    };
    let one = with_threads(1, run);
    assert!(one.0.iter().filter(|r| r.z > 0.0).count() > 100);
    assert!(one == with_threads(4, run), "four threads differ from one");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).thread_name(|k| format!("tile {k}")).build();
    let pool = pool.expect("threads");
    let soft = Soft(Points(body.inertia()));
    let mut op = BodyOperator::new();
    op.fill(STEP.h, [Inertia::Condensed(&soft)], &rows);
    let before = spent("tile");
    for _ in 0..10 {
        assert!(one.0 == pool.install(|| solve(&mut op, &laws, &sweeps)).r, "two threads differ from one");
    }
    let spent: Vec<u64> = spent("tile").iter().zip(&before).map(|(after, before)| after - before).collect();
    let all: u64 = spent.iter().sum();
    assert!(spent.len() == 2 && spent.iter().all(|own| 20 * own > all), "threads ran {spent:?} ns");
}

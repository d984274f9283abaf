//! Small problems for the solver tests: given matrices, particles, random systems of bodies.

use solfec::body::{AffineInverse, AffineRate, Inertia, Twist};
use solfec::dynamics::{Assembled, BlockSparse, BodyOperator, Delassus, End, Row, WholeMatrix};
use solfec::ids::{BodyId, Slot};
use solfec::math::{local_base, Mat3, Mat9, Vec3};
use solfec::model::{Analysis, BlockSolver, GaussSeidel};
use solfec::solver::{gauss_seidel, Conditions, Law, Report, Unknowns, Workspace};

pub const STEP: Conditions = Conditions { h: 0.01, analysis: Analysis::Dynamic, energy: 0.0 };

/// All block solvers.
pub const SOLVERS: [BlockSolver; 5] = [
    BlockSolver::SemismoothNewton,
    BlockSolver::Enumerative,
    BlockSolver::ProjectedGradient,
    BlockSolver::DeSaxceFeng,
    BlockSolver::ProjectedNewton,
];

pub fn coulomb(friction: f64) -> Law {
    Law::Coulomb { friction, restitution: 0.0, cohesion: 0.0, closing: 0.0 }
}

/// Reactions, velocities and merit parts of a solve.
pub struct Solution {
    pub r: Vec<Vec3>,
    pub u: Vec<Vec3>,
    pub parts: Vec<f64>,
    pub report: Report,
    pub error_history: Vec<f64>,
    pub merit_history: Vec<f64>,
}

pub fn solve_from<D: Delassus>(op: &mut D, laws: &[Law], settings: &GaussSeidel, start: &[Vec3]) -> Solution {
    let n = op.len();
    let (mut r, mut u, mut parts) = (start.to_vec(), vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let mut work = Workspace::new();
    let report = gauss_seidel(&mut work, op, laws, settings, STEP, unknowns);
    let [error_history, merit_history] = [work.error_history(), work.merit_history()].map(<[f64]>::to_vec);
    Solution { r, u, parts, report, error_history, merit_history }
}

pub fn solve<D: Delassus>(op: &mut D, laws: &[Law], settings: &GaussSeidel) -> Solution {
    let start = vec![Vec3::zeros(); op.len()];
    solve_from(op, laws, settings, &start)
}

pub fn settings(epsilon: f64, maxiter: u32, diagsolver: BlockSolver) -> GaussSeidel {
    GaussSeidel { diagsolver, diagepsilon: 1e-14, diagmaxiter: 1000, ..GaussSeidel::new(epsilon, maxiter) }
}

pub fn single_with(w: Mat3, b: Vec3, v: Vec3) -> Assembled {
    let matrix = BlockSparse::from_upper(&[vec![(0, w)]]);
    Assembled::new(matrix, vec![b], vec![v]).unwrap()
}

pub fn single(w: Mat3, b: Vec3) -> Assembled {
    single_with(w, b, Vec3::zeros())
}

/// One contact by one block solver: reaction and velocity.
pub fn one(w: Mat3, b: Vec3, law: Law, solver: BlockSolver) -> (Vec3, Vec3) {
    let solution = solve(&mut single(w, b), &[law], &settings(1e-12, 20, solver));
    assert_eq!(solution.report.failed_blocks, 0);
    assert_eq!(solution.report.retries, 0, "{solver:?} fell back");
    (solution.r[0], solution.u[0])
}

/// The matrix of the problems with one contact.
pub fn example() -> Mat3 {
    Mat3::new(2.0, 0.2, 0.5, 0.2, 2.0, 0.1, 0.5, 0.1, 1.0)
}

/// A sliding contact: velocity with no reaction at friction 0.3.
pub const SLIDING: Vec3 = Vec3::new(1.0, 0.5, -2.0);

/// Its solution.
pub fn sliding_reaction() -> Vec3 {
    Vec3::new(-0.681777053061, -0.190876769720, 2.359976203502)
}

/// A column of two masses: contact A below `lower`, contact B between the masses, h = 0.01.
pub fn column(upper: f64, lower: f64) -> Assembled {
    let (h, g) = (0.01, 10.0);
    let scaled = |x: f64| Mat3::from_diagonal_element(h * x);
    let matrix = BlockSparse::from_upper(&[
        vec![(0, scaled(1.0 / lower)), (1, scaled(-1.0 / lower))],
        vec![(1, scaled(1.0 / lower + 1.0 / upper))],
    ]);
    let free = vec![Vec3::new(0.0, 0.0, -h * g), Vec3::zeros()];
    Assembled::new(matrix, free, vec![Vec3::zeros(); 2]).unwrap()
}

/// The sliding block of 5.3 on bodies and assembled: T = +x, T2 = +y, N = +z, front contact first.
pub fn sliding_block() -> (BodyOperator, Assembled) {
    let (m, j, h) = (1.0, 1.0 / 6.0, STEP.h);
    let block = Inertia::Rigid {
        inverse_mass: 1.0 / m,
        inverse_inertia: Mat3::from_diagonal(&Vec3::new(0.0, 1.0 / j, 0.0)),
        free: translation(Vec3::new(1.0, 0.0, -10.0 * h)),
        previous: translation(Vec3::x()),
    };
    let end = |x| body(0, Vec3::new(x, 0.0, -0.5));
    let rows = [0.5, -0.5].map(|x| row((1, 2), Mat3::identity(), end(x), Some(End::Fixed)));
    let mut op = BodyOperator::new();
    op.fill(h, [block], &rows);
    let (w, free, previous) = (op.assemble(), op.free().to_vec(), op.previous().to_vec());
    (op, Assembled::new(w, free, previous).unwrap())
}

/// Numbers in [-1, 1) of a fixed sequence.
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    pub fn matrix(&mut self) -> Mat3 {
        Mat3::from_fn(|_, _| self.number())
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
}

/// A body of a random system; owns what [`Inertia`] borrows.
#[derive(Clone)]
pub enum Body {
    Rigid(f64, Mat3, [Twist; 2]),
    Affine(f64, AffineInverse, [AffineRate; 2]),
}

impl Body {
    pub fn inertia(&self) -> Inertia<'_> {
        match self {
            Body::Rigid(inv_mass, inv_inertia, [free, previous]) => Inertia::Rigid {
                inverse_mass: *inv_mass,
                inverse_inertia: *inv_inertia,
                free: *free,
                previous: *previous,
            },
            Body::Affine(inv_mass, inverse, [free, previous]) => {
                Inertia::Affine { inverse_mass: *inv_mass, inverse, free: *free, previous: *previous }
            }
        }
    }

    fn rigid(random: &mut Random) -> Body {
        let velocities = [0, 1].map(|_| Twist { linear: random.vector(), angular: random.vector() });
        Body::Rigid(1.5 + random.number(), inverse_tensor(random), velocities)
    }

    fn affine(random: &mut Random, implicit: bool) -> Body {
        let velocities = [0, 1].map(|_| AffineRate { fdot: random.matrix(), v: random.vector() });
        let full = implicit.then(|| {
            let a: [[f64; 9]; 9] = std::array::from_fn(|_| std::array::from_fn(|_| random.number()));
            let gram = |i: usize, j: usize| (0..9).map(|k| a[i][k] * a[j][k]).sum::<f64>();
            let entry = |k: usize| gram(k / 9, k % 9) + f64::from(u8::from(k / 9 == k % 9));
            Box::new(Mat9::from_fn(|i, j| entry(9 * i + j)))
        });
        let (inverse_mass, rows) = (1.5 + random.number(), inverse_tensor(random));
        Body::Affine(inverse_mass, full.map_or(AffineInverse::Rows(rows), AffineInverse::Full), velocities)
    }

    fn is_rigid(&self) -> bool {
        matches!(self, Body::Rigid(..))
    }
}

/// A random symmetric positive definite tensor.
fn inverse_tensor(random: &mut Random) -> Mat3 {
    let a = random.matrix();
    let square = a * a.transpose();
    0.5 * (square + square.transpose()) + Mat3::from_diagonal_element(0.5)
}

/// `pairs` groups of contacts among random rigid and pseudo-rigid bodies (of both schemes) and obstacles, with
/// self-contacts of pseudo-rigid bodies; rows in key order.
pub fn random_system(bodies: u64, pairs: u64, seed: u64) -> (Vec<Body>, Vec<Row>) {
    let random = &mut Random(seed);
    let mut made = Vec::new();
    for _ in 0..bodies {
        made.push(match random.below(3) {
            0 => Body::rigid(random),
            kind => Body::affine(random, kind == 2),
        });
    }
    let mut rows = Vec::new();
    for _ in 0..pairs {
        let (a, b) = (random.below(bodies), random.below(bodies));
        let (a, b) = (a.min(b), a.max(b));
        let obstacle = random.below(8) == 0;
        if a == b && !obstacle && made[a as usize].is_rigid() {
            continue;
        }
        for _ in 0..1 + random.below(3) {
            let slave = if obstacle { End::Fixed } else { body(b as u32, random.vector()) };
            let base = local_base(&random.vector().normalize());
            let key = if obstacle { (a, bodies + b) } else { (a, b) };
            let mut row = row(key, base, body(a as u32, random.vector()), Some(slave));
            if obstacle {
                row.drift = random.vector();
            }
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| row.pair);
    (made, rows)
}

pub fn filled(bodies: &[Body], rows: &[Row]) -> BodyOperator {
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies.iter().map(Body::inertia), rows);
    op
}

pub fn particle(mass: f64, free: Vec3) -> Inertia<'static> {
    Inertia::Rigid {
        inverse_mass: 1.0 / mass,
        inverse_inertia: Mat3::zeros(),
        free: translation(free),
        previous: translation(Vec3::zeros()),
    }
}

pub fn translation(linear: Vec3) -> Twist {
    Twist { linear, angular: Vec3::zeros() }
}

pub fn body(slot: u32, arm: Vec3) -> End {
    End::Body { slot: Slot(slot), arm }
}

pub fn row(pair: (u64, u64), base: Mat3, master: End, slave: Option<End>) -> Row {
    let pair = [BodyId(pair.0), BodyId(pair.1)];
    Row { pair, contact: true, base, master, slave, drift: Vec3::zeros(), drift_before: Vec3::zeros() }
}

//! Numbers of sweeps against those of sequential sweeps, forward and alternating, on the assembled matrix.

use solfec::body::Inertia;
use solfec::dynamics::{Assembled, BlockKernel, BodyOperator, Delassus, End, FactorCost, Row, Sweep, WholeMatrix};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::GaussSeidel;

use solfec_testing::problems::{body, coulomb, particle, row, solve, translation, STEP};

/// Sweeps row by row, in the order of rows; every second sweep backward where `turns`.
struct Sequential {
    whole: Assembled,
    turns: bool,
    sweeps: usize,
}

impl Delassus for Sequential {
    fn len(&self) -> usize {
        self.whole.len()
    }

    fn diagonal(&self) -> &[Mat3] {
        self.whole.diagonal()
    }

    fn free(&self) -> &[Vec3] {
        self.whole.free()
    }

    fn previous(&self) -> &[Vec3] {
        self.whole.previous()
    }

    fn order(&self) -> &[u32] {
        self.whole.order()
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        self.whole.apply(r, u);
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        let n = self.len();
        for k in 0..n {
            let i = if self.turns && self.sweeps % 2 == 1 { n - 1 - k } else { k };
            let w = self.whole.diagonal()[i];
            let b = self.whole.free()[i] + self.whole.matrix().row_product(i, r) - w * r[i];
            let (new, solved) = kernel.solve(i, &w, &b, &r[i]);
            sweep.change += (new - r[i]).norm_squared();
            sweep.size += new.norm_squared();
            sweep.failed += usize::from(!solved);
            r[i] = new;
        }
        self.sweeps += 1;
        sweep
    }

    fn start(&mut self, _r: &[Vec3]) {}

    fn prepare_factors(&mut self) -> Option<FactorCost> {
        None
    }

    fn factor(&mut self, _x: &[Mat3], _y: &[Mat3]) -> bool {
        false
    }

    fn solve(&mut self, _b: &mut [Vec3]) {}

    fn product(&mut self, _x: &[Vec3], _out: &mut [Vec3]) {}
}

/// Bricks in running bond, each on two others or on the ground, with two contacts on each.
fn wall(columns: usize, layers: usize) -> (Vec<Inertia<'static>>, Vec<Row>) {
    let slot = |i: usize, k: usize| (k * columns + i) as u32;
    let mut rows = Vec::new();
    for (i, k) in (0..layers).flat_map(|k| (0..columns).map(move |i| (i, k))) {
        for side in [-0.5, 0.5] {
            let neighbour = (i + k % 2).checked_add_signed(if side < 0.0 { -1 } else { 0 });
            let below = neighbour.filter(|column| *column < columns && k > 0).map(|column| slot(column, k - 1));
            if k > 0 && below.is_none() {
                continue;
            }
            for y in [-0.4, 0.4] {
                let under = below.map_or(End::Fixed, |below| body(below, Vec3::new(-side, y, 0.5)));
                let key =
                    below.map_or((0, u64::from(slot(i, k)) + 1), |low| (u64::from(low) + 1, u64::from(slot(i, k)) + 1));
                let arm = Vec3::new(side, y, -0.5);
                rows.push(row(key, local_base(&Vec3::z()), body(slot(i, k), arm), Some(under)));
            }
        }
    }
    rows.sort_by_key(|row| row.pair);
    let brick = Inertia::Rigid {
        inverse_mass: 0.5,
        inverse_inertia: Mat3::from_diagonal(&Vec3::new(3.0, 1.2, 1.2)),
        free: translation(Vec3::new(0.0, 0.0, -0.1)),
        previous: translation(Vec3::zeros()),
    };
    (vec![brick; columns * layers], rows)
}

/// Masses above one another on the ground.
fn column(n: u32) -> (Vec<Inertia<'static>>, Vec<Row>) {
    let contact = |i: u32| {
        let below = if i == 0 { End::Fixed } else { body(i - 1, Vec3::zeros()) };
        row((u64::from(i), u64::from(i) + 1), local_base(&Vec3::z()), body(i, Vec3::zeros()), Some(below))
    };
    let fall = Vec3::new(0.0, 0.0, -0.1);
    ((0..n).map(|_| particle(1.0, fall)).collect(), (0..n).map(contact).collect())
}

#[test]
fn sweeps_are_no_more_than_sequential_ones_for_both_settings_of_reverse() {
    for (name, (bodies, rows)) in [("wall", wall(12, 10)), ("column", column(30))] {
        let laws = vec![coulomb(0.5); rows.len()];
        let counts = |op: &mut BodyOperator, reverse: bool| {
            let settings = GaussSeidel { reverse, ..GaussSeidel::new(1e-4, 5000) };
            solve(op, &laws, &settings).report.iterations
        };
        let mut op = BodyOperator::new();
        op.fill(STEP.h, bodies, &rows);
        let sequential = |turns: bool| {
            let whole = Assembled::new(op.assemble(), op.free().to_vec(), op.previous().to_vec()).expect("a problem");
            let mut op = Sequential { whole, turns, sweeps: 0 };
            solve(&mut op, &laws, &GaussSeidel::new(1e-4, 5000)).report.iterations
        };
        let least = f64::from(sequential(false).min(sequential(true)));
        assert!(least > 20.0 && least < 5000.0, "{name}: {least} sequential sweeps");
        for reverse in [false, true] {
            let found = f64::from(counts(&mut op, reverse));
            assert!(found <= 1.1 * least, "{name}: {found} sweeps, {least} sequential ones, reverse: {reverse}");
        }
    }
}

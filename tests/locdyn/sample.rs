//! Local dynamics made without a simulation: bodies as random operators, so that W is what it is for real ones.

use solfec::dynamics::BlockSparse;
use solfec::math::{exp_map, local_base, Mat3, Vec3};
use solfec::model::Analysis;
use solfec::solver::Law;
use solfec::solver::{LocalDynamics, LocalRow};

/// Numbers in (-1, 1).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// Step length of samples [s].
pub const STEP: f64 = 0.01;

/// A chain of bodies 1, 2, … on one another, with a contact between neighbours and, if `joints`, every third body held:
/// by all components of a point, or by one. All contacts have friction, some restitution and cohesion.
pub fn chain(bodies: usize, joints: bool) -> LocalDynamics {
    let mut random = Random(7);
    let mut rows = Vec::new();
    for k in 1..bodies {
        let normal = (Vec3::z() + 0.3 * random.vector()).normalize();
        let cohesion = if k % 4 == 0 { 0.5 } else { 0.0 };
        let law = Law::Coulomb { friction: 0.3, restitution: 0.25, cohesion, closing: 0.0 };
        rows.push(row(k as u64, 0, (k as u64 + 1, Some(k as u64)), random.vector(), local_base(&normal), law));
    }
    if joints {
        for k in (1..=bodies).step_by(3) {
            let point = random.vector();
            let (kind, base, law) = if k % 2 == 0 {
                (1, Mat3::identity(), Law::Velocity3 { target: Vec3::new(0.0, 0.0, -0.0) })
            } else {
                (3, local_base(&Vec3::x()), Law::Velocity { target: 0.1 })
            };
            rows.push(row(100 + k as u64, kind, (k as u64, None), point, base, law));
        }
    }
    with_dynamics(rows, &mut random)
}

fn row(id: u64, kind: u8, (master, slave): (u64, Option<u64>), point: Vec3, base: Mat3, law: Law) -> LocalRow {
    LocalRow { id, kind, master, slave, point, base, law, name: format!("BODY{master} (deck.py:{id})") }
}

/// Unit masses with unit inertia, centres on the z axis, falling at 1 m/s.
fn with_dynamics(rows: Vec<LocalRow>, random: &mut Random) -> LocalDynamics {
    let n = rows.len();
    let sign = |i: usize, body: u64| match &rows[i] {
        row if row.master == body => 1.0,
        row if row.slave == Some(body) => -1.0,
        _ => 0.0,
    };
    let arm = |i: usize, body: u64| rows[i].point - Vec3::new(0.0, 0.0, body as f64 / 10.0);
    let mut upper = vec![Vec::new(); n];
    for i in 0..n {
        for j in i..n {
            let mut block = Mat3::zeros();
            let both = [Some(rows[i].master), rows[i].slave];
            for body in both.into_iter().flatten().filter(|&b| sign(j, b) != 0.0) {
                let (a, b) = (arm(i, body).cross_matrix(), arm(j, body).cross_matrix());
                let mobility = Mat3::identity() - a * b;
                block += rows[i].base.transpose() * mobility * rows[j].base * (STEP * sign(i, body) * sign(j, body));
            }
            if block != Mat3::zeros() {
                upper[i].push((j as u32, block));
            }
        }
    }
    let w = BlockSparse::from_upper(&upper);
    let previous: Vec<Vec3> = (0..n).map(|_| random.vector()).collect();
    let free: Vec<Vec3> = previous.iter().map(|v| v - Vec3::new(0.0, 0.0, 0.5)).collect();
    let r: Vec<Vec3> = (0..n).map(|_| random.vector()).collect();
    let u = (0..n).map(|i| free[i] + w.row_product(i, &r)).collect();
    LocalDynamics {
        h: STEP,
        time: 0.1 + 0.2,
        analysis: Analysis::Dynamic,
        energy: 1.0 / 3.0,
        merit: (0..n).map(|k| k as f64 / 7.0).collect(),
        rows,
        w,
        free,
        previous,
        u,
        r,
    }
}

/// The same physics told otherwise: rows in another order, every second contact with master and slave exchanged, and
/// tangents turned about the normal by `angle`.
pub fn retold(step: &LocalDynamics, angle: f64) -> LocalDynamics {
    let n = step.rows.len();
    let order: Vec<usize> = (0..n).rev().collect();
    let mut rows = Vec::new();
    let mut turns = Vec::new();
    for &k in &order {
        let mut row = step.rows[k].clone();
        let mut sign = 1.0;
        if row.kind == 0 {
            row.base = exp_map(&(row.base.column(2) * angle)) * row.base;
            if let (0, Some(slave)) = (k % 2, row.slave) {
                (row.master, row.slave) = (slave, Some(row.master));
                row.base = -row.base;
                sign = -1.0;
            }
        }
        turns.push(row.base.transpose() * step.rows[k].base * sign);
        rows.push(row);
    }
    let turned = |x: &[Vec3]| -> Vec<Vec3> { order.iter().zip(&turns).map(|(&k, turn)| turn * x[k]).collect() };
    let mut w = BlockSparse { row_offset: vec![0], ..BlockSparse::default() };
    for (a, &i) in order.iter().enumerate() {
        for (b, &j) in order.iter().enumerate() {
            if let Some(block) = step.w.get(i, j) {
                w.column.push(b as u32);
                w.block.push(turns[a] * block * turns[b].transpose());
            }
        }
        w.row_offset.push(w.column.len());
    }
    LocalDynamics {
        free: turned(&step.free),
        previous: turned(&step.previous),
        u: turned(&step.u),
        r: turned(&step.r),
        merit: order.iter().map(|&k| step.merit[k]).collect(),
        rows,
        w,
        ..step.clone()
    }
}

/// The text dump of the original, with six digits.
pub fn text(step: &LocalDynamics) -> String {
    const KINDS: [&str; 5] = ["CONTACT", "FIXPNT", "FIXDIR", "VELODIR", "VELODIR3"];
    let list = |x: &[f64]| x.iter().map(|x| format!("{:.5e}", x)).collect::<Vec<_>>().join(", ");
    let place = |k: usize| {
        let row = &step.rows[k];
        let slave = row.slave.map_or("-1".into(), |s| s.to_string());
        let kind = KINDS[usize::from(row.kind)];
        format!("{kind} ({}) ({}, {slave}) [{}]", list(row.point.as_slice()), row.master, list(row.base.as_slice()))
    };
    let mut out = String::new();
    for k in 0..step.rows.len() {
        let own = step.w.get(k, k).unwrap();
        let vectors = [&step.free, &step.previous, &step.u, &step.r].map(|x| format!("({})", list(x[k].as_slice())));
        out += &format!("{} [{}] {}", place(k), list(own.as_slice()), vectors.join(" "));
        for (j, block) in step.w.row(k).filter(|(j, _)| *j != k) {
            out += &format!(" => {} [{}]", place(j), list(block.as_slice()));
        }
        out.push('\n');
    }
    out
}

//! The least thickness of a semicircular arch of equal voussoirs with straight sides: by limit analysis (Heyman, The
//! stone skeleton, 1966: no tension, no sliding), and by simulation with contact at the rims.

use super::*;
use solfec::shape::{Geometry, Mesh, Shape};
use std::f64::consts::PI;

/// `min c · y` with `a y = b`, `y >= 0`; `a` by columns. Two-phase simplex method with Bland's rule, for few rows; the
/// problem must have a solution.
fn simplex<const M: usize>(a: &[[f64; M]], b: [f64; M], c: &[f64]) -> f64 {
    let n = a.len();
    let mut table = [const { Vec::new() }; M];
    for (i, row) in table.iter_mut().enumerate() {
        let sign = if b[i] < 0.0 { -1.0 } else { 1.0 };
        row.extend(a.iter().map(|column| sign * column[i]));
        row.extend((0..M).map(|k| f64::from(u8::from(k == i))));
        row.push(sign * b[i]);
    }
    let mut basis: [usize; M] = std::array::from_fn(|i| n + i);
    let artificial: Vec<f64> = (0..n + M).map(|j| if j < n { 0.0 } else { 1.0 }).collect();
    assert!(minimise(&mut table, &mut basis, &artificial, n + M) < 1e-9, "the constraints contradict each other");
    let costs: Vec<f64> = (0..n + M).map(|j| if j < n { c[j] } else { 0.0 }).collect();
    minimise(&mut table, &mut basis, &costs, n)
}

/// Pivots until no cost of the first `columns` can be lowered; returns the least cost.
fn minimise<const M: usize>(table: &mut [Vec<f64>; M], basis: &mut [usize; M], costs: &[f64], columns: usize) -> f64 {
    let last = table[0].len() - 1;
    let cost = |table: &[Vec<f64>; M], basis: &[usize; M], j: usize| -> f64 {
        (0..M).map(|i| costs[basis[i]] * table[i][j]).sum()
    };
    loop {
        let enters = (0..columns).find(|&j| costs[j] - cost(table, basis, j) < -1e-11);
        let Some(enters) = enters else { return cost(table, basis, last) };
        let ratio = |i: usize| table[i][last] / table[i][enters];
        let rows = (0..M).filter(|&i| table[i][enters] > 1e-11);
        let leaves = rows.min_by(|&i, &k| ratio(i).total_cmp(&ratio(k)).then(basis[i].cmp(&basis[k])));
        let leaves = leaves.expect("a bounded problem");
        let pivot = table[leaves][enters];
        table[leaves].iter_mut().for_each(|x| *x /= pivot);
        let row = table[leaves].clone();
        for (i, other) in table.iter_mut().enumerate().filter(|(i, _)| *i != leaves) {
            let factor = if i == leaves { 0.0 } else { other[enters] };
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
        basis[leaves] = enters;
    }
}

/// Area and first moment about the vertical axis of the voussoir between two angles: a trapezium.
fn voussoir(inner: f64, outer: f64, from: f64, to: f64) -> (f64, f64) {
    let at = |r: f64, angle: f64| [r * angle.cos(), r * angle.sin()];
    let corners = [at(inner, from), at(outer, from), at(outer, to), at(inner, to)];
    let (mut area, mut moment) = (0.0, 0.0);
    for (p, q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let cross = 0.5 * (p[0] * q[1] - q[0] * p[1]);
        area += cross;
        moment += cross * (p[0] + q[0]) / 3.0;
    }
    (area, moment)
}

/// Whether a line of thrust lies in an arch of mean radius 1 whose contacts are `inset` of the thickness inside the
/// rims. The force (X, Z) and the moment M at the first interface decide those at all others; the greatest distance
/// `s`, in units of force times length, by which the thrust can stay inside both rims of all interfaces is found from
/// the dual problem, whose unknowns are the rotations of hinges at the rims.
fn stands(count: u32, thickness: f64, inset: f64) -> bool {
    let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
    let rims = [inner + inset * thickness, outer - inset * thickness];
    let step = PI / f64::from(count);
    let (mut columns, mut costs) = (Vec::new(), Vec::new());
    let (mut weight, mut moment) = (0.0, 0.0);
    for i in 0..=count {
        let angle = step * f64::from(i);
        let (sine, cosine) = (angle.sin(), angle.cos());
        // Compression and its moment about the centre, as functions of (X, Z, M) and constants.
        let normal = [-sine, cosine, 0.0, -weight * cosine];
        let turning = [0.0, 0.0, 1.0, -moment];
        for (rim, sign) in rims.into_iter().zip([1.0, -1.0]) {
            let row: [f64; 4] = std::array::from_fn(|k| sign * (rim * normal[k] - turning[k]));
            columns.push([row[0], row[1], row[2], 1.0]);
            costs.push(-row[3]);
        }
        let (area, first) = voussoir(inner, outer, angle, angle + step);
        weight += area;
        moment += first;
    }
    simplex(&columns, [0.0, 0.0, 0.0, 1.0], &costs) >= 0.0
}

/// Least thickness in units of the mean radius.
fn least_thickness(count: u32, inset: f64) -> f64 {
    let (mut low, mut high) = (0.09, 0.13);
    while high - low > 1e-7 {
        let middle = 0.5 * (low + high);
        if stands(count, middle, inset) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[test]
fn limit_analysis_gives_the_least_thickness() {
    for (count, inset, expected) in [
        (27, 0.0, 0.10672),
        (27, 0.0125, 0.10946),
        (54, 0.0, 0.10736),
        (108, 0.0, 0.10745),
        // Milankovitch (1907): 0.1075, of a continuous arch
        (2000, 0.0, 0.10748),
    ] {
        let found = least_thickness(count, inset);
        assert!((found - expected).abs() < 1e-5, "{count} voussoirs, inset {inset}: {found}, but {expected}");
    }
}

/// Kinetic energy of the arch of 27 voussoirs of one element each, of mean radius 10 m and density 1, after 0.75 s [J].
fn after_three_quarters(ratio: f64) -> f64 {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.model.settings.contact_points = 4;
    world.model.settings.epsilon = 1e-4;
    let (inner, outer) = (10.0 - 5.0 * ratio, 10.0 + 5.0 * ratio);
    let angle = PI / 27.0;
    let block = |k: f64| {
        let at = |r: f64, y: f64, t: f64| Vec3::new(r * t.cos(), y, r * t.sin());
        let ring = |t: f64| [at(inner, -2.5, t), at(outer, -2.5, t), at(outer, 2.5, t), at(inner, 2.5, t)];
        let (p, q) = (ring(k * angle), ring((k + 1.0) * angle));
        let corners = [p[0], p[1], p[2], p[3], q[0], q[1], q[2], q[3]];
        Shape::new(Geometry::Mesh(Mesh::hex(&corners, [1, 1, 1], 1, &[1; 6], [None; 3]).expect("a voussoir")))
    };
    world.obstacle(block(27.0));
    world.obstacle(block(-1.0));
    for k in 0..27 {
        world.rigid(block(f64::from(k)), 1.0);
    }
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-4), 750, |_, r| assert!(r.contacts <= 112, "{} contacts", r.contacts));
    simulation.bodies().energy_total()[solfec::body::KINETIC]
}

/// Limit analysis: 0.10672.
#[test]
fn an_arch_with_contact_at_the_rims_stands_and_falls_by_limit_analysis() {
    let (thick, thin) = (after_three_quarters(0.1069), after_three_quarters(0.1065));
    assert!(thick < 1e-5, "it should stand: {thick:e} J");
    assert!(thin > 1e-3, "it should fall: {thin:e} J");
}

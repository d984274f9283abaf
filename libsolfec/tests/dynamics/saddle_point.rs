//! An operator that factors the saddle-point system of M and H where that is less work than the assembled W: the
//! methods that factorise need not know.

use solfec::dynamics::{Assembled, BlockKernel, BlockSparse, Delassus, Entry, FactorCost, SaddlePoint, Sweep};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{Admm, InteriorPoint, ProximalNewton};
use solfec::solver::{admm, auto, interior_point, proximal_newton, Goal, Law, Report, Status, Unknowns};

use crate::support::{coulomb, STEP};

/// An elastic line of point masses with a contact at each, above the ground.
struct Line {
    sweeps: Assembled,
    saddle: SaddlePoint,
    /// Whether the saddle-point system was chosen, and how often it was factored.
    chosen: bool,
    factored: u32,
}

const MASSES: u32 = 30;

impl Line {
    fn new() -> Self {
        let (n, h) = (MASSES, STEP.h);
        let spring = Mat3::from_diagonal(&Vec3::new(0.4, 0.2, 0.3));
        let mut mass: Vec<Entry> = Vec::new();
        for i in 0..n {
            mass.push((i, i, Mat3::from_diagonal_element(1.0 + 0.1 * f64::from(i % 3)) + 2.0 * spring));
            if i > 0 {
                mass.extend([(i - 1, i, -spring), (i, i - 1, -spring)]);
            }
        }
        let gather: Vec<Entry> = (0..n).map(|i| (i, i, local_base(&Vec3::z()).transpose())).collect();
        let size = 3 * n as usize;
        let dense = |entries: &[Entry]| {
            let mut matrix = nalgebra::DMatrix::<f64>::zeros(size, size);
            for (i, j, block) in entries {
                matrix.fixed_view_mut::<3, 3>(3 * *i as usize, 3 * *j as usize).copy_from(block);
            }
            matrix
        };
        let points = dense(&gather);
        let w = &points * dense(&mass).try_inverse().expect("a regular mass matrix") * points.transpose() * h;
        let row = |i: u32| (i..n).map(|j| (j, w.fixed_view::<3, 3>(3 * i as usize, 3 * j as usize).into())).collect();
        let w = BlockSparse::from_upper(&(0..n).map(row).collect::<Vec<Vec<_>>>());
        let fall = |i: u32| Vec3::new(0.1 * f64::from(i).sin(), 0.05 * f64::from(i).cos(), -0.1 * f64::from(i % 5));
        let free = (0..n).map(fall).collect();
        let sweeps = Assembled::new(w, free, vec![Vec3::zeros(); n as usize]).expect("a good problem");
        let saddle = SaddlePoint::new(h, n as usize, n as usize, &mass, &gather).expect("a small problem");
        Line { sweeps, saddle, chosen: false, factored: 0 }
    }
}

impl Delassus for Line {
    fn len(&self) -> usize {
        self.sweeps.len()
    }

    fn diagonal(&self) -> &[Mat3] {
        self.sweeps.diagonal()
    }

    fn free(&self) -> &[Vec3] {
        self.sweeps.free()
    }

    fn previous(&self) -> &[Vec3] {
        self.sweeps.previous()
    }

    fn order(&self) -> &[u32] {
        self.sweeps.order()
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        self.sweeps.apply(r, u);
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        self.sweeps.sweep(r, kernel)
    }

    fn start(&mut self, r: &[Vec3]) {
        self.sweeps.start(r);
    }

    fn prepare_factors(&mut self) -> Option<FactorCost> {
        let assembled = self.sweeps.prepare_factors();
        let saddle = self.saddle.cost();
        self.chosen = assembled.is_none_or(|assembled| saddle.products < assembled.products);
        if self.chosen {
            Some(saddle)
        } else {
            assembled
        }
    }

    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        self.factored += u32::from(self.chosen);
        if self.chosen {
            self.saddle.factor(x, y)
        } else {
            self.sweeps.factor(x, y)
        }
    }

    fn solve(&mut self, b: &mut [Vec3]) {
        if self.chosen {
            self.saddle.solve(b);
        } else {
            self.sweeps.solve(b);
        }
    }

    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        self.sweeps.apply(x, out);
        out.iter_mut().zip(self.sweeps.free()).for_each(|(out, free)| *out -= free);
    }
}

/// Solves by one of the methods that factorise, or by all in turn.
fn solve<D: Delassus>(method: usize, op: &mut D, laws: &[Law]) -> (Vec<Vec3>, Vec<Vec3>, Report) {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let goal = Goal::Merit(1e-22);
    let report = match method {
        0 => interior_point(op, laws, &InteriorPoint::default(), goal, STEP, unknowns),
        1 => proximal_newton(op, laws, &ProximalNewton::default(), goal, STEP, unknowns),
        2 => admm(op, laws, &Admm::default(), goal, STEP, unknowns),
        _ => auto(op, laws, goal, STEP, unknowns),
    };
    (r, u, report)
}

#[test]
fn methods_that_factorise_find_the_same_with_the_saddle_point_system() {
    let mut laws: Vec<Law> = (0..MASSES).map(|i| coulomb(0.1 * f64::from(1 + i % 6))).collect();
    laws[7] = Law::Velocity3 { target: Vec3::new(0.0, 0.01, 0.02) };
    laws[11] = Law::Coulomb { friction: 0.3, restitution: 0.0, cohesion: 0.5, closing: 0.0 };
    for method in 0..4 {
        let (r, u, report) = solve(method, &mut Line::new().sweeps, &laws);
        assert_eq!(report.status, Status::Converged);
        let mut line = Line::new();
        let (r_saddle, u_saddle, report) = solve(method, &mut line, &laws);
        assert_eq!(report.status, Status::Converged);
        assert!(method == 3 || line.factored > 0, "the saddle-point system was not used");
        let size = |x: &[Vec3]| x.iter().map(Vec3::norm).fold(0.0, f64::max);
        let far = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(far(&r, &r_saddle) < 1e-9 * size(&r), "method {method}");
        assert!(far(&u, &u_saddle) < 1e-9 * size(&u), "method {method}");
    }
}

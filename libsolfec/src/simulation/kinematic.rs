//! Obstacles that user constraints of their own move: kinematic bodies. Their velocity at the end of the step is found
//! before everything else, so that contacts and other constraints see it.

use nalgebra::{DMatrix, DVector, Matrix6, SVector};

use super::corrections::another;
use super::joints::holds_obstacle;
use super::warnings::Warnings;
use super::{Simulation, WarningKind};
use crate::body::{Inertia, NoForces, Twist};
use crate::constraint::{self, Constraint, Prescription};
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::solver::Link;

/// Newton steps of links; everything else needs one.
const STEPS: usize = 20;
/// Singular values below this part of the largest one belong to constraints that say the same.
const REDUNDANT: f64 = 1e-12;
/// Largest velocity, relative to those demanded, by which constraints that agree may be missed.
const CONTRADICTION: f64 = 1e-6;

/// Linear, then angular velocity.
type Velocity = SVector<f64, 6>;

/// One scalar demand on the obstacle: `C(u) = 0`.
struct Equation {
    /// Which constraint, and which of its local components.
    constraint: usize,
    component: usize,
    /// Local velocity components of the point: rows of `H`.
    rows: [Velocity; 3],
    law: Scalar,
}

enum Scalar {
    Velocity(f64),
    Link(Link),
}

impl Equation {
    fn local(&self, u: &Velocity) -> Vec3 {
        Vec3::from_fn(|k, _| self.rows[k].dot(u))
    }

    /// `C(u)` and its gradient.
    fn defect(&self, u: &Velocity) -> (f64, Velocity) {
        let local = self.local(u);
        match &self.law {
            Scalar::Velocity(target) => (local[self.component] - target, self.rows[self.component]),
            Scalar::Link(link) => {
                let slope = link.slope(&local);
                (link.defect(&local), self.rows[0] * slope.x + self.rows[1] * slope.y + self.rows[2] * slope.z)
            }
        }
    }
}

impl Simulation {
    /// Gives every obstacle with constraints of its own the velocity that they demand, and them their reactions.
    /// Follows `place_constraints`.
    pub(super) fn move_obstacles(&mut self, h: f64, warnings: &mut Warnings) {
        if self.work.active.len() == self.constraints.len() {
            return;
        }
        for constraints in self.constraints_of_obstacles() {
            self.move_obstacle(h, &constraints, warnings);
        }
    }

    /// The constraints that only hold an obstacle, by obstacle.
    fn constraints_of_obstacles(&self) -> Vec<Vec<usize>> {
        let own = |k: &usize| holds_obstacle(&self.bodies, &self.constraints[*k]);
        let id = |k: usize| self.bodies.id(self.constraints[k].master.body());
        let mut own: Vec<(BodyId, usize)> = (0..self.constraints.len()).filter(own).map(|k| (id(k), k)).collect();
        own.sort_unstable();
        own.chunk_by(|a, b| a.0 == b.0).map(|group| group.iter().map(|(_, k)| *k).collect()).collect()
    }

    /// Changes the velocities of obstacles at the start of a step so that they satisfy new constraints of their own.
    /// Follows `free_velocity` at the configuration of t.
    pub(super) fn project_obstacles(&mut self, h: f64, warnings: &mut Warnings) {
        for constraints in self.constraints_of_obstacles() {
            if constraints.iter().any(|&k| self.constraints[k].fresh && self.constraints[k].holds()) {
                self.project_obstacle(h, &constraints, warnings);
            }
        }
    }

    fn project_obstacle(&mut self, h: f64, constraints: &[usize], warnings: &mut Warnings) {
        let body = self.constraints[constraints[0]].master.body();
        for &k in constraints {
            self.constraints[k].place(&self.bodies);
        }
        let Inertia::Rigid { inverse_mass, inverse_inertia, previous, .. } = self.bodies.inertia(body) else {
            return;
        };
        let center = self.center(body);
        let previous = column(&previous);
        let mut inverse = Matrix6::from_diagonal_element(inverse_mass);
        inverse.fixed_view_mut::<3, 3>(3, 3).copy_from(&inverse_inertia);
        let mut equations: Vec<(usize, Velocity, f64)> = Vec::new();
        for &k in constraints {
            let constraint = &self.constraints[k];
            let rows = local_rows(constraint, &center);
            for row in &rows[if constraint.scalar() { 2 } else { 0 }..] {
                // What others hold or drive goes on as it was.
                let wrong = if constraint.fresh && constraint.holds() { row.dot(&previous) } else { 0.0 };
                equations.push((k, *row, wrong));
            }
        }
        let of_constraint = |&k: &usize| equations.iter().filter(|e| e.0 == k).map(|e| e.2 * e.2).sum::<f64>().sqrt();
        let sizes = constraints.iter().map(|k| (*k, of_constraint(k)));
        let (worst, size) = sizes.fold((constraints[0], 0.0), |best, next| if next.1 > best.1 { next } else { best });
        if size <= self.no_speed(constraints, h) {
            return;
        }
        let n = equations.len();
        let gradients = DMatrix::from_fn(n, 6, |k, i| equations[k].1[i]);
        let answers = DMatrix::from_fn(6, n, |i, k| (inverse * equations[k].1)[i]);
        let svd = (gradients * &answers).svd(true, true);
        let least = REDUNDANT * svd.singular_values.max();
        let right = DVector::from_fn(n, |k, _| -equations[k].2);
        let Ok(impulses) = svd.solve(&right, least) else { return };
        let change = answers * impulses;
        let change = Velocity::from_fn(|i, _| change[i]);
        self.remember_velocity(body);
        self.bodies.shift_velocity(body, &twist(&change));
        self.warn_of_projection(worst, size, warnings);
    }

    fn move_obstacle(&mut self, h: f64, constraints: &[usize], warnings: &mut Warnings) {
        let body = self.constraints[constraints[0]].master.body();
        let Inertia::Rigid { inverse_mass, inverse_inertia, free, previous } = self.bodies.inertia(body) else {
            return;
        };
        let (free, previous) = (column(&free), column(&previous));
        let mut inverse = Matrix6::from_diagonal_element(h * inverse_mass);
        inverse.fixed_view_mut::<3, 3>(3, 3).copy_from(&(inverse_inertia * h));
        let step = self.constraint_step(h);
        let mut change = f64::INFINITY;
        let mut corrections = 0;
        let (equations, motion) = loop {
            let equations = self.equations(constraints, &step, &previous);
            let motion = solve(&equations, &inverse, &free);
            self.bodies.prescribe(body, h, &twist(&motion.velocity));
            let last = std::mem::replace(&mut change, self.bend_obstacle(&step, constraints, &motion.velocity));
            if !another(change, last, corrections) {
                break (equations, motion);
            }
            corrections += 1;
        };
        if motion.contradicts {
            let name = |&k: &usize| self.name_of_constraint(&self.constraints[k]);
            warnings.note(WarningKind::Constraints, self.bodies.id(body).0, motion.residual, || {
                let names: Vec<String> = constraints.iter().map(name).collect();
                format!("these contradict each other and are not met: {}", names.join("; "))
            });
        }
        for &k in constraints {
            (self.constraints[k].r, self.constraints[k].merit) = (Vec3::zeros(), 0.0);
        }
        for (equation, reaction) in equations.iter().zip(&motion.reactions) {
            let constraint = &mut self.constraints[equation.constraint];
            constraint.r[equation.component] = *reaction;
            (constraint.u, constraint.v) = (equation.local(&motion.velocity), equation.local(&previous));
        }
    }

    /// Corrects the joints of an obstacle that moves with this velocity; returns the largest change relative to what
    /// matters.
    fn bend_obstacle(&mut self, step: &constraint::Step, constraints: &[usize], velocity: &Velocity) -> f64 {
        if step.compat.constraint_drift {
            return 0.0;
        }
        let body = self.constraints[constraints[0]].master.body();
        let center = self.center(body);
        let ahead = self.bodies.ahead(body, step.h, &NoForces);
        let mut change = 0.0_f64;
        for &k in constraints {
            let constraint = &mut self.constraints[k];
            if constraint.sees_curvature() {
                let rows = local_rows(constraint, &center);
                let u = Vec3::from_fn(|c, _| rows[c].dot(velocity));
                let found = constraint.curvature(step.h, &u, |_| ahead.as_ref());
                change = change.max(found.change_from(&constraint.correction, step.h));
                constraint.correction = found.velocity;
            }
        }
        change
    }

    /// Present mass centre of a body.
    fn center(&self, body: BodyIndex) -> Vec3 {
        self.bodies.point(&self.bodies.locate(body, &self.bodies.center(body)))
    }

    /// What these constraints demand of the obstacle that they hold.
    fn equations(&mut self, constraints: &[usize], step: &constraint::Step, previous: &Velocity) -> Vec<Equation> {
        let center = self.center(self.constraints[constraints[0]].master.body());
        let mut equations = Vec::new();
        for &k in constraints {
            let constraint = &mut self.constraints[k];
            let rows = local_rows(constraint, &center);
            let v = Vec3::from_fn(|c, _| rows[c].dot(previous));
            let prescription = constraint.prescription(step, &self.series, &v, &constraint.correction);
            constraint.note(&prescription);
            let mut add =
                |component: usize, law: Scalar| equations.push(Equation { constraint: k, component, rows, law });
            match prescription {
                Prescription::Velocity3(target) => (0..3).for_each(|c| add(c, Scalar::Velocity(target[c]))),
                Prescription::Velocity(target) => add(2, Scalar::Velocity(target)),
                Prescription::Link { length, distance, reach } => {
                    add(2, Scalar::Link(Link { length, distance, reach }))
                }
                // Springs have two bodies.
                Prescription::Spring => {}
            }
        }
        equations
    }
}

/// What the constraints of an obstacle make of it.
struct Moved {
    velocity: Velocity,
    /// One for each equation.
    reactions: DVector<f64>,
    contradicts: bool,
    /// Largest defect of an equation that is left [m/s].
    residual: f64,
}

/// Newton's method for the velocity that meets all equations, from the velocity without reactions; `inverse` is that of
/// the inertia, times the step.
fn solve(equations: &[Equation], inverse: &Matrix6<f64>, free: &Velocity) -> Moved {
    let n = equations.len();
    let forces = DMatrix::from_fn(6, n, |i, k| (inverse * equations[k].rows[equations[k].component])[i]);
    let mut u = *free;
    let mut reactions = DVector::zeros(n);
    let scale = equations.iter().map(|e| e.local(&u).norm().max(e.defect(&u).0.abs())).fold(0.0, f64::max);
    let mut residual = f64::INFINITY;
    for _ in 0..STEPS {
        let defects: Vec<(f64, Velocity)> = equations.iter().map(|e| e.defect(&u)).collect();
        let last = std::mem::replace(&mut residual, defects.iter().map(|d| d.0.abs()).fold(0.0, f64::max));
        if residual <= f64::EPSILON * scale || residual >= last {
            break;
        }
        let gradients = DMatrix::from_fn(n, 6, |k, i| defects[k].1[i]);
        let svd = (gradients * &forces).svd(true, true);
        let right = DVector::from_fn(n, |k, _| -defects[k].0);
        let least = REDUNDANT * svd.singular_values.max();
        let Ok(change) = svd.solve(&right, least) else { break };
        u += Velocity::from_fn(|i, _| forces.row(i).transpose().dot(&change));
        reactions += change;
    }
    Moved { velocity: u, reactions, contradicts: residual > CONTRADICTION * scale, residual }
}

/// Rows of `H` of the point of a constraint on an obstacle with this mass centre.
fn local_rows(constraint: &Constraint, center: &Vec3) -> [Velocity; 3] {
    let arm = constraint.master.point - center;
    [0, 1, 2].map(|c| {
        let axis = constraint.base.column(c).into_owned();
        let turn = arm.cross(&axis);
        Velocity::new(axis.x, axis.y, axis.z, turn.x, turn.y, turn.z)
    })
}

fn twist(velocity: &Velocity) -> Twist {
    Twist { linear: velocity.fixed_rows::<3>(0).into(), angular: velocity.fixed_rows::<3>(3).into() }
}

fn column(twist: &Twist) -> Velocity {
    let (v, w) = (&twist.linear, &twist.angular);
    Velocity::new(v.x, v.y, v.z, w.x, w.y, w.z)
}

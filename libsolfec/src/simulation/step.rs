//! One time step: drift, place, detect, local dynamics, solve, finish (constraints-solvers-parallel.md 1.1).

use std::time::Instant;

use super::Simulation;
use crate::body::{self, Environment, Motion, Resultant, Twist, KINETIC};
use crate::contact::{Contact, Detector, Penetration, Rules, Side, Statistics};
use crate::dynamics::{BodyOperator, Delassus, End, Inverse, Kinetics, PseudoVelocity, Row};
use crate::material::SurfaceModel;
use crate::math::Vec3;
use crate::model::{Analysis, Failure, Model, SolverSettings};
use crate::query::{Event, EventKind, SolverStatistics};
use crate::solver::{self, Conditions, Law, Report, Status, Unknowns};
use crate::{Error, Result};

/// Slot of a body that takes no part in the local dynamics.
const NO_SLOT: u32 = u32::MAX;

/// Largest growth of a recovering step from one step to the next.
const RECOVERY_FACTOR: f64 = 1.5;

/// Seconds of the wall clock spent in the phases of a step. The only clock readings of the library; they decide nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Phases {
    /// TIMINT: time integration.
    pub integration: f64,
    /// CONDET: moving shapes, updating and detecting contacts.
    pub detection: f64,
    /// LOCDYN: local dynamics.
    pub local_dynamics: f64,
    /// CONSOL: solution of the constraints.
    pub solution: f64,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Steps made so far, this one included.
    pub step: u64,
    /// End of the step [s].
    pub time: f64,
    /// Length of the step [s].
    pub h: f64,
    pub bodies: usize,
    pub contacts: usize,
    /// Object pairs that reached the narrow phase.
    pub pairs: usize,
    /// New contacts dropped by sparsification.
    pub sparsified: usize,
    /// Times that W was assembled in this step; rigid runs never do.
    pub assemblies: u64,
    pub solver: Report,
    pub phases: Phases,
    /// Each with a short stable kind, for counting.
    pub warnings: Vec<(&'static str, String)>,
}

/// Columns that are refilled every step and keep their capacity.
#[derive(Default)]
pub(super) struct Workspace {
    operator: BodyOperator,
    motions: Vec<Motion>,
    slot: Vec<u32>,
    rows: Vec<Row>,
    laws: Vec<Law>,
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    merit: Vec<f64>,
    by_slot: Vec<Resultant>,
    by_body: Vec<Resultant>,
    detector: Detector,
    compat_sparsify: bool,
    broken: Vec<u32>,
    solver: solver::Workspace,
    /// Materials of compliant contacts without a spring, told once.
    told_springless: Vec<u32>,
    /// Ambiguous surface pairs, told once.
    told_ambiguous: Vec<[i32; 2]>,
    told_step: f64,
}

impl Workspace {
    pub fn new(model: &Model) -> Self {
        let compat_sparsify = model.compat.iter().any(|name| name == "sparsify");
        Workspace { told_step: model.step, compat_sparsify, ..Workspace::default() }
    }
}

/// Measures the phases of a step one after another.
struct Stopwatch(Instant);

impl Stopwatch {
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.0).as_secs_f64();
        self.0 = now;
        seconds
    }
}

impl Simulation {
    /// Makes one step with this solver.
    ///
    /// # Errors
    /// [`Error::Penetration`] before the solve (bodies then are as at the start of the step, contacts those found);
    /// [`Error::Solver`] when the solver failed and its failure action is EXIT; [`Error::NotFinite`] naming a body.
    pub fn step(&mut self, solver: &SolverSettings) -> Result<StepReport> {
        let mut warnings = Vec::new();
        let mut watch = Stopwatch(Instant::now());
        let mut phases = Phases::default();

        self.choose_step(&mut warnings);
        let h = self.clock.h();
        let start = self.settings.penetration_depth.is_finite().then(|| self.bodies.clone());
        self.bodies.drift(h);
        let gravity = self.gravity(h);
        self.bodies.free_velocity(h, &Environment { gravity, loads: None });
        phases.integration += watch.lap();

        let found = self.detect(&mut warnings);
        phases.detection += watch.lap();
        if let Err(error) = found {
            if let Some(start) = start {
                self.bodies = start;
            }
            return Err(error);
        }
        let statistics = found?;

        let assembled = self.work.operator.assemblies();
        self.fill_local_dynamics(h);
        phases.local_dynamics += watch.lap();

        let conditions = Conditions { h, kinetic: self.bodies.energy_total()[KINETIC] };
        let report = self.solve(solver, conditions);
        self.take_reactions(&mut warnings);
        phases.solution += watch.lap();

        self.finish(h);
        self.clock.advance();
        (self.steps, self.last_h) = (self.steps + 1, h);
        self.statistics =
            SolverStatistics { iterations: f64::from(report.iterations), merit: report.merit, error: report.error };
        self.remove_leavers();
        self.warn_of_bodies(&mut warnings);
        phases.integration += watch.lap();

        self.check_finite()?;
        self.check_solver(solver, &report)?;
        Ok(StepReport {
            step: self.steps,
            time: self.clock.now(),
            h,
            bodies: self.bodies.len(),
            contacts: self.contacts.len(),
            pairs: statistics.pairs_tested,
            sparsified: statistics.sparsified,
            assemblies: self.work.operator.assemblies() - assembled,
            solver: report,
            phases,
            warnings,
        })
    }

    /// Lowers the step to half the smallest critical step (bodies.md 12). It stays lowered, unless step recovery lets it
    /// grow back, by a bounded factor a step (constraints-solvers-parallel.md 1.3).
    fn choose_step(&mut self, warnings: &mut Vec<(&'static str, String)>) {
        if self.analysis == Analysis::QuasiStatic {
            return;
        }
        let critical = self.bodies.critical_step();
        let stable = critical.map_or(f64::INFINITY, |(h, _)| h);
        let growth = if self.settings.step_recovery { RECOVERY_FACTOR } else { 1.0 };
        let h = self.wanted_step.min(stable).min(growth * self.clock.h());
        if let Some((_, index)) = critical.filter(|_| stable < 0.5 * self.work.told_step) {
            self.work.told_step = stable;
            let name = self.name(index);
            warnings.push(("step", format!("the step is lowered to {stable:.4e} s for the stability of {name}")));
        }
        self.clock.set_h(h);
    }

    /// Gravity at t+h/2, in quasi-statics at t+h.
    fn gravity(&self, h: f64) -> Vec3 {
        let part = if self.analysis == Analysis::Dynamic { 0.5 } else { 1.0 };
        let time = self.clock.now() + part * h;
        let component = |row: u32| self.series.get(row as usize).map_or(0.0, |s| s.at(time));
        self.settings.gravity.map_or(Vec3::zeros(), |rows| Vec3::from(rows.map(component)))
    }

    /// Moves the shapes and renews the contacts.
    fn detect(&mut self, warnings: &mut Vec<(&'static str, String)>) -> Result<Statistics> {
        let work = &mut self.work;
        self.bodies.motions_into(&mut work.motions);
        self.objects.place(&work.motions, self.settings.epsilon)?;
        let rules = Rules {
            bonding: self.steps == 0,
            compat_sparsify: work.compat_sparsify,
            ..Rules::new(&self.settings, &self.exclusions, &self.surface)
        };
        let found = work.detector.detect(&self.objects, &self.contacts, &rules);
        self.contacts = found.contacts;
        for contact in self.contacts.iter_mut().filter(|c| c.id == 0) {
            contact.id = self.next_constraint;
            self.next_constraint += 1;
        }
        if found.statistics.failures > 0 {
            let text = format!("{} contact pairs could not be resolved and were left out", found.statistics.failures);
            warnings.push(("geometry", text));
        }
        for [p, q] in found.ambiguous {
            if !work.told_ambiguous.contains(&[p, q]) {
                work.told_ambiguous.push([p, q]);
                let text = format!("surfaces {p} and {q} both have a material with any surface; that of {p} is used");
                warnings.push(("surface-material", text));
            }
        }
        match &found.penetration {
            Some(deepest) => Err(self.penetration(deepest)),
            None => Ok(found.statistics),
        }
    }

    fn penetration(&self, deepest: &Penetration) -> Error {
        let (p, [a, b]) = (deepest.point, deepest.key.bodies);
        let name = |id: u64| self.bodies.index(id).map_or(format!("body {id}"), |index| self.name(index));
        Error::Penetration(format!(
            "unphysical penetration: {} and {} overlap by {:.6e} m at ({:.6e}, {:.6e}, {:.6e}), time {:.6e} s; \
             the bound of UNPHYSICAL_PENETRATION is {:.6e} m; try a smaller step",
            name(a),
            name(b),
            -deepest.gap,
            p.x,
            p.y,
            p.z,
            self.clock.now(),
            self.settings.penetration_depth
        ))
    }

    /// Tells the operator what moves and what touches.
    fn fill_local_dynamics(&mut self, h: f64) {
        let work = &mut self.work;
        let bodies = &self.bodies;
        work.slot.clear();
        let mut slots = 0;
        work.slot.extend((0..bodies.len()).map(|i| match bodies.kinetics(i) {
            body::Kinetics::Obstacle { .. } => NO_SLOT,
            _ => {
                slots += 1;
                slots - 1
            }
        }));
        work.rows.clear();
        work.rows.extend(self.contacts.iter().map(|c| {
            let (end, free, previous) = attach(bodies, &work.motions, &work.slot, &c.master);
            let (slave, slave_free, slave_previous) = attach(bodies, &work.motions, &work.slot, &c.slave);
            let local = c.base.transpose();
            Row {
                pair: (c.key.bodies[0], c.key.bodies[1]),
                base: c.base,
                master: end,
                slave: Some(slave),
                drift: local * (free - slave_free),
                drift_before: local * (previous - slave_previous),
            }
        }));
        let dynamic = (0..bodies.len()).filter(|&i| work.slot[i] != NO_SLOT);
        work.operator.fill(h, dynamic.map(|i| kinetics(bodies.kinetics(i))), work.rows.iter().copied());
        let surface = &self.surface;
        let dynamic = self.analysis == Analysis::Dynamic;
        work.laws.clear();
        work.laws.extend(self.contacts.iter().map(|c| {
            let material = &surface[c.material as usize];
            match material.model {
                SurfaceModel::SignoriniCoulomb => Law::Coulomb {
                    friction: material.friction,
                    restitution: if dynamic { material.restitution } else { 0.0 },
                    cohesion: c.cohesion,
                },
                SurfaceModel::SpringDashpot => Law::SpringDashpot {
                    gap: c.gap,
                    spring: material.spring,
                    dashpot: material.dashpot,
                    hpow: material.hpow,
                    friction: material.friction,
                    cohesion: c.cohesion,
                },
            }
        }));
    }

    /// Solves for the reactions, starting from those the contacts carry.
    fn solve(&mut self, solver: &SolverSettings, conditions: Conditions) -> Report {
        let work = &mut self.work;
        work.r.clear();
        work.r.extend(self.contacts.iter().map(|c| c.r));
        work.u.clear();
        work.u.resize(work.r.len(), Vec3::zeros());
        work.merit.clear();
        work.merit.resize(work.r.len(), 0.0);
        let unknowns = Unknowns { r: &mut work.r, u: &mut work.u, merit: &mut work.merit };
        match solver {
            SolverSettings::GaussSeidel(settings) => {
                solver::gauss_seidel(&mut work.solver, &mut work.operator, &work.laws, settings, conditions, unknowns)
            }
            SolverSettings::Penalty(settings) => {
                // All contacts are compliant here, whatever their model (constraints-solvers-parallel.md 7).
                for (law, contact) in work.laws.iter_mut().zip(&self.contacts) {
                    *law = compliant(&self.surface[contact.material as usize], contact);
                }
                solver::penalty(&mut work.solver, &mut work.operator, &work.laws, settings, conditions, unknowns)
            }
        }
    }

    /// Gives the solution to the contacts and lets cohesion break.
    fn take_reactions(&mut self, warnings: &mut Vec<(&'static str, String)>) {
        let work = &mut self.work;
        let previous = work.operator.previous();
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            (contact.r, contact.u, contact.v, contact.merit) = (work.r[i], work.u[i], previous[i], work.merit[i]);
        }
        let time = self.clock.now() + self.clock.h();
        solver::decohesion(&work.laws, work.operator.diagonal(), &work.r, &work.u, &mut work.broken);
        for &i in &work.broken {
            let contact = &mut self.contacts[i as usize];
            contact.cohesion = 0.0;
            let row = |index: u32| self.bodies.row(index as usize) as u32;
            let (body, parent) = (row(contact.master.body), row(contact.slave.body));
            self.events.push(Event { time, kind: EventKind::Decohesion, body, parent });
        }
        for (law, contact) in work.laws.iter().zip(&self.contacts) {
            let springless = matches!(law, Law::SpringDashpot { spring, .. } if *spring == 0.0);
            if springless && !work.told_springless.contains(&contact.material) {
                work.told_springless.push(contact.material);
                let label = &self.surface[contact.material as usize].label;
                warnings.push((
                    "spring",
                    format!("surface material '{label}' has spring 0: its contacts push with no force"),
                ));
            }
        }
    }

    /// Ends the motion of the step under the reactions and books the work of contacts.
    fn finish(&mut self, h: f64) {
        let work = &mut self.work;
        work.operator.resultants(&work.r, &mut work.by_slot);
        work.by_body.clear();
        let resultant = |slot: u32| if slot == NO_SLOT { Resultant::zero() } else { work.by_slot[slot as usize] };
        work.by_body.extend(work.slot.iter().map(|&slot| resultant(slot)));
        self.bodies.finish(h, &work.by_body);
        if self.analysis == Analysis::QuasiStatic {
            return;
        }
        for c in &self.contacts {
            let velocity = c.u + c.v;
            let normal = 0.5 * h * velocity.z * c.r.z;
            let friction = 0.5 * h * velocity.xy().dot(&c.r.xy());
            let ends = [c.master.body as usize, c.slave.body as usize];
            let free = ends.map(|i| work.slot[i] != NO_SLOT);
            let share = if free[0] && free[1] { 0.5 } else { 1.0 };
            for (end, free) in ends.into_iter().zip(free) {
                if free {
                    self.bodies.book_contact_work(end, share * normal, share * friction);
                }
            }
        }
    }

    /// Removes bodies that are wholly outside the extents (geometry-and-contact.md 9).
    fn remove_leavers(&mut self) {
        let Some(bounds) = self.settings.extents else { return };
        let outside = |i: &usize| {
            let b = self.objects.bounds(*i as u32);
            (0..3).any(|k| b.high[k] < bounds[k] || b.low[k] > bounds[3 + k])
        };
        let gone: Vec<usize> = (0..self.bodies.len()).filter(outside).collect();
        self.remove(&gone, EventKind::LeftExtents);
    }

    fn warn_of_bodies(&self, warnings: &mut Vec<(&'static str, String)>) {
        for (index, warning) in self.bodies.warnings() {
            let name = self.name(index);
            warnings.push(match warning {
                body::Warning::RotationFallback => (
                    "rotation",
                    format!("{name}: RIG_IMP did not converge, RIG_NEG was used for a step; try a smaller step"),
                ),
                body::Warning::IndefiniteStiffness => {
                    ("stiffness", format!("{name}: compressed so much that its stiffness is indefinite"))
                }
                body::Warning::Crushed => {
                    ("crushed", format!("{name}: a stretch fell below 0.65, where its material law is not safe"))
                }
            });
        }
    }

    fn check_finite(&self) -> Result<()> {
        let at = |index: usize, what: &str| {
            let (name, time) = (self.name(index), self.clock.now());
            Err(Error::NotFinite(format!("{name} {what} at time {time:.6e} s; try a smaller step")))
        };
        match (self.bodies.first_not_finite(), self.bodies.first_inverted()) {
            (Some(index), _) => at(index, "has a state that is not finite"),
            (None, Some(index)) => at(index, "is turned inside out"),
            (None, None) => Ok(()),
        }
    }

    fn check_solver(&self, solver: &SolverSettings, report: &Report) -> Result<()> {
        let SolverSettings::GaussSeidel(settings) = solver else { return Ok(()) };
        if report.status == Status::Converged || settings.failure == Failure::Continue {
            return Ok(());
        }
        let worst = report.worst.and_then(|i| self.contacts.get(i as usize)).map_or(String::new(), |c| {
            format!("; worst between {} and {}", self.name(c.master.body as usize), self.name(c.slave.body as usize))
        });
        Err(Error::Solver(format!(
            "GAUSS_SEIDEL_SOLVER: {} at time {:.6e} s: error {:.3e}, merit {:.3e} after {} iterations{worst}",
            status_name(report.status),
            self.clock.now(),
            report.error,
            report.merit,
            report.iterations
        )))
    }
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::IterationLimit => "DIVERGED (iteration limit)",
        Status::BlockFailure => "DIAGONAL_DIVERGED (a contact could not be solved)",
        Status::NotFinite => "DIVERGED (not finite)",
    }
}

/// The end of a constraint, and the spatial velocities that an obstacle contributes there at t+h and at t.
fn attach(bodies: &body::Bodies, motions: &[Motion], slot: &[u32], side: &Side) -> (End, Vec3, Vec3) {
    let index = side.body as usize;
    let motion = &motions[index];
    let arm = side.point - motion.x;
    match bodies.kinetics(index) {
        body::Kinetics::Obstacle { free, previous } => {
            let at = |t: &Twist| t.linear + t.angular.cross(&arm);
            (End::Fixed, at(&free), at(&previous))
        }
        body::Kinetics::Rigid { .. } => (End::Body { slot: slot[index], arm }, Vec3::zeros(), Vec3::zeros()),
        body::Kinetics::PseudoRigid { .. } => {
            let arm = side.reference - motion.x0;
            (End::Body { slot: slot[index], arm }, Vec3::zeros(), Vec3::zeros())
        }
    }
}

/// Kinetics of a dynamic body in the words of the operator.
fn kinetics(of: body::Kinetics<'_>) -> Kinetics<'_> {
    let velocity = |rate: body::AffineRate| PseudoVelocity { gradient: rate.fdot, linear: rate.v };
    match of {
        body::Kinetics::Obstacle { free, previous } => {
            Kinetics::Rigid { inv_mass: 0.0, inv_inertia: crate::math::Mat3::zeros(), free, previous }
        }
        body::Kinetics::Rigid { inverse_mass, inverse_inertia, free, previous } => {
            Kinetics::Rigid { inv_mass: inverse_mass, inv_inertia: inverse_inertia, free, previous }
        }
        body::Kinetics::PseudoRigid { inverse_mass, inverse, free, previous } => Kinetics::Pseudo {
            inv_mass: inverse_mass,
            inverse: match inverse {
                body::PseudoInverse::Rows(inverse) => Inverse::Euler(*inverse),
                // Symmetric, so its columns are its rows.
                body::PseudoInverse::Full(inverse) => match inverse.as_slice().first_chunk() {
                    Some(entries) => Inverse::Full(entries),
                    None => unreachable!("a 9×9 matrix has 81 entries"),
                },
            },
            free: velocity(free),
            previous: velocity(previous),
        },
    }
}

/// The compliant law of a contact from its material's spring and dashpot.
fn compliant(material: &crate::material::SurfaceMaterial, contact: &Contact) -> Law {
    Law::SpringDashpot {
        gap: contact.gap,
        spring: material.spring,
        dashpot: material.dashpot,
        hpow: material.hpow,
        friction: material.friction,
        cohesion: contact.cohesion,
    }
}

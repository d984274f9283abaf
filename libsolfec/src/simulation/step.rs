//! One time step: first part of the motion, place, detect, local dynamics, solve, rest of the motion.

use std::sync::OnceLock;
use std::time::Instant;

use rayon::prelude::*;

use super::corrections::Corrections;
use super::local::GRAIN;
use super::springs::{Trial, SOLVES};
use super::{Nothing, Outside, Simulation};
use crate::body::{self, Energies, KINETIC};
use crate::constraint::Compat;
use crate::contact::{Detector, Penetration, Rules, Statistics};
use crate::dynamics::{BodyOperator, Delassus, Row};
use crate::frame::{Event, EventKind, SolverStatistics};
use crate::ids::{BodyId, BodyIndex, Slot};
use crate::math::Vec3;
use crate::model::{Model, SolverSettings};
use crate::solver::{self, Conditions, Law, LocalDynamics, Report, Status, Unknowns};
use crate::{Error, Result};

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
    /// Contacts and user constraints.
    pub constraints: usize,
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
    /// The [`Error::Solver`] of a solve that failed when its failure action forbids to go on; the step is complete.
    pub failure: Option<Error>,
}

/// Columns that are refilled every step and keep their capacity.
#[derive(Default)]
pub(super) struct Workspace {
    pub(super) operator: BodyOperator,
    /// Slot of each body in the operator.
    pub(super) slot: Vec<Slot>,
    pub(super) rows: Vec<Row>,
    pub(super) laws: Vec<Law>,
    /// User constraints that the solver sees, in the order of their rows after those of contacts.
    pub(super) active: Vec<u32>,
    pub(super) compat_constraints: Compat,
    /// Contacts or constraints have gone since the local dynamics were filled.
    pub(super) stale: bool,
    /// Steps whose local dynamics are wanted, and those of the last step if it was one.
    pub(super) wanted_dumps: Vec<u64>,
    pub(super) kept_dump: Option<LocalDynamics>,
    /// Kinetic energy before the solve [J].
    pub(super) kinetic: f64,
    /// Springs whose laws are not linear.
    pub(super) trials: Vec<Trial>,
    pub(super) corrections: Corrections,
    /// Velocities and works of the start of the step of the bodies whose velocities were projected onto new constraints.
    projected: Vec<(BodyIndex, Vec<f64>, Energies)>,
    pub(super) r: Vec<Vec3>,
    pub(super) u: Vec<Vec3>,
    pub(super) merit: Vec<f64>,
    detector: Detector,
    compat_sparsify: bool,
    broken: Vec<u32>,
    pub(super) solver: solver::Workspace,
    /// Materials of compliant contacts without a spring, reported once.
    warned_springless: Vec<u32>,
    /// Ambiguous surface pairs, reported once.
    warned_ambiguous: Vec<[i32; 2]>,
    /// Ways in which solves failed, reported once.
    pub(super) warned_statuses: Vec<Status>,
    /// Constraints that cannot be met have been named.
    pub(super) warned_contradictions: bool,
    /// Obstacles whose constraints contradict each other, reported once.
    pub(super) warned_obstacles: Vec<BodyId>,
    /// Stable step of the last warning that the step is lowered [s].
    warned_step: f64,
}

impl Workspace {
    pub fn new(model: &Model) -> Self {
        let compat = |wanted: &str| model.compat.iter().any(|name| name == wanted);
        let compat_constraints =
            Compat { constraint_drift: compat("constraint_drift"), prescribed: compat("prescribed") };
        let compat_sparsify = compat("sparsify");
        Workspace { warned_step: f64::INFINITY, compat_sparsify, compat_constraints, ..Workspace::default() }
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
    /// Makes one step of a model that needs nothing from outside.
    ///
    /// # Errors
    /// As [`Simulation::step_with`].
    pub fn step(&mut self, solver: &SolverSettings) -> Result<StepReport> {
        self.step_with(solver, &mut Nothing::default())
    }

    /// Makes one step with this solver.
    ///
    /// # Errors
    /// [`Error::Penetration`], and [`Error::NotFinite`] from moving shapes, before the solve: the simulation is as before
    /// the step; the same after errors of user functions and of solvers that are not there. [`Error::NotFinite`] naming a body after the step: it has been made and the state is lost.
    pub fn step_with(&mut self, solver: &SolverSettings, outside: &mut dyn Outside) -> Result<StepReport> {
        if matches!(solver, SolverSettings::Siconos(_)) || self.loads_call_functions() || self.joints_call_functions() {
            return self.make_step(solver, outside);
        }
        // Among the threads from the start: a parallel phase called from outside of them waits until one of them wakes up.
        rayon::scope(|_| self.make_step(solver, &mut Nothing::default()))
    }

    fn make_step(&mut self, solver: &SolverSettings, outside: &mut dyn Outside) -> Result<StepReport> {
        let mut warnings = Vec::new();
        let mut watch = Stopwatch(Instant::now());
        let mut phases = Phases::default();

        self.choose_step(&mut warnings);
        let h = self.clock.h();
        self.work.projected.clear();
        self.project_velocities(h, &mut warnings);
        self.bodies.begin(h);
        let gravity = self.gravity(h);
        let evaluated = self.evaluate_loads(h, outside);
        self.or_return(evaluated)?;
        self.bodies.free_velocity(h, &gravity);
        phases.integration += watch.lap();

        let detected = self.detect(&mut warnings);
        let statistics = self.or_return(detected)?;
        phases.detection += watch.lap();

        let assembled = self.work.operator.assemblies();
        self.place_constraints();
        self.move_obstacles(h, &mut warnings);
        self.fill_local_dynamics(h);
        self.fill_laws(h, solver);
        phases.local_dynamics += watch.lap();

        let kinetic = self.bodies.energy_total()[KINETIC];
        (self.work.stale, self.work.kinetic) = (false, kinetic);
        let conditions = Conditions { h, analysis: self.analysis, kinetic };
        let solved = self.solve(solver, conditions, outside, &mut warnings);
        let report = self.or_return(solved)?;
        self.take_reactions(&mut warnings);
        self.take_constraint_reactions();
        phases.solution += watch.lap();

        self.finish(h);
        self.clock.advance();
        (self.steps, self.last_h) = (self.steps + 1, h);
        self.statistics =
            SolverStatistics { iterations: f64::from(report.iterations), merit: report.merit, error: report.error };
        let failure = self.solver_failure(solver, &report, &mut warnings);
        let constraints = self.contacts.len() + self.constraints.len();
        self.keep_dump();
        self.break_constraints();
        self.remove_leavers();
        self.warn_of_bodies(&mut warnings);
        phases.integration += watch.lap();

        self.check_finite()?;
        Ok(StepReport {
            step: self.steps,
            time: self.clock.now(),
            h,
            bodies: self.bodies.len(),
            contacts: self.contacts.len(),
            constraints,
            pairs: statistics.pairs_tested,
            sparsified: statistics.sparsified,
            assemblies: self.work.operator.assemblies() - assembled,
            solver: report,
            phases,
            warnings,
            failure,
        })
    }

    /// On error the bodies return to the start of the step.
    fn or_return<T>(&mut self, outcome: Result<T>) -> Result<T> {
        if outcome.is_err() {
            self.bodies.revert();
            for (body, velocity, energies) in std::mem::take(&mut self.work.projected) {
                self.bodies.set_velocity(body, &velocity)?;
                self.bodies.set_works(body, &energies);
            }
        }
        outcome
    }

    /// Keeps the velocity of a body that is about to change before the step begins.
    pub(super) fn remember_velocity(&mut self, body: BodyIndex) {
        self.work.projected.push((body, self.bodies.velocity(body), self.bodies.energies(body)));
    }

    /// Lowers the step to half the smallest critical step. It stays lowered, unless step recovery lets it grow back, by a bounded
    /// factor a step.
    fn choose_step(&mut self, warnings: &mut Vec<(&'static str, String)>) {
        if !self.stepping.inertial {
            return;
        }
        let critical = self.bodies.critical_step();
        let stable = critical.map_or(f64::INFINITY, |(h, _)| h);
        let growth = if self.settings.step_recovery { RECOVERY_FACTOR } else { 1.0 };
        let h = self.wanted_step.min(stable).min(growth * self.clock.h());
        let warned = stable >= self.wanted_step.min(0.5 * self.work.warned_step);
        if let Some((_, index)) = critical.filter(|_| !warned) {
            self.work.warned_step = stable;
            let name = self.name(index);
            warnings.push(("step", format!("the step is lowered to {stable:.4e} s for the stability of {name}")));
        }
        self.clock.set_h(h);
    }

    /// The time at which loads are evaluated: t+h/2, in quasi-statics t+h.
    pub(super) fn time_of_loads(&self, h: f64) -> f64 {
        self.clock.now() + self.stepping.loads * h
    }

    fn gravity(&self, h: f64) -> Vec3 {
        let time = self.time_of_loads(h);
        let component = |row: u32| self.series.get(row as usize).map_or(0.0, |s| s.at(time));
        self.settings.gravity.map_or(Vec3::zeros(), |rows| Vec3::from(rows.map(component)))
    }

    /// Moves the shapes and renews the contacts; on error those of the last step stay.
    fn detect(&mut self, warnings: &mut Vec<(&'static str, String)>) -> Result<Statistics> {
        let work = &mut self.work;
        self.objects.place(&self.bodies, self.settings.epsilon)?;
        let rules = Rules {
            bonding: self.steps == 0,
            compat_sparsify: work.compat_sparsify,
            ..Rules::new(&self.settings, &self.exclusions, &self.surface)
        };
        let found = work.detector.detect(&self.objects, &self.bodies, &self.contacts, &rules);
        if let Some(deepest) = &found.penetration {
            let error = self.penetration(deepest);
            self.work.detector.recycle(found.contacts);
            return Err(error);
        }
        work.detector.recycle(std::mem::replace(&mut self.contacts, found.contacts));
        for contact in self.contacts.iter_mut().filter(|c| c.id == 0) {
            contact.id = self.next_constraint;
            self.next_constraint += 1;
        }
        self.contact_rows = OnceLock::new();
        let Statistics { failures, fallbacks, .. } = found.statistics;
        if failures > 0 {
            let text = format!(
                "{failures} contact pairs could not be resolved: {fallbacks} are as in the step before, {} left out",
                failures - fallbacks
            );
            warnings.push(("geometry", text));
        }
        for [p, q] in found.ambiguous {
            if !work.warned_ambiguous.contains(&[p, q]) {
                work.warned_ambiguous.push([p, q]);
                let text = format!("surfaces {p} and {q} both have a material with any surface; that of {p} is used");
                warnings.push(("surface-material", text));
            }
        }
        Ok(found.statistics)
    }

    fn penetration(&self, deepest: &Penetration) -> Error {
        let (p, [a, b]) = (deepest.point, deepest.key.bodies);
        let name = |id: u64| self.bodies.index(BodyId(id)).map_or(format!("body {id}"), |index| self.name(index));
        Error::Penetration(format!(
            "unphysical penetration: {} and {} overlap by {:.6e} m at ({:.6e}, {:.6e}, {:.6e}), time {:.6e} s; \
             the bound of UNPHYSICAL_PENETRATION is {:.6e} m; try a smaller step",
            name(a.0),
            name(b.0),
            -deepest.gap,
            p.x,
            p.y,
            p.z,
            self.clock.now(),
            self.settings.penetration_depth
        ))
    }

    /// Solves for the reactions, starting from those the contacts carry; again while the laws of springs are not met, or joints are
    /// to be corrected.
    fn solve(
        &mut self,
        solver: &SolverSettings,
        conditions: Conditions,
        outside: &mut dyn Outside,
        warnings: &mut Vec<(&'static str, String)>,
    ) -> Result<Report> {
        self.start_reactions();
        self.begin_springs(conditions.h, outside)?;
        self.begin_corrections();
        let mut report = self.solve_once(solver, conditions, outside)?;
        if !self.has_trials() && !self.has_joints() {
            return Ok(report);
        }
        let mut settled = self.correct_joints_and_springs(conditions.h, outside)?;
        for _ in 1..SOLVES {
            if settled == [true; 2] || report.status == Status::NotFinite {
                break;
            }
            if matches!(solver, SolverSettings::Penalty(_)) {
                // Its one pass takes friction from the step before.
                self.start_reactions();
            }
            let next = self.solve_once(solver, conditions, outside)?;
            report = Report { iterations: report.iterations + next.iterations, ..next };
            settled = self.correct_joints_and_springs(conditions.h, outside)?;
        }
        let [_, settled] = settled;
        self.warn_of_springs(settled, warnings);
        if !settled && report.status == Status::Converged {
            report.status = Status::IterationLimit;
        }
        Ok(report)
    }

    /// After a solve: whether joints, and springs, agree with it. What has been learnt of a spring while joints changed does not count.
    fn correct_joints_and_springs(&mut self, h: f64, outside: &mut dyn Outside) -> Result<[bool; 2]> {
        let joints = self.correct_joints(h);
        if !joints {
            self.forget_brackets();
        }
        Ok([joints, self.correct_springs(outside)?])
    }

    /// The reactions that contacts and user constraints carry.
    fn start_reactions(&mut self) {
        let work = &mut self.work;
        work.r.clear();
        work.r.extend(self.contacts.iter().map(|c| c.r));
        work.r.extend(work.active.iter().map(|&k| self.constraints[k as usize].r));
        work.u.clear();
        work.u.resize(work.r.len(), Vec3::zeros());
        work.merit.clear();
        work.merit.resize(work.r.len(), 0.0);
    }

    fn solve_once(
        &mut self,
        solver: &SolverSettings,
        conditions: Conditions,
        outside: &mut dyn Outside,
    ) -> Result<Report> {
        let work = &mut self.work;
        let unknowns = Unknowns { r: &mut work.r, u: &mut work.u, merit: &mut work.merit };
        let external = outside.external();
        solver::solve(&mut work.solver, &mut work.operator, &work.laws, solver, conditions, unknowns, external)
    }

    /// Gives the solution to the contacts and lets cohesion break.
    fn take_reactions(&mut self, warnings: &mut Vec<(&'static str, String)>) {
        let work = &mut self.work;
        let previous = work.operator.previous();
        let (r, u, merit) = (&work.r, &work.u, &work.merit);
        self.contacts.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(i, contact)| {
            (contact.r, contact.u, contact.v, contact.merit) = (r[i], u[i], previous[i], merit[i]);
        });
        let time = self.clock.now() + self.clock.h();
        solver::decohesion(&work.laws, work.operator.diagonal(), &work.r, &work.u, &mut work.broken);
        for &i in &work.broken {
            let contact = &mut self.contacts[i as usize];
            contact.cohesion = 0.0;
            let row = |index: BodyIndex| self.bodies.row(index).0;
            let (body, parent) = (row(contact.master.body), row(contact.slave.body));
            self.events.push(Event { time, kind: EventKind::Decohesion, body, parent });
        }
        for (law, contact) in work.laws.iter().zip(&self.contacts) {
            let springless = matches!(law, Law::SpringDashpot(law) if law.spring == 0.0);
            if springless && !work.warned_springless.contains(&contact.material) {
                work.warned_springless.push(contact.material);
                let label = &self.surface[contact.material as usize].label;
                warnings.push((
                    "spring",
                    format!("surface material '{label}' has spring 0: its contacts push with no force"),
                ));
            }
        }
    }

    /// Ends the motion of the step under the reactions and records the work of contacts.
    fn finish(&mut self, h: f64) {
        let work = &mut self.work;
        self.bodies.finish(h, &work.operator.reactions(&work.r, &work.slot));
        if !self.stepping.inertial {
            return;
        }
        for c in &self.contacts {
            let velocity = c.u + c.v;
            let normal = 0.5 * h * velocity.z * c.r.z;
            let friction = 0.5 * h * velocity.xy().dot(&c.r.xy());
            let ends = [c.master.body, c.slave.body];
            let free = ends.map(|i| work.slot[i.index()] != Slot::NONE);
            let share = if free[0] && free[1] { 0.5 } else { 1.0 };
            for (end, free) in ends.into_iter().zip(free) {
                if free {
                    self.bodies.add_contact_work(end, share * normal, share * friction);
                }
            }
        }
    }

    /// Removes bodies that are wholly outside the extents, by their boxes of mid-step.
    fn remove_leavers(&mut self) {
        let Some(bounds) = self.settings.extents else { return };
        let outside = |i: &BodyIndex| self.objects.outside(*i, &bounds, self.settings.epsilon);
        let gone: Vec<BodyIndex> = self.bodies.by_id().iter().map(|(_, i)| *i).filter(outside).collect();
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
        let at = |index: BodyIndex, what: &str| {
            let (name, time) = (self.name(index), self.clock.now());
            Err(Error::NotFinite(format!("{name} {what} at time {time:.6e} s; try a smaller step")))
        };
        match (self.bodies.first_not_finite(), self.bodies.first_inverted()) {
            (Some(index), _) => at(index, "has a state that is not finite"),
            (None, Some(index)) => at(index, "is turned inside out"),
            (None, None) => Ok(()),
        }
    }
}

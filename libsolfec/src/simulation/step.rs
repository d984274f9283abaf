//! One time step: first part of the motion, place, detect, local dynamics, solve, rest of the motion.

use std::time::Instant;

use super::warnings::Warnings;
use super::{Nothing, OnFailure, Outside, Phases, Simulation, StepReport, WarningKind};
use crate::body::{self, Energies, INTERNAL};
use crate::comm;
use crate::frame::{EventKind, SolverStatistics};
use crate::ids::{BodyId, BodyIndex, Slot};
use crate::math::Vec3;
use crate::model::{Solver, SolverSettings};
use crate::solver::{Conditions, Status};
use crate::{Error, Result};

/// Largest growth of a recovering step from one step to the next.
const RECOVERY_FACTOR: f64 = 1.5;

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
    /// Makes one step of a model that needs nothing from outside; a solve that does not converge is a warning.
    ///
    /// # Errors
    /// As [`Simulation::step_with`].
    pub fn step(&mut self, solver: &SolverSettings) -> Result<Box<StepReport>> {
        self.step_with(&solver.clone().into(), &mut Nothing::default())
    }

    /// Makes one step with this solver.
    ///
    /// # Errors
    /// [`Error::Penetration`], and [`Error::NotFinite`] from moving shapes, before the solve: the simulation is as
    /// before the step; the same after errors of user functions and of solvers that are not there.
    /// [`Error::NotFinite`] naming a body after the step: it has been made and the state is lost.
    pub fn step_with(&mut self, solver: &Solver, outside: &mut dyn Outside) -> Result<Box<StepReport>> {
        if matches!(solver.settings, SolverSettings::Siconos(_)) || self.calls_functions() {
            return self.make_step(solver, outside);
        }
        // Among the threads from the start: a parallel phase called from outside of them waits until one of them wakes
        // up.
        rayon::scope(|_| self.make_step(solver, &mut Nothing::default()))
    }

    /// Whether a step of any rank may call functions.
    fn calls_functions(&self) -> bool {
        if !self.alone() {
            return !self.functions.is_empty();
        }
        self.loads_call_functions() || self.joints_call_functions() || self.fields_call_functions()
    }

    fn make_step(&mut self, solver: &Solver, outside: &mut dyn Outside) -> Result<Box<StepReport>> {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.begin();
        let made = match self.on_failure {
            OnFailure::HalveStep => self.make_part_of_step(solver, outside, &mut warnings),
            OnFailure::AsSolver | OnFailure::Warn | OnFailure::Stop => self.pass_phases(solver, outside, &mut warnings),
        };
        self.warnings = warnings;
        made
    }

    /// The phases of a step one after another.
    pub(super) fn pass_phases(
        &mut self,
        solver: &Solver,
        outside: &mut dyn Outside,
        warnings: &mut Warnings,
    ) -> Result<Box<StepReport>> {
        let settings = &solver.settings;
        let mut watch = Stopwatch(Instant::now());
        let mut phases = Phases::default();

        let sent = self.sent();
        self.choose_step(warnings);
        let h = self.clock.h();
        self.work.projected.clear();
        if !self.alone() {
            phases.integration += watch.lap();
            self.exchange_bodies(h)?;
            phases.balancing += watch.lap();
        }
        self.project_velocities(h, warnings)?;
        self.work.operator.release();
        self.follow_step(h);
        self.bodies.begin(h);
        let gravity = self.gravity(h);
        let evaluated = self.evaluate_loads(h, outside);
        self.or_return(evaluated)?;
        let sampled = self.sample_fields(h, outside);
        self.or_return(sampled)?;
        self.bodies.free_velocity(h, &gravity);
        phases.integration += watch.lap();

        let detected = self.detect(warnings);
        let statistics = self.or_return(detected)?;
        self.doubt(h, warnings);
        phases.detection += watch.lap();

        let assembled = self.work.operator.assemblies();
        self.place_constraints();
        self.move_obstacles(h, warnings);
        self.drive_copies(h);
        let filled = self.fill_local_dynamics(h, settings);
        self.or_return(filled)?;
        self.fill_laws(h, settings);
        phases.local_dynamics += watch.lap();

        let energy = self.scale_of_energy();
        let energy = self.or_return(energy)?;
        (self.work.stale, self.work.energy) = (false, energy);
        let conditions = Conditions { h, analysis: self.analysis, energy };
        let solved = self.solve(settings, conditions, outside, warnings);
        let report = self.or_return(solved)?;
        if self.work.attempt.refuses && report.status != Status::Converged {
            return Err(Error::Solver(self.failure_text(settings, &report, self.clock.now() + h)));
        }
        self.warn_of_method(settings, &report, warnings);
        self.take_reactions(&report, warnings);
        self.take_constraint_reactions();
        self.doubt_tensions(h, warnings);
        phases.solution += watch.lap();

        self.finish(h)?;
        self.complete_velocities();
        self.clock.advance();
        (self.steps, self.last_h) = (self.steps + 1, h);
        self.statistics =
            SolverStatistics { iterations: f64::from(report.iterations), merit: report.merit, error: report.error };
        self.check_finite(Some((settings, &report)))?;
        let failure = self.solver_failure(solver, &report, warnings);
        let failure = comm::agree(&*self.comm, failure.map_or(Ok(()), Err)).err();
        let constraints = self.contacts.len() + self.constraints.len();
        let distribution = if self.alone() { None } else { Some(self.distribution(statistics.sparsified, sent)) };
        self.keep_dump();
        self.break_constraints();
        self.remove_leavers();
        self.warn_of_bodies(warnings);
        self.work.newcomers.clear();
        phases.integration += watch.lap();

        self.share_warnings(warnings)?;
        let own = [
            self.bodies.own().count(),
            self.contacts.len(),
            constraints,
            statistics.pairs_tested,
            statistics.sparsified,
        ];
        let totals = comm::sum(&*self.comm, own.map(|number| number as f64));
        let [bodies, contacts, constraints, pairs, sparsified] = totals.map(|number| number as usize);
        Ok(Box::new(StepReport {
            step: self.steps,
            time: self.clock.now(),
            h,
            bodies,
            contacts,
            constraints,
            pairs,
            sparsified,
            assemblies: self.work.operator.assemblies() - assembled,
            solver: report,
            phases,
            distribution,
            warnings: std::mem::take(&mut warnings.fresh),
            repeated: std::mem::take(&mut warnings.repeated),
            failure,
        }))
    }

    /// An error of any process is one of all; then the bodies return to the start of the step.
    fn or_return<T>(&mut self, outcome: Result<T>) -> Result<T> {
        let outcome = comm::agree(&*self.comm, outcome);
        if outcome.is_err() {
            self.bodies.revert();
            for (body, velocity, energies) in std::mem::take(&mut self.work.projected) {
                self.bodies.set_velocity(body, &velocity)?;
                self.bodies.set_works(body, &energies);
            }
        }
        outcome
    }

    /// The energy of [`Conditions`].
    fn scale_of_energy(&self) -> Result<f64> {
        let bodies = &self.bodies;
        let [energy] = if self.stepping.inertial {
            self.sum_over_bodies(|| [bodies.kinetic_total()], |body| [bodies.kinetic(body)])?
        } else {
            self.sum_over_bodies(|| [bodies.energy_total()[INTERNAL]], |body| [bodies.energies(body)[INTERNAL]])?
        };
        Ok(energy)
    }

    /// Energies of the bodies of all processes [J].
    pub fn energies(&self) -> Energies {
        comm::sum(&*self.comm, self.bodies.energy_total())
    }

    /// Keeps the velocity of a body that is about to change before the step begins.
    pub(super) fn remember_velocity(&mut self, body: BodyIndex) {
        self.work.projected.push((body, self.bodies.velocity(body), self.bodies.energies(body)));
    }

    /// Lowers the step to half the smallest critical step. It stays lowered, unless step recovery lets it grow back, by
    /// a bounded factor a step.
    fn choose_step(&mut self, warnings: &mut Warnings) {
        if !self.stepping.inertial {
            self.clock.set_h(self.clock.h() * self.work.attempt.fraction);
            warnings.at(self.clock.now() + self.clock.h());
            return;
        }
        let critical = self.bodies.critical_step();
        let own = critical.map_or(f64::INFINITY, |(h, _)| h);
        let (stable, least) = (comm::least(&*self.comm, own), comm::leads(&*self.comm, -own));
        let growth = if self.settings.step_recovery { RECOVERY_FACTOR } else { 1.0 };
        let h = self.wanted_step.min(stable).min(growth * self.clock.h()) * self.work.attempt.fraction;
        let warned = stable >= self.wanted_step.min(0.5 * self.work.warned_step);
        if !warned {
            self.work.warned_step = stable;
        }
        self.clock.set_h(h);
        warnings.at(self.clock.now() + h);
        if let Some((_, index)) = critical.filter(|_| least && !warned) {
            warnings.note(WarningKind::StepLowered, stable.to_bits(), 0.0, || {
                format!("the step is lowered to {stable:.4e} s for the stability of {}", self.name(index))
            });
        }
    }

    /// The time at which loads are evaluated: t+h/2, in quasi-statics t+h.
    pub(super) fn time_of_loads(&self, h: f64) -> f64 {
        self.clock.now() + self.stepping.loads * h
    }

    pub(super) fn gravity(&self, h: f64) -> Vec3 {
        let time = self.time_of_loads(h);
        let component = |row: u32| self.series.get(row as usize).map_or(0.0, |s| s.at(time));
        self.settings.gravity.map_or(Vec3::zeros(), |rows| Vec3::from(rows.map(component)))
    }

    /// Ends the motion of the step under the reactions and records the work of contacts.
    ///
    /// # Errors
    /// Messages between processes are garbled.
    fn finish(&mut self, h: f64) -> Result<()> {
        let work = &mut self.work;
        work.operator.exchange(&work.r);
        self.bodies.finish(h, &work.operator.reactions(&work.r, &work.slot));
        if !self.stepping.inertial {
            return Ok(());
        }
        let mut of_others = Vec::new();
        for (row, c) in self.contacts.iter().enumerate() {
            let velocity = c.u + c.v;
            let normal = 0.5 * h * velocity.z * c.r.z;
            let friction = 0.5 * h * velocity.xy().dot(&c.r.xy());
            let ends = [c.master.body, c.slave.body];
            let free = ends.map(|i| work.slot[i.index()] != Slot::NONE);
            let share = if free[0] && free[1] { 0.5 } else { 1.0 };
            for (end, free) in ends.into_iter().zip(free) {
                if free && (work.reproducible || self.bodies.is_copy(end)) {
                    of_others.push((row, end, [share * normal, share * friction]));
                } else if free {
                    self.bodies.add_contact_work(end, share * normal, share * friction);
                }
            }
        }
        if self.work.reproducible {
            return self.add_works_by_places(&of_others);
        }
        self.send_works(&of_others);
        Ok(())
    }

    /// Removes bodies that are wholly outside the extents, by their boxes of mid-step, and their copies. Collective.
    fn remove_leavers(&mut self) {
        let Some(bounds) = self.settings.extents else { return };
        let outside = |i: &BodyIndex| self.objects.outside(*i, &bounds, self.settings.epsilon);
        let own: Vec<u8> =
            self.bodies.own().filter(|(_, i)| outside(i)).flat_map(|(id, _)| id.0.to_le_bytes()).collect();
        let mut gone: Vec<BodyIndex> = Vec::new();
        comm::gather(&*self.comm, &own, |_, ids| {
            let ids = ids.as_chunks().0.iter().map(|id| BodyId(u64::from_le_bytes(*id)));
            gone.extend(ids.filter_map(|id| self.bodies.index(id)));
        });
        self.remove(&gone, EventKind::LeftExtents);
    }

    fn warn_of_bodies(&self, warnings: &mut Warnings) {
        for (index, warning) in self.bodies.warnings() {
            let (kind, text) = match warning {
                body::Warning::RotationFallback => {
                    (WarningKind::Rotation, "RIG_IMP did not converge, RIG_NEG was used for a step; try a smaller step")
                }
                body::Warning::IndefiniteStiffness => (
                    WarningKind::Stiffness,
                    "its stresses make the stiffness indefinite: the step is made with their tensile part alone",
                ),
                body::Warning::Crushed => {
                    (WarningKind::Crushed, "a stretch fell below 0.65, where its material law is not safe")
                }
            };
            warnings.note(kind, self.bodies.id(index).0, 0.0, || format!("{}: {text}", self.name(index)));
        }
    }
}

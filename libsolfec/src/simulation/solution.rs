//! The solve of a step: reactions from the local dynamics, again while joints and springs are not met, and what
//! contacts take of it.

use rayon::prelude::*;

use super::springs::SOLVES;
use super::warnings::Warnings;
use super::{Outside, Simulation, WarningKind, GRAIN};
use crate::comm;
use crate::dynamics::Delassus;
use crate::frame::{Event, EventKind};
use crate::ids::BodyIndex;
use crate::math::Vec3;
use crate::model::SolverSettings;
use crate::solver::{self, Conditions, Law, Report, Status, Unknowns};
use crate::Result;

impl Simulation {
    /// Solves for the reactions, starting from those the contacts carry; again while the laws of springs are not met,
    /// or joints are to be corrected.
    pub(super) fn solve(
        &mut self,
        solver: &SolverSettings,
        conditions: Conditions,
        outside: &mut dyn Outside,
        warnings: &mut Warnings,
    ) -> Result<Report> {
        self.start_reactions();
        self.begin_springs(conditions.h, outside)?;
        self.begin_corrections();
        let mut report = self.solve_once(solver, conditions, outside)?;
        if self.is_whole_better(solver, &report) {
            self.fill_operator(conditions.h, solver, true)?;
            if self.work.operator.is_together() {
                let whole = self.solve_once(solver, conditions, outside)?;
                report = Report { iterations: report.iterations + whole.iterations, ..whole };
            }
        }
        if !comm::any(&*self.comm, self.has_trials() || self.has_joints()) {
            return Ok(report);
        }
        let mut settled = self.correct_joints_and_springs(conditions.h, outside)?;
        for _ in 1..SOLVES {
            if settled == [true; 2] || comm::any(&*self.comm, report.status == Status::NotFinite) {
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
        self.remember_springs();
        let [_, settled] = settled;
        self.warn_of_springs(settled, warnings);
        if report.status == Status::Converged {
            self.warn_of_joints(warnings);
        }
        if !settled && report.status == Status::Converged {
            report.status = Status::Springs;
        }
        Ok(report)
    }

    /// After a solve: whether joints, and springs, agree with it. What has been learnt of a spring while joints changed
    /// does not count.
    fn correct_joints_and_springs(&mut self, h: f64, outside: &mut dyn Outside) -> Result<[bool; 2]> {
        let joints = self.correct_joints(h);
        if !joints {
            self.forget_brackets();
        }
        let springs = self.correct_springs(outside)?;
        if !springs {
            self.work.corrections.begin_again();
        }
        Ok([joints, springs])
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
        if self.work.operator.is_together() {
            return self.solve_together(solver, conditions, outside);
        }
        let work = &mut self.work;
        let unknowns = Unknowns { r: &mut work.r, u: &mut work.u, merit: &mut work.merit };
        let external = outside.external();
        solver::solve(&mut work.solver, &mut work.operator, &work.laws, solver, conditions, unknowns, external)
    }

    /// Warns if a body has too many nodes in contact for the solver that was asked for.
    pub(super) fn warn_of_method(&self, solver: &SolverSettings, report: &Report, warnings: &mut Warnings) {
        if self.work.operator.can_sweep() || matches!(solver, SolverSettings::Newton(_) | SolverSettings::Auto(_)) {
            return;
        }
        warnings.note(WarningKind::Method, 0, 0.0, || {
            format!(
                "a body of finite elements has too many nodes in contact for the dense matrix that {} needs: {} solves in its \
                 place, as it does for 'AUTO'",
                solver.name(),
                report.method
            )
        });
    }

    /// Gives the solution to the contacts and lets cohesion break.
    pub(super) fn take_reactions(&mut self, report: &Report, warnings: &mut Warnings) {
        let work = &mut self.work;
        let previous = work.operator.previous();
        let (r, u, merit) = (&work.r, &work.u, &work.merit);
        self.contacts.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(i, contact)| {
            (contact.r, contact.u, contact.v, contact.merit) = (r[i], u[i], previous[i], merit[i]);
        });
        let time = self.clock.now() + self.clock.h();
        // Contacts alone have cohesion.
        let laws = &work.laws[..self.contacts.len()];
        solver::decohesion(laws, work.operator.diagonal(), &work.r, &work.u, report.residual, &mut work.broken);
        for &i in &work.broken {
            let contact = &mut self.contacts[i as usize];
            contact.cohesion = 0.0;
            let row = |index: BodyIndex| self.bodies.row(index);
            let (body, parent) = (row(contact.master.body), row(contact.slave.body));
            self.events.push(Event { time, kind: EventKind::Decohesion, body, parent });
        }
        for (law, contact) in work.laws.iter().zip(&self.contacts) {
            let springless = matches!(law, Law::SpringDashpot(law) if law.spring == 0.0);
            if springless {
                let label = &self.surface[contact.material as usize].label;
                warnings.note(WarningKind::Springless, contact.material.into(), 0.0, || {
                    format!("surface material '{label}' has spring 0: its contacts push with no force")
                });
            }
        }
    }
}

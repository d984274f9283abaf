//! Steps in which each rank solves the problem of all: where methods factorise, which takes longer when matrices are
//! distributed, and where bits must not depend on the number of ranks; then sums over bodies go by ids.

use super::super::{Outside, Simulation};
use super::rows::Place;
use crate::comm;
use crate::dynamics::RankOperator;
use crate::ids::BodyIndex;
use crate::math::{tree_sum, Vec3};
use crate::model::SolverSettings;
use crate::solver::{self, Conditions, Law, Report, Status, Unknowns};
use crate::{Error, Result};

/// Most rows of all ranks that each of them solves for methods that factorise; and for AUTO_SOLVER where it begins with
/// sweeps, which the ranks make together.
const MOST_ROWS: usize = 65_536;
const MOST_SWEPT_ROWS: usize = 4096;

impl Simulation {
    /// From now on the bits of results do not depend on the number of ranks, for which each of them solves the problem of
    /// all. To be called on all ranks.
    pub fn reproduce(&mut self) {
        self.work.reproducible = true;
        self.warnings.unshared.get_or_insert_default();
    }

    /// Whether each rank is to solve the problem of all with this solver. Collective.
    pub(in crate::simulation) fn is_to_be_whole(&self, solver: &SolverSettings) -> bool {
        if self.work.reproducible || self.alone() || !solver.factorises() {
            return self.work.reproducible;
        }
        let swept = matches!(solver, SolverSettings::Auto(_)) && self.work.solver.memory.begins_with_sweeps();
        self.rows_of_all() <= if swept { MOST_SWEPT_ROWS } else { MOST_ROWS }
    }

    /// Whether this solver has missed its tolerance on the ranks together and each of them is to solve the problem of all.
    /// Collective.
    pub(in crate::simulation) fn is_whole_better(&self, solver: &SolverSettings, report: &Report) -> bool {
        if self.alone() || self.work.operator.is_together() || !solver.factorises() {
            return false;
        }
        let missed = !matches!(report.status, Status::Converged | Status::NotFinite);
        comm::any(&*self.comm, missed) && self.rows_of_all() <= MOST_ROWS
    }

    /// Rows of all ranks. Collective.
    fn rows_of_all(&self) -> usize {
        let [_, rows] = comm::count(&*self.comm, self.contacts.len() + self.work.active.len());
        rows
    }

    /// Places of these rows among those of all ranks. Collective.
    pub(in crate::simulation) fn places_among_all(&self, own: &[Place]) -> Result<Vec<u32>> {
        let rank = self.ranks.rank as u32;
        let numbered: Vec<(Place, u32, u32)> = own.iter().zip(0..).map(|(place, i)| (*place, rank, i)).collect();
        let mut all = self.of_all(&numbered)?;
        all.sort_unstable();
        let mut places = vec![0; own.len()];
        for (place, (_, _, i)) in (0..).zip(&all).filter(|(_, (_, of, _))| *of == rank) {
            places[*i as usize] = place;
        }
        Ok(places)
    }

    /// Solves the problem of all ranks on each of them.
    pub(in crate::simulation) fn solve_together(
        &mut self,
        solver: &SolverSettings,
        conditions: Conditions,
        outside: &mut dyn Outside,
    ) -> Result<Report> {
        let laws = self.laws_of_all()?;
        let work = &mut self.work;
        let mut r = of_all(&work.operator, &work.r);
        let (mut u, mut merit) = (vec![Vec3::zeros(); r.len()], vec![0.0; r.len()]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
        let (problem, external) = (work.operator.problem().ok_or_else(apart)?, outside.external());
        let mut report = solver::solve(&mut work.solver, problem, &laws, solver, conditions, unknowns, external)?;
        let places = work.operator.places();
        for (i, place) in places.iter().map(|place| *place as usize).enumerate() {
            (work.r[i], work.u[i], work.merit[i]) = (r[place], u[place], merit[place]);
        }
        let here = |worst| places.iter().position(|place| *place == worst);
        report.worst = report.worst.and_then(here).map(|i| i as u32);
        Ok(report)
    }

    /// The law of each row of all ranks, by its place. Collective.
    fn laws_of_all(&self) -> Result<Vec<Law>> {
        let placed: Vec<(u32, Law)> =
            self.work.operator.places().iter().copied().zip(self.work.laws.iter().copied()).collect();
        let mut all = self.of_all(&placed)?;
        all.sort_unstable_by_key(|(place, _)| *place);
        Ok(all.into_iter().map(|(_, law)| law).collect())
    }

    /// Impulses as [`solver::impulses`] finds them, from the problem of all ranks. Collective.
    pub(in crate::simulation) fn impulses_together(
        operator: &mut RankOperator,
        scalar: &[bool],
        residual: Vec<Vec3>,
    ) -> Result<Vec<Vec3>> {
        let scalar: Vec<bool> =
            operator.by_place(|i| [f64::from(scalar[i])]).into_iter().map(|[scalar]| scalar > 0.0).collect();
        let residual = of_all(operator, &residual);
        let impulses = solver::impulses(operator.problem().ok_or_else(apart)?, &scalar, residual);
        Ok(operator.places().iter().map(|place| impulses[*place as usize]).collect())
    }

    /// Adds works of contacts to bodies [J], normal and tangential, in the order of all contacts; `works` are those of rows
    /// of this rank. Collective.
    pub(in crate::simulation) fn add_works_by_places(&mut self, works: &[(usize, BodyIndex, [f64; 2])]) -> Result<()> {
        let places = self.work.operator.places();
        let placed = works.iter().map(|(row, body, work)| (places[*row], self.bodies.id(*body), *work));
        let mut all = self.of_all(&placed.collect::<Vec<_>>())?;
        all.sort_by_key(|(place, ..)| *place);
        for (_, id, [normal, friction]) in all {
            if let Some(body) = self.bodies.index(id).filter(|body| self.ranks.owns(*body)) {
                self.bodies.add_contact_work(body, normal, friction);
            }
        }
        Ok(())
    }

    /// Sums of numbers of the bodies of all ranks; where bits must not depend on how many there are, by ids. Collective.
    pub(in crate::simulation) fn sum_over_bodies<const N: usize>(
        &self,
        own: impl Fn() -> [f64; N],
        of_body: impl Fn(BodyIndex) -> [f64; N],
    ) -> Result<[f64; N]> {
        if !self.work.reproducible {
            return Ok(comm::sum(&*self.comm, own()));
        }
        let bodies = self.bodies.own().map(|(id, body)| (id, of_body(body).to_vec()));
        let mut all = self.of_all(&bodies.collect::<Vec<_>>())?;
        all.sort_unstable_by_key(|(id, _)| *id);
        Ok(tree_sum(all.len(), |i| std::array::from_fn(|k| all[i].1[k])))
    }
}

/// Rows are solved together after they were brought together.
fn apart() -> Error {
    Error::input("rows of ranks have not been brought together")
}

fn of_all(operator: &RankOperator, own: &[Vec3]) -> Vec<Vec3> {
    operator.by_place(|i| own[i].into()).into_iter().map(Vec3::from).collect()
}

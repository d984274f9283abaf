//! Energies and momenta that files do not hold, from the model and the frames (docs/histories.md, 'Energies').

use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::{constraint_kind, Analysis, BodyKind, Joint};
use solfec::query::{gravity, spring_energy, BodyView, Momentum, NodalMasses, ShownBodies};
use solfec_formats::results::{BodyColumns, ConstraintColumns};

use super::item::{Derived, Who};
use super::sample::Source;
use crate::cli::CliError;

/// Up to so many bodies are read one by one, more with whole frames.
const ONE_BY_ONE: usize = 8;

/// Columns of the energies in files.
const KINETIC: usize = 0;
const INTERNAL: usize = 1;
const CONTACT: usize = 3;
const FRICTION: usize = 4;
const DISSIPATED: usize = 5;

impl Source<'_> {
    pub(super) fn derived(&mut self, what: Derived, bodies: &Who) -> Result<Vec<f64>, CliError> {
        match what {
            Derived::Potential => self.potential(bodies),
            Derived::Spring => self.springs(bodies),
            Derived::Total | Derived::Balance => {
                let (potential, springs) = (self.potential(bodies)?, self.springs(bodies)?);
                let stored = self.energies(bodies)?.iter().map(|e| match what {
                    Derived::Balance => e[KINETIC] + e[INTERNAL] - e[CONTACT] - e[FRICTION] + e[DISSIPATED],
                    Derived::Total | Derived::Potential | Derived::Spring => e[KINETIC] + e[INTERNAL],
                });
                Ok(stored.zip(potential).zip(springs).map(|((e, p), s)| e + p + s).collect())
            }
        }
    }

    /// `-m g . x` of the bodies that gravity pulls, with gravity at the time of the frame.
    fn potential(&mut self, bodies: &Who) -> Result<Vec<f64>, CliError> {
        let model = self.model()?;
        let program = self.program()?.to_vec();
        let pull: Vec<Vec3> = self
            .taken
            .iter()
            .map(|&k| gravity(model, &program, self.frames.step_count[k], self.frames.time[k]))
            .collect();
        let mut sums = vec![0.0; self.taken.len()];
        let mut masses = NodalMasses::default();
        self.visit(bodies, &mut |at, body| {
            if body.body().kind != BodyKind::Obstacle {
                let placed = body.mass(&mut masses).zip(body.center(&mut masses));
                sums[at] -= placed.map_or(f64::NAN, |(mass, center)| (pull[at] * mass).dot(&center));
            }
        })?;
        Ok(sums)
    }

    pub(super) fn momenta(&mut self, bodies: &Who) -> Result<Vec<Momentum>, CliError> {
        let none = Momentum { linear: Vec3::zeros(), angular: Vec3::zeros() };
        let unknown = Momentum { linear: Vec3::repeat(f64::NAN), angular: Vec3::repeat(f64::NAN) };
        let mut sums = vec![none; self.taken.len()];
        let mut masses = NodalMasses::default();
        self.visit(bodies, &mut |at, body| {
            let momentum = body.momentum(&mut masses).unwrap_or(unknown);
            sums[at].linear += momentum.linear;
            sums[at].angular += momentum.angular;
        })?;
        Ok(sums)
    }

    /// Each of these bodies in each frame taken.
    fn visit(&mut self, bodies: &Who, visit: &mut dyn FnMut(usize, &BodyView)) -> Result<(), CliError> {
        let rows = self.rows(bodies)?;
        let model = self.model()?;
        if let Some(rows) = rows.as_ref().filter(|rows| rows.len() <= ONE_BY_ONE) {
            for &row in rows {
                let history = self.results.body_motion(self.domain, row, &self.taken, BodyColumns::All)?;
                let shown = history.shown(model);
                for (&at, (_, place)) in history.frames.iter().zip(shown.rows()) {
                    if let Some(view) = shown.view(CatalogueRow(row), place) {
                        visit(at, &view);
                    }
                }
            }
            return Ok(());
        }
        let chosen = |row: CatalogueRow| rows.as_ref().is_none_or(|rows| rows.binary_search(&row.0).is_ok());
        for (at, &k) in self.taken.iter().enumerate() {
            let frame = self.results.read_frame(self.domain, k)?;
            ShownBodies::of(model, &frame).all().filter(|view| chosen(view.row())).for_each(|view| visit(at, &view));
        }
        Ok(())
    }

    /// Energy of the springs at these bodies, at the end of the step: files have the stroke in its middle.
    fn springs(&mut self, bodies: &Who) -> Result<Vec<f64>, CliError> {
        let rows = self.rows(bodies)?;
        let model = self.model()?;
        let mut sums = vec![0.0; self.taken.len()];
        let is_spring = |joint: &Joint| joint.number() == constraint_kind::SPRING;
        if !model.constraints.iter().any(|c| is_spring(&c.joint)) {
            return Ok(sums);
        }
        let listed = |body: u32| rows.as_ref().is_none_or(|rows| rows.binary_search(&body).is_ok());
        let rest_of_step = if model.analysis == Analysis::Dynamic { 0.5 } else { 1.0 };
        let columns = ConstraintColumns { u: true, gap: true, row: true, ..ConstraintColumns::default() };
        let mut unknown = None;
        self.results.visit_constraints(self.domain, &self.taken, columns, &mut |at, c, range| {
            for i in range {
                if c.kind[i] != constraint_kind::SPRING || !(listed(c.master[i]) || listed(c.slave[i])) {
                    continue;
                }
                let spring = model.constraints.get(c.row[i] as usize);
                let Some((Joint::Spring { law, .. }, line)) = spring.map(|s| (s.joint, s.line)) else { continue };
                let stroke = c.gap[i] + rest_of_step * self.frames.h[self.taken[at]] * c.u[i][2];
                sums[at] += spring_energy(&law, &model.series, stroke).unwrap_or_else(|| {
                    unknown = Some(line);
                    f64::NAN
                });
            }
        })?;
        if let Some(line) = unknown {
            let place = if line > 0 { format!(" (deck line {line})") } else { String::new() };
            self.warn(format!(
                "the energy of the spring{place} is not known, because its law is a function: SPRING, TOTAL and \
                 BALANCE are NaN; give it a table, or name bodies without it"
            ));
        }
        Ok(sums)
    }
}

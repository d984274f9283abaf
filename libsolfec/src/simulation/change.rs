//! The one way to change a simulation: operations, applied between steps.

use super::{BodyInfo, Schedule, Simulation};
use crate::contact::Exclusions;
use crate::frame::{Event, EventKind, NO_BODY};
use crate::ids::{BodyId, BodyIndex, CatalogueRow};
use crate::math::{Mat3, Vec3};
use crate::model::{Characteristics, Model, Op, Settings, Sparsify};
use crate::shape::{placed_parts, Shape};
use crate::{Error, Result};

impl Simulation {
    /// Applies an operation of the program of `model`. RUN is not applied but run: see [`super::Run`].
    ///
    /// # Errors
    /// A body id that does not exist (any more), or a body that cannot be simulated.
    pub fn apply(&mut self, model: &Model, op: &Op) -> Result<()> {
        match op {
            Op::Run { .. } => {}
            Op::Output { interval, .. } => self.output = Schedule::new(self.time(), *interval),
            Op::InsertBodies { rows } => {
                let rows: Vec<usize> = (rows[0] as usize..rows[1] as usize).collect();
                self.insert(model, &rows)?;
                for row in rows {
                    let event = Event { time: self.time(), kind: EventKind::Born, body: row as u32, parent: NO_BODY };
                    self.events.push(event);
                }
            }
            Op::InsertConstraints { rows } => {
                self.series.clone_from(&model.series);
                let rows: Vec<usize> = (rows[0] as usize..rows[1] as usize).collect();
                self.insert_constraints(model, &rows)?;
            }
            Op::InsertLoads { rows } => {
                self.series.clone_from(&model.series);
                let rows: Vec<usize> = (rows[0] as usize..rows[1] as usize).collect();
                self.insert_loads(model, &rows)?;
            }
            Op::DeleteBody { body } => {
                let index = self.index(*body, "DELETE")?;
                self.remove(&[index], EventKind::Deleted);
            }
            Op::DeleteConstraint { row } => self.delete_constraint(*row)?,
            Op::Callback { interval, function } => {
                self.callback = function.map(|function| (function, Schedule::callback(self.time(), *interval)));
            }
            Op::InitialVelocity { body, linear, angular } => {
                let index = self.index(*body, "INITIAL_VELOCITY")?;
                self.bodies.set_initial_velocity(index, &Vec3::from(*linear), &Vec3::from(*angular))?;
                self.refresh_ties(index);
            }
            Op::SetVelocity { body, velo } => {
                let index = self.index(*body, "velo")?;
                self.bodies.set_velocity(index, velo)?;
                self.refresh_ties(index);
            }
            Op::SetConfiguration { body, conf } => {
                let index = self.index(*body, "conf")?;
                self.bodies.set_configuration(index, conf)?;
                self.resettle_ties(index);
            }
            Op::SetEnergies { body, energies } => {
                let index = self.index(*body, "INITIALIZE_STATE")?;
                self.bodies.set_works(index, energies);
            }
            Op::BodyChars { body, mass, volume, center, tensor } => {
                let index = self.index(*body, "BODY_CHARS")?;
                let (center, tensor) = (Vec3::from(*center), Mat3::from_column_slice(tensor));
                self.bodies
                    .set_characteristics(index, &Characteristics { mass: *mass, volume: *volume, center, tensor })?;
            }
            Op::SetScheme { body, scheme } => {
                let index = self.index(*body, "scheme")?;
                self.bodies.set_scheme(index, *scheme)?;
            }
            Op::SetDamping { body, damping } => {
                let index = self.index(*body, "damping")?;
                self.bodies.set_damping(index, *damping)?;
            }
            Op::DisableRotation { body, on } => {
                let index = self.index(*body, "disable_rotation")?;
                self.bodies.disable_rotation(index, *on);
            }
            Op::Gravity { series } => {
                self.series.clone_from(&model.series);
                self.settings.gravity = Some(*series);
            }
            Op::GeometricEpsilon { value } => self.settings.epsilon = *value,
            Op::ContactSparsify { threshold, minarea, mindist, projected } => {
                self.settings.sparsify =
                    Sparsify { threshold: *threshold, minarea: *minarea, mindist: *mindist, projected: *projected }
            }
            Op::ContactExcludeBodies { bodies } => {
                self.settings.excluded_bodies.push(*bodies);
                self.exclusions = exclusions(&self.settings);
            }
            Op::ContactExcludeSurfaces { surfaces } => {
                self.settings.excluded_surfaces.push(*surfaces);
                self.exclusions = exclusions(&self.settings);
            }
            Op::Extents { bounds } => self.settings.extents = Some(*bounds),
            Op::UnphysicalPenetration { depth } => self.settings.penetration_depth = *depth,
            Op::SurfaceMaterial { row, material } => {
                let row = *row as usize;
                match self.surface.get_mut(row) {
                    Some(entry) => *entry = material.clone(),
                    None => self.surface.push(material.clone()),
                }
            }
            Op::BulkMaterial { row, young, poisson } => {
                if let Some(material) = self.bulk.get_mut(*row as usize) {
                    (material.young, material.poisson) = (*young, *poisson);
                    self.bodies.set_material(*row, material);
                }
            }
            Op::StepRecovery { on } => self.settings.step_recovery = *on,
            Op::Step { value } => {
                self.wanted_step = *value;
                self.clock.set_h(*value);
            }
        }
        Ok(())
    }

    fn index(&self, id: u64, command: &str) -> Result<BodyIndex> {
        self.bodies
            .index(BodyId(id))
            .ok_or_else(|| Error::input(format!("{command}: body {id} does not exist (any more)")))
    }

    /// New bodies of these rows of the model, in order of id; materials that operations have changed stay so.
    pub(super) fn insert(&mut self, model: &Model, rows: &[usize]) -> Result<()> {
        let known = self.bulk.len().min(model.bulk.len());
        self.bulk.extend_from_slice(&model.bulk[known..]);
        for row in self.info.len()..model.bodies.len() {
            let body = &model.bodies[row];
            self.info.push(BodyInfo { label: body.label.clone(), line: body.line });
        }
        for &row in rows {
            let body = &model.bodies[row];
            let shapes: Vec<Shape> = model.shapes_of(body).collect();
            let material = model.bulk.get(body.material as usize);
            let index = self.bodies.insert(CatalogueRow(row as u32), body, material, &shapes)?;
            let parts = placed_parts(&shapes, self.bodies.deforms(index));
            let obstacle = self.bodies.is_obstacle(index);
            self.objects.insert(BodyId(body.id), obstacle, body.selfcontact, &parts, self.settings.epsilon)?;
        }
        for (row, material) in (0..).zip(&self.bulk) {
            self.bodies.set_material(row, material);
        }
        Ok(())
    }

    /// Removes bodies, by dense index, with their contacts and user constraints: one stable compaction of all columns.
    pub(super) fn remove(&mut self, gone: &[BodyIndex], kind: EventKind) {
        if gone.is_empty() {
            return;
        }
        self.work.stale = true;
        let mut keep = vec![true; self.bodies.len()];
        for &index in gone {
            keep[index.index()] = false;
            let body = self.bodies.row(index).0;
            self.events.push(Event { time: self.clock.now(), kind, body, parent: NO_BODY });
        }
        let place = self.bodies.remove(&keep);
        self.contacts.retain_mut(|c| {
            let ends = [c.master.body, c.slave.body].map(|body| place[body.index()]);
            let [Some(master), Some(slave)] = ends else { return false };
            (c.master.body, c.slave.body) = (master, slave);
            true
        });
        self.ties.retain_mut(|tie| tie.renumber(&place));
        self.objects.retain(&keep);
        self.loads.retain(|load| self.bodies.index(load.body).is_some());
    }
}

/// The excluded pairs of these settings.
pub(super) fn exclusions(settings: &Settings) -> Exclusions {
    Exclusions::new(&settings.excluded_bodies, &settings.excluded_surfaces)
}

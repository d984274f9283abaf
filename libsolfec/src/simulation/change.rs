//! The one way to change a simulation: operations, applied between steps.

use super::ranks::Change;
use super::{BodyInfo, Schedule, Simulation};
use crate::comm;
use crate::contact::Exclusions;
use crate::frame::{Event, EventKind};
use crate::ids::{BodyId, BodyIndex, CatalogueRow};
use crate::math::{Mat3, Vec3};
use crate::model::{
    changes_conditions, outline, put, Changed, Conditions, Definition, Insertion, NewBody, Op, Settings,
};
use crate::shape::placed_parts;
use crate::{Error, Result};

impl Simulation {
    /// Applies an operation. RUN is not applied but run: see [`super::Run`].
    ///
    /// # Errors
    /// A body id that does not exist (any more), or a body that cannot be simulated. A body cannot be split in this
    /// version.
    pub fn apply(&mut self, op: &Op) -> Result<()> {
        let applied = self.act(op);
        comm::agree(&*self.comm, applied)
    }

    fn act(&mut self, op: &Op) -> Result<()> {
        match op {
            Op::Define(definition) => self.define(definition)?,
            Op::Run { .. } => {}
            Op::Output { interval, .. } => {
                Schedule::check_interval("OUTPUT", *interval, self.clock.h)?;
                self.output = Schedule::new(self.time(), *interval);
            }
            Op::InsertBodies(bodies) => {
                self.insert(bodies)?;
                let own = bodies.numbered().filter(|(_, new)| self.is_own(new.body.id));
                let (time, kind, parent) = (self.time(), EventKind::Born, CatalogueRow::NONE);
                let born: Vec<Event> =
                    own.map(|(row, _)| Event { time, kind, body: CatalogueRow(row), parent }).collect();
                self.events.extend(born);
            }
            Op::InsertConstraints(rows) => self.insert_constraints(rows)?,
            Op::InsertLoads(rows) => self.insert_loads(rows)?,
            Op::Split { body, .. } => {
                let text = format!("SPLIT: body {body} cannot be split: that is not available in this version");
                return Err(Error::input(text));
            }
            Op::DeleteBody { body } => {
                let gone: Vec<BodyIndex> = self.index(*body, "DELETE")?.into_iter().collect();
                self.remove(&gone, EventKind::Deleted);
            }
            Op::DeleteConstraint { row } => self.delete_constraint(*row)?,
            Op::Callback { interval, function } => {
                if function.is_some() {
                    Schedule::check_interval("CALLBACK", *interval, self.clock.h)?;
                }
                self.callback = function.map(|function| (function, Schedule::callback(self.time(), *interval)));
            }
            Op::InitialVelocity { body, .. } => {
                let Some(index) = self.index(*body, "INITIAL_VELOCITY")? else { return Ok(()) };
                self.bodies.describe(index, op)?;
                self.refresh_constraints(index);
            }
            Op::SetVelocity { body, .. } => {
                let Some(index) = self.index(*body, "velo")? else { return Ok(()) };
                self.bodies.describe(index, op)?;
                self.refresh_constraints(index);
            }
            Op::SetConfiguration { body, .. } => {
                let Some(index) = self.index(*body, "conf")? else { return Ok(()) };
                self.bodies.describe(index, op)?;
                self.resettle_constraints(index);
                self.work.newcomers.push(BodyId(*body));
            }
            Op::SetEnergies { body, energies } => {
                let Some(index) = self.index(*body, "INITIALIZE_STATE")? else { return Ok(()) };
                self.bodies.set_works(index, energies);
            }
            Op::BodyChars { body, mass, volume, center, tensor } => {
                let (center, tensor) = (Vec3::from(*center), Mat3::from_column_slice(tensor));
                let change = Change::Characteristics { mass: *mass, volume: *volume, center, tensor };
                self.change_body(*body, "BODY_CHARS", &change)?;
            }
            Op::SetScheme { body, scheme } => self.change_body(*body, "scheme", &Change::Scheme(*scheme))?,
            Op::SetDamping { body, damping } => self.change_body(*body, "damping", &Change::Damping(*damping))?,
            Op::DisableRotation { body, on } => {
                self.change_body(*body, "disable_rotation", &Change::RotationDisabled(*on))?;
            }
            Op::SelfContact { body, on } => self.change_body(*body, "selfcontact", &Change::SelfContact(*on))?,
            changes_conditions!() => {
                let changed = self.conditions().fold(op);
                self.follow(changed)?;
            }
        }
        Ok(())
    }

    /// Fills the tables to which bodies, constraints and loads refer.
    fn define(&mut self, definition: &Definition) -> Result<()> {
        match definition {
            Definition::Series { row, series } => put(&mut self.series, *row, series.clone()),
            Definition::Field { row, field } => put(&mut self.fields, *row, field.clone()),
            Definition::Bulk { .. } => {
                let changed = self.conditions().define(definition);
                self.follow(changed)?;
            }
            Definition::Function(function) => self.functions.push(function.clone()),
            Definition::DisplayPoint(_) | Definition::Verbose(_) | Definition::Base(_) => {}
        }
        Ok(())
    }

    fn conditions(&mut self) -> Conditions<'_> {
        let Simulation { wanted_step: step, settings, bulk, surface, .. } = self;
        Conditions { step, settings, bulk, surface }
    }

    /// Brings what depends on settings and materials up to date.
    fn follow(&mut self, changed: Changed) -> Result<()> {
        match changed {
            Changed::Nothing | Changed::Settings => {}
            Changed::Surface => self.look_up_materials(),
            Changed::Exclusions => self.exclusions = exclusions(&self.settings),
            Changed::Step => self.clock.set_h(self.wanted_step),
            Changed::Bulk(row) => {
                if let Some(material) = self.bulk.get(row as usize) {
                    self.bodies.set_material(row, material)?;
                }
            }
        }
        Ok(())
    }

    /// The body with this id; `None` if other ranks have it. Collective.
    fn index(&self, id: u64, command: &str) -> Result<Option<BodyIndex>> {
        let index = self.bodies.index(BodyId(id));
        if comm::any(&*self.comm, index.is_some()) {
            Ok(index)
        } else {
            Err(Error::input(format!("{command}: body {id} does not exist (any more)")))
        }
    }

    fn change_body(&mut self, id: u64, command: &str, change: &Change) -> Result<()> {
        let index = self.index(id, command)?;
        index.map_or(Ok(()), |index| self.change(index, change))
    }

    pub(super) fn is_own(&self, id: u64) -> bool {
        self.bodies.index(BodyId(id)).is_some_and(|body| !self.bodies.is_copy(body))
    }

    /// New bodies of the materials in force: those that belong to this rank.
    pub(super) fn insert(&mut self, bodies: &Insertion<NewBody>) -> Result<()> {
        let rank = self.comm.rank();
        self.rows = self.rows.max(bodies.first + bodies.rows.len() as u32);
        for (row, new) in bodies.numbered() {
            if self.ranks.owner(&new.body.chars.center) == rank {
                self.insert_own(row, new)?;
            }
        }
        Ok(())
    }

    /// A new body of this rank.
    pub(super) fn insert_own(&mut self, row: u32, new: &NewBody) -> Result<()> {
        self.insert_one(row, new, self.comm.rank())?;
        self.work.newcomers.push(BodyId(new.body.id));
        Ok(())
    }

    /// A body of this rank or of another one, its `home`.
    pub(super) fn insert_one(&mut self, row: u32, new: &NewBody, home: usize) -> Result<BodyIndex> {
        let NewBody { body, shapes } = new;
        let (outline, _) = outline(body.kind, shapes);
        let index = self.bodies.insert(CatalogueRow(row), body, &self.bulk, shapes)?;
        self.info.push(BodyInfo { label: body.label.clone(), line: body.line, shapes: outline.to_vec() });
        let parts = placed_parts(outline, self.bodies.deforms(index));
        let obstacle = self.bodies.is_obstacle(index);
        self.objects.insert(BodyId(body.id), obstacle, body.selfcontact, &parts, self.settings.epsilon)?;
        self.note_body(row, new, home);
        Ok(index)
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
            if !self.bodies.is_copy(index) {
                let body = self.bodies.row(index);
                self.events.push(Event { time: self.clock.now(), kind, body, parent: CatalogueRow::NONE });
            }
        }
        let place = self.bodies.remove(&keep);
        let mut kept = keep.iter();
        self.info.retain(|_| kept.next() == Some(&true));
        self.ranks.retain(&keep);
        self.contacts_changed();
        self.contacts.retain_mut(|c| {
            let ends = [c.master.body, c.slave.body].map(|body| place[body.index()]);
            let [Some(master), Some(slave)] = ends else { return false };
            (c.master.body, c.slave.body) = (master, slave);
            true
        });
        self.constraints.retain_mut(|constraint| constraint.renumber(&place));
        self.objects.retain(&keep);
        self.loads.retain(|load| self.bodies.index(load.body).is_some());
    }
}

/// The excluded pairs of these settings.
pub(super) fn exclusions(settings: &Settings) -> Exclusions {
    Exclusions::new(&settings.excluded_bodies, &settings.excluded_surfaces).with_parts(&settings.excluded_objects)
}

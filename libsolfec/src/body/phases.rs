//! The phases of a step over all bodies, and tables of all bodies.

use super::{
    Ahead, Attachment, Bodies, BodyColumns, BodySet, Energies, Forces, Inertia, MaterialPoint, Twist, Warning,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow};
use crate::load::SurfaceLoad;
use crate::math::{tree_sum, Vec3};

impl Bodies {
    /// Sets with bodies.
    fn present(&mut self) -> impl Iterator<Item = &mut Box<dyn BodySet>> {
        self.sets.iter_mut().filter(|set| !set.bodies().is_empty())
    }

    /// Half of the smallest critical step [s] and the body that sets it; `None` when every step is stable.
    pub fn critical_step(&self) -> Option<(f64, BodyIndex)> {
        let found = self.sets.iter().filter_map(|set| set.critical_step());
        let least = found.min_by(|a, b| a.0.total_cmp(&b.0).then(self.id(a.1).cmp(&self.id(b.1))));
        least.map(|(step, body)| (0.5 * step, body))
    }

    /// Most nodes in contact of a body between which its inverse is kept as a dense matrix.
    pub fn set_dense_nodes(&mut self, most: usize) {
        self.sets.iter_mut().for_each(|set| set.set_dense_nodes(most));
    }

    /// Begins a step of length `h` [s]: keeps the state, moves the bodies to the configuration of detection, forgets
    /// loads.
    pub fn begin(&mut self, h: f64) {
        self.present().for_each(|set| set.begin(h));
    }

    /// Without a step: whatever follows from configurations is that of the present ones, and there are no loads.
    pub fn look_at_present(&mut self) {
        self.present().for_each(|set| set.look_at_present());
    }

    /// The state is again that before the last [`Bodies::begin`]. To be called before [`Bodies::finish`].
    pub fn revert(&mut self) {
        self.present().for_each(|set| set.revert());
    }

    /// Adds a spatial force [N] at a point to the loads of the step.
    pub fn add_force(&mut self, point: &MaterialPoint, force: &Vec3) {
        let (set, row, _) = self.at_mut(point.body);
        set.add_force(row, point, force);
    }

    /// Whether a torque has a meaning for the body.
    pub fn takes_torque(&self, i: BodyIndex) -> bool {
        let (set, row) = self.at(i);
        set.takes_torque(row)
    }

    /// Adds a torque [N m], spatial or (`convected`) referential.
    pub fn add_torque(&mut self, i: BodyIndex, torque: &Vec3, convected: bool) {
        let (set, row, _) = self.at_mut(i);
        set.add_torque(row, torque, convected);
    }

    /// Adds a pressure [Pa] on a surface; positive pulls outwards.
    pub fn add_pressure(&mut self, i: BodyIndex, surface: &SurfaceLoad, pressure: f64) {
        let (set, row, _) = self.at_mut(i);
        set.add_pressure(row, surface, pressure);
    }

    /// Number and meaning of generalised forces on a body. Rigid: spatial force, spatial torque, referential torque.
    pub fn generalised_forces(&self, i: BodyIndex) -> (usize, &'static str) {
        let (set, row) = self.at(i);
        set.generalised_forces(row)
    }

    /// Adds generalised forces, as many as [`Bodies::generalised_forces`] says.
    pub fn add_generalised(&mut self, i: BodyIndex, forces: &[f64]) {
        let (set, row, _) = self.at_mut(i);
        set.add_generalised(row, forces);
    }

    /// Velocity of t+h without reactions, and the inverse inertia, under the loads added since `begin` and gravity
    /// [m/s²].
    pub fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        self.present().for_each(|set| set.free_velocity(h, gravity));
    }

    /// How a body answers to forces, after `free_velocity`.
    pub fn inertia(&self, i: BodyIndex) -> Inertia<'_> {
        let (set, row) = self.at(i);
        set.inertia(row)
    }

    /// How a constraint at a point that is `here` now holds on to its body, after `free_velocity`.
    pub fn attach(&self, point: &MaterialPoint, here: &Vec3) -> Attachment {
        let (set, row) = self.at(point.body);
        set.attach(row, point, here)
    }

    /// A bound of the speed of t of a point that is `here` [m/s], after `free_velocity`.
    pub fn speed_bound(&self, point: &MaterialPoint, here: &Vec3) -> f64 {
        let (set, row) = self.at(point.body);
        set.speed_bound(row, point, here)
    }

    /// Ends the step under these reactions: velocity of t+h, rest of the motion, works.
    pub fn finish(&mut self, h: f64, reactions: &dyn Forces) {
        self.present().for_each(|set| set.finish(h, reactions));
    }

    /// How a body will have turned and strained when constraints are placed in the next step, see
    /// [`BodySet::ahead`](super::BodySet::ahead).
    pub fn ahead(&self, i: BodyIndex, h: f64, reactions: &dyn Forces) -> Option<Ahead> {
        let (set, row) = self.at(i);
        set.ahead(row, h, reactions)
    }

    /// Changes velocities by impulses [N s], with the inverse inertia of the last `free_velocity`. The kinetic energy
    /// that they bring is external work.
    pub fn apply_impulses(&mut self, impulses: &dyn Forces) {
        self.sets.iter_mut().for_each(|set| set.apply_impulses(impulses));
    }

    /// Adds a velocity to that of an obstacle; other bodies are left alone.
    pub fn shift_velocity(&mut self, i: BodyIndex, change: &Twist) {
        let (set, row, _) = self.at_mut(i);
        set.shift_velocity(row, change);
    }

    /// The obstacle will have this velocity at the end of the step of length `h` [s], to which `begin` and
    /// `free_velocity` belong; other bodies are left alone.
    pub fn prescribe(&mut self, i: BodyIndex, h: f64, velocity: &Twist) {
        let (set, row, _) = self.at_mut(i);
        set.prescribe(row, h, velocity);
    }

    /// Adds this body's share of the normal and tangential work of a contact [J]. Obstacles keep no record; the caller
    /// gives the whole to the other body.
    pub fn add_contact_work(&mut self, i: BodyIndex, normal: f64, friction: f64) {
        let (set, row, _) = self.at_mut(i);
        set.add_contact_work(row, normal, friction);
    }

    /// Sum over the bodies that are no copies, independent of threads.
    fn total<const N: usize>(&self, of: impl Fn(BodyIndex) -> [f64; N] + Sync) -> [f64; N] {
        tree_sum(self.len(), |k| {
            let (_, i) = self.by_id()[k];
            if self.is_copy(i) {
                [0.0; N]
            } else {
                of(i)
            }
        })
    }

    /// Sum of the energies of all bodies [J].
    pub fn energy_total(&self) -> Energies {
        self.total(|i| self.energies(i))
    }

    /// The same without energies that are integrals over a mesh.
    pub fn energy_of_motion(&self) -> Energies {
        self.total(|i| {
            let (set, row) = self.at(i);
            set.energies_of_motion(row)
        })
    }

    /// The kinetic energy of all bodies [J].
    pub fn kinetic_total(&self) -> f64 {
        let [kinetic] = self.total(|i| [self.kinetic(i)]);
        kinetic
    }

    /// The kinetic energy of a body [J].
    pub fn kinetic(&self, body: BodyIndex) -> f64 {
        let (set, row) = self.at(body);
        set.kinetic(row)
    }

    /// What the last step has shown to deserve attention: by kind, then by id.
    pub fn warnings(&self) -> Vec<(BodyIndex, Warning)> {
        let mut all = Vec::new();
        for set in &self.sets {
            let first = all.len();
            set.warnings(&mut all);
            all.retain(|(body, _)| !self.is_copy(*body));
            all[first..].sort_by_key(|(body, _)| self.id(*body));
        }
        all
    }

    /// Whether states are finite, no body is turned inside out, and the energies of motion of each kind have a finite
    /// sum.
    pub fn is_sound(&self) -> bool {
        self.sets.iter().all(|set| set.is_sound())
    }

    /// The body of smallest id whose state is no longer finite.
    pub fn first_not_finite(&self) -> Option<BodyIndex> {
        self.first(|i| {
            let (set, row) = self.at(i);
            !set.is_finite(row)
        })
    }

    /// The body of smallest id that is turned inside out: points no longer have a reference place.
    pub fn first_inverted(&self) -> Option<BodyIndex> {
        self.first(|i| {
            let (set, row) = self.at(i);
            set.is_inverted(row)
        })
    }

    fn first(&self, bad: impl Fn(BodyIndex) -> bool) -> Option<BodyIndex> {
        self.own().map(|(_, i)| i).find(|&i| bad(i))
    }

    /// Shows all bodies in the tables of a frame, by id.
    pub fn show(&self, frame: &mut Frame) {
        for (set, rows) in self.sets.iter().zip(self.rows_by_set()) {
            let rows: Vec<(usize, CatalogueRow)> = rows.into_iter().map(|(row, i)| (row, self.row(i))).collect();
            set.show(&rows, frame);
        }
    }

    /// Shows one body in the tables of a frame.
    pub fn show_one(&self, i: BodyIndex, frame: &mut Frame) {
        let (set, row) = self.at(i);
        set.show(&[(row, self.row(i))], frame);
    }

    /// The state of all bodies, by id.
    pub fn columns(&self) -> BodyColumns {
        let mut columns = BodyColumns::default();
        for (set, rows) in self.sets.iter().zip(self.rows_by_set()) {
            let rows: Vec<(usize, BodyId)> = rows.into_iter().map(|(row, i)| (row, self.id(i))).collect();
            set.store(&rows, &mut columns);
        }
        columns
    }

    /// The state of some bodies.
    pub(crate) fn columns_of(&self, bodies: &[BodyIndex]) -> BodyColumns {
        let mut columns = BodyColumns::default();
        for &i in bodies {
            let (set, row) = self.at(i);
            set.store(&[(row, self.id(i))], &mut columns);
        }
        columns
    }

    /// Takes states and works of those bodies that are in the columns, bit for bit.
    pub(crate) fn take_columns(&mut self, columns: &BodyColumns) {
        for id in columns.ids().map(BodyId) {
            if let Some(i) = self.index(id) {
                let (set, row, _) = self.at_mut(i);
                set.restore(row, id, columns);
            }
        }
    }

    /// Takes states and works of all bodies that are no copies from columns, bit for bit.
    ///
    /// # Errors
    /// The id of a body that the table of its kind does not hold.
    pub fn restore(&mut self, columns: &BodyColumns) -> Result<(), BodyId> {
        for k in 0..self.len() {
            let (id, i) = self.by_id()[k];
            let own = !self.is_copy(i);
            let (set, row, _) = self.at_mut(i);
            if own && !set.restore(row, id, columns) {
                return Err(id);
            }
        }
        Ok(())
    }
}

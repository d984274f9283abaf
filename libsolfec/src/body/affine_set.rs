//! A set of bodies whose motion is affine: one column for each thing that a body has, see
//! [`AffineState`](super::affine_body::AffineState).

use rayon::prelude::*;

use super::affine_body::{AffineState, Constants, Load};
use super::{
    renumber, retain, Ahead, Attachment, BodyColumns, BodySet, Energies, Forces, Inertia, MaterialPoint, Motion,
    NewBody, Twist, Warning, CONTACT, EXTERNAL, FRICTION, GRAIN, INTERNAL, KINETIC,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use crate::load::SurfaceLoad;
use crate::material::BulkMaterial;
use crate::math::Vec3;
use crate::model::{Characteristics, Scheme};
use crate::stepping::Stepping;
use crate::Result;

/// Columns of all bodies of one kind.
pub struct AffineSet<S: AffineState> {
    stepping: Stepping,
    body: Vec<BodyIndex>,
    constants: Vec<S::Constants>,
    /// Characteristics that bodies have been given since they were described.
    given: Vec<Option<Characteristics>>,
    state: Vec<S>,
    /// The state at the start of the step.
    start: Vec<S>,
    step: Vec<S::Step>,
    /// Accumulated works; kinetic and internal energy are functions of the state.
    work: Vec<Energies>,
    /// Loads of this step; empty when there are none.
    loads: Vec<S::Load>,
}

impl<S: AffineState> AffineSet<S> {
    pub fn new(stepping: Stepping) -> Self {
        AffineSet {
            stepping,
            body: Vec::new(),
            constants: Vec::new(),
            given: Vec::new(),
            state: Vec::new(),
            start: Vec::new(),
            step: Vec::new(),
            work: Vec::new(),
            loads: Vec::new(),
        }
    }

    fn motion(&self, row: usize) -> Motion {
        self.state[row].motion(&self.constants[row])
    }

    fn load(&mut self, row: usize) -> &mut S::Load {
        if self.loads.is_empty() {
            self.loads.resize(self.body.len(), S::Load::default());
        }
        &mut self.loads[row]
    }

    fn energy_of_motion(&self, row: usize) -> f64 {
        self.state[row].kinetic(&self.constants[row])
    }
}

impl<S: AffineState> BodySet for AffineSet<S> {
    fn bodies(&self) -> &[BodyIndex] {
        &self.body
    }

    fn insert(&mut self, body: BodyIndex, new: &NewBody<'_>) -> Result<()> {
        let constants = S::Constants::new(new)?;
        let (state, step) = S::at_rest(&constants);
        self.body.push(body);
        self.constants.push(constants);
        self.given.push(None);
        self.state.push(state);
        self.step.push(step);
        self.work.push([0.0; 6]);
        self.loads.clear();
        Ok(())
    }

    fn retain(&mut self, place: &[Option<BodyIndex>]) {
        let keep = renumber(&mut self.body, place);
        retain(&mut self.constants, &keep);
        retain(&mut self.given, &keep);
        retain(&mut self.state, &keep);
        retain(&mut self.step, &keep);
        retain(&mut self.work, &keep);
        self.loads.clear();
    }

    fn moves(&self, row: usize) -> bool {
        self.constants[row].moves()
    }

    fn mass(&self, row: usize) -> f64 {
        self.constants[row].mass()
    }

    fn center(&self, row: usize) -> Vec3 {
        self.constants[row].center()
    }

    fn set_characteristics(&mut self, row: usize, name: &str, chars: &Characteristics) -> Result<()> {
        self.state[row].set_characteristics(&mut self.constants[row], name, chars)?;
        self.given[row] = Some(*chars);
        Ok(())
    }

    fn configuration(&self, row: usize) -> Vec<f64> {
        self.state[row].configuration()
    }

    fn set_configuration(&mut self, row: usize, name: &str, conf: &[f64]) -> Result<()> {
        self.state[row].set_configuration(name, conf)
    }

    fn velocity(&self, row: usize) -> Vec<f64> {
        self.state[row].velocity()
    }

    fn set_velocity(&mut self, row: usize, name: &str, velo: &[f64]) -> Result<()> {
        self.state[row].set_velocity(&self.constants[row], name, velo)
    }

    fn set_rigid_velocity(&mut self, row: usize, twist: &Twist) {
        self.state[row].set_rigid_velocity(&self.constants[row], twist);
    }

    fn set_scheme(&mut self, row: usize, name: &str, scheme: Scheme) -> Result<()> {
        self.constants[row].set_scheme(name, scheme)
    }

    fn set_damping(&mut self, row: usize, damping: f64) {
        self.constants[row].set_damping(damping);
    }

    fn disable_rotation(&mut self, row: usize, on: bool) {
        self.state[row].disable_rotation(&mut self.constants[row], on);
    }

    fn set_material(&mut self, material: u32, of: &BulkMaterial) -> Result<()> {
        self.constants.iter_mut().try_for_each(|constants| constants.set_material(material, of))
    }

    fn check_place(&self, row: usize) -> Result<(), String> {
        self.motion(row).check()
    }

    fn place(&self, row: usize, reference: &[Vec3], _nodes: &[u32], out: &mut [Vec3]) {
        self.motion(row).place(reference, out);
    }

    fn turn_normals(&self, row: usize, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        self.motion(row).turn_normals(reference, out);
        true
    }

    fn point(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        self.motion(row).point(&point.reference)
    }

    fn reference(&self, row: usize, _object: ObjectIndex, _element: u32, here: &Vec3) -> Option<Vec3> {
        self.motion(row).reference(here)
    }

    fn carry(&self, row: usize, _point: &MaterialPoint, direction: &Vec3) -> Vec3 {
        self.motion(row).f * direction
    }

    fn mean_twist(&self, row: usize) -> Twist {
        self.state[row].mean_twist()
    }

    fn velocity_at(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        self.state[row].velocity_at(&self.constants[row], &point.reference)
    }

    fn speed_bound(&self, row: usize, point: &MaterialPoint, here: &Vec3) -> f64 {
        if !self.stepping.inertial {
            return 0.0;
        }
        self.state[row].speed_bound(&self.constants[row], point, here)
    }

    fn stress(&self, row: usize, _point: &MaterialPoint) -> [f64; 6] {
        self.state[row].stress(&self.constants[row])
    }

    fn critical_step(&self) -> Option<(f64, BodyIndex)> {
        if !self.stepping.inertial || !S::HAS_CRITICAL_STEP {
            return None;
        }
        let smaller = |a: (f64, usize), b: (f64, usize)| if (b.0, b.1) < (a.0, a.1) { b } else { a };
        let (step, row) = (0..self.body.len())
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|row| (self.state[row].critical_step(&self.constants[row]), row))
            .reduce(|| (f64::INFINITY, usize::MAX), smaller);
        (step < f64::INFINITY).then(|| (step, self.body[row]))
    }

    fn begin(&mut self, h: f64) {
        self.loads.clear();
        std::mem::swap(&mut self.state, &mut self.start);
        let before = self.stepping.before * h;
        (&self.start, &mut self.step, &self.constants)
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|(start, step, constants)| start.drift(before, constants, step))
            .collect_into_vec(&mut self.state);
    }

    fn revert(&mut self) {
        std::mem::swap(&mut self.state, &mut self.start);
        self.loads.clear();
    }

    fn add_force(&mut self, row: usize, point: &MaterialPoint, force: &Vec3) {
        let arm = self.state[row].arm(&self.constants[row], &point.reference);
        self.load(row).add_force(&arm, force);
    }

    fn takes_torque(&self, _row: usize) -> bool {
        S::Load::TAKES_TORQUE
    }

    fn add_torque(&mut self, row: usize, torque: &Vec3, convected: bool) {
        self.load(row).add_torque(torque, convected);
    }

    fn add_pressure(&mut self, row: usize, surface: &SurfaceLoad, pressure: f64) {
        let state = self.state[row];
        state.add_pressure(surface, pressure, self.load(row));
    }

    fn generalised_forces(&self, _row: usize) -> (usize, &'static str) {
        S::Load::GENERALISED
    }

    fn add_generalised(&mut self, row: usize, forces: &[f64]) {
        self.load(row).add_generalised(forces);
    }

    fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        let (loads, stepping) = (&self.loads, &self.stepping);
        (&mut self.step, &self.state, &self.constants).into_par_iter().with_min_len(GRAIN).enumerate().for_each(
            |(row, (step, state, constants))| {
                let load = loads.get(row).copied().unwrap_or_default();
                state.free_velocity(h, stepping, constants, step, gravity, &load);
            },
        );
    }

    fn inertia(&self, row: usize) -> Inertia<'_> {
        self.state[row].inertia(&self.stepping, &self.constants[row], &self.step[row])
    }

    fn attach(&self, row: usize, point: &MaterialPoint, here: &Vec3) -> Attachment {
        self.state[row].attach(&self.stepping, &self.constants[row], &self.step[row], point, here)
    }

    fn finish(&mut self, h: f64, reactions: &dyn Forces) {
        let stepping = &self.stepping;
        (&mut self.state, &mut self.step, &mut self.work, &self.constants, &self.body)
            .into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(state, step, work, constants, &body)| {
                state.finish(h, stepping, constants, step, &S::Load::of(reactions, body), work);
            });
        self.loads.clear();
    }

    fn ahead(&self, row: usize, h: f64, reactions: &dyn Forces) -> Option<Ahead> {
        let reaction = S::Load::of(reactions, self.body[row]);
        Some(self.state[row].ahead(h, &self.stepping, &self.constants[row], &self.step[row], &reaction))
    }

    fn apply_impulses(&mut self, impulses: &dyn Forces) {
        for row in 0..self.body.len() {
            let impulse = S::Load::of(impulses, self.body[row]);
            if impulse == S::Load::default() {
                continue;
            }
            let before = self.energy_of_motion(row);
            self.state[row].add_impulse(&self.constants[row], &self.step[row], &impulse);
            self.work[row][EXTERNAL] += self.energy_of_motion(row) - before;
        }
    }

    fn shift_velocity(&mut self, row: usize, change: &Twist) {
        self.state[row].shift_velocity(&self.constants[row], change);
    }

    fn prescribe(&mut self, row: usize, h: f64, velocity: &Twist) {
        let after = self.stepping.after * h;
        self.state[row].prescribe(after, &self.constants[row], &mut self.step[row], velocity);
    }

    /// Velocities of quasi-static runs are increments of pseudo-time and have no kinetic energy.
    fn kinetic(&self, row: usize) -> f64 {
        if self.stepping.inertial {
            self.energy_of_motion(row)
        } else {
            0.0
        }
    }

    fn energies(&self, row: usize) -> Energies {
        let mut energies = self.work[row];
        energies[KINETIC] = self.kinetic(row);
        energies[INTERNAL] = self.state[row].internal(&self.constants[row]);
        energies
    }

    /// Obstacles keep no record.
    fn add_contact_work(&mut self, row: usize, normal: f64, friction: f64) {
        if self.moves(row) {
            self.work[row][CONTACT] += normal;
            self.work[row][FRICTION] += friction;
        }
    }

    fn set_works(&mut self, row: usize, energies: &Energies) {
        self.work[row] = *energies;
    }

    fn warnings(&self, out: &mut Vec<(BodyIndex, Warning)>) {
        for (step, &body) in self.step.iter().zip(&self.body) {
            out.extend(S::warnings(step).into_iter().flatten().map(|warning| (body, warning)));
        }
    }

    fn is_finite(&self, row: usize) -> bool {
        self.state[row].is_finite()
    }

    fn is_inverted(&self, row: usize) -> bool {
        self.state[row].is_inverted()
    }

    fn show(&self, rows: &[(usize, CatalogueRow)], frame: &mut Frame) {
        for &(row, body) in rows {
            self.state[row].show(self.energies(row), body, frame);
            if let Some(chars) = &self.given[row] {
                frame.chars.push(chars.row(body));
            }
        }
    }

    fn store(&self, rows: &[(usize, BodyId)], columns: &mut BodyColumns) {
        for &(row, id) in rows {
            self.state[row].store(&self.work[row], id, columns);
        }
    }

    fn restore(&mut self, row: usize, id: BodyId, columns: &BodyColumns) -> bool {
        let Some((state, work)) = S::restore(id, columns) else { return false };
        (self.state[row], self.work[row]) = (state, work);
        true
    }
}

//! Rigid bodies and obstacles: `x = x_c + R (X − X0)`, `Ṙ = R skew(Ω)` with referential `Ω`.

mod columns;
mod inertia;
mod motion;

use rayon::prelude::*;

use super::affine::{answer_by_motion, Ahead, Motion};
use super::checks::{check_numbers, given_rotation, wrong_scheme};
use super::set::{BodySet, Kind, NewBody};
use super::{
    renumber, retain, Attachment, BodyColumns, Energies, Forces, Inertia, MaterialPoint, Twist, Warning, CONTACT,
    EXTERNAL, FRICTION, GRAIN, INTERNAL, KINETIC,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use crate::load::SurfaceLoad;
use crate::math::{exp_map, skew, Mat3, Vec3};
use crate::model::{BodyKind, Characteristics, Scheme};
use crate::stepping::Stepping;
use crate::Result;
use inertia::RigidInertia;
use motion::{RigidState, RigidStep, Wrench};

/// Rigid bodies, and obstacles, which are rigid bodies that forces do not move.
pub struct Rigid;

impl Kind for Rigid {
    fn holds(&self, kind: BodyKind) -> bool {
        matches!(kind, BodyKind::Obstacle | BodyKind::Rigid)
    }

    fn empty(&self, stepping: Stepping) -> Box<dyn BodySet> {
        Box::new(RigidSet::new(stepping))
    }
}

/// Columns of all rigid bodies and obstacles.
struct RigidSet {
    stepping: Stepping,
    body: Vec<BodyIndex>,
    inertia: Vec<RigidInertia>,
    state: Vec<RigidState>,
    /// The state at the start of the step.
    start: Vec<RigidState>,
    step: Vec<RigidStep>,
    /// Accumulated works; kinetic energy is a function of the state.
    work: Vec<Energies>,
    /// Loads of this step; empty when there are none.
    loads: Vec<Wrench>,
}

impl RigidSet {
    fn new(stepping: Stepping) -> Self {
        RigidSet {
            stepping,
            body: Vec::new(),
            inertia: Vec::new(),
            state: Vec::new(),
            start: Vec::new(),
            step: Vec::new(),
            work: Vec::new(),
            loads: Vec::new(),
        }
    }

    fn motion(&self, row: usize) -> Motion {
        let state = &self.state[row];
        Motion { f: state.rot, x: state.x, x0: self.inertia[row].x0 }
    }

    fn load(&mut self, row: usize) -> &mut Wrench {
        if self.loads.is_empty() {
            self.loads.resize(self.body.len(), Wrench::zero());
        }
        &mut self.loads[row]
    }

    /// Referential spin; a disabled rotation has none.
    fn set_spin(&mut self, row: usize, omega: Vec3) {
        self.state[row].omega = if self.inertia[row].frozen { Vec3::zeros() } else { omega };
    }

    fn kinetic(&self, row: usize) -> f64 {
        self.inertia[row].kinetic(&self.state[row])
    }

    /// The velocity of t, spatial; zero where velocities do not persist.
    fn previous(&self, row: usize) -> Twist {
        if self.stepping.inertial {
            self.state[row].twist()
        } else {
            Twist::zero()
        }
    }

    /// The velocity of t+h without reactions, spatial.
    fn free(&self, row: usize) -> Twist {
        let step = &self.step[row];
        Twist { linear: step.free_v, angular: self.state[row].rot * step.free_omega }
    }
}

impl BodySet for RigidSet {
    fn bodies(&self) -> &[BodyIndex] {
        &self.body
    }

    fn insert(&mut self, body: BodyIndex, new: &NewBody<'_>) -> Result<()> {
        let inertia = RigidInertia::new(&new.row.chars, new.name, new.row.kind == BodyKind::Obstacle)?;
        self.body.push(body);
        self.inertia.push(inertia);
        self.state.push(RigidState::at_rest(inertia.x0));
        self.step.push(RigidStep::new());
        self.work.push([0.0; 6]);
        self.loads.clear();
        Ok(())
    }

    fn retain(&mut self, place: &[Option<BodyIndex>]) {
        let keep = renumber(&mut self.body, place);
        retain(&mut self.inertia, &keep);
        retain(&mut self.state, &keep);
        retain(&mut self.step, &keep);
        retain(&mut self.work, &keep);
        self.loads.clear();
    }

    fn moves(&self, row: usize) -> bool {
        !self.inertia[row].obstacle
    }

    fn mass(&self, row: usize) -> f64 {
        self.inertia[row].mass
    }

    fn center(&self, row: usize) -> Vec3 {
        self.inertia[row].x0
    }

    fn set_characteristics(&mut self, row: usize, name: &str, chars: &Characteristics) -> Result<()> {
        let (motion, old) = (self.motion(row), self.inertia[row]);
        let fresh = RigidInertia::new(chars, name, old.obstacle)?;
        let state = &mut self.state[row];
        let shift = state.rot.tr_mul(&(motion.point(&chars.center) - motion.x));
        state.v += state.rot * state.omega.cross(&shift);
        state.x = motion.point(&chars.center);
        self.inertia[row] = RigidInertia { scheme: old.scheme, frozen: old.frozen, ..fresh };
        Ok(())
    }

    /// The rotation by columns, then the mass centre.
    fn configuration(&self, row: usize) -> Vec<f64> {
        let state = &self.state[row];
        state.rot.iter().chain(&state.x).copied().collect()
    }

    fn set_configuration(&mut self, row: usize, name: &str, conf: &[f64]) -> Result<()> {
        check_numbers(name, "conf", conf, 12)?;
        let rot = given_rotation(name, &Mat3::from_column_slice(&conf[..9]))?;
        let state = &mut self.state[row];
        (state.rot, state.x) = (rot, Vec3::from_column_slice(&conf[9..12]));
        Ok(())
    }

    /// The referential angular, then the spatial linear velocity.
    fn velocity(&self, row: usize) -> Vec<f64> {
        let state = &self.state[row];
        state.omega.iter().chain(&state.v).copied().collect()
    }

    fn set_velocity(&mut self, row: usize, name: &str, velo: &[f64]) -> Result<()> {
        check_numbers(name, "velo", velo, 6)?;
        self.set_spin(row, Vec3::from_column_slice(&velo[..3]));
        self.state[row].v = Vec3::from_column_slice(&velo[3..]);
        Ok(())
    }

    fn set_rigid_velocity(&mut self, row: usize, twist: &Twist) {
        self.set_spin(row, self.state[row].rot.tr_mul(&twist.angular));
        self.state[row].v = twist.linear;
    }

    fn set_scheme(&mut self, row: usize, name: &str, scheme: Scheme) -> Result<()> {
        use Scheme::{DefExp, DefLim, Default, RigImp, RigNeg, RigPos};
        self.inertia[row].scheme = match scheme {
            Default => RigNeg,
            RigPos | RigNeg | RigImp => scheme,
            DefExp | DefLim => return Err(wrong_scheme(name, scheme, "DEFAULT, RIG_POS, RIG_NEG or RIG_IMP")),
        };
        Ok(())
    }

    /// Obstacles have no rotation to freeze.
    fn disable_rotation(&mut self, row: usize, on: bool) {
        if self.inertia[row].obstacle {
            return;
        }
        self.inertia[row].frozen = on;
        if on {
            self.state[row].omega = Vec3::zeros();
        }
    }

    answer_by_motion!();

    fn mean_twist(&self, row: usize) -> Twist {
        self.state[row].twist()
    }

    fn velocity_at(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        let state = &self.state[row];
        state.v + state.rot * skew(&state.omega) * (point.reference - self.inertia[row].x0)
    }

    fn speed_bound(&self, row: usize, _point: &MaterialPoint, here: &Vec3) -> f64 {
        let previous = self.previous(row);
        previous.linear.norm() + previous.angular.norm() * (here - self.state[row].x).norm()
    }

    fn begin(&mut self, h: f64) {
        self.loads.clear();
        std::mem::swap(&mut self.state, &mut self.start);
        let before = self.stepping.before * h;
        (&self.start, &mut self.step, &self.inertia)
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|(start, step, inertia)| motion::drift(before, inertia, start, step))
            .collect_into_vec(&mut self.state);
    }

    fn revert(&mut self) {
        std::mem::swap(&mut self.state, &mut self.start);
        self.loads.clear();
    }

    fn add_force(&mut self, row: usize, point: &MaterialPoint, force: &Vec3) {
        let arm = self.state[row].rot * (point.reference - self.inertia[row].x0);
        let load = self.load(row);
        load.force += force;
        load.torque += arm.cross(force);
    }

    fn takes_torque(&self, _row: usize) -> bool {
        true
    }

    fn add_torque(&mut self, row: usize, torque: &Vec3, convected: bool) {
        let load = self.load(row);
        if convected {
            load.convected_torque += torque;
        } else {
            load.torque += torque;
        }
    }

    fn add_pressure(&mut self, row: usize, surface: &SurfaceLoad, pressure: f64) {
        let force = self.state[row].rot * surface.integrals.area * pressure;
        let load = self.load(row);
        load.force += force;
        load.convected_torque += surface.integrals.torque() * pressure;
    }

    fn generalised_forces(&self, _row: usize) -> (usize, &'static str) {
        (9, "spatial force, spatial torque, referential torque")
    }

    fn add_generalised(&mut self, row: usize, forces: &[f64]) {
        let vector = |k: usize| Vec3::from_column_slice(&forces[k..k + 3]);
        let load = self.load(row);
        load.force += vector(0);
        load.torque += vector(3);
        load.convected_torque += vector(6);
    }

    fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        let (loads, stepping) = (&self.loads, &self.stepping);
        (&mut self.step, &self.state, &self.inertia).into_par_iter().with_min_len(GRAIN).enumerate().for_each(
            |(row, (step, state, inertia))| {
                let load = loads.get(row).copied().unwrap_or(Wrench::zero());
                motion::collect_loads(inertia, state, step, gravity, load);
                if stepping.inertial {
                    motion::free_velocity(h, inertia, state, step);
                } else {
                    motion::free_increment(h, inertia, step);
                }
                step.inverse_inertia = inertia.spatial_inverse(&state.rot);
            },
        );
    }

    fn inertia(&self, row: usize) -> Inertia<'_> {
        Inertia::Rigid {
            inverse_mass: 1.0 / self.inertia[row].mass,
            inverse_inertia: self.step[row].inverse_inertia,
            free: self.free(row),
            previous: self.previous(row),
        }
    }

    fn attach(&self, row: usize, _point: &MaterialPoint, here: &Vec3) -> Attachment {
        let arm = here - self.state[row].x;
        if !self.inertia[row].obstacle {
            return Attachment::Arm(arm);
        }
        let at = |twist: Twist| twist.linear + twist.angular.cross(&arm);
        Attachment::Driven { free: at(self.free(row)), previous: at(self.previous(row)) }
    }

    fn finish(&mut self, h: f64, reactions: &dyn Forces) {
        let stepping = &self.stepping;
        (&mut self.state, &mut self.step, &mut self.work, &self.inertia, &self.body)
            .into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(state, step, work, inertia, &body)| {
                let reaction = Wrench::of(reactions, body);
                motion::finish(h, stepping, inertia, state, step, &reaction, work);
            });
        self.loads.clear();
    }

    fn ahead(&self, row: usize, h: f64, reactions: &dyn Forces) -> Option<Ahead> {
        let inertia = &self.inertia[row];
        let (mut state, mut step) = (self.state[row], self.step[row]);
        let reaction = Wrench::of(reactions, self.body[row]);
        let now = state.rot;
        let omega = step.free_omega + inertia.inverse_action(&now.tr_mul(&reaction.torque)) * h;
        motion::finish(h, &self.stepping, inertia, &mut state, &mut step, &reaction, &mut [0.0; 6]);
        let next = motion::drift(self.stepping.before * h, inertia, &state, &mut step).rot;
        Some(Ahead { x0: inertia.x0, now, next, fdot: now * skew(&omega) })
    }

    fn apply_impulses(&mut self, impulses: &dyn Forces) {
        for row in 0..self.body.len() {
            let impulse = Wrench::of(impulses, self.body[row]);
            if impulse == Wrench::zero() {
                continue;
            }
            let before = self.kinetic(row);
            let (inertia, state) = (&self.inertia[row], &mut self.state[row]);
            state.v += impulse.force / inertia.mass;
            state.omega += inertia.inverse_action(&state.rot.tr_mul(&impulse.torque));
            self.work[row][EXTERNAL] += self.kinetic(row) - before;
        }
    }

    fn shift_velocity(&mut self, row: usize, change: &Twist) {
        if self.inertia[row].obstacle {
            let state = &mut self.state[row];
            state.v += change.linear;
            state.omega += state.rot.tr_mul(&change.angular);
        }
    }

    fn prescribe(&mut self, row: usize, h: f64, velocity: &Twist) {
        let inertia = &self.inertia[row];
        if !inertia.obstacle {
            return;
        }
        let (state, step) = (&self.state[row], &mut self.step[row]);
        step.free_v = velocity.linear;
        step.free_omega = state.rot.tr_mul(&velocity.angular);
        // The momentum from which every scheme of the second half turn finds this spin.
        step.momentum = exp_map(&(step.free_omega * (self.stepping.after * h))) * (inertia.tensor * step.free_omega);
    }

    /// Velocities of quasi-static runs are increments of pseudo-time and have no kinetic energy.
    fn energies(&self, row: usize) -> Energies {
        let mut energies = self.work[row];
        energies[KINETIC] = if self.stepping.inertial { self.kinetic(row) } else { 0.0 };
        energies[INTERNAL] = 0.0;
        energies
    }

    /// Obstacles keep no record.
    fn add_contact_work(&mut self, row: usize, normal: f64, friction: f64) {
        if !self.inertia[row].obstacle {
            self.work[row][CONTACT] += normal;
            self.work[row][FRICTION] += friction;
        }
    }

    fn set_works(&mut self, row: usize, energies: &Energies) {
        self.work[row] = *energies;
    }

    fn warnings(&self, out: &mut Vec<(BodyIndex, Warning)>) {
        let fell_back = self.step.iter().zip(&self.body).filter(|(step, _)| step.fell_back);
        out.extend(fell_back.map(|(_, &body)| (body, Warning::RotationFallback)));
    }

    fn is_finite(&self, row: usize) -> bool {
        self.state[row].is_finite()
    }

    fn show(&self, rows: &[(usize, CatalogueRow)], frame: &mut Frame) {
        for &(row, body) in rows {
            columns::show(&self.state[row], self.energies(row), body, &mut frame.rigid);
        }
    }

    fn store(&self, rows: &[(usize, BodyId)], columns: &mut BodyColumns) {
        for &(row, id) in rows {
            columns::store(&self.state[row], &self.work[row], id, &mut columns.rigid);
        }
    }

    fn restore(&mut self, row: usize, id: BodyId, columns: &BodyColumns) -> bool {
        let Some((state, work)) = columns::restore(id, &columns.rigid) else { return false };
        (self.state[row], self.work[row]) = (state, work);
        true
    }
}

//! The bodies of a simulation: insertion, removal, and the phases of a step over all kinds.

use rayon::prelude::*;

use super::kirchhoff::Kirchhoff;
use super::pseudo::{AffineRate, PseudoInertia, PseudoSet, PseudoState};
use super::rigid::{RigidInertia, RigidSet, RigidState};
use super::{
    Energies, Environment, Kinetics, Motion, Resultant, Twist, Warning, CONTACT, DISSIPATED, EXTERNAL, FRICTION, GRAIN,
    INTERNAL, KINETIC,
};
use crate::math::{tree_sum, Mat3, Vec3};
use crate::material::BulkMaterial;
use crate::model::{Analysis, BodyKind, BodyRow, Characteristics, Scheme};
use crate::{Error, Result};

/// Asymmetry of a mass tensor, relative to its largest entry, that is taken for round-off.
const TENSOR_ASYMMETRY: f64 = 1e-9;

/// Where the columns of a body are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Rigid(usize),
    Pseudo(usize),
}

/// All bodies; dense indices follow the order of ids.
#[derive(Debug, Clone)]
pub struct Bodies {
    pub(super) analysis: Analysis,
    pub(super) name: Vec<String>,
    pub(super) id: Vec<u64>,
    pub(super) row: Vec<u32>,
    pub(super) kind: Vec<BodyKind>,
    pub(super) slot: Vec<Slot>,
    pub(super) rigid: RigidSet,
    pub(super) pseudo: PseudoSet,
}

/// Configurations, velocities and works of all bodies, to return to.
#[derive(Debug, Default)]
pub struct SavedStates {
    rigid: Vec<RigidState>,
    pseudo: Vec<PseudoState>,
    rigid_work: Vec<Energies>,
    pseudo_work: Vec<Energies>,
}

impl Bodies {
    /// No bodies yet. Quasi-static bodies forget their velocity and take full steps (bodies.md 3.9).
    pub fn new(analysis: Analysis) -> Self {
        Bodies {
            analysis,
            name: Vec::new(),
            id: Vec::new(),
            row: Vec::new(),
            kind: Vec::new(),
            slot: Vec::new(),
            rigid: RigidSet::default(),
            pseudo: PseudoSet::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Id of body `i`.
    pub fn id(&self, i: usize) -> u64 {
        self.id[i]
    }

    /// How messages call body `i`: "body 3 'label'".
    pub fn name(&self, i: usize) -> &str {
        &self.name[i]
    }

    /// Dense index of the body with this id.
    pub fn index(&self, id: u64) -> Option<usize> {
        self.id.binary_search(&id).ok()
    }

    pub fn kind(&self, i: usize) -> BodyKind {
        self.kind[i]
    }

    /// Catalogue row of body `i`.
    pub fn row(&self, i: usize) -> usize {
        self.row[i] as usize
    }

    pub fn mass(&self, i: usize) -> f64 {
        match self.slot[i] {
            Slot::Rigid(k) => self.rigid.inertia[k].mass,
            Slot::Pseudo(k) => self.pseudo.inertia[k].mass,
        }
    }

    /// Appends the body of catalogue row `row` in its initial state. Errors name the body: mass or tensor not
    /// positive, a material that does not exist, a scheme of another kind, a state of wrong length or value, an id
    /// that is not the largest so far.
    pub fn insert(&mut self, row: usize, body: &BodyRow, material: Option<&BulkMaterial>) -> Result<()> {
        let name = name_of(body);
        if self.id.last().is_some_and(|&last| last >= body.id) {
            return Err(Error::input(format!("{name}: ids must ascend in order of insertion")));
        }
        let i = self.len();
        let slot = match body.kind {
            BodyKind::Obstacle | BodyKind::Rigid => {
                let inertia = rigid_inertia(body.kind, &body.chars, &name)?;
                self.rigid.push(i as u32, inertia, at_reference_place(&inertia));
                Slot::Rigid(self.rigid.body.len() - 1)
            }
            BodyKind::PseudoRigid => {
                let material = material.ok_or_else(|| {
                    Error::input(format!(
                        "{name}: material row {} does not exist; define the material first",
                        body.material
                    ))
                })?;
                let inertia = pseudo_inertia(&body.chars, &name, body.material, Kirchhoff::of(material))?;
                let state = PseudoState { f: Mat3::identity(), x: inertia.x0, rate: AffineRate::zero() };
                self.pseudo.push(i as u32, inertia, state);
                Slot::Pseudo(self.pseudo.body.len() - 1)
            }
            BodyKind::FiniteElement => {
                return Err(Error::input(format!(
                    "{name}: finite-element bodies are not available; use RIGID or PSEUDO_RIGID"
                )))
            }
        };
        self.name.push(name);
        self.id.push(body.id);
        self.row.push(row as u32);
        self.kind.push(body.kind);
        self.slot.push(slot);
        let outcome = self.initial_state(i, body);
        if outcome.is_err() {
            let keep: Vec<bool> = (0..=i).map(|k| k < i).collect();
            self.remove(&keep);
        }
        outcome
    }

    fn initial_state(&mut self, i: usize, body: &BodyRow) -> Result<()> {
        self.set_scheme(i, body.scheme)?;
        self.set_damping(i, body.damping)?;
        if !body.conf.is_empty() {
            self.set_configuration(i, &body.conf)?;
        }
        if !body.velo.is_empty() {
            self.set_velocity(i, &body.velo)?;
        }
        self.disable_rotation(i, body.disable_rotation);
        Ok(())
    }

    /// Overwrites reference characteristics; the body keeps its motion about the new mass centre.
    ///
    /// # Errors
    /// Mass, volume or tensor not positive.
    pub fn set_characteristics(&mut self, i: usize, chars: &Characteristics) -> Result<()> {
        let motion = self.motion(i);
        match self.slot[i] {
            Slot::Rigid(k) => {
                let old = self.rigid.inertia[k];
                let fresh = rigid_inertia(self.kind[i], chars, &self.name[i])?;
                let state = &mut self.rigid.state[k];
                let shift = state.rot.tr_mul(&(motion.point(&chars.center) - motion.x));
                state.v += state.rot * state.omega.cross(&shift);
                state.x = motion.point(&chars.center);
                self.rigid.inertia[k] = RigidInertia { scheme: old.scheme, frozen: old.frozen, ..fresh };
            }
            Slot::Pseudo(k) => {
                let old = self.pseudo.inertia[k];
                let fresh = pseudo_inertia(chars, &self.name[i], old.material, old.law)?;
                let state = &mut self.pseudo.state[k];
                state.rate.v += state.rate.fdot * (chars.center - motion.x0);
                state.x = motion.point(&chars.center);
                self.pseudo.inertia[k] = PseudoInertia { scheme: old.scheme, damping: old.damping, ..fresh };
            }
        }
        Ok(())
    }

    /// Keeps the bodies `i` with `keep[i]`, in order.
    pub fn remove(&mut self, keep: &[bool]) {
        let of_set = |body: &[u32]| -> Vec<bool> { body.iter().map(|&i| keep[i as usize]).collect() };
        let rigid = of_set(&self.rigid.body);
        retain(&mut self.rigid.body, &rigid);
        retain(&mut self.rigid.inertia, &rigid);
        retain(&mut self.rigid.state, &rigid);
        retain(&mut self.rigid.step, &rigid);
        retain(&mut self.rigid.work, &rigid);
        let pseudo = of_set(&self.pseudo.body);
        retain(&mut self.pseudo.body, &pseudo);
        retain(&mut self.pseudo.inertia, &pseudo);
        retain(&mut self.pseudo.state, &pseudo);
        retain(&mut self.pseudo.step, &pseudo);
        retain(&mut self.pseudo.work, &pseudo);
        retain(&mut self.name, keep);
        retain(&mut self.id, keep);
        retain(&mut self.row, keep);
        retain(&mut self.kind, keep);
        retain(&mut self.slot, keep);
        let (mut next_rigid, mut next_pseudo) = (0, 0);
        for (i, slot) in self.slot.iter_mut().enumerate() {
            match slot {
                Slot::Rigid(k) => {
                    *k = next_rigid;
                    self.rigid.body[next_rigid] = i as u32;
                    next_rigid += 1;
                }
                Slot::Pseudo(k) => {
                    *k = next_pseudo;
                    self.pseudo.body[next_pseudo] = i as u32;
                    next_pseudo += 1;
                }
            }
        }
    }

    /// Copies the state; the memory of `to` is used again.
    pub fn save(&self, to: &mut SavedStates) {
        to.rigid.clone_from(&self.rigid.state);
        to.pseudo.clone_from(&self.pseudo.state);
        to.rigid_work.clone_from(&self.rigid.work);
        to.pseudo_work.clone_from(&self.pseudo.work);
    }

    /// Returns to a state saved when there were the same bodies.
    pub fn restore(&mut self, from: &SavedStates) {
        self.rigid.state.copy_from_slice(&from.rigid);
        self.pseudo.state.copy_from_slice(&from.pseudo);
        self.rigid.work.copy_from_slice(&from.rigid_work);
        self.pseudo.work.copy_from_slice(&from.pseudo_work);
    }

    /// Current configuration as an affine motion; between `drift` and `finish` that of mid-step.
    pub fn motion(&self, i: usize) -> Motion {
        match self.slot[i] {
            Slot::Rigid(k) => {
                let state = &self.rigid.state[k];
                Motion { f: state.rot, x: state.x, x0: self.rigid.inertia[k].x0 }
            }
            Slot::Pseudo(k) => {
                let state = &self.pseudo.state[k];
                Motion { f: state.f, x: state.x, x0: self.pseudo.inertia[k].x0 }
            }
        }
    }

    /// Motions of all bodies, by dense index.
    pub fn motions_into(&self, out: &mut Vec<Motion>) {
        out.clear();
        out.extend((0..self.len()).map(|i| self.motion(i)));
    }

    /// Half of the smallest critical step [s] and the dense index of the body that sets it (bodies.md 12); `None` when
    /// every step is stable.
    pub fn critical_step(&self) -> Option<(f64, usize)> {
        if self.analysis == Analysis::QuasiStatic {
            return None;
        }
        let smaller = |a: (f64, usize), b: (f64, usize)| if (b.0, b.1) < (a.0, a.1) { b } else { a };
        let (step, k) = (0..self.pseudo.body.len())
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|k| (0.5 * self.pseudo.critical_step(k), k))
            .reduce(|| (f64::INFINITY, usize::MAX), smaller);
        (step < f64::INFINITY).then(|| (step, self.pseudo.body[k] as usize))
    }

    /// Half the motion of the step with the velocity of t. Quasi-static bodies stay where they are.
    pub fn drift(&mut self, h: f64) {
        if self.analysis == Analysis::Dynamic {
            self.rigid.drift(h);
            self.pseudo.drift(h);
        }
    }

    /// Velocity at t+h without reactions, and the inverse inertia at mid-step. Follows `drift`; loads are evaluated
    /// by the caller in between.
    pub fn free_velocity(&mut self, h: f64, env: &Environment) {
        self.rigid.free_velocity(h, self.analysis, env);
        self.pseudo.free_velocity(h, self.analysis, env);
    }

    /// What the Delassus operator needs of body `i`, after `free_velocity`.
    pub fn kinetics(&self, i: usize) -> Kinetics<'_> {
        let dynamic = self.analysis == Analysis::Dynamic;
        match self.slot[i] {
            Slot::Rigid(k) => {
                let (inertia, state, step) = (&self.rigid.inertia[k], &self.rigid.state[k], &self.rigid.step[k]);
                let free = Twist { linear: step.free_v, angular: state.rot * step.free_omega };
                let previous =
                    if dynamic { state.twist() } else { Twist { linear: Vec3::zeros(), angular: Vec3::zeros() } };
                let (inverse_mass, inverse_inertia) = (1.0 / inertia.mass, step.inverse_inertia);
                if inertia.obstacle {
                    return Kinetics::Obstacle { inverse_mass, inverse_inertia, free, previous };
                }
                Kinetics::Rigid { inverse_mass, inverse_inertia, free, previous }
            }
            Slot::Pseudo(k) => {
                let step = &self.pseudo.step[k];
                Kinetics::PseudoRigid {
                    inverse_mass: 1.0 / self.pseudo.inertia[k].mass,
                    inverse: &step.inverse,
                    free: step.free,
                    previous: if dynamic { self.pseudo.state[k].rate } else { AffineRate::zero() },
                }
            }
        }
    }

    /// Ends the step under these reactions (by dense index): velocity of t+h, rest of the motion, works.
    pub fn finish(&mut self, h: f64, reactions: &[Resultant]) {
        self.rigid.finish(h, self.analysis, reactions);
        self.pseudo.finish(h, self.analysis, reactions);
    }

    /// What the last step has to tell, in order of dense index within each kind.
    pub fn warnings(&self) -> impl Iterator<Item = (usize, Warning)> + '_ {
        let rigid = self.rigid.step.iter().zip(&self.rigid.body);
        let rigid = rigid.filter(|(step, _)| step.fell_back).map(|(_, &i)| (i as usize, Warning::RotationFallback));
        let pseudo = self.pseudo.step.iter().zip(&self.pseudo.body).flat_map(|(step, &i)| {
            let indefinite = step.indefinite.then_some((i as usize, Warning::IndefiniteStiffness));
            let crushed = step.crushed.then_some((i as usize, Warning::Crushed));
            indefinite.into_iter().chain(crushed)
        });
        rigid.chain(pseudo)
    }

    /// Adds this body's share of the normal and tangential work of a contact (conventions.md 7). Obstacles keep no
    /// record; the caller gives the whole to the other body.
    pub fn book_contact_work(&mut self, i: usize, normal: f64, friction: f64) {
        let work = match self.slot[i] {
            Slot::Rigid(k) if self.rigid.inertia[k].obstacle => return,
            Slot::Rigid(k) => &mut self.rigid.work[k],
            Slot::Pseudo(k) => &mut self.pseudo.work[k],
        };
        work[CONTACT] += normal;
        work[FRICTION] += friction;
    }

    /// Energies of body `i` [J]. Kinetic and internal energy are functions of the state (kinetic is zero in
    /// quasi-static runs, where velocity is pseudo-velocity); the others accumulate over dynamic steps.
    pub fn energies(&self, i: usize) -> Energies {
        let dynamic = self.analysis == Analysis::Dynamic;
        let (mut energies, kinetic, internal) = match self.slot[i] {
            Slot::Rigid(k) => (self.rigid.work[k], self.rigid.kinetic(k), 0.0),
            Slot::Pseudo(k) => (self.pseudo.work[k], self.pseudo.kinetic(k), self.pseudo.internal(k)),
        };
        energies[KINETIC] = if dynamic { kinetic } else { 0.0 };
        energies[INTERNAL] = internal;
        energies
    }

    /// Sum of the energies of all bodies, independent of threads.
    pub fn energy_total(&self) -> Energies {
        tree_sum(self.len(), |i| self.energies(i))
    }

    /// Restores accumulated works (a stored state); kinetic and internal entries are ignored.
    pub fn set_work(&mut self, i: usize, energies: &Energies) {
        match self.slot[i] {
            Slot::Rigid(k) => self.rigid.work[k] = *energies,
            Slot::Pseudo(k) => self.pseudo.work[k] = *energies,
        }
    }

    /// External, contact, friction, dissipated work of body `i` so far [J].
    pub fn works(&self, i: usize) -> [f64; 4] {
        let work = match self.slot[i] {
            Slot::Rigid(k) => &self.rigid.work[k],
            Slot::Pseudo(k) => &self.pseudo.work[k],
        };
        [work[EXTERNAL], work[CONTACT], work[FRICTION], work[DISSIPATED]]
    }

    /// Overwrites state and works of a rigid body or obstacle, bit for bit; false for others.
    pub fn put_rigid(&mut self, i: usize, state: RigidState, works: [f64; 4]) -> bool {
        let Slot::Rigid(k) = self.slot[i] else { return false };
        self.rigid.state[k] = state;
        self.rigid.work[k] = of_works(works);
        true
    }

    /// Overwrites state and works of a pseudo-rigid body, bit for bit; false for others.
    pub fn put_pseudo(&mut self, i: usize, state: PseudoState, works: [f64; 4]) -> bool {
        let Slot::Pseudo(k) = self.slot[i] else { return false };
        self.pseudo.state[k] = state;
        self.pseudo.work[k] = of_works(works);
        true
    }

    /// Smallest dense index of a body whose state is no longer finite.
    pub fn first_not_finite(&self) -> Option<usize> {
        let rigid = self.rigid.state.iter().position(|s| !s.is_finite()).map(|k| self.rigid.body[k]);
        let pseudo = self.pseudo.state.iter().position(|s| !s.is_finite()).map(|k| self.pseudo.body[k]);
        [rigid, pseudo].into_iter().flatten().min().map(|i| i as usize)
    }

    /// Smallest dense index of a pseudo-rigid body with `det F ≤ 0`: points no longer have a reference place.
    pub fn first_inverted(&self) -> Option<usize> {
        let k = self.pseudo.state.iter().position(|s| s.f.determinant() <= 0.0)?;
        Some(self.pseudo.body[k] as usize)
    }

    /// Dense indices and states of rigid bodies and obstacles, in order of id.
    pub fn rigid_states(&self) -> impl Iterator<Item = (usize, &RigidState)> + '_ {
        self.rigid.body.iter().map(|&i| i as usize).zip(&self.rigid.state)
    }

    /// Dense indices and states of pseudo-rigid bodies, in order of id.
    pub fn pseudo_states(&self) -> impl Iterator<Item = (usize, &PseudoState)> + '_ {
        self.pseudo.body.iter().map(|&i| i as usize).zip(&self.pseudo.state)
    }
}

fn of_works([external, contact, friction, dissipated]: [f64; 4]) -> Energies {
    [0.0, 0.0, external, contact, friction, dissipated]
}

fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut k = 0;
    column.retain(|_| {
        k += 1;
        keep[k - 1]
    });
}

/// How messages call a body.
fn name_of(body: &BodyRow) -> String {
    if body.label.is_empty() {
        return format!("body {}", body.id);
    }
    format!("body {} '{}'", body.id, body.label)
}

fn at_reference_place(inertia: &RigidInertia) -> RigidState {
    RigidState { rot: Mat3::identity(), x: inertia.x0, omega: Vec3::zeros(), v: Vec3::zeros() }
}

fn rigid_inertia(kind: BodyKind, chars: &Characteristics, name: &str) -> Result<RigidInertia> {
    let (tensor, _) = checked_tensor(chars, name, "inertia")?;
    let inverse = inverse_of(&tensor, name, "inertia")?;
    Ok(RigidInertia {
        mass: chars.mass,
        x0: chars.center,
        tensor,
        inverse,
        scheme: Scheme::RigNeg,
        obstacle: kind == BodyKind::Obstacle,
        frozen: false,
    })
}

fn pseudo_inertia(chars: &Characteristics, name: &str, material: u32, law: Kirchhoff) -> Result<PseudoInertia> {
    let (euler, factor) = checked_tensor(chars, name, "Euler")?;
    let volume = chars.volume;
    if !(volume > 0.0 && volume.is_finite()) {
        return Err(Error::input(format!("{name}: volume is {volume}, it must be positive; check its shape")));
    }
    Ok(PseudoInertia {
        mass: chars.mass,
        volume,
        x0: chars.center,
        euler,
        euler_inverse: inverse_of(&euler, name, "Euler")?,
        factor_inverse: factor
            .try_inverse()
            .ok_or_else(|| Error::input(format!("{name}: its Euler tensor is singular; check its shape")))?,
        material,
        law,
        scheme: Scheme::DefExp,
        damping: 0.0,
    })
}

/// The symmetric tensor and its lower Cholesky factor; mass and tensor must be positive.
fn checked_tensor(chars: &Characteristics, name: &str, what: &str) -> Result<(Mat3, Mat3)> {
    if !(chars.mass > 0.0 && chars.mass.is_finite()) {
        let text = format!("{name}: mass is {}, it must be positive; check its density and shape", chars.mass);
        return Err(Error::input(text));
    }
    if !chars.center.iter().all(|x| x.is_finite()) {
        return Err(Error::input(format!("{name}: its mass centre is not finite; check its shape")));
    }
    let asymmetry = (chars.tensor - chars.tensor.transpose()).amax();
    let tensor = (chars.tensor + chars.tensor.transpose()) * 0.5;
    if asymmetry <= TENSOR_ASYMMETRY * tensor.amax() {
        if let Some(factor) = tensor.cholesky() {
            return Ok((tensor, factor.l()));
        }
    }
    Err(Error::input(format!(
        "{name}: its {what} tensor {:?} is not symmetric and positive definite; check its shape",
        chars.tensor.as_slice()
    )))
}

fn inverse_of(tensor: &Mat3, name: &str, what: &str) -> Result<Mat3> {
    let inverse = tensor
        .try_inverse()
        .ok_or_else(|| Error::input(format!("{name}: its {what} tensor is singular; check its shape")))?;
    Ok((inverse + inverse.transpose()) * 0.5)
}

//! Pseudo-rigid bodies: `x = x_c + F (X − X0)`, twelve degrees of freedom, homogeneous strain (Cohen and Muncaster
//! 1988).

mod columns;
mod inertia;
mod motion;

use rayon::prelude::*;

use super::affine::{answer_by_motion, cofactor, Ahead, Motion};
use super::checks::{check_numbers, wrong_scheme};
use super::kirchhoff::{self, Kirchhoff};
use super::set::{BodySet, Kind, NewBody};
use super::{
    renumber, retain, AffineRate, Attachment, BodyColumns, Energies, Forces, Inertia, MaterialPoint, Twist, Warning,
    CONTACT, EXTERNAL, FRICTION, GRAIN, INTERNAL, KINETIC,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use crate::load::SurfaceLoad;
use crate::material::BulkMaterial;
use crate::math::{by_rows, from_rows, skew, Mat3, Vec3, Vec9};
use crate::model::{BodyKind, Characteristics, Scheme};
use crate::stepping::Stepping;
use crate::{Error, Result};
use inertia::PseudoInertia;
use motion::{Moment, PseudoState, PseudoStep};

/// Pseudo-rigid bodies.
pub struct PseudoRigid;

impl Kind for PseudoRigid {
    fn holds(&self, kind: BodyKind) -> bool {
        kind == BodyKind::PseudoRigid
    }

    fn empty(&self, stepping: Stepping) -> Box<dyn BodySet> {
        Box::new(PseudoSet::new(stepping))
    }
}

/// Columns of all pseudo-rigid bodies.
struct PseudoSet {
    stepping: Stepping,
    body: Vec<BodyIndex>,
    inertia: Vec<PseudoInertia>,
    state: Vec<PseudoState>,
    /// The state at the start of the step.
    start: Vec<PseudoState>,
    step: Vec<PseudoStep>,
    /// Accumulated works; kinetic and internal energy are functions of the state.
    work: Vec<Energies>,
    /// Loads of this step; empty when there are none.
    loads: Vec<Moment>,
}

impl PseudoSet {
    fn new(stepping: Stepping) -> Self {
        PseudoSet {
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
        Motion { f: state.f, x: state.x, x0: self.inertia[row].x0 }
    }

    fn load(&mut self, row: usize) -> &mut Moment {
        if self.loads.is_empty() {
            self.loads.resize(self.body.len(), Moment::zero());
        }
        &mut self.loads[row]
    }

    fn kinetic(&self, row: usize) -> f64 {
        self.inertia[row].kinetic(&self.state[row].rate)
    }

    /// The velocity of t; zero where velocities do not persist.
    fn previous(&self, row: usize) -> AffineRate {
        if self.stepping.inertial {
            self.state[row].rate
        } else {
            AffineRate::zero()
        }
    }
}

impl BodySet for PseudoSet {
    fn bodies(&self) -> &[BodyIndex] {
        &self.body
    }

    fn insert(&mut self, body: BodyIndex, new: &NewBody<'_>) -> Result<()> {
        let material = new.material.ok_or_else(|| {
            Error::input(format!(
                "{}: material row {} does not exist; define the material first",
                new.name, new.row.material
            ))
        })?;
        material.check_stiffness().map_err(|why| Error::input(format!("{}: {why}", new.name)))?;
        let inertia = PseudoInertia::new(&new.row.chars, new.name, new.row.material, Kirchhoff::of(material))?;
        self.body.push(body);
        self.state.push(PseudoState::at_rest(inertia.x0));
        self.step.push(PseudoStep::new(&inertia));
        self.inertia.push(inertia);
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

    fn mass(&self, row: usize) -> f64 {
        self.inertia[row].mass
    }

    fn center(&self, row: usize) -> Vec3 {
        self.inertia[row].x0
    }

    fn set_characteristics(&mut self, row: usize, name: &str, chars: &Characteristics) -> Result<()> {
        let (motion, old) = (self.motion(row), self.inertia[row]);
        let fresh = PseudoInertia::new(chars, name, old.material, old.law)?;
        let state = &mut self.state[row];
        state.rate.v += state.rate.fdot * (chars.center - motion.x0);
        state.x = motion.point(&chars.center);
        self.inertia[row] = PseudoInertia { scheme: old.scheme, damping: old.damping, ..fresh };
        Ok(())
    }

    /// `F` by rows, then the mass centre.
    fn configuration(&self, row: usize) -> Vec<f64> {
        let state = &self.state[row];
        by_rows(&state.f).iter().chain(&state.x).copied().collect()
    }

    fn set_configuration(&mut self, row: usize, name: &str, conf: &[f64]) -> Result<()> {
        check_numbers(name, "conf", conf, 12)?;
        let f = from_rows(&Vec9::from_column_slice(&conf[..9]));
        if f.determinant() <= 0.0 {
            let text = format!("{name}: det F of conf is {}, it must be positive", f.determinant());
            return Err(Error::input(text));
        }
        let state = &mut self.state[row];
        (state.f, state.x) = (f, Vec3::from_column_slice(&conf[9..12]));
        Ok(())
    }

    /// `Ḟ` by rows, then the linear velocity.
    fn velocity(&self, row: usize) -> Vec<f64> {
        let rate = &self.state[row].rate;
        by_rows(&rate.fdot).iter().chain(&rate.v).copied().collect()
    }

    fn set_velocity(&mut self, row: usize, name: &str, velo: &[f64]) -> Result<()> {
        check_numbers(name, "velo", velo, 12)?;
        self.state[row].rate = AffineRate {
            fdot: from_rows(&Vec9::from_column_slice(&velo[..9])),
            v: Vec3::from_column_slice(&velo[9..]),
        };
        Ok(())
    }

    fn set_rigid_velocity(&mut self, row: usize, twist: &Twist) {
        let state = &mut self.state[row];
        state.rate = AffineRate { fdot: skew(&twist.angular) * state.f, v: twist.linear };
    }

    fn set_scheme(&mut self, row: usize, name: &str, scheme: Scheme) -> Result<()> {
        use Scheme::{DefExp, DefLim, Default, RigImp, RigNeg, RigPos};
        self.inertia[row].scheme = match scheme {
            Default => DefExp,
            DefExp | DefLim => scheme,
            RigPos | RigNeg | RigImp => return Err(wrong_scheme(name, scheme, "DEFAULT, DEF_EXP or DEF_LIM")),
        };
        Ok(())
    }

    fn set_damping(&mut self, row: usize, damping: f64) {
        self.inertia[row].damping = damping;
    }

    fn set_material(&mut self, material: u32, of: &BulkMaterial) -> Result<()> {
        for inertia in self.inertia.iter_mut().filter(|inertia| inertia.material == material) {
            of.check_stiffness().map_err(Error::input)?;
            inertia.law = Kirchhoff::of(of);
        }
        Ok(())
    }

    answer_by_motion!();

    /// The turning is the skew part of the velocity gradient.
    fn mean_twist(&self, row: usize) -> Twist {
        let state = &self.state[row];
        let gradient = state.f.try_inverse().map_or(Mat3::zeros(), |inverse| state.rate.fdot * inverse);
        let axial = |i: usize, j: usize| 0.5 * (gradient[(j, i)] - gradient[(i, j)]);
        Twist { linear: state.rate.v, angular: Vec3::new(axial(1, 2), axial(2, 0), axial(0, 1)) }
    }

    fn velocity_at(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        let rate = &self.state[row].rate;
        rate.v + rate.fdot * (point.reference - self.inertia[row].x0)
    }

    fn speed_bound(&self, row: usize, point: &MaterialPoint, _here: &Vec3) -> f64 {
        let previous = self.previous(row);
        previous.v.norm() + previous.fdot.norm() * (point.reference - self.inertia[row].x0).norm()
    }

    fn stress(&self, row: usize, _point: &MaterialPoint) -> [f64; 6] {
        kirchhoff::cauchy(&self.inertia[row].law, &self.state[row].f)
    }

    fn critical_step(&self) -> Option<(f64, BodyIndex)> {
        if !self.stepping.inertial {
            return None;
        }
        let smaller = |a: (f64, usize), b: (f64, usize)| if (b.0, b.1) < (a.0, a.1) { b } else { a };
        let (step, row) = (0..self.body.len())
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|row| (self.inertia[row].critical_step(&self.state[row].f), row))
            .reduce(|| (f64::INFINITY, usize::MAX), smaller);
        (step < f64::INFINITY).then(|| (step, self.body[row]))
    }

    fn begin(&mut self, h: f64) {
        self.loads.clear();
        std::mem::swap(&mut self.state, &mut self.start);
        let before = self.stepping.before * h;
        let starts = self.start.par_iter().with_min_len(GRAIN);
        starts.map(|start| motion::drift(before, start)).collect_into_vec(&mut self.state);
    }

    fn revert(&mut self) {
        std::mem::swap(&mut self.state, &mut self.start);
        self.loads.clear();
    }

    fn add_force(&mut self, row: usize, point: &MaterialPoint, force: &Vec3) {
        let arm = point.reference - self.inertia[row].x0;
        let load = self.load(row);
        load.force += force;
        load.moment += force * arm.transpose();
    }

    /// Vector areas turn with the cofactor of `F` (Nanson's formula).
    fn add_pressure(&mut self, row: usize, surface: &SurfaceLoad, pressure: f64) {
        let cofactor = cofactor(&self.state[row].f) * pressure;
        let load = self.load(row);
        load.force += cofactor * surface.integrals.area;
        load.moment += cofactor * surface.integrals.moment;
    }

    fn generalised_forces(&self, _row: usize) -> (usize, &'static str) {
        (12, "one for each of its velocities")
    }

    fn add_generalised(&mut self, row: usize, forces: &[f64]) {
        let load = self.load(row);
        load.moment += from_rows(&Vec9::from_column_slice(&forces[..9]));
        load.force += Vec3::from_column_slice(&forces[9..12]);
    }

    fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        let (loads, stepping) = (&self.loads, &self.stepping);
        (&mut self.step, &self.state, &self.inertia).into_par_iter().with_min_len(GRAIN).enumerate().for_each(
            |(row, (step, state, inertia))| {
                let load = loads.get(row).copied().unwrap_or(Moment::zero());
                let previous = if stepping.inertial { state.rate } else { AffineRate::zero() };
                motion::update_inverse(h, stepping, inertia, state, step);
                motion::free_velocity(h, inertia, state, step, &previous, gravity, load);
            },
        );
    }

    fn inertia(&self, row: usize) -> Inertia<'_> {
        let step = &self.step[row];
        Inertia::Affine {
            inverse_mass: 1.0 / self.inertia[row].mass,
            inverse: &step.inverse,
            free: step.free,
            previous: self.previous(row),
        }
    }

    fn attach(&self, row: usize, point: &MaterialPoint, _here: &Vec3) -> Attachment {
        Attachment::Arm(point.reference - self.inertia[row].x0)
    }

    fn finish(&mut self, h: f64, reactions: &dyn Forces) {
        let stepping = &self.stepping;
        (&mut self.state, &mut self.step, &mut self.work, &self.inertia, &self.body)
            .into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(state, step, work, inertia, &body)| {
                let reaction = Moment::of(reactions, body);
                motion::finish(h, stepping, inertia, state, step, &reaction, work);
            });
        self.loads.clear();
    }

    fn ahead(&self, row: usize, h: f64, reactions: &dyn Forces) -> Option<Ahead> {
        let inertia = &self.inertia[row];
        let reaction = Moment::of(reactions, self.body[row]);
        let fdot = motion::velocity(h, inertia, &self.step[row], &reaction).fdot;
        let now = self.state[row].f;
        let whole = (self.stepping.after + self.stepping.before) * h;
        Some(Ahead { x0: inertia.x0, now, next: now + fdot * whole, fdot })
    }

    fn apply_impulses(&mut self, impulses: &dyn Forces) {
        for row in 0..self.body.len() {
            let impulse = Moment::of(impulses, self.body[row]);
            if impulse == Moment::zero() {
                continue;
            }
            let before = self.kinetic(row);
            let rate = &mut self.state[row].rate;
            rate.v += impulse.force / self.inertia[row].mass;
            rate.fdot += self.step[row].inverse.apply(&impulse.moment);
            self.work[row][EXTERNAL] += self.kinetic(row) - before;
        }
    }

    /// Velocities of quasi-static runs are increments of pseudo-time and have no kinetic energy.
    fn energies(&self, row: usize) -> Energies {
        let mut energies = self.work[row];
        energies[KINETIC] = if self.stepping.inertial { self.kinetic(row) } else { 0.0 };
        energies[INTERNAL] = self.inertia[row].internal(&self.state[row].f);
        energies
    }

    fn add_contact_work(&mut self, row: usize, normal: f64, friction: f64) {
        self.work[row][CONTACT] += normal;
        self.work[row][FRICTION] += friction;
    }

    fn set_works(&mut self, row: usize, energies: &Energies) {
        self.work[row] = *energies;
    }

    fn warnings(&self, out: &mut Vec<(BodyIndex, Warning)>) {
        for (step, &body) in self.step.iter().zip(&self.body) {
            if step.indefinite {
                out.push((body, Warning::IndefiniteStiffness));
            }
            if step.crushed {
                out.push((body, Warning::Crushed));
            }
        }
    }

    fn is_finite(&self, row: usize) -> bool {
        self.state[row].is_finite()
    }

    fn is_inverted(&self, row: usize) -> bool {
        self.state[row].f.determinant() <= 0.0
    }

    fn show(&self, rows: &[(usize, CatalogueRow)], frame: &mut Frame) {
        for &(row, body) in rows {
            columns::show(&self.state[row], self.energies(row), body, &mut frame.pseudo);
        }
    }

    fn store(&self, rows: &[(usize, BodyId)], columns: &mut BodyColumns) {
        for &(row, id) in rows {
            columns::store(&self.state[row], &self.work[row], id, &mut columns.pseudo);
        }
    }

    fn restore(&mut self, row: usize, id: BodyId, columns: &BodyColumns) -> bool {
        let Some((state, work)) = columns::restore(id, &columns.pseudo) else { return false };
        (self.state[row], self.work[row]) = (state, work);
        true
    }
}

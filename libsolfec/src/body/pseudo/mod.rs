//! Pseudo-rigid bodies: `x = x_c + F (X − X0)`, twelve degrees of freedom, homogeneous strain (Cohen and Muncaster
//! 1988).

mod columns;
mod inertia;
mod motion;

use super::affine::cofactor;
use super::affine_body::{AffineState, Constants, Load};
use super::affine_set::AffineSet;
use super::checks::{check_numbers, wrong_scheme};
use super::kirchhoff::{self, Kirchhoff};
use super::{
    AffineRate, Ahead, Attachment, BodyColumns, BodySet, Energies, Inertia, Kind, MaterialPoint, Motion, NewBody,
    Twist, Warning,
};
use crate::frame::Frame;
use crate::ids::{BodyId, CatalogueRow};
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
        Box::new(AffineSet::<PseudoState>::new(stepping))
    }
}

impl Constants for PseudoInertia {
    fn new(new: &NewBody<'_>) -> Result<Self> {
        let material = new.material().ok_or_else(|| {
            Error::input(format!(
                "{}: material row {} does not exist; define the material first",
                new.name, new.row.material
            ))
        })?;
        material.check_stiffness().map_err(|why| Error::input(format!("{}: {why}", new.name)))?;
        PseudoInertia::of(&new.row.chars, new.name, new.row.material, Kirchhoff::of(material))
    }

    fn mass(&self) -> f64 {
        self.mass
    }

    fn center(&self) -> Vec3 {
        self.x0
    }

    fn set_scheme(&mut self, name: &str, scheme: Scheme) -> Result<()> {
        use Scheme::{DefExp, DefLim, Default, RigImp, RigNeg, RigPos};
        self.scheme = match scheme {
            Default => DefExp,
            DefExp | DefLim => scheme,
            RigPos | RigNeg | RigImp => return Err(wrong_scheme(name, scheme, "DEFAULT, DEF_EXP or DEF_LIM")),
        };
        Ok(())
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn set_material(&mut self, material: u32, of: &BulkMaterial) -> Result<()> {
        if self.material == material {
            of.check_stiffness().map_err(Error::input)?;
            self.law = Kirchhoff::of(of);
        }
        Ok(())
    }
}

impl Load for Moment {
    const GENERALISED: (usize, &'static str) = (12, "one for each of its velocities");
    const TAKES_TORQUE: bool = false;

    fn add_force(&mut self, arm: &Vec3, force: &Vec3) {
        self.force += force;
        self.moment += force * arm.transpose();
    }

    fn add_generalised(&mut self, forces: &[f64]) {
        self.moment += from_rows(&Vec9::from_column_slice(&forces[..9]));
        self.force += Vec3::from_column_slice(&forces[9..12]);
    }
}

impl PseudoState {
    /// The velocity of t; zero where velocities do not persist.
    fn previous(&self, stepping: &Stepping) -> AffineRate {
        if stepping.inertial {
            self.rate
        } else {
            AffineRate::zero()
        }
    }
}

impl AffineState for PseudoState {
    type Constants = PseudoInertia;
    type Step = PseudoStep;
    type Load = Moment;

    fn at_rest(inertia: &PseudoInertia) -> (Self, PseudoStep) {
        (PseudoState::at_rest(inertia.x0), PseudoStep::new(inertia))
    }

    fn motion(&self, inertia: &PseudoInertia) -> Motion {
        Motion { f: self.f, x: self.x, x0: inertia.x0 }
    }

    fn set_characteristics(&mut self, inertia: &mut PseudoInertia, name: &str, chars: &Characteristics) -> Result<()> {
        let fresh = PseudoInertia::of(chars, name, inertia.material, inertia.law)?;
        let center = self.motion(inertia).point(&chars.center);
        self.rate.v += self.rate.fdot * (chars.center - inertia.x0);
        self.x = center;
        *inertia = PseudoInertia { scheme: inertia.scheme, damping: inertia.damping, ..fresh };
        Ok(())
    }

    /// `F` by rows, then the mass centre.
    fn configuration(&self) -> Vec<f64> {
        by_rows(&self.f).iter().chain(&self.x).copied().collect()
    }

    fn set_configuration(&mut self, name: &str, conf: &[f64]) -> Result<()> {
        check_numbers(name, "conf", conf, 12)?;
        let f = from_rows(&Vec9::from_column_slice(&conf[..9]));
        if f.determinant() <= 0.0 {
            let text = format!("{name}: det F of conf is {}, it must be positive", f.determinant());
            return Err(Error::input(text));
        }
        (self.f, self.x) = (f, Vec3::from_column_slice(&conf[9..12]));
        Ok(())
    }

    /// `Ḟ` by rows, then the linear velocity.
    fn velocity(&self) -> Vec<f64> {
        by_rows(&self.rate.fdot).iter().chain(&self.rate.v).copied().collect()
    }

    fn set_velocity(&mut self, _inertia: &PseudoInertia, name: &str, velo: &[f64]) -> Result<()> {
        check_numbers(name, "velo", velo, 12)?;
        self.rate = AffineRate {
            fdot: from_rows(&Vec9::from_column_slice(&velo[..9])),
            v: Vec3::from_column_slice(&velo[9..]),
        };
        Ok(())
    }

    fn set_rigid_velocity(&mut self, _inertia: &PseudoInertia, twist: &Twist) {
        self.rate = AffineRate { fdot: skew(&twist.angular) * self.f, v: twist.linear };
    }

    /// The turning is the skew part of the velocity gradient.
    fn mean_twist(&self) -> Twist {
        let gradient = self.f.try_inverse().map_or(Mat3::zeros(), |inverse| self.rate.fdot * inverse);
        let axial = |i: usize, j: usize| 0.5 * (gradient[(j, i)] - gradient[(i, j)]);
        Twist { linear: self.rate.v, angular: Vec3::new(axial(1, 2), axial(2, 0), axial(0, 1)) }
    }

    fn velocity_at(&self, inertia: &PseudoInertia, reference: &Vec3) -> Vec3 {
        self.rate.v + self.rate.fdot * (reference - inertia.x0)
    }

    fn speed_bound(&self, inertia: &PseudoInertia, point: &MaterialPoint, _here: &Vec3) -> f64 {
        self.rate.v.norm() + self.rate.fdot.norm() * (point.reference - inertia.x0).norm()
    }

    fn stress(&self, inertia: &PseudoInertia) -> [f64; 6] {
        kirchhoff::cauchy(&inertia.law, &self.f)
    }

    const HAS_CRITICAL_STEP: bool = true;

    fn critical_step(&self, inertia: &PseudoInertia) -> f64 {
        inertia.critical_step(&self.f)
    }

    fn drift(&self, before: f64, _inertia: &PseudoInertia, _step: &mut PseudoStep) -> Self {
        motion::drift(before, self)
    }

    fn arm(&self, inertia: &PseudoInertia, reference: &Vec3) -> Vec3 {
        reference - inertia.x0
    }

    /// Vector areas turn with the cofactor of `F` (Nanson's formula).
    fn add_pressure(&self, surface: &SurfaceLoad, pressure: f64, load: &mut Moment) {
        let cofactor = cofactor(&self.f) * pressure;
        load.force += cofactor * surface.integrals.area;
        load.moment += cofactor * surface.integrals.moment;
    }

    fn free_velocity(
        &self,
        h: f64,
        stepping: &Stepping,
        inertia: &PseudoInertia,
        step: &mut PseudoStep,
        gravity: &Vec3,
        load: &Moment,
    ) {
        motion::update_inverse(h, stepping, inertia, self, step);
        motion::free_velocity(h, inertia, self, step, &self.previous(stepping), gravity, load);
    }

    fn inertia<'a>(&self, stepping: &Stepping, inertia: &PseudoInertia, step: &'a PseudoStep) -> Inertia<'a> {
        Inertia::Affine {
            inverse_mass: 1.0 / inertia.mass,
            inverse: &step.inverse,
            free: step.free,
            previous: self.previous(stepping),
        }
    }

    fn attach(
        &self,
        _stepping: &Stepping,
        inertia: &PseudoInertia,
        _step: &PseudoStep,
        point: &MaterialPoint,
        _here: &Vec3,
    ) -> Attachment {
        Attachment::Arm(self.arm(inertia, &point.reference))
    }

    fn finish(
        &mut self,
        h: f64,
        stepping: &Stepping,
        inertia: &PseudoInertia,
        step: &mut PseudoStep,
        reaction: &Moment,
        work: &mut Energies,
    ) {
        motion::finish(h, stepping, inertia, self, step, reaction, work);
    }

    fn ahead(
        &self,
        h: f64,
        stepping: &Stepping,
        inertia: &PseudoInertia,
        step: &PseudoStep,
        reaction: &Moment,
    ) -> Ahead {
        let fdot = motion::velocity(h, inertia, step, reaction).fdot;
        let whole = (stepping.after + stepping.before) * h;
        Ahead { x0: inertia.x0, now: self.f, next: self.f + fdot * whole, fdot }
    }

    fn add_impulse(&mut self, inertia: &PseudoInertia, step: &PseudoStep, impulse: &Moment) {
        self.rate.v += impulse.force / inertia.mass;
        self.rate.fdot += step.inverse.apply(&impulse.moment);
    }

    fn kinetic(&self, inertia: &PseudoInertia) -> f64 {
        inertia.kinetic(&self.rate)
    }

    fn internal(&self, inertia: &PseudoInertia) -> f64 {
        inertia.internal(&self.f)
    }

    fn warnings(step: &PseudoStep) -> [Option<Warning>; 2] {
        [step.indefinite.then_some(Warning::IndefiniteStiffness), step.crushed.then_some(Warning::Crushed)]
    }

    fn is_finite(&self) -> bool {
        let entries = self.f.iter().chain(&self.x).chain(&self.rate.fdot).chain(&self.rate.v);
        entries.copied().all(f64::is_finite)
    }

    fn is_inverted(&self) -> bool {
        self.f.determinant() <= 0.0
    }

    fn show(&self, energies: Energies, body: CatalogueRow, frame: &mut Frame) {
        columns::show(self, energies, body, &mut frame.pseudo);
    }

    fn store(&self, work: &Energies, id: BodyId, columns: &mut BodyColumns) {
        columns::store(self, work, id, &mut columns.pseudo);
    }

    fn restore(id: BodyId, columns: &BodyColumns) -> Option<(Self, Energies)> {
        columns::restore(id, &columns.pseudo)
    }
}

//! Rigid bodies and obstacles: `x = x_c + R (X − X0)`, `Ṙ = R skew(Ω)` with referential `Ω`.

mod columns;
mod inertia;
mod motion;

use super::affine_body::{AffineState, Constants, Load};
use super::affine_set::AffineSet;
use super::checks::{check_numbers, given_rotation, wrong_scheme};
use super::{
    Ahead, Attachment, BodyColumns, BodySet, Energies, Forces, Inertia, Kind, MaterialPoint, Motion, NewBody, Twist,
    Warning,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow};
use crate::load::SurfaceLoad;
use crate::math::{all_finite, exp_map, skew, Mat3, Vec3};
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
        Box::new(AffineSet::<RigidState>::new(stepping))
    }
}

impl Constants for RigidInertia {
    fn new(new: &NewBody<'_>) -> Result<Self> {
        RigidInertia::of(&new.row.chars, new.name, new.row.kind == BodyKind::Obstacle)
    }

    fn mass(&self) -> f64 {
        self.mass
    }

    fn center(&self) -> Vec3 {
        self.x0
    }

    fn moves(&self) -> bool {
        !self.obstacle
    }

    fn set_scheme(&mut self, name: &str, scheme: Scheme) -> Result<()> {
        use Scheme::{DefExp, DefLim, Default, RigImp, RigNeg, RigPos};
        self.scheme = match scheme {
            Default => RigNeg,
            RigPos | RigNeg | RigImp => scheme,
            DefExp | DefLim => return Err(wrong_scheme(name, scheme, "DEFAULT, RIG_POS, RIG_NEG or RIG_IMP")),
        };
        Ok(())
    }
}

impl Load for Wrench {
    const GENERALISED: (usize, &'static str) = (9, "spatial force, spatial torque, referential torque");
    const TAKES_TORQUE: bool = true;

    fn add_force(&mut self, arm: &Vec3, force: &Vec3) {
        self.force += force;
        self.torque += arm.cross(force);
    }

    fn add_torque(&mut self, torque: &Vec3, convected: bool) {
        if convected {
            self.convected_torque += torque;
        } else {
            self.torque += torque;
        }
    }

    fn of(forces: &dyn Forces, body: BodyIndex) -> Self {
        let [force, torque] = forces.wrench(body);
        Wrench { force, torque, ..Wrench::default() }
    }

    fn add_generalised(&mut self, forces: &[f64]) {
        let vector = |k: usize| Vec3::from_column_slice(&forces[k..k + 3]);
        self.force += vector(0);
        self.torque += vector(3);
        self.convected_torque += vector(6);
    }
}

impl RigidState {
    /// Referential spin; a disabled rotation has none.
    fn set_spin(&mut self, inertia: &RigidInertia, omega: Vec3) {
        self.omega = if inertia.frozen { Vec3::zeros() } else { omega };
    }

    /// The velocity of t, spatial; zero where velocities do not persist.
    fn previous(&self, stepping: &Stepping) -> Twist {
        if stepping.inertial {
            self.twist()
        } else {
            Twist::zero()
        }
    }

    /// The velocity of t+h without reactions, spatial.
    fn free(&self, step: &RigidStep) -> Twist {
        Twist { linear: step.free_v, angular: self.rot * step.free_omega }
    }
}

impl AffineState for RigidState {
    type Constants = RigidInertia;
    type Step = RigidStep;
    type Load = Wrench;

    fn at_rest(inertia: &RigidInertia) -> (Self, RigidStep) {
        (RigidState::at_rest(inertia.x0), RigidStep::new())
    }

    fn motion(&self, inertia: &RigidInertia) -> Motion {
        Motion { f: self.rot, x: self.x, x0: inertia.x0 }
    }

    fn set_characteristics(&mut self, inertia: &mut RigidInertia, name: &str, chars: &Characteristics) -> Result<()> {
        let fresh = RigidInertia::of(chars, name, inertia.obstacle)?;
        let center = self.motion(inertia).point(&chars.center);
        let shift = self.rot.tr_mul(&(center - self.x));
        self.v += self.rot * self.omega.cross(&shift);
        self.x = center;
        *inertia = RigidInertia { scheme: inertia.scheme, frozen: inertia.frozen, ..fresh };
        Ok(())
    }

    /// The rotation by columns, then the mass centre.
    fn configuration(&self) -> Vec<f64> {
        self.rot.iter().chain(&self.x).copied().collect()
    }

    fn set_configuration(&mut self, name: &str, conf: &[f64]) -> Result<()> {
        check_numbers(name, "conf", conf, 12)?;
        self.rot = given_rotation(name, &Mat3::from_column_slice(&conf[..9]))?;
        self.x = Vec3::from_column_slice(&conf[9..12]);
        Ok(())
    }

    /// The referential angular, then the spatial linear velocity.
    fn velocity(&self) -> Vec<f64> {
        self.omega.iter().chain(&self.v).copied().collect()
    }

    fn set_velocity(&mut self, inertia: &RigidInertia, name: &str, velo: &[f64]) -> Result<()> {
        check_numbers(name, "velo", velo, 6)?;
        self.set_spin(inertia, Vec3::from_column_slice(&velo[..3]));
        self.v = Vec3::from_column_slice(&velo[3..]);
        Ok(())
    }

    fn set_rigid_velocity(&mut self, inertia: &RigidInertia, twist: &Twist) {
        self.set_spin(inertia, self.rot.tr_mul(&twist.angular));
        self.v = twist.linear;
    }

    /// Obstacles have no rotation to freeze.
    fn disable_rotation(&mut self, inertia: &mut RigidInertia, on: bool) {
        if inertia.obstacle {
            return;
        }
        inertia.frozen = on;
        if on {
            self.omega = Vec3::zeros();
        }
    }

    fn mean_twist(&self) -> Twist {
        self.twist()
    }

    fn velocity_at(&self, inertia: &RigidInertia, reference: &Vec3) -> Vec3 {
        self.v + self.rot * skew(&self.omega) * (reference - inertia.x0)
    }

    fn speed_bound(&self, _inertia: &RigidInertia, _point: &MaterialPoint, here: &Vec3) -> f64 {
        let twist = self.twist();
        twist.linear.norm() + twist.angular.norm() * (here - self.x).norm()
    }

    fn drift(&self, before: f64, inertia: &RigidInertia, step: &mut RigidStep) -> Self {
        motion::drift(before, inertia, self, step)
    }

    fn arm(&self, inertia: &RigidInertia, reference: &Vec3) -> Vec3 {
        self.rot * (reference - inertia.x0)
    }

    fn add_pressure(&self, surface: &SurfaceLoad, pressure: f64, load: &mut Wrench) {
        load.force += self.rot * surface.integrals.area * pressure;
        load.convected_torque += surface.integrals.torque() * pressure;
    }

    fn free_velocity(
        &self,
        h: f64,
        stepping: &Stepping,
        inertia: &RigidInertia,
        step: &mut RigidStep,
        gravity: &Vec3,
        load: &Wrench,
    ) {
        motion::collect_loads(inertia, self, step, gravity, load);
        if stepping.inertial {
            motion::free_velocity(h, inertia, self, step);
        } else {
            motion::free_increment(h, inertia, step);
        }
        step.inverse_inertia = inertia.spatial_inverse(&self.rot);
    }

    fn inertia<'a>(&self, stepping: &Stepping, inertia: &RigidInertia, step: &'a RigidStep) -> Inertia<'a> {
        Inertia::Rigid {
            inverse_mass: 1.0 / inertia.mass,
            inverse_inertia: step.inverse_inertia,
            free: self.free(step),
            previous: self.previous(stepping),
        }
    }

    #[inline]
    fn attach(
        &self,
        stepping: &Stepping,
        inertia: &RigidInertia,
        step: &RigidStep,
        _point: &MaterialPoint,
        here: &Vec3,
    ) -> Attachment {
        let arm = here - self.x;
        if !inertia.obstacle {
            return Attachment::Arm(arm);
        }
        let at = |twist: Twist| twist.linear + twist.angular.cross(&arm);
        Attachment::Driven { free: at(self.free(step)), previous: at(self.previous(stepping)) }
    }

    fn finish(
        &mut self,
        h: f64,
        stepping: &Stepping,
        inertia: &RigidInertia,
        step: &mut RigidStep,
        reaction: &Wrench,
        work: &mut Energies,
    ) {
        motion::finish(h, stepping, inertia, self, step, reaction, work);
    }

    fn ahead(&self, h: f64, stepping: &Stepping, inertia: &RigidInertia, step: &RigidStep, reaction: &Wrench) -> Ahead {
        let (mut state, mut step, now) = (*self, *step, self.rot);
        let omega = step.free_omega + inertia.inverse_action(&now.tr_mul(&reaction.torque)) * h;
        motion::finish(h, stepping, inertia, &mut state, &mut step, reaction, &mut [0.0; 6]);
        let next = motion::drift(stepping.before * h, inertia, &state, &mut step).rot;
        Ahead { x0: inertia.x0, now, next, fdot: now * skew(&omega) }
    }

    fn add_impulse(&mut self, inertia: &RigidInertia, _step: &RigidStep, impulse: &Wrench) {
        self.v += impulse.force / inertia.mass;
        self.omega += inertia.inverse_action(&self.rot.tr_mul(&impulse.torque));
    }

    fn shift_velocity(&mut self, inertia: &RigidInertia, change: &Twist) {
        if inertia.obstacle {
            self.v += change.linear;
            self.omega += self.rot.tr_mul(&change.angular);
        }
    }

    fn prescribe(&self, after: f64, inertia: &RigidInertia, step: &mut RigidStep, velocity: &Twist) {
        if !inertia.obstacle {
            return;
        }
        step.free_v = velocity.linear;
        step.free_omega = self.rot.tr_mul(&velocity.angular);
        // The momentum from which every scheme of the second half turn finds this spin.
        step.momentum = exp_map(&(step.free_omega * after)) * (inertia.tensor * step.free_omega);
    }

    /// Obstacles have none.
    fn kinetic(&self, inertia: &RigidInertia) -> f64 {
        if inertia.obstacle {
            return 0.0;
        }
        0.5 * (self.omega.dot(&(inertia.tensor * self.omega)) + inertia.mass * self.v.norm_squared())
    }

    fn warnings(step: &RigidStep) -> [Option<Warning>; 2] {
        [step.fell_back.then_some(Warning::RotationFallback), None]
    }

    fn is_finite(&self) -> bool {
        all_finite(self.rot.as_slice())
            && [&self.x, &self.omega, &self.v].iter().all(|vector| all_finite(vector.as_slice()))
    }

    fn show(&self, energies: Energies, body: CatalogueRow, frame: &mut Frame) {
        columns::show(self, energies, body, &mut frame.rigid);
    }

    fn store(&self, work: &Energies, id: BodyId, columns: &mut BodyColumns) {
        columns::store(self, work, id, &mut columns.rigid);
    }

    fn restore(id: BodyId, columns: &BodyColumns) -> Option<(Self, Energies)> {
        columns::restore(id, &columns.rigid)
    }
}

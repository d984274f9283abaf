//! What a body says of itself whose motion is affine, [`Motion`]: constants, state, what a step carries, loads. The set
//! that holds such bodies is [`AffineSet`](super::affine_set::AffineSet).

use super::{
    Ahead, Attachment, BodyColumns, Energies, Forces, Inertia, MaterialPoint, Motion, NewBody, PointForce, Twist,
    Warning,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow};
use crate::load::SurfaceLoad;
use crate::material::BulkMaterial;
use crate::math::Vec3;
use crate::model::{Characteristics, Scheme};
use crate::stepping::Stepping;
use crate::Result;

/// What does not change during a step.
pub trait Constants: Copy + Send + Sync + Sized + 'static {
    /// # Errors
    /// Mass properties or materials with which the body cannot be simulated.
    fn new(new: &NewBody<'_>) -> Result<Self>;

    /// [kg]
    fn mass(&self) -> f64;

    /// Mass centre in the reference configuration [m].
    fn center(&self) -> Vec3;

    /// As [`BodySet::moves`](super::BodySet::moves).
    fn moves(&self) -> bool {
        true
    }

    /// # Errors
    /// A scheme of another kind of body.
    fn set_scheme(&mut self, name: &str, scheme: Scheme) -> Result<()>;

    fn set_damping(&mut self, _damping: f64) {}

    /// # Errors
    /// The body is made of the material `material` (row) and cannot be.
    fn set_material(&mut self, _material: u32, _of: &BulkMaterial) -> Result<()> {
        Ok(())
    }
}

/// A force at the mass centre with its moments; the default is none.
pub trait Load: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Number and meaning of generalised forces.
    const GENERALISED: (usize, &'static str);
    /// Whether [`Load::add_torque`] has a meaning.
    const TAKES_TORQUE: bool;

    /// Adds a spatial force [N] at an arm, as [`Attachment::Arm`] of the body.
    fn add_force(&mut self, arm: &Vec3, force: &Vec3);

    /// Adds a torque [N m], spatial or (`convected`) referential.
    fn add_torque(&mut self, _torque: &Vec3, _convected: bool) {}

    /// Adds as many generalised forces as [`Load::GENERALISED`] says.
    fn add_generalised(&mut self, forces: &[f64]);

    /// The forces on a body, summed in their order.
    fn of(forces: &dyn Forces, body: BodyIndex) -> Self {
        let mut sum = Self::default();
        forces.on(body, &mut |PointForce { at, force }| {
            if let Attachment::Arm(arm) = at {
                sum.add_force(arm, force);
            }
        });
        sum
    }
}

/// Configuration and velocity. Questions that need constants or what a step carries are given them.
pub trait AffineState: Copy + Send + Sync + Sized + 'static {
    type Constants: Constants;
    /// What a step carries from its begin to [`AffineState::finish`].
    type Step: Send + Sync + 'static;
    type Load: Load;

    /// At rest in the reference configuration, before the first step.
    fn at_rest(constants: &Self::Constants) -> (Self, Self::Step);

    fn motion(&self, constants: &Self::Constants) -> Motion;

    /// As [`BodySet::set_characteristics`](super::BodySet::set_characteristics).
    ///
    /// # Errors
    /// As [`Constants::new`].
    fn set_characteristics(
        &mut self,
        constants: &mut Self::Constants,
        name: &str,
        chars: &Characteristics,
    ) -> Result<()>;

    fn configuration(&self) -> Vec<f64>;

    /// # Errors
    /// As [`BodySet::set_configuration`](super::BodySet::set_configuration).
    fn set_configuration(&mut self, name: &str, conf: &[f64]) -> Result<()>;

    fn velocity(&self) -> Vec<f64>;

    /// # Errors
    /// Wrong length, values that are not finite.
    fn set_velocity(&mut self, constants: &Self::Constants, name: &str, velo: &[f64]) -> Result<()>;

    fn set_rigid_velocity(&mut self, constants: &Self::Constants, twist: &Twist);

    /// As [`BodySet::disable_rotation`](super::BodySet::disable_rotation).
    fn disable_rotation(&mut self, _constants: &mut Self::Constants, _on: bool) {}

    fn mean_twist(&self) -> Twist;

    fn velocity_at(&self, constants: &Self::Constants, reference: &Vec3) -> Vec3;

    /// As [`BodySet::speed_bound`](super::BodySet::speed_bound), where velocities persist.
    fn speed_bound(&self, constants: &Self::Constants, point: &MaterialPoint, here: &Vec3) -> f64;

    /// Cauchy stress [Pa].
    fn stress(&self, _constants: &Self::Constants) -> [f64; 6] {
        [0.0; 6]
    }

    /// Whether explicit steps have a limit, which is [`AffineState::critical_step`].
    const HAS_CRITICAL_STEP: bool = false;

    /// [s], infinite if every step is stable.
    fn critical_step(&self, _constants: &Self::Constants) -> f64 {
        f64::INFINITY
    }

    /// The state after the first part of the motion, over the time `before` [s].
    fn drift(&self, before: f64, constants: &Self::Constants, step: &mut Self::Step) -> Self;

    /// Arm of a reference point for [`Load::add_force`].
    fn arm(&self, constants: &Self::Constants, reference: &Vec3) -> Vec3;

    /// Adds a pressure [Pa] on a surface; positive pulls outwards.
    fn add_pressure(&self, surface: &SurfaceLoad, pressure: f64, load: &mut Self::Load);

    /// As [`BodySet::free_velocity`](super::BodySet::free_velocity).
    fn free_velocity(
        &self,
        h: f64,
        stepping: &Stepping,
        constants: &Self::Constants,
        step: &mut Self::Step,
        gravity: &Vec3,
        load: &Self::Load,
    );

    fn inertia<'a>(&self, stepping: &Stepping, constants: &Self::Constants, step: &'a Self::Step) -> Inertia<'a>;

    fn attach(
        &self,
        stepping: &Stepping,
        constants: &Self::Constants,
        step: &Self::Step,
        point: &MaterialPoint,
        here: &Vec3,
    ) -> Attachment;

    /// As [`BodySet::finish`](super::BodySet::finish).
    fn finish(
        &mut self,
        h: f64,
        stepping: &Stepping,
        constants: &Self::Constants,
        step: &mut Self::Step,
        reaction: &Self::Load,
        work: &mut Energies,
    );

    /// As [`BodySet::ahead`](super::BodySet::ahead).
    fn ahead(
        &self,
        h: f64,
        stepping: &Stepping,
        constants: &Self::Constants,
        step: &Self::Step,
        reaction: &Self::Load,
    ) -> Ahead;

    /// Changes the velocity by an impulse [N s].
    fn add_impulse(&mut self, constants: &Self::Constants, step: &Self::Step, impulse: &Self::Load);

    /// As [`BodySet::shift_velocity`](super::BodySet::shift_velocity).
    fn shift_velocity(&mut self, _constants: &Self::Constants, _change: &Twist) {}

    /// As [`BodySet::prescribe`](super::BodySet::prescribe); `after` [s] is the rest of the motion.
    fn prescribe(&self, _after: f64, _constants: &Self::Constants, _step: &mut Self::Step, _velocity: &Twist) {}

    /// Kinetic energy [J].
    fn kinetic(&self, constants: &Self::Constants) -> f64;

    /// Stored energy [J].
    fn internal(&self, _constants: &Self::Constants) -> f64 {
        0.0
    }

    /// What the last step has shown to deserve the user's attention.
    fn warnings(step: &Self::Step) -> [Option<Warning>; 2];

    fn is_finite(&self) -> bool;

    fn is_inverted(&self) -> bool {
        false
    }

    /// Appends a row of a frame.
    fn show(&self, energies: Energies, body: CatalogueRow, frame: &mut Frame);

    /// Appends a row of a checkpoint.
    fn store(&self, work: &Energies, id: BodyId, columns: &mut BodyColumns);

    /// State and works of a body in a checkpoint.
    fn restore(id: BodyId, columns: &BodyColumns) -> Option<(Self, Energies)>;
}

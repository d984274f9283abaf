//! What can be asked of one body, or set on it.

use super::{check_numbers, Bodies, Energies, MaterialPoint, Twist};
use crate::ids::{BodyIndex, ObjectIndex};
use crate::material::BulkMaterial;
use crate::math::{Mat3, Vec3};
use crate::model::{changes_conditions, fills_tables, only_acts, Characteristics, Form, Op, Scheme};
use crate::{Error, Result};

impl Bodies {
    /// Whether forces move the body.
    pub fn moves(&self, i: BodyIndex) -> bool {
        let (set, row) = self.at(i);
        set.moves(row)
    }

    /// Whether the body is an obstacle: it moves as prescribed, whatever acts on it.
    pub fn is_obstacle(&self, i: BodyIndex) -> bool {
        !self.moves(i)
    }

    /// [kg]
    pub fn mass(&self, i: BodyIndex) -> f64 {
        let (set, row) = self.at(i);
        set.mass(row)
    }

    /// Mass centre in the reference configuration [m].
    pub fn center(&self, i: BodyIndex) -> Vec3 {
        let (set, row) = self.at(i);
        set.center(row)
    }

    /// Overwrites reference characteristics; the body keeps its motion about the new mass centre.
    ///
    /// # Errors
    /// Mass, volume or tensor not positive.
    pub fn set_characteristics(&mut self, i: BodyIndex, chars: &Characteristics) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_characteristics(row, name, chars)
    }

    /// Unknowns of the configuration. Rigid: rotation by columns, mass centre. Pseudo-rigid: `F` by rows, mass centre.
    pub fn configuration(&self, i: BodyIndex) -> Vec<f64> {
        let (set, row) = self.at(i);
        set.configuration(row)
    }

    /// Overwrites the configuration.
    ///
    /// # Errors
    /// Wrong length, not finite, not a rotation, `det F ≤ 0`.
    pub fn set_configuration(&mut self, i: BodyIndex, conf: &[f64]) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_configuration(row, name, conf)
    }

    /// Unknowns of the velocity. Rigid: referential angular, then spatial linear velocity. Pseudo-rigid: `Ḟ` by rows,
    /// then linear velocity.
    pub fn velocity(&self, i: BodyIndex) -> Vec<f64> {
        let (set, row) = self.at(i);
        set.velocity(row)
    }

    /// Overwrites the velocity.
    ///
    /// # Errors
    /// Wrong length, not finite.
    pub fn set_velocity(&mut self, i: BodyIndex, velo: &[f64]) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_velocity(row, name, velo)
    }

    /// A rigid velocity field about the current mass centre, both arguments spatial (INITIAL_VELOCITY).
    ///
    /// # Errors
    /// Not finite.
    pub fn set_initial_velocity(&mut self, i: BodyIndex, linear: &Vec3, angular: &Vec3) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        check_numbers(name, "linear velocity", linear.as_slice(), 3)?;
        check_numbers(name, "angular velocity", angular.as_slice(), 3)?;
        set.set_rigid_velocity(row, &Twist { linear: *linear, angular: *angular });
        Ok(())
    }

    /// Does what an operation on the body says of it; others do nothing. Whether it touches itself is not known here.
    ///
    /// # Errors
    /// What it says is nothing for this body.
    pub fn describe<F: Form>(&mut self, i: BodyIndex, op: &Op<F>) -> Result<()> {
        match op {
            Op::InitialVelocity { linear, angular, .. } => {
                self.set_initial_velocity(i, &Vec3::from(*linear), &Vec3::from(*angular))
            }
            Op::SetVelocity { velo, .. } => self.set_velocity(i, velo),
            Op::SetConfiguration { conf, .. } => self.set_configuration(i, conf),
            Op::BodyChars { mass, volume, center, tensor, .. } => {
                let (center, tensor) = (Vec3::from(*center), Mat3::from_column_slice(tensor));
                self.set_characteristics(i, &Characteristics { mass: *mass, volume: *volume, center, tensor })
            }
            Op::SetScheme { scheme, .. } => self.set_scheme(i, *scheme),
            Op::SetDamping { damping, .. } => self.set_damping(i, *damping),
            Op::DisableRotation { on, .. } => {
                self.disable_rotation(i, *on);
                Ok(())
            }
            Op::SelfContact { .. } | fills_tables!() | changes_conditions!() | only_acts!() => Ok(()),
        }
    }

    /// Sets the integration scheme; `Default` is that of the kind.
    ///
    /// # Errors
    /// A scheme of another kind of body.
    pub fn set_scheme(&mut self, i: BodyIndex, scheme: Scheme) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_scheme(row, name, scheme)
    }

    /// Damping η ≥ 0 [s] of deformable bodies; rigid bodies accept and ignore it.
    ///
    /// # Errors
    /// A negative number, or none.
    pub fn set_damping(&mut self, i: BodyIndex, damping: f64) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        if !(damping >= 0.0 && damping.is_finite()) {
            return Err(Error::input(format!("{name}: damping is {damping}, it must be a number ≥ 0")));
        }
        set.set_damping(row, damping);
        Ok(())
    }

    /// Freezes or frees the rotation of a rigid body; ignored by other kinds and by obstacles.
    pub fn disable_rotation(&mut self, i: BodyIndex, on: bool) {
        let (set, row, _) = self.at_mut(i);
        set.disable_rotation(row, on);
    }

    /// The stiffness of bulk material `row` is from now on that of `material`; density and inertia stay.
    ///
    /// # Errors
    /// A body cannot be made of it.
    pub fn set_material(&mut self, row: u32, material: &BulkMaterial) -> Result<()> {
        self.sets.iter_mut().try_for_each(|set| set.set_material(row, material))
    }

    /// Row of the bulk material of a body of a material that varies, and the reference places [m] of its values; `None`
    /// of others.
    pub fn sites(&self, i: BodyIndex) -> Option<(u32, &[Vec3])> {
        let (set, row) = self.at(i);
        set.sites(row)
    }

    /// Gives a material that varies new values at [`Bodies::sites`]: Young's modulus [Pa] and Poisson's ratio. `None`:
    /// they stay.
    pub fn sample(&mut self, i: BodyIndex, young: Option<&[f64]>, poisson: Option<&[f64]>) {
        let (set, row, _) = self.at_mut(i);
        set.sample(row, young, poisson);
    }

    /// What is wrong with the configuration when shapes cannot be placed: "its configuration is not finite …".
    ///
    /// # Errors
    /// The text.
    pub fn check_place(&self, i: BodyIndex) -> Result<(), String> {
        let (set, row) = self.at(i);
        set.check_place(row)
    }

    /// Present places of vertices of the body's shapes; `nodes` are their nodes in the mesh of the body or
    /// [`NO_NODE`](super::NO_NODE).
    pub fn place(&self, i: BodyIndex, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]) {
        let (set, row) = self.at(i);
        set.place(row, reference, nodes, out);
    }

    /// Present unit normals of plane faces; false if the body deforms so that they must be computed from placed
    /// vertices.
    pub fn turn_normals(&self, i: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        let (set, row) = self.at(i);
        set.turn_normals(row, reference, out)
    }

    /// Whether the shape of the body does not stay affine, so that contact follows the nodes of its meshes.
    pub fn deforms(&self, i: BodyIndex) -> bool {
        !self.turn_normals(i, &[], &mut [])
    }

    /// The material point at a reference place, found by the place alone.
    pub fn locate(&self, i: BodyIndex, reference: &Vec3) -> MaterialPoint {
        let (set, row) = self.at(i);
        let (object, element) = set.locate(row, reference);
        MaterialPoint { body: i, object, element, reference: *reference }
    }

    /// Present place of a point [m]; between `begin` and `finish` that of the configuration of detection.
    pub fn point(&self, point: &MaterialPoint) -> Vec3 {
        let (set, row) = self.at(point.body);
        set.point(row, point)
    }

    /// Reference place of the point of an object and element that is `here` now; `None` if there is none.
    pub fn reference(&self, i: BodyIndex, object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3> {
        let (set, row) = self.at(i);
        set.reference(row, object, element, here)
    }

    /// The image `F d` of a direction at a point, not normalised.
    pub fn carry(&self, point: &MaterialPoint, direction: &Vec3) -> Vec3 {
        let (set, row) = self.at(point.body);
        set.carry(row, point, direction)
    }

    /// Velocity of the mass centre [m/s] and mean rate of turning [rad/s], spatial.
    pub fn mean_twist(&self, i: BodyIndex) -> Twist {
        let (set, row) = self.at(i);
        set.mean_twist(row)
    }

    /// Present velocity of a point [m/s].
    pub fn velocity_at(&self, point: &MaterialPoint) -> Vec3 {
        let (set, row) = self.at(point.body);
        set.velocity_at(row, point)
    }

    /// Cauchy stress at a point [Pa] in the order xx yy zz xy xz yz; zero in bodies that do not deform.
    pub fn stress(&self, point: &MaterialPoint) -> [f64; 6] {
        let (set, row) = self.at(point.body);
        set.stress(row, point)
    }

    /// Energies of a body [J].
    pub fn energies(&self, i: BodyIndex) -> Energies {
        let (set, row) = self.at(i);
        set.energies(row)
    }

    /// Overwrites accumulated works (a stored state); kinetic and internal entries are ignored.
    pub fn set_works(&mut self, i: BodyIndex, energies: &Energies) {
        let (set, row, _) = self.at_mut(i);
        set.set_works(row, energies);
    }
}

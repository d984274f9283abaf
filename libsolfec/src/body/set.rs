//! What a kind of body is: a factory of sets, and a set that holds all bodies of the kind as columns and answers for
//! them.

use super::{
    Ahead, Attachment, BodyColumns, Energies, Forces, Inertia, MaterialPoint, Twist, Warning, KINETIC, NO_ELEMENT,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use crate::load::SurfaceLoad;
use crate::material::BulkMaterial;
use crate::math::Vec3;
use crate::model::{BodyKind, BodyRow, Characteristics, Scheme};
use crate::shape::Shape;
use crate::stepping::Stepping;
use crate::Result;

/// A formulation of bodies.
pub trait Kind: Send + Sync {
    /// Whether bodies of the model of this kind belong to its set.
    fn holds(&self, kind: BodyKind) -> bool;
    /// A set without bodies.
    fn empty(&self, stepping: Stepping) -> Box<dyn BodySet>;
}

/// What a set needs to make a body.
#[derive(Clone, Copy)]
pub struct NewBody<'a> {
    /// How messages call it: "body 3 'label'".
    pub name: &'a str,
    pub row: &'a BodyRow,
    /// The bulk materials of the model.
    pub bulk: &'a [BulkMaterial],
    pub shapes: &'a [Shape],
}

impl<'a> NewBody<'a> {
    /// Its bulk material, `None` if the row names one that does not exist.
    pub fn material(&self) -> Option<&'a BulkMaterial> {
        self.bulk.get(self.row.material as usize)
    }
}

/// All bodies of one formulation, as columns. A row is the place of a body in them; rows and dense indices are in no
/// particular order of ids. Errors begin with the `name` of the body.
///
/// A step calls [`begin`](BodySet::begin), [`free_velocity`](BodySet::free_velocity), lets others solve, then
/// [`finish`](BodySet::finish). Between `begin` and `finish` the configuration is that of detection, and velocities are
/// those of t.
pub trait BodySet: Send + Sync {
    /// Dense index of each row.
    fn bodies(&self) -> &[BodyIndex];

    /// Appends a body at rest in its reference configuration.
    ///
    /// # Errors
    /// Mass properties or materials with which the body cannot be simulated.
    fn insert(&mut self, body: BodyIndex, new: &NewBody<'_>) -> Result<()>;

    /// Removes bodies and renumbers the others: `place` is the new dense index of each old one, `None` for those that
    /// go. Rows that stay keep their order.
    fn retain(&mut self, place: &[Option<BodyIndex>]);

    /// Whether forces move it. A body for which this is false is an obstacle to others.
    fn moves(&self, _row: usize) -> bool {
        true
    }

    /// [kg]
    fn mass(&self, row: usize) -> f64;

    /// Mass centre in the reference configuration [m].
    fn center(&self, row: usize) -> Vec3;

    /// Overwrites reference characteristics; the body keeps its motion about the new mass centre.
    ///
    /// # Errors
    /// As [`BodySet::insert`].
    fn set_characteristics(&mut self, row: usize, name: &str, chars: &Characteristics) -> Result<()>;

    /// Unknowns of the configuration in the layout of the kind.
    fn configuration(&self, row: usize) -> Vec<f64>;

    /// # Errors
    /// Wrong length, values that are not finite or that are no configuration.
    fn set_configuration(&mut self, row: usize, name: &str, conf: &[f64]) -> Result<()>;

    /// Unknowns of the velocity in the layout of the kind.
    fn velocity(&self, row: usize) -> Vec<f64>;

    /// # Errors
    /// Wrong length, values that are not finite.
    fn set_velocity(&mut self, row: usize, name: &str, velo: &[f64]) -> Result<()>;

    /// The velocity becomes this rigid field about the current mass centre.
    fn set_rigid_velocity(&mut self, row: usize, twist: &Twist);

    /// # Errors
    /// A scheme of another kind of body.
    fn set_scheme(&mut self, row: usize, name: &str, scheme: Scheme) -> Result<()>;

    /// Stiffness-proportional damping [s]; ignored by kinds that do not deform.
    fn set_damping(&mut self, _row: usize, _damping: f64) {}

    /// Freezes or frees the rotation; ignored by kinds that have none to freeze.
    fn disable_rotation(&mut self, _row: usize, _on: bool) {}

    /// The stiffness of bulk material `material` (row) has changed; density and inertia stay.
    ///
    /// # Errors
    /// A body of the set is made of it and cannot be.
    fn set_material(&mut self, _material: u32, _of: &BulkMaterial) -> Result<()> {
        Ok(())
    }

    /// Most nodes in contact of a body between which its inverse is kept as a dense matrix.
    fn set_dense_nodes(&mut self, _most: usize) {}

    /// Row of the bulk material of a body of a material that varies, and the reference places [m] of its values; `None`
    /// of others.
    fn sites(&self, _row: usize) -> Option<(u32, &[Vec3])> {
        None
    }

    /// Gives a material that varies new values at [`sites`](BodySet::sites): Young's modulus [Pa] and Poisson's ratio.
    /// `None`: they stay.
    fn sample(&mut self, _row: usize, _young: Option<&[f64]>, _poisson: Option<&[f64]>) {}

    /// What is wrong with the configuration when shapes cannot be placed: "its configuration is not finite …".
    fn check_place(&self, row: usize) -> Result<(), String>;

    /// Present places of vertices of the body's shapes; `nodes` are their nodes in the mesh of the body or
    /// [`NO_NODE`](super::NO_NODE).
    fn place(&self, row: usize, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]);

    /// Present unit normals of plane faces; false if the body deforms so that they must be computed from placed
    /// vertices.
    fn turn_normals(&self, row: usize, reference: &[Vec3], out: &mut [Vec3]) -> bool;

    /// Object and element of a point that is known by its reference place only.
    fn locate(&self, _row: usize, _reference: &Vec3) -> (ObjectIndex, u32) {
        (ObjectIndex::NONE, NO_ELEMENT)
    }

    /// Present place of a point [m].
    fn point(&self, row: usize, point: &MaterialPoint) -> Vec3;

    /// Reference place of the point of an object and element that is here now; `None` if there is none.
    fn reference(&self, row: usize, object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3>;

    /// The image `F d` of a direction at a point, not normalised.
    fn carry(&self, row: usize, point: &MaterialPoint, direction: &Vec3) -> Vec3;

    /// Velocity of the mass centre [m/s] and mean rate of turning [rad/s], spatial.
    fn mean_twist(&self, row: usize) -> Twist {
        let reference = self.center(row);
        let (object, element) = self.locate(row, &reference);
        let center = MaterialPoint { body: self.bodies()[row], object, element, reference };
        Twist { linear: self.velocity_at(row, &center), ..Twist::zero() }
    }

    /// Present velocity of a point [m/s].
    fn velocity_at(&self, row: usize, point: &MaterialPoint) -> Vec3;

    /// A bound of the speed of t of a point that is `here` [m/s], after [`free_velocity`](BodySet::free_velocity).
    fn speed_bound(&self, row: usize, point: &MaterialPoint, here: &Vec3) -> f64;

    /// Cauchy stress at a point [Pa] in the order xx yy zz xy xz yz; zero in bodies that do not deform.
    fn stress(&self, _row: usize, _point: &MaterialPoint) -> [f64; 6] {
        [0.0; 6]
    }

    /// Smallest critical step [s] of explicit rows and its body; `None` if every step is stable.
    fn critical_step(&self) -> Option<(f64, BodyIndex)> {
        None
    }

    /// Begins a step: the present state is kept for [`revert`](BodySet::revert), the bodies move to the configuration
    /// of detection, and there are no loads.
    fn begin(&mut self, h: f64);

    /// Without a step: whatever follows from the configuration is that of the present one, and there are no loads.
    fn look_at_present(&mut self) {}

    /// The state is again that of the last [`begin`](BodySet::begin). To be called before [`finish`](BodySet::finish).
    fn revert(&mut self);

    /// Adds a spatial force [N] at a point.
    fn add_force(&mut self, row: usize, point: &MaterialPoint, force: &Vec3);

    /// Whether [`add_torque`](BodySet::add_torque) has a meaning for the body.
    fn takes_torque(&self, _row: usize) -> bool {
        false
    }

    /// Adds a torque [N m], spatial or (`convected`) referential.
    fn add_torque(&mut self, _row: usize, _torque: &Vec3, _convected: bool) {}

    /// Adds a pressure [Pa] on a surface; positive pulls outwards.
    fn add_pressure(&mut self, row: usize, surface: &SurfaceLoad, pressure: f64);

    /// Number and meaning of generalised forces of [`add_generalised`](BodySet::add_generalised).
    fn generalised_forces(&self, row: usize) -> (usize, &'static str);

    /// Adds generalised forces, as many as [`generalised_forces`](BodySet::generalised_forces) says.
    fn add_generalised(&mut self, row: usize, forces: &[f64]);

    /// Velocity of t+h without reactions, and the inverse inertia, under loads and gravity [m/s²].
    fn free_velocity(&mut self, h: f64, gravity: &Vec3);

    /// How the body answers to forces; follows [`free_velocity`](BodySet::free_velocity).
    fn inertia(&self, row: usize) -> Inertia<'_>;

    /// How a constraint at a point that is `here` now holds on to the body; follows
    /// [`free_velocity`](BodySet::free_velocity).
    fn attach(&self, row: usize, point: &MaterialPoint, here: &Vec3) -> Attachment;

    /// Ends the step under these reactions: velocity of t+h, rest of the motion, works.
    fn finish(&mut self, h: f64, reactions: &dyn Forces);

    /// Where the body will be when constraints are placed in the next step, if this step ends under these reactions and
    /// the next one is as long: what [`finish`](BodySet::finish) and the next [`begin`](BodySet::begin) will do,
    /// before the former. `None`: all points of the body move on straight lines, with the velocity that the
    /// operator sees.
    fn ahead(&self, _row: usize, _h: f64, _reactions: &dyn Forces) -> Option<Ahead> {
        None
    }

    /// Changes velocities by impulses [N s], with the inertia of the last [`free_velocity`](BodySet::free_velocity).
    /// The kinetic energy that they bring is external work.
    fn apply_impulses(&mut self, impulses: &dyn Forces);

    /// Adds a velocity to that of a body that forces do not move; others are left alone.
    fn shift_velocity(&mut self, _row: usize, _change: &Twist) {}

    /// A body that forces do not move will have this velocity at the end of the step of length `h` [s] that has begun;
    /// others are left alone.
    fn prescribe(&mut self, _row: usize, _h: f64, _velocity: &Twist) {}

    /// Energies [J]; see [`Energies`].
    fn energies(&self, row: usize) -> Energies;

    /// Kinetic energy [J], as in [`BodySet::energies`].
    fn kinetic(&self, row: usize) -> f64 {
        self.energies(row)[KINETIC]
    }

    /// Energies [J] without those that are integrals over a mesh: enough to see that a motion has no bounds.
    fn energies_of_motion(&self, row: usize) -> Energies {
        self.energies(row)
    }

    /// Whether the states of all its bodies are finite and none is turned inside out, and the sum of the energies of
    /// their motion is finite.
    fn is_sound(&self) -> bool {
        let rows = 0..self.bodies().len();
        rows.clone().all(|row| self.is_finite(row) && !self.is_inverted(row))
            && rows.flat_map(|row| self.energies_of_motion(row)).sum::<f64>().is_finite()
    }

    /// Adds the body's share of the normal and tangential work of a contact [J].
    fn add_contact_work(&mut self, row: usize, normal: f64, friction: f64);

    /// Overwrites accumulated works; kinetic and internal energy are functions of the state and are ignored.
    fn set_works(&mut self, row: usize, energies: &Energies);

    /// What the last step has shown to deserve the user's attention.
    fn warnings(&self, out: &mut Vec<(BodyIndex, Warning)>);

    /// Whether all numbers of the state are finite.
    fn is_finite(&self, row: usize) -> bool;

    /// Whether the body is turned inside out somewhere.
    fn is_inverted(&self, _row: usize) -> bool {
        false
    }

    /// Shows these rows in a frame, in this order.
    fn show(&self, rows: &[(usize, CatalogueRow)], frame: &mut Frame);

    /// Appends the state of these rows to the columns of the kind, bit for bit.
    fn store(&self, rows: &[(usize, BodyId)], columns: &mut BodyColumns);

    /// Takes the state of a body from the columns of the kind, bit for bit; false if it is not there.
    fn restore(&mut self, row: usize, id: BodyId, columns: &BodyColumns) -> bool;
}

//! Bodies: configuration, velocity, inverse inertia, time integration, energies, stress.
//!
//! A [`BodySet`] holds all bodies of one formulation as columns and answers for them; a [`Kind`] makes such a set.
//! [`Bodies`] keeps the sets and a table that maps the dense body index to a set and a row of it. Nothing outside this
//! room knows what kinds there are. A new formulation implements the two traits in a file of its own and joins
//! [`kinds`].
//!
//! A step calls `begin`, loads are added, `free_velocity`, others solve, `finish`. No body knows a solver: a body
//! receives forces at material points and shows how it answers to them as [`Inertia`].

mod affine;
mod affine_body;
mod affine_set;
mod bodies;
mod checks;
mod columns;
mod finite;
mod inertia;
mod kirchhoff;
mod nodes;
mod one;
mod phases;
mod point;
mod pseudo;
mod rigid;
mod set;

pub use affine::{Ahead, Motion};
pub use bodies::{name_of, Bodies};
pub use checks::{check_numbers, wrong_scheme};
pub use columns::{
    BodyColumns, General, GeneralBody, GeneralColumns, PseudoColumns, RigidColumns, UnknownColumns, VelocityColumns,
};
pub use finite::{
    check_finite_body, check_finite_body_in_making, element_stress, quadratic_points, quadratic_stress, reduced_state,
    rigid_displacements, rigid_modes, Lumped, Pencil, Shifted, Sites,
};
pub use inertia::{AffineInverse, AffineRate, Condensed, Entry, Inertia, SparseInertia, Twist};
pub use kirchhoff::{mises, pushed_forward, stress, Kirchhoff};
pub use nodes::{Axes, NodalResponse, NodalSolver, NodeMatrix, Numbers};
pub use point::{Attachment, Forces, MaterialPoint, NoForces, PointForce, NO_ELEMENT, NO_NODE};
pub use set::{BodySet, Kind, NewBody};

use crate::ids::BodyIndex;

/// The standard formulations: rigid bodies with obstacles, pseudo-rigid bodies, finite elements.
pub fn kinds() -> Vec<Box<dyn Kind>> {
    vec![Box::new(rigid::Rigid), Box::new(pseudo::PseudoRigid), Box::new(finite::FiniteElements)]
}

/// Energies of a body [J] in the order of all files: kinetic, internal, external, contact, friction, dissipated.
/// Kinetic and internal energy are functions of the state, the others accumulate over dynamic steps.
pub type Energies = [f64; 6];

/// Places of [`Energies`].
pub const KINETIC: usize = 0;
pub const INTERNAL: usize = 1;
pub const EXTERNAL: usize = 2;
pub const CONTACT: usize = 3;
pub const FRICTION: usize = 4;
pub const DISSIPATED: usize = 5;

/// What deserves the user's attention after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The implicit rotation update did not converge: RIG_NEG was used in this step. A smaller step helps.
    RotationFallback,
    /// The implicit operator was indefinite: only the positive part of the geometric stiffness was used.
    IndefiniteStiffness,
    /// A principal stretch is below 0.65 (reported once): the material law is not safe there.
    Crushed,
}

/// Bodies that one thread takes at least.
const GRAIN: usize = 512;

/// External, contact, friction and dissipated work [J].
pub fn works(energies: &Energies) -> [f64; 4] {
    [energies[EXTERNAL], energies[CONTACT], energies[FRICTION], energies[DISSIPATED]]
}

/// Energies of which only the works are known.
pub fn of_works([external, contact, friction, dissipated]: [f64; 4]) -> Energies {
    [0.0, 0.0, external, contact, friction, dissipated]
}

/// Gives rows their new dense indices, by old ones; says which rows stay.
fn renumber(bodies: &mut Vec<BodyIndex>, place: &[Option<BodyIndex>]) -> Vec<bool> {
    let keep = bodies.iter().map(|body| place[body.index()].is_some()).collect();
    *bodies = bodies.iter().filter_map(|body| place[body.index()]).collect();
    keep
}

/// Keeps the entries `k` with `keep[k]`.
fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut k = 0;
    column.retain(|_| {
        k += 1;
        keep[k - 1]
    });
}

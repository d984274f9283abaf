//! Bodies of finite elements: first-order elements in one mesh, Saint Venant–Kirchhoff material, lumped mass
//! (docs/theory.md 3).
//!
//! Unknowns are the places of the nodes. Two formulations differ in the elastic forces only. *Total Lagrangian*: those
//! of the displacements, whatever their size. *Co-rotational*: those of linear elasticity about the mean rotation of
//! the body, for stiff bodies that move far but strain little.

mod body;
mod bound;
mod confined;
mod corotation;
mod described;
mod elastic;
mod enhanced;
mod faces;
mod factor;
mod grid;
mod half;
mod hexes;
mod implicit;
mod kernels;
mod lanes;
mod laws;
mod lumped;
mod matter;
mod nodal;
mod order;
mod panel;
mod paths;
mod pencil;
mod pressure;
mod quadratic;
mod reduced;
mod response;
mod rigid;
mod sampled;
mod selected;
mod set;
mod shown;
mod stiffness;
mod tangents;
mod twist;
mod weights;

pub use described::{check_finite_body, check_finite_body_in_making, reduced_state};
pub use enhanced::element_stress;
pub use lumped::Lumped;
pub use pencil::{Pencil, Shifted};
pub use quadratic::{points as quadratic_points, quadratic_stress};
pub use rigid::{rigid_displacements, rigid_modes};
pub use sampled::Sites;

use super::{BodySet, Kind};
use crate::model::BodyKind;
use crate::stepping::Stepping;

/// The kind of finite-element bodies.
pub(super) struct FiniteElements;

impl Kind for FiniteElements {
    fn holds(&self, kind: BodyKind) -> bool {
        kind == BodyKind::FiniteElement
    }

    fn empty(&self, stepping: Stepping) -> Box<dyn BodySet> {
        Box::new(set::FiniteSet::new(stepping))
    }
}

//! Mass properties of a body made of several shapes.

use crate::frame::CharsRow;
use crate::ids::CatalogueRow;
use crate::math::{columns, Mat3, Vec3};
use crate::shape::{Integrals, Shape};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// Kinds of bodies; the discriminants are those of all files (docs/conventions.md 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum BodyKind {
    Obstacle = 0,
    Rigid = 1,
    PseudoRigid = 2,
    FiniteElement = 3,
}

impl BodyKind {
    pub const ALL: [BodyKind; 4] =
        [BodyKind::Obstacle, BodyKind::Rigid, BodyKind::PseudoRigid, BodyKind::FiniteElement];

    /// The name in decks and messages.
    pub fn name(self) -> &'static str {
        match self {
            BodyKind::Obstacle => "OBSTACLE",
            BodyKind::Rigid => "RIGID",
            BodyKind::PseudoRigid => "PSEUDO_RIGID",
            BodyKind::FiniteElement => "FINITE_ELEMENT",
        }
    }

    /// Whether the stiffness of its material counts.
    pub fn deforms(self) -> bool {
        match self {
            BodyKind::Obstacle | BodyKind::Rigid => false,
            BodyKind::PseudoRigid | BodyKind::FiniteElement => true,
        }
    }

    /// Whether its motion is that of any place, also beside the body: the one of finite elements ends at their mesh.
    pub fn moves_all_places(self) -> bool {
        match self {
            BodyKind::Obstacle | BodyKind::Rigid | BodyKind::PseudoRigid => true,
            BodyKind::FiniteElement => false,
        }
    }

    /// Whether a configuration (docs/conventions.md 5) can have so many numbers: a matrix and the mass centre, or
    /// displacements of nodes.
    pub fn takes_configuration(self, numbers: usize) -> bool {
        match self {
            BodyKind::Obstacle | BodyKind::Rigid | BodyKind::PseudoRigid => numbers == 12,
            BodyKind::FiniteElement => numbers >= 12 && numbers.is_multiple_of(3),
        }
    }

    /// How many numbers a configuration has, for messages.
    pub fn configuration_layout(self) -> &'static str {
        match self {
            BodyKind::Obstacle | BodyKind::Rigid | BodyKind::PseudoRigid => "12",
            BodyKind::FiniteElement => "3 for each node",
        }
    }

    /// How many numbers a velocity has, for messages.
    pub fn velocity_layout(self) -> &'static str {
        match self {
            BodyKind::Obstacle | BodyKind::Rigid => "6",
            BodyKind::PseudoRigid => "12",
            BodyKind::FiniteElement => "6 of a rigid motion, or 3 for each node",
        }
    }

    /// Whether a velocity (docs/conventions.md 5) can have so many numbers. Of finite elements six are a rigid motion.
    pub fn takes_velocity(self, numbers: usize) -> bool {
        match self {
            BodyKind::Obstacle | BodyKind::Rigid => numbers == 6,
            BodyKind::PseudoRigid => numbers == 12,
            BodyKind::FiniteElement => numbers == 6 || self.takes_configuration(numbers),
        }
    }
}

/// Formulations of bodies of finite elements; the discriminants are those of all files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum Formulation {
    /// Elastic forces of displacements of any size ('TL').
    #[default]
    TotalLagrangian = 0,
    /// Linear elasticity about the mean rotation of the body ('BC').
    Corotational = 1,
    /// The same, confined to rigid motions and modes of free vibration ('BC-MODAL').
    Modal = 2,
    /// The same, confined to a base that contains rigid motions ('BC-RO').
    Reduced = 3,
}

impl Formulation {
    pub const ALL: [Formulation; 4] =
        [Formulation::TotalLagrangian, Formulation::Corotational, Formulation::Modal, Formulation::Reduced];

    /// Whether it needs a base.
    pub fn is_reduced(self) -> bool {
        match self {
            Formulation::TotalLagrangian | Formulation::Corotational => false,
            Formulation::Modal | Formulation::Reduced => true,
        }
    }

    /// The name in decks and messages.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::TotalLagrangian => "TL",
            Formulation::Corotational => "BC",
            Formulation::Modal => "BC-MODAL",
            Formulation::Reduced => "BC-RO",
        }
    }
}

/// Mass, volume, mass centre and tensor of a body in its reference configuration. `tensor` is the inertia tensor
/// `tr(E)I − E` of rigid bodies and obstacles and the Euler tensor `E` of the others [kg m²].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Characteristics {
    pub mass: f64,
    pub volume: f64,
    pub center: Vec3,
    pub tensor: Mat3,
}

impl Characteristics {
    /// As a frame shows those of a body.
    pub fn row(&self, body: CatalogueRow) -> CharsRow {
        let Characteristics { mass, volume, center, tensor } = *self;
        CharsRow { body: body.0, mass, volume, center: center.into(), tensor: columns(&tensor) }
    }
}

impl From<CharsRow> for Characteristics {
    fn from(row: CharsRow) -> Characteristics {
        let CharsRow { mass, volume, center, tensor, .. } = row;
        Characteristics { mass, volume, center: center.into(), tensor: Mat3::from_column_slice(&tensor) }
    }
}

/// Mass properties of the juxtaposed `shapes` (overlaps count twice) for one `density` [kg/m³]. Errors: no shape,
/// volume not positive, density negative, zero (obstacles excepted) or not finite.
pub fn characteristics(shapes: &[Shape], density: f64, kind: BodyKind) -> Result<Characteristics> {
    let parts: Vec<Integrals> = shapes.iter().map(Shape::integrals).collect();
    characteristics_of(&Integrals::together(&parts), density, kind)
}

/// As [`characteristics`], given the integrals.
pub fn characteristics_of(whole: &Integrals, density: f64, kind: BodyKind) -> Result<Characteristics> {
    check_density(density, kind)?;
    let Integrals { volume, center, euler } = *whole;
    if !(volume > 0.0 && density * volume < f64::INFINITY && euler.iter().all(|e| e.is_finite())) {
        return Err(Error::input(format!(
            "volume of the shape is {volume}: a body needs a shape of positive, finite volume"
        )));
    }
    let tensor = match kind {
        BodyKind::Rigid | BodyKind::Obstacle => Mat3::from_diagonal_element(euler.trace()) - euler,
        BodyKind::PseudoRigid | BodyKind::FiniteElement => euler,
    };
    Ok(Characteristics { mass: density * volume, volume, center, tensor: density * tensor })
}

/// The same of the juxtaposition of parts with densities [kg/m³] of their own.
pub(super) fn characteristics_of_parts(parts: &[(f64, Integrals)], kind: BodyKind) -> Result<Characteristics> {
    parts.iter().try_for_each(|(density, _)| check_density(*density, kind))?;
    let volume = parts.iter().map(|(_, part)| part.volume).sum();
    let weigh = |(density, part): &(f64, Integrals)| Integrals {
        volume: density * part.volume,
        center: part.center,
        euler: *density * part.euler,
    };
    let weighed: Vec<Integrals> = parts.iter().map(weigh).collect();
    // Integrals of the density: their volume is the mass.
    let whole = Integrals::together(&weighed);
    let chars = characteristics_of(&whole, 1.0, kind)?;
    Ok(Characteristics { volume, ..chars })
}

fn check_density(density: f64, kind: BodyKind) -> Result<()> {
    let massless = density == 0.0 && kind == BodyKind::Obstacle;
    if density.is_finite() && (density > 0.0 || massless) {
        return Ok(());
    }
    Err(Error::input(format!("density is {density}: give the bulk material a positive density")))
}

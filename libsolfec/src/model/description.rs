//! What operations say of one body: changes of its row, as long as nothing has run with it.

use super::groups::{changes_conditions, fills_tables, only_acts};
use super::{BodyKind, BodyRow, Characteristics, Form, Op};
use crate::math::{skew, Mat3, Vec3};
use crate::{Error, Result};

/// A change of what describes a body.
pub(super) type Description<'a> = Box<dyn Fn(&mut BodyRow) -> Result<()> + 'a>;

/// What an operation says of one body, by its id; `None` if it says nothing that belongs to a description.
pub(super) fn description<F: Form>(op: &Op<F>) -> Option<(u64, Description<'_>)> {
    let (id, change): (&u64, Description<'_>) = match op {
        Op::InitialVelocity { body, linear, angular } => (
            body,
            Box::new(|row| {
                row.velo = rigid_velocity(row, &Vec3::from(*linear), &Vec3::from(*angular));
                Ok(())
            }),
        ),
        Op::SetVelocity { body, velo } => (
            body,
            Box::new(|row| {
                row.velo = sized(velo, row.takes_velocity(velo.len()), "velocity", &row.velocity_layout())?;
                Ok(())
            }),
        ),
        Op::SetConfiguration { body, conf } => (
            body,
            Box::new(|row| {
                row.conf =
                    sized(conf, row.takes_configuration(conf.len()), "configuration", &row.configuration_layout())?;
                Ok(())
            }),
        ),
        Op::BodyChars { body, mass, volume, center, tensor } => (
            body,
            Box::new(|row| {
                let (center, tensor) = (Vec3::from(*center), Mat3::from_column_slice(tensor));
                row.chars = Characteristics { mass: *mass, volume: *volume, center, tensor };
                Ok(())
            }),
        ),
        Op::SetScheme { body, scheme } => (
            body,
            Box::new(|row| {
                row.scheme = *scheme;
                Ok(())
            }),
        ),
        Op::SetDamping { body, damping } => (
            body,
            Box::new(|row| {
                row.damping = *damping;
                Ok(())
            }),
        ),
        Op::DisableRotation { body, on } => (
            body,
            Box::new(|row| {
                row.disable_rotation = *on;
                Ok(())
            }),
        ),
        Op::SelfContact { body, on } => (
            body,
            Box::new(|row| {
                row.selfcontact = *on;
                Ok(())
            }),
        ),
        fills_tables!() | changes_conditions!() | only_acts!() => return None,
    };
    Some((*id, change))
}

fn sized(numbers: &[f64], fits: bool, what: &str, wanted: &str) -> Result<Vec<f64>> {
    if fits {
        return Ok(numbers.to_vec());
    }
    Err(Error::input(format!("{what} has {} numbers; give {wanted}", numbers.len())))
}

/// The layout of a rigid velocity field about the mass centre: Ω = Rᵀω and v; Ḟ = skew(ω) F by rows and v; ω and v.
fn rigid_velocity(body: &BodyRow, linear: &Vec3, angular: &Vec3) -> Vec<f64> {
    let matrix = body.conf.get(..9);
    let mut velo: Vec<f64> = match body.kind {
        BodyKind::Obstacle | BodyKind::Rigid => {
            let rotation = matrix.map_or_else(Mat3::identity, Mat3::from_column_slice);
            (rotation.transpose() * angular).iter().copied().collect()
        }
        BodyKind::FiniteElement => angular.iter().copied().collect(),
        BodyKind::PseudoRigid => {
            let f = matrix.map_or_else(Mat3::identity, Mat3::from_row_slice);
            (skew(angular) * f).transpose().iter().copied().collect()
        }
    };
    velo.extend(linear.iter());
    velo
}

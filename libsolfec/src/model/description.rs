//! What operations say of one body: changes of its row, as long as nothing has run.

use super::groups::{changes_conditions, fills_tables, only_acts};
use super::{BodyKind, BodyRow, Characteristics, Form, Op};
use crate::math::{skew, Mat3, Vec3};
use crate::{Error, Result};

/// A change of what describes a body.
type Description<'a> = Box<dyn Fn(&mut BodyRow) -> Result<()> + 'a>;

impl<F: Form> Op<F> {
    /// The body that the operation describes, by its id; `None` if it says nothing that belongs to a description.
    pub fn describes(&self) -> Option<u64> {
        description(self).map(|(id, _)| id)
    }
}

impl BodyRow {
    /// Changes the description as an operation on the body says; others change nothing.
    ///
    /// # Errors
    /// A velocity or configuration of wrong length.
    pub fn describe<F: Form>(&mut self, op: &Op<F>) -> Result<()> {
        description(op).map_or(Ok(()), |(_, change)| change(self))
    }

    /// Whether the row of a body holds what an operation says of it. The masses of nodes of finite elements follow from
    /// the characteristics that the body was made with, and what BODY_CHARS gives it is no more than told. The velocity
    /// of a reduced body is that of its base, which may have as many vectors as a rigid motion numbers.
    pub(super) fn holds<F: Form>(&self, op: &Op<F>) -> bool {
        match op {
            Op::BodyChars { .. } => self.kind != BodyKind::FiniteElement,
            Op::InitialVelocity { .. } | Op::SetVelocity { .. } => self.reduced().is_none(),
            Op::SetConfiguration { .. }
            | Op::SetScheme { .. }
            | Op::SetDamping { .. }
            | Op::DisableRotation { .. }
            | Op::SelfContact { .. } => true,
            fills_tables!() | changes_conditions!() | only_acts!() => false,
        }
    }

    /// Gives the body characteristics. Of an affine motion `x + F (X − X0)` the points stay where they are, as fast as
    /// they are: the new mass centre has the place and the velocity of the point that it is.
    pub(super) fn set_characteristics(&mut self, chars: Characteristics) {
        let arm = chars.center - self.chars.center;
        let gradient = self.gradient();
        let rate = match self.kind {
            BodyKind::Obstacle | BodyKind::Rigid => self.velo.get(..3).map(|spin| gradient * skew(&column(spin))),
            BodyKind::PseudoRigid => self.velo.get(..9).map(Mat3::from_row_slice),
            BodyKind::FiniteElement => None,
        };
        if let Some(rate) = rate {
            move_center(&mut self.velo, &(rate * arm));
        }
        if self.kind.moves_all_places() && !self.conf.is_empty() {
            move_center(&mut self.conf, &(gradient * arm));
        }
        self.chars = chars;
    }

    /// Rotation or deformation gradient of a body that moves as a whole.
    fn gradient(&self) -> Mat3 {
        let matrix = self.conf.get(..9);
        match self.kind {
            BodyKind::Obstacle | BodyKind::Rigid => matrix.map_or_else(Mat3::identity, Mat3::from_column_slice),
            BodyKind::PseudoRigid => matrix.map_or_else(Mat3::identity, Mat3::from_row_slice),
            BodyKind::FiniteElement => Mat3::identity(),
        }
    }

    /// A rotation that is disabled has no spin.
    fn stop_rotation(&mut self) {
        if self.disable_rotation && self.kind == BodyKind::Rigid {
            self.velo.iter_mut().take(3).for_each(|spin| *spin = 0.0);
        }
    }
}

fn column(numbers: &[f64]) -> Vec3 {
    Vec3::from_column_slice(numbers)
}

/// The last three numbers of a configuration or velocity are those of the mass centre.
fn move_center(numbers: &mut [f64], by: &Vec3) {
    let first = numbers.len().saturating_sub(3);
    numbers[first..].iter_mut().zip(by).for_each(|(x, by)| *x += by);
}

/// What an operation says of one body, by its id.
fn description<F: Form>(op: &Op<F>) -> Option<(u64, Description<'_>)> {
    let (id, change): (&u64, Description<'_>) = match op {
        Op::InitialVelocity { body, linear, angular } => (
            body,
            Box::new(|row| {
                row.velo = rigid_velocity(row, &Vec3::from(*linear), &Vec3::from(*angular));
                row.stop_rotation();
                Ok(())
            }),
        ),
        Op::SetVelocity { body, velo } => (
            body,
            Box::new(|row| {
                row.velo = sized(velo, row.takes_velocity(velo.len()), "velocity", &row.velocity_layout())?;
                row.stop_rotation();
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
                row.set_characteristics(Characteristics { mass: *mass, volume: *volume, center, tensor });
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
                row.stop_rotation();
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
    let mut velo: Vec<f64> = match body.kind {
        BodyKind::Obstacle | BodyKind::Rigid => (body.gradient().transpose() * angular).iter().copied().collect(),
        BodyKind::FiniteElement => angular.iter().copied().collect(),
        BodyKind::PseudoRigid => (skew(angular) * body.gradient()).transpose().iter().copied().collect(),
    };
    velo.extend(linear.iter());
    velo
}

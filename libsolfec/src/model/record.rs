//! The one way to change a model: operations fold into its tables while nothing has run, and go to its program after.

use super::{BodyKind, BodyRow, Characteristics, Model, Op, Sparsify};
use crate::math::{skew, Mat3, Vec3};
use crate::{Error, Result};

impl Model {
    /// Records `op`. Before the first RUN it changes tables and settings (RUN and OUTPUT excepted); afterwards it is
    /// appended to the program, unless it describes a body that no RUN has seen yet: that one is still being made.
    /// Consecutive insertions of bodies become one. A surface material of the row after the last is a new one.
    /// Errors: an unknown body, a velocity or configuration of wrong length.
    pub fn record(&mut self, op: Op) -> Result<()> {
        self.history.follow(&self.program);
        if let Some(id) = subject(&op) {
            let row = self.body_row(id).ok_or_else(|| Error::input(format!("body {id} does not exist")))?;
            let changed = described(&self.bodies[row], &op)?;
            if self.history.fresh(row) {
                self.bodies[row] = changed;
                return Ok(());
            }
        } else if !self.started() && self.fold(&op) {
            return Ok(());
        }
        self.append(op);
        Ok(())
    }

    fn append(&mut self, op: Op) {
        let merged = match (self.program.last_mut(), &op) {
            (Some(Op::InsertBodies { rows: last }), Op::InsertBodies { rows: next })
            | (Some(Op::InsertConstraints { rows: last }), Op::InsertConstraints { rows: next })
            | (Some(Op::InsertLoads { rows: last }), Op::InsertLoads { rows: next })
                if last[1] == next[0] =>
            {
                last[1] = next[1];
                true
            }
            _ => false,
        };
        if !merged {
            self.program.push(op);
        }
    }

    /// Changes tables and settings; false for what belongs to the program in any case.
    fn fold(&mut self, op: &Op) -> bool {
        let settings = &mut self.settings;
        match op {
            Op::InsertBodies { .. } | Op::InsertConstraints { .. } | Op::InsertLoads { .. } => {}
            Op::Gravity { series } => settings.gravity = Some(*series),
            Op::GeometricEpsilon { value } => settings.epsilon = *value,
            Op::ContactSparsify { threshold, minarea, mindist, projected } => {
                settings.sparsify =
                    Sparsify { threshold: *threshold, minarea: *minarea, mindist: *mindist, projected: *projected }
            }
            Op::ContactExcludeBodies { bodies } => settings.excluded_bodies.push(*bodies),
            Op::ContactExcludeSurfaces { surfaces } => settings.excluded_surfaces.push(*surfaces),
            Op::Extents { bounds } => settings.extents = Some(*bounds),
            Op::UnphysicalPenetration { depth } => settings.penetration_depth = *depth,
            Op::SurfaceMaterial { row, material } => match self.surface.get_mut(*row as usize) {
                Some(old) => *old = material.clone(),
                None => self.surface.push(material.clone()),
            },
            Op::BulkMaterial { row, young, poisson } => {
                if let Some(material) = self.bulk.get_mut(*row as usize) {
                    (material.young, material.poisson) = (*young, *poisson);
                }
            }
            Op::Step { value } => self.step = *value,
            Op::StepRecovery { on } => settings.step_recovery = *on,
            _ => return false,
        }
        true
    }
}

/// The one body an operation is about.
fn subject(op: &Op) -> Option<u64> {
    match op {
        Op::InitialVelocity { body, .. }
        | Op::SetVelocity { body, .. }
        | Op::SetConfiguration { body, .. }
        | Op::BodyChars { body, .. }
        | Op::SetScheme { body, .. }
        | Op::SetDamping { body, .. }
        | Op::DisableRotation { body, .. } => Some(*body),
        _ => None,
    }
}

/// The body as `op` leaves it.
fn described(body: &BodyRow, op: &Op) -> Result<BodyRow> {
    let mut body = body.clone();
    match op {
        Op::InitialVelocity { linear, angular, .. } => {
            body.velo = rigid_velocity(&body, &Vec3::from(*linear), &Vec3::from(*angular))
        }
        Op::SetVelocity { velo, .. } => body.velo = sized(velo, velocity_size(body.kind), "velocity")?,
        Op::SetConfiguration { conf, .. } => body.conf = sized(conf, CONFIGURATION_SIZE, "configuration")?,
        Op::BodyChars { mass, volume, center, tensor, .. } => {
            body.chars = Characteristics {
                mass: *mass,
                volume: *volume,
                center: Vec3::from(*center),
                tensor: Mat3::from_column_slice(tensor),
            }
        }
        Op::SetScheme { scheme, .. } => body.scheme = *scheme,
        Op::SetDamping { damping, .. } => body.damping = *damping,
        Op::DisableRotation { on, .. } => body.disable_rotation = *on,
        _ => {}
    }
    Ok(body)
}

/// Length of a configuration: a matrix and the mass centre (conventions.md 6).
pub const CONFIGURATION_SIZE: usize = 12;

/// Length of a velocity (conventions.md 6).
pub fn velocity_size(kind: BodyKind) -> usize {
    match kind {
        BodyKind::Obstacle | BodyKind::Rigid => 6,
        BodyKind::PseudoRigid | BodyKind::FiniteElement => 12,
    }
}

fn sized(numbers: &[f64], size: usize, what: &str) -> Result<Vec<f64>> {
    if numbers.len() == size {
        return Ok(numbers.to_vec());
    }
    Err(Error::input(format!("{what} has {} numbers; give {size}", numbers.len())))
}

/// The layout of a rigid velocity field about the mass centre: Ω = Rᵀω and v, or Ḟ = skew(ω) F by rows and v.
fn rigid_velocity(body: &BodyRow, linear: &Vec3, angular: &Vec3) -> Vec<f64> {
    let matrix = body.conf.get(..9);
    let mut velo: Vec<f64> = match body.kind {
        BodyKind::Obstacle | BodyKind::Rigid => {
            let rotation = matrix.map_or_else(Mat3::identity, Mat3::from_column_slice);
            (rotation.transpose() * angular).iter().copied().collect()
        }
        BodyKind::PseudoRigid | BodyKind::FiniteElement => {
            let f = matrix.map_or_else(Mat3::identity, Mat3::from_row_slice);
            (skew(angular) * f).transpose().iter().copied().collect()
        }
    };
    velo.extend(linear.iter());
    velo
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::SurfaceMaterial;
    use crate::model::{Analysis, GaussSeidel, Scheme, SolverSettings};

    fn body(id: u64, kind: BodyKind) -> BodyRow {
        BodyRow {
            id,
            label: String::new(),
            kind,
            scheme: Scheme::Default,
            material: 0,
            shapes: 0..0,
            chars: Characteristics { mass: 1.0, volume: 1.0, center: Vec3::zeros(), tensor: Mat3::identity() },
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        }
    }

    fn insert(model: &mut Model, kind: BodyKind) {
        let row = model.bodies.len() as u32;
        model.bodies.push(body(u64::from(row) + 1, kind));
        model.record(Op::InsertBodies { rows: [row, row + 1] }).unwrap();
    }

    fn run(model: &mut Model) {
        let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 10));
        model.record(Op::Run { duration: 1.0, solver }).unwrap();
    }

    fn spin(body: u64) -> Op {
        Op::InitialVelocity { body, linear: [1.0, 2.0, 3.0], angular: [0.0, 0.0, 5.0] }
    }

    #[test]
    fn before_the_first_run_operations_fold_into_the_tables() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        model.record(Op::Step { value: 0.5 }).unwrap();
        model.record(Op::GeometricEpsilon { value: 1e-3 }).unwrap();
        let material = SurfaceMaterial { surf: [1, 2], ..Default::default() };
        model.record(Op::SurfaceMaterial { row: 1, material }).unwrap();
        assert_eq!(model.program, []);
        assert_eq!((model.step, model.settings.epsilon, model.surface.len()), (0.5, 1e-3, 2));
    }

    #[test]
    fn spatial_velocities_take_the_layout_of_the_body() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        insert(&mut model, BodyKind::PseudoRigid);
        // a quarter turn about x carries e_y to e_z: the spatial spin about z is one about y for the body
        model.bodies[0].conf = vec![1., 0., 0., 0., 0., 1., 0., -1., 0., 0., 0., 0.];
        model.record(spin(1)).unwrap();
        model.record(spin(2)).unwrap();
        assert_eq!(model.bodies[0].velo, [0., 5., 0., 1., 2., 3.]);
        assert_eq!(model.bodies[1].velo, [0., -5., 0., 5., 0., 0., 0., 0., 0., 1., 2., 3.]);
    }

    #[test]
    fn after_a_run_operations_are_appended_and_insertions_merge() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        run(&mut model);
        insert(&mut model, BodyKind::Rigid);
        model.record(spin(2)).unwrap(); // body 2 has not run yet: part of its description
        insert(&mut model, BodyKind::Rigid);
        model.record(spin(1)).unwrap();
        assert_eq!(model.program[1..], [Op::InsertBodies { rows: [1, 3] }, spin(1)]);
        assert_eq!(model.bodies[1].velo.len(), 6);
        run(&mut model);
        model.record(spin(2)).unwrap();
        assert_eq!(model.program.last(), Some(&spin(2)));
    }

    #[test]
    fn unknown_bodies_and_wrong_lengths_are_errors() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        assert!(model.record(spin(1)).is_err());
        insert(&mut model, BodyKind::Rigid);
        run(&mut model);
        let op = Op::SetVelocity { body: 1, velo: vec![0.0; 12] };
        assert_eq!(model.record(op), Err(Error::input("velocity has 12 numbers; give 6")));
    }
}

//! What holds after operations: the one place that says which settings and materials they change.

use super::groups::{describes_a_body, fills_tables, only_acts};
use super::{Definition, Form, Model, Op, Settings, Sparsify, StoredOp};
use crate::domain::Balance;
use crate::material::{BulkMaterial, SurfaceMaterial};

/// Settings and materials after the operations so far.
#[derive(Debug, Clone, PartialEq)]
pub struct InForce {
    /// Time step asked for [s].
    pub step: f64,
    pub settings: Settings,
    pub bulk: Vec<BulkMaterial>,
    pub surface: Vec<SurfaceMaterial>,
}

/// The same where they belong to somebody else.
pub struct Conditions<'a> {
    pub step: &'a mut f64,
    pub settings: &'a mut Settings,
    pub bulk: &'a mut Vec<BulkMaterial>,
    pub surface: &'a mut Vec<SurfaceMaterial>,
}

/// What an operation has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    Nothing,
    Step,
    Settings,
    /// The pairs that never touch.
    Exclusions,
    /// This row of the bulk materials; it may not exist.
    Bulk(u32),
    Surface,
}

/// Settings and materials after a prefix of the program of a model.
pub fn fold<'a>(model: &Model, program: impl IntoIterator<Item = &'a StoredOp>) -> InForce {
    let mut now = InForce::at_start(model);
    for op in program {
        now.conditions().fold(op);
    }
    now
}

impl InForce {
    /// Those of the tables: before any operation of the program.
    pub fn at_start(model: &Model) -> InForce {
        InForce {
            step: model.step,
            settings: model.settings.clone(),
            bulk: model.bulk.clone(),
            surface: model.surface.clone(),
        }
    }

    pub fn conditions(&mut self) -> Conditions<'_> {
        let InForce { step, settings, bulk, surface } = self;
        Conditions { step, settings, bulk, surface }
    }
}

impl Conditions<'_> {
    /// Applies an operation. A material of the row after the last is a new one.
    pub fn fold<F: Form>(&mut self, op: &Op<F>) -> Changed {
        let settings = &mut *self.settings;
        match op {
            Op::Gravity { series } => settings.gravity = Some(*series),
            Op::GeometricEpsilon { value } => settings.epsilon = *value,
            Op::ContactSparsify { threshold, minarea, mindist, projected } => {
                settings.sparsify =
                    Sparsify { threshold: *threshold, minarea: *minarea, mindist: *mindist, projected: *projected }
            }
            Op::ContactPoints { number } => settings.contact_points = *number,
            Op::Extents { bounds } => settings.extents = Some(*bounds),
            Op::UnphysicalPenetration { depth } => settings.penetration_depth = *depth,
            Op::StepRecovery { on } => settings.step_recovery = *on,
            Op::ImbalanceTolerance { tolerance, weightfactor, updatefreq } => {
                settings.balance =
                    Balance { tolerance: *tolerance, weightfactor: *weightfactor, updatefreq: *updatefreq }
            }
            Op::ContactExcludeBodies { bodies } => {
                settings.excluded_bodies.push(*bodies);
                return Changed::Exclusions;
            }
            Op::ContactExcludeSurfaces { surfaces } => {
                settings.excluded_surfaces.push(*surfaces);
                return Changed::Exclusions;
            }
            Op::ContactExcludeObjects { bodies: [p, q], objects: [a, b] } => {
                settings.excluded_objects.push([*p, u64::from(*a), *q, u64::from(*b)]);
                return Changed::Exclusions;
            }
            Op::SurfaceMaterial { row, material } => {
                put(self.surface, *row, material.clone());
                return Changed::Surface;
            }
            Op::BulkMaterial { row, young, poisson } => {
                if let Some(material) = self.bulk.get_mut(*row as usize) {
                    (material.young, material.poisson) = (*young, *poisson);
                }
                return Changed::Bulk(*row);
            }
            Op::Step { value } => {
                *self.step = *value;
                return Changed::Step;
            }
            fills_tables!() | describes_a_body!() | only_acts!() => return Changed::Nothing,
        }
        Changed::Settings
    }

    /// Applies a definition, as far as it is of a material.
    pub fn define(&mut self, definition: &Definition) -> Changed {
        match definition {
            Definition::Bulk { row, material } => {
                put(self.bulk, *row, material.clone());
                Changed::Bulk(*row)
            }
            Definition::Series { .. }
            | Definition::Field { .. }
            | Definition::Function(_)
            | Definition::DisplayPoint(_)
            | Definition::Base(_)
            | Definition::Verbose(_) => Changed::Nothing,
        }
    }
}

/// Overwrites a row, or adds it after the last.
pub(crate) fn put<T>(table: &mut Vec<T>, row: u32, value: T) {
    match table.get_mut(row as usize) {
        Some(old) => *old = value,
        None => table.push(value),
    }
}

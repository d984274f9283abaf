//! The bulk materials in force at a frame.

use crate::material::BulkMaterial;
use crate::model::{fold, Model, StoredOp};

/// The bulk materials in force at the end of step `step`: operations of the program, each with the number of steps made
/// before it, can change stiffness during a run.
pub fn materials(model: &Model, program: &[(StoredOp, u64)], step: u64) -> Vec<BulkMaterial> {
    fold(model, program.iter().filter(|(_, at)| *at < step).map(|(op, _)| op)).bulk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_change_from_the_step_after_the_operation() {
        let mut model = Model::new(crate::model::Analysis::Dynamic, 1e-3, "out/a");
        let (tensile, fracene) = (f64::INFINITY, f64::INFINITY);
        let steel = BulkMaterial {
            label: "steel".into(),
            young: 2e11,
            poisson: 0.0,
            density: 7e3,
            tensile,
            fracene,
            varying: Default::default(),
        };
        model.bulk.push(steel);
        let program = [(StoredOp::BulkMaterial { row: 0, young: 1.0, poisson: 0.3 }, 5)];
        assert_eq!(materials(&model, &program, 5)[0].young, 2e11);
        assert_eq!(materials(&model, &program, 6)[0].young, 1.0);
    }
}

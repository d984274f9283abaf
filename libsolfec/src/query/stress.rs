//! Stress at the points of a body.

use crate::body;
use crate::frame::{Frame, PseudoRows};
use crate::material::BulkMaterial;
use crate::math::{Mat3, Vec3};
use crate::model::{fold, Model, StoredOp};

/// Cauchy stress [Pa] in spatial axes, xx yy zz xy xz yz, and von Mises' measure of it, at a reference point of a body (row of
/// `model.bodies`); `None` when the frame does not hold the body. Rigid bodies and obstacles have none: zeros
/// (commands-and-results.md A.9). `bulk` are the materials in force at the frame, see [`materials`].
pub fn stress(model: &Model, bulk: &[BulkMaterial], frame: &Frame, body: u32, _reference: &Vec3) -> Option<[f64; 7]> {
    let row_in = |column: &[u32]| column.iter().position(|&b| b == body);
    if let Some(row) = row_in(&frame.pseudo.body) {
        let material = bulk.get(model.bodies.get(body as usize)?.material as usize)?;
        return Some(stress_of_pseudo(&frame.pseudo, row, material));
    }
    row_in(&frame.rigid.body).map(|_| [0.0; 7])
}

/// The same of row `row` of pseudo-rigid bodies: uniform over the body.
pub fn stress_of_pseudo(rows: &PseudoRows, row: usize, material: &BulkMaterial) -> [f64; 7] {
    stress_of(&Mat3::from_row_slice(&rows.f[row]), material)
}

/// The same of a deformation gradient.
pub fn stress_of(f: &Mat3, material: &BulkMaterial) -> [f64; 7] {
    let s = body::stress(f, material.young, material.poisson);
    let [xx, yy, zz, xy, xz, yz] = s;
    [xx, yy, zz, xy, xz, yz, body::mises(&s)]
}

/// The bulk materials in force at the end of step `step`: operations of the program, each with the number of steps made before
/// it, can change stiffness during a run.
pub fn materials(model: &Model, program: &[(StoredOp, u64)], step: u64) -> Vec<BulkMaterial> {
    fold(model, program.iter().filter(|(_, at)| *at < step).map(|(op, _)| op)).bulk
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest relative error of sums of a few products.
    const TOLERANCE: f64 = 1e-14;

    fn steel() -> BulkMaterial {
        let (tensile, fracene) = (f64::INFINITY, f64::INFINITY);
        BulkMaterial { label: "steel".into(), young: 2e11, poisson: 0.0, density: 7e3, tensile, fracene }
    }

    #[test]
    fn a_stretched_bar_has_its_cauchy_stress() {
        // F = diag(1.1, 1, 1), ν = 0: E_xx = 0.105, P_xx = F E S_xx, σ = P Fᵀ / J = 1.1² · 0.105 E / 1.1.
        let f = vec![[1.1, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]];
        let rows = PseudoRows { f, ..PseudoRows::default() };
        let s = stress_of_pseudo(&rows, 0, &steel());
        let expected = 1.1 * 0.105 * 2e11;
        assert!((s[0] - expected).abs() < TOLERANCE * expected, "{s:?}");
        assert!((s[6] - expected).abs() < TOLERANCE * expected, "{s:?}");
        assert_eq!(s[1..6], [0.0; 5]);
    }

    #[test]
    fn materials_change_from_the_step_after_the_operation() {
        let mut model = Model::new(crate::model::Analysis::Dynamic, 1e-3, "out/a");
        model.bulk.push(steel());
        let program = [(StoredOp::BulkMaterial { row: 0, young: 1.0, poisson: 0.3 }, 5)];
        assert_eq!(materials(&model, &program, 5)[0].young, 2e11);
        assert_eq!(materials(&model, &program, 6)[0].young, 1.0);
    }
}

//! Potential energies that frames do not hold: what gravity and springs could do (docs/histories.md).

use crate::load::Series;
use crate::math::Vec3;
use crate::model::{fold, Model, SpringLaw, StoredOp};

/// Gravity [m/s²] at a time of step `step`, with the operations of the program made before its end, as
/// [`materials`](super::materials) are.
pub fn gravity(model: &Model, program: &[(StoredOp, u64)], step: u64, time: f64) -> Vec3 {
    let rows = if program.is_empty() {
        model.settings.gravity
    } else {
        fold(model, program.iter().filter(|(_, at)| *at < step).map(|(op, _)| op)).settings.gravity
    };
    let component = |row: u32| model.series.get(row as usize).map_or(0.0, |s| s.at(time));
    rows.map_or(Vec3::zeros(), |rows| Vec3::from(rows.map(component)))
}

/// Energy [J] that a spring holds at a stroke [m]: the work against its law from stroke 0, without damping. `None`
/// for a user function, and for a table that the model does not have.
pub fn spring_energy(law: &SpringLaw, series: &[Series], stroke: f64) -> Option<f64> {
    match law {
        SpringLaw::Linear { stiffness, .. } => Some(0.5 * stiffness * stroke * stroke),
        SpringLaw::Table { series: row } => {
            let table = series.get(*row as usize)?;
            Some(area(table, 0.0) - area(table, stroke))
        }
        SpringLaw::Function { .. } => None,
    }
}

/// Integral of a table of forces from its first stroke, going on with its first force before.
fn area(table: &Series, stroke: f64) -> f64 {
    let first = table.times().first().copied().unwrap_or(0.0);
    if stroke < first {
        return table.at(stroke) * (stroke - first);
    }
    table.integral_at(stroke)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_hold_the_work_done_on_them() {
        let linear = SpringLaw::Linear { stiffness: 8.0, damping: 3.0 };
        assert_eq!(spring_energy(&linear, &[], -0.5), Some(1.0));
        // −8 s up to 1 m, constant beyond: 4 J, and 8 J for each metre more.
        let table = Series::new("", vec![-1.0, 1.0], vec![8.0, -8.0]).unwrap();
        let law = SpringLaw::Table { series: 0 };
        for (stroke, energy) in [(0.0, 0.0), (-0.5, 1.0), (1.0, 4.0), (3.0, 20.0), (-2.0, 12.0)] {
            let found = spring_energy(&law, std::slice::from_ref(&table), stroke).unwrap();
            assert!((found - energy).abs() < 1e-14 * 20.0, "{stroke}: {found}");
        }
        assert_eq!(spring_energy(&SpringLaw::Function { function: 0 }, &[], 1.0), None);
    }
}

//! Sums over the constraints at bodies.

use solfec::frame::{CONTACT, NO_BODY};
use solfec_formats::results::{ConstraintColumns, Results};

use super::item::{AtConstraints, Measure};
use crate::cli::CliError;

/// Of the constraints of one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resultant {
    /// How many there are.
    pub count: usize,
    /// Sum of normal components.
    pub normal: f64,
    /// Sum in global axes; zero if no direction is asked for.
    pub vector: [f64; 3],
    /// Least gap [m]; NaN without a contact.
    pub gap: f64,
}

/// Resultants of the constraints at the bodies of these catalogue rows (ascending; all without) in each of these
/// frames.
pub fn resultants(
    results: &Results,
    domain: usize,
    at: &AtConstraints,
    bodies: Option<&[u32]>,
    frames: &[usize],
) -> Result<Vec<Resultant>, CliError> {
    let columns = ConstraintColumns {
        r: at.measure == Measure::Reaction,
        u: at.measure == Measure::Velocity,
        gap: at.measure == Measure::Gap,
        base: at.direction.is_some(),
        surf: at.pair.is_some(),
        row: false,
    };
    let listed = |body: u32| body != NO_BODY && bodies.is_none_or(|b| b.binary_search(&body).is_ok());
    let none = Resultant { count: 0, normal: 0.0, vector: [0.0; 3], gap: f64::NAN };
    let mut all = vec![none; frames.len()];
    results.visit_constraints(domain, frames, columns, &mut |frame, c, rows| {
        let sum = &mut all[frame];
        for i in rows {
            let contact = c.kind[i] == CONTACT;
            let (master, slave) = (listed(c.master[i]), listed(c.slave[i]));
            if !(master || slave) || !contact && at.contacts_only || contact && !between(at.pair, c.surf.get(i)) {
                continue;
            }
            // The master gets the reaction, the slave its opposite; what acts between bodies named cancels.
            let sign = match (at.on_bodies, master, slave) {
                (false, ..) | (true, true, false) => 1.0,
                (true, false, _) => -1.0,
                (true, true, true) => continue,
            };
            sum.count += 1;
            if at.measure == Measure::Gap {
                sum.gap = sum.gap.min(c.gap[i]);
                continue;
            }
            let local = if at.measure == Measure::Reaction { c.r[i] } else { c.u[i] };
            sum.normal += sign * local[2];
            if at.direction.is_some() {
                let base = c.base(i);
                for (k, component) in sum.vector.iter_mut().enumerate() {
                    *component += sign * (base[(k, 0)] * local[0] + base[(k, 1)] * local[1] + base[(k, 2)] * local[2]);
                }
            }
        }
    })?;
    Ok(all)
}

/// Whether the surfaces of a contact are those asked for, in whatever order.
fn between(pair: Option<[i32; 2]>, surfaces: Option<&[i32; 2]>) -> bool {
    match (pair, surfaces) {
        (Some([a, b]), Some(&found)) => found == [a, b] || found == [b, a],
        _ => true,
    }
}

//! Local dynamics → FCLIB problem.
//!
//! Contacts c are the rows of FCLIB, prescribed velocities b its equality part:
//! `V = W_cb`, `R = W_bb`, `s = B_b − target`, `l = R_b`. Restitution and closing velocities go into `q`; with cohesion
//! strengths `c` the unknown is `R' = R + c e_N`, so that `q` and `s` lose `Σ W_·β c_β e_N`.

use solfec::dynamics::{Assembled, Delassus};
use solfec::math::Vec3;
use solfec::model::constraint_kind;
use solfec::solver::{merit, Conditions, Law, LocalDynamics, LocalRow};

use super::{Raw, RawEquality, Solution, Sparse};
use crate::error::{Error, Result};

/// Where a constraint goes.
#[derive(Clone, Copy)]
enum Place {
    /// Number of the contact.
    Contact(usize),
    /// First row of the equality part, and the components that have one.
    Equality { first: usize, components: (usize, usize) },
}

impl Place {
    /// Row and our component of each number.
    fn rows(self) -> impl Iterator<Item = (usize, usize)> {
        let (first, from, to, reversed) = match self {
            Place::Contact(k) => (3 * k, 0, 3, true),
            Place::Equality { first, components: (from, to) } => (first, from, to, false),
        };
        (from..to).map(move |c| (if reversed { first + 2 - c } else { first + c - from }, c))
    }

    fn is_contact(self) -> bool {
        matches!(self, Place::Contact(_))
    }
}

/// The problem of a step and its solution. Errors name the constraint whose law is not one of FCLIB's.
pub fn export(step: &LocalDynamics) -> Result<(Raw, Solution)> {
    step.check().map_err(|e| Error::Format(e.to_string()))?;
    let places = places(&step.rows)?;
    let contacts = places.iter().filter(|p| p.is_contact()).count();
    let multipliers: usize = places.iter().filter(|p| !p.is_contact()).map(|p| p.rows().count()).sum();
    let shift: Vec<f64> = step.rows.iter().map(|row| cohesion(&row.law)).collect();
    let (mut q, mut s) = (vec![0.0; 3 * contacts], vec![0.0; multipliers]);
    let (mut w, mut v, mut r) = (Vec::new(), Vec::new(), Vec::new());
    let mut solution = Solution { r: q.clone(), u: Vec::new(), l: s.clone() };
    let mut mu = Vec::with_capacity(contacts);
    for (i, (row, place)) in step.rows.iter().zip(&places).enumerate() {
        let mut free = step.free[i];
        for (k, block) in step.w.row(i) {
            // Where there is no cohesion the bits of B stay.
            if shift[k] != 0.0 {
                free -= block.column(2) * shift[k];
            }
            for (at, a) in place.rows() {
                for (to, c) in places[k].rows() {
                    match (place.is_contact(), places[k].is_contact()) {
                        (true, true) => w.push((at, to, block[(a, c)])),
                        (true, false) => v.push((at, to, block[(a, c)])),
                        (false, false) => r.push((at, to, block[(a, c)])),
                        // The transpose of V.
                        (false, true) => {}
                    }
                }
            }
        }
        let mut reaction = step.r[i];
        match row.law {
            Law::Coulomb { friction, restitution, cohesion, closing } => {
                mu.push(friction);
                let bounce = restitution * step.previous[i].z.min(0.0) + closing;
                if bounce != 0.0 {
                    free.z += bounce;
                }
                if cohesion != 0.0 {
                    reaction.z += cohesion;
                }
            }
            Law::Velocity3 { target } => free -= target,
            Law::Velocity { target } => free.z -= target,
            // Refused by `places`.
            Law::SpringDashpot(_) | Law::Link(_) | Law::Spring(_) => {}
        }
        let (numbers, unknowns) = match place {
            Place::Contact(_) => (&mut q, &mut solution.r),
            Place::Equality { .. } => (&mut s, &mut solution.l),
        };
        for (at, c) in place.rows() {
            numbers[at] = free[c];
            unknowns[at] = reaction[c];
        }
    }
    let equality = (multipliers > 0).then(|| RawEquality {
        v: Sparse::new(3 * contacts, multipliers, v),
        r: Sparse::new(multipliers, multipliers, r),
        s,
    });
    let raw = Raw {
        title: "local dynamics of one step".into(),
        description: format!("Solfec tools, time {} s, step {} s", step.time, step.h),
        w: Sparse::new(3 * contacts, 3 * contacts, w),
        q,
        mu,
        equality,
    };
    solution.u = raw.velocity(&solution.r, &solution.l);
    Ok((raw, solution))
}

/// The step with a solution of its problem, which is in the order of the file: the reactions that it stands for, their
/// velocities, and the merit of both.
pub(super) fn resolved(step: &LocalDynamics, solution: &Solution) -> Result<LocalDynamics> {
    let places = places(&step.rows)?;
    let mut r = vec![Vec3::zeros(); step.rows.len()];
    for ((row, place), r) in step.rows.iter().zip(&places).zip(&mut r) {
        let numbers = if place.is_contact() { &solution.r } else { &solution.l };
        for (at, c) in place.rows() {
            let number = numbers.get(at);
            r[c] = *number.ok_or_else(|| Error::Format("the solution is not one of this problem".into()))?;
        }
        r.z -= cohesion(&row.law);
    }
    let failed = |e: solfec::Error| Error::Format(e.to_string());
    let mut op = Assembled::new(step.w.clone(), step.free.clone(), step.previous.clone()).map_err(failed)?;
    let (mut u, mut parts) = (r.clone(), vec![0.0; r.len()]);
    op.apply(&r, &mut u);
    let laws: Vec<Law> = step.rows.iter().map(|row| row.law).collect();
    let conditions = Conditions { h: step.h, analysis: step.analysis, energy: step.energy };
    merit(&op, &laws, conditions, &r, &u, &mut parts);
    Ok(LocalDynamics { r, u, merit: parts, ..step.clone() })
}

fn cohesion(law: &Law) -> f64 {
    match *law {
        Law::Coulomb { cohesion, .. } => cohesion,
        Law::SpringDashpot(_) | Law::Velocity3 { .. } | Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => 0.0,
    }
}

fn places(rows: &[LocalRow]) -> Result<Vec<Place>> {
    let (mut contacts, mut equality) = (0, 0);
    let mut take = |components: (usize, usize)| {
        let first = equality;
        equality += components.1 - components.0;
        Place::Equality { first, components }
    };
    let place = |row: &LocalRow| match row.law {
        Law::Coulomb { .. } => {
            contacts += 1;
            Ok(Place::Contact(contacts - 1))
        }
        Law::Velocity3 { .. } => Ok(take((0, 3))),
        Law::Velocity { .. } => Ok(take((2, 3))),
        Law::SpringDashpot(_) => Err(refusal(row, "a spring and dashpot")),
        Law::Link(_) => Err(refusal(row, "a rigid link")),
        Law::Spring(_) => Err(refusal(row, "a spring")),
    };
    rows.iter().map(place).collect()
}

fn refusal(row: &LocalRow, what: &str) -> Error {
    let kind = constraint_kind::NAMES.get(usize::from(row.kind)).unwrap_or(&"constraint");
    let bodies = match row.slave {
        Some(slave) => format!("bodies {} and {slave}", row.master),
        None => format!("body {}", row.master),
    };
    let name = if row.name.is_empty() { String::new() } else { format!(", {}", row.name) };
    Error::Format(format!(
        "{kind} {} ({bodies}{name}): {what} is no law of FCLIB, which knows rigid contacts with friction and prescribed \
         velocities; dump a step without it",
        row.id
    ))
}

/// Triples of the file, (N, T2, T1), as ours.
pub fn triples(x: &[f64]) -> Vec<Vec3> {
    x.as_chunks::<3>().0.iter().map(|&[n, t2, t1]| Vec3::new(t1, t2, n)).collect()
}

/// Our triples as the file has them.
pub fn numbers(x: &[Vec3]) -> Vec<f64> {
    x.iter().flat_map(|x| [x.z, x.y, x.x]).collect()
}

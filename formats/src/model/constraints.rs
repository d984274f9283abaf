//! User constraints: `constraints/*`, one row each in order of creation.

use solfec::math::{Mat3, Vec3};
use solfec::model::constraint_kind::{FIXDIR, FIXPNT, RIGLNK, SPRING, VELODIR, VELODIR3};
use solfec::model::{ConstraintRow, FunctionKind, Joint, Model, Prescribed, SpringAxis, SpringLaw};

use super::checked::Table;
use super::rows::column;
use crate::error::Result;
use crate::schema::{column as dataset, Column, Kind::*};
use crate::store::Out;

const KIND: &str = "constraints/kind";
const BODY1: &str = "constraints/body1";
const BODY2: &str = "constraints/body2";
const POINT1: &str = "constraints/point1";
const POINT2: &str = "constraints/point2";
const BASE: &str = "constraints/dir_or_base";
const WHAT: &str = "constraints/prescribed";
const SERIES: &str = "constraints/ts";
const STRENGTH: &str = "constraints/strength";
const LAW: &str = "constraints/law";
const LINEAR: &str = "constraints/stiffness_damping";
const FUNCTION: &str = "constraints/function";
const AXIS: &str = "constraints/update";
const LIMITS: &str = "constraints/limits";
const LINE: &str = "constraints/source_line";

/// Largest deviation from orthonormality of directions and bases (docs/conventions.md 2).
const ORTHONORMAL: f64 = 1e-6;

pub(super) const COLUMNS: [Column; 15] = [
    dataset(KIND, U8, ("C", 1), "1", "kind of constraint")
        .names(r#"{"FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#),
    dataset(BODY1, U64, ("C", 1), "1", "id of the master body"),
    dataset(BODY2, U64, ("C", 1), "1", "id of the slave body, 0: none").optional(),
    dataset(POINT1, F64, ("C", 3), "m", "point of the master").frame("reference"),
    dataset(POINT2, F64, ("C", 3), "m", "point of the slave; without one: the fixed end of RIGLNK, else as point1")
        .frame("reference")
        .optional(),
    dataset(
        BASE,
        F64,
        ("C", 9),
        "1",
        "FIXDIR, VELODIR, SPRING: unit direction (3 numbers); VELODIR3: base column-wise",
    )
    .frame("spatial")
    .optional(),
    dataset(WHAT, U8, ("C", 1), "1", "VELODIR, VELODIR3: what the series say, in m, m/s, m/s2")
        .names(r#"{"DISPLACEMENT": 0, "VELOCITY": 1, "ACCELERATION": 2}"#)
        .optional(),
    dataset(SERIES, I64, ("C", 3), "1", "rows of timeseries, -1: none; VELODIR, SPRING with law TABLE: the first")
        .optional(),
    dataset(STRENGTH, F64, ("C", 1), "N", "FIXPNT: largest |R|, RIGLNK: largest tension; may be inf").optional(),
    dataset(LAW, U8, ("C", 1), "1", "SPRING: law of the force")
        .names(r#"{"LINEAR": 0, "TABLE": 1, "FUNCTION": 2}"#)
        .optional(),
    dataset(LINEAR, F64, ("C", 2), "N/m", "SPRING with law LINEAR: stiffness, damping [N s/m]").optional(),
    dataset(
        FUNCTION,
        I64,
        ("C", 1),
        "1",
        "SPRING with law FUNCTION: number of the function, as in callbacks; -1: none",
    )
    .optional(),
    dataset(AXIS, U8, ("C", 1), "1", "SPRING: what its direction does")
        .names(r#"{"FOLLOW": 0, "FIXED": 1, "CONV1": 2, "CONV2": 3}"#)
        .optional(),
    dataset(LIMITS, F64, ("C", 2), "m", "SPRING: least stroke <= 0 and largest stroke >= 0, may be infinite")
        .optional(),
    dataset(LINE, U32, ("C", 1), "1", "line of the deck that made the constraint, 0 unknown").optional(),
];

/// A joint as one row of columns.
#[derive(Clone, Copy)]
struct Flat {
    kind: u8,
    base: [f64; 9],
    what: u8,
    series: [i64; 3],
    strength: f64,
    law: u8,
    linear: [f64; 2],
    function: i64,
    axis: u8,
    limits: [f64; 2],
}

const PLAIN: Flat = Flat {
    kind: 0,
    base: [0.0; 9],
    what: 1,
    series: [-1; 3],
    strength: f64::INFINITY,
    law: 0,
    linear: [0.0; 2],
    function: -1,
    axis: 0,
    limits: [f64::NEG_INFINITY, f64::INFINITY],
};

fn flat(joint: &Joint) -> Flat {
    match *joint {
        Joint::FixPoint { strength } => Flat { kind: FIXPNT, strength, ..PLAIN },
        Joint::FixDirection { direction } => Flat { kind: FIXDIR, base: first(&direction), ..PLAIN },
        Joint::Drive { what, direction, series } => Flat {
            kind: VELODIR,
            base: first(&direction),
            what: number(what),
            series: [i64::from(series), -1, -1],
            ..PLAIN
        },
        Joint::Drive3 { what, base, series } => Flat {
            kind: VELODIR3,
            base: std::array::from_fn(|i| base.as_slice()[i]),
            what: number(what),
            series: series.map(i64::from),
            ..PLAIN
        },
        Joint::RigidLink { strength } => Flat { kind: RIGLNK, strength, ..PLAIN },
        Joint::Spring { law, axis, limits } => {
            let (axis, base) = match axis {
                SpringAxis::Follow => (0, PLAIN.base),
                SpringAxis::Fixed(d) => (1, first(&d)),
                SpringAxis::Master(d) => (2, first(&d)),
                SpringAxis::Slave(d) => (3, first(&d)),
            };
            let spring = Flat { kind: SPRING, axis, base, limits, ..PLAIN };
            match law {
                SpringLaw::Linear { stiffness, damping } => Flat { law: 0, linear: [stiffness, damping], ..spring },
                SpringLaw::Table { series } => Flat { law: 1, series: [i64::from(series), -1, -1], ..spring },
                SpringLaw::Function { function } => Flat { law: 2, function: function.into(), ..spring },
            }
        }
    }
}

fn number(what: Prescribed) -> u8 {
    match what {
        Prescribed::Displacement => 0,
        Prescribed::Velocity => 1,
        Prescribed::Acceleration => 2,
    }
}

/// A direction in a row for nine numbers.
fn first(direction: &Vec3) -> [f64; 9] {
    std::array::from_fn(|i| if i < 3 { direction[i] } else { 0.0 })
}

pub(super) fn write(out: &mut Out, at: &str, rows: &[ConstraintRow]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let flats = column(rows, |r| flat(&r.joint));
    out.put(at, KIND, &column(&flats, |f| f.kind))?;
    out.put(at, BODY1, &column(rows, |r| r.master))?;
    out.put(at, BODY2, &column(rows, |r| r.slave.unwrap_or(0)))?;
    out.put(at, POINT1, &column(rows, |r| <[f64; 3]>::from(r.points[0])))?;
    out.put(at, POINT2, &column(rows, |r| <[f64; 3]>::from(r.points[1])))?;
    out.put(at, BASE, &column(&flats, |f| f.base))?;
    out.put(at, WHAT, &column(&flats, |f| f.what))?;
    out.put(at, SERIES, &column(&flats, |f| f.series))?;
    out.put(at, STRENGTH, &column(&flats, |f| f.strength))?;
    out.put(at, LAW, &column(&flats, |f| f.law))?;
    out.put(at, LINEAR, &column(&flats, |f| f.linear))?;
    out.put(at, FUNCTION, &column(&flats, |f| f.function))?;
    out.put(at, AXIS, &column(&flats, |f| f.axis))?;
    out.put(at, LIMITS, &column(&flats, |f| f.limits))?;
    out.put(at, LINE, &column(rows, |r| r.line))
}

/// The table; bodies, series and functions of the model are there already.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has(KIND) {
        return Ok(());
    }
    let n = t.len(KIND)?;
    let kinds = t.column::<u8>(KIND, n)?;
    let body1 = t.column::<u64>(BODY1, n)?;
    let body2 = t.column_or(BODY2, n, 0u64)?;
    let point1 = t.column::<[f64; 3]>(POINT1, n)?;
    let point2 = if t.has(POINT2) { t.column(POINT2, n)? } else { point1.clone() };
    let base = t.column_or(BASE, n, PLAIN.base)?;
    let what = t.column_or(WHAT, n, PLAIN.what)?;
    let series = t.column_or(SERIES, n, PLAIN.series)?;
    let strength = t.column_or(STRENGTH, n, PLAIN.strength)?;
    let law = t.column_or(LAW, n, PLAIN.law)?;
    let linear = t.column_or(LINEAR, n, PLAIN.linear)?;
    let function = t.column_or(FUNCTION, n, PLAIN.function)?;
    let axis = t.column_or(AXIS, n, PLAIN.axis)?;
    let limits = t.column_or(LIMITS, n, PLAIN.limits)?;
    let lines = t.column_or(LINE, n, 0u32)?;
    t.finite(POINT1, &point1)?;
    t.finite(POINT2, &point2)?;
    t.finite(BASE, &base)?;
    t.check(STRENGTH, &strength, "positive or zero, or inf", |x| x >= 0.0)?;
    for i in 0..n {
        let flat = Flat {
            kind: kinds[i],
            base: base[i],
            what: what[i],
            series: series[i],
            strength: strength[i],
            law: law[i],
            linear: linear[i],
            function: function[i],
            axis: axis[i],
            limits: limits[i],
        };
        t.body(BODY1, i, body1[i], m)?;
        let slave = (body2[i] != 0).then_some(body2[i]);
        if let Some(id) = slave {
            t.body(BODY2, i, id, m)?;
            if id == body1[i] {
                return t.wrong_row(BODY2, i, format!("{id} is the master already; a second body is another one"));
            }
        }
        match (kinds[i], slave) {
            (VELODIR | VELODIR3, Some(id)) => {
                return t.wrong_row(BODY2, i, format!("{id}, but a prescribed motion has one body; give 0"))
            }
            (SPRING, None) => return t.wrong_row(BODY2, i, "0, but a spring has two bodies"),
            _ => {}
        }
        let points = [point1[i].into(), point2[i].into()];
        let joint = joint(t, m, i, &flat)?;
        m.constraints.push(ConstraintRow { joint, master: body1[i], slave, points, line: lines[i] });
    }
    Ok(())
}

fn joint(t: &Table, m: &Model, i: usize, f: &Flat) -> Result<Joint> {
    let series = |k: usize| t.row(SERIES, i, f.series[k], m.series.len(), "timeseries");
    let what = || match f.what {
        0 => Ok(Prescribed::Displacement),
        1 => Ok(Prescribed::Velocity),
        2 => Ok(Prescribed::Acceleration),
        other => t.wrong_row(WHAT, i, format!("{other} is not the number of a prescribed quantity")),
    };
    let direction = || {
        let d = Vec3::new(f.base[0], f.base[1], f.base[2]);
        if (d.norm() - 1.0).abs() <= ORTHONORMAL {
            Ok(d)
        } else {
            t.wrong_row(BASE, i, format!("direction of length {}; give a unit vector", d.norm()))
        }
    };
    Ok(match f.kind {
        FIXPNT => Joint::FixPoint { strength: f.strength },
        FIXDIR => Joint::FixDirection { direction: direction()? },
        VELODIR => Joint::Drive { what: what()?, direction: direction()?, series: series(0)? },
        VELODIR3 => {
            let base = Mat3::from_column_slice(&f.base);
            let off = (base.transpose() * base - Mat3::identity()).amax();
            if off > ORTHONORMAL {
                return t.wrong_row(
                    BASE,
                    i,
                    format!("|EᵀE - I| = {off:.1e}; give an orthonormal base column by column"),
                );
            }
            Joint::Drive3 { what: what()?, base, series: [series(0)?, series(1)?, series(2)?] }
        }
        RIGLNK => Joint::RigidLink { strength: f.strength },
        SPRING => {
            let law = match f.law {
                0 if f.linear.iter().all(|x| *x >= 0.0 && x.is_finite()) => {
                    SpringLaw::Linear { stiffness: f.linear[0], damping: f.linear[1] }
                }
                0 => return t.wrong_row(LINEAR, i, format!("{:?}, but both must be positive or zero", f.linear)),
                1 => SpringLaw::Table { series: series(0)? },
                2 => SpringLaw::Function { function: t.function(FUNCTION, i, f.function, m, FunctionKind::Spring)? },
                other => return t.wrong_row(LAW, i, format!("{other} is not the number of a law")),
            };
            let axis = match f.axis {
                0 => SpringAxis::Follow,
                1 => SpringAxis::Fixed(direction()?),
                2 => SpringAxis::Master(direction()?),
                3 => SpringAxis::Slave(direction()?),
                other => return t.wrong_row(AXIS, i, format!("{other} is not the number of an update")),
            };
            let [low, high] = f.limits;
            if !(low <= 0.0 && high >= 0.0) {
                return t.wrong_row(LIMITS, i, format!("{low}, {high}, but least <= 0 <= largest is wanted"));
            }
            Joint::Spring { law, axis, limits: f.limits }
        }
        other => return t.wrong_row(KIND, i, format!("{other} is not the number of a kind of user constraint")),
    })
}

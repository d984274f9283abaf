//! User constraints: `constraints/*`, one row each in order of creation.

use solfec::math::{Mat3, Vec3};
use solfec::model::constraint_kind::{FIXDIR, FIXPNT, RIGLNK, SPRING, VELODIR, VELODIR3};
use solfec::model::{ConstraintRow, FunctionKind, Joint, Model, Prescribed, SpringAxis, SpringLaw};
use solfec::table::Table as _;

use super::checked::Table;
use crate::error::Result;
use crate::store::Out;

/// Largest deviation from orthonormality of directions and bases (docs/conventions.md 2).
const ORTHONORMAL: f64 = 1e-6;

solfec::table! {
    /// User constraints.
    pub(super) struct UserRows("user constraints", "C") row #[derive(Copy)] User {
        kind: u8 = "constraints/kind", "1", "kind of constraint"
            .names(r#"{"FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#);
        body1: u64 = "constraints/body1", "1", "id of the master body";
        body2: u64 = "constraints/body2", "1", "id of the slave body, 0: none" .optional();
        point1: [f64; 3] = "constraints/point1", "m", "point of the master" .frame("reference");
        point2: [f64; 3] = "constraints/point2", "m", "point of the slave; without one: the fixed end of RIGLNK, else as point1"
            .frame("reference") .optional();
        base: [f64; 9] = "constraints/dir_or_base", "1", "FIXDIR, VELODIR, SPRING: unit direction (3 numbers); VELODIR3: base column-wise"
            .frame("spatial") .optional();
        what: u8 = "constraints/prescribed", "1", "VELODIR, VELODIR3: what the series say, in m, m/s, m/s2"
            .names(r#"{"DISPLACEMENT": 0, "VELOCITY": 1, "ACCELERATION": 2}"#) .optional();
        series: [i64; 3] = "constraints/ts", "1", "rows of timeseries, -1: none; VELODIR, SPRING with law TABLE: the first"
            .optional();
        strength: f64 = "constraints/strength", "N", "FIXPNT: largest |R|, RIGLNK: largest tension; may be inf" .optional();
        law: u8 = "constraints/law", "1", "SPRING: law of the force"
            .names(r#"{"LINEAR": 0, "TABLE": 1, "FUNCTION": 2}"#) .optional();
        linear: [f64; 2] = "constraints/stiffness_damping", "N/m", "SPRING with law LINEAR: stiffness, damping [N s/m]"
            .optional();
        function: i64 = "constraints/function", "1", "SPRING with law FUNCTION: number of the function, as in callbacks; -1: none"
            .optional();
        axis: u8 = "constraints/update", "1", "SPRING: what its direction does"
            .names(r#"{"FOLLOW": 0, "FIXED": 1, "CONV1": 2, "CONV2": 3}"#) .optional();
        limits: [f64; 2] = "constraints/limits", "m", "SPRING: least stroke <= 0 and largest stroke >= 0, may be infinite"
            .optional();
        line: u32 = "constraints/source_line", "1", "line of the deck that made the constraint, 0 unknown" .optional();
    }
}

/// What a row has in the columns that say nothing about its kind.
const PLAIN: User = User {
    kind: 0,
    body1: 0,
    body2: 0,
    point1: [0.0; 3],
    point2: [0.0; 3],
    base: [0.0; 9],
    what: 1,
    series: [-1; 3],
    strength: f64::INFINITY,
    law: 0,
    linear: [0.0; 2],
    function: -1,
    axis: 0,
    limits: [f64::NEG_INFINITY, f64::INFINITY],
    line: 0,
};

fn row_of(joint: &Joint) -> User {
    match *joint {
        Joint::FixPoint { strength } => User { kind: FIXPNT, strength, ..PLAIN },
        Joint::FixDirection { direction } => User { kind: FIXDIR, base: first(&direction), ..PLAIN },
        Joint::Drive { what, direction, series } => User {
            kind: VELODIR,
            base: first(&direction),
            what: number(what),
            series: [i64::from(series), -1, -1],
            ..PLAIN
        },
        Joint::Drive3 { what, base, series } => User {
            kind: VELODIR3,
            base: std::array::from_fn(|i| base.as_slice()[i]),
            what: number(what),
            series: series.map(i64::from),
            ..PLAIN
        },
        Joint::RigidLink { strength } => User { kind: RIGLNK, strength, ..PLAIN },
        Joint::Spring { law, axis, limits } => {
            let (axis, base) = match axis {
                SpringAxis::Follow => (0, PLAIN.base),
                SpringAxis::Fixed(d) => (1, first(&d)),
                SpringAxis::Master(d) => (2, first(&d)),
                SpringAxis::Slave(d) => (3, first(&d)),
            };
            let spring = User { kind: SPRING, axis, base, limits, ..PLAIN };
            match law {
                SpringLaw::Linear { stiffness, damping } => User { law: 0, linear: [stiffness, damping], ..spring },
                SpringLaw::Table { series } => User { law: 1, series: [i64::from(series), -1, -1], ..spring },
                SpringLaw::Function { function } => User { law: 2, function: function.into(), ..spring },
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
    let mut all = UserRows::default();
    for row in rows {
        all.push(User {
            body1: row.master,
            body2: row.slave.unwrap_or(0),
            point1: row.points[0].into(),
            point2: row.points[1].into(),
            line: row.line,
            ..row_of(&row.joint)
        });
    }
    out.put_table(at, &all)
}

/// The table; bodies, series and functions of the model are there already.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    let mut rows: UserRows = t.table(|plain: &mut UserRows| {
        plain.resize(0);
        plain.push(PLAIN);
    })?;
    if !t.has("constraints/point2") {
        rows.point2.clone_from(&rows.point1);
    }
    t.finite("constraints/point1", &rows.point1)?;
    t.finite("constraints/point2", &rows.point2)?;
    t.finite("constraints/dir_or_base", &rows.base)?;
    t.check("constraints/strength", &rows.strength, "positive or zero, or inf", |x| x >= 0.0)?;
    for i in 0..rows.kind.len() {
        let row = rows.row(i);
        let slave = (row.body2 != 0).then_some(row.body2);
        check_bodies(t, m, i, &row, slave)?;
        let joint = joint(t, m, i, &row)?;
        let points = [row.point1.into(), row.point2.into()];
        m.constraints.push(ConstraintRow { joint, master: row.body1, slave, points, line: row.line });
    }
    Ok(())
}

fn check_bodies(t: &Table, m: &Model, i: usize, row: &User, slave: Option<u64>) -> Result<()> {
    t.body("constraints/body1", i, row.body1, m)?;
    let wrong = |text: String| t.wrong_row("constraints/body2", i, text);
    let Some(id) = slave else {
        return if row.kind == SPRING { wrong("0, but a spring has two bodies".into()) } else { Ok(()) };
    };
    t.body("constraints/body2", i, id, m)?;
    if id == row.body1 {
        return wrong(format!("{id} is the master already; a second body is another one"));
    }
    if row.kind == VELODIR || row.kind == VELODIR3 {
        return wrong(format!("{id}, but a prescribed motion has one body; give 0"));
    }
    Ok(())
}

fn joint(t: &Table, m: &Model, i: usize, f: &User) -> Result<Joint> {
    let series = |k: usize| t.row("constraints/ts", i, f.series[k], m.series.len(), "timeseries");
    let what = || match f.what {
        0 => Ok(Prescribed::Displacement),
        1 => Ok(Prescribed::Velocity),
        2 => Ok(Prescribed::Acceleration),
        other => {
            t.wrong_row("constraints/prescribed", i, format!("{other} is not the number of a prescribed quantity"))
        }
    };
    let direction = || {
        let d = Vec3::new(f.base[0], f.base[1], f.base[2]);
        if (d.norm() - 1.0).abs() <= ORTHONORMAL {
            Ok(d)
        } else {
            t.wrong_row("constraints/dir_or_base", i, format!("direction of length {}; give a unit vector", d.norm()))
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
                    "constraints/dir_or_base",
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
                0 => {
                    return t.wrong_row(
                        "constraints/stiffness_damping",
                        i,
                        format!("{:?}, but both must be positive or zero", f.linear),
                    )
                }
                1 => SpringLaw::Table { series: series(0)? },
                2 => SpringLaw::Function {
                    function: t.function("constraints/function", i, f.function, m, FunctionKind::Spring)?,
                },
                other => return t.wrong_row("constraints/law", i, format!("{other} is not the number of a law")),
            };
            let axis = match f.axis {
                0 => SpringAxis::Follow,
                1 => SpringAxis::Fixed(direction()?),
                2 => SpringAxis::Master(direction()?),
                3 => SpringAxis::Slave(direction()?),
                other => {
                    return t.wrong_row("constraints/update", i, format!("{other} is not the number of an update"))
                }
            };
            let [low, high] = f.limits;
            if !(low <= 0.0 && high >= 0.0) {
                return t.wrong_row(
                    "constraints/limits",
                    i,
                    format!("{low}, {high}, but least <= 0 <= largest is wanted"),
                );
            }
            Joint::Spring { law, axis, limits: f.limits }
        }
        other => {
            return t.wrong_row(
                "constraints/kind",
                i,
                format!("{other} is not the number of a kind of user constraint"),
            )
        }
    })
}

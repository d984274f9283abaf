//! Loads and functions of the deck: `loads/*` and `callbacks/*`, one row each in order of creation.

use solfec::math::Vec3;
use solfec::model::{BodyKind, FunctionKind, FunctionRow, LoadKind, LoadRow, Model};

use super::checked::Table;
use super::rows::column;
use crate::error::Result;
use crate::schema::{column as dataset, Column, Kind::*};
use crate::store::Out;

const KIND: &str = "loads/kind";
const BODY: &str = "loads/body";
const CONVECTED: &str = "loads/convected";
const POINT: &str = "loads/point";
const DIRECTION: &str = "loads/direction";
const SERIES: &str = "loads/ts";
const SURFACE: &str = "loads/surfid";
const FUNCTION: &str = "loads/callback";
const LINE: &str = "loads/source_line";

const NUMBER: &str = "callbacks/number";
const NAME: &str = "callbacks/name";
const PURPOSE: &str = "callbacks/kind";
const FUNCTION_LINE: &str = "callbacks/source_line";

const FORCE: u8 = 0;
const TORQUE: u8 = 1;
const PRESSURE: u8 = 2;
const CALLED: u8 = 3;

/// Largest deviation of a direction from unit length (docs/conventions.md 2).
const UNIT: f64 = 1e-6;

pub(super) const COLUMNS: [Column; 13] = [
    dataset(KIND, U8, ("L", 1), "1", "kind of load; FUNCTION: a force that a function of the deck gives")
        .names(r#"{"FORCE": 0, "TORQUE": 1, "PRESSURE": 2, "FUNCTION": 3}"#),
    dataset(BODY, U64, ("L", 1), "1", "id of the body, no obstacle"),
    dataset(CONVECTED, U8, ("L", 1), "1", "FORCE, TORQUE: 1: the direction turns with the body, 0: fixed in space")
        .optional(),
    dataset(POINT, F64, ("L", 3), "m", "FORCE: where it acts").frame("reference").optional(),
    dataset(DIRECTION, F64, ("L", 3), "1", "FORCE, TORQUE: unit vector").optional(),
    dataset(SERIES, I64, ("L", 1), "1", "row of timeseries: N, N m or Pa (positive pulls outwards); -1: none")
        .optional(),
    dataset(SURFACE, I32, ("L", 1), "1", "PRESSURE: surface id").optional(),
    dataset(FUNCTION, I64, ("L", 1), "1", "FUNCTION: number of the function, as in callbacks; -1: none").optional(),
    dataset(LINE, U32, ("L", 1), "1", "line of the deck that made the load, 0 unknown").optional(),
    dataset(NUMBER, U32, ("cb", 1), "1", "number of a function among all that the deck hands over, from 0"),
    dataset(NAME, Text, ("cb", 1), "1", "its name").optional(),
    dataset(PURPOSE, U8, ("cb", 1), "1", "what it is for")
        .names(r#"{"FORCE": 0, "SPRING": 1, "CALLBACK": 2, "FAILURE": 3}"#),
    dataset(FUNCTION_LINE, U32, ("cb", 1), "1", "line of the deck that handed it over, 0 unknown").optional(),
];

/// A kind of load as one row of columns.
#[derive(Clone, Copy)]
struct Flat {
    kind: u8,
    convected: u8,
    point: [f64; 3],
    direction: [f64; 3],
    series: i64,
    surface: i32,
    function: i64,
}

const PLAIN: Flat =
    Flat { kind: 0, convected: 0, point: [0.0; 3], direction: [0.0; 3], series: -1, surface: 0, function: -1 };

fn flat(kind: &LoadKind) -> Flat {
    match *kind {
        LoadKind::Force { convected, point, direction, value } => Flat {
            kind: FORCE,
            convected: convected.into(),
            point: point.into(),
            direction: direction.into(),
            series: value.into(),
            ..PLAIN
        },
        LoadKind::Torque { convected, direction, value } => Flat {
            kind: TORQUE,
            convected: convected.into(),
            direction: direction.into(),
            series: value.into(),
            ..PLAIN
        },
        LoadKind::Pressure { surface, value } => Flat { kind: PRESSURE, surface, series: value.into(), ..PLAIN },
        LoadKind::Function { function } => Flat { kind: CALLED, function: function.into(), ..PLAIN },
    }
}

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    if !m.loads.is_empty() {
        let flats = column(&m.loads, |l| flat(&l.kind));
        out.put(at, KIND, &column(&flats, |f| f.kind))?;
        out.put(at, BODY, &column(&m.loads, |l| l.body))?;
        out.put(at, CONVECTED, &column(&flats, |f| f.convected))?;
        out.put(at, POINT, &column(&flats, |f| f.point))?;
        out.put(at, DIRECTION, &column(&flats, |f| f.direction))?;
        out.put(at, SERIES, &column(&flats, |f| f.series))?;
        out.put(at, SURFACE, &column(&flats, |f| f.surface))?;
        out.put(at, FUNCTION, &column(&flats, |f| f.function))?;
        out.put(at, LINE, &column(&m.loads, |l| l.line))?;
    }
    if !m.functions.is_empty() {
        let names: Vec<&str> = m.functions.iter().map(|f| f.name.as_str()).collect();
        out.put(at, NUMBER, &column(&m.functions, |f| f.function))?;
        out.put_text(at, NAME, &names)?;
        out.put(at, PURPOSE, &column(&m.functions, |f| f.kind as u8))?;
        out.put(at, FUNCTION_LINE, &column(&m.functions, |f| f.line))?;
    }
    Ok(())
}

/// `callbacks/*`.
pub(super) fn read_functions(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has(NUMBER) {
        return Ok(());
    }
    let n = t.len(NUMBER)?;
    let numbers = t.column::<u32>(NUMBER, n)?;
    let names = t.texts_or(NAME, n)?;
    let kinds = t.column::<u8>(PURPOSE, n)?;
    let lines = t.column_or(FUNCTION_LINE, n, 0u32)?;
    for (i, name) in names.into_iter().enumerate() {
        let kind = match kinds[i] {
            0 => FunctionKind::Force,
            1 => FunctionKind::Spring,
            2 => FunctionKind::Callback,
            3 => FunctionKind::Failure,
            other => return t.wrong_row(PURPOSE, i, format!("{other} is not the number of a purpose")),
        };
        if numbers[..i].contains(&numbers[i]) {
            return t.wrong_row(NUMBER, i, format!("{} is there twice", numbers[i]));
        }
        m.functions.push(FunctionRow { function: numbers[i], name, kind, line: lines[i] });
    }
    Ok(())
}

/// `loads/*`; bodies, series and functions of the model are there already.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has(KIND) {
        return Ok(());
    }
    let n = t.len(KIND)?;
    let kinds = t.column::<u8>(KIND, n)?;
    let bodies = t.column::<u64>(BODY, n)?;
    let convected = t.column_or(CONVECTED, n, PLAIN.convected)?;
    let points = t.column_or(POINT, n, PLAIN.point)?;
    let directions = t.column_or(DIRECTION, n, PLAIN.direction)?;
    let series = t.column_or(SERIES, n, PLAIN.series)?;
    let surfaces = t.column_or(SURFACE, n, PLAIN.surface)?;
    let functions = t.column_or(FUNCTION, n, PLAIN.function)?;
    let lines = t.column_or(LINE, n, 0u32)?;
    t.finite(POINT, &points)?;
    t.finite(DIRECTION, &directions)?;
    for i in 0..n {
        let body = t.body(BODY, i, bodies[i], m)?;
        if kinds[i] == TORQUE && body != BodyKind::Rigid {
            return t.wrong_row(BODY, i, format!("{} is not rigid, but a torque acts on rigid bodies", bodies[i]));
        }
        if body == BodyKind::Obstacle {
            return t.wrong_row(BODY, i, format!("{} is an obstacle, which takes no load", bodies[i]));
        }
        let value = || t.row(SERIES, i, series[i], m.series.len(), "timeseries");
        let direction = || {
            let d = Vec3::from(directions[i]);
            if (d.norm() - 1.0).abs() <= UNIT {
                Ok(d)
            } else {
                t.wrong_row(DIRECTION, i, format!("direction of length {}; give a unit vector", d.norm()))
            }
        };
        let convected = convected[i] != 0;
        let kind = match kinds[i] {
            FORCE => LoadKind::Force { convected, point: points[i].into(), direction: direction()?, value: value()? },
            TORQUE => LoadKind::Torque { convected, direction: direction()?, value: value()? },
            PRESSURE => LoadKind::Pressure { surface: surfaces[i], value: value()? },
            CALLED => LoadKind::Function { function: t.function(FUNCTION, i, functions[i], m, FunctionKind::Force)? },
            other => return t.wrong_row(KIND, i, format!("{other} is not the number of a kind of load")),
        };
        m.loads.push(LoadRow { kind, body: bodies[i], line: lines[i] });
    }
    Ok(())
}

//! Loads and functions of the deck: `loads/*` and `callbacks/*`, one row each in order of creation.

use solfec::math::Vec3;
use solfec::model::{BodyKind, FunctionKind, FunctionRow, LoadKind, LoadRow, Model};

use super::checked::Table;
use crate::error::Result;
use crate::store::Out;

const FORCE: u8 = 0;
const TORQUE: u8 = 1;
const PRESSURE: u8 = 2;
const CALLED: u8 = 3;

/// Largest deviation of a direction from unit length (docs/conventions.md 2).
const UNIT: f64 = 1e-6;

solfec::table! {
    /// Loads.
    pub(super) struct LoadRows("loads", "L") row #[derive(Copy)] Load {
        kind: u8 = "loads/kind", "1", "kind of load; FUNCTION: a force that a function of the deck gives"
            .names(r#"{"FORCE": 0, "TORQUE": 1, "PRESSURE": 2, "FUNCTION": 3}"#);
        body: u64 = "loads/body", "1", "id of the body, no obstacle";
        convected: u8 = "loads/convected", "1", "1: the direction turns with the body, 0: fixed in space; PRESSURE on finite elements: 1: on the present faces, 0: on those of the reference configuration"
            .optional();
        point: [f64; 3] = "loads/point", "m", "FORCE: where it acts" .frame("reference") .optional();
        direction: [f64; 3] = "loads/direction", "1", "FORCE, TORQUE: unit vector" .optional();
        series: i64 = "loads/ts", "1", "row of timeseries: N, N m or Pa (positive pulls outwards); -1: none" .optional();
        surface: i32 = "loads/surfid", "1", "PRESSURE: surface id" .optional();
        function: i64 = "loads/callback", "1", "FUNCTION: number of the function, as in callbacks; -1: none" .optional();
        line: u32 = "loads/source_line", "1", "line of the deck that made the load, 0 unknown" .optional();
    }
}

solfec::table! {
    /// Functions of the deck.
    pub(super) struct FunctionRows("functions", "cb") row Function {
        number: u32 = "callbacks/number", "1", "number of a function among all that the deck hands over, from 0";
        name: String = "callbacks/name", "1", "its name" .optional();
        kind: u8 = "callbacks/kind", "1", "what it is for"
            .names(r#"{"FORCE": 0, "SPRING": 1, "CALLBACK": 2, "FAILURE": 3, "FIELD": 4}"#);
        line: u32 = "callbacks/source_line", "1", "line of the deck that handed it over, 0 unknown" .optional();
    }
}

fn row(load: &LoadRow) -> Load {
    let plain = Load {
        kind: 0,
        body: load.body,
        convected: 0,
        point: [0.0; 3],
        direction: [0.0; 3],
        series: -1,
        surface: 0,
        function: -1,
        line: load.line,
    };
    match load.kind {
        LoadKind::Force { convected, point, direction, value } => Load {
            kind: FORCE,
            convected: convected.into(),
            point: point.into(),
            direction: direction.into(),
            series: value.into(),
            ..plain
        },
        LoadKind::Torque { convected, direction, value } => Load {
            kind: TORQUE,
            convected: convected.into(),
            direction: direction.into(),
            series: value.into(),
            ..plain
        },
        LoadKind::Pressure { surface, value, follower } => {
            Load { kind: PRESSURE, convected: follower.into(), surface, series: value.into(), ..plain }
        }
        LoadKind::Function { function } => Load { kind: CALLED, function: function.into(), ..plain },
    }
}

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    if !m.loads.is_empty() {
        let mut rows = LoadRows::default();
        m.loads.iter().for_each(|load| rows.push(row(load)));
        out.put_table(at, &rows)?;
    }
    if !m.functions.is_empty() {
        let mut rows = FunctionRows::default();
        for f in &m.functions {
            rows.push(Function { number: f.function, name: f.name.clone(), kind: f.kind as u8, line: f.line });
        }
        out.put_table(at, &rows)?;
    }
    Ok(())
}

/// `callbacks/*`.
pub(super) fn read_functions(t: &Table, m: &mut Model) -> Result<()> {
    let rows: FunctionRows = t.table(|_| {})?;
    for i in 0..rows.number.len() {
        let Function { number, name, kind, line } = rows.row(i);
        let kind = match kind {
            0 => FunctionKind::Force,
            1 => FunctionKind::Spring,
            2 => FunctionKind::Callback,
            3 => FunctionKind::Failure,
            4 => FunctionKind::Field,
            other => return t.wrong_row("callbacks/kind", i, format!("{other} is not the number of a purpose")),
        };
        if rows.number[..i].contains(&number) {
            return t.wrong_row("callbacks/number", i, format!("{number} is there twice"));
        }
        m.functions.push(FunctionRow { function: number, name, kind, line });
    }
    Ok(())
}

/// `loads/*`; bodies, series and functions of the model are there already.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    let rows: LoadRows = t.table(|plain: &mut LoadRows| {
        plain.series[0] = -1;
        plain.function[0] = -1;
    })?;
    t.finite("loads/point", &rows.point)?;
    t.finite("loads/direction", &rows.direction)?;
    for i in 0..rows.kind.len() {
        let row = rows.row(i);
        let body = t.body("loads/body", i, row.body, m)?;
        if row.kind == TORQUE && body != BodyKind::Rigid {
            let text = format!("{} is not rigid, but a torque acts on rigid bodies", row.body);
            return t.wrong_row("loads/body", i, text);
        }
        if body == BodyKind::Obstacle {
            return t.wrong_row("loads/body", i, format!("{} is an obstacle, which takes no load", row.body));
        }
        let kind = kind(t, m, i, &row)?;
        m.loads.push(LoadRow { kind, body: row.body, line: row.line });
    }
    Ok(())
}

fn kind(t: &Table, m: &Model, i: usize, row: &Load) -> Result<LoadKind> {
    let value = || t.row("loads/ts", i, row.series, m.series.len(), "timeseries");
    let direction = || {
        let d = Vec3::from(row.direction);
        if (d.norm() - 1.0).abs() <= UNIT {
            Ok(d)
        } else {
            t.wrong_row("loads/direction", i, format!("direction of length {}; give a unit vector", d.norm()))
        }
    };
    let convected = row.convected != 0;
    Ok(match row.kind {
        FORCE => LoadKind::Force { convected, point: row.point.into(), direction: direction()?, value: value()? },
        TORQUE => LoadKind::Torque { convected, direction: direction()?, value: value()? },
        PRESSURE => LoadKind::Pressure { surface: row.surface, value: value()?, follower: convected },
        CALLED => {
            LoadKind::Function { function: t.function("loads/callback", i, row.function, m, FunctionKind::Force)? }
        }
        other => return t.wrong_row("loads/kind", i, format!("{other} is not the number of a kind of load")),
    })
}

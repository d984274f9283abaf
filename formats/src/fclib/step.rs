//! The step as we know it: `/solfec` of our dumps.

use solfec::dynamics::BlockSparse;
use solfec::math::{Mat3, Vec3};
use solfec::model::Analysis;
use solfec::solver::Law;
use solfec::solver::{LocalDynamics, LocalRow};

use crate::error::{Error, Result};
use crate::store::In;

/// Root attribute `format` of our dumps.
pub const FORMAT: &str = "solfec-locdyn";
/// Root attribute `format_version`: readers accept any minor version of the majors up to theirs.
pub const VERSION: &str = "1.0";
const MAJOR: u32 = 1;

const COULOMB: u8 = 0;
const VELOCITY3: u8 = 1;
const VELOCITY: u8 = 2;

/// `solfec/law` and `solfec/law_data`.
pub(super) fn law_numbers(law: &Law) -> (u8, [f64; 4]) {
    match *law {
        Law::Coulomb { friction, restitution, cohesion, closing } => {
            (COULOMB, [friction, restitution, cohesion, closing])
        }
        Law::Velocity3 { target: u } => (VELOCITY3, [u.x, u.y, u.z, 0.0]),
        Law::Velocity { target } => (VELOCITY, [target, 0.0, 0.0, 0.0]),
        // Refused before anything is written.
        Law::SpringDashpot(_) | Law::Link(_) | Law::Spring(_) => (u8::MAX, [0.0; 4]),
    }
}

fn law(kind: u8, data: [f64; 4]) -> Option<Law> {
    let [a, b, c, d] = data;
    match kind {
        COULOMB => Some(Law::Coulomb { friction: a, restitution: b, cohesion: c, closing: d }),
        VELOCITY3 => Some(Law::Velocity3 { target: Vec3::new(a, b, c) }),
        VELOCITY => Some(Law::Velocity { target: a }),
        _ => None,
    }
}

pub(super) fn analysis_name(analysis: Analysis) -> &'static str {
    match analysis {
        Analysis::Dynamic => "DYNAMIC",
        Analysis::QuasiStatic => "QUASI_STATIC",
    }
}

/// `/solfec` of a dump of ours.
pub(super) fn read(file: &In) -> Result<LocalDynamics> {
    file.require_version(MAJOR)?;
    let wrong = |path: &str, text: String| Error::format(&file.at("", path), text);
    let id = file.get::<u64>("", "solfec/id")?;
    let n = id.len();
    let vectors = |path: &str| -> Result<Vec<Vec3>> {
        let rows = file.get::<[f64; 3]>("", path)?;
        Ok(rows.into_iter().map(Vec3::from).collect())
    };
    let kind = file.get::<u8>("", "solfec/kind")?;
    let bodies = file.get::<[u64; 2]>("", "solfec/bodies")?;
    let name = file.text("", "solfec/name")?;
    let point = vectors("solfec/point")?;
    let base = file.get::<[f64; 9]>("", "solfec/base")?;
    let law_kind = file.get::<u8>("", "solfec/law")?;
    let law_data = file.get::<[f64; 4]>("", "solfec/law_data")?;
    let lengths = [kind.len(), bodies.len(), name.len(), point.len(), base.len(), law_kind.len(), law_data.len()];
    if lengths.iter().any(|&l| l != n) {
        let text = format!("{n} ids, but the columns of constraints have {lengths:?} rows; they must have as many");
        return Err(wrong("solfec", text));
    }
    let row = |k: usize| -> Result<LocalRow> {
        let law = law(law_kind[k], law_data[k])
            .ok_or_else(|| wrong("solfec/law", format!("row {k}: {} is no law; 0, 1 and 2 are", law_kind[k])))?;
        let [master, slave] = bodies[k];
        Ok(LocalRow {
            id: id[k],
            kind: kind[k],
            master,
            slave: (slave != 0).then_some(slave),
            point: point[k],
            base: Mat3::from_column_slice(&base[k]),
            law,
            name: name[k].clone(),
        })
    };
    let number = |key: &str| -> Result<f64> {
        let found = file.numbers::<1>("/solfec", key)?;
        found.map(|[x]| x).ok_or_else(|| wrong(&format!("solfec/@{key}"), "missing attribute".into()))
    };
    let analysis = match file.text_attribute("/solfec", "analysis")?.as_deref() {
        Some("DYNAMIC") => Analysis::Dynamic,
        Some("QUASI_STATIC") => Analysis::QuasiStatic,
        other => {
            let text = format!("{:?}, but DYNAMIC or QUASI_STATIC is wanted", other.unwrap_or("nothing"));
            return Err(wrong("solfec/@analysis", text));
        }
    };
    let offset = file.get::<u64>("", "solfec/W/row_offset")?;
    let step = LocalDynamics {
        h: number("h")?,
        time: number("time")?,
        analysis,
        energy: number("kinetic")?,
        rows: (0..n).map(row).collect::<Result<_>>()?,
        w: BlockSparse {
            row_offset: offset.into_iter().map(|x| usize::try_from(x).unwrap_or(usize::MAX)).collect(),
            column: file.get("", "solfec/W/column")?,
            block: file.get::<[f64; 9]>("", "solfec/W/block")?.iter().map(|b| Mat3::from_column_slice(b)).collect(),
        },
        free: vectors("solfec/B")?,
        previous: vectors("solfec/V")?,
        u: vectors("solfec/U")?,
        r: vectors("solfec/R")?,
        merit: file.get("", "solfec/merit")?,
    };
    step.check().map_err(|e| wrong("solfec", e.to_string()))?;
    Ok(step)
}

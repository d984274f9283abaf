//! Bodies: `bodies/*`, one row each in order of their ids.

use sha2::{Digest, Sha256};
use solfec::math::{Mat3, Vec3};
use solfec::model::{characteristics, BodyKind, BodyRow, Characteristics, Model, Scheme};

use super::checked::{not_negative, positive, Table};
use super::rows::{collect, column, offsets};
use crate::error::{Error, Result};
use crate::store::Out;

const SELFCONTACT: u8 = 1;
const DISABLE_ROTATION: u8 = 4;

pub(super) fn write(out: &mut Out, at: &str, bodies: &[BodyRow]) -> Result<()> {
    out.put(at, "bodies/id", &column(bodies, |b| b.id))?;
    let labels: Vec<&str> = bodies.iter().map(|b| b.label.as_str()).collect();
    out.put_text(at, "bodies/label", &labels)?;
    out.put(at, "bodies/kind", &column(bodies, |b| b.kind as u8))?;
    out.put(at, "bodies/scheme", &column(bodies, |b| b.scheme as u8))?;
    let flags =
        column(bodies, |b| SELFCONTACT * u8::from(b.selfcontact) + DISABLE_ROTATION * u8::from(b.disable_rotation));
    out.put(at, "bodies/flags", &flags)?;
    let mut shape_offset: Vec<u64> = bodies.iter().map(|b| b.shapes.start.into()).collect();
    shape_offset.push(bodies.last().map_or(0, |b| b.shapes.end.into()));
    if let Some((b, _)) = bodies.iter().zip(&shape_offset[1..]).find(|(b, &next)| u64::from(b.shapes.end) != next) {
        let text = format!("body {}: its shapes {:?} do not follow those of the body before", b.id, b.shapes);
        return Err(Error::Format(text));
    }
    out.put(at, "bodies/shape_offset", &shape_offset)?;
    out.put(at, "bodies/material", &column(bodies, |b| i64::from(b.material)))?;
    out.put(at, "bodies/damping", &column(bodies, |b| b.damping))?;
    out.put(at, "bodies/mass", &column(bodies, |b| b.chars.mass))?;
    out.put(at, "bodies/volume", &column(bodies, |b| b.chars.volume))?;
    out.put(at, "bodies/center", &column(bodies, |b| <[f64; 3]>::from(b.chars.center)))?;
    out.put(at, "bodies/tensor", &column(bodies, tensor))?;
    out.put(at, "bodies/conf_offset", &offsets(bodies.iter().map(|b| b.conf.len())))?;
    out.put(at, "bodies/conf", &collect(bodies, |b| &b.conf))?;
    out.put(at, "bodies/velo_offset", &offsets(bodies.iter().map(|b| b.velo.len())))?;
    out.put(at, "bodies/velo", &collect(bodies, |b| &b.velo))?;
    out.put(at, "bodies/hash", &column(bodies, body_hash))?;
    out.put(at, "bodies/source_line", &column(bodies, |b| b.line))
}

fn tensor(b: &BodyRow) -> [f64; 9] {
    std::array::from_fn(|i| b.chars.tensor.as_slice()[i])
}

/// First 128 bits of the SHA-256 of what identifies a body; little-endian throughout.
pub fn body_hash(b: &BodyRow) -> [u64; 2] {
    let mut bytes = Vec::with_capacity(160);
    bytes.extend_from_slice(&b.id.to_le_bytes());
    bytes.extend_from_slice(&(b.label.len() as u64).to_le_bytes());
    bytes.extend_from_slice(b.label.as_bytes());
    bytes.push(b.kind as u8);
    let numbers = [b.chars.mass, b.chars.volume].into_iter().chain(b.chars.center.iter().copied());
    for x in numbers.chain(tensor(b)) {
        bytes.extend_from_slice(&x.to_le_bytes());
    }
    let digest = Sha256::digest(&bytes);
    let word = |k: usize| (0..8).fold(0u64, |w, i| w << 8 | u64::from(digest[8 * k + i]));
    [word(0), word(1)]
}

fn body_kind(n: u8) -> Option<BodyKind> {
    Some(match n {
        0 => BodyKind::Obstacle,
        1 => BodyKind::Rigid,
        2 => BodyKind::PseudoRigid,
        3 => BodyKind::FiniteElement,
        _ => return None,
    })
}

fn scheme(n: u8) -> Option<Scheme> {
    Some(match n {
        0 => Scheme::Default,
        1 => Scheme::RigPos,
        2 => Scheme::RigNeg,
        3 => Scheme::RigImp,
        4 => Scheme::DefExp,
        5 => Scheme::DefLim,
        _ => return None,
    })
}

pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has("bodies/id") {
        return Ok(());
    }
    let ids = t.from.get::<u64>(&t.base, "bodies/id")?;
    let n = ids.len();
    if let Some(i) = (0..n).find(|&i| ids[i] == 0 || (i > 0 && ids[i] <= ids[i - 1])) {
        return t.wrong_row("bodies/id", i, format!("{}, but ids ascend from 1", ids[i]));
    }
    let labels = t.texts_or("bodies/label", n)?;
    let kinds = t.column::<u8>("bodies/kind", n)?;
    let schemes = t.column_or("bodies/scheme", n, 0u8)?;
    let flags = t.column_or("bodies/flags", n, 0u8)?;
    let shape_offset = t.offsets("bodies/shape_offset", Some(n), m.shapes.len())?;
    let material = t.column::<i64>("bodies/material", n)?;
    t.indices("bodies/material", &material, m.bulk.len(), "materials/bulk")?;
    let damping = t.column_or("bodies/damping", n, 0.0)?;
    t.check("bodies/damping", &damping, "positive or zero", not_negative)?;
    let conf = ragged(t, "bodies/conf_offset", "bodies/conf", n)?;
    let velo = ragged(t, "bodies/velo_offset", "bodies/velo", n)?;
    let lines = t.column_or("bodies/source_line", n, 0u32)?;
    for (i, label) in labels.into_iter().enumerate() {
        let Some(kind) = body_kind(kinds[i]) else {
            return t.wrong_row("bodies/kind", i, format!("{} is not the number of a kind", kinds[i]));
        };
        let Some(scheme) = scheme(schemes[i]) else {
            return t.wrong_row("bodies/scheme", i, format!("{} is not the number of a scheme", schemes[i]));
        };
        if shape_offset[i] == shape_offset[i + 1] {
            return t.wrong_row("bodies/shape_offset", i, "a body without a shape");
        }
        let row = BodyRow {
            id: ids[i],
            label,
            kind,
            scheme,
            material: material[i] as u32,
            shapes: shape_offset[i] as u32..shape_offset[i + 1] as u32,
            chars: NO_CHARACTERISTICS,
            damping: damping[i],
            selfcontact: flags[i] & SELFCONTACT != 0,
            disable_rotation: flags[i] & DISABLE_ROTATION != 0,
            conf: conf.row(i).to_vec(),
            velo: velo.row(i).to_vec(),
            line: lines[i],
        };
        check_layout(t, i, &row)?;
        m.bodies.push(row);
    }
    all_characteristics(t, m)
}

const NO_CHARACTERISTICS: Characteristics = Characteristics {
    mass: 0.0,
    volume: 0.0,
    center: Vec3::new(0.0, 0.0, 0.0),
    tensor: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
};

/// Rows of different length.
struct Ragged {
    offsets: Vec<usize>,
    values: Vec<f64>,
}

impl Ragged {
    fn row(&self, i: usize) -> &[f64] {
        match self.offsets.get(i..i + 2) {
            Some(w) => &self.values[w[0]..w[1]],
            None => &[],
        }
    }
}

fn ragged(t: &Table, offset_path: &str, path: &str, n: usize) -> Result<Ragged> {
    if !t.has(path) {
        return Ok(Ragged { offsets: Vec::new(), values: Vec::new() });
    }
    let values = t.from.get::<f64>(&t.base, path)?;
    t.check(path, &values, "finite", f64::is_finite)?;
    Ok(Ragged { offsets: t.offsets(offset_path, Some(n), values.len())?, values })
}

/// Numbers of conf and velo (docs/conventions.md 5); kinds with unknowns of their own check them where they are run.
fn check_layout(t: &Table, i: usize, b: &BodyRow) -> Result<()> {
    let (conf, velo) = match b.kind {
        BodyKind::Obstacle | BodyKind::Rigid => (12, 6),
        BodyKind::PseudoRigid => (12, 12),
        BodyKind::FiniteElement => return Ok(()),
    };
    for (path, found, want) in [("conf", b.conf.len(), conf), ("velo", b.velo.len(), velo)] {
        if found != 0 && found != want {
            let text = format!("{found} numbers, but 0 or {want} are wanted");
            return t.wrong_row(&format!("bodies/{path}_offset"), i, text);
        }
    }
    Ok(())
}

fn all_characteristics(t: &Table, m: &mut Model) -> Result<()> {
    let n = m.bodies.len();
    let mass = t.from.get_if::<f64>(&t.base, "bodies/mass")?;
    let volume = t.from.get_if::<f64>(&t.base, "bodies/volume")?;
    let center = t.from.get_if::<[f64; 3]>(&t.base, "bodies/center")?;
    let tensor = t.from.get_if::<[f64; 9]>(&t.base, "bodies/tensor")?;
    match (mass, volume, center, tensor) {
        (Some(mass), Some(volume), Some(center), Some(tensor)) => {
            let mass = t.rows("bodies/mass", mass, n)?;
            let volume = t.rows("bodies/volume", volume, n)?;
            let center = t.rows("bodies/center", center, n)?;
            let tensor = t.rows("bodies/tensor", tensor, n)?;
            t.check("bodies/mass", &mass, "positive", positive)?;
            t.check("bodies/volume", &volume, "positive", positive)?;
            t.finite("bodies/center", &center)?;
            t.finite("bodies/tensor", &tensor)?;
            for (i, body) in m.bodies.iter_mut().enumerate() {
                body.chars = Characteristics {
                    mass: mass[i],
                    volume: volume[i],
                    center: center[i].into(),
                    tensor: Mat3::from_column_slice(&tensor[i]),
                };
            }
            Ok(())
        }
        (None, None, None, None) => {
            for i in 0..n {
                let body = &m.bodies[i];
                let shapes: Vec<_> = m.shapes_of(body).collect();
                match characteristics(&shapes, m.bulk[body.material as usize].density, body.kind) {
                    Ok(chars) => m.bodies[i].chars = chars,
                    Err(error) => return t.wrong_row("bodies/shape_offset", i, error.to_string()),
                }
            }
            Ok(())
        }
        _ => t.wrong("bodies/mass", "mass, volume, center and tensor come together: give all of them or none"),
    }
}

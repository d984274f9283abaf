//! Bodies: `bodies/*`, one row each in order of their ids.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use solfec::math::Mat3;
use solfec::model::{characteristics_by_volume, BodyKind, BodyRow, Characteristics, Formulation, Model, Scheme};

use super::bases::row_of;
use super::checked::{not_negative, positive, Table};
use super::rows::{collect, offsets};
use super::volumes;
use crate::error::{Error, Result};
use crate::store::Out;

const SELFCONTACT: u8 = 1;
const DISABLE_ROTATION: u8 = 4;
const ENHANCED: u8 = 8;
const QUADRATIC: u8 = 16;

solfec::table! {
    /// Bodies.
    pub(super) struct BodyRows("bodies", "B") row Body {
        id: u64 = "bodies/id", "1", "1, 2, … in order of creation";
        label: String = "bodies/label", "1", "label, '' if none" .optional();
        kind: u8 = "bodies/kind", "1", "kind of body"
            .names(r#"{"OBSTACLE": 0, "RIGID": 1, "PSEUDO_RIGID": 2, "FINITE_ELEMENT": 3}"#);
        form: u8 = "bodies/form", "1", "formulation of finite elements"
            .names(r#"{"TL": 0, "BC": 1, "BC-MODAL": 2, "BC-RO": 3}"#) .optional();
        base: i64 = "bodies/base", "1", "row of bases of a reduced formulation, -1 if none" .optional();
        scheme: u8 = "bodies/scheme", "1", "time integration"
            .names(r#"{"DEFAULT": 0, "RIG_POS": 1, "RIG_NEG": 2, "RIG_IMP": 3, "DEF_EXP": 4, "DEF_LIM": 5}"#) .optional();
        flags: u8 = "bodies/flags", "1", "bit 0: contact of the body with itself, bit 2: rotation disabled, bit 3: hexahedra with enhanced strains, bit 4: every eight elements are a tetrahedron of second order" .optional();
        material: i64 = "bodies/material", "1", "row of materials/bulk";
        damping: f64 = "bodies/damping", "s", "stiffness-proportional damping >= 0" .optional();
        mass: f64 = "bodies/mass", "kg", "mass" .optional();
        volume: f64 = "bodies/volume", "m3", "volume" .optional();
        center: [f64; 3] = "bodies/center", "m", "mass centre" .frame("reference") .optional();
        tensor: [f64; 9] = "bodies/tensor", "kg m2", "inertia tensor of rigid bodies and obstacles, Euler tensor of the others; column-wise"
            .frame("reference") .optional();
        hash: [u64; 2] = "bodies/hash", "1", "first 128 bits of the SHA-256 of id, label, kind, mass, volume, center, tensor"
            .optional();
        line: u32 = "bodies/source_line", "1", "line of the deck that made the body, 0 unknown" .optional();
    }
}

solfec::table! {
    /// Where the shapes of each body are.
    pub(super) struct ShapeOffsets("bodies", "B + 1") {
        shapes: u64 = "bodies/shape_offset", "1", "shapes of body i are rows shape_offset[i] .. shape_offset[i+1]; of finite elements one mesh, or polyhedra and last the background mesh around them";
    }
}

solfec::table! {
    /// Where the initial state of each body is.
    pub(super) struct StateOffsets("bodies", "B + 1") {
        conf: u64 = "bodies/conf_offset", "1", "initial configuration of body i; empty: undeformed, in place" .optional();
        velo: u64 = "bodies/velo_offset", "1", "initial velocity of body i; empty: at rest" .optional();
    }
}

solfec::table! {
    /// Initial configurations.
    pub(super) struct ConfRows("initial configurations", "conf") {
        conf: f64 = "bodies/conf", "1", "rigid: rotation column-wise (9), mass centre (3); pseudo-rigid: F row-wise (9), centre (3); finite elements: displacements of nodes, or reduced coordinates and rotation column-wise (9)"
            .optional();
    }
}

solfec::table! {
    /// Initial velocities.
    pub(super) struct VeloRows("initial velocities", "velo") {
        velo: f64 = "bodies/velo", "1", "rigid: referential angular (3), spatial linear (3) velocity; pseudo-rigid: dF/dt row-wise (9), centre (3); finite elements: spatial angular and linear (6), or velocities of nodes, or reduced ones"
            .optional();
    }
}

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let bodies = &m.bodies;
    let mut rows = BodyRows::default();
    for b in bodies {
        rows.push(Body {
            id: b.id,
            label: b.label.clone(),
            kind: b.kind as u8,
            form: b.form as u8,
            base: row_of(&m.bases, b),
            scheme: b.scheme as u8,
            flags: SELFCONTACT * u8::from(b.selfcontact)
                + DISABLE_ROTATION * u8::from(b.disable_rotation)
                + ENHANCED * u8::from(b.enhanced)
                + QUADRATIC * u8::from(b.quadratic),
            material: b.material.into(),
            damping: b.damping,
            mass: b.chars.mass,
            volume: b.chars.volume,
            center: b.chars.center.into(),
            tensor: tensor(b),
            hash: body_hash(b),
            line: b.line,
        });
    }
    out.put_table_without(at, &rows, if m.bases.is_empty() { &["base"] } else { &[] })?;
    out.put_table(at, &shape_offsets(bodies)?)?;
    let conf = offsets(bodies.iter().map(|b| b.conf.len()));
    let velo = offsets(bodies.iter().map(|b| b.velo.len()));
    out.put_table(at, &StateOffsets { conf, velo })?;
    out.put_table(at, &ConfRows { conf: collect(bodies, |b| &b.conf) })?;
    out.put_table(at, &VeloRows { velo: collect(bodies, |b| &b.velo) })
}

fn shape_offsets(bodies: &[BodyRow]) -> Result<ShapeOffsets> {
    let mut shapes: Vec<u64> = bodies.iter().map(|b| b.shapes.start.into()).collect();
    shapes.push(bodies.last().map_or(0, |b| b.shapes.end.into()));
    match bodies.iter().zip(&shapes[1..]).find(|(b, &next)| u64::from(b.shapes.end) != next) {
        None => Ok(ShapeOffsets { shapes }),
        Some((b, _)) => {
            let text = format!("body {}: its shapes {:?} do not follow those of the body before", b.id, b.shapes);
            Err(Error::Format(text))
        }
    }
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
    let rows: BodyRows = t.table(|rows: &mut BodyRows| rows.base.fill(-1))?;
    let (ids, n) = (&rows.id, rows.id.len());
    if n == 0 {
        return Ok(());
    }
    if let Some(i) = (0..n).find(|&i| ids[i] == 0 || (i > 0 && ids[i] <= ids[i - 1])) {
        return t.wrong_row("bodies/id", i, format!("{}, but ids ascend from 1", ids[i]));
    }
    let shape_offset = t.offsets("bodies/shape_offset", Some(n), m.shapes.len())?;
    t.indices("bodies/material", &rows.material, m.bulk.len(), "materials/bulk")?;
    t.check("bodies/damping", &rows.damping, "positive or zero", not_negative)?;
    let conf = ragged(t, "bodies/conf_offset", "bodies/conf", n)?;
    let velo = ragged(t, "bodies/velo_offset", "bodies/velo", n)?;
    for (i, w) in shape_offset.windows(2).enumerate() {
        let row = rows.row(i);
        let Some(kind) = body_kind(row.kind) else {
            return t.wrong_row("bodies/kind", i, format!("{} is not the number of a kind", row.kind));
        };
        let Some(scheme) = scheme(row.scheme) else {
            return t.wrong_row("bodies/scheme", i, format!("{} is not the number of a scheme", row.scheme));
        };
        let Some(form) = Formulation::ALL.into_iter().find(|form| *form as u8 == row.form) else {
            return t.wrong_row("bodies/form", i, format!("{} is not the number of a formulation", row.form));
        };
        let base = match row.base {
            -1 => None,
            row => Some(Arc::clone(&m.bases[t.row("bodies/base", i, row, m.bases.len(), "bases")? as usize])),
        };
        if form.is_reduced() && base.is_none() {
            return t.wrong_row("bodies/base", i, format!("none, but form {} needs a base", form.name()));
        }
        if w[0] == w[1] {
            return t.wrong_row("bodies/shape_offset", i, "a body without a shape");
        }
        let body = BodyRow {
            id: row.id,
            label: row.label,
            kind,
            form,
            base,
            enhanced: row.flags & ENHANCED != 0,
            quadratic: row.flags & QUADRATIC != 0,
            samples: None,
            scheme,
            material: row.material as u32,
            volumes: Vec::new(),
            shapes: w[0] as u32..w[1] as u32,
            chars: Characteristics {
                mass: row.mass,
                volume: row.volume,
                center: row.center.into(),
                tensor: Mat3::from_column_slice(&row.tensor),
            },
            damping: row.damping,
            selfcontact: row.flags & SELFCONTACT != 0,
            disable_rotation: row.flags & DISABLE_ROTATION != 0,
            conf: conf.row(i).to_vec(),
            velo: velo.row(i).to_vec(),
            line: row.line,
        };
        check_layout(t, i, &body)?;
        m.bodies.push(body);
    }
    volumes::read(t, m)?;
    all_characteristics(t, m, &rows)
}

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
    let (conf, velo) = (b.conf.len(), b.velo.len());
    for (path, found, fits) in [("conf", conf, b.takes_configuration(conf)), ("velo", velo, b.takes_velocity(velo))] {
        if found != 0 && !fits {
            let text = format!("{found} numbers, which a {} body does not have", b.kind.name());
            return t.wrong_row(&format!("bodies/{path}_offset"), i, text);
        }
    }
    Ok(())
}

/// Checks the masses that the file gives, or computes those of all bodies.
fn all_characteristics(t: &Table, m: &mut Model, rows: &BodyRows) -> Result<()> {
    let given = ["mass", "volume", "center", "tensor"].map(|name| t.has(&format!("bodies/{name}")));
    if given == [true; 4] {
        t.check("bodies/mass", &rows.mass, "positive", positive)?;
        t.check("bodies/volume", &rows.volume, "positive", positive)?;
        t.finite("bodies/center", &rows.center)?;
        return t.finite("bodies/tensor", &rows.tensor);
    }
    if given != [false; 4] {
        return t.wrong("bodies/mass", "mass, volume, center and tensor come together: give all of them or none");
    }
    for i in 0..m.bodies.len() {
        let body = &m.bodies[i];
        let shapes: Vec<_> = m.shapes_of(body).collect();
        match characteristics_by_volume(body, &shapes, &m.bulk) {
            Ok(chars) => m.bodies[i].chars = chars,
            Err(error) => return t.wrong_row("bodies/shape_offset", i, error.to_string()),
        }
    }
    Ok(())
}

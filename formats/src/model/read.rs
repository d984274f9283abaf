//! File → models.

use solfec::model::{Analysis, Model};

use super::checked::Table;
use super::{
    bases, bodies, constraints, display, fields, loads, materials, program, provenance, settings, shapes, ModelFile,
};
use crate::error::{Error, Result};
use crate::store::In;

/// The whole file.
pub(crate) fn file(from: &In) -> Result<ModelFile> {
    let names = from.members("/domains")?;
    if names.is_empty() {
        return Err(Error::format(&from.name, "no model inside: group /domains is empty"));
    }
    let mut domains = Vec::with_capacity(names.len());
    for (k, name) in names.iter().enumerate() {
        if *name != k.to_string() {
            let text = format!("group /domains/{name}: domains must be numbered 0, 1, …");
            return Err(Error::format(&from.name, text));
        }
        domains.push(read_domain(&Table { from, base: format!("/domains/{k}") })?);
    }
    Ok(ModelFile { domains, provenance: provenance::read(from)? })
}

fn read_domain(t: &Table) -> Result<Model> {
    let analysis = match t.text("analysis")?.as_deref() {
        Some("DYNAMIC") => Analysis::Dynamic,
        Some("QUASI_STATIC") => Analysis::QuasiStatic,
        Some(other) => return t.wrong("@analysis", format!("'{other}', but DYNAMIC or QUASI_STATIC is wanted")),
        None => return t.wrong("@analysis", "missing attribute: DYNAMIC or QUASI_STATIC"),
    };
    let step = match t.number("step")? {
        Some(h) if h > 0.0 && h.is_finite() => h,
        Some(h) => return t.wrong("@step", format!("{h}, but a positive time step in seconds is wanted")),
        None => return t.wrong("@step", "missing attribute: the time step in seconds"),
    };
    let name = t.text("name")?;
    let path = t.text("output_path")?.or_else(|| name.as_ref().map(|n| format!("out/{n}")));
    let mut m = Model::new(analysis, step, path.unwrap_or_else(|| "out".into()));
    if let Some(name) = name {
        m.name = name;
    }
    if let Some(verbose) = t.text("verbose")? {
        m.verbose = verbose;
    }
    let compat = t.text("compat")?.unwrap_or_default();
    m.compat = compat.split(',').filter(|s| !s.is_empty()).map(String::from).collect();
    m.series = materials::series(t)?;
    loads::read_functions(t, &mut m)?;
    m.fields = fields::read(t, &m)?;
    m.bulk = materials::bulk(t)?;
    fields::read_varying(t, &mut m.bulk, m.fields.len())?;
    m.surface = materials::surface(t)?;
    settings::epsilon(t, &mut m)?;
    (m.library, m.shapes) = shapes::read(t, m.settings.epsilon)?;
    m.bases = bases::read(t)?;
    bodies::read(t, &mut m)?;
    fields::read_samples(t, &mut m)?;
    constraints::read(t, &mut m)?;
    loads::read(t, &mut m)?;
    display::read(t, &mut m)?;
    settings::read(t, &mut m)?;
    read_program(t, &mut m)?;
    Ok(m)
}

fn read_program(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has("program/steps") {
        return Ok(());
    }
    let n = t.len("program/steps")?;
    for (i, text) in t.texts("program/steps", n)?.iter().enumerate() {
        let op = program::parse(text).and_then(|op| program::check(&op, m).map(|()| op));
        match op {
            Ok(op) => m.program.push(op),
            Err(text) => return t.wrong_row("program/steps", i, text),
        }
    }
    Ok(())
}

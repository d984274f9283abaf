//! Models → file.

use solfec::model::{Analysis, Model};

use super::{
    bases, bodies, constraints, display, fields, loads, materials, program, provenance, settings, shapes, volumes,
    ModelFile, FORMAT, VERSION,
};
use crate::error::Result;
use crate::store::failed_write;
use crate::store::Out;

/// The whole file.
pub(crate) fn file(out: &mut Out, model: &ModelFile) -> Result<()> {
    out.group("/domains")?;
    let hash = out.hashed(|out| {
        let mut domains = model.domains.iter().enumerate();
        domains.try_for_each(|(k, domain)| write_domain(out, &format!("/domains/{k}"), domain))
    })?;
    let root = out.group("")?;
    for (key, value) in [
        ("format", FORMAT),
        ("format_version", VERSION),
        ("generator", concat!("Solfec tools ", env!("CARGO_PKG_VERSION"))),
        ("unit_system", "SI"),
        ("content_hash", &hash),
    ] {
        out.attribute(&root, key, value)?;
    }
    let requires_live = model.provenance.requires_live || model.domains.iter().any(Model::requires_live);
    root.new_attr::<u8>()
        .create("requires_live")
        .and_then(|a| a.write_scalar(&u8::from(requires_live)))
        .map_err(|e| failed_write("attribute requires_live", &e))?;
    provenance::write(out, &model.provenance)
}

fn write_domain(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let analysis = match m.analysis {
        Analysis::Dynamic => "DYNAMIC",
        Analysis::QuasiStatic => "QUASI_STATIC",
    };
    for (key, value) in [
        ("name", m.name.as_str()),
        ("analysis", analysis),
        ("output_path", &m.output_path),
        ("verbose", &m.verbose),
        ("compat", &m.compat.join(",")),
    ] {
        out.set_text(at, key, value)?;
    }
    settings::write(out, at, m)?;
    materials::write_series(out, at, m)?;
    materials::write(out, at, m)?;
    shapes::write(out, at, m)?;
    bases::write(out, at, m)?;
    bodies::write(out, at, m)?;
    volumes::write(out, at, m)?;
    fields::write(out, at, m)?;
    constraints::write(out, at, &m.constraints)?;
    loads::write(out, at, m)?;
    display::write(out, at, &m.display_points)?;
    let steps = m.program.iter().map(program::text).collect::<Result<Vec<_>>>()?;
    out.put_table(at, &program::OperationRows { steps })
}

//! Modes and matrices of bodies of finite elements: MODAL_ANALYSIS, BODY_MM_EXPORT, RIGID_DISPLACEMENTS.

use std::io::Write;
use std::path::{Path, PathBuf};

use solfec::body::{rigid_displacements, Pencil};
use solfec::math::Vec3;
use solfec::modal::{modes, Wanted};
use solfec::model::{Base, Formulation};
use solfec_formats::matrix_market::{mass, stiffness, Form};
use solfec_formats::modes::{is_one, material_hash, mesh_hash, read, write, Kept};

use super::bodies::BODY_ARG;
use crate::cli::CliError;
use crate::deck::args::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&MODAL_ANALYSIS, &BODY_MM_EXPORT, &RIGID_DISPLACEMENTS];

/// Legacy switch: matrices with the header and digits of Solfec-1.0.
const MM_HEADER: &str = "mm_header";

static MODAL_ANALYSIS: Command = Command {
    name: "MODAL_ANALYSIS",
    chapter: Chapter::Bodies,
    args: &[
        Arg::new("body", Kind::Object(&["BODY"]), "body of finite elements")
            .or(Default::Absent("read from the file only")),
        Arg::new(
            "num",
            Kind::Integer { min: 0, max: u32::MAX as i64 },
            "number of modes, rigid ones included; 0: all in the file",
        )
        .or(Default::Number(0.0)),
        Arg::new("path", Kind::Text, "file that keeps the modes, without '.h5' (docs/formats/modes.md)")
            .or(Default::Absent("none is kept")),
        Arg::new("abstol", Kind::POSITIVE, "largest relative residual of a mode").or(Default::Number(1e-11)),
        Arg::new("maxiter", Kind::COUNT, "largest number of restarts").or(Default::Number(100.0)),
        Arg::new("verbose", Kind::Switch, "tells how the solver went").or(Default::Text("OFF")),
    ],
    returns: "(values, vectors): eigenvalues [1/s2], ascending, and the vectors one after the other in one list",
    modes: Modes::Both,
    doc: "Lowest modes of a free body: K x = l M x with lumped masses. The first six are rigid, with eigenvalue 0 at \
          zero displacement; x M x = 1; entry 3 n + i of a vector is component i at node n. K is the tangent at the \
          present displacement for form 'TL', and at zero displacement otherwise; a body that stresses make unstable \
          has negative eigenvalues, which come first. Modes that the file keeps are used again if they are those of \
          this mesh, material and number.",
    run: modal_analysis,
};

static BODY_MM_EXPORT: Command = Command {
    name: "BODY_MM_EXPORT",
    chapter: Chapter::Bodies,
    args: &[
        BODY_ARG,
        Arg::new("pathM", Kind::Text, "file of the mass matrix"),
        Arg::new("pathK", Kind::Text, "file of the stiffness matrix"),
        Arg::new("spdM", Kind::Switch, "lower triangle only of the mass").or(Default::Text("ON")),
        Arg::new("spdK", Kind::Switch, "lower triangle only of the stiffness").or(Default::Text("ON")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Writes lumped mass and tangent stiffness of a body of finite elements as MatrixMarket files: coordinates \
          from 1, row 3 n + i + 1 is component i at node n. The stiffness is that of MODAL_ANALYSIS.",
    run: body_mm_export,
};

static RIGID_DISPLACEMENTS: Command = Command {
    name: "RIGID_DISPLACEMENTS",
    chapter: Chapter::Bodies,
    args: &[BODY_ARG],
    returns: "six lists of three numbers for each node",
    modes: Modes::Both,
    doc: "Displacements of the nodes in the rigid motions of a mesh: translations along x, y, z, rotations about axes \
          x, y, z through the mass centre, each of unit Euclidean norm.",
    run: |session, args| {
        let pencil = pencil(session, args.handle("body")?, true)?;
        let momenta = pencil.mass.iter().zip(&pencil.reference).map(|(mass, x)| x * *mass);
        let center = momenta.sum::<Vec3>() / pencil.mass.iter().sum::<f64>();
        let fields = rigid_displacements(&pencil.reference, &center);
        Ok(Value::List(fields.iter().map(|field| Value::Reals(flat(field))).collect()))
    },
};

fn modal_analysis(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let path = args.maybe_text("path").map(|path| PathBuf::from(format!("{path}.h5")));
    let count = args.int("num")? as usize;
    let body = args.maybe_handle("body");
    let pencil = body.map(|body| pencil(session, body, false)).transpose()?;
    let tolerance = args.real("abstol")?;
    let mut wanted = Wanted { count, tolerance, restarts: args.count("maxiter")? as usize };
    if let Some(path) = path.as_deref().filter(|path| path.exists()) {
        match kept(session, path, pencil.as_ref(), &mut wanted)? {
            Ok(base) => return Ok(returned(&base)),
            Err(why) => session.warn("modes", &format!("{}: {why}: made again", path.display())),
        }
    }
    let Some(pencil) = pencil else {
        return Err(Fault::value(match &path {
            Some(path) => format!("path: '{}' does not exist; give a body and a number of modes", path.display()),
            None => "neither a body nor the path of a file is given; give a body and a number of modes".into(),
        }));
    };
    if wanted.count == 0 {
        return Err(Fault::value("num: is 0 and no file keeps modes of the body; give the number of modes"));
    }
    let found = modes(&pencil, &wanted)?;
    if args.maybe_on("verbose") == Some(true) {
        let (last, worst) = (found.values.last(), found.residuals.iter().copied().fold(0.0, f64::max));
        let text = format!(
            "{}: {} modes, the last eigenvalue is {:.4e}, the largest residual {worst:.1e}, {} restarts",
            pencil.name(),
            found.values.len(),
            last.copied().unwrap_or_default(),
            found.restarts
        );
        session.note(&text);
    }
    let vectors = found.vectors.iter().flat_map(|x| flat(x)).collect();
    let base = Base::new("", found.values, vectors)?;
    let result = returned(&base);
    if let Some(path) = path {
        let (mesh_hash, material_hash) = (mesh_hash(&pencil), material_hash(&pencil));
        let kept = Kept { base, residuals: found.residuals, mesh_hash, material_hash, abstol: tolerance };
        write(&path, &kept).map_err(|e| Fault::new(FaultKind::System, e.to_string()))?;
    }
    Ok(result)
}

/// Modes that the file keeps, or why they are not those that are wanted; as many as it has if no number is given.
fn kept(
    session: &mut Session,
    path: &Path,
    pencil: Option<&Pencil>,
    wanted: &mut Wanted,
) -> Result<Result<Base, &'static str>, Fault> {
    if !is_one(path) {
        let text = format!("path: '{}' is there and holds no modes; remove it or give another path", path.display());
        return Err(Fault::value(text));
    }
    let kept = read(path).map_err(|e| Fault::new(FaultKind::System, e.to_string()))?;
    session.inputs.push(path.display().to_string());
    let have = kept.base.count();
    if wanted.count == 0 {
        wanted.count = have;
    }
    let fits = pencil.map_or(Some(true), |pencil| kept.fits(pencil));
    if fits == Some(false) {
        return Ok(Err("was made from another mesh or material"));
    }
    if pencil.is_some() && have < wanted.count {
        return Ok(Err("has fewer modes"));
    }
    if pencil.is_some() && kept.abstol > wanted.tolerance {
        return Ok(Err("was made with a larger abstol"));
    }
    if fits.is_none() {
        let text = format!("{}: does not say for which mesh and material it was made; used as it is", path.display());
        session.warn("modes", &text);
    }
    let Base { values, vectors, .. } = kept.base;
    let rows = vectors.len() / values.len();
    let count = wanted.count.min(have);
    Ok(Ok(Base::new("", values[..count].to_vec(), vectors[..count * rows].to_vec())?))
}

fn returned(base: &Base) -> Value {
    Value::Tuple(vec![Value::Reals(base.values.clone()), Value::Reals(base.vectors.clone())])
}

/// Mass and stiffness of a body; at its present displacement, unless that does not matter.
fn pencil(session: &mut Session, handle: Handle, reference: bool) -> Result<Pencil, Fault> {
    let id = handle.key[1];
    let row = session.domain(handle)?.body(handle)?.clone();
    let total = row.form == Formulation::TotalLagrangian && !reference;
    let mut displacements = Vec::new();
    if total {
        let now = session.now(handle, "the displacement of a body")?;
        if now.moved(&row) {
            displacements = now.configuration(id)?.chunks_exact(3).map(Vec3::from_column_slice).collect();
        }
    }
    let domain = session.domain(handle)?;
    let mut model = domain.model_of(&row).clone();
    model.bulk.clone_from(&domain.in_force.bulk);
    Ok(Pencil::of(&model, id, &displacements)?)
}

fn body_mm_export(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    let legacy = session.environment.compat.iter().any(|name| name == MM_HEADER);
    let pencil = pencil(session, body, false)?;
    let form = |lower: Option<bool>| match (lower == Some(true), legacy) {
        (true, true) => Form::LowerUnderGeneral,
        (true, false) => Form::Symmetric,
        (false, _) => Form::General,
    };
    let files = [("pathM", "spdM", mass(&pencil)), ("pathK", "spdK", stiffness(&pencil))];
    for (path, lower, matrix) in files {
        let path = Path::new(args.text(path)?);
        let failed = |e: std::io::Error| Fault::new(FaultKind::System, CliError::file(path, "write", &e).text);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut out = std::io::BufWriter::new(std::fs::File::create(path).map_err(failed)?);
        matrix.write(form(args.maybe_on(lower)), &mut out).and_then(|()| out.flush()).map_err(failed)?;
    }
    Ok(Value::None)
}

fn flat(field: &[Vec3]) -> Vec<f64> {
    field.iter().flat_map(|x| [x.x, x.y, x.z]).collect()
}

//! SOLFEC.

use std::path::{Component, Path};

use solfec::model::{Analysis, Model, Op, Sparsify};

use crate::deck::args::Args;
use crate::deck::domain::Domain;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&SOLFEC];

/// The argument that names the SOLFEC object.
pub const SOLFEC_ARG: Arg = Arg::new("solfec", Kind::Object(&["SOLFEC"]), "SOLFEC object");

static SOLFEC: Command = Command {
    name: "SOLFEC",
    chapter: Chapter::Domain,
    args: &[
        Arg::new("analysis", Kind::Choice(&["DYNAMIC", "QUASI_STATIC"]), "kind of analysis"),
        Arg::new("step", Kind::POSITIVE, "time step").unit("s"),
        Arg::new("output", Kind::Text, "directory of the results"),
    ],
    returns: "a SOLFEC object",
    modes: Modes::Both,
    doc: "A separate model: bodies, materials, settings, runs. Makes the directory, for the deck to write to; it goes again \
          if it is empty when the deck ends.",
    run: solfec,
};

pub fn body_handle(domain: Handle, id: u64) -> Handle {
    Handle { class: "BODY", key: [domain.key[0], id] }
}

/// Whether two paths are written differently at most by `.` and doubled slashes.
pub fn same_directory(one: &str, other: &str) -> bool {
    let parts = |path| Path::new(path).components().filter(|part| *part != Component::CurDir);
    parts(one).eq(parts(other))
}

fn solfec(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let analysis = match args.text("analysis")? {
        "QUASI_STATIC" => Analysis::QuasiStatic,
        _ => Analysis::Dynamic,
    };
    let output = args.text("output")?.trim_end_matches('/');
    if output.is_empty() {
        return Err(Fault::value("output: is empty; give a directory"));
    }
    let path = match &session.environment.subdir {
        Some(subdir) => format!("{output}/{subdir}"),
        None => output.into(),
    };
    if !session.is_live() && session.domains.iter().any(|d| same_directory(&d.model.output_path, &path)) {
        return Err(Fault::live(format!("'{path}' is opened again; reading results back needs live execution")));
    }
    session.make_directory(&path);
    let mut model = Model::new(analysis, args.real("step")?, path);
    model.compat.clone_from(&session.environment.compat);
    let (value, Sparsify { threshold, minarea, projected, .. }) = (session.epsilon, model.settings.sparsify);
    model.apply(Op::GeometricEpsilon { value })?;
    model.apply(Op::ContactSparsify { threshold, minarea, mindist: value, projected })?;
    session.domains.push(Domain::new(model));
    Ok(Value::Handle(Handle { class: "SOLFEC", key: [session.domains.len() as u64 - 1, 0] }))
}

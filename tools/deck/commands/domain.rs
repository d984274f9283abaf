//! SOLFEC and its members (commands-and-results.md A.2).

use std::path::{Component, Path};

use solfec::model::{Analysis, Definition, Model, Op, Sparsify};

use super::constraint_members::constraints;
use crate::deck::bind::Args;
use crate::deck::fault::Fault;
use crate::deck::now::Now;
use crate::deck::domain::Domain;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Kind, Member, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&SOLFEC];
pub const CLASSES: &[&Class] = &[&CLASS];

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
    doc: "A model of its own: bodies, materials, settings, runs.",
    run: solfec,
};

/// Values of the member `verbose`.
const VERBOSE: &[&str] = &["ON", "OFF", "%", "%\n"];

static CLASS: Class = Class {
    name: "SOLFEC",
    chapter: Chapter::Domain,
    doc: "A model of its own.",
    members: &[
        Member {
            name: "analysis",
            unit: "",
            doc: "'DYNAMIC' or 'QUASI_STATIC'",
            get: |session, object| {
                Ok(Value::Text(
                    match session.domain(object)?.model.analysis {
                        Analysis::Dynamic => "DYNAMIC",
                        Analysis::QuasiStatic => "QUASI_STATIC",
                    }
                    .into(),
                ))
            },
            set: None,
        },
        Member {
            name: "time",
            unit: "s",
            doc: "current time; READ: that of the current frame, 0 before the first reading command",
            get: |session, object| Ok(Value::Real(session.now(object, "the time")?.time())),
            set: None,
        },
        Member {
            name: "mode",
            unit: "",
            doc: "'WRITE' or 'READ'; always 'WRITE' while a model is recorded",
            get: |session, object| {
                let mode = if session.domain(object)?.reads() { "READ" } else { "WRITE" };
                Ok(Value::Text(mode.into()))
            },
            set: None,
        },
        Member {
            name: "outpath",
            unit: "",
            doc: "directory of the results, with the sub-directory of the command line",
            get: |session, object| Ok(Value::Text(session.domain(object)?.model.output_path.clone())),
            set: None,
        },
        Member {
            name: "restarted",
            unit: "",
            doc: "True when the object goes on where an earlier process left it (sf-run -c)",
            get: |session, object| Ok(Value::Bool(session.domain(object)?.restarted())),
            set: None,
        },
        Member {
            name: "bodies",
            unit: "",
            doc: "list of bodies, the latest first; READ: those of the current frame",
            get: |session, object| {
                let ids = bodies(session, object)?.into_iter();
                Ok(Value::List(ids.map(|id| Value::Handle(body_handle(object, id))).collect()))
            },
            set: None,
        },
        Member {
            name: "nbod",
            unit: "",
            doc: "number of bodies",
            get: |session, object| Ok(Value::Int(bodies(session, object)?.len() as i64)),
            set: None,
        },
        Member {
            name: "constraints",
            unit: "",
            doc: "list of constraints, contacts among them, the latest first",
            get: |session, object| Ok(Value::List(constraints(session, object, None)?)),
            set: None,
        },
        Member {
            name: "ncon",
            unit: "",
            doc: "number of constraints",
            get: |session, object| Ok(Value::Int(constraints(session, object, None)?.len() as i64)),
            set: None,
        },
        Member {
            name: "step",
            unit: "s",
            doc: "time step; a run may lower it",
            get: |session, object| Ok(Value::Real(session.now(object, "the time step")?.step())),
            set: Some((Kind::POSITIVE, |session, object, value| {
                let Value::Real(value) = *value else { return Ok(()) };
                session.domain(object)?.apply(Op::Step { value })
            })),
        },
        Member {
            name: "step_recovery",
            unit: "",
            doc: "'ON': a step lowered for stability grows back when it may; 'OFF': it stays lowered",
            get: |session, object| Ok(Value::on_off(session.domain(object)?.model.settings.step_recovery)),
            set: Some((Kind::Switch, |session, object, value| {
                let Value::Bool(on) = *value else { return Ok(()) };
                session.domain(object)?.apply(Op::StepRecovery { on })
            })),
        },
        Member {
            name: "verbose",
            unit: "",
            doc: "'ON', 'OFF', '%' or '%\\n': how a run reports",
            get: |session, object| {
                let verbose = &session.domain(object)?.model.verbose;
                Ok(Value::Text(verbose.trim_end().into()))
            },
            set: Some((Kind::Choice(VERBOSE), |session, object, value| {
                if let Value::Text(text) = value {
                    session.domain(object)?.apply(Op::Define(Definition::Verbose(text.clone())))?;
                }
                Ok(())
            })),
        },
        Member {
            name: "cleanup",
            unit: "",
            doc: "'ON': remove the directory of results if nothing was written",
            get: |session, object| Ok(Value::on_off(session.domain(object)?.cleanup)),
            set: Some((Kind::Switch, |session, object, value| {
                session.domain(object)?.cleanup = *value == Value::Bool(true);
                Ok(())
            })),
        },
    ],
    methods: &[],
};

/// Ids of the bodies that exist, the latest first. While a model is recorded, all bodies stay that the deck does not delete.
fn bodies(session: &mut Session, object: Handle) -> Result<Vec<u64>, Fault> {
    if session.is_live() {
        return Ok(session.now(object, "the bodies")?.bodies());
    }
    Ok(Now::described(session.domain(object)?).bodies())
}

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
    let mut model = Model::new(analysis, args.real("step")?, path);
    model.compat.clone_from(&session.environment.compat);
    let (value, Sparsify { threshold, minarea, projected, .. }) = (session.epsilon, model.settings.sparsify);
    model.apply(Op::GeometricEpsilon { value })?;
    model.apply(Op::ContactSparsify { threshold, minarea, mindist: value, projected })?;
    session.domains.push(Domain::new(model));
    Ok(Value::Handle(Handle { class: "SOLFEC", key: [session.domains.len() as u64 - 1, 0] }))
}

//! Members of SOLFEC.

use solfec::model::{Analysis, Definition, Op};

use super::constraint_members::constraints;
use super::domain::body_handle;
use crate::deck::table::{Chapter, Class, Kind, Member};
use crate::deck::value::Value;

pub const CLASSES: &[&Class] = &[&CLASS];

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
            get: |session, object| Ok(Value::Real(session.now(object, "the time")?.time()?)),
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
            doc: "directory of the results that the deck gives, with the sub-directory of the command line; \
                  not that of -o",
            get: |session, object| Ok(Value::Text(session.domain(object)?.model.output_path.clone())),
            set: None,
        },
        Member {
            name: "restarted",
            unit: "",
            doc: "True when the object continues a run of an earlier process (sf-run -c)",
            get: |session, object| Ok(Value::Bool(session.domain(object)?.restarted())),
            set: None,
        },
        Member {
            name: "bodies",
            unit: "",
            doc: "list of bodies, the latest first; READ: those of the current frame",
            get: |session, object| {
                let ids = session.roster(object)?.bodies()?.into_iter();
                Ok(Value::List(ids.map(|id| Value::Handle(body_handle(object, id))).collect()))
            },
            set: None,
        },
        Member {
            name: "nbod",
            unit: "",
            doc: "number of bodies",
            get: |session, object| Ok(Value::Int(session.roster(object)?.bodies()?.len() as i64)),
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
            get: |session, object| Ok(Value::Real(session.now(object, "the time step")?.step()?)),
            set: Some((Kind::POSITIVE, |session, object, value| {
                let Value::Real(value) = *value else { return Ok(()) };
                session.domain(object)?.apply(Op::Step { value })
            })),
        },
        Member {
            name: "step_recovery",
            unit: "",
            doc: "'ON': a step lowered for stability may grow back; 'OFF': it stays lowered",
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

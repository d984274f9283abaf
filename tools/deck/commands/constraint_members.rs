//! Members of CONSTRAINT, lists of constraints, DELETE.

use solfec::math::Vec3;
use solfec::model::{constraint_kind, Op};

use super::domain::{body_handle, SOLFEC_ARG};
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::query::{Constraint, CONTACT};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Kind, Member, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&DELETE];
pub const CLASSES: &[&Class] = &[&CONSTRAINT];

static DELETE: Command = Command {
    name: "DELETE",
    chapter: Chapter::Bodies,
    args: &[
        SOLFEC_ARG,
        Arg::new("object", Kind::Object(&["BODY", "CONSTRAINT"]), "a body or a user constraint; emptied"),
    ],
    returns: "None",
    modes: Modes::WriteOnly,
    doc: "Removes a body with its constraints and loads, or a constraint.",
    run: delete,
};

static CONSTRAINT: Class = Class {
    name: "CONSTRAINT",
    chapter: Chapter::Constraints,
    doc: "A user constraint or a contact. Its members are None when it no longer exists.",
    members: &[
        Member {
            name: "kind",
            unit: "",
            doc: "'CONTACT', 'FIXPNT', 'FIXDIR', 'VELODIR', 'VELODIR3', 'RIGLNK' or 'SPRING'",
            get: |session, object| {
                member(session, object, |state| {
                    Value::Text(constraint_kind::NAMES.get(state.kind as usize).copied().unwrap_or_default().into())
                })
            },
            set: None,
        },
        Member {
            name: "R",
            unit: "N",
            doc: "average reaction over the step (T1, T2, N)",
            get: |session, object| member(session, object, |state| vector(&state.r)),
            set: None,
        },
        Member {
            name: "U",
            unit: "m/s",
            doc: "relative velocity at the end of the step (T1, T2, N)",
            get: |session, object| member(session, object, |state| vector(&state.u)),
            set: None,
        },
        Member {
            name: "V",
            unit: "m/s",
            doc: "relative velocity at the start of the step (T1, T2, N)",
            get: |session, object| member(session, object, |state| vector(&state.v)),
            set: None,
        },
        Member {
            name: "base",
            unit: "",
            doc: "local base, 9 numbers: T1, T2, N",
            get: |session, object| member(session, object, |state| Value::tuple(state.base.iter().copied())),
            set: None,
        },
        Member {
            name: "point",
            unit: "m",
            doc: "point where the reaction acts; 6 numbers for RIGLNK",
            get: |session, object| {
                member(session, object, |state| {
                    Value::tuple(state.point.iter().chain(state.other.iter().flatten()).copied())
                })
            },
            set: None,
        },
        Member {
            name: "area",
            unit: "m2",
            doc: "area of a contact, else 0",
            get: |session, object| member(session, object, |state| Value::Real(state.area)),
            set: None,
        },
        Member {
            name: "gap",
            unit: "m",
            doc: "gap of a contact, negative for penetration; length error of a RIGLNK, stroke of a SPRING at the \
                  middle of the last step, else 0",
            get: |session, object| member(session, object, |state| Value::Real(state.gap)),
            set: None,
        },
        Member {
            name: "merit",
            unit: "",
            doc: "part of the merit function",
            get: |session, object| member(session, object, |state| Value::Real(state.merit)),
            set: None,
        },
        Member {
            name: "adjbod",
            unit: "",
            doc: "the body, or the pair of bodies (master, slave)",
            get: |session, object| {
                member(session, object, |state| {
                    let body = |id| Value::Handle(body_handle(object, id));
                    match state.slave {
                        None => body(state.master),
                        Some(slave) => Value::Tuple(vec![body(state.master), body(slave)]),
                    }
                })
            },
            set: None,
        },
        Member {
            name: "matlab",
            unit: "",
            doc: "label of the surface material of a contact, else None",
            get: material,
            set: None,
        },
        Member {
            name: "spair",
            unit: "",
            doc: "surfaces of a contact (of the master, of the slave), else None",
            get: |session, object| {
                member(session, object, |state| match state.surfaces {
                    None => Value::None,
                    Some(pair) => Value::Tuple(pair.iter().map(|id| Value::Int((*id).into())).collect()),
                })
            },
            set: None,
        },
    ],
    methods: &[],
};

fn vector(v: &Vec3) -> Value {
    Value::tuple(v.iter().copied())
}

/// A member of a constraint as it is now; None when there is no such (any more).
fn member(session: &mut Session, object: Handle, of: impl Fn(&Constraint) -> Value) -> Result<Value, Fault> {
    let now = session.now(object, "a constraint")?;
    Ok(now.constraint(object.key[1])?.map_or(Value::None, |constraint| of(&constraint)))
}

fn material(session: &mut Session, object: Handle) -> Result<Value, Fault> {
    let now = session.now(object, "a constraint")?;
    let row = now.constraint(object.key[1])?.and_then(|constraint| constraint.material);
    Ok(row.and_then(|row| now.surface_label(row)).map_or(Value::None, Value::Text))
}

/// All constraints of a SOLFEC object, or those of one of its bodies, the latest first.
pub fn constraints(session: &mut Session, object: Handle, body: Option<u64>) -> Result<Vec<Value>, Fault> {
    let found = session.now(object, "the constraints")?.constraints(body)?;
    let handle = |key| Value::Handle(Handle { class: "CONSTRAINT", key: [object.key[0], key] });
    Ok(found.into_iter().map(handle).collect())
}

fn delete(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (solfec, object) = (args.handle("solfec")?, args.handle("object")?);
    if object.key[0] != solfec.key[0] {
        return Err(Fault::value("object: belongs to another SOLFEC object; name its own"));
    }
    if object.class == "BODY" {
        let id = object.key[1];
        let domain = session.domain(object)?;
        domain.body(object)?;
        domain.apply(Op::DeleteBody { body: id })?;
        domain.deleted.bodies.insert(id);
        let rows = domain.model.constraints.iter().enumerate();
        let gone = rows.filter(|(_, row)| row.master == id || row.slave == Some(id)).map(|(row, _)| row as u32);
        domain.deleted.constraints.extend(gone);
        return Ok(Value::None);
    }
    if object.key[1] & CONTACT != 0 {
        return Err(Fault::value(
            "object: is a contact, which lasts while its bodies touch; use CONTACT_EXCLUDE_BODIES or \
                CONTACT_EXCLUDE_SURFACES",
        ));
    }
    let row = object.key[1] as u32;
    let domain = session.domain(object)?;
    if !domain.deleted.constraints.insert(row) {
        return Err(Fault::wrong_type("object: the constraint was recently deleted"));
    }
    domain.apply(Op::DeleteConstraint { row })?;
    Ok(Value::None)
}

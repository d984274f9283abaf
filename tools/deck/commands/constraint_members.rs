//! Members of CONSTRAINT, lists of constraints, DELETE (commands-and-results.md A.2, A.4, A.6).

use solfec::constraint::End;
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{ConstraintRow, Joint, Op, SpringAxis};
use solfec::simulation::Simulation;

use super::constraints::place;
use super::domain::{body_handle, SOLFEC_ARG};
use crate::deck::bind::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Kind, Member, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&DELETE];
pub const CLASSES: &[&Class] = &[&CONSTRAINT];

/// Second number of the handle of a contact: this, and the id of the contact. That of a user constraint is its row.
const CONTACT: u64 = 1 << 63;

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
    doc: "A user constraint or a contact. Its members are None once it does not exist any more.",
    members: &[
        Member {
            name: "kind",
            unit: "",
            doc: "'CONTACT', 'FIXPNT', 'FIXDIR', 'VELODIR', 'VELODIR3', 'RIGLNK' or 'SPRING'",
            get: |session, object| member(session, object, |state| Value::Text(state.kind.into())),
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
            doc: "where the reaction acts; 6 numbers for RIGLNK",
            get: |session, object| member(session, object, |state| Value::tuple(state.point.iter().copied())),
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
            doc:
                "gap of a contact, negative in penetration; error of the length of a RIGLNK, stroke of a SPRING, else 0",
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
                    let body = |id| Value::Handle(body_handle(state.of, id));
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
            get: |session, object| {
                let Some(state) = constraint_state(session, object)? else { return Ok(Value::None) };
                let Some(row) = state.material else { return Ok(Value::None) };
                let material = session.domain(object)?.surface.get(row as usize);
                Ok(material.map_or(Value::None, |m| Value::Text(m.label.clone())))
            },
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

/// What the members of a constraint say.
struct ConstraintState {
    of: Handle,
    kind: &'static str,
    master: u64,
    slave: Option<u64>,
    r: Vec3,
    u: Vec3,
    v: Vec3,
    base: Mat3,
    /// 3 or 6 numbers.
    point: Vec<f64>,
    area: f64,
    gap: f64,
    merit: f64,
    /// Of a contact: row of the surface material, surfaces of master and slave.
    material: Option<u32>,
    surfaces: Option<[i32; 2]>,
}

fn vector(v: &Vec3) -> Value {
    Value::tuple(v.iter().copied())
}

fn member(session: &mut Session, object: Handle, of: impl Fn(&ConstraintState) -> Value) -> Result<Value, Fault> {
    Ok(constraint_state(session, object)?.map_or(Value::None, |state| of(&state)))
}

/// A constraint as it is now; `None` when there is no such (any more).
fn constraint_state(session: &mut Session, object: Handle) -> Result<Option<ConstraintState>, Fault> {
    let domain = session.domain(object)?;
    let row = match object.key[1] {
        key if key & CONTACT != 0 => None,
        row if domain.deleted.constraints.contains(&(row as u32)) => return Ok(None),
        row => domain.model.constraints.get(row as usize).cloned(),
    };
    match (session.simulation(object, "a constraint")?, row) {
        (Some(simulation), Some(_)) => Ok(user_constraint(simulation, object)),
        (Some(simulation), None) => Ok(contact(simulation, object)),
        (None, Some(row)) => described(session, object, &row).map(Some),
        (None, None) => Ok(None),
    }
}

/// A constraint that no RUN has seen yet.
fn described(session: &mut Session, object: Handle, row: &ConstraintRow) -> Result<ConstraintState, Fault> {
    let point = place(session, body_handle(object, row.master), &row.points[0])?;
    let other = match row.slave {
        Some(slave) => place(session, body_handle(object, slave), &row.points[1])?,
        None => row.points[1],
    };
    let link = matches!(row.joint, Joint::RigidLink { .. });
    let points = if link { vec![point, other] } else { vec![point] };
    Ok(ConstraintState {
        of: object,
        kind: kind(&row.joint),
        master: row.master,
        slave: row.slave,
        r: Vec3::zeros(),
        u: Vec3::zeros(),
        v: Vec3::zeros(),
        base: base(&row.joint, &(point - other)),
        point: points.iter().flat_map(|p| p.iter().copied()).collect(),
        area: 0.0,
        gap: 0.0,
        merit: 0.0,
        material: None,
        surfaces: None,
    })
}

fn kind(joint: &Joint) -> &'static str {
    match joint {
        Joint::FixPoint { .. } => "FIXPNT",
        Joint::FixDirection { .. } => "FIXDIR",
        Joint::Drive { .. } => "VELODIR",
        Joint::Drive3 { .. } => "VELODIR3",
        Joint::RigidLink { .. } => "RIGLNK",
        Joint::Spring { .. } => "SPRING",
    }
}

/// Local base (conventions.md 3); `z` goes from slave to master.
fn base(joint: &Joint, z: &Vec3) -> Mat3 {
    match joint {
        Joint::FixPoint { .. } => Mat3::identity(),
        Joint::FixDirection { direction } | Joint::Drive { direction, .. } => local_base(direction),
        Joint::Drive3 { base, .. } => *base,
        Joint::Spring { axis: SpringAxis::Fixed(d) | SpringAxis::Master(d) | SpringAxis::Slave(d), .. } => {
            local_base(&-d)
        }
        Joint::RigidLink { .. } | Joint::Spring { axis: SpringAxis::Follow, .. } => {
            local_base(&z.try_normalize(0.0).unwrap_or(Vec3::z()))
        }
    }
}

/// A user constraint of a running simulation.
fn user_constraint(simulation: &Simulation, object: Handle) -> Option<ConstraintState> {
    let ties = simulation.ties();
    let tie = &ties[ties.binary_search_by_key(&object.key[1], |tie| tie.row.into()).ok()?];
    let body = |end: &End| simulation.bodies().id(end.body as usize);
    let other = tie.slave.map(|slave| slave.point).or(tie.anchor);
    let link = matches!(tie.joint, Joint::RigidLink { .. });
    let points = std::iter::once(tie.master.point).chain(other.filter(|_| link));
    Some(ConstraintState {
        of: object,
        kind: kind(&tie.joint),
        master: body(&tie.master),
        slave: tie.slave.as_ref().map(body),
        r: tie.r,
        u: tie.u,
        v: tie.v,
        base: tie.base,
        point: points.flat_map(|p| [p.x, p.y, p.z]).collect(),
        area: 0.0,
        gap: tie.gap(),
        merit: tie.merit,
        material: None,
        surfaces: None,
    })
}

fn contact(simulation: &Simulation, object: Handle) -> Option<ConstraintState> {
    let id = object.key[1] & !CONTACT;
    let contact = simulation.contacts().iter().find(|c| c.id == id)?;
    let body = |index: u32| simulation.bodies().id(index as usize);
    Some(ConstraintState {
        of: object,
        kind: "CONTACT",
        master: body(contact.master.body),
        slave: Some(body(contact.slave.body)),
        r: contact.r,
        u: contact.u,
        v: contact.v,
        base: contact.base,
        point: contact.master.point.iter().copied().collect(),
        area: contact.area,
        gap: contact.gap,
        merit: contact.merit,
        material: Some(contact.material),
        surfaces: Some([contact.master.surf, contact.slave.surf]),
    })
}

/// All constraints of a SOLFEC object, or those of one of its bodies, the latest first.
pub fn constraints(session: &mut Session, object: Handle, body: Option<u64>) -> Result<Vec<Value>, Fault> {
    let found: Vec<u64> = match session.simulation(object, "the constraints")? {
        Some(simulation) => running_constraints(simulation, body),
        None => {
            let domain = session.domain(object)?;
            let rows = domain.model.constraints.iter().enumerate().rev();
            let here = |(row, _): &(usize, &ConstraintRow)| !domain.deleted.constraints.contains(&(*row as u32));
            let at = |row: &ConstraintRow| body.is_none_or(|id| row.master == id || row.slave == Some(id));
            rows.filter(here).filter(|(_, row)| at(row)).map(|(row, _)| row as u64).collect()
        }
    };
    let handle = |key| Value::Handle(Handle { class: "CONSTRAINT", key: [object.key[0], key] });
    Ok(found.into_iter().map(handle).collect())
}

/// Second numbers of the handles.
fn running_constraints(simulation: &Simulation, body: Option<u64>) -> Vec<u64> {
    let id = |index: u32| simulation.bodies().id(index as usize);
    let at = |index: u32| body.is_none_or(|body| id(index) == body);
    let contacts = simulation.contacts().iter().filter(|c| at(c.master.body) || at(c.slave.body));
    let mut found: Vec<(u64, u64)> = contacts.map(|c| (c.id, CONTACT | c.id)).collect();
    let ties =
        simulation.ties().iter().filter(|tie| at(tie.master.body) || tie.slave.is_some_and(|slave| at(slave.body)));
    found.extend(ties.map(|tie| (tie.id, u64::from(tie.row))));
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, key)| key).collect()
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
            "object: is a contact, which lasts while its bodies touch; use CONTACT_EXCLUDE_BODIES or CONTACT_EXCLUDE_SURFACES",
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

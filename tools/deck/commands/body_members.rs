//! Members of BODY.

use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::{Analysis, BodyKind, BodyRow, Op, Scheme};
use solfec::query::check_body;
use solfec::shape::{Mesh, Shape};

use super::constraint_members::constraints;
use super::exports::display_points;
use crate::deck::domain::Domain;
use crate::deck::fault::Fault;
use crate::deck::now::Now;
use crate::deck::objects::Objects;
use crate::deck::session::Session;
use crate::deck::table::{Chapter, Class, Kind, Member};
use crate::deck::value::{Handle, Value};

pub const CLASSES: &[&Class] = &[&BODY];

const SCHEMES: Kind = Kind::Choice(&["DEFAULT", "RIG_POS", "RIG_NEG", "RIG_IMP", "DEF_EXP", "DEF_LIM"]);

static BODY: Class = Class {
    name: "BODY",
    chapter: Chapter::Bodies,
    doc: "A body.",
    members: &[
        Member {
            name: "id",
            unit: "",
            doc: "number from 1 in order of creation",
            get: |session, object| Ok(Value::Int(row(session, object)?.id as i64)),
            set: None,
        },
        Member {
            name: "kind",
            unit: "",
            doc: "kind of body",
            get: |session, object| Ok(Value::Text(row(session, object)?.kind.name().into())),
            set: None,
        },
        Member {
            name: "label",
            unit: "",
            doc: "label, '' if none",
            get: |session, object| Ok(Value::Text(row(session, object)?.label.clone())),
            set: None,
        },
        Member {
            name: "mass",
            unit: "kg",
            doc: "mass",
            get: |session, object| Ok(Value::Real(described(session, object)?.chars.mass)),
            set: None,
        },
        Member {
            name: "volume",
            unit: "m3",
            doc: "volume of the reference configuration",
            get: |session, object| Ok(Value::Real(described(session, object)?.chars.volume)),
            set: None,
        },
        Member {
            name: "center",
            unit: "m",
            doc: "mass centre of the reference configuration",
            get: |session, object| Ok(Value::tuple(described(session, object)?.chars.center.iter().copied())),
            set: None,
        },
        Member {
            name: "tensor",
            unit: "kg m2",
            doc: "inertia tensor of rigid bodies and obstacles, Euler tensor of the others; 9 numbers",
            get: |session, object| Ok(Value::tuple(described(session, object)?.chars.tensor.iter().copied())),
            set: None,
        },
        Member {
            name: "material",
            unit: "",
            doc: "label of the bulk material",
            get: |session, object| {
                let material = row(session, object)?.material as usize;
                let bulk = &session.domain(object)?.in_force.bulk;
                Ok(bulk.get(material).map_or(Value::None, |m| Value::Text(m.label.clone())))
            },
            set: None,
        },
        Member {
            name: "conf",
            unit: "",
            doc: "configuration, in the layout of the kind of body: rotation by columns (PSEUDO_RIGID: deformation \
                  gradient by rows) and mass centre",
            get: |session, object| {
                let now = session.now(object, "the configuration of a body")?;
                Ok(Value::tuple(now.configuration(object.key[1])?))
            },
            set: Some((Kind::Numbers, |session, object, value| {
                let Value::Reals(conf) = value else { return Ok(()) };
                let (body, conf) = (object.key[1], conf.clone());
                check_configuration(session.domain(object)?, object, &conf)?;
                session.domain(object)?.apply(Op::SetConfiguration { body, conf })
            })),
        },
        Member {
            name: "velo",
            unit: "",
            doc: "velocity, in the layout of the kind of body: referential angular and spatial linear (PSEUDO_RIGID: \
                  rate of the deformation gradient by rows and linear)",
            get: |session, object| {
                let now = session.now(object, "the velocity of a body")?;
                Ok(Value::tuple(now.velocity(object.key[1])?))
            },
            set: Some((Kind::Numbers, |session, object, value| {
                let Value::Reals(velo) = value else { return Ok(()) };
                let (body, velo) = (object.key[1], velo.clone());
                session.domain(object)?.apply(Op::SetVelocity { body, velo })
            })),
        },
        Member {
            name: "constraints",
            unit: "",
            doc: "list of constraints at the body",
            get: |session, object| Ok(Value::List(constraints(session, object, Some(object.key[1]))?)),
            set: None,
        },
        Member {
            name: "ncon",
            unit: "",
            doc: "number of constraints at the body",
            get: |session, object| Ok(Value::Int(constraints(session, object, Some(object.key[1]))?.len() as i64)),
            set: None,
        },
        Member {
            name: "selfcontact",
            unit: "",
            doc: "'ON' or 'OFF'; finite elements only",
            get: |session, object| Ok(Value::on_off(described(session, object)?.selfcontact)),
            set: Some((Kind::Switch, |session, object, value| {
                let on = *value == Value::Bool(true);
                if on && row(session, object)?.kind != BodyKind::FiniteElement {
                    return Err(Fault::value("is for FINITE_ELEMENT bodies; leave it 'OFF'"));
                }
                session.domain(object)?.apply(Op::SelfContact { body: object.key[1], on })
            })),
        },
        Member {
            name: "scheme",
            unit: "",
            doc: "time integration: 'DEFAULT', 'RIG_POS', 'RIG_NEG', 'RIG_IMP' (rigid), 'DEF_EXP', 'DEF_LIM' \
                (deformable)",
            get: |session, object| Ok(Value::Text(scheme_name(described(session, object)?.scheme).into())),
            set: Some((SCHEMES, set_scheme)),
        },
        Member {
            name: "damping",
            unit: "s",
            doc: "damping proportional to stiffness",
            get: |session, object| Ok(Value::Real(described(session, object)?.damping)),
            set: Some((Kind::NOT_NEGATIVE, |session, object, value| {
                let Value::Real(damping) = *value else { return Ok(()) };
                let body = object.key[1];
                session.domain(object)?.apply(Op::SetDamping { body, damping })
            })),
        },
        Member {
            name: "fracturecheck",
            unit: "",
            doc: "'ON' or 'OFF'; finite elements only",
            get: |_, _| Ok(Value::on_off(false)),
            set: Some((Kind::Switch, |session, _, value| {
                if *value == Value::Bool(true) {
                    session.warn("ignored", "is not in this version; no body is checked for fracture");
                }
                Ok(())
            })),
        },
        Member {
            name: "disable_rotation",
            unit: "",
            doc: "'ON': the body does not rotate; rigid bodies only",
            get: |session, object| Ok(Value::on_off(described(session, object)?.disable_rotation)),
            set: Some((Kind::Switch, |session, object, value| {
                if row(session, object)?.kind != BodyKind::Rigid {
                    session.warn("ignored", "is for RIGID bodies; ignored");
                    return Ok(());
                }
                let (body, on) = (object.key[1], *value == Value::Bool(true));
                session.domain(object)?.apply(Op::DisableRotation { body, on })
            })),
        },
        Member {
            name: "display_points",
            unit: "",
            doc: "list of (label, (x, y, z)) of DISPLAY_POINT at their current places",
            get: display_points,
            set: None,
        },
        Member {
            name: "mesh",
            unit: "",
            doc: "MESH of the body for inspection, a list of several, or None",
            get: meshes,
            set: None,
        },
    ],
    methods: &[],
};

/// As the deck has set it last.
fn described(objects: &mut Objects, object: Handle) -> Result<&BodyRow, Fault> {
    objects.domain(object)?.described(object)
}

fn row(objects: &mut Objects, object: Handle) -> Result<&BodyRow, Fault> {
    objects.domain(object)?.body(object)
}

fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Default => "DEFAULT",
        Scheme::RigPos => "RIG_POS",
        Scheme::RigNeg => "RIG_NEG",
        Scheme::RigImp => "RIG_IMP",
        Scheme::DefExp => "DEF_EXP",
        Scheme::DefLim => "DEF_LIM",
    }
}

fn set_scheme(session: &mut Session, object: Handle, value: &Value) -> Result<(), Fault> {
    let Value::Text(name) = value else { return Ok(()) };
    let rigid = matches!(row(session, object)?.kind, BodyKind::Rigid | BodyKind::Obstacle);
    if name == "DEF_EXP" && row(session, object)?.reduced().is_some() {
        return Err(Fault::value("'DEF_EXP' is not for reduced bodies; leave it 'DEF_LIM'"));
    }
    let scheme = match (name.as_str(), rigid) {
        ("DEFAULT", _) => Scheme::Default,
        ("RIG_POS", true) => Scheme::RigPos,
        ("RIG_NEG", true) => Scheme::RigNeg,
        ("RIG_IMP", true) => Scheme::RigImp,
        ("DEF_EXP", false) => Scheme::DefExp,
        ("DEF_LIM", false) => Scheme::DefLim,
        (_, true) => {
            return Err(Fault::value(format!("'{name}' is for deformable bodies; use RIG_POS, RIG_NEG or RIG_IMP")))
        }
        (_, false) => return Err(Fault::value(format!("'{name}' is for rigid bodies; use DEF_EXP or DEF_LIM"))),
    };
    if session.domain(object)?.model.analysis == Analysis::QuasiStatic {
        session.warn("ignored", "the scheme of a quasi-static analysis is fixed; ignored");
        return Ok(());
    }
    let body = object.key[1];
    session.domain(object)?.apply(Op::SetScheme { body, scheme })
}

/// Errors of a configuration that the kind of body does not take.
fn check_configuration(domain: &Domain, object: Handle, conf: &[f64]) -> Result<(), Fault> {
    let wanted = Now::described(domain).configuration(object.key[1])?.len();
    if conf.len() != wanted {
        return Err(Fault::wrong_type(format!("has {} numbers; give {wanted}", conf.len())));
    }
    let body = domain.body(object)?;
    let model = domain.model_of(body);
    let row = model.body_row(body.id).map_or(CatalogueRow::NONE, |row| CatalogueRow(row as u32));
    Ok(check_body(model, row, &BodyRow { conf: conf.to_vec(), ..body.clone() })?)
}

/// Views of the meshes of a body where they are now; in the reference configuration when the body is not in the frame.
fn meshes(session: &mut Session, object: Handle) -> Result<Value, Fault> {
    let body = session.domain(object)?.body(object)?.clone();
    let domain = session.domain(object)?;
    let model = domain.model_of(&body);
    let meshes: Vec<Shape> = model.carriers_of(&body).filter(|shape| shape.geometry.mesh().is_some()).collect();
    if meshes.is_empty() {
        return Ok(Value::None);
    }
    let now = session.now(object, "the mesh of a body")?;
    let mut views = Vec::new();
    for shape in meshes {
        let view = match shape.geometry.mesh() {
            Some(mesh) if now.moved(&body) => {
                let place = |x: &Vec3| now.point(body.id, &shape.point(x));
                let nodes: Option<Vec<Vec3>> = mesh.nodes.iter().map(place).collect::<Result<_, _>>()?;
                nodes.map_or(shape.clone(), |nodes| Shape::new(Mesh { nodes, ..mesh.clone() }))
            }
            _ => shape.clone(),
        };
        views.push((view, shape));
    }
    let mut handles = Vec::new();
    for (view, reference) in views {
        let handle = session.shapes.add("MESH", vec![view]);
        session.shapes.get(handle)?.view_of = Some(Box::new(reference));
        handles.push(Value::Handle(handle));
    }
    Ok(match handles.len() {
        1 => handles.remove(0),
        _ => Value::List(handles),
    })
}

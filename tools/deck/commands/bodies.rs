//! BODY and INITIAL_VELOCITY.

use std::sync::Arc;

use solfec::math::Mat3;
use solfec::meshdata::second_order::second_order;
use solfec::model::{characteristics_of, pruned, Analysis, Base, BodyKind, BodyRow, Formulation, Op, Scheme};
use solfec::shape::{Mesh, Shape};

use super::bases::base_of;
use super::domain::SOLFEC_ARG;
use super::shape_members::recheck;
use crate::deck::args::Args;
use crate::deck::domain::Domain;
use crate::deck::fault::Fault;
use crate::deck::making;
use crate::deck::sampling::{needs_samples, sampling, Making};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&BODY, &INITIAL_VELOCITY, &BODY_CHARS];

/// The argument that names a body.
pub const BODY_ARG: Arg = Arg::new("body", Kind::Object(&["BODY"]), "body");

static BODY: Command = Command {
    name: "BODY",
    chapter: Chapter::Bodies,
    args: &[
        SOLFEC_ARG,
        Arg::new("kind", Kind::Choice(&["RIGID", "PSEUDO_RIGID", "FINITE_ELEMENT", "OBSTACLE"]), "kind of body"),
        Arg::new("shape", Kind::Anything, "a shape or a sequence of shapes; emptied"),
        Arg::new("material", Kind::Labelled("BULK_MATERIAL"), "bulk material"),
        Arg::new("label", Kind::Text, "label").or(Default::Absent("none")),
        Arg::new("form", Kind::Choice(&["TL", "BC", "BC-MODAL", "BC-RO", "RO"]), "formulation of finite elements")
            .or(Default::Text("TL")),
        Arg::new("mesh", Kind::Object(&["MESH"]), "mesh of finite elements for CONVEX shapes")
            .or(Default::Absent("the shape")),
        Arg::new(
            "base",
            Kind::Anything,
            "base of 'BC-MODAL' and 'BC-RO': (values, vectors) or a label of REGISTER_BASE; modes are those of the \
             body with all its materials, given before or after; RUN checks them where there are several volume ids",
        )
        .or(Default::Absent("none"))
        .alias(&["modal"]),
        Arg::new(
            "enhanced",
            Kind::Choice(&["ON", "OFF"]),
            "hexahedra of finite elements with enhanced strains, which do not lock; not in Solfec-1.0",
        )
        .or(Default::Text("OFF")),
        Arg::new(
            "order",
            Kind::Integer { min: 1, max: 2 },
            "order of the tetrahedra of finite elements; 2: the middles of their edges are nodes too; not in Solfec-1.0",
        )
        .or(Default::Number(1.0)),
    ],
    returns: "a BODY",
    modes: Modes::Both,
    doc: "A body. Ids count from 1 in order of creation. The shapes are empty afterwards: pass a COPY of a shape \
          that you need twice. Where shapes overlap, mass and stiffness count twice, also in a background mesh.",
    run: body,
};

static BODY_CHARS: Command = Command {
    name: "BODY_CHARS",
    chapter: Chapter::Bodies,
    args: &[
        BODY_ARG,
        Arg::new("mass", Kind::POSITIVE, "mass").unit("kg"),
        Arg::new("volume", Kind::POSITIVE, "volume").unit("m3"),
        Arg::new("center", Kind::Vector(3), "mass centre in the reference configuration").unit("m"),
        Arg::new(
            "tensor",
            Kind::Vector(9),
            "inertia tensor of rigid bodies and obstacles, Euler tensor of the others, by columns",
        )
        .unit("kg m2"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc:
        "Overwrites the reference characteristics that follow from the shape and the density. Points of the body stay \
          where they are and keep their velocities, and it moves on about the new mass centre. A body of finite \
          elements keeps the masses of its nodes, which follow from its mesh and the density: only its members tell \
          what is given, and a warning says so.",
    run: body_chars,
};

static INITIAL_VELOCITY: Command = Command {
    name: "INITIAL_VELOCITY",
    chapter: Chapter::Bodies,
    args: &[
        BODY_ARG,
        Arg::new("linear", Kind::Vector(3), "velocity of the mass centre").unit("m/s"),
        Arg::new("angular", Kind::Vector(3), "angular velocity, in spatial axes").unit("rad/s"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Gives a body the velocity of a rigid motion. An OBSTACLE keeps it: it moves on through whatever it meets.",
    run: initial_velocity,
};

fn body(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    let kind = kind(args)?;
    let handles = shapes(args)?;
    let line = session.place.line;
    let material = material_row(session, solfec, args)?;
    for handle in &handles {
        recheck(session, *handle)?;
        session.shapes.own(*handle)?;
    }
    let mut shapes = session.shapes.parts(&handles)?;
    if kind == BodyKind::FiniteElement {
        shapes.extend(background(session, args, &shapes)?);
    }
    let quadratic = kind == BodyKind::FiniteElement && args.int("order")? == 2;
    if quadratic {
        shapes = second_order_of(&shapes)?;
    }
    let whole = session.shapes.integrals(&handles)?;
    let form = formulation(session, args)?;
    let domain = session.domain(solfec)?;
    let of = &domain.in_force.bulk[material as usize];
    if kind.deforms() {
        of.check_stiffness().map_err(Fault::value)?;
    }
    let material_of = of.clone();
    let chars = characteristics_of(&whole, of.density, kind)?;
    let id = domain.model.bodies.len() as u64 + 1;
    let row = BodyRow {
        id,
        label: args.maybe_text("label").unwrap_or_default().into(),
        kind,
        form,
        base: reduced_base(domain, args, form)?,
        enhanced: kind == BodyKind::FiniteElement && args.text("enhanced")? == "ON",
        quadratic,
        samples: None,
        scheme: first_scheme(domain.model.analysis, kind, form),
        material,
        volumes: Vec::new(),
        shapes: 0..0,
        chars,
        damping: 0.0,
        selfcontact: false,
        disable_rotation: false,
        conf: Vec::new(),
        velo: Vec::new(),
        line,
    };
    let samples = needs_samples(&row, &material_of)?;
    let mut emptied = handles;
    if args.given("mesh") {
        emptied.push(args.handle("mesh")?);
    }
    let making = Making { solfec, row, shapes, emptied, place: session.place.clone() };
    if !samples {
        return making::insert(session, making);
    }
    let sampling = sampling(session.domain(solfec)?, making)?;
    if sampling.calls.is_empty() {
        return making::insert_sampled(session, sampling);
    }
    // The host calls its functions.
    session.sampling = Some(sampling);
    Ok(Value::None)
}

/// The mesh of a body with the middles of its edges.
fn second_order_of(shapes: &[Shape]) -> Result<Vec<Shape>, Fault> {
    let [shape] = shapes else {
        return Err(Fault::value("order: 2 is for bodies whose shape is one MESH of tetrahedra"));
    };
    let mesh = shape.geometry.mesh().ok_or_else(|| Fault::value("order: 2 is for a MESH of tetrahedra"))?;
    let placed = Mesh { nodes: shape.vertices(), ..mesh.clone() };
    let fine = second_order(&placed).map_err(|error| Fault::value(format!("order: {error}")))?;
    Ok(vec![Shape::new(fine)])
}

/// The background mesh of a body, without the elements that its shapes leave empty.
fn background(session: &mut Session, args: &Args, shapes: &[Shape]) -> Result<Option<Shape>, Fault> {
    if !args.given("mesh") {
        return match shapes {
            [shape] if shape.geometry.mesh().is_some() => Ok(None),
            several if several.iter().any(|shape| shape.geometry.mesh().is_some()) => {
                Err(Fault::value("shape: is more than one MESH; join meshes into one, or use mesh=MESH around CONVEX"))
            }
            _ => Err(Fault::value(
                "shape: is not a MESH, which a body of finite elements needs; give one, or mesh=MESH around CONVEX",
            )),
        };
    }
    let handle = args.handle("mesh")?;
    recheck(session, handle)?;
    session.shapes.own(handle)?;
    let parts = session.shapes.parts(&[handle])?;
    let mesh = parts.first().and_then(|shape| Some((shape, shape.geometry.mesh()?)));
    let (shape, mesh) = mesh.ok_or_else(|| Fault::value("mesh: is empty"))?;
    let placed = Mesh { nodes: shape.vertices(), ..mesh.clone() };
    let pruned = pruned(shapes, &placed).map_err(|error| Fault::value(format!("mesh: {error}")))?;
    Ok(Some(Shape::new(pruned)))
}

fn kind(args: &Args) -> Result<BodyKind, Fault> {
    let kind = match args.text("kind")? {
        "RIGID" => BodyKind::Rigid,
        "OBSTACLE" => BodyKind::Obstacle,
        "PSEUDO_RIGID" => BodyKind::PseudoRigid,
        _ => BodyKind::FiniteElement,
    };
    if kind == BodyKind::FiniteElement {
        return Ok(kind);
    }
    if args.given("base") {
        let text = format!("base is for finite elements; leave it out for kind '{}'", args.text("kind")?);
        return Err(Fault::value(text));
    }
    Ok(kind)
}

/// The formulation of a body of finite elements; others have the first.
fn formulation(session: &mut Session, args: &Args) -> Result<Formulation, Fault> {
    if args.text("kind")? != BodyKind::FiniteElement.name() {
        return Ok(Formulation::default());
    }
    match args.text("form")? {
        "TL" => Ok(Formulation::TotalLagrangian),
        "BC" => Ok(Formulation::Corotational),
        "BC-MODAL" => Ok(Formulation::Modal),
        "RO" => {
            session.warn("deck", "form: 'RO' is the name of an older version; taken as 'BC-RO'");
            Ok(Formulation::Reduced)
        }
        _ => Ok(Formulation::Reduced),
    }
}

/// The base of a reduced formulation; others ignore the argument.
fn reduced_base(domain: &Domain, args: &Args, form: Formulation) -> Result<Option<Arc<Base>>, Fault> {
    if !form.is_reduced() {
        return Ok(None);
    }
    if !args.given("base") {
        let text = format!("base: is missing; form '{}' needs (values, vectors) or a label", form.name());
        return Err(Fault::value(text));
    }
    base_of(domain, args.get("base")).map(Some)
}

/// Quasi-statics integrates deformable bodies linearly implicitly, always; so are reduced bodies.
fn first_scheme(analysis: Analysis, kind: BodyKind, form: Formulation) -> Scheme {
    if kind == BodyKind::FiniteElement && form.is_reduced() {
        return Scheme::DefLim;
    }
    match (analysis, kind) {
        (Analysis::QuasiStatic, BodyKind::PseudoRigid | BodyKind::FiniteElement) => Scheme::DefLim,
        (Analysis::QuasiStatic, BodyKind::Obstacle | BodyKind::Rigid) | (Analysis::Dynamic, _) => Scheme::Default,
    }
}

fn shapes(args: &Args) -> Result<Vec<Handle>, Fault> {
    if *args.get("shape") == Value::List(Vec::new()) {
        return Err(Fault::value("shape: is an empty list; give at least one shape"));
    }
    let shape = crate::deck::bind::check(&Kind::Shapes, args.get("shape").clone());
    Ok(match shape.map_err(|fault| fault.about("shape"))? {
        Value::Handle(one) => vec![one],
        Value::List(items) => items
            .iter()
            .filter_map(|item| match item {
                Value::Handle(h) => Some(*h),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    })
}

/// Row of the bulk material that the argument `material` names.
pub fn material_row(session: &mut Session, solfec: Handle, args: &Args) -> Result<u32, Fault> {
    let domain = session.domain(solfec)?;
    if let Some(label) = args.maybe_text("material") {
        let row = domain.in_force.bulk.iter().position(|m| m.label == label);
        let missing = || Fault::wrong_type(format!("material '{label}' not found; create it before the body"));
        return row.map(|row| row as u32).ok_or_else(missing);
    }
    let material = args.handle("material")?;
    if material.key[0] != solfec.key[0] {
        return Err(Fault::value("material belongs to another SOLFEC object; create one for this object"));
    }
    Ok(material.key[1] as u32)
}

fn initial_velocity(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    let (linear, angular) = (args.array("linear")?, args.array("angular")?);
    session.domain(body)?.apply(Op::InitialVelocity { body: body.key[1], linear, angular })?;
    Ok(Value::None)
}

fn body_chars(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let handle = args.handle("body")?;
    let tensor: [f64; 9] = args.array("tensor")?;
    let matrix = Mat3::from_column_slice(&tensor);
    if (matrix - matrix.transpose()).amax() > 1e-9 * matrix.amax() || matrix.cholesky().is_none() {
        return Err(Fault::value("tensor: is not symmetric and positive; give nine numbers column by column"));
    }
    let (mass, volume, center) = (args.real("mass")?, args.real("volume")?, args.array("center")?);
    let domain = session.domain(handle)?;
    if domain.body(handle)?.kind == BodyKind::FiniteElement {
        let text = "a body of finite elements moves by the masses of its nodes, which follow from its mesh and the \
                    density of its material: only its members follow; give it a material of another density";
        session.warn("ignored", text);
    }
    session.domain(handle)?.apply(Op::BodyChars { body: handle.key[1], mass, volume, center, tensor })?;
    Ok(Value::None)
}

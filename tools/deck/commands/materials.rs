//! BULK_MATERIAL and SURFACE_MATERIAL with their members, BYLABEL.

use solfec::material::{BulkMaterial, Quantity, SurfaceMaterial, SurfaceModel, Varying, ANY, INCOMPRESSIBLE};
use solfec::model::{BodyKind, BodyRow, Definition, Op};

use super::domain::{body_handle, SOLFEC_ARG};
use super::fields::number_or_field;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes, Range};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&BULK_MATERIAL, &SURFACE_MATERIAL, &BYLABEL];
pub const CLASSES: &[&Class] = &[&BULK, &SURFACE];

/// Poisson's ratio of a stable isotropic material.
const POISSON: Kind = Kind::Field(Range { min: 0.0, max: INCOMPRESSIBLE, above: false });
const POSITIVE: Kind = Kind::Field(Range { min: 0.0, max: f64::MAX, above: true });
/// Young's modulus [Pa], Poisson's ratio and density [kg/m³] unless others are given.
const PLAIN: [f64; 3] = [1e9, 0.25, 1e3];
const HERTZ: Kind = Kind::Number(Range { min: 1.0, max: f64::MAX, above: false });
const MODELS: Kind = Kind::Choice(&["SIGNORINI_COULOMB", "SPRING_DASHPOT"]);

static BULK_MATERIAL: Command = Command {
    name: "BULK_MATERIAL",
    chapter: Chapter::Materials,
    args: &[
        SOLFEC_ARG,
        Arg::new("model", Kind::Choice(&["KIRCHHOFF"]), "material model").or(Default::Text("KIRCHHOFF")),
        Arg::new("label", Kind::Text, "label; a material that has it is overwritten")
            .or(Default::Absent("BULK_MATERIAL_0, BULK_MATERIAL_1, ...")),
        Arg::new("young", POSITIVE, "Young's modulus").unit("Pa").or(Default::Number(PLAIN[0])),
        Arg::new("poisson", POISSON, "Poisson's ratio; below 0.5 for bodies that deform").or(Default::Number(PLAIN[1])),
        Arg::new("density", POSITIVE, "mass density").unit("kg/m3").or(Default::Number(PLAIN[2])),
        Arg::new("tensile", Kind::STRENGTH, "tensile strength").unit("Pa").or(Default::Number(f64::INFINITY)),
        Arg::new("fields", Kind::Anything, "fields of the model; KIRCHHOFF has none").or(Default::Absent("none")),
        Arg::new("fracene", Kind::STRENGTH, "fracture energy").unit("J/m2").or(Default::Number(f64::INFINITY)),
    ],
    returns: "a BULK_MATERIAL",
    modes: Modes::Both,
    doc: "Material of volumes.",
    run: bulk_material,
};

static SURFACE_MATERIAL: Command = Command {
    name: "SURFACE_MATERIAL",
    chapter: Chapter::Materials,
    args: &[
        SOLFEC_ARG,
        Arg::new("surf1", Kind::ID, "surface id").or(Default::Absent("any")),
        Arg::new("surf2", Kind::ID, "surface id").or(Default::Absent("any")),
        Arg::new("model", MODELS, "contact law").or(Default::Text("SIGNORINI_COULOMB")),
        Arg::new("label", Kind::Text, "label").or(Default::Absent("SURFACE_MATERIAL_1, SURFACE_MATERIAL_2, ...")),
        Arg::new("friction", Kind::NOT_NEGATIVE, "Coulomb friction").or(Default::Number(0.0)),
        Arg::new("cohesion", Kind::NOT_NEGATIVE, "cohesion").unit("N/m2").or(Default::Number(0.0)),
        Arg::new("restitution", Kind::FRACTION, "Newton restitution").or(Default::Number(0.0)),
        Arg::new("spring", Kind::NOT_NEGATIVE, "spring of a contact point").unit("N/m").or(Default::Number(0.0)),
        Arg::new("dashpot", Kind::NUMBER, "dashpot of a contact point; negative: critical damping")
            .unit("N s/m")
            .or(Default::Number(0.0)),
        Arg::new("hpow", HERTZ, "power of the spring").or(Default::Number(1.0)),
    ],
    returns: "a SURFACE_MATERIAL",
    modes: Modes::Both,
    doc: "Contact law of a pair of surfaces; a second call for the same pair overwrites it. Without surfaces it is \
          the law 'DEFAULT' of all other pairs. Order of search: the pair, one surface with any, any with any.",
    run: surface_material,
};

static BYLABEL: Command = Command {
    name: "BYLABEL",
    chapter: Chapter::Materials,
    args: &[
        SOLFEC_ARG,
        Arg::new("kind", Kind::Choice(&["SURFACE_MATERIAL", "BULK_MATERIAL", "BODY", "FIELD"]), "kind of object"),
        Arg::new("label", Kind::Text, "label"),
    ],
    returns: "the object, None if there is none",
    modes: Modes::Both,
    doc: "Finds a labelled object.",
    run: bylabel,
};

static BULK: Class = Class {
    name: "BULK_MATERIAL",
    chapter: Chapter::Materials,
    doc: "Material of volumes.",
    members: &[
        Member {
            name: "model",
            unit: "",
            doc: "'KIRCHHOFF'",
            get: |_, _| Ok(Value::Text("KIRCHHOFF".into())),
            set: Some((Kind::Choice(&["KIRCHHOFF"]), |_, _, _| Ok(()))),
        },
        Member {
            name: "label",
            unit: "",
            doc: "label",
            get: |session, object| Ok(Value::Text(bulk(session, object)?.label)),
            set: None,
        },
        Member {
            name: "young",
            unit: "Pa",
            doc: "Young's modulus",
            get: |session, object| quantity(session, object, Quantity::Young),
            set: Some((POSITIVE, |session, object, value| change_bulk(session, object, Quantity::Young, value))),
        },
        Member {
            name: "poisson",
            unit: "",
            doc: "Poisson's ratio",
            get: |session, object| quantity(session, object, Quantity::Poisson),
            set: Some((POISSON, |session, object, value| change_bulk(session, object, Quantity::Poisson, value))),
        },
        Member {
            name: "density",
            unit: "kg/m3",
            doc:
                "mass density; existing bodies keep their mass, and that of a FINITE_ELEMENT body of several materials \
                  (APPLY_BULKMAT) stays where it is: for such a body make another material",
            get: |session, object| quantity(session, object, Quantity::Density),
            set: Some((POSITIVE, |session, object, value| change_bulk(session, object, Quantity::Density, value))),
        },
    ],
    methods: &[],
};

static SURFACE: Class = Class {
    name: "SURFACE_MATERIAL",
    chapter: Chapter::Materials,
    doc: "Contact law of a pair of surfaces.",
    members: &[
        Member {
            name: "surf1",
            unit: "",
            doc: "smaller surface id, None for any",
            get: |session, object| Ok(surface_id(surface(session, object)?.surf[0])),
            set: None,
        },
        Member {
            name: "surf2",
            unit: "",
            doc: "larger surface id, None for any",
            get: |session, object| Ok(surface_id(surface(session, object)?.surf[1])),
            set: None,
        },
        Member {
            name: "label",
            unit: "",
            doc: "label",
            get: |session, object| Ok(Value::Text(surface(session, object)?.label)),
            set: None,
        },
        Member {
            name: "model",
            unit: "",
            doc: "contact law",
            get: |session, object| Ok(Value::Text(model_name(surface(session, object)?.model).into())),
            set: Some((MODELS, |session, object, value| {
                let Value::Text(name) = value else { return Ok(()) };
                change_surface(session, object, |m| m.model = model_of(name))
            })),
        },
        Member {
            name: "friction",
            unit: "",
            doc: "Coulomb friction",
            get: |session, object| Ok(Value::Real(surface(session, object)?.friction)),
            set: Some((Kind::NOT_NEGATIVE, |session, object, value| {
                change_surface(session, object, |m| assign(&mut m.friction, value))
            })),
        },
        Member {
            name: "cohesion",
            unit: "N/m2",
            doc: "cohesion",
            get: |session, object| Ok(Value::Real(surface(session, object)?.cohesion)),
            set: Some((Kind::NOT_NEGATIVE, |session, object, value| {
                change_surface(session, object, |m| assign(&mut m.cohesion, value))
            })),
        },
        Member {
            name: "restitution",
            unit: "",
            doc: "Newton restitution",
            get: |session, object| Ok(Value::Real(surface(session, object)?.restitution)),
            set: Some((Kind::FRACTION, |session, object, value| {
                change_surface(session, object, |m| assign(&mut m.restitution, value))
            })),
        },
        Member {
            name: "spring",
            unit: "N/m",
            doc: "spring of a contact point",
            get: |session, object| Ok(Value::Real(surface(session, object)?.spring)),
            set: Some((Kind::NOT_NEGATIVE, |session, object, value| {
                change_surface(session, object, |m| assign(&mut m.spring, value))
            })),
        },
        Member {
            name: "dashpot",
            unit: "N s/m",
            doc: "dashpot of a contact point; negative: critical damping",
            get: |session, object| Ok(Value::Real(surface(session, object)?.dashpot)),
            set: Some((Kind::NUMBER, |session, object, value| {
                change_surface(session, object, |m| assign(&mut m.dashpot, value))
            })),
        },
        Member {
            name: "hpow",
            unit: "",
            doc: "power of the spring",
            get: |session, object| Ok(Value::Real(surface(session, object)?.hpow)),
            set: Some((HERTZ, |session, object, value| {
                change_surface(session, object, |m| assign(&mut m.hpow, value))
            })),
        },
    ],
    methods: &[],
};

fn assign(to: &mut f64, value: &Value) {
    if let Value::Real(x) = value {
        *to = *x;
    }
}

fn surface_id(id: i32) -> Value {
    if id == ANY {
        Value::None
    } else {
        Value::Int(i64::from(id))
    }
}

fn model_name(model: SurfaceModel) -> &'static str {
    match model {
        SurfaceModel::SignoriniCoulomb => "SIGNORINI_COULOMB",
        SurfaceModel::SpringDashpot => "SPRING_DASHPOT",
    }
}

fn model_of(name: &str) -> SurfaceModel {
    match name {
        "SPRING_DASHPOT" => SurfaceModel::SpringDashpot,
        _ => SurfaceModel::SignoriniCoulomb,
    }
}

fn bulk(session: &mut Session, object: Handle) -> Result<BulkMaterial, Fault> {
    let row = session.domain(object)?.in_force.bulk.get(object.key[1] as usize).cloned();
    row.ok_or_else(|| Fault::wrong_type("bulk material does not exist"))
}

fn surface(session: &mut Session, object: Handle) -> Result<SurfaceMaterial, Fault> {
    let row = session.domain(object)?.in_force.surface.get(object.key[1] as usize).cloned();
    row.ok_or_else(|| Fault::wrong_type("surface material does not exist"))
}

/// A number, or the FIELD that stands for it.
fn quantity(session: &mut Session, object: Handle, quantity: Quantity) -> Result<Value, Fault> {
    let mut material = bulk(session, object)?;
    let (number, field) = parts(&mut material, quantity);
    Ok(match field {
        Some(row) => Value::Handle(Handle { class: "FIELD", key: [object.key[0], u64::from(*row)] }),
        None => Value::Real(*number),
    })
}

/// A number of a material, and the field that may stand for it.
fn parts(material: &mut BulkMaterial, quantity: Quantity) -> (&mut f64, &mut Option<u32>) {
    let BulkMaterial { young, poisson, density, varying, .. } = material;
    match quantity {
        Quantity::Young => (young, &mut varying.young),
        Quantity::Poisson => (poisson, &mut varying.poisson),
        Quantity::Density => (density, &mut varying.density),
    }
}

fn change_bulk(session: &mut Session, object: Handle, of: Quantity, value: &Value) -> Result<(), Fault> {
    let mut material = bulk(session, object)?;
    give(session, object, &mut material, of, value)?;
    set_bulk(session, object, material)
}

/// Gives a material a number or a field; with a field the number is the default one.
fn give(
    session: &mut Session,
    solfec: Handle,
    material: &mut BulkMaterial,
    of: Quantity,
    value: &Value,
) -> Result<(), Fault> {
    let given = number_or_field(session, solfec, value).map_err(|fault| fault.about(of.name()))?;
    let (number, field) = parts(material, of);
    match given {
        Ok(x) => (*number, *field) = (x, None),
        Err(row) => (*number, *field) = (PLAIN[of as usize], Some(row)),
    }
    Ok(())
}

/// Overwrites a row; once bodies have run only the stiffness counts, and that is an operation.
fn set_bulk(session: &mut Session, object: Handle, material: BulkMaterial) -> Result<(), Fault> {
    let domain = session.domain(object)?;
    let row = object.key[1] as usize;
    let varies = material.varying.any() || domain.in_force.bulk.get(row).is_some_and(|old| old.varying.any());
    if varies && domain.model.bodies.iter().any(|body| body.materials().any(|of| of as usize == row)) {
        let text = "varies by a FIELD, and a body is made of it; create another material";
        return Err(Fault::value(format!("material '{}' {text}", material.label)));
    }
    let mixed = |b: &&BodyRow| {
        let used = !b.volumes.is_empty() && b.materials().any(|of| of as usize == row);
        used && b.kind == BodyKind::FiniteElement && !domain.deleted.bodies.contains(&b.id)
    };
    let denser = domain.in_force.bulk.get(row).is_some_and(|old| old.density != material.density);
    if let Some(body) = domain.model.bodies.iter().find(mixed).filter(|_| denser) {
        let text = "and its nodes keep their masses; make another BULK_MATERIAL, for other bodies";
        return Err(Fault::value(format!(
            "is that of elements of {}, which has several materials, {text}",
            body.title()
        )));
    }
    let deforms = |b: &BodyRow| b.materials().any(|of| of as usize == row) && b.kind.deforms();
    if domain.model.bodies.iter().any(deforms) {
        material.check_stiffness().map_err(Fault::value)?;
    }
    if !domain.has_run() {
        return domain.apply(Op::Define(Definition::Bulk { row: row as u32, material }));
    }
    let (young, poisson) = (material.young, material.poisson);
    domain.in_force.bulk[row] = material;
    domain.apply(Op::BulkMaterial { row: row as u32, young, poisson })
}

fn change_surface(session: &mut Session, object: Handle, change: impl Fn(&mut SurfaceMaterial)) -> Result<(), Fault> {
    let mut material = surface(session, object)?;
    change(&mut material);
    let row = object.key[1] as u32;
    session.domain(object)?.apply(Op::SurfaceMaterial { row, material })
}

fn bulk_material(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    let domain = session.domain(solfec)?;
    let auto = format!("BULK_MATERIAL_{}", domain.in_force.bulk.len());
    let [young, poisson, density] = PLAIN;
    let mut material = BulkMaterial {
        label: args.maybe_text("label").map_or(auto, str::to_string),
        young,
        poisson,
        density,
        tensile: args.real("tensile")?,
        fracene: args.real("fracene")?,
        varying: Varying::default(),
    };
    for quantity in Quantity::ALL {
        give(session, solfec, &mut material, quantity, args.get(quantity.name()))?;
    }
    let domain = session.domain(solfec)?;
    let known = domain.in_force.bulk.iter().position(|m| m.label == material.label);
    let object =
        Handle { class: "BULK_MATERIAL", key: [solfec.key[0], known.unwrap_or(domain.in_force.bulk.len()) as u64] };
    if known.is_some() {
        set_bulk(session, object, material)?;
    } else {
        let row = domain.model.bulk.len() as u32;
        domain.apply(Op::Define(Definition::Bulk { row, material }))?;
    }
    Ok(Value::Handle(object))
}

fn surface_material(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    let id = |name: &str| if args.given(name) { args.id(name) } else { Ok(ANY) };
    let mut surf = [id("surf1")?, id("surf2")?];
    surf.sort_unstable();
    let domain = session.domain(solfec)?;
    let known = domain.in_force.surface.iter().position(|m| m.surf == surf);
    let row = known.unwrap_or(domain.in_force.surface.len());
    let label = match (known, args.maybe_text("label")) {
        (_, Some(label)) => label.into(),
        (Some(row), None) => domain.in_force.surface[row].label.clone(),
        (None, None) => format!("SURFACE_MATERIAL_{row}"),
    };
    let material = SurfaceMaterial {
        surf,
        label,
        model: model_of(args.text("model")?),
        friction: args.real("friction")?,
        cohesion: args.real("cohesion")?,
        restitution: args.real("restitution")?,
        spring: args.real("spring")?,
        dashpot: args.real("dashpot")?,
        hpow: args.real("hpow")?,
    };
    domain.apply(Op::SurfaceMaterial { row: row as u32, material })?;
    Ok(Value::Handle(Handle { class: "SURFACE_MATERIAL", key: [solfec.key[0], row as u64] }))
}

fn bylabel(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    let domain = session.domain(solfec)?;
    let label = args.text("label")?;
    let row = |class: &'static str, at: Option<usize>| {
        at.map_or(Value::None, |at| Value::Handle(Handle { class, key: [solfec.key[0], at as u64] }))
    };
    Ok(match args.text("kind")? {
        "BULK_MATERIAL" => row("BULK_MATERIAL", domain.in_force.bulk.iter().position(|m| m.label == label)),
        "SURFACE_MATERIAL" => row("SURFACE_MATERIAL", domain.in_force.surface.iter().position(|m| m.label == label)),
        "BODY" => {
            let found = session.roster(solfec)?.labelled(label)?;
            found.map_or(Value::None, |id| Value::Handle(body_handle(solfec, id)))
        }
        _ => row("FIELD", domain.model.fields.iter().position(|field| field.label == label)),
    })
}

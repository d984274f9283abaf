//! FIELD with its members, and fields in place of numbers of materials.

use solfec::material::{Field, FieldTable, FieldValues};
use solfec::model::{Definition, FunctionKind, FunctionRow, Op};

use super::domain::SOLFEC_ARG;
use super::functions;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&FIELD];
pub const CLASSES: &[&Class] = &[&CLASS];

const fn axis(name: &'static str, text: &'static str, unit: &'static str) -> Arg {
    Arg::new(name, Kind::Numbers, text).unit(unit).or(Default::Absent("no dependence"))
}

static FIELD: Command = Command {
    name: "FIELD",
    chapter: Chapter::Materials,
    args: &[
        SOLFEC_ARG,
        Arg::new("field", Kind::FieldValues, "function of data, x, y, z, t that returns a number; or a table")
            .alias(&["field_callback", "filed_callback"]),
        Arg::new("label", Kind::Text, "label").or(Default::Absent("FIELD_0, FIELD_1, ...")),
        Arg::new("data", Kind::Data { last: false }, "arguments of the function, before x").or(Default::Absent("none")),
        axis("x", "places of a table along x, increasing; not in Solfec-1.0", "m"),
        axis("y", "likewise along y", "m"),
        axis("z", "likewise along z", "m"),
        axis("t", "times of a table, increasing", "s"),
        Arg::new("steady", Kind::Switch, "the function does not depend on t, and is called for new bodies only")
            .or(Default::Text("OFF")),
    ],
    returns: "a FIELD",
    modes: Modes::Both,
    doc: "A scalar field over the reference configuration and time, which stands for a number of a BULK_MATERIAL. A \
          table has a value for each point of the grid of its axes, in any nesting, t running fastest, then z, y, x; it \
          is linear in between and constant beyond. A function is called at the points of integration of bodies, when \
          they are made and in each step, unless it is steady; models with functions need live execution.",
    run: field,
};

static CLASS: Class = Class {
    name: "FIELD",
    chapter: Chapter::Materials,
    doc: "A scalar field over space and time.",
    members: &[Member {
        name: "label",
        unit: "",
        doc: "label",
        get: |session, object| {
            let found = session.domain(object)?.model.fields.get(object.key[1] as usize);
            let label = found.map(|field| field.label.clone());
            label.map(Value::Text).ok_or_else(|| Fault::wrong_type("field does not exist"))
        },
        set: None,
    }],
    methods: &[],
};

fn field(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    let domain = session.domain(solfec)?;
    let row = domain.model.fields.len() as u32;
    let label = args.maybe_text("label").map_or(format!("FIELD_{row}"), str::to_string);
    if domain.model.fields.iter().any(|known| known.label == label) {
        return Err(Fault::value(format!("label: another field has the label '{label}'; choose another label")));
    }
    let named = AXES.iter().find(|name| args.given(name));
    let values = match args.get("field") {
        Value::Reals(values) => {
            if args.maybe_on("steady") == Some(true) {
                return Err(Fault::value("steady is of functions; a table without t does not depend on time"));
            }
            FieldValues::Table(table(args, values)?)
        }
        function => match named {
            Some(name) => return Err(Fault::value(format!("{name} is of tables; a function has no axes"))),
            None => of_function(session, solfec, function, (row, args.maybe_on("steady") == Some(true)))?,
        },
    };
    let domain = session.domain(solfec)?;
    domain.apply(Op::Define(Definition::Field { row, field: Field { label, values } }))?;
    Ok(Value::Handle(Handle { class: "FIELD", key: [solfec.key[0], row.into()] }))
}

const AXES: [&str; 4] = ["x", "y", "z", "t"];

fn table(args: &Args, values: &[f64]) -> Result<FieldTable, Fault> {
    let axis = |name: &str| match args.get(name) {
        Value::Reals(axis) => axis.clone(),
        _ => vec![0.0],
    };
    FieldTable::new(AXES.map(axis), values.to_vec()).map_err(|error| Fault::value(format!("field: {error}")))
}

fn of_function(
    session: &mut Session,
    solfec: Handle,
    value: &Value,
    (row, steady): (u32, bool),
) -> Result<FieldValues, Fault> {
    let Value::Function { index, name } = value else {
        return Err(Fault::wrong_type(format!("is {}; give a function", value.describe())));
    };
    if !steady {
        functions::take_for(session, solfec, value, FunctionKind::Field)?;
    } else {
        // A run does not call it.
        let line = session.place.line;
        session.functions.push(FunctionRow { function: *index, name: name.clone(), kind: FunctionKind::Field, line });
    }
    session.domain(solfec)?.field_functions.insert(row, *index);
    Ok(if steady { FieldValues::Steady } else { FieldValues::Function { function: *index } })
}

/// The number of an argument of a material, or the row of the field that stands for it.
pub fn number_or_field(session: &mut Session, solfec: Handle, value: &Value) -> Result<Result<f64, u32>, Fault> {
    let fields = &session.domain(solfec)?.model.fields;
    match value {
        Value::Handle(handle) if handle.key[0] == solfec.key[0] => Ok(Err(handle.key[1] as u32)),
        Value::Handle(_) => Err(Fault::value("field belongs to another SOLFEC object; create one for this object")),
        Value::Text(label) => match fields.iter().position(|field| field.label == *label) {
            Some(row) => Ok(Err(row as u32)),
            None => Err(Fault::wrong_type(format!("field '{label}' not found; create it before the material"))),
        },
        Value::Real(x) => Ok(Ok(*x)),
        other => Err(Fault::wrong_type(format!("is {}; give a number or a FIELD", other.describe()))),
    }
}

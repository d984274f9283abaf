//! REGISTER_BASE, and bases as the deck gives them: values and vectors, or a label.

use std::sync::Arc;

use solfec::model::{Base, Definition, Op};

use super::domain::SOLFEC_ARG;
use crate::deck::args::Args;
use crate::deck::bind::check;
use crate::deck::domain::Domain;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&REGISTER_BASE];

static REGISTER_BASE: Command = Command {
    name: "REGISTER_BASE",
    chapter: Chapter::Bodies,
    args: &[
        SOLFEC_ARG,
        Arg::new("base", Kind::Anything, "(values, vectors), as MODAL_ANALYSIS returns them"),
        Arg::new("label", Kind::Text, "label, for the argument base of BODY"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Keeps a reduced base under a label: many bodies share it. The vectors stand one after the other in one list, each with \
          three numbers for each node.",
    run: register_base,
};

fn register_base(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let label = args.text("label")?;
    let domain = session.domain(args.handle("solfec")?)?;
    if label.is_empty() || labelled(domain, label).is_some() {
        let what = if label.is_empty() { "is empty" } else { "is taken by another base" };
        return Err(Fault::value(format!("label: '{label}' {what}; give another one")));
    }
    let base = pair(label, args.get("base"))?;
    domain.apply(Op::Define(Definition::Base(Arc::new(base))))?;
    Ok(Value::None)
}

/// The base of an argument: (values, vectors), or the label of one that is registered.
pub fn base_of(domain: &Domain, value: &Value) -> Result<Arc<Base>, Fault> {
    if let Value::Text(label) = value {
        let missing = || Fault::value(format!("base: '{label}' is no registered base; call REGISTER_BASE before"));
        return labelled(domain, label).ok_or_else(missing);
    }
    let base = pair("", value)?;
    // Bodies that are given the same numbers share them.
    let known = domain.model.bases.iter().find(|known| known.values == base.values && known.vectors == base.vectors);
    Ok(known.map_or_else(|| Arc::new(base), Arc::clone))
}

fn labelled(domain: &Domain, label: &str) -> Option<Arc<Base>> {
    domain.model.bases.iter().find(|base| base.label == label).cloned()
}

fn pair(label: &str, value: &Value) -> Result<Base, Fault> {
    let wrong = || Fault::wrong_type(format!("base: is {}; give (values, vectors) or a label", value.describe()));
    let (Value::List(items) | Value::Tuple(items)) = value else { return Err(wrong()) };
    let [values, vectors] = items.as_slice() else { return Err(wrong()) };
    let numbers = |value: &Value| match check(&Kind::Numbers, value.clone()).map_err(|fault| fault.about("base"))? {
        Value::Reals(numbers) => Ok(numbers),
        _ => Err(wrong()),
    };
    Ok(Base::new(label, numbers(values)?, numbers(vectors)?)?)
}

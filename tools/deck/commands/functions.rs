//! Functions of the deck in models: a model names those that a run of it must call.

use solfec::model::{Definition, FunctionKind, FunctionRow, Op, SpringLaw};

use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::value::{Handle, Value};

/// Number of a function that the deck hands over.
///
/// # Errors
/// A model is recorded that is to run without its deck.
pub fn take(session: &mut Session, value: &Value, kind: FunctionKind) -> Result<u32, Fault> {
    let Value::Function { index, name } = value else {
        return Err(Fault::wrong_type(format!("is {}; give a function", value.describe())));
    };
    if !session.is_live() && !session.environment.allow_live {
        return Err(Fault::live(format!("the function '{name}' needs live execution")));
    }
    let line = session.place.line;
    session.functions.push(FunctionRow { function: *index, name: name.clone(), kind, line });
    Ok(*index)
}

/// Notes in the model of `of` that it needs a function.
pub fn enter(session: &mut Session, of: Handle, function: u32) -> Result<(), Fault> {
    let row = session.functions.iter().rfind(|row| row.function == function).cloned();
    let domain = session.domain(of)?;
    let known = domain.model.functions.binary_search_by_key(&function, |other| other.function);
    match row.filter(|_| known.is_err()) {
        Some(row) => domain.apply(Op::Define(Definition::Function(row))),
        None => Ok(()),
    }
}

/// A function of the deck that belongs to the model of `of`.
pub fn take_for(session: &mut Session, of: Handle, value: &Value, kind: FunctionKind) -> Result<u32, Fault> {
    let function = take(session, value, kind)?;
    enter(session, of, function)?;
    Ok(function)
}

/// Whether a function is left out of a recorded model; says so.
pub fn dropped(session: &mut Session, value: &Value) -> bool {
    let drop = session.recording.drop_callbacks && !session.is_live();
    if let (true, Value::Function { name, .. }) = (drop, value) {
        session.warn("ignored", &format!("the function '{name}' is left out of the model (--drop-callbacks)"));
    }
    drop
}

/// The law of a spring that is given by a function.
pub enum Spring {
    Law(SpringLaw),
    /// The host makes a table of so many points of the function, for the command line says so.
    Tabulated {
        function: u32,
        points: u32,
    },
}

/// The law of a new spring.
pub fn spring_law(session: &mut Session, of: Handle, value: &Value, limits: [f64; 2]) -> Result<Spring, Fault> {
    let (Some(points), false, Value::Function { index, name }) =
        (session.recording.tabulate_springs, session.is_live(), value)
    else {
        let function = take_for(session, of, value, FunctionKind::Spring)?;
        return Ok(Spring::Law(SpringLaw::Function { function }));
    };
    if !limits.iter().all(|x| x.is_finite()) {
        let text = format!("limits: a table of the function '{name}' needs finite ones, or it");
        return Err(Fault::live(format!("{text} needs live execution")));
    }
    Ok(Spring::Tabulated { function: *index, points })
}

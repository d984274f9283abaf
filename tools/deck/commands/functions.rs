//! Functions of the deck in models: a model names those that a run of it must call.

use solfec::model::{FunctionKind, FunctionRow};

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
    session.functions.push(FunctionRow { function: *index, name: name.clone(), kind, line: session.place.line });
    Ok(*index)
}

/// Notes in the model of `of` that it needs a function.
pub fn enter(session: &mut Session, of: Handle, function: u32) -> Result<(), Fault> {
    let row = session.functions.iter().rfind(|row| row.function == function).cloned();
    let known = &mut session.domain(of)?.model.functions;
    if let (Some(row), Err(at)) = (row, known.binary_search_by_key(&function, |other| other.function)) {
        known.insert(at, row);
    }
    Ok(())
}

/// A function of the deck that belongs to the model of `of`.
pub fn take_for(session: &mut Session, of: Handle, value: &Value, kind: FunctionKind) -> Result<u32, Fault> {
    let function = take(session, value, kind)?;
    enter(session, of, function)?;
    Ok(function)
}

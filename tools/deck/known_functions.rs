//! Functions of stored results: which functions of this process they are, and the model of the results with the numbers
//! of this process.

use std::collections::BTreeSet;

use solfec::material::{Field, FieldValues};
use solfec::model::{FunctionRow, Joint, LoadKind, Model, Op, Solver, SpringLaw, StoredOp};

use super::fault::Fault;
use super::matching::{Matched, Rows};
use super::stored::Stored;

/// Which functions of this process are those of the results: pairs those that the same rows and operations name.
pub fn pair_functions(deck: &Model, stored: &Stored, matched: &mut Matched, run: u32) {
    let Rows { constraints, loads, .. } = matched.rows;
    let known = &mut matched.functions;
    let mut pair = |made: Option<u32>, stored: Option<u32>| {
        if let (Some(made), Some(stored)) = (made, stored) {
            known.insert(stored, made);
        }
    };
    for (made, other) in deck.constraints.iter().zip(&stored.model.constraints).skip(constraints) {
        pair(of_spring(&made.joint).copied(), of_spring(&other.joint).copied());
    }
    for (made, other) in deck.loads.iter().zip(&stored.model.loads).skip(loads) {
        pair(of_load(&made.kind).copied(), of_load(&other.kind).copied());
    }
    for (made, other) in deck.fields.iter().zip(&stored.model.fields) {
        pair(of_field(made).copied(), of_field(other).copied());
    }
    let begin = if run > 1 { stored.run_end(run - 1) } else { 0 };
    let end = stored.run_op(run).map_or(stored.program.len(), |at| at + 1);
    let between = stored.program.get(begin..end).unwrap_or_default();
    let theirs = between.iter().filter_map(|(op, _)| of_op(op));
    let ours = deck.program.get(matched.program..).unwrap_or_default().iter().filter_map(of_op);
    for (made, other) in ours.zip(theirs) {
        pair(Some(*made), Some(*other));
    }
}

fn of_spring(joint: &Joint) -> Option<&u32> {
    if let Joint::Spring { law: SpringLaw::Function { function }, .. } = joint {
        return Some(function);
    }
    None
}

fn of_load(kind: &LoadKind) -> Option<&u32> {
    match kind {
        LoadKind::Function { function } => Some(function),
        LoadKind::Force { .. } | LoadKind::Torque { .. } | LoadKind::Pressure { .. } => None,
    }
}

fn of_field(field: &Field) -> Option<&u32> {
    match &field.values {
        FieldValues::Function { function } => Some(function),
        FieldValues::Steady | FieldValues::Table(_) => None,
    }
}

fn of_op(op: &StoredOp) -> Option<&u32> {
    if let Op::Callback { function: Some(function), .. }
    | Op::Run { solver: Solver { callback: Some(function), .. }, .. } = op
    {
        return Some(function);
    }
    None
}

/// Gives the functions of a model of results the numbers of this process. Those that are no longer called may be
/// unknown; they get numbers that no function has.
///
/// # Errors
/// A function in force that only a callback has registered.
pub fn rename(
    model: &mut Model,
    program: &mut [StoredOp],
    ours: &[FunctionRow],
    matched: &Matched,
) -> Result<(), Fault> {
    let unknown = in_force(model, program).into_iter().find(|function| !matched.functions.contains_key(function));
    if let Some(function) = unknown {
        let row = model.functions.iter().find(|row| row.function == function);
        let name =
            row.map_or_else(|| format!("number {function}"), |row| format!("'{}' (deck line {})", row.name, row.line));
        return Err(Fault::runtime(format!(
            "the function {name} is in force at the checkpoint, and only a callback before it has handed it over; hand it over \
             outside of callbacks, or run without -c"
        )));
    }
    let number = |function: &mut u32| {
        let dead = u32::MAX - *function;
        *function = matched.functions.get(function).copied().unwrap_or(dead);
    };
    for row in &mut model.constraints {
        if let Joint::Spring { law: SpringLaw::Function { function }, .. } = &mut row.joint {
            number(function);
        }
    }
    for row in &mut model.loads {
        if let LoadKind::Function { function } = &mut row.kind {
            number(function);
        }
    }
    for field in &mut model.fields {
        if let FieldValues::Function { function } = &mut field.values {
            number(function);
        }
    }
    for op in model.program.iter_mut().chain(program) {
        if let Op::Callback { function: Some(function), .. }
        | Op::Run { solver: Solver { callback: Some(function), .. }, .. } = op
        {
            number(function);
        }
    }
    model.functions.iter_mut().for_each(|row| number(&mut row.function));
    for row in ours {
        if !model.functions.iter().any(|known| known.function == row.function) {
            model.functions.push(row.clone());
        }
    }
    let mut named: BTreeSet<u32> = model.constraints.iter().filter_map(|row| of_spring(&row.joint)).copied().collect();
    named.extend(model.loads.iter().filter_map(|row| of_load(&row.kind)));
    named.extend(model.fields.iter().filter_map(of_field));
    named.extend(model.program.iter().filter_map(of_op));
    model.functions.retain(|row| named.contains(&row.function));
    Ok(())
}

/// Functions that a run would call from here on.
fn in_force(model: &Model, program: &[StoredOp]) -> Vec<u32> {
    let last =
        program.iter().rev().find_map(|op| if let Op::Callback { function, .. } = op { Some(*function) } else { None });
    let mut all: Vec<u32> = last.flatten().into_iter().collect();
    all.extend(model.fields.iter().filter_map(of_field));
    let gone = |id: u64| program.contains(&Op::DeleteBody { body: id });
    all.extend(model.loads.iter().filter_map(|row| of_load(&row.kind).filter(|_| !gone(row.body))));
    for (row, of) in (0..).zip(&model.constraints) {
        let Some(function) = of_spring(&of.joint) else { continue };
        let deleted = program.contains(&Op::DeleteConstraint { row });
        if !deleted && !gone(of.master) && !of.slave.is_some_and(gone) {
            all.push(*function);
        }
    }
    all
}

//! What the command line changes of a model.

use crate::cli::CliError;
use serde_json::Value;
use solfec::model::{Form, Model, Op, Solver, StoredOp};

use super::options::Options;

/// Changes a whole model. Adapting twice is adapting once. `found` counts the solvers that had each `--set-param`.
pub fn adapt(domain: &mut Model, options: &Options, found: &mut [usize]) -> Result<(), CliError> {
    for name in &options.common.compat {
        if !domain.compat.contains(name) {
            domain.compat.push(name.clone());
        }
    }
    domain.settings.step_recovery |= options.step_recovery;
    if let Some(interval) = options.output_interval {
        let stored = |op: &StoredOp| match op {
            Op::Output { compress, single, .. } => Some((*compress, *single)),
            _ => None,
        };
        let (compress, single) = domain.program.iter().find_map(stored).unwrap_or_default();
        domain.program.retain(|op| !matches!(op, Op::Output { .. }));
        domain.program.insert(0, Op::Output { interval, compress, single });
    }
    for op in &mut domain.program {
        if let Op::Run { solver, .. } = op {
            adapt_solver(solver, options, found)?;
        }
        adapt_output(op, options);
    }
    Ok(())
}

/// Changes OUTPUT; other operations stay.
pub fn adapt_output<F: Form>(op: &mut Op<F>, options: &Options) {
    if let Op::Output { compress, single, .. } = op {
        *compress = options.compress.unwrap_or(*compress);
        *single |= options.single;
    }
}

/// Changes the solver of a RUN.
pub fn adapt_solver(solver: &mut Solver, options: &Options, found: &mut [usize]) -> Result<(), CliError> {
    for ((name, text), found) in options.set_param.iter().zip(found) {
        if set(solver, name, text)? {
            *found += 1;
        }
    }
    Ok(())
}

/// Sets a parameter by its name; false if the solver has none of that name.
fn set(solver: &mut Solver, name: &str, text: &str) -> Result<bool, CliError> {
    let wrong = |why: String| CliError::usage(format!("--set-param {name}={text}: {}: {why}", solver.settings.name()));
    let mut json = serde_json::to_value(&*solver).map_err(|e| wrong(e.to_string()))?;
    let Some(slot) = json.get_mut(name).filter(|_| name != "kind" && name != "callback") else { return Ok(false) };
    *slot = match (slot.is_boolean(), text) {
        (true, "ON") => true.into(),
        (true, "OFF") => false.into(),
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.into())),
    };
    let changed: Solver = serde_json::from_value(json).map_err(|e| wrong(e.to_string()))?;
    changed.settings.validate().map_err(|e| wrong(e.to_string()))?;
    *solver = changed;
    Ok(true)
}

/// A parameter that no solver had.
pub fn check_found(options: &Options, found: &[usize]) -> Result<(), CliError> {
    match options.set_param.iter().zip(found).find(|(_, &n)| n == 0) {
        Some(((name, _), _)) => Err(CliError::usage(format!("--set-param {name}: no solver of a RUN has it"))),
        None => Ok(()),
    }
}

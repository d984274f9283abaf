//! sf-modal register: a base in a model.

use std::path::Path;
use std::sync::Arc;

use solfec::body::{check_finite_body, name_of, NewBody};
use solfec::model::{Base, BodyRow, Definition, Model, Op, Scheme, StoredOp};
use solfec::shape::Shape;
use solfec_formats::model::{to_bytes, write_file};
use solfec_formats::modes::read;

use super::args::Register;
use super::input;
use crate::cli::{refuse_binary_to_terminal, write_stdout, CliError, Part};

/// Numbers of a rigid motion.
const RIGID: usize = 6;

pub fn run(args: &Register) -> Result<(), CliError> {
    let mut file = input::read(&args.model)?;
    let count = file.domains.len();
    let model = file.domains.get_mut(args.domain);
    let model = model.ok_or_else(|| CliError::usage(format!("--domain {}: there are {count}", args.domain)))?;
    if model.bases.iter().any(|base| base.label == args.label) {
        let text = format!("--label {}: the model has a base of this label; give another one", args.label);
        return Err(CliError::usage(text));
    }
    let base = Arc::new(Base { label: args.label.clone(), ..read(&args.base)?.base });
    model.apply(Op::Define(Definition::Base(Arc::clone(&base))))?;
    if let Some(body) = &args.body {
        confine(model, input::bodies(model, Some(body))?, &base, args)?;
    }
    if args.output == Path::new("-") {
        refuse_binary_to_terminal()?;
        return write_stdout(&to_bytes(&file)?);
    }
    let part = Part::create(&args.output, args.force)?;
    write_file(part.part(), &file)?;
    part.commit()
}

/// The bodies of these rows are confined to a base.
fn confine(model: &mut Model, rows: Vec<usize>, base: &Arc<Base>, args: &Register) -> Result<(), CliError> {
    for row in rows {
        let old = &model.bodies[row];
        let new = BodyRow {
            form: args.form,
            base: Some(Arc::clone(base)),
            scheme: Scheme::DefLim,
            conf: Vec::new(),
            velo: Vec::new(),
            ..old.clone()
        };
        let of_nodes = |op: &StoredOp| match op {
            Op::SetVelocity { velo, .. } => velo.len() > RIGID,
            op => matches!(op, Op::SetConfiguration { .. }),
        };
        if !old.conf.is_empty() || old.velo.len() > RIGID || model.descriptions(row).any(of_nodes) {
            let text = format!("{} has an initial state of its nodes; leave it out", old.title());
            return Err(CliError::bad_input(text));
        }
        let shapes: Vec<Shape> = model.all_shapes_of(old).collect();
        let bulk = &model.bulk;
        check_finite_body(&NewBody { name: &name_of(&new), row: &new, bulk, shapes: &shapes })?;
        let old = std::mem::replace(&mut model.bodies[row], new);
        if let [a, b, c, d, e, f] = old.velo[..] {
            // Six numbers in the row may be those of the base.
            let inserts = |op: &StoredOp| op.bodies().is_some_and(|rows| rows.contains(&(row as u32)));
            let at = model.program.iter().position(inserts).map_or(0, |at| at + 1);
            let moves = Op::InitialVelocity { body: old.id, linear: [d, e, f], angular: [a, b, c] };
            model.program.insert(at, moves);
        }
    }
    Ok(())
}

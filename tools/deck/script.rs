//! A Python script with the reading commands of decks. The results are its object `solfec`, and every SOLFEC that it makes
//! itself reads them too, whatever path it names.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use solfec::load::UserFunctions;
use solfec::model::{Model, Op, StoredOp};
use solfec::simulation::Simulation;
use solfec_formats::results::Results;

use crate::cli::{CliError, Exit, Warnings};
use super::engine::{Engine, Opening, Outcome, Pause, Start};
use super::environment::Environment;
use super::fault::Fault;
use super::host::{self, Deck, Python2};
use super::session::Session;
use super::stored::Stored;
use super::table::Language;

/// Runs the script at `path` on domain `domain` of results; `args` are its arguments.
///
/// # Errors
/// Those of a deck.
pub fn read(
    path: &Path,
    args: &[String],
    results: Results,
    domain: usize,
    warnings: &mut Warnings,
) -> Result<(), CliError> {
    let deck = Deck {
        path: path.into(),
        text: None,
        root: None,
        python2: Python2::Auto,
        set: Vec::new(),
        stdout_taken: false,
        muted: false,
        child: None,
    };
    let environment = Environment { args: args.to_vec(), allow_live: true, ..Environment::default() };
    let mut model = results.model()?.domains.swap_remove(domain);
    let reader = Reading { results: Rc::new(results), domain, outcomes: BTreeMap::new() };
    let mut session = Session::with_engine(environment, Box::new(reader));
    model.program.clear();
    session.predefine("solfec", model).map_err(|fault| CliError::bad_input(fault.text))?;
    let mut hear = |kind: &str, text: &str| match kind {
        "note" => {}
        _ => warnings.warn("script", text),
    };
    let ended = host::run(&deck, &Language::standard(), &mut session, &mut hear);
    warnings.summary();
    ended.map(|_| ())
}

/// Every SOLFEC object reads the same results; nothing runs.
struct Reading {
    results: Rc<Results>,
    domain: usize,
    outcomes: BTreeMap<usize, Outcome>,
}

impl Engine for Reading {
    fn open(&mut self, _domain: usize, _model: &Model) -> Result<Opening, Fault> {
        Ok(Opening::Read(Box::new(Stored::of(self.results.clone(), self.domain)?)))
    }

    fn restore(&mut self, _domain: usize, _model: &Model, _program: &[StoredOp]) -> Result<(), Fault> {
        Ok(())
    }

    fn release(&mut self, _domain: usize, _cleanup: bool) -> Result<(), Fault> {
        Ok(())
    }

    fn seconds(&mut self, _domain: usize, _phase: &str) -> Option<f64> {
        None
    }

    fn apply(&mut self, _domain: usize, _op: Op) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(&mut self, _model: &Model, _start: &Start) -> Result<(), Fault> {
        Err(Fault::runtime("results are read and nothing runs; use sf-run"))
    }

    fn advance(&mut self, _domain: usize, _functions: &mut dyn UserFunctions) -> Result<Pause, Fault> {
        Ok(Pause::Done)
    }

    fn stop(&mut self, _domain: usize) {}

    fn abandon(&mut self, _domain: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn go_on(&mut self, _domain: usize) {}

    fn simulation(&mut self, _domain: usize) -> Option<&mut Simulation> {
        None
    }

    fn outcome(&mut self, solver: usize) -> &mut Outcome {
        self.outcomes.entry(solver).or_default()
    }

    fn finish(&mut self, _exit: Exit) -> Result<(), CliError> {
        Ok(())
    }
}

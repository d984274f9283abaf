//! A Python script with the reading commands of decks. The results are its object `solfec`, and every SOLFEC that it
//! makes itself reads them too, whatever path it names.

use std::path::Path;
use std::rc::Rc;

use solfec_formats::results::Results;

use super::engine::Reader;
use super::environment::Environment;
use super::fault::Fault;
use super::objects::Objects;
use super::process::{self, Deck, Python2};
use super::session::Session;
use super::stored::Stored;
use super::table::Language;
use crate::cli::{CliError, Warnings};

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
    let reader = Box::new(Reading { results: Rc::new(results), domain });
    let mut objects = Objects::that_read(environment, reader);
    model.program.clear();
    let predefined = Session::new(&mut objects, None).predefine("solfec", model);
    predefined.map_err(|fault| CliError::bad_input(fault.text))?;
    let mut hear = |kind: &str, text: &str| match kind {
        "note" => {}
        _ => warnings.warn("script", text),
    };
    let ended = process::run(&deck, &Language::standard(), &mut objects, None, &mut hear);
    warnings.summary();
    ended.map(|_| ())
}

/// Every SOLFEC object reads the same results; nothing runs.
struct Reading {
    results: Rc<Results>,
    domain: usize,
}

impl Reader for Reading {
    fn open(&mut self) -> Result<Stored, Fault> {
        Stored::of(self.results.clone(), self.domain)
    }
}

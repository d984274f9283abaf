//! Runs a live deck from its beginning to the exit code.

use super::live::Live;
use super::options::Options;
use super::process::Process;
use super::supervisor::Ending;
use crate::cli::{print_note, CliError, Exit, Record};
use crate::deck::{self, Deck, Environment, Language, Objects, Session};

/// Runs a deck. `text` is what it holds.
pub fn run(
    deck: &Deck,
    text: String,
    environment: Environment,
    options: &Options,
    process: Process,
    record: Record,
) -> Result<(), CliError> {
    let (ending, signals) = (process.supervisor.ending.clone(), process.supervisor.signals.clone());
    let mut live = Live::new(text, options, process, record);
    let mut objects = Objects::that_run(environment);
    let mut warnings = crate::cli::Warnings::new("sf-run");
    let mut hear = |kind: &str, text: &str| match kind {
        "note" if options.common.quiet => {}
        "note" => print_note("sf-run", &format!("{}: {text}", deck.path.display())),
        "geometry" => warnings.warn("geometry", text),
        "python2" => warnings.warn("python2", text),
        "history" => warnings.warn("history", text),
        "point" => warnings.warn("point", text),
        _ => warnings.warn("ignored", text),
    };
    let ended = deck::run(deck, &Language::standard(), &mut objects, Some(&mut live), &mut hear).map(|_| ());
    warnings.summary();
    // A deck may have caught the exception that tells of a signal.
    if let (None, Some(signal)) = (ending.get(), signals.end()) {
        ending.set(Some(Ending::of_signal(signal, options.requeue)));
    }
    let ended = match ending.get().filter(|ending| !ending.spares_the_deck()) {
        Some(ending) => Err(CliError::quiet(ending.exit())),
        None => ended,
    };
    let exit = ended.as_ref().map_or_else(|e| e.code, |()| Exit::Success);
    live.error = ended.as_ref().err().cloned();
    let finished = Session::new(&mut objects, Some(&mut live)).finish(exit);
    ended.and(finished)
}

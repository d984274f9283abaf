//! What a verb is: a struct of arguments that can run.

use clap::{ArgMatches, Args, Command};

use crate::cli::{CliError, Common};

/// Arguments of a verb, and what it does.
pub trait Verb: Args {
    const NAME: &'static str;
    /// What it does, in a line.
    const ABOUT: &'static str;

    /// # Errors
    /// Files that cannot be read or written, arguments that make no mesh, a negative answer.
    fn run(self, common: &Common) -> Result<(), CliError>;
}

/// A verb in a table.
pub struct Entry {
    pub name: &'static str,
    pub command: fn() -> Command,
    pub run: fn(&ArgMatches, &Common) -> Result<(), CliError>,
}

/// The entry of a verb.
pub const fn entry<V: Verb>() -> Entry {
    Entry { name: V::NAME, command: command::<V>, run: run::<V> }
}

fn command<V: Verb>() -> Command {
    V::augment_args(Command::new(V::NAME)).about(V::ABOUT)
}

fn run<V: Verb>(matches: &ArgMatches, common: &Common) -> Result<(), CliError> {
    V::from_arg_matches(matches).map_err(|error| CliError::usage(error.to_string()))?.run(common)
}

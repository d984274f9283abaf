//! sf-mesh: generates, transforms, joins, converts, judges and draws meshes. One verb after the name of the tool says
//! what is done; verbs chain by pipes. `VERBS` lists them, one line each; [`files`] is how all of them read and write.

mod bodies;
mod check;
mod combine;
mod convert;
mod decompose;
mod divide;
mod files;
mod generate;
mod info;
mod inspect;
mod remesh;
mod select;
mod set;
mod transform;
mod verb;
mod view;

use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser};

use crate::cli::{parse, CliError, Common, EXIT_CODES, VERSION};
use verb::{entry, Entry};

const TOOL: &str = "sf-mesh";

const EXAMPLES: &str =
    "Examples:\n  sf-mesh convert core.inp --part FB1 | sf-mesh scale .001 .001 .001 | sf-mesh check\n  \
                        sf-mesh pipe --length 0 0 2 --inner 0.5 --wall 0.1 -n 10 24 2 -o pipe.h5\n\n";

/// All verbs.
static VERBS: &[Entry] = &[
    entry::<generate::Hex>(),
    entry::<generate::PipeVerb>(),
    entry::<generate::Ellipsoid>(),
    entry::<remesh::RoughHex>(),
    entry::<generate::Hull>(),
    entry::<remesh::Elements>(),
    entry::<remesh::Fill>(),
    entry::<transform::Scale>(),
    entry::<transform::Translate>(),
    entry::<transform::Rotate>(),
    entry::<transform::Bend>(),
    entry::<divide::Halve>(),
    entry::<combine::Merge>(),
    entry::<select::Extract>(),
    entry::<combine::Overlap>(),
    entry::<decompose::Decompose>(),
    entry::<set::Set>(),
    entry::<convert::Convert>(),
    entry::<info::Info>(),
    entry::<check::Check>(),
    entry::<view::Draw>(),
    entry::<inspect::NodesOnSurface>(),
    entry::<inspect::FacesOnPlane>(),
    entry::<inspect::IntegrationPoints>(),
];

/// The command line: one of the verbs, with the options of all tools.
struct Options {
    common: Common,
    verb: &'static Entry,
    arguments: ArgMatches,
}

impl CommandFactory for Options {
    fn command() -> Command {
        let mut command = Command::new(TOOL)
            .version(VERSION)
            .after_long_help(format!("{EXAMPLES}{EXIT_CODES}"))
            .subcommand_required(true)
            .disable_help_subcommand(true);
        // The description after the common options, which bring one along.
        command = Common::augment_args(command).mut_args(|arg| arg.global(true));
        command =
            command.about("Generates, transforms, converts, inspects and draws meshes and surfaces").long_about(None);
        command.subcommands(VERBS.iter().map(|verb| (verb.command)()))
    }

    fn command_for_update() -> Command {
        Self::command()
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, arguments) = matches.subcommand().ok_or_else(missing)?;
        let verb = VERBS.iter().find(|verb| verb.name == name).ok_or_else(missing)?;
        Ok(Options { common: Common::from_arg_matches(arguments)?, verb, arguments: arguments.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Parser for Options {}

/// The command line of the tool.
pub fn command() -> Command {
    Options::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let options: Options = parse(TOOL)?;
    options.common.apply();
    options.common.start_threads()?;
    (options.verb.run)(&options.arguments, &options.common)
}

//! sf-build: runs a deck with RUN recorded, and writes the model.

mod dump;
mod start;
mod summary;

use std::collections::BTreeMap;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use sha2::{Digest, Sha256};
use solfec::material::SurfaceMaterial;
use solfec::model::Model;
use solfec::simulation::Warning;
use solfec_formats::model::{from_bytes, to_bytes, Input, ModelFile, Provenance};

use crate::cli::{
    assignment, harmless, main_with, parse, print_error, print_note, refuse_binary_to_terminal, write_stdout, CliError,
    Common, Exit, Product, Record, Warnings, EXIT_CODES, VERSION,
};
use crate::deck::{self, Deck, Ended, Environment, Language, Objects, Python2, Recording};

const TOOL: &str = "sf-build";

const EXAMPLES: &str = "\
Examples:
  sf-build deck.py | sf-run - -o out/deck
  sf-build -o deck.sfm.h5 --set friction=0.3 deck.py -- fine";

/// Formats of `--export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Export {
    /// The text of MBFCP_EXPORT
    Mbfcp,
    /// A readable summary
    Json,
}

/// Runs a deck and writes the model it describes. RUN is recorded; sf-run performs it.
#[derive(Debug, Parser)]
#[command(name = TOOL, version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
struct Options {
    /// The deck, a Python program
    deck: PathBuf,
    /// Arguments of the deck: NON_SOLFEC_ARGV() and sys.argv
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
    /// File for the model; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Overwrite FILE; write binary to a terminal
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    force: bool,
    /// Sub-directory of all results: SUBDIR() and the output paths
    #[arg(short, long, value_name = "SUB")]
    subdir: Option<String>,
    /// Define a variable of the deck: a Python literal, otherwise a string (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Convert Python 2 decks: auto (when only Python 2 can be meant), always, never
    #[arg(long, value_enum, default_value_t = Python2::Auto, value_name = "WHEN", hide_possible_values = true)]
    python2: Python2,
    /// Write the deck as Python 3 and stop
    #[arg(long)]
    convert_deck: bool,
    /// Run the deck in this directory
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Only this SOLFEC object: its name or its number from 0
    #[arg(long, value_name = "NAME|INDEX")]
    domain: Option<String>,
    /// Write no provenance, so that equal models give equal files
    #[arg(long)]
    no_provenance: bool,
    /// Run the deck, check the model and its initial state, write nothing; code 1 if there are problems
    #[arg(long)]
    check: bool,
    /// Do everything except writing
    #[arg(long)]
    dry_run: bool,
    /// Print a summary of the model, write nothing
    #[arg(long)]
    list: bool,
    /// Also write models that need functions of their deck; sf-run then runs the deck with them
    #[arg(long)]
    allow_live: bool,
    /// Omit functions of CALLBACK and of failing solvers, with a warning for each
    #[arg(long)]
    drop_callbacks: bool,
    /// Replace functions of PUT_SPRING by tables of N points between their limits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    tabulate_springs: Option<u32>,
    /// Write the model as text of another format instead
    #[arg(long, value_enum, value_name = "FORMAT")]
    export: Option<Export>,
    /// Write a Makefile rule with all files the deck read
    #[arg(long, value_name = "FILE")]
    deps: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// The command line of the tool.
pub fn command() -> clap::Command {
    <Options as clap::CommandFactory>::command()
}

pub fn main() -> ExitCode {
    main_with(TOOL, || {
        let options: Options = parse(TOOL)?;
        options.common.apply();
        build(&options)
    })
}

fn build(options: &Options) -> Result<(), CliError> {
    let mut record = Record::begin(TOOL, 1);
    if options.deck == Path::new("-") {
        return Err(CliError::usage("a deck cannot come from standard input, which is the deck's own; give a file"));
    }
    let text = fs::read(&options.deck).map_err(|e| CliError::file(&options.deck, "read", &e))?;
    if text.contains(&0) {
        let name = options.deck.display();
        return Err(CliError::bad_input(format!("{name}: is not a text file; give a deck, a Python program")));
    }
    let deck = Deck {
        path: options.deck.clone(),
        text: None,
        root: options.root.clone(),
        python2: options.python2,
        set: options.set.clone(),
        stdout_taken: options.takes_stdout(),
        muted: false,
        child: None,
    };
    if options.convert_deck {
        let mut product = Product::open(Some(&options.output), options.force)?;
        product.put(deck::convert(&deck)?.as_bytes())?;
        return product.finish();
    }
    options.check_output()?;
    let (objects, ended) = run_deck(options, &deck)?;
    if ended.left {
        // As much as a signal would leave: half a model is none.
        return Ok(());
    }
    let mut file = ModelFile { domains: options.chosen(objects)?, provenance: Provenance::default() };
    let problems = if options.check { problems(&file)? } else { Vec::new() };
    if options.list || options.common.json {
        report(options, &file, &problems)?;
    }
    if options.check {
        return answer(options, &problems);
    }
    if options.list {
        return Ok(());
    }
    if let Some(format) = options.export {
        return export(options, format, &file.domains);
    }
    if !options.no_provenance {
        record.deck = Some(deck.circumstances(&options.environment()));
        file.provenance = provenance(options, &text, &ended, &record);
        file.provenance.requires_live = file.domains.iter().any(solfec::model::Model::requires_live);
    }
    let bytes = to_bytes(&file).map_err(|e| CliError::new(Exit::Internal, e.to_string()))?;
    if options.dry_run {
        if !options.common.quiet {
            print_note(TOOL, &format!("{}: {} bytes, not written", options.output.display(), bytes.len()));
        }
        return Ok(());
    }
    let mut product = Product::open(Some(&options.output), options.force)?;
    product.put(&bytes)?;
    if let Some(path) = &options.deps {
        let rule = make_rule(options, &ended.inputs);
        fs::write(path, rule).map_err(|e| CliError::file(path, "write", &e))?;
    }
    product.finish()?;
    options.tell(&file);
    Ok(())
}

impl Options {
    fn environment(&self) -> Environment {
        Environment {
            args: self.args.clone(),
            subdir: self.subdir.clone(),
            compat: self.common.compat.clone(),
            allow_live: self.allow_live,
            processes: None,
            force_read: false,
        }
    }

    /// Says on a terminal what was written, and what to type next; in a pipe the next program speaks.
    fn tell(&self, file: &ModelFile) {
        let wanted = self.common.verbose > 0 || std::io::stderr().is_terminal();
        if !wanted || self.common.quiet || self.to_stdout() {
            return;
        }
        let bodies: usize = file.domains.iter().map(|domain| domain.bodies.len()).sum();
        let name = self.output.display();
        let python = if file.provenance.requires_live { " --python" } else { "" };
        let noun = if bodies == 1 { "body" } else { "bodies" };
        print_note(TOOL, &format!("{name}: wrote a model of {bodies} {noun}; next: sf-run{python} {name}"));
    }

    fn writes_model(&self) -> bool {
        !(self.check || self.list || self.convert_deck || self.dry_run)
    }

    fn to_stdout(&self) -> bool {
        self.output == Path::new("-")
    }

    fn takes_stdout(&self) -> bool {
        self.list || self.common.json || self.convert_deck || (self.writes_model() && self.to_stdout())
    }

    /// Refuses what would fail after a long build.
    fn check_output(&self) -> Result<(), CliError> {
        if !self.writes_model() {
            return Ok(());
        }
        if self.to_stdout() && self.deps.is_some() {
            return Err(CliError::usage("--deps: a rule needs the name of its target; use -o FILE"));
        }
        if self.to_stdout() && self.export.is_some() {
            return Ok(());
        }
        if self.to_stdout() && self.common.json {
            return Err(CliError::usage("--json and the model both go to standard output; use -o FILE"));
        }
        if self.to_stdout() {
            return if self.force { Ok(()) } else { refuse_binary_to_terminal() };
        }
        Product::open(Some(&self.output), self.force).map(drop)
    }

    /// The models of the SOLFEC objects asked for.
    fn chosen(&self, objects: Objects) -> Result<Vec<solfec::model::Model>, CliError> {
        let mut models: Vec<_> = objects.domains.into_iter().map(|d| d.model).collect();
        let name = self.deck.display();
        if models.is_empty() {
            return Err(CliError::bad_input(format!("{name}: makes no SOLFEC object; there is nothing to build")));
        }
        if let Some(wanted) = &self.domain {
            let index = wanted.parse::<usize>().ok().filter(|i| *i < models.len());
            let found = models.iter().position(|m| m.name == *wanted).or(index);
            let missing = || CliError::usage(format!("--domain {wanted}: {name} has no such SOLFEC object"));
            models = vec![models.swap_remove(found.ok_or_else(missing)?)];
        }
        Ok(models)
    }
}

fn run_deck(options: &Options, deck: &Deck) -> Result<(Objects, Ended), CliError> {
    let mut objects = Objects::new(options.environment());
    objects.recording =
        Recording { drop_callbacks: options.drop_callbacks, tabulate_springs: options.tabulate_springs };
    let mut warnings = Warnings::new(TOOL);
    let mut hear = |kind: &str, text: &str| match kind {
        "note" if options.common.quiet => {}
        "note" => print_note(TOOL, &format!("{}: {text}", options.deck.display())),
        "geometry" => warnings.warn("geometry", text),
        "python2" => warnings.warn("python2", text),
        "point" => warnings.warn("point", text),
        "export" => warnings.warn("export", text),
        _ => warnings.warn("ignored", text),
    };
    let ended = deck::run(deck, &Language::standard(), &mut objects, None, &mut hear);
    warnings.summary();
    Ok((objects, ended?))
}

fn report(options: &Options, file: &ModelFile, problems: &[String]) -> Result<(), CliError> {
    let mut facts = summary::facts(&file.domains)?;
    if options.check {
        facts["problems"] = problems.into();
        facts["exit"] = if problems.is_empty() { Exit::Success } else { Exit::No }.code().into();
    }
    let text = if options.common.json { format!("{facts}\n") } else { harmless(&summary::text(&facts)).into_owned() };
    write_stdout(text.as_bytes())
}

/// The model survives being written and read, its bodies can be simulated, and none are pressed too far into each
/// other.
fn problems(file: &ModelFile) -> Result<Vec<String>, CliError> {
    let bytes = to_bytes(file).map_err(|e| CliError::new(Exit::Internal, e.to_string()))?;
    if from_bytes(bytes, "model")? != *file {
        return Err(CliError::new(
            Exit::Internal,
            "the model changes when it is written and read: a bug of this program; do not use its file",
        ));
    }
    let mut problems = Vec::new();
    for model in &file.domains {
        let start = start::start(model)?;
        let depth = model.settings.penetration_depth;
        for overlap in start.overlaps.iter().filter(|o| o.depth >= depth) {
            let ([a, b], by) = (overlap.bodies, overlap.depth);
            problems.push(format!(
                "{}: bodies {a} and {b} overlap by {by:.3e} m at the start, more than UNPHYSICAL_PENETRATION allows",
                model.name
            ));
        }
        let mut warnings = Warnings::new(TOOL);
        for Warning { kind, text } in &start.warnings {
            warnings.warn(kind.name(), &format!("{}: {text}", model.name));
        }
        let smooth = model.surface.iter().all(|material| *material == SurfaceMaterial::default());
        if smooth && model.bodies.len() > 1 {
            let text = "no SURFACE_MATERIAL is given: contacts have no friction and no restitution";
            warnings.warn("friction", &format!("{}: {text}", model.name));
        }
        shared_labels(model).for_each(|text| warnings.warn("label", &format!("{}: {text}", model.name)));
        start.footing.iter().for_each(|text| warnings.warn("one-point", &format!("{}: {text}", model.name)));
        if let Some((_, step, body)) = start.critical.iter().find(|(_, step, _)| *step < 0.5 * model.step) {
            let text = format!("the critical step of body {body} is {step:.3e} s: the step will be lowered");
            warnings.warn("step", &format!("{}: {text}", model.name));
        }
        warnings.summary();
    }
    Ok(problems)
}

/// Labels of more than one body.
fn shared_labels(model: &Model) -> impl Iterator<Item = String> + '_ {
    let mut bodies = BTreeMap::<&str, usize>::new();
    for body in model.bodies.iter().filter(|body| !body.label.is_empty()) {
        *bodies.entry(&body.label).or_default() += 1;
    }
    bodies.into_iter().filter(|(_, count)| *count > 1).map(|(label, count)| {
        format!("{count} bodies have the label '{label}': an item with it shows the latest of them; id:N names one")
    })
}

/// What --check ends with. The report has the problems already if there is one.
fn answer(options: &Options, problems: &[String]) -> Result<(), CliError> {
    let text = format!("{}: {}", options.deck.display(), problems.join("\n  "));
    match (problems.is_empty(), options.common.json) {
        (true, _) => Ok(()),
        (false, false) => Err(CliError::new(Exit::No, text)),
        (false, true) => {
            print_error(TOOL, &text);
            Err(CliError::quiet(Exit::No))
        }
    }
}

/// Writes the model as text.
fn export(options: &Options, format: Export, models: &[solfec::model::Model]) -> Result<(), CliError> {
    let text = match (format, models) {
        (Export::Json, _) => dump::dump(models),
        (Export::Mbfcp, [model]) => solfec_formats::mbfcp::mbfcp(model)
            .map_err(|text| CliError::bad_input(format!("{}: {text}", options.deck.display())))?,
        (Export::Mbfcp, _) => {
            return Err(CliError::usage(format!("MBFCP holds one SOLFEC object, not {}; use --domain", models.len())))
        }
    };
    if options.dry_run {
        return Ok(());
    }
    let mut product = Product::open(Some(&options.output), options.force)?;
    product.put(text.as_bytes())?;
    product.finish()
}

fn provenance(options: &Options, text: &[u8], ended: &Ended, record: &Record) -> Provenance {
    let folder = options.root.as_deref().unwrap_or(Path::new(""));
    let input = |path: &String| {
        let bytes = fs::read(folder.join(path)).ok()?;
        Some(Input {
            path: path.clone(),
            size: bytes.len() as u64,
            sha256: Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect(),
        })
    };
    Provenance {
        deck: String::from_utf8_lossy(text).into_owned(),
        inputs: ended.inputs.iter().skip(1).filter_map(input).collect(),
        runs: vec![record.json(Exit::Success)],
        requires_live: false,
    }
}

/// `target: inputs`, with blanks escaped as make wants them.
/// The deck named its files in the folder of --root; make sees them from here.
fn make_rule(options: &Options, inputs: &[String]) -> String {
    let escape = |path: &Path| path.display().to_string().replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#");
    let folder = options.root.as_deref().unwrap_or(Path::new(""));
    let read = inputs.iter().skip(1).map(|input| escape(&folder.join(input)));
    let inputs: Vec<String> = std::iter::once(escape(&options.deck)).chain(read).collect();
    format!("{}: {}\n", escape(&options.output), inputs.join(" "))
}

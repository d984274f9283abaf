//! What sf-run is given: a deck, a model, a model that needs its deck, or a results directory.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

use crate::cli::{
    open_results, read_hdf5_stdin, refuse_binary_to_terminal, require_exists, require_sound, write_stdout,
    Circumstances, CliError, Exit, Record, Temporary,
};
use crate::deck::{self, Deck, Environment, Language, Objects, Python2};
use sha2::{Digest, Sha256};
use solfec_formats::model::{self, Input, ModelFile};
use solfec_formats::results::{self, Reader, Results};

use super::consent::{refuse_deck, refuse_outside};
use super::difference::any_difference;
use super::options::Options;
use super::process::Process;
use super::ranks::Ranks;
use super::{follow, recorded, start};

/// Who gives `sf-run -c -o DIR` no model at all means the results in DIR.
fn told_of_directory(error: CliError, options: &Options) -> CliError {
    match options.go_on {
        true => CliError { text: format!("{}; to go on with results in DIR: sf-run -c DIR", error.text), ..error },
        false => error,
    }
}

/// Runs whatever it is. The first of several processes reads it, and tells the others.
pub fn run(options: &Options, threads: usize, ranks: &Ranks) -> Result<(), CliError> {
    if options.output.as_deref() == Some(Path::new("-")) {
        return to_stdout(options, threads, ranks);
    }
    let record = Record::begin("sf-run", threads);
    if !ranks.first() {
        return follow::run(options, record, ranks);
    }
    if options.verify {
        verify(options)?;
    }
    let Some(path) = options.model.as_deref().filter(|path| *path != Path::new("-")) else {
        let place = "standard input";
        let bytes = read_hdf5_stdin().map_err(|error| told_of_directory(error, options))?;
        return model(model::from_bytes(bytes, place)?, place, options, record, ranks);
    };
    require_exists(path)?;
    if path.is_dir() {
        return directory(path, options, record, ranks);
    }
    if path.extension().is_some_and(|e| e == "py") {
        return deck(path, Circumstances::default(), options, record, ranks);
    }
    model(model::read_file(path)?, &path.display().to_string(), options, record, ranks)
}

/// Refuses a model, or results to go on with, that are not what was written.
fn verify(options: &Options) -> Result<(), CliError> {
    let deck = |path: &Path| path.extension().is_some_and(|e| e == "py");
    let model = options.model.as_deref().or(Some(Path::new("-"))).filter(|path| !deck(path));
    let stored = options.directory().filter(|path| (options.go_on || options.read) && results::exists(path));
    if model.is_none() && stored.is_none() {
        return Err(CliError::usage("--verify: a deck has no checksums; use it with a model, or with -c and -o DIR"));
    }
    model.into_iter().chain(stored.as_deref()).try_for_each(require_sound)
}

/// `-o -`: results are written in a temporary folder, and packed to standard output at the end.
fn to_stdout(options: &Options, threads: usize, ranks: &Ranks) -> Result<(), CliError> {
    if ranks.count() > 1 {
        return Err(CliError::usage(
            "-o -: several processes write into a directory; use -o DIR, then sf-run --pack DIR",
        ));
    }
    if options.common.json {
        return Err(CliError::usage("--json and the results both go to standard output; use -o DIR"));
    }
    refuse_binary_to_terminal()?;
    let folder = Temporary::new("sf-run")?;
    let results = folder.path("results");
    let inner = Options { output: Some(results.clone()), subdir: None, stdout_taken: true, ..options.clone() };
    let ran = run(&inner, threads, ranks);
    let packed = match &ran {
        Err(error) if error.code != Exit::Stopped => Vec::new(),
        _ => open_results(&results)
            .and_then(|all| Ok(results::pack_to_bytes(&all, &results::everything(&all), options.max_stdout)?))?,
    };
    drop(folder);
    write_stdout(&packed).and(ran)
}

/// A results directory: the deck kept in it, else its model.
fn directory(path: &Path, options: &Options, record: Record, ranks: &Ranks) -> Result<(), CliError> {
    let place = options.in_subdir(path.into());
    let options = Options { output: Some(place.clone()), subdir: None, input_directory: true, ..options.clone() };
    let name = place.canonicalize().map_err(|e| CliError::file(&place, "read", &e))?;
    let kept = place.join(format!("{}.py", name.file_name().unwrap_or_default().to_string_lossy()));
    if kept.exists() {
        if !options.python {
            return Err(refuse_kept(path, &kept, &options));
        }
        return deck(&kept, circumstances_of(&place), &options, record, ranks);
    }
    if !results::exists(&place) {
        let text = format!(
            "{}: is a directory without results; give a model file of sf-build, a deck, or the directory of a run",
            place.display()
        );
        return Err(CliError::usage(text));
    }
    if !(options.go_on || options.overwrite) {
        let text = format!(
            "{}: holds the results of a model; use -c to go on with it, -w to run it again, or sf-history to read it",
            place.display()
        );
        return Err(CliError::exists(text));
    }
    let whole = Reader::open(&place).and_then(|reader| reader.model());
    // What replaces damaged results needs their model alone.
    let file = match whole {
        Err(error) if options.overwrite => results::model_beside(&place).map_err(|_| model_lost(&place, &error))?,
        Err(error) => return Err(recorded::damaged(&place, &error)),
        Ok(file) => file,
    };
    model(file, &place.display().to_string(), &options, record, ranks)
}

fn model_lost(place: &Path, error: &solfec_formats::Error) -> CliError {
    let text = format!(
        "{error}; the results in {0} are damaged, and their model cannot be read; run the model or deck that they are of \
         with -w -o {0}",
        place.display()
    );
    CliError::new(Exit::Io, text).named("E_IO_DAMAGED")
}

/// The deck in a results directory lies there like any other file: it runs when it is named or trusted.
fn refuse_kept(path: &Path, kept: &Path, options: &Options) -> CliError {
    if options.no_python {
        return python_refused(kept);
    }
    let text = match std::fs::read(kept) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return CliError::file(kept, "read", &error),
    };
    let way = if options.go_on {
        " -c"
    } else if options.overwrite {
        " -w"
    } else {
        ""
    };
    let place = options.output.as_deref().unwrap_or(path);
    let otherwise = format!("; or name your own deck: sf-run{way} -o {} DECK.py", place.display());
    refuse_deck(&path.display().to_string(), &text, &otherwise)
}

fn python_refused(path: &Path) -> CliError {
    let text = format!("{}: is a deck, and --no-python refuses decks; give a model of sf-build", path.display());
    CliError::usage(text)
}

/// How the deck of the results in `place` ran; empty if they do not say.
fn circumstances_of(place: &Path) -> Circumstances {
    let provenance = Results::open_partial(place).and_then(|results| results.provenance());
    provenance.ok().and_then(|provenance| Circumstances::of(&provenance.runs)).unwrap_or_default()
}

/// A deck by its file, in the circumstances of `then` as far as the command line gives no others.
fn deck(
    path: &Path,
    then: Circumstances,
    options: &Options,
    mut record: Record,
    ranks: &Ranks,
) -> Result<(), CliError> {
    if options.no_python {
        return Err(python_refused(path));
    }
    let text = std::fs::read(path).map_err(|e| CliError::file(path, "read", &e))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let child = Arc::<AtomicU32>::default();
    let deck = Deck {
        path: path.into(),
        text: None,
        root: options.root.clone(),
        python2: dialect(&then, options),
        set: variables(&then, options),
        stdout_taken: options.common.json || options.stdout_taken,
        muted: false,
        child: Some(Arc::clone(&child)),
    };
    let args = if options.args.is_empty() { then.args } else { options.args.clone() };
    let subdir = options.subdir.clone().or(then.subdir.map(PathBuf::from));
    let mut environment = environment(options, &args, subdir.as_deref(), &then.compat);
    environment.processes = Some(ranks.count());
    record.deck = Some(deck.circumstances(&environment));
    start::run(&deck, text, environment, options, Process::new(options, child, ranks)?, record)
}

fn dialect(then: &Circumstances, options: &Options) -> Python2 {
    let recorded = then.python2.as_deref().map(Python2::named);
    options.python2.or(recorded).unwrap_or(Python2::Auto)
}

/// Variables that are given replace those of the same name.
fn variables(then: &Circumstances, options: &Options) -> Vec<(String, String)> {
    let given = |name: &String| options.set.iter().any(|(other, _)| other == name);
    let kept = then.set.iter().filter(|(name, _)| !given(name));
    kept.chain(&options.set).cloned().collect()
}

fn environment(options: &Options, args: &[String], subdir: Option<&Path>, compat: &[String]) -> Environment {
    let mut compat = compat.to_vec();
    compat.extend(options.common.compat.iter().filter(|name| !compat.contains(name)).cloned().collect::<Vec<_>>());
    Environment {
        args: args.to_vec(),
        subdir: subdir.map(|s| s.to_string_lossy().into_owned()),
        compat,
        allow_live: true,
        force_read: options.force_read,
        processes: None,
    }
}

/// A model that comes from `place`.
fn model(file: ModelFile, place: &str, options: &Options, record: Record, ranks: &Ranks) -> Result<(), CliError> {
    let for_decks = [("--set", !options.set.is_empty()), ("--force-read", options.force_read)];
    if let Some((option, _)) = for_decks.iter().find(|(_, given)| *given) {
        return Err(CliError::usage(format!("{option} is for decks, and {place} is a model; give it to sf-build")));
    }
    if file.provenance.requires_live {
        return model_with_functions(file, place, options, record, ranks);
    }
    if options.output.is_none() {
        file.domains.iter().try_for_each(|domain| refuse_outside(&domain.output_path))?;
    }
    if let [first, ..] = &options.args[..] {
        return Err(CliError::usage(format!("'{first}': arguments after -- are for decks, and this is a model")));
    }
    if options.read {
        return Err(CliError::usage("--read is for decks; read the results of a model with sf-history or sf-xdmf"));
    }
    recorded::run(file, options, &mut Process::new(options, Arc::default(), ranks)?, &record)
}

/// A model whose functions are in its deck: with `--python` the deck it holds is recorded again, in the circumstances of then, and if
/// that gives the same model it runs live.
fn model_with_functions(
    file: ModelFile,
    place: &str,
    options: &Options,
    mut record: Record,
    ranks: &Ranks,
) -> Result<(), CliError> {
    let text = file.provenance.deck.clone();
    if text.is_empty() || options.no_python {
        let why = if options.no_python { "--no-python refuses it" } else { "it does not hold its deck" };
        let text = format!("this model needs functions of its deck, and {why}; use: sf-run deck.py");
        return Err(CliError::new(Exit::NeedsLive, text));
    }
    if !options.args.is_empty() {
        let text = "the model brings the arguments of its deck with it; build it again for others";
        return Err(CliError::usage(text));
    }
    if !options.python {
        return Err(refuse_deck(place, &text, "; or run your own deck: sf-run DECK.py"));
    }
    let directory = options.directory().unwrap_or_else(|| {
        let own = file.domains.first().map_or("", |domain| &domain.output_path);
        options.in_subdir(own.into())
    });
    if results::exists(&directory) && !(options.overwrite || options.go_on) {
        return Err(CliError::exists(format!(
            "{}: holds results; use -c to go on with them, -w to replace them or -o for another directory",
            directory.display()
        )));
    }
    let then = Circumstances::of(&file.provenance.runs).unwrap_or_default();
    let child = Arc::<AtomicU32>::default();
    let deck = Deck {
        path: if then.path.as_os_str().is_empty() { PathBuf::from("deck.py") } else { then.path.clone() },
        text: Some(text.clone()),
        root: options.root.clone().or(then.folder.clone()).filter(|folder| folder.is_dir()),
        python2: dialect(&then, options),
        set: then.set.clone(),
        stdout_taken: options.common.json || options.stdout_taken,
        muted: true,
        child: Some(Arc::clone(&child)),
    };
    let subdir = options.subdir.clone().or(then.subdir.as_ref().map(PathBuf::from));
    // Recorded as it was then; what the command line adds comes afterwards.
    let recorded = Environment {
        compat: then.compat.clone(),
        ..environment(options, &then.args, then.subdir.as_deref().map(Path::new), &[])
    };
    let mut objects = Objects::new(recorded);
    let again = deck::run(&deck, &Language::standard(), &mut objects, None, &mut |_, _| ());
    let folder = deck.root.clone().unwrap_or_default();
    again.map_err(|e| e.at("the deck of the model cannot be run again"))?;
    compare(&file, &objects, &folder)?;
    let mut environment = environment(options, &then.args, subdir.as_deref(), &then.compat);
    environment.processes = Some(ranks.count());
    let deck = Deck { muted: false, ..deck };
    record.deck = Some(deck.circumstances(&environment));
    let options = Options { args: then.args, subdir, ..options.clone() };
    start::run(&deck, text, environment, &options, Process::new(&options, child, ranks)?, record)
}

/// Error 3 when the deck of a model makes another model by now.
fn compare(file: &ModelFile, objects: &Objects, folder: &Path) -> Result<(), CliError> {
    let differs = |what: String| {
        let changed: Vec<String> = file.provenance.inputs.iter().filter_map(|i| change(i, folder)).collect();
        let inputs = if changed.is_empty() { String::new() } else { format!(" ({})", changed.join("; ")) };
        let text = format!("the deck of this model makes another model now: {what}{inputs}; build the model again");
        Err(CliError::bad_input(text).named("E_MODEL_DIFFERS"))
    };
    if objects.domains.len() != file.domains.len() {
        return differs(format!("{} SOLFEC objects instead of {}", objects.domains.len(), file.domains.len()));
    }
    for (old, new) in file.domains.iter().zip(&objects.domains) {
        if let Some(what) = any_difference(old, &new.model) {
            return differs(format!("'{}': {what}", old.name));
        }
    }
    Ok(())
}

/// How an input file of the deck has changed.
fn change(input: &Input, folder: &Path) -> Option<String> {
    match std::fs::read(folder.join(&input.path)) {
        Err(_) => Some(format!("its input {} cannot be read", input.path)),
        Ok(bytes) => {
            let hash: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
            (hash != input.sha256).then(|| format!("its input {} has changed", input.path))
        }
    }
}

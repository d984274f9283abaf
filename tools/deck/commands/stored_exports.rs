//! SOLFEC_EXPORT and MBFCP_EXPORT.

use std::path::Path;

use solfec_formats::mbfcp::mbfcp;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results::{self, Reader, Share, Writer};

use super::domain::{same_directory, SOLFEC_ARG};
use super::exports::{frames, subset};
use crate::deck::args::Args;
use crate::deck::export::Export;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::stored;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&SOLFEC_EXPORT, &MBFCP_EXPORT];

/// gzip level of exported columns.
const COMPRESSION: u8 = 1;

static SOLFEC_EXPORT: Command = Command {
    name: "SOLFEC_EXPORT",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new(
            "time",
            Kind::Times,
            "READ: the frame nearest to a time, those of a list, or all of a span, ends \
                                       included",
        )
        .unit("s"),
        Arg::new("path", Kind::Text, "directory of the new results; replaced if it holds an export"),
        Arg::new("subset", Kind::Subset, "bodies; rules of 'Subsets' in docs/paraview.md").or(Default::Absent("all")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Writes selected frames and bodies of the results, as sf-run --pack does, with the deck beside them, so \
          that every tool and the deck itself can read them. A constraint is included if all its bodies are. READ: \
          one packed file. WRITE: adds the present state to what earlier calls with the same path wrote; the time is \
          ignored.",
    run: solfec_export,
};

static MBFCP_EXPORT: Command = Command {
    name: "MBFCP_EXPORT",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("path", Kind::Text, "file to write")],
    returns: "None",
    modes: Modes::Both,
    doc: "Writes the model as MBFCP text: materials, gravity, bodies in their initial places, constraints. Numbers \
          have full precision.",
    run: |session, args| {
        let path = args.text("path")?;
        let domain = session.domain(args.handle("solfec")?)?;
        let mut model = domain.model.clone();
        (model.bulk, model.surface) = (domain.in_force.bulk.clone(), domain.in_force.surface.clone());
        let text = mbfcp(&model).map_err(Fault::value)?;
        std::fs::write(path, text).map_err(|error| unwritable(Path::new(path), &error))?;
        Ok(Value::None)
    },
};

fn unwritable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::new(FaultKind::System, crate::cli::CliError::file(path, "write", error).text)
}

fn solfec_export(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    if !session.is_live() {
        session.warn("export", "is not part of a model: use sf-run --pack on the results");
        return Ok(Value::None);
    }
    let solfec = args.handle("solfec")?;
    let path = Path::new(args.text("path")?);
    let Some(name) = path.file_name() else {
        let text = format!("path: '{}' has no last component to name the files after", path.display());
        return Err(Fault::value(text));
    };
    if let Value::Reals(times) = args.get("time") {
        if times.windows(2).any(|t| t[0] > t[1]) {
            return Err(Fault::value("time: the list goes back in time; give times that do not decrease"));
        }
    }
    let deck = std::fs::read(&session.deck).map_err(|error| unwritable(&session.deck, &error))?;
    if session.domain(solfec)?.reads() {
        export_frames(session, args, path)?
    } else {
        export_now(session, args, path, &deck)?
    }
    let copy = path.join(format!("{}.py", name.to_string_lossy()));
    std::fs::write(&copy, deck).map_err(|error| unwritable(&copy, &error))?;
    Ok(Value::None)
}

/// READ: stored frames.
fn export_frames(session: &mut Session, args: &Args, path: &Path) -> Result<(), Fault> {
    refuse_runs(session, path)?;
    let Some(stored) = session.domain(args.handle("solfec")?)?.stored() else { return Ok(()) };
    let table = stored.results.frames(stored.domain).map_err(stored::fault)?;
    let share = Share {
        domain: stored.domain,
        frames: Some(frames(&table.time, table.h.last().copied().unwrap_or(0.0), args.get("time"))),
        bodies: args.given("subset").then(|| subset(&stored.model, args.get("subset"))).transpose()?,
    };
    results::pack_in(&stored.results, &[share], path, COMPRESSION).map_err(stored::fault)
}

/// WRITE: the state of now.
fn export_now(session: &mut Session, args: &Args, path: &Path, deck: &[u8]) -> Result<(), Fault> {
    let solfec = args.handle("solfec")?;
    let frame = match session.frame(solfec)? {
        Some(frame) => frame,
        None => solfec::simulation::Simulation::new(&session.domain(solfec)?.model)?.view(),
    };
    let known = session.domain(solfec)?.exports.iter().position(|export| export.path == path);
    if known.is_none() {
        refuse_runs(session, path)?;
    }
    let domain = session.domain(solfec)?;
    let chosen = subset(&domain.model, args.get("subset"))?;
    let provenance = Provenance { deck: String::from_utf8_lossy(deck).into_owned(), ..Provenance::default() };
    let file = ModelFile { domains: vec![domain.model.clone()], provenance: provenance.clone() };
    let at = match known {
        Some(at) => at,
        None => {
            let phases = Vec::new();
            let options = results::Options {
                overwrite: true,
                compress: COMPRESSION,
                phases,
                provenance,
                ..results::Options::default()
            };
            let writer = Writer::create(path, &file, options).map_err(stored::fault)?;
            domain.exports.push(Export { path: path.into(), writer, frames: 0 });
            domain.exports.len() - 1
        }
    };
    let export = &mut domain.exports[at];
    let mut frame = results::part_of(frame, &chosen);
    frame.index = export.frames;
    export.frames += 1;
    let writer = &mut export.writer;
    writer.set_model(file);
    writer.append(0, frame).map_err(stored::fault)?;
    // Each call leaves whole results; segments are merged.
    writer.end_run(0, "exported").map_err(stored::fault)
}

/// Results of a run are never replaced by an export.
fn refuse_runs(session: &Session, path: &Path) -> Result<(), Fault> {
    let text = path.to_string_lossy();
    let ours = session.domains.iter().any(|d| same_directory(&d.model.output_path, &text));
    let run = results::exists(path) && {
        let old = Reader::open(path).map_err(stored::fault)?;
        !old.is_packed() && (0..old.domains().len()).any(|k| old.program(k).is_ok_and(|p| !p.is_empty()))
    };
    if ours || run {
        Err(Fault::value(format!("path: '{text}' holds results of a run; give another directory")))
    } else {
        Ok(())
    }
}

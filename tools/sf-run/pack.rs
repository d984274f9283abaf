//! Maintenance of results: `--pack` writes them as one file, `--check-file` says what is wrong with a file.

use std::path::{Path, PathBuf};

use crate::cli::{
    is_reading_child, open_results, refuse_binary_to_terminal, select_bodies, select_frames, verify, write_stdout,
    Checked, CliError, Exit, Part, TimeSpec, Warnings,
};
use serde_json::{json, Value};
use solfec_formats::check_file;
use solfec_formats::results::{self, Results, Share};

use super::options::Options;
use crate::info::summary;

/// Does what of this the command line asks for; nothing if it asks for a run.
pub fn maintain(options: &Options) -> Option<Result<(), CliError>> {
    if let Some(path) = &options.check_file {
        return Some(check(path, options));
    }
    options.pack.as_ref().map(|from| pack(from, options))
}

/// The file that the packed results go to; none: standard output.
fn target(options: &Options) -> Result<Option<&PathBuf>, CliError> {
    let named = match (&options.output, &options.model) {
        (Some(one), Some(other)) => {
            let text = format!("--pack: -o {} and {}: give one OUT", one.display(), other.display());
            return Err(CliError::usage(text));
        }
        (one, other) => one.as_ref().or(other.as_ref()),
    };
    let to = named.filter(|to| *to != Path::new("-"));
    if to.is_none() && options.common.json {
        return Err(CliError::usage("--json and the packed results both go to standard output; give OUT"));
    }
    Ok(to)
}

fn check(path: &Path, options: &Options) -> Result<(), CliError> {
    let Checked { is: ok, problems } = if is_reading_child() { check_here(path)? } else { verify(path)? };
    if options.common.json {
        let document = json!({"schema": "sf-run-check/1", "file": path, "is": ok, "problems": problems});
        write_stdout(format!("{document}\n").as_bytes())?;
    } else if let Some(what) = ok.filter(|_| !options.common.quiet) {
        write_stdout(format!("{}: ok: {what}\n", path.display()).as_bytes())?;
    }
    match problems.split_first() {
        None => Ok(()),
        Some((first, rest)) => {
            let more: String = rest.iter().map(|p| format!("\n  {p}")).collect();
            Err(CliError::new(Exit::No, format!("{first}{more}")))
        }
    }
}

/// In the process that a damaged file may crash.
fn check_here(path: &Path) -> Result<Checked, CliError> {
    let problems = check_file(path)?;
    let is = if problems.is_empty() { Some(summary(path)?) } else { None };
    Ok(Checked { is, problems })
}

fn pack(from: &Path, options: &Options) -> Result<(), CliError> {
    let to = target(options)?;
    if to.is_none() && !options.overwrite {
        refuse_binary_to_terminal()?;
    }
    let results = open_results(from)?;
    let shares = shares(&results, options)?;
    let Some(to) = to else {
        return write_stdout(&results::pack_to_bytes(&results, &shares, options.max_stdout)?);
    };
    // The formats make the file appear whole; this refuses what would fail after long work.
    drop(Part::create(to, options.overwrite)?);
    results::pack(&results, &shares, to, 1)?;
    if options.common.json {
        let document = json!({"schema": "sf-run-pack/1", "file": to, "domains": told(&results, &shares)?});
        write_stdout(format!("{document}\n").as_bytes())?;
    }
    Ok(())
}

/// What `--json` tells of what was packed.
fn told(results: &Results, shares: &[Share]) -> Result<Vec<Value>, CliError> {
    let one = |share: &Share| {
        let frames = match &share.frames {
            Some(frames) => frames.len(),
            None => results.frames(share.domain)?.len(),
        };
        let bodies = match &share.bodies {
            Some(bodies) => bodies.iter().filter(|&&taken| taken).count(),
            None => results.catalogue(share.domain)?.id.len(),
        };
        Ok(json!({"name": results.domains()[share.domain], "frames": frames, "bodies": bodies}))
    };
    shares.iter().map(one).collect()
}

/// The frames and bodies that are asked for.
fn shares(results: &Results, options: &Options) -> Result<Vec<Share>, CliError> {
    let mut shares = results::everything(results);
    if options.time.is_none() && options.subset.is_empty() {
        return Ok(shares);
    }
    if let Some(doubt) = options.time.as_ref().and_then(TimeSpec::doubt) {
        Warnings::new("sf-run").warn("time", &doubt);
    }
    let models = results.model()?.domains;
    for share in &mut shares {
        let table = results.frames(share.domain)?;
        let h = table.h.last().copied().unwrap_or(0.0);
        share.frames = options.time.as_ref().map(|spec| select_frames(&table.time, h, Some(spec), 1));
        if !options.subset.is_empty() {
            let chosen = select_bodies(&models[share.domain], &options.subset).map_err(CliError::usage)?;
            share.bodies = Some(chosen);
        }
    }
    Ok(shares)
}

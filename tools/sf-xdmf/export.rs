//! Drives the families over frames and writes their files.

use std::path::{Path, PathBuf};

use solfec::frame::Frame;
use solfec_formats::results::Results;

use super::context::Context;
use super::family::{Family, Part};
use super::heavy::Rows;
use super::links::Links;
use super::names::with_ending;
use super::pair::Xdmf;
use super::step::Step;
use super::vtkhdf::Vtkhdf;
use crate::cli::{CliError, Exit, Product};

/// How files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// `.xmf` with `.xmf.h5`: every ParaView.
    Xdmf,
    /// `.vtkhdf`: ParaView 5.12 and later.
    Vtkhdf,
}

impl Format {
    pub fn extension(self) -> &'static str {
        match self {
            Format::Xdmf => "xmf",
            Format::Vtkhdf => "vtkhdf",
        }
    }
}

/// Where the files go and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Path without `_bodies.xmf`.
    pub base: PathBuf,
    pub format: Format,
    pub parts: Vec<Part>,
    pub single: bool,
    pub force: bool,
}

impl Plan {
    /// The plan of files `base_PART`; the folder of `base` must not be a file.
    pub fn new(base: PathBuf, parts: Vec<Part>) -> Result<Self, CliError> {
        let folder = base.parent().unwrap_or(Path::new(""));
        if folder.exists() && !folder.is_dir() {
            let text = format!("{}: is not a folder; give a folder or FILE.xmf", folder.display());
            return Err(CliError::new(Exit::Io, text));
        }
        Ok(Plan { base, format: Format::Xdmf, parts, single: false, force: false })
    }
}

/// One file of the export.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub path: PathBuf,
    pub parts: Vec<&'static str>,
    /// Steps of each part.
    pub steps: Vec<usize>,
}

enum Sink {
    Xdmf(Box<Xdmf>),
    Vtkhdf(Box<Vtkhdf>),
}

impl Sink {
    fn create(path: &Path, parts: &[Part], plan: &Plan) -> Result<Self, CliError> {
        Ok(match plan.format {
            Format::Xdmf => Sink::Xdmf(Box::new(Xdmf::create(path, parts, plan.force)?)),
            Format::Vtkhdf => Sink::Vtkhdf(Box::new(Vtkhdf::create(path, plan.force)?)),
        })
    }

    fn add(&mut self, family: usize, step: &Step, rows: Option<&Rows>) -> Result<(), CliError> {
        match self {
            Sink::Xdmf(xdmf) => xdmf.add(family, step, rows),
            Sink::Vtkhdf(file) => file.add(step),
        }
    }

    fn finish(self) -> Result<(), CliError> {
        match self {
            Sink::Xdmf(xdmf) => xdmf.finish(),
            Sink::Vtkhdf(file) => file.finish(),
        }
    }
}

struct Output {
    path: PathBuf,
    sink: Sink,
    families: Vec<Under>,
}

/// A family under way.
struct Under {
    part: Part,
    family: Family,
    steps: usize,
}

/// An export under way: frames go in one after another.
pub struct Export<'a> {
    context: Context<'a>,
    labels: Option<(PathBuf, Product)>,
    outputs: Vec<Output>,
}

impl<'a> Export<'a> {
    /// Opens all files; errors when one exists and may not be overwritten.
    pub fn open(plan: &Plan, context: Context<'a>) -> Result<Self, CliError> {
        if let Some(folder) = plan.base.parent().filter(|p| *p != Path::new("")) {
            std::fs::create_dir_all(folder).map_err(|e| CliError::file(folder, "make", &e))?;
        }
        let extension = plan.format.extension();
        let groups: Vec<(String, Vec<Part>)> = if plan.single {
            vec![(format!(".{extension}"), plan.parts.clone())]
        } else {
            let own = |&part: &Part| (format!("_{}.{extension}", part.name()), vec![part]);
            plan.parts.iter().map(own).collect()
        };
        let open = |(ending, parts): (String, Vec<Part>)| -> Result<Output, CliError> {
            let path = with_ending(&plan.base, &ending);
            let under = |&part: &Part| Under { part, family: Family::new(part, context.model), steps: 0 };
            Ok(Output { sink: Sink::create(&path, &parts, plan)?, families: parts.iter().map(under).collect(), path })
        };
        let outputs = groups.into_iter().map(open).collect::<Result<_, _>>()?;
        Ok(Export { labels: open_labels(plan, &context)?, context, outputs })
    }

    /// Adds a frame, later than those before it. `rows`: where its constraints lie in the results.
    pub fn add(&mut self, frame: &Frame, rows: Option<&Rows>) -> Result<(), CliError> {
        for Output { sink, families, .. } in &mut self.outputs {
            for (k, Under { family, steps, .. }) in families.iter_mut().enumerate() {
                // Steps of earlier frames are never linked: the rows are those of this one.
                family.add(&self.context, frame, &mut |step| {
                    *steps += 1;
                    sink.add(k, step, rows.filter(|_| step.index == frame.index))
                })?;
            }
        }
        Ok(())
    }

    /// Gives the files their names. Files without a step are not written.
    pub fn finish(self) -> Result<Vec<Written>, CliError> {
        let mut written = Vec::new();
        for Output { path, sink, families } in self.outputs {
            sink.finish()?;
            let shown: Vec<&Under> = families.iter().filter(|f| f.steps > 0).collect();
            if !shown.is_empty() {
                let parts = shown.iter().map(|f| f.part.name()).collect();
                written.push(Written { path, parts, steps: shown.iter().map(|f| f.steps).collect() });
            }
        }
        if let Some((path, table)) = self.labels.filter(|_| !written.is_empty()) {
            table.finish()?;
            written.push(Written { path, parts: Vec::new(), steps: Vec::new() });
        }
        Ok(written)
    }
}

/// The table of labels, to be finished with the files; `None` when there is nothing to tell that is not there already.
fn open_labels(plan: &Plan, context: &Context) -> Result<Option<(PathBuf, Product)>, CliError> {
    let path = with_ending(&plan.base, "_labels.csv");
    let Some(table) = context.labels.table() else { return Ok(None) };
    if std::fs::read(&path).is_ok_and(|there| there == table.as_bytes()) {
        return Ok(None);
    }
    let mut product = Product::open(Some(&path), plan.force)?;
    product.put(table.as_bytes())?;
    Ok(Some((path, product)))
}

/// Exports frames of results; `links`: constraints are not copied.
pub fn export_frames(
    results: (&Results, usize),
    frames: &[usize],
    plan: &Plan,
    mut context: Context,
    links: Option<&Links>,
    done: &mut dyn FnMut(&Frame),
) -> Result<Vec<Written>, CliError> {
    let (results, domain) = results;
    let table = results.frames(domain)?;
    context.program = results.program(domain)?;
    let mut export = Export::open(plan, context)?;
    for k in strictly_ascending(frames, &table.time) {
        let frame = results.read_frame(domain, k)?;
        export.add(&frame, links.and_then(|l| l.rows(table, k)).as_ref())?;
        done(&frame);
    }
    export.finish()
}

/// Exports one frame that is not stored: geometry alone, no contacts.
pub fn export_geometry(frame: &Frame, mut plan: Plan, context: Context) -> Result<Vec<Written>, CliError> {
    plan.parts.retain(|&p| p != Part::Contacts);
    let mut export = Export::open(&plan, context)?;
    export.add(frame, None)?;
    export.finish()
}

/// The frames (indices into `times`) without those that a later frame overtakes: times in the markup ascend strictly,
/// also after a restart that repeated some.
pub fn strictly_ascending(frames: &[usize], times: &[f64]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for &k in frames.iter().rev() {
        if kept.last().is_none_or(|&next| times[k] < times[next]) {
            kept.push(k);
        }
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_times_are_dropped() {
        let times = [0.0, 0.1, 0.2, 0.2, 0.15, 0.3];
        assert_eq!(strictly_ascending(&[0, 1, 2, 3, 4, 5], &times), [0, 1, 4, 5]);
        assert_eq!(strictly_ascending(&[], &times), [0usize; 0]);
    }
}

//! Drives the families over frames and writes their files.

use std::path::{Path, PathBuf};

use solfec::query::Frame;

use super::family::{Context, Family, Part};
use super::heavy::{Companion, Rows};
use super::markup::document;
use crate::cli::{CliError, Product};

/// Where the files go and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Path without `_bodies.xmf`.
    pub base: PathBuf,
    pub parts: Vec<Part>,
    pub single: bool,
    pub force: bool,
}

/// One file of the export.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub path: PathBuf,
    pub parts: Vec<&'static str>,
    /// Steps of each part.
    pub steps: Vec<usize>,
}

struct Output {
    path: PathBuf,
    markup: Product,
    companion: Companion,
    families: Vec<(Part, Family)>,
}

/// An export under way: frames go in one after another.
pub struct Export<'a> {
    context: Context<'a>,
    outputs: Vec<Output>,
}

impl<'a> Export<'a> {
    /// Opens all files; errors when one exists and may not be overwritten.
    pub fn open(plan: &Plan, context: Context<'a>) -> Result<Self, CliError> {
        if let Some(folder) = plan.base.parent().filter(|p| *p != Path::new("")) {
            std::fs::create_dir_all(folder).map_err(|e| CliError::file(folder, "make", &e))?;
        }
        let groups: Vec<(String, Vec<Part>)> = if plan.single {
            vec![(".xmf".into(), plan.parts.clone())]
        } else {
            let own = |&part: &Part| (format!("_{}.xmf", part.name()), vec![part]);
            plan.parts.iter().map(own).collect()
        };
        let open = |(ending, parts): (String, Vec<Part>)| -> Result<Output, CliError> {
            let path = with_ending(&plan.base, &ending);
            Ok(Output {
                markup: Product::open(Some(&path), plan.force)?,
                companion: Companion::create(&with_ending(&path, ".h5"), plan.force)?,
                families: parts.iter().map(|&p| (p, Family::new(p, context.model))).collect(),
                path,
            })
        };
        let outputs = groups.into_iter().map(open).collect::<Result<_, _>>()?;
        Ok(Export { context, outputs })
    }

    /// Adds a frame, later than those before it. `rows`: where its constraints lie in the results.
    pub fn add(&mut self, frame: &Frame, rows: Option<&Rows>) -> Result<(), CliError> {
        for output in &mut self.outputs {
            for (_, family) in &mut output.families {
                family.add(&output.companion, &self.context, frame, rows)?;
            }
        }
        Ok(())
    }

    /// Writes the markup and gives the files their names, heavy data first. Files without a step are not written.
    pub fn finish(self) -> Result<Vec<Written>, CliError> {
        let mut written = Vec::new();
        for mut output in self.outputs {
            let shown: Vec<_> = output.families.iter().filter(|(_, family)| family.collection().steps > 0).collect();
            if shown.is_empty() {
                continue;
            }
            let collections: Vec<_> = shown.iter().map(|(_, family)| family.collection()).collect();
            output.markup.put(document(&collections).as_bytes())?;
            written.push(Written {
                path: output.path,
                parts: shown.iter().map(|(part, _)| part.name()).collect(),
                steps: collections.iter().map(|c| c.steps).collect(),
            });
            output.companion.finish()?;
            output.markup.finish()?;
        }
        Ok(written)
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
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

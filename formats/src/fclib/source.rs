//! An open file with local dynamics, on disk or in memory.

use std::path::Path;

use solfec::solver::Law;
use solfec::solver::LocalDynamics;

use super::{local, step, Problem, Raw, Solution, FORMAT};
use crate::error::Result;
use crate::store::In;

/// An FCLIB problem, perhaps a dump of ours.
#[derive(Debug)]
pub struct Source(In);

impl Source {
    pub fn open(path: &Path) -> Result<Self> {
        In::foreign(path, WANTED).map(Source)
    }

    /// A file that came through a pipe; `name` is for messages.
    pub fn memory(bytes: Vec<u8>, name: &str) -> Result<Self> {
        In::foreign_memory(bytes, name, WANTED).map(Source)
    }

    /// The problem in the order of the file; a global one is condensed. Guesses and solutions in the file are not read:
    /// those of published files hold no solution.
    pub fn raw(&self) -> Result<Raw> {
        local::read(&self.0)
    }

    /// Whether the file has a local problem, not a global one.
    pub fn is_local(&self) -> bool {
        self.0.has("/fclib_local", "")
    }

    /// Whether it is a dump of ours.
    pub fn is_ours(&self) -> Result<bool> {
        Ok(self.0.has("/solfec", "") && self.0.text_attribute("", "format")?.as_deref() == Some(FORMAT))
    }

    /// The step of a dump of ours; `None` for files of others.
    pub fn step(&self) -> Result<Option<LocalDynamics>> {
        if self.is_ours()? {
            step::read(&self.0).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The problem in our order.
    pub fn problem(&self, raw: &Raw) -> Result<Problem> {
        let rows = |law: &Law| match law {
            Law::Velocity3 { .. } => Some(3),
            Law::Velocity { .. } => Some(1),
            Law::Coulomb { .. } | Law::SpringDashpot(_) | Law::Link(_) | Law::Spring(_) => None,
        };
        let groups = self.step()?.map(|step| step.rows.iter().filter_map(|row| rows(&row.law)).collect());
        Ok(Problem::new(raw, groups))
    }

    /// What stands in `/solution`, if it has the sizes of the problem. Those of others are often zeros.
    pub fn solution(&self, raw: &Raw) -> Result<Option<Solution>> {
        local::solution(&self.0, raw)
    }
}

/// For messages.
const WANTED: &str = "an FCLIB problem or a dump of local dynamics";

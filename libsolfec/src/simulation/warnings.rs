//! Warnings of steps: each is told once and counted every time.

use serde::{Deserialize, Serialize};

use std::collections::BTreeSet;

use super::StepReport;
use crate::frame::{WarningRow, WarningRows};
use crate::{Error, Result};

/// What is wrong. The names are stable: results, `--json` and scripts use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WarningKind {
    /// The step is lowered for the stability of a body.
    StepLowered,
    /// The implicit rotation of a body did not converge.
    Rotation,
    /// The stiffness of a body is indefinite.
    Stiffness,
    /// A stretch of a body is outside of the safe range of its material law.
    Crushed,
    /// Contact pairs could not be resolved.
    Geometry,
    /// Two surface materials claim a pair of surfaces.
    SurfaceMaterial,
    /// A compliant contact without a spring.
    Springless,
    /// A spring did not settle, or is too steep for the step.
    Spring,
    /// The corrections of joints did not converge.
    Joints,
    /// A solve did not converge.
    Solver,
    /// User constraints contradict each other.
    Constraints,
    /// Velocities were changed to suit new constraints.
    Velocities,
    /// Bodies overlap at the start.
    Overlap,
    /// A body is hardly larger than the geometric tolerance.
    Size,
    /// Contacts, but no surface material.
    NoSurfaceMaterial,
    /// A body may pass through another in a step.
    Fast,
    /// A body turns far in a step.
    Turn,
    /// A link or spring under tension swings faster than steps can follow.
    Taut,
    /// A step was repeated with half its length.
    Halved,
    /// A body rests on one point of a face.
    OnePoint,
    /// Another solver solves than was asked for.
    Method,
}

impl WarningKind {
    pub const ALL: [WarningKind; 21] = [
        WarningKind::StepLowered,
        WarningKind::Rotation,
        WarningKind::Stiffness,
        WarningKind::Crushed,
        WarningKind::Geometry,
        WarningKind::SurfaceMaterial,
        WarningKind::Springless,
        WarningKind::Spring,
        WarningKind::Joints,
        WarningKind::Solver,
        WarningKind::Constraints,
        WarningKind::Velocities,
        WarningKind::Overlap,
        WarningKind::Size,
        WarningKind::NoSurfaceMaterial,
        WarningKind::Fast,
        WarningKind::Turn,
        WarningKind::Taut,
        WarningKind::Halved,
        WarningKind::OnePoint,
        WarningKind::Method,
    ];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::StepLowered => "step",
            WarningKind::Rotation => "rotation",
            WarningKind::Stiffness => "stiffness",
            WarningKind::Crushed => "crushed",
            WarningKind::Geometry => "geometry",
            WarningKind::SurfaceMaterial => "surface-material",
            WarningKind::Springless => "springless",
            WarningKind::Spring => "spring",
            WarningKind::Joints => "joints",
            WarningKind::Solver => "solver",
            WarningKind::Constraints => "constraints",
            WarningKind::Velocities => "velocities",
            WarningKind::Overlap => "overlap",
            WarningKind::Size => "size",
            WarningKind::NoSurfaceMaterial => "no-surface-material",
            WarningKind::Fast => "fast",
            WarningKind::Turn => "turn",
            WarningKind::Taut => "taut",
            WarningKind::Halved => "halved",
            WarningKind::OnePoint => "one-point",
            WarningKind::Method => "method",
        }
    }

    /// Whether it is about the model as it was made, and not about a step.
    pub fn is_of_the_model(self) -> bool {
        match self {
            WarningKind::Overlap
            | WarningKind::Size
            | WarningKind::NoSurfaceMaterial
            | WarningKind::SurfaceMaterial
            | WarningKind::Springless => true,
            WarningKind::StepLowered
            | WarningKind::Rotation
            | WarningKind::Stiffness
            | WarningKind::Crushed
            | WarningKind::Geometry
            | WarningKind::Spring
            | WarningKind::Joints
            | WarningKind::Solver
            | WarningKind::Constraints
            | WarningKind::Velocities
            | WarningKind::Fast
            | WarningKind::Turn
            | WarningKind::Taut
            | WarningKind::Halved
            | WarningKind::OnePoint
            | WarningKind::Method => false,
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A warning that is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub kind: WarningKind,
    pub text: String,
}

/// What a step has noted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    pub kind: WarningKind,
    pub about: u64,
    pub size: f64,
    /// Empty if it has been told before.
    pub text: String,
}

/// The warnings of a simulation, and those of the present step.
#[derive(Debug, Clone, Default)]
pub(super) struct Warnings {
    /// Where several ranks have warnings of their own: those of this rank that the others do not know yet.
    pub(super) unshared: Option<Vec<Note>>,
    /// End of the present step [s].
    time: f64,
    rows: WarningRows,
    /// Kinds and subjects that have been told.
    told: BTreeSet<(WarningKind, u64)>,
    /// To be told of this step.
    pub(super) fresh: Vec<Warning>,
    /// Of this step and told before: how many of each kind.
    pub(super) repeated: Vec<(WarningKind, u64)>,
}

impl Warnings {
    /// Those of so many ranks.
    pub fn shared_by(ranks: usize) -> Warnings {
        Warnings { unshared: (ranks > 1).then(Vec::new), ..Warnings::default() }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.fresh.clear();
        self.repeated.clear();
        self.unshared.iter_mut().for_each(Vec::clear);
    }

    /// The step ends at `time` [s].
    pub fn at(&mut self, time: f64) {
        self.time = time;
    }

    /// Counts a warning, and tells it if it is the first of its kind about this subject. `size` says how bad it is.
    pub fn note(&mut self, kind: WarningKind, about: u64, size: f64, text: impl FnOnce() -> String) {
        let text = if self.told.contains(&(kind, about)) { String::new() } else { text() };
        let note = Note { kind, about, size, text };
        match &mut self.unshared {
            Some(notes) => notes.push(note),
            None => self.count(note),
        }
    }

    /// Takes notes of all ranks: of those about the same the worst.
    pub fn share(&mut self, mut notes: Vec<Note>) {
        notes.sort_by(|a, b| (a.kind, a.about).cmp(&(b.kind, b.about)).then(b.size.total_cmp(&a.size)));
        notes.dedup_by_key(|note| (note.kind, note.about));
        notes.into_iter().for_each(|note| self.count(note));
    }

    fn count(&mut self, Note { kind, about, size, text }: Note) {
        let tell = self.told.insert((kind, about));
        let rows = &mut self.rows;
        match rows.kind.iter().position(|name| name == kind.name()) {
            Some(k) => {
                rows.count[k] += 1;
                if size > rows.worst[k] {
                    (rows.worst[k], rows.worst_time[k]) = (size, self.time);
                }
            }
            None => {
                let (kind, text, time) = (kind.name().to_string(), text.clone(), self.time);
                rows.push(WarningRow { kind, count: 1, time, worst: size, worst_time: time, text });
            }
        }
        if tell {
            self.fresh.push(Warning { kind, text });
            return;
        }
        match self.repeated.iter_mut().find(|(repeated, _)| *repeated == kind) {
            Some((_, count)) => *count += 1,
            None => self.repeated.push((kind, 1)),
        }
    }

    /// Gives the warnings of the step to its report, behind those that it has.
    pub fn hand_over(&mut self, report: &mut StepReport) {
        report.warnings.append(&mut self.fresh);
        report.repeated.append(&mut self.repeated);
    }

    /// Notes a warning unless there was one of its kind.
    pub fn once(&mut self, kind: WarningKind, text: impl FnOnce() -> String) {
        if !self.have(kind) {
            self.note(kind, 0, 0.0, text);
        }
    }

    /// Whether there was a warning of this kind.
    pub fn have(&self, kind: WarningKind) -> bool {
        let noted = self.unshared.iter().flatten().any(|note| note.kind == kind);
        noted || self.rows.kind.iter().any(|name| name == kind.name())
    }

    /// The warnings so far, a row for each kind.
    pub fn rows(&self) -> &WarningRows {
        &self.rows
    }

    /// Goes on with those of a stored state; they may be told once more.
    ///
    /// # Errors
    /// A kind that is not known.
    pub fn restore(&mut self, rows: &WarningRows) -> Result<()> {
        match rows.kind.iter().find(|name| WarningKind::from_name(name).is_none()) {
            Some(name) => Err(Error::input(format!("state: unknown kind of warning '{name}'"))),
            None => {
                self.rows.clone_from(rows);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn each_is_told_once_and_counted_every_time() {
        let mut warnings = Warnings::default();
        for (step, size) in [(1.0, 0.2), (2.0, 0.5), (3.0, 0.4)] {
            warnings.begin();
            warnings.at(step);
            warnings.note(WarningKind::Solver, 1, size, || format!("missed by {size}"));
            assert_eq!(warnings.fresh.len(), usize::from(step == 1.0));
        }
        warnings.note(WarningKind::Solver, 2, 0.1, || "another way".into());
        assert_eq!((warnings.fresh.len(), &warnings.repeated[..]), (1, &[(WarningKind::Solver, 1)][..]));
        let (kind, text) = ("solver".into(), "missed by 0.2".into());
        let row = WarningRow { kind, count: 4, time: 1.0, worst: 0.5, worst_time: 2.0, text };
        assert_eq!((warnings.rows().rows(), warnings.rows().row(0)), (1, row));
    }

    #[test]
    fn kinds_have_names_of_their_own() {
        for kind in WarningKind::ALL {
            assert_eq!(WarningKind::from_name(kind.name()), Some(kind));
        }
    }
}

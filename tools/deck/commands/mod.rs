//! What the commands do: one file for each chapter of the manual.

mod bodies;
mod body_members;
mod control;
mod domain;
mod environment;
mod geometry;
mod later;
mod loads;
mod materials;
mod reading;
mod shape_members;
mod solvers;
mod transform;

use super::table::Language;

/// The language of this version.
pub fn language() -> Language {
    let chapters = [
        geometry::COMMANDS,
        transform::COMMANDS,
        domain::COMMANDS,
        materials::COMMANDS,
        bodies::COMMANDS,
        loads::COMMANDS,
        solvers::COMMANDS,
        control::COMMANDS,
        reading::COMMANDS,
        environment::COMMANDS,
    ];
    let classes =
        [shape_members::CLASSES, domain::CLASSES, materials::CLASSES, body_members::CLASSES, solvers::CLASSES];
    Language {
        commands: chapters.into_iter().flatten().copied().collect(),
        classes: classes.into_iter().flatten().copied().collect(),
        refusals: later::REFUSALS.iter().collect(),
    }
}

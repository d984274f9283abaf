//! What the commands do: one file for each chapter of the manual.

mod absent;
mod bases;
mod bodies;
mod body_members;
mod body_parts;
mod constraint_members;
mod constraints;
mod control;
mod corotated;
mod domain;
mod domain_members;
mod environment;
mod exports;
mod fields;
mod functions;
mod generators;
mod geometry;
mod helpers;
mod history;
mod initialize;
mod loads;
mod materials;
mod mesh_files;
mod mesh_order;
mod meshes;
mod modal;
mod more_solvers;
mod newton;
mod reading;
mod series;
mod shape_members;
mod solver_members;
mod solver_objects;
mod solvers;
mod splitting;
mod stored_exports;
mod tetrahedralize;
mod transform;

use super::table::Language;

impl Language {
    /// The language of this version.
    pub fn standard() -> Language {
        let chapters = [
            geometry::COMMANDS,
            generators::COMMANDS,
            mesh_files::COMMANDS,
            meshes::COMMANDS,
            tetrahedralize::COMMANDS,
            splitting::COMMANDS,
            transform::COMMANDS,
            domain::COMMANDS,
            fields::COMMANDS,
            materials::COMMANDS,
            bodies::COMMANDS,
            body_parts::COMMANDS,
            bases::COMMANDS,
            modal::COMMANDS,
            constraint_members::COMMANDS,
            constraints::COMMANDS,
            series::COMMANDS,
            loads::COMMANDS,
            solvers::COMMANDS,
            newton::COMMANDS,
            more_solvers::COMMANDS,
            control::COMMANDS,
            reading::COMMANDS,
            corotated::COMMANDS,
            exports::COMMANDS,
            history::COMMANDS,
            stored_exports::COMMANDS,
            initialize::COMMANDS,
            environment::COMMANDS,
            helpers::COMMANDS,
        ];
        let classes = [
            shape_members::CLASSES,
            domain_members::CLASSES,
            fields::CLASSES,
            materials::CLASSES,
            body_members::CLASSES,
            constraint_members::CLASSES,
            series::CLASSES,
            solvers::CLASSES,
            newton::CLASSES,
            more_solvers::CLASSES,
        ];
        Language {
            commands: chapters.into_iter().flatten().copied().collect(),
            classes: classes.into_iter().flatten().copied().collect(),
            absent: absent::ABSENT,
        }
    }
}

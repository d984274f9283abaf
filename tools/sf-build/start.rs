//! What a model looks like at its first instant, for `--list` and `--check`: overlaps, critical steps, memory.

use solfec::body::Bodies;
use solfec::ids::{BodyId, CatalogueRow};
use solfec::math::Vec3;
use solfec::model::{BodyKind, GaussSeidel, Model, SolverSettings};
use solfec::query::insert_described;
use solfec::simulation::{Simulation, Warning};
use solfec::stepping::Stepping;

use crate::cli::CliError;

/// Length of the step that finds the contacts [s]: nothing moves in it.
const INSTANT: f64 = 1e-12;
/// Bytes of a body beside its geometry, and of a contact, in a run: from the peak memory of sf-run over three steps of
/// a Gauss-Seidel run, for grids of 10648 and 97336 spheres apart (73 and 470 MB) and touching (30492 contacts: 174 MB,
/// 285660 contacts: 1190 MB). Other solvers and denser contacts need more.
const BODY_BYTES: usize = 4500;
const CONTACT_BYTES: usize = 2800;
/// Copies of coordinates in memory: library, reference, current place.
const COPIES: usize = 3;

/// Two bodies that overlap at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    pub bodies: [u64; 2],
    /// [m]
    pub depth: f64,
}

/// Facts of the first instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// Contact points.
    pub contacts: usize,
    /// Pairs of bodies that overlap by more than the geometric tolerance, the deepest first.
    pub overlaps: Vec<Overlap>,
    /// Numbers of velocities of all bodies that move, whenever they come.
    pub dofs: usize,
    /// Critical step of each kind of body that has one [s], and the body.
    pub critical: Vec<(BodyKind, f64, u64)>,
    /// What is wrong with places, sizes and materials.
    pub warnings: Vec<Warning>,
    /// Warnings of bodies that rest on one point of a face.
    pub footing: Vec<String>,
    /// Bytes that a run needs.
    pub memory: usize,
}

/// Looks at the bodies that are there from the start, at rest and without loads and constraints.
///
/// # Errors
/// A body that cannot be simulated.
pub fn start(model: &Model) -> Result<Start, CliError> {
    let (simulation, warnings) = still(model)?;
    let bodies = simulation.bodies();
    let mut overlaps: Vec<Overlap> = Vec::new();
    for c in simulation.contacts().iter().filter(|c| -c.gap > model.settings.epsilon) {
        let ids = [bodies.id(c.master.body).0, bodies.id(c.slave.body).0];
        let pair = [ids[0].min(ids[1]), ids[0].max(ids[1])];
        // Contacts of a pair are neighbours.
        match overlaps.last_mut().filter(|o| o.bodies == pair) {
            Some(known) => known.depth = known.depth.max(-c.gap),
            None => overlaps.push(Overlap { bodies: pair, depth: -c.gap }),
        }
    }
    overlaps.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(a.bodies.cmp(&b.bodies)));
    let contacts = simulation.contacts().len();
    let held = |id: BodyId| model.constraints.iter().any(|c| c.master == id.0 || c.slave == Some(id.0));
    let told = simulation.one_point_warnings(&gravity(model), held);
    let footing = told.into_iter().map(|warning| warning.text).collect();
    let moving = moving(model)?;
    let of = |bodies: &Bodies| bodies.indices().map(|i| bodies.velocity(i).len()).sum::<usize>();
    let dofs = moving.iter().map(|(_, bodies)| of(bodies)).sum();
    let critical = critical(&moving);
    Ok(Start { contacts, overlaps, dofs, critical, warnings, footing, memory: memory(model, contacts) })
}

/// Gravity at the start [m/s²].
fn gravity(model: &Model) -> Vec3 {
    let component = |row: u32| model.series.get(row as usize).map_or(0.0, |s| s.at(0.0));
    model.settings.gravity.map_or(Vec3::zeros(), |rows| Vec3::from(rows.map(component)))
}

/// The simulation after a step in which nothing moves: contacts are where bodies touch at the start.
fn still(model: &Model) -> Result<(Simulation, Vec<Warning>), CliError> {
    let mut still = model.clone();
    still.loads.clear();
    still.constraints.clear();
    still.functions.clear();
    // Bodies that come later stay later.
    still.program.retain(|op| op.bodies().is_some());
    still.settings.gravity = None;
    still.settings.extents = None;
    still.settings.penetration_depth = f64::INFINITY;
    still.step = INSTANT;
    still.bodies.iter_mut().for_each(|b| b.velo.clear());
    let mut simulation = Simulation::new(&still)?;
    let mut warnings = simulation.step(&SolverSettings::GaussSeidel(GaussSeidel::new(1.0, 1)))?.warnings;
    warnings.retain(|warning| warning.kind.is_of_the_model());
    Ok((simulation, warnings))
}

/// All bodies that move, by kinds.
fn moving(model: &Model) -> Result<Vec<(BodyKind, Bodies)>, CliError> {
    let mut all = Vec::new();
    for kind in [BodyKind::Rigid, BodyKind::PseudoRigid, BodyKind::FiniteElement] {
        let mut bodies = Bodies::new(Stepping::of(model.analysis));
        for (row, _) in (0..).zip(&model.bodies).filter(|(_, body)| body.kind == kind) {
            insert_described(&mut bodies, model, CatalogueRow(row))?;
        }
        all.push((kind, bodies));
    }
    Ok(all)
}

/// Smallest critical step of each kind of body.
fn critical(moving: &[(BodyKind, Bodies)]) -> Vec<(BodyKind, f64, u64)> {
    let of = |(kind, bodies): &(BodyKind, Bodies)| bodies.critical_step().map(|(h, i)| (*kind, h, bodies.id(i).0));
    moving.iter().filter_map(of).collect()
}

fn memory(model: &Model, contacts: usize) -> usize {
    let shape = |s: &solfec::model::ShapeRow| model.library[s.geometry as usize].bytes();
    let geometry: usize = model.shapes.iter().map(shape).sum();
    COPIES * geometry + BODY_BYTES * model.bodies.len() + CONTACT_BYTES * contacts
}

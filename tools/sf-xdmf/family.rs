//! The families of an export: bodies, points, contacts, edges. Each turns frames into steps.

use std::ops::Range;

use solfec::frame::{Frame, NO_BODY};
use solfec::material::BulkMaterial;
use solfec::math::Vec3;
use solfec::model::Model;
use solfec::query::{materials, BodyView, Point};

use super::contacts::Contacts;
use super::context::{Context, Emit, Wanted};
use super::edges::Edges;
use super::grid::{contents, Cloud, Grid, Points, Tags};
use super::step::{Array, Cells, Center, Layout, Step, Values, POINTS};
use crate::cli::CliError;

/// A family of grids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    Bodies,
    Points,
    Contacts,
    Edges,
}

impl Part {
    pub const ALL: [Part; 4] = [Part::Bodies, Part::Points, Part::Contacts, Part::Edges];

    pub fn name(self) -> &'static str {
        match self {
            Part::Bodies => "bodies",
            Part::Points => "points",
            Part::Contacts => "contacts",
            Part::Edges => "edges",
        }
    }

    /// The families that the chosen bodies of a model can have.
    pub fn of(model: &Model, chosen: &[bool]) -> Vec<Part> {
        let rows = (0..model.bodies.len() as u32).filter(|&row| chosen[row as usize]);
        let (mut solid, mut round) = (false, false);
        for (s, r) in rows.map(|row| contents(model, row)) {
            solid |= s;
            round |= r;
        }
        let occurs = |part| match part {
            Part::Bodies => solid,
            Part::Points => round,
            Part::Contacts => true,
            Part::Edges => Edges::occur(model),
        };
        Part::ALL.into_iter().filter(|&p| occurs(p)).collect()
    }
}

/// One family under way.
pub enum Family {
    Bodies(Layouts<Grid>),
    Points(Layouts<Cloud>),
    Contacts(Contacts),
    Edges(Edges),
}

impl Family {
    pub fn new(part: Part, model: &Model) -> Self {
        let contents = || (0..model.bodies.len() as u32).map(|row| contents(model, row));
        match part {
            Part::Bodies => Family::Bodies(Layouts::new(contents().map(|c| c.0).collect())),
            Part::Points => Family::Points(Layouts::new(contents().map(|c| c.1).collect())),
            Part::Contacts => Family::Contacts(Contacts::default()),
            Part::Edges => Family::Edges(Edges::default()),
        }
    }

    /// Adds a frame. Before there is anything to show, frames add no step.
    pub fn add(&mut self, of: &Context, frame: &Frame, emit: &mut Emit) -> Result<(), CliError> {
        match self {
            Family::Bodies(layouts) => layouts.add(of, frame, emit),
            Family::Points(layouts) => layouts.add(of, frame, emit),
            Family::Contacts(contacts) => contacts.add(of, frame, emit),
            Family::Edges(edges) => edges.add(of, frame, emit),
        }
    }
}

/// Merged geometry that can be exported.
pub trait Merged: Sized {
    /// Where values of bodies live.
    const CENTER: Center;
    fn of(of: &Context, bodies: &[u32]) -> Self;
    /// What stands for no body: a point.
    fn nothing(at: Vec3) -> Self;
    fn points(&self) -> &Points;
    /// One point for each value of a body, where stress is taken.
    fn samples(&self) -> &[Point];
    fn cells(&self) -> Cells;
    fn tags(&self) -> &Tags;
    /// Arrays that do not change with time, beside the tags.
    fn more(&self) -> Vec<Array>;
}

impl Merged for Grid {
    const CENTER: Center = Center::Cell;

    fn of(of: &Context, bodies: &[u32]) -> Self {
        Grid::of(of.model, &of.labels, bodies)
    }

    fn nothing(at: Vec3) -> Self {
        Grid::nothing(at)
    }

    fn points(&self) -> &Points {
        &self.points
    }

    fn samples(&self) -> &[Point] {
        &self.centers
    }

    fn cells(&self) -> Cells {
        self.cells.clone()
    }

    fn tags(&self) -> &Tags {
        &self.tags
    }

    fn more(&self) -> Vec<Array> {
        Vec::new()
    }
}

impl Merged for Cloud {
    const CENTER: Center = Center::Node;

    fn of(of: &Context, bodies: &[u32]) -> Self {
        Cloud::of(of.model, &of.labels, bodies)
    }

    fn nothing(at: Vec3) -> Self {
        Cloud::nothing(at)
    }

    fn points(&self) -> &Points {
        &self.points
    }

    fn samples(&self) -> &[Point] {
        &self.points.points
    }

    fn cells(&self) -> Cells {
        Cells::vertices(self.radius.len())
    }

    fn tags(&self) -> &Tags {
        &self.tags
    }

    fn more(&self) -> Vec<Array> {
        vec![
            Array::reals("radius", Center::Node, self.radius.clone()),
            Array::new("point_label", Center::Node, 1, Values::I32(self.point_label.clone())),
        ]
    }
}

/// Geometry that is made once for each set of bodies, and moved in each frame.
///
/// A missing step would show the bodies of the step before. So when the last body has gone, a point stays, of id 0,
/// where it was.
pub struct Layouts<G> {
    /// Bodies of the model that have such geometry.
    has: Vec<bool>,
    count: usize,
    current: Option<Current<G>>,
    /// Place of a point of the newest step.
    anchor: Option<[f64; 3]>,
}

struct Current<G> {
    bodies: Vec<u32>,
    geometry: G,
    layout: Layout,
}

impl<G: Merged> Layouts<G> {
    fn new(has: Vec<bool>) -> Self {
        Layouts { has, count: 0, current: None, anchor: None }
    }

    fn add(&mut self, of: &Context, frame: &Frame, emit: &mut Emit) -> Result<(), CliError> {
        let mut shown = of.shown(frame, |row| self.has[row as usize]);
        if shown.is_empty() {
            if self.anchor.is_none() {
                return Ok(());
            }
            shown.push(None);
        }
        let bodies: Vec<u32> = shown.iter().map(|body| body.as_ref().map_or(NO_BODY, |body| body.row().0)).collect();
        let current = match self.current.take() {
            Some(current) if current.bodies == bodies => current,
            _ => self.make(of, bodies),
        };
        let placed = current.geometry.points().place(&shown);
        self.anchor = placed.position.last().copied();
        let mut arrays = Vec::new();
        if of.wants(Wanted::Disp) {
            arrays.push(Array::vectors("displacement", Center::Node, &placed.displacement));
        }
        if of.wants(Wanted::Velo) {
            arrays.push(Array::vectors("velocity", Center::Node, &placed.velocity));
        }
        let bulk = materials(of.model, &of.program, frame.step_count);
        arrays.extend(of_bodies(of, &shown, &bulk, &current.geometry)?);
        let points = Array::vectors(POINTS, Center::Node, &placed.position);
        let step = Step { index: frame.index, time: frame.time, layout: &current.layout, points, arrays };
        emit(&step)?;
        self.current = Some(current);
        Ok(())
    }

    fn make(&mut self, of: &Context, bodies: Vec<u32>) -> Current<G> {
        let geometry = match self.anchor {
            Some(anchor) if bodies == [NO_BODY] => G::nothing(anchor.into()),
            _ => G::of(of, &bodies),
        };
        let mut arrays = geometry.tags().arrays(G::CENTER);
        arrays.extend(geometry.more());
        let layout = Layout { number: self.count, cells: geometry.cells(), arrays };
        self.count += 1;
        Current { bodies, geometry, layout }
    }
}

/// Energies, which all cells or points of a body share, and stresses.
fn of_bodies<G: Merged>(
    of: &Context,
    shown: &[Option<BodyView>],
    bulk: &[BulkMaterial],
    geometry: &G,
) -> Result<Vec<Array>, CliError> {
    const ENERGIES: [&str; 6] = [
        "energy_kinetic",
        "energy_internal",
        "energy_external",
        "energy_contact",
        "energy_friction",
        "energy_dissipated",
    ];
    let [stress, mises, error, energy] =
        [Wanted::Stress, Wanted::Mises, Wanted::Error, Wanted::Energy].map(|what| of.wants(what));
    let mut arrays = Vec::new();
    if !(stress || mises || error || energy) {
        return Ok(arrays);
    }
    let rows = rows_of(shown, &geometry.tags().body);
    if stress || mises {
        let mut field = Vec::with_capacity(geometry.samples().len());
        for (body, rows) in shown.iter().zip(&rows) {
            let points = &geometry.samples()[rows.clone()];
            match body {
                Some(body) => {
                    let found =
                        if of.recovered { body.recovered_stresses(points, bulk) } else { body.stresses(points, bulk) };
                    field.extend(found.ok_or_else(|| no_material(body))?);
                }
                None => field.resize(rows.end, [0.0; 7]),
            }
        }
        if stress {
            let tensors = field.iter().flat_map(tensor6).collect();
            arrays.push(Array::new("stress", G::CENTER, 6, Values::F64(tensors)));
        }
        if mises {
            arrays.push(Array::new("mises", G::CENTER, 1, Values::F64(field.iter().map(|s| s[6]).collect())));
        }
    }
    if error {
        let mut field = Vec::with_capacity(geometry.samples().len());
        for (body, rows) in shown.iter().zip(&rows) {
            let points = &geometry.samples()[rows.clone()];
            match body {
                Some(body) => field.extend(body.stress_errors(points, bulk).ok_or_else(|| no_material(body))?),
                None => field.resize(rows.end, 0.0),
            }
        }
        arrays.push(Array::new("stress_error", G::CENTER, 1, Values::F64(field)));
    }
    if energy {
        let energies = |body: &Option<BodyView>| body.as_ref().map_or([0.0; 6], BodyView::energies);
        for (k, name) in ENERGIES.into_iter().enumerate() {
            let each = |(body, rows): (&Option<BodyView>, &Range<usize>)| vec![energies(body)[k]; rows.len()];
            let values = shown.iter().zip(&rows).flat_map(each).collect();
            arrays.push(Array::new(name, G::CENTER, 1, Values::F64(values)));
        }
    }
    Ok(arrays)
}

/// Rows of each body among cells or points with these ids of bodies, which follow each other in the order of `shown`.
fn rows_of(shown: &[Option<BodyView>], ids: &[i64]) -> Vec<Range<usize>> {
    let mut end = 0;
    let of = |body: &Option<BodyView>| {
        let id = body.as_ref().map_or(0, |body| body.body().id as i64);
        let start = end;
        end += ids[start..].iter().take_while(|&&other| other == id).count();
        start..end
    };
    shown.iter().map(of).collect()
}

fn no_material(body: &BodyView) -> CliError {
    let body = body.body();
    CliError::bad_input(format!("body {}: its material (row {}) is not in the model", body.id, body.material))
}

/// Our order xx yy zz xy xz yz as that of XDMF and VTKHDF here: xx xy xz yy yz zz (docs/conventions.md 5).
fn tensor6(s: &[f64; 7]) -> [f64; 6] {
    [s[0], s[3], s[4], s[1], s[5], s[2]]
}

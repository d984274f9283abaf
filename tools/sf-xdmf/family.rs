//! The families of an export: bodies, points, contacts. Each turns frames into steps of one collection.

use solfec::model::Model;
use solfec::query::{flow_of_pseudo, flow_of_rigid, Flow, Frame};

use super::contacts::Contacts;
use super::grid::{contents, Cloud, Grid, Placed, Points, Tags};
use super::heavy::{Companion, Rows};
use super::markup::{Attribute, Center, Collection, Step, Topology};
use crate::cli::CliError;

/// What the user may ask to be exported beside identity columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Disp,
    Velo,
    Reac,
    Relv,
    Gap,
}

/// A family of grids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    Bodies,
    Points,
    Contacts,
}

impl Part {
    pub const ALL: [Part; 3] = [Part::Bodies, Part::Points, Part::Contacts];

    pub fn name(self) -> &'static str {
        match self {
            Part::Bodies => "bodies",
            Part::Points => "points",
            Part::Contacts => "contacts",
        }
    }
}

/// What all families look at.
pub struct Context<'a> {
    pub model: &'a Model,
    /// For each body of the model whether it is exported.
    pub chosen: &'a [bool],
    pub wanted: &'a [Wanted],
}

impl Context<'_> {
    pub fn wants(&self, what: Wanted) -> bool {
        self.wanted.contains(&what)
    }

    pub fn chosen(&self, row: u32) -> bool {
        self.chosen.get(row as usize).copied().unwrap_or(false)
    }

    /// Chosen bodies of a frame for which `has` holds, and their flows.
    fn flows(&self, frame: &Frame, has: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<Flow>) {
        let center = |row: u32| self.model.bodies[row as usize].chars.center;
        let rigid = &frame.rigid;
        let pseudo = &frame.pseudo;
        let of_rigid = (0..rigid.body.len()).map(|i| (rigid.body[i], flow_of_rigid(rigid, i, center(rigid.body[i]))));
        let of_pseudo =
            (0..pseudo.body.len()).map(|i| (pseudo.body[i], flow_of_pseudo(pseudo, i, center(pseudo.body[i]))));
        of_rigid.chain(of_pseudo).filter(|(row, _)| self.chosen(*row) && has(*row)).unzip()
    }
}

/// One family under way.
pub enum Family {
    Bodies(Layouts<Grid>),
    Points(Layouts<Cloud>),
    Contacts(Contacts),
}

impl Family {
    pub fn new(part: Part, model: &Model) -> Self {
        let contents: Vec<(bool, bool)> = (0..model.bodies.len() as u32).map(|row| contents(model, row)).collect();
        match part {
            Part::Bodies => Family::Bodies(Layouts::new("bodies", contents.iter().map(|c| c.0).collect())),
            Part::Points => Family::Points(Layouts::new("points", contents.iter().map(|c| c.1).collect())),
            Part::Contacts => Family::Contacts(Contacts::default()),
        }
    }

    /// The steps so far.
    pub fn collection(&self) -> &Collection {
        match self {
            Family::Bodies(l) => &l.collection,
            Family::Points(l) => &l.collection,
            Family::Contacts(c) => c.collection(),
        }
    }

    /// Adds a frame. One without any body to show adds no step; `rows` says where its constraints lie in the results;
    /// without it they are copied.
    pub fn add(&mut self, to: &Companion, of: &Context, frame: &Frame, rows: Option<&Rows>) -> Result<(), CliError> {
        match self {
            Family::Bodies(layouts) => layouts.add_frame(to, of, frame),
            Family::Points(layouts) => layouts.add_frame(to, of, frame),
            Family::Contacts(contacts) => contacts.add(to, of, frame, rows),
        }
    }
}

/// Merged geometry that can be exported.
pub trait Merged: Sized {
    fn of(model: &Model, bodies: &[u32]) -> Self;
    fn points(&self) -> &Points;
    /// Writes what does not change with time under the group `at`.
    fn write(&self, to: &Companion, at: &str) -> Result<(Topology, Vec<Attribute>), CliError>;
}

impl Merged for Grid {
    fn of(model: &Model, bodies: &[u32]) -> Self {
        Grid::of(model, bodies)
    }

    fn points(&self) -> &Points {
        &self.points
    }

    fn write(&self, to: &Companion, at: &str) -> Result<(Topology, Vec<Attribute>), CliError> {
        let topology =
            Topology::Mixed { cells: self.cells(), data: to.scalars(&format!("{at}/topology"), &self.topology)? };
        Ok((topology, write_tags(to, at, &self.tags, Center::Cell)?))
    }
}

impl Merged for Cloud {
    fn of(model: &Model, bodies: &[u32]) -> Self {
        Cloud::of(model, bodies)
    }

    fn points(&self) -> &Points {
        &self.points
    }

    fn write(&self, to: &Companion, at: &str) -> Result<(Topology, Vec<Attribute>), CliError> {
        let topology = Topology::Points { data: to.scalars(&format!("{at}/topology"), &counting(self.radius.len()))? };
        let mut attributes = write_tags(to, at, &self.tags, Center::Node)?;
        attributes.push(Attribute {
            name: "radius",
            center: Center::Node,
            data: to.scalars(&format!("{at}/radius"), &self.radius)?,
        });
        Ok((topology, attributes))
    }
}

/// Connectivity of `n` points.
pub fn counting(n: usize) -> Vec<i64> {
    (0..n as i64).collect()
}

fn write_tags(to: &Companion, at: &str, tags: &Tags, center: Center) -> Result<Vec<Attribute>, CliError> {
    let attribute = |name, data| Attribute { name, center, data };
    let mut out = vec![attribute("body", to.scalars(&format!("{at}/body"), &tags.body)?)];
    let columns =
        [("kind", &tags.kind), ("material", &tags.material), ("volid", &tags.volid), ("surfid", &tags.surfid)];
    for (name, values) in columns {
        out.push(attribute(name, to.scalars(&format!("{at}/{name}"), values)?));
    }
    Ok(out)
}

/// Geometry that is written once for each set of bodies, and moved in each frame.
pub struct Layouts<G> {
    collection: Collection,
    name: &'static str,
    /// Bodies of the model that have such geometry.
    has: Vec<bool>,
    count: usize,
    current: Option<Layout<G>>,
}

struct Layout<G> {
    bodies: Vec<u32>,
    geometry: G,
    topology: Topology,
    attributes: Vec<Attribute>,
}

impl<G: Merged> Layouts<G> {
    fn new(name: &'static str, has: Vec<bool>) -> Self {
        Layouts { collection: Collection::new(name), name, has, count: 0, current: None }
    }

    fn add_frame(&mut self, to: &Companion, of: &Context, frame: &Frame) -> Result<(), CliError> {
        let (bodies, flows) = of.flows(frame, |row| self.has[row as usize]);
        if bodies.is_empty() {
            return Ok(());
        }
        let layout = match self.current.take() {
            Some(layout) if layout.bodies == bodies => layout,
            _ => self.write_layout(to, of.model, bodies)?,
        };
        let placed = layout.geometry.points().place(&flows);
        let at = format!("/{}/frame{:06}", self.name, frame.index);
        let mut attributes = layout.attributes.clone();
        attributes.extend(write_motion(to, of, &at, &placed)?);
        let step = Step {
            time: frame.time,
            topology: layout.topology.clone(),
            geometry: to.vectors(&format!("{at}/position"), &placed.position)?,
            attributes,
        };
        self.collection.push(&step, &to.name());
        self.current = Some(layout);
        Ok(())
    }

    fn write_layout(&mut self, to: &Companion, model: &Model, bodies: Vec<u32>) -> Result<Layout<G>, CliError> {
        let geometry = G::of(model, &bodies);
        let (topology, attributes) = geometry.write(to, &format!("/{}/layout{}", self.name, self.count))?;
        self.count += 1;
        Ok(Layout { bodies, geometry, topology, attributes })
    }
}

fn write_motion(to: &Companion, of: &Context, at: &str, placed: &Placed) -> Result<Vec<Attribute>, CliError> {
    let mut out = Vec::new();
    let columns = [(Wanted::Disp, "displacement", &placed.displacement), (Wanted::Velo, "velocity", &placed.velocity)];
    for (what, name, values) in columns {
        if of.wants(what) {
            out.push(Attribute { name, center: Center::Node, data: to.vectors(&format!("{at}/{name}"), values)? });
        }
    }
    Ok(out)
}

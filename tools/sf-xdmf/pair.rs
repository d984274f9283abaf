//! Steps as XDMF: markup in `NAME.xmf`, numbers in `NAME.xmf.h5`.

use std::collections::BTreeMap;
use std::path::Path;

use super::family::Part;
use super::heavy::{Companion, Rows};
use super::markup::{document, Attribute, Collection, Topology, Uniform};
use super::names::with_ending;
use super::step::{Array, CellKind, Cells, Layout, Step};
use crate::cli::{CliError, Product};

/// A markup file and its companion while they are written; one collection for each family.
pub struct Xdmf {
    markup: Product,
    companion: Companion,
    families: Vec<Written>,
}

struct Written {
    name: &'static str,
    collection: Collection,
    /// Layouts that stand in the companion.
    layouts: BTreeMap<usize, (Topology, Vec<Attribute>)>,
}

impl Xdmf {
    pub fn create(path: &Path, parts: &[Part], force: bool) -> Result<Self, CliError> {
        let family = |part: &Part| Written {
            name: part.name(),
            collection: Collection::new(part.name()),
            layouts: BTreeMap::new(),
        };
        Ok(Xdmf {
            markup: Product::open(Some(path), force)?,
            companion: Companion::create(&with_ending(path, ".h5"), force)?,
            families: parts.iter().map(family).collect(),
        })
    }

    /// Adds a step of a family; `rows` says where its constraints lie in the results, without it they are copied.
    pub fn add(&mut self, family: usize, step: &Step, rows: Option<&Rows>) -> Result<(), CliError> {
        let Xdmf { companion, families, .. } = self;
        let Written { name, collection, layouts } = &mut families[family];
        let (topology, shared) = match layouts.entry(step.layout.number) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => new.insert(write_layout(companion, name, step.layout)?),
        };
        let at = format!("/{name}/frame{:06}", step.index);
        let mut attributes = shared.clone();
        for array in &step.arrays {
            attributes.push(attribute(companion, &at, array, rows)?);
        }
        let geometry = companion.put(&format!("{at}/{}", step.points.name), &step.points, rows)?;
        let uniform = Uniform { time: step.time, topology: topology.clone(), geometry, attributes };
        collection.push(&uniform, &companion.name());
        Ok(())
    }

    /// Writes the markup and gives the files their names, numbers first. Without a step no file is left.
    pub fn finish(self) -> Result<(), CliError> {
        let Xdmf { mut markup, companion, families } = self;
        let shown: Vec<&Collection> = families.iter().map(|f| &f.collection).filter(|c| c.steps > 0).collect();
        if shown.is_empty() {
            return Ok(());
        }
        markup.put(document(&shown).as_bytes())?;
        companion.finish()?;
        markup.finish()
    }
}

fn attribute(to: &Companion, at: &str, array: &Array, rows: Option<&Rows>) -> Result<Attribute, CliError> {
    let data = to.put(&format!("{at}/{}", array.name), array, rows)?;
    Ok(Attribute { name: array.name, center: array.center, data })
}

fn write_layout(to: &Companion, name: &str, layout: &Layout) -> Result<(Topology, Vec<Attribute>), CliError> {
    let at = format!("/{name}/layout{}", layout.number);
    let path = format!("{at}/topology");
    let cells = &layout.cells;
    let topology = if cells.only(CellKind::Vertex) {
        Topology::Points { data: to.integers(&path, &cells.nodes)? }
    } else if cells.only(CellKind::Line) {
        Topology::Lines { data: to.integers(&path, &cells.nodes)? }
    } else {
        Topology::Mixed { cells: cells.len(), data: to.integers(&path, &mixed(cells))? }
    };
    let arrays = layout.arrays.iter().map(|array| attribute(to, &at, array, None));
    Ok((topology, arrays.collect::<Result<_, _>>()?))
}

/// XDMF mixed topology: number of the cell, for polygons the count, then points.
fn mixed(cells: &Cells) -> Vec<i64> {
    let mut out = Vec::with_capacity(cells.nodes.len() + 2 * cells.len());
    for (i, kind) in cells.kinds.iter().enumerate() {
        let nodes = &cells.nodes[cells.range(i)];
        match kind {
            CellKind::Vertex => out.extend([1, 1]),
            CellKind::Line => out.extend([2, 2]),
            CellKind::Polygon => out.extend([3, nodes.len() as i64]),
            CellKind::Tetrahedron => out.push(6),
            CellKind::Pyramid => out.push(7),
            CellKind::Wedge => out.push(8),
            CellKind::Hexahedron => out.push(9),
        }
        out.extend(nodes);
    }
    out
}

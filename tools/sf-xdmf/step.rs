//! What an export shows at one instant, before it is written in some format: points, the cells between them, and
//! arrays.

use std::ops::Range;

/// Kinds of cells. Each face of a polyhedron is a polygon: every reader knows polygons, few know polyhedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    Vertex,
    Line,
    Polygon,
    Tetrahedron,
    Pyramid,
    Wedge,
    Hexahedron,
}

/// Cells over numbered points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cells {
    pub kinds: Vec<CellKind>,
    /// Where the points of each cell end in `nodes`.
    pub ends: Vec<usize>,
    pub nodes: Vec<i64>,
}

impl Cells {
    pub fn push(&mut self, kind: CellKind, nodes: impl IntoIterator<Item = i64>) {
        self.kinds.push(kind);
        self.nodes.extend(nodes);
        self.ends.push(self.nodes.len());
    }

    /// So many points, each a cell.
    pub fn vertices(n: usize) -> Self {
        let nodes = (0..n as i64).collect();
        Cells { kinds: vec![CellKind::Vertex; n], ends: (1..=n).collect(), nodes }
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Where the points of cell `i` stand in `nodes`.
    pub fn range(&self, i: usize) -> Range<usize> {
        i.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[i]
    }

    /// Whether all cells are of this kind.
    pub fn only(&self, kind: CellKind) -> bool {
        self.kinds.iter().all(|&k| k == kind)
    }
}

/// Where the values of an array live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Center {
    Node,
    Cell,
}

/// Numbers of an array, row by row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    F64(Vec<f64>),
    I32(Vec<i32>),
    I64(Vec<i64>),
}

impl Values {
    pub fn len(&self) -> usize {
        match self {
            Values::F64(v) => v.len(),
            Values::I32(v) => v.len(),
            Values::I64(v) => v.len(),
        }
    }
}

/// A named array: a scalar (1 column), a vector (3) or a symmetric tensor (6: xx xy xz yy yz zz).
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub name: &'static str,
    pub center: Center,
    pub width: usize,
    pub values: Values,
    /// Column of the results that holds the same numbers.
    pub column: Option<&'static str>,
}

impl Array {
    pub fn new(name: &'static str, center: Center, width: usize, values: Values) -> Self {
        Array { name, center, width, values, column: None }
    }

    pub fn reals(name: &'static str, center: Center, values: Vec<f64>) -> Self {
        Array::new(name, center, 1, Values::F64(values))
    }

    pub fn vectors(name: &'static str, center: Center, values: &[[f64; 3]]) -> Self {
        Array::new(name, center, 3, Values::F64(values.as_flattened().to_vec()))
    }

    pub fn integers(name: &'static str, center: Center, values: Vec<i64>) -> Self {
        Array::new(name, center, 1, Values::I64(values))
    }

    pub fn rows(&self) -> usize {
        self.values.len() / self.width
    }
}

/// What several steps of a family share, written once.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// From 0, in the order of the first step of each.
    pub number: usize,
    pub cells: Cells,
    pub arrays: Vec<Array>,
}

/// A family at one instant.
#[derive(Debug)]
pub struct Step<'a> {
    /// Number of the frame.
    pub index: u64,
    /// [s]
    pub time: f64,
    pub layout: &'a Layout,
    /// The points [m].
    pub points: Array,
    pub arrays: Vec<Array>,
}

/// Name of the array of points in files.
pub const POINTS: &str = "position";

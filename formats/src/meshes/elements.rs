//! Cells of files as elements and polygons: corners only, in the order of [`ElementKind`].

use solfec::shape::RawElement;

/// What a cell of a foreign format is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// So many corners, the first nodes of the cell, of an element.
    Element(usize),
    /// So many corners of a polygon.
    Face(usize),
    /// Points and lines.
    Nothing,
}

/// Number of a cell type, its number of nodes, and what it is.
pub(super) type CellType = (i64, usize, Cell);

/// Cell types of VTK with a fixed number of nodes (vtkCellType.h).
pub(super) const VTK: &[CellType] = &[
    (1, 1, Cell::Nothing),
    (3, 2, Cell::Nothing),
    (21, 3, Cell::Nothing),
    (5, 3, Cell::Face(3)),
    (8, 4, Cell::Face(4)),
    (9, 4, Cell::Face(4)),
    (22, 6, Cell::Face(3)),
    (23, 8, Cell::Face(4)),
    (28, 9, Cell::Face(4)),
    (10, 4, Cell::Element(4)),
    (11, 8, Cell::Element(8)),
    (12, 8, Cell::Element(8)),
    (13, 6, Cell::Element(6)),
    (14, 5, Cell::Element(5)),
    (24, 10, Cell::Element(4)),
    (25, 20, Cell::Element(8)),
    (26, 15, Cell::Element(6)),
    (27, 13, Cell::Element(5)),
    (29, 27, Cell::Element(8)),
    (32, 18, Cell::Element(6)),
];

/// Element types of Gmsh (its manual, "MSH file format").
pub(super) const GMSH: &[CellType] = &[
    (15, 1, Cell::Nothing),
    (1, 2, Cell::Nothing),
    (8, 3, Cell::Nothing),
    (26, 4, Cell::Nothing),
    (2, 3, Cell::Face(3)),
    (3, 4, Cell::Face(4)),
    (9, 6, Cell::Face(3)),
    (10, 9, Cell::Face(4)),
    (16, 8, Cell::Face(4)),
    (4, 4, Cell::Element(4)),
    (5, 8, Cell::Element(8)),
    (6, 6, Cell::Element(6)),
    (7, 5, Cell::Element(5)),
    (11, 10, Cell::Element(4)),
    (12, 27, Cell::Element(8)),
    (13, 18, Cell::Element(6)),
    (14, 14, Cell::Element(5)),
    (17, 20, Cell::Element(8)),
    (18, 15, Cell::Element(6)),
    (19, 13, Cell::Element(5)),
];

/// The row of a cell type.
pub(super) fn cell_type(types: &[CellType], number: i64) -> Option<(usize, Cell)> {
    types.iter().find(|row| row.0 == number).map(|row| (row.1, row.2))
}

/// Whether a cell has more nodes than corners.
pub(super) fn second_order(nodes: usize, cell: Cell) -> bool {
    match cell {
        Cell::Element(corners) | Cell::Face(corners) => nodes > corners,
        Cell::Nothing => false,
    }
}

/// Type numbers of first-order elements by their number of nodes.
pub(super) fn number_of(types: &[CellType], element: &RawElement) -> Option<i64> {
    let nodes = element.nodes().len();
    // A voxel of VTK has another order of nodes.
    types.iter().find(|row| row.2 == Cell::Element(nodes) && row.1 == nodes && row.0 != VOXEL).map(|row| row.0)
}

pub(super) const VOXEL: i64 = 11;
pub(super) const PIXEL: i64 = 8;

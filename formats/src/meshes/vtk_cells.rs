//! Grids of VTK, of XML and legacy files alike: cells by connectivity, offsets and types, and the arrays of cells and
//! points that hold ids, parts and sets.

use solfec::math::Vec3;
use solfec::meshdata;
use solfec::meshdata::second_order::EDGES;
use solfec::shape::RawElement;

use super::elements::{cell_type, number_of, second_order, Cell, PIXEL, VOXEL, VTK};
use super::{is_curved, MeshFile, Part, SecondOrder, SetKind};
use crate::error::{Error, Result};

/// Names of the array of volume ids; the first that is there is taken.
const VOLIDS: [&str; 6] = ["volid", "gmsh:physical", "medit:ref", "netgen:index", "tetgen:ref", "MaterialIds"];
/// Names of the array of surface ids.
const SURFIDS: [&str; 5] = ["surfid", "gmsh:physical", "medit:ref", "netgen:index", "tetgen:ref"];
/// Number of tetrahedra of ten nodes.
const QUADRATIC_TETRA: i64 = 24;
/// Number of polygons of any number of corners.
const POLYGON: i64 = 7;
/// Names of arrays that mark the members of sets: `nset:NAME` and so on.
const MARKS: [(SetKind, &str); 3] =
    [(SetKind::Nodes, "nset:"), (SetKind::Elements, "elset:"), (SetKind::Faces, "surface:")];

/// VTK's order of the nodes of a wedge, whose first triangle looks outwards, where ours looks inwards; and back.
const WEDGE: [usize; 6] = [0, 2, 1, 3, 5, 4];

/// A grid as the files hold it.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    pub points: Vec<Vec3>,
    pub connectivity: Vec<i64>,
    /// End of each cell in the connectivity.
    pub offsets: Vec<i64>,
    pub types: Vec<i64>,
    pub cell_data: Vec<(String, Vec<i64>)>,
    pub point_data: Vec<(String, Vec<i64>)>,
}

impl Grid {
    fn ids(&self, names: &[&str]) -> Option<&Vec<i64>> {
        names.iter().find_map(|name| self.cell_data.iter().find(|(n, _)| n == name)).map(|(_, ids)| ids)
    }

    /// The part, and the number of cells of second order. `place` is for messages.
    pub fn part(&self, place: &str) -> Result<(Part, SecondOrder)> {
        let fail = |text: String| Error::format(place, text);
        let mut part = Part::default();
        part.mesh.nodes.clone_from(&self.points);
        let (volids, surfids) = (self.ids(&VOLIDS), self.ids(&SURFIDS));
        if self.types.len() != self.offsets.len() {
            let (types, offsets) = (self.types.len(), self.offsets.len());
            return Err(fail(format!("{types} types of cells, but {offsets} offsets")));
        }
        for (name, data) in &self.cell_data {
            if data.len() != self.types.len() {
                return Err(fail(format!("array {name}: {} values for {} cells", data.len(), self.types.len())));
            }
        }
        let (mut rows, mut second, mut from) = (Vec::new(), SecondOrder::default(), 0);
        for (c, (&number, &end)) in self.types.iter().zip(&self.offsets).enumerate() {
            let end = usize::try_from(end).ok().filter(|&end| end >= from && end <= self.connectivity.len());
            let Some(end) = end else {
                let text = format!(
                    "cell {c} ends at {}, but the connectivity has {}",
                    self.offsets[c],
                    self.connectivity.len()
                );
                return Err(fail(text));
            };
            let nodes = &self.connectivity[from..end];
            from = end;
            let known =
                if number == POLYGON { Some((nodes.len(), Cell::Face(nodes.len()))) } else { cell_type(VTK, number) };
            let free = [2, 4];
            if free.contains(&number) {
                rows.push(None);
                continue;
            }
            let Some((count, cell)) = known else {
                return Err(fail(format!(
                    "cell {c}: unknown cell type {number}; first and second order cells are known"
                )));
            };
            if nodes.len() != count || (number == POLYGON && count < 3) {
                return Err(fail(format!("cell {c} of type {number} has {} nodes instead of {count}", nodes.len())));
            }
            second.cells += usize::from(second_order(count, cell));
            let (Cell::Element(corners) | Cell::Face(corners)) = cell else {
                rows.push(None);
                continue;
            };
            let mut list = Vec::with_capacity(corners);
            for &n in &nodes[..corners] {
                let row = u32::try_from(n).ok().filter(|&n| (n as usize) < self.points.len());
                let Some(row) = row else {
                    return Err(fail(format!("cell {c} names point {n}, but there are {}", self.points.len())));
                };
                list.push(row);
            }
            if number == QUADRATIC_TETRA {
                let x = |k: usize| usize::try_from(nodes[k]).ok().and_then(|row| self.points.get(row)).copied();
                let all: [Vec3; 10] = std::array::from_fn(|k| x(k).unwrap_or(Vec3::repeat(f64::NAN)));
                second.curved += usize::from(is_curved(&all, &EDGES));
            }
            match number {
                _ if cell == Cell::Element(WEDGE.len()) => list = WEDGE.iter().map(|&i| list[i]).collect(),
                PIXEL => list.swap(2, 3),
                VOXEL => {
                    list.swap(2, 3);
                    list.swap(6, 7);
                }
                _ => {}
            }
            let id = |ids: Option<&Vec<i64>>| {
                let id = ids.map_or(0, |ids| ids[c]);
                i32::try_from(id).map_err(|_| fail(format!("cell {c}: id {id} does not fit in 32 bits")))
            };
            rows.push(Some(match cell {
                Cell::Element(_) => {
                    let mut element = RawElement::new(&list, id(volids)?).map_err(|e| fail(e.to_string()))?;
                    if corners == WEDGE.len() {
                        // Some programs write our order.
                        element = meshdata::positive(&element, &self.points);
                    }
                    part.mesh.elements.push(element);
                    (SetKind::Elements, part.mesh.elements.len() as u32 - 1)
                }
                Cell::Face(_) | Cell::Nothing => {
                    part.mesh.faces.push((list, id(surfids)?));
                    (SetKind::Faces, part.mesh.faces.len() as u32 - 1)
                }
            }));
        }
        self.sets(&mut part, &rows);
        Ok((part, second))
    }

    fn sets(&self, part: &mut Part, rows: &[Option<(SetKind, u32)>]) {
        for (kind, mark) in MARKS {
            let data = if kind == SetKind::Nodes { &self.point_data } else { &self.cell_data };
            for (name, values) in data.iter().filter_map(|(name, data)| Some((name.strip_prefix(mark)?, data))) {
                let marked = values.iter().enumerate().filter(|(_, &value)| value != 0);
                let members: Vec<u32> = match kind {
                    SetKind::Nodes => {
                        marked.map(|(n, _)| n as u32).filter(|&n| (n as usize) < self.points.len()).collect()
                    }
                    SetKind::Elements | SetKind::Faces => {
                        marked.filter_map(|(c, _)| rows[c].filter(|row| row.0 == kind)).map(|row| row.1).collect()
                    }
                };
                if !members.is_empty() {
                    part.add_to_set(kind, name, members.into_iter());
                }
            }
        }
    }

    /// The cells of a part, elements before faces, with ids and marks of sets.
    pub fn of(part: &Part) -> Result<Grid> {
        let mesh = &part.mesh;
        let mut grid = Grid { points: mesh.nodes.clone(), ..Grid::default() };
        for element in &mesh.elements {
            let Some(number) = number_of(VTK, element) else {
                let n = element.nodes().len();
                return Err(Error::Format(format!("an element of {n} nodes cannot be written as a cell of VTK")));
            };
            grid.types.push(number);
            let node = |i: usize| i64::from(element.nodes()[i]);
            match element.nodes().len() {
                6 => grid.connectivity.extend(WEDGE.map(node)),
                n => grid.connectivity.extend((0..n).map(node)),
            }
            grid.offsets.push(grid.connectivity.len() as i64);
        }
        for (nodes, _) in &mesh.faces {
            grid.types.push(match nodes.len() {
                3 => 5,
                4 => 9,
                _ => POLYGON,
            });
            grid.connectivity.extend(nodes.iter().map(|&n| i64::from(n)));
            grid.offsets.push(grid.connectivity.len() as i64);
        }
        let (elements, faces) = (mesh.elements.len(), mesh.faces.len());
        let volids = mesh.elements.iter().map(|e| e.volid.into()).chain(vec![0; faces]).collect();
        grid.cell_data.push(("volid".into(), volids));
        if faces > 0 {
            let surfids = vec![0; elements].into_iter().chain(mesh.faces.iter().map(|face| face.1.into())).collect();
            grid.cell_data.push(("surfid".into(), surfids));
        }
        for set in &part.sets {
            let mark = MARKS.iter().find(|(kind, _)| *kind == set.kind).map_or("", |(_, mark)| mark);
            let (data, count, first) = match set.kind {
                SetKind::Nodes => (&mut grid.point_data, mesh.nodes.len(), 0),
                SetKind::Elements => (&mut grid.cell_data, elements + faces, 0),
                SetKind::Faces => (&mut grid.cell_data, elements + faces, elements),
            };
            let mut values = vec![0; count];
            set.rows.iter().for_each(|&row| values[first + row as usize] = 1);
            data.push((format!("{mark}{}", set.name), values));
        }
        Ok(grid)
    }
}

/// The grid of all parts, and remarks.
pub(super) fn grid_of(file: &MeshFile, format: &str) -> Result<(Grid, Vec<String>)> {
    Ok((Grid::of(&file.together())?, super::joined(file, format).into_iter().collect()))
}

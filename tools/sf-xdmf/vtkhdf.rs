//! Steps as VTKHDF 2.2: one `UnstructuredGrid` with time in one file. A layout is a part of the file: steps that share
//! it share its cells, and only their points and arrays are appended.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hdf5::plist::file_access::LibraryVersion;
use hdf5::types::FixedAscii;
use hdf5::{Dataset, File, Group, H5Type};
use ndarray::{s, ArrayView1, ArrayView2};

use super::heavy::failed;
use super::step::{Array, CellKind, Center, Layout, Step, Values};
use crate::cli::{CliError, Part as Hidden};

/// Rows of a chunk: the first piece of a column decides, within these.
const CHUNK: std::ops::RangeInclusive<usize> = 64..=16384;
/// The text that readers compare.
const TYPE: &str = "UnstructuredGrid";

/// A file while it is written.
pub struct Vtkhdf {
    file: File,
    hidden: Hidden,
    path: PathBuf,
    columns: BTreeMap<String, Column>,
    /// By number of the layout.
    layouts: BTreeMap<usize, Part>,
    steps: i64,
}

/// A dataset that grows by rows.
struct Column {
    set: Dataset,
    rows: usize,
}

/// Where a layout lies in the file.
struct Part {
    number: i64,
    first_cell: i64,
    first_node: i64,
    /// First row of each shared array.
    arrays: Vec<(String, i64)>,
}

impl Vtkhdf {
    pub fn create(path: &Path, force: bool) -> Result<Self, CliError> {
        let hidden = Hidden::create(path, force)?;
        let create = || -> hdf5::Result<File> {
            let file = File::with_options()
                .with_fapl(|p| p.libver_bounds(LibraryVersion::V18, LibraryVersion::V110))
                .with_fcpl(|p| p.obj_track_times(false))
                .create(hidden.part())?;
            let root = file.create_group("VTKHDF")?;
            root.new_attr::<i64>().shape(2).create("Version")?.write_raw(&[2i64, 2])?;
            let kind = FixedAscii::<16>::from_ascii(TYPE.as_bytes()).map_err(|e| hdf5::Error::from(e.to_string()))?;
            root.new_attr::<FixedAscii<16>>().create("Type")?.write_scalar(&kind)?;
            for group in ["PointData", "CellData", "Steps", "Steps/PointDataOffsets", "Steps/CellDataOffsets"] {
                root.create_group(group)?;
            }
            Ok(file)
        };
        let file = create().map_err(|e| failed(path, &e))?;
        let (columns, layouts) = (BTreeMap::new(), BTreeMap::new());
        Ok(Vtkhdf { file, hidden, path: path.into(), columns, layouts, steps: 0 })
    }

    pub fn add(&mut self, step: &Step) -> Result<(), CliError> {
        let write = self.write(step);
        write.map_err(|e| failed(&self.path, &e))
    }

    /// Closes the file and gives it its name; without a step none is left.
    pub fn finish(self) -> Result<(), CliError> {
        let Vtkhdf { file, hidden, path, columns, steps, .. } = self;
        drop(columns);
        if steps == 0 {
            return Ok(());
        }
        let close = || -> hdf5::Result<()> {
            let group: Group = file.group("VTKHDF/Steps")?;
            group.new_attr::<i64>().create("NSteps")?.write_scalar(&steps)?;
            drop(group);
            file.flush()?;
            file.close()
        };
        close().map_err(|e| failed(&path, &e))?;
        hidden.commit()
    }

    fn write(&mut self, step: &Step) -> hdf5::Result<()> {
        let number = step.layout.number;
        if !self.layouts.contains_key(&number) {
            let part = self.write_layout(step.layout, step.points.rows())?;
            self.layouts.insert(number, part);
        }
        let points = self.append_array(POINTS_PATH, &step.points)?;
        let mut offsets = vec![];
        for array in &step.arrays {
            let path = data_path(array);
            offsets.push((path.clone(), self.append_array(&path, array)?));
        }
        let part = &self.layouts[&number];
        offsets.extend(part.arrays.iter().cloned());
        let places = [
            ("Steps/PartOffsets", part.number),
            ("Steps/NumberOfParts", 1),
            ("Steps/PointOffsets", points),
            ("Steps/CellOffsets", part.first_cell),
            ("Steps/ConnectivityIdOffsets", part.first_node),
        ];
        self.append("Steps/Values", 1, &[step.time])?;
        for (path, place) in places {
            self.append(path, 1, &[place])?;
        }
        for (path, place) in offsets {
            self.append(&format!("Steps/{}", path.replacen("Data/", "DataOffsets/", 1)), 1, &[place])?;
        }
        self.steps += 1;
        Ok(())
    }

    fn write_layout(&mut self, layout: &Layout, points: usize) -> hdf5::Result<Part> {
        let cells = &layout.cells;
        let kinds: Vec<u8> = cells.kinds.iter().map(|&kind| vtk_number(kind)).collect();
        let offsets: Vec<i64> = std::iter::once(0).chain(cells.ends.iter().map(|&end| end as i64)).collect();
        let number = self.append("NumberOfPoints", 1, &[points as i64])?;
        self.append("NumberOfCells", 1, &[cells.len() as i64])?;
        self.append("NumberOfConnectivityIds", 1, &[cells.nodes.len() as i64])?;
        let first_cell = self.append("Types", 1, &kinds)?;
        self.append("Offsets", 1, &offsets)?;
        let first_node = self.append("Connectivity", 1, &cells.nodes)?;
        let mut arrays = Vec::with_capacity(layout.arrays.len());
        for array in &layout.arrays {
            let path = data_path(array);
            let start = self.append_array(&path, array)?;
            arrays.push((path, start));
        }
        Ok(Part { number, first_cell, first_node, arrays })
    }

    fn append_array(&mut self, path: &str, array: &Array) -> hdf5::Result<i64> {
        match &array.values {
            Values::F64(v) if array.width == 6 => {
                let rows: Vec<f64> = v.chunks_exact(6).flat_map(vtk_tensor).collect();
                self.append(path, 6, &rows)
            }
            Values::F64(v) => self.append(path, array.width, v),
            Values::I32(v) => self.append(path, array.width, v),
            Values::I64(v) => self.append(path, array.width, v),
        }
    }

    /// Appends rows of `width` numbers to a dataset of the group, made when it is not there; the row where they begin.
    fn append<T: H5Type>(&mut self, path: &str, width: usize, values: &[T]) -> hdf5::Result<i64> {
        let count = values.len() / width;
        if !self.columns.contains_key(path) {
            let rows = count.clamp(*CHUNK.start(), *CHUNK.end());
            let builder = self.file.new_dataset::<T>().obj_track_times(false).shuffle().deflate(1);
            let name = format!("VTKHDF/{path}");
            let set = if width == 1 {
                builder.chunk(rows).shape(0..).create(name.as_str())?
            } else {
                builder.chunk((rows, width)).shape((0.., width)).create(name.as_str())?
            };
            self.columns.insert(path.into(), Column { set, rows: 0 });
        }
        let Some(column) = self.columns.get_mut(path) else { return Ok(0) };
        let (start, end) = (column.rows, column.rows + count);
        column.rows = end;
        if count > 0 && width == 1 {
            column.set.resize(end)?;
            column.set.write_slice(ArrayView1::from(values), s![start..end])?;
        } else if count > 0 {
            column.set.resize((end, width))?;
            let rows = ArrayView2::from_shape((count, width), values).map_err(|e| hdf5::Error::from(e.to_string()))?;
            column.set.write_slice(rows, s![start..end, ..])?;
        }
        Ok(start as i64)
    }
}

/// Where the points stand.
const POINTS_PATH: &str = "Points";

fn data_path(array: &Array) -> String {
    match array.center {
        Center::Node => format!("PointData/{}", array.name),
        Center::Cell => format!("CellData/{}", array.name),
    }
}

/// VTK's number of a cell.
fn vtk_number(kind: CellKind) -> u8 {
    match kind {
        CellKind::Vertex => 1,
        CellKind::Line => 3,
        CellKind::Polygon => 7,
        CellKind::Tetrahedron => 10,
        CellKind::Hexahedron => 12,
        CellKind::Wedge => 13,
        CellKind::Pyramid => 14,
    }
}

/// VTK's order of a symmetric tensor is xx yy zz xy yz xz; arrays here are xx xy xz yy yz zz.
fn vtk_tensor(t: &[f64]) -> [f64; 6] {
    [t[0], t[3], t[5], t[1], t[4], t[2]]
}

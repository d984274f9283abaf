//! Legacy files of VTK, ASCII and binary ("VTK File Formats"): unstructured grids of versions up to 5.1, and polygons of
//! POLYDATA. Written as version 4.2, which every reader knows.

use std::io::Write as _;
use std::path::Path;

use solfec::math::Vec3;

use super::text::{
    raw_f32, raw_f64, raw_i16, raw_i32, raw_i64, raw_i8, raw_u16, raw_u32, raw_u64, shown, words, Endian, Text,
};
use super::vtk_cells::{grid_of, Grid};
use super::{Encoding, MeshFile, Style, Written};
use crate::error::Result;

struct Reader<'a> {
    text: Text<'a>,
    binary: bool,
    grid: Grid,
    /// Rows of the data that follow: points, cells, or neither.
    of_cells: Option<bool>,
    rows: usize,
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mut text = Text::new(bytes, name);
    let first = text.wanted_line("'# vtk DataFile Version'")?;
    if !first.starts_with(b"# vtk DataFile Version") {
        return Err(text.fail(format!("{} stands where '# vtk DataFile Version' is expected", shown(first))));
    }
    text.wanted_line("the title")?;
    let binary = match text.wanted_line("ASCII or BINARY")?.trim_ascii() {
        b"ASCII" => false,
        b"BINARY" => true,
        other => return Err(text.fail(format!("{} stands where ASCII or BINARY is expected", shown(other)))),
    };
    let mut reader = Reader { text, binary, grid: Grid::default(), of_cells: None, rows: 0 };
    while let Some(line) = reader.text.line() {
        let fields: Vec<&[u8]> = words(line).collect();
        if let Some(keyword) = fields.first() {
            reader.section(&keyword.to_ascii_uppercase(), &fields)?;
        }
    }
    let (part, second_order) = reader.grid.part(name)?;
    let mut file = MeshFile::of(vec![part]);
    let remarks = super::corners_only(&mut file, second_order);
    Ok((file, remarks))
}

impl<'a> Reader<'a> {
    fn count(&self, fields: &[&[u8]], at: usize, what: &str) -> Result<usize> {
        let word = fields.get(at).copied().unwrap_or_default();
        self.text.count(word, 1, what)
    }

    fn section(&mut self, keyword: &[u8], fields: &[&'a [u8]]) -> Result<()> {
        match keyword {
            b"DATASET" => match fields.get(1).map(|kind| kind.to_ascii_uppercase()).as_deref() {
                Some(b"UNSTRUCTURED_GRID" | b"POLYDATA") => {}
                other => {
                    let kind = shown(other.unwrap_or_default());
                    return Err(self
                        .text
                        .fail(format!("dataset {kind} is not read; UNSTRUCTURED_GRID and POLYDATA are")));
                }
            },
            b"POINTS" => {
                let count = self.count(fields, 1, "points")?;
                let numbers = self.reals(fields.get(2).copied().unwrap_or(b"float"), 3 * count, "a coordinate")?;
                self.grid.points = numbers.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect();
            }
            b"CELLS" => self.cells(fields, None)?,
            b"POLYGONS" => self.cells(fields, Some(7))?,
            b"VERTICES" | b"LINES" | b"TRIANGLE_STRIPS" => {
                let what = String::from_utf8_lossy(keyword).into_owned();
                return Err(self.text.fail(format!("{what} are not read; make polygons of them")));
            }
            b"CELL_TYPES" => {
                let count = self.count(fields, 1, "cell types")?;
                self.grid.types = self.integers(b"int", count, "a cell type")?;
            }
            b"CELL_DATA" | b"POINT_DATA" => {
                self.of_cells = Some(keyword == b"CELL_DATA");
                self.rows = self.count(fields, 1, "values")?;
            }
            b"SCALARS" => self.scalars(fields)?,
            b"LOOKUP_TABLE" => {
                let count = self.count(fields, 2, "colours")?;
                self.skip(if self.binary { b"unsigned_char" } else { b"float" }, 4 * count)?;
            }
            b"COLOR_SCALARS" => {
                let wide = self.count(fields, 2, "components")?;
                self.skip(if self.binary { b"unsigned_char" } else { b"float" }, wide.saturating_mul(self.rows))?;
            }
            b"VECTORS" | b"NORMALS" => self.skip(fields.get(2).copied().unwrap_or_default(), 3 * self.rows)?,
            b"TENSORS" => self.skip(fields.get(2).copied().unwrap_or_default(), 9 * self.rows)?,
            b"TEXTURE_COORDINATES" => {
                let wide = self.count(fields, 2, "components")?;
                self.skip(fields.get(3).copied().unwrap_or_default(), wide.saturating_mul(self.rows))?;
            }
            b"FIELD" => self.fields(fields)?,
            b"METADATA" => while self.text.line().is_some_and(|line| !line.trim_ascii().is_empty()) {},
            other => {
                return Err(self.text.fail(format!("{} stands where a section of VTK is expected", shown(other))));
            }
        }
        Ok(())
    }

    /// Up to version 4: counts before the nodes of each cell. Version 5: offsets and connectivity.
    fn cells(&mut self, fields: &[&[u8]], kind: Option<i64>) -> Result<()> {
        let (first, second) = (self.count(fields, 1, "cells")?, self.count(fields, 2, "numbers of cells")?);
        let mark = self.text.clone();
        let next = self.text.line().unwrap_or_default();
        let head: Vec<&[u8]> = words(next).collect();
        if head.first() == Some(&b"OFFSETS".as_slice()) {
            let offsets = self.integers(head.get(1).copied().unwrap_or_default(), first, "an offset")?;
            while self.text.rest().first() == Some(&b'\n') {
                self.text.line();
            }
            let line = self.text.wanted_line("CONNECTIVITY")?;
            let head: Vec<&[u8]> = words(line).collect();
            if head.first() != Some(&b"CONNECTIVITY".as_slice()) {
                return Err(self.text.fail(format!("{} stands where CONNECTIVITY is expected", shown(line))));
            }
            self.grid.connectivity = self.integers(head.get(1).copied().unwrap_or_default(), second, "a point")?;
            self.grid.offsets = offsets.into_iter().skip(1).collect();
        } else {
            self.text = mark;
            let numbers = self.integers(b"int", second, "a number of a cell")?;
            let mut rest = &numbers[..];
            for c in 0..first {
                let count = rest.first().and_then(|&n| usize::try_from(n).ok());
                let nodes = count.and_then(|count| rest.get(1..count.checked_add(1)?));
                let Some(nodes) = nodes else {
                    return Err(self.text.fail(format!("cell {c} is cut off; the size of CELLS is wrong")));
                };
                self.grid.connectivity.extend_from_slice(nodes);
                self.grid.offsets.push(self.grid.connectivity.len() as i64);
                rest = &rest[nodes.len() + 1..];
            }
        }
        if let Some(kind) = kind {
            self.grid.types = vec![kind; self.grid.offsets.len()];
        }
        Ok(())
    }

    fn scalars(&mut self, fields: &[&[u8]]) -> Result<()> {
        let name = String::from_utf8_lossy(fields.get(1).copied().unwrap_or_default()).into_owned();
        let kind = fields.get(2).copied().unwrap_or_default().to_vec();
        let wide = if fields.len() > 3 { self.count(fields, 3, "components")? } else { 1 };
        let mark = self.text.clone();
        if !self.text.line().unwrap_or_default().starts_with(b"LOOKUP_TABLE") {
            self.text = mark;
        }
        self.data(name, &kind, wide, self.rows)
    }

    fn fields(&mut self, fields: &[&[u8]]) -> Result<()> {
        for _ in 0..self.count(fields, 2, "arrays")? {
            let mut line = self.text.wanted_line("the head of an array")?;
            // METADATA may stand before the next array.
            while line.trim_ascii().is_empty() || line.starts_with(b"METADATA") {
                if line.starts_with(b"METADATA") {
                    while self.text.line().is_some_and(|line| !line.trim_ascii().is_empty()) {}
                }
                line = self.text.wanted_line("the head of an array")?;
            }
            let head: Vec<&[u8]> = words(line).collect();
            let name = String::from_utf8_lossy(head.first().copied().unwrap_or_default()).into_owned();
            let (wide, rows) = (self.count(&head, 1, "components")?, self.count(&head, 2, "values")?);
            let kind = head.get(3).copied().unwrap_or_default().to_vec();
            self.data(name, &kind, wide, rows)?;
        }
        Ok(())
    }

    /// An array: kept if it can be one of ids or marks.
    fn data(&mut self, name: String, kind: &[u8], wide: usize, rows: usize) -> Result<()> {
        let total = wide.saturating_mul(rows);
        let real = kind == b"float" || kind == b"double";
        if wide != 1 || real || self.of_cells.is_none() || rows != self.rows {
            return self.skip(kind, total);
        }
        let values = self.integers(kind, total, "a value")?;
        let name = name.replace("%20", " ");
        match self.of_cells {
            Some(true) => self.grid.cell_data.push((name, values)),
            Some(false) | None => self.grid.point_data.push((name, values)),
        }
        Ok(())
    }

    fn skip(&mut self, kind: &[u8], count: usize) -> Result<()> {
        if self.binary {
            let bytes = size(kind).ok_or_else(|| self.text.fail(format!("unknown type of numbers {}", shown(kind))))?;
            self.text.raw(bytes.saturating_mul(count), "an array")?;
            return Ok(());
        }
        for _ in 0..count {
            self.text.wanted_word("a number of an array")?;
        }
        self.text.end_line();
        Ok(())
    }

    fn reals(&mut self, kind: &[u8], count: usize, what: &str) -> Result<Vec<f64>> {
        let found = match (self.binary, kind) {
            (true, b"float") => {
                let bytes = self.text.raw(count.saturating_mul(4), what)?;
                raw_f32(bytes, Endian::Big).into_iter().map(f64::from).collect()
            }
            (true, b"double") => raw_f64(self.text.raw(count.saturating_mul(8), what)?, Endian::Big),
            (true, other) => self.integers(other, count, what)?.into_iter().map(|x| x as f64).collect(),
            (false, _) => {
                let mut found = Vec::new();
                for _ in 0..count {
                    let word = self.text.wanted_word(what)?;
                    found.push(self.text.real(word, what)?);
                }
                self.text.end_line();
                found
            }
        };
        match found.iter().position(|x| !x.is_finite()) {
            Some(at) => Err(self.text.fail_at(format!("number {at} of the array is not finite"))),
            None => Ok(found),
        }
    }

    fn integers(&mut self, kind: &[u8], count: usize, what: &str) -> Result<Vec<i64>> {
        if !self.binary {
            let mut found = Vec::new();
            for _ in 0..count {
                let word = self.text.wanted_word(what)?;
                found.push(self.text.integer(word, what)?);
            }
            self.text.end_line();
            return Ok(found);
        }
        let bytes = size(kind).ok_or_else(|| self.text.fail(format!("unknown type of numbers {}", shown(kind))))?;
        let raw = self.text.raw(bytes.saturating_mul(count), what)?;
        let big = Endian::Big;
        Ok(match kind {
            b"char" => raw_i8(raw, big).into_iter().map(i64::from).collect(),
            b"unsigned_char" => raw.iter().map(|&x| x.into()).collect(),
            b"short" => raw_i16(raw, big).into_iter().map(i64::from).collect(),
            b"unsigned_short" => raw_u16(raw, big).into_iter().map(i64::from).collect(),
            b"int" => raw_i32(raw, big).into_iter().map(i64::from).collect(),
            b"unsigned_int" => raw_u32(raw, big).into_iter().map(i64::from).collect(),
            b"unsigned_long" | b"vtktypeuint64" => raw_u64(raw, big).into_iter().map(|x| x as i64).collect(),
            b"long" | b"vtktypeint64" | b"vtkIdType" => raw_i64(raw, big),
            _ => return Err(self.text.fail(format!("{} stands for the type of integers", shown(kind)))),
        })
    }
}

/// Bytes of a number.
fn size(kind: &[u8]) -> Option<usize> {
    Some(match kind {
        b"char" | b"unsigned_char" => 1,
        b"short" | b"unsigned_short" => 2,
        b"int" | b"unsigned_int" | b"float" => 4,
        b"long" | b"unsigned_long" | b"double" | b"vtktypeint64" | b"vtktypeuint64" | b"vtkIdType" => 8,
        _ => return None,
    })
}

pub(super) fn write(file: &MeshFile, style: Style) -> Result<Written> {
    let (grid, remarks) = grid_of(file, "vtk")?;
    let mut out = Out { bytes: Vec::new(), binary: style.encoding == Encoding::Binary };
    out.line("# vtk DataFile Version 4.2\nwritten by sf-mesh");
    out.line(if out.binary { "BINARY" } else { "ASCII" });
    out.line("DATASET UNSTRUCTURED_GRID");
    out.line(&format!("POINTS {} double", grid.points.len()));
    for x in &grid.points {
        match out.binary {
            true => x.iter().for_each(|x| out.bytes.extend_from_slice(&x.to_be_bytes())),
            false => out.line(&format!("{:?} {:?} {:?}", x.x, x.y, x.z)),
        }
    }
    out.end();
    let (cells, size) = (grid.types.len(), grid.types.len() + grid.connectivity.len());
    out.line(&format!("CELLS {cells} {size}"));
    let mut from = 0;
    for &end in &grid.offsets {
        let nodes = &grid.connectivity[from..end as usize];
        from = end as usize;
        out.int(nodes.len() as i64);
        nodes.iter().for_each(|&n| out.int(n));
        out.row();
    }
    out.end();
    out.line(&format!("CELL_TYPES {cells}"));
    out.column(&grid.types);
    for (section, rows, data) in
        [("CELL_DATA", cells, &grid.cell_data), ("POINT_DATA", grid.points.len(), &grid.point_data)]
    {
        if !data.is_empty() {
            out.line(&format!("{section} {rows}"));
        }
        for (name, values) in data {
            out.line(&format!("SCALARS {} int 1\nLOOKUP_TABLE default", name.replace(' ', "%20")));
            out.column(values);
        }
    }
    Ok(Written { bytes: out.bytes, remarks, ..Written::default() })
}

struct Out {
    bytes: Vec<u8>,
    binary: bool,
}

impl Out {
    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn int(&mut self, x: i64) {
        match self.binary {
            true => self.bytes.extend_from_slice(&(x as i32).to_be_bytes()),
            false => drop(write!(self.bytes, "{x} ")),
        }
    }

    /// The end of a line of an ASCII file.
    fn row(&mut self) {
        if !self.binary {
            self.bytes.pop();
            self.bytes.push(b'\n');
        }
    }

    /// The end of an array of a binary file.
    fn end(&mut self) {
        if self.binary {
            self.bytes.push(b'\n');
        }
    }

    fn column(&mut self, values: &[i64]) {
        for &x in values {
            self.int(x);
            self.row();
        }
        self.end();
    }
}

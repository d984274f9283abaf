//! VTK XML unstructured grids, read: one part for each piece.

use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use quick_xml::Reader;
use solfec::math::Vec3;

use super::text::Endian;
use super::vtk_cells::Grid;
use super::vtu_data::{ascii, Manner, Numbers};
use super::{MeshFile, Part, SecondOrder};
use crate::error::{Error, Result};

/// Bytes of a cell in the shortest form, for counts that are too large.
const LEAST_OF_A_CELL: usize = 1;

/// Where the appended data are, and how they are encoded.
#[derive(Default)]
struct Appended<'a> {
    bytes: &'a [u8],
    base64: bool,
}

/// A piece under way.
#[derive(Default)]
struct Piece {
    points: usize,
    cells: usize,
    grid: Grid,
}

/// A data array under way.
struct Array {
    name: String,
    kind: String,
    format: String,
    offset: Option<usize>,
    components: usize,
    text: Vec<u8>,
}

struct File<'a> {
    name: &'a str,
    /// The markup, up to the appended data.
    head: &'a [u8],
    manner: Manner,
    appended: Appended<'a>,
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mark = b"<AppendedData";
    let end = bytes.windows(mark.len()).position(|window| window == mark).unwrap_or(bytes.len());
    let (head, tail) = bytes.split_at(end);
    let manner = Manner { endian: Endian::Little, header: 4, zlib: false };
    let mut file = File { name, head, manner, appended: Appended::default() };
    if !tail.is_empty() {
        file.appended = appended(tail, name)?;
    }
    let mut parts = Vec::new();
    let mut second_order = SecondOrder::default();
    for (k, piece) in file.pieces()?.into_iter().enumerate() {
        let (part, second): (Part, SecondOrder) = piece.grid.part(&format!("{name}: piece {k}"))?;
        second_order.add(second);
        parts.push(part);
    }
    let mut file = MeshFile::of(parts);
    let remarks = super::corners_only(&mut file, second_order);
    Ok((file, remarks))
}

/// Behind the underscore of `<AppendedData encoding="raw">_`.
fn appended<'a>(tail: &'a [u8], name: &str) -> Result<Appended<'a>> {
    let fail = || Error::format(name, "<AppendedData ...> and an underscore are expected before the appended data");
    let end = tail.iter().position(|&b| b == b'>').ok_or_else(fail)?;
    let tag = String::from_utf8_lossy(&tail[..end]).into_owned();
    let skip = tail[end..].iter().position(|&b| b == b'_').ok_or_else(fail)?;
    let base64 = tag.contains("base64");
    let mut bytes = &tail[end + skip + 1..];
    if base64 {
        let close = bytes.iter().position(|&b| b == b'<').unwrap_or(bytes.len());
        bytes = bytes[..close].trim_ascii_end();
    }
    Ok(Appended { bytes, base64 })
}

impl File<'_> {
    fn fail(&self, at: u64, text: impl AsRef<str>) -> Error {
        let line = 1 + self.head.iter().take(at as usize).filter(|&&b| b == b'\n').count();
        Error::format(&format!("{}:{line}", self.name), text)
    }

    fn pieces(&mut self) -> Result<Vec<Piece>> {
        let markup = std::str::from_utf8(self.head)
            .map_err(|e| self.fail(e.valid_up_to() as u64, "the markup is not text; a VTU file is expected"))?;
        let mut reader = Reader::from_str(markup);
        reader.config_mut().check_end_names = false;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut sections: Vec<String> = Vec::new();
        let mut array: Option<Array> = None;
        let mut seen = false;
        loop {
            let at = reader.buffer_position();
            match reader.read_event() {
                Err(error) => return Err(self.fail(at, format!("is not XML: {error}"))),
                Ok(Event::Eof) => break,
                Ok(Event::Start(tag)) => {
                    let name = text_of(tag.name().as_ref());
                    self.begin(&name, &tag, at, &mut pieces, &mut array, &mut seen)?;
                    sections.push(name);
                }
                Ok(Event::Empty(tag)) => {
                    let name = text_of(tag.name().as_ref());
                    self.begin(&name, &tag, at, &mut pieces, &mut array, &mut seen)?;
                    if let Some(array) = if name == "DataArray" || name == "Array" { array.take() } else { None } {
                        self.end(array, at, &sections, &mut pieces)?;
                    }
                }
                Ok(Event::Text(text)) => {
                    // Remarks about the array stand in elements within it.
                    let own = matches!(sections.last().map(String::as_str), Some("DataArray" | "Array"));
                    if let Some(array) = array.as_mut().filter(|_| own) {
                        array.text.extend_from_slice(text.as_ref().as_bytes());
                    }
                }
                Ok(Event::End(_)) => {
                    let ended = sections.pop();
                    let own = matches!(ended.as_deref(), Some("DataArray" | "Array"));
                    if let Some(array) = if own { array.take() } else { None } {
                        self.end(array, at, &sections, &mut pieces)?;
                    }
                }
                Ok(_) => {}
            }
        }
        match (seen, array, pieces.is_empty()) {
            (false, _, _) => Err(self.fail(0, "no <VTKFile>; a VTU file is expected")),
            (_, Some(array), _) => Err(self.fail(self.head.len() as u64, format!("array {} is cut off", array.name))),
            (_, None, true) => Err(self.fail(self.head.len() as u64, "no <Piece> with points and cells")),
            (true, None, false) => Ok(pieces),
        }
    }

    fn begin(
        &mut self,
        name: &str,
        tag: &BytesStart,
        at: u64,
        pieces: &mut Vec<Piece>,
        array: &mut Option<Array>,
        seen: &mut bool,
    ) -> Result<()> {
        let get = |key: &str| attribute(tag, key).map_err(|e| self.fail(at, format!("<{name}>: {e}")));
        match name {
            "VTKFile" => {
                let kind = get("type")?.unwrap_or_default();
                if kind != "UnstructuredGrid" {
                    return Err(self.fail(at, format!("type {kind} is not read; an UnstructuredGrid is expected")));
                }
                let zlib = match get("compressor")?.as_deref() {
                    None | Some("") => false,
                    Some("vtkZLibDataCompressor") => true,
                    Some(other) => return Err(self.fail(at, format!("compressor {other} is not read; zlib is"))),
                };
                let endian =
                    if get("byte_order")?.as_deref() == Some("BigEndian") { Endian::Big } else { Endian::Little };
                let header = if get("header_type")?.as_deref() == Some("UInt64") { 8 } else { 4 };
                (self.manner, *seen) = (Manner { endian, header, zlib }, true);
            }
            "Piece" => {
                let count = |key: &str, text: Option<String>| {
                    let number = text.as_deref().unwrap_or("").trim().parse::<usize>();
                    number.map_err(|_| self.fail(at, format!("<Piece>: {key} is missing or no number")))
                };
                let points = count("NumberOfPoints", get("NumberOfPoints")?)?;
                let cells = count("NumberOfCells", get("NumberOfCells")?)?;
                if cells.saturating_mul(LEAST_OF_A_CELL) > self.head.len() + MOST * self.appended.bytes.len() {
                    return Err(self.fail(at, format!("<Piece>: {cells} cells are more than the file can hold")));
                }
                pieces.push(Piece { points, cells, grid: Grid::default() });
            }
            "DataArray" | "Array" => {
                let number = |text: Option<String>| text.and_then(|text| text.trim().parse::<usize>().ok());
                *array = Some(Array {
                    name: get("Name")?.unwrap_or_default(),
                    kind: get("type")?.unwrap_or_default(),
                    format: get("format")?.unwrap_or_else(|| "ascii".into()),
                    offset: number(get("offset")?),
                    components: number(get("NumberOfComponents")?).unwrap_or(1).max(1),
                    text: Vec::new(),
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// The numbers of an array go where they belong.
    fn end(&self, array: Array, at: u64, sections: &[String], pieces: &mut [Piece]) -> Result<()> {
        let Some(piece) = pieces.last_mut() else { return Ok(()) };
        let section = sections.last().map_or("", String::as_str);
        let wanted = match section {
            "Points" | "Cells" => true,
            "CellData" | "PointData" => array.components == 1 && !array.kind.starts_with("Float"),
            _ => false,
        };
        if !wanted {
            return Ok(());
        }
        let place = format!("{}: array {}", self.name, array.name);
        let numbers = self.numbers(&array).map_err(|e| self.fail(at, format!("array {}: {e}", array.name)))?;
        let grid = &mut piece.grid;
        let expect = |count: usize, numbers: &Numbers| match numbers.len() == count {
            true => Ok(()),
            false => {
                Err(self.fail(at, format!("array {}: {} numbers, but {count} are expected", array.name, numbers.len())))
            }
        };
        match (section, array.name.as_str()) {
            ("Points", _) => {
                expect(3 * piece.points, &numbers)?;
                let reals = numbers.reals();
                if let Some(bad) = reals.iter().position(|x| !x.is_finite()) {
                    return Err(self.fail(at, format!("point {}: a coordinate is not finite", bad / 3)));
                }
                grid.points = reals.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect();
            }
            ("Cells", "connectivity") => grid.connectivity = numbers.integers(&place)?,
            ("Cells", "offsets") => {
                expect(piece.cells, &numbers)?;
                grid.offsets = numbers.integers(&place)?;
            }
            ("Cells", "types") => {
                expect(piece.cells, &numbers)?;
                grid.types = numbers.integers(&place)?;
            }
            ("CellData", name) => {
                expect(piece.cells, &numbers)?;
                grid.cell_data.push((name.into(), numbers.integers(&place)?));
            }
            ("PointData", name) => {
                expect(piece.points, &numbers)?;
                grid.point_data.push((name.into(), numbers.integers(&place)?));
            }
            _ => {}
        }
        Ok(())
    }

    fn numbers(&self, array: &Array) -> Result<Numbers, String> {
        match array.format.as_str() {
            "ascii" => ascii(&array.kind, &array.text),
            "binary" => self.manner.inline(&array.kind, &array.text),
            "appended" => {
                let bytes = array.offset.and_then(|offset| self.appended.bytes.get(offset..));
                let bytes = bytes.ok_or("its offset is missing, or behind the end of the appended data")?;
                self.manner.appended(&array.kind, bytes, self.appended.base64)
            }
            other => Err(format!("format {other} is not known; ascii, binary or appended is expected")),
        }
    }
}

/// How much larger than its bytes the appended data can be.
const MOST: usize = 1100;

fn text_of(name: impl AsRef<[u8]>) -> String {
    String::from_utf8_lossy(name.as_ref()).into_owned()
}

fn attribute(tag: &BytesStart, key: &str) -> Result<Option<String>, String> {
    let found = tag.try_get_attribute(key).map_err(|e| e.to_string())?;
    Ok(found.map(|attribute| text_of(attribute.value.as_ref())))
}

//! VTK XML unstructured grids, written: raw bytes appended, or inline as base64 or text; compressed in blocks if wanted.

use std::io::Write as _;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use flate2::write::ZlibEncoder;
use flate2::Compression;

use super::vtk_cells::{grid_of, Grid};
use super::{Encoding, MeshFile, Style, Written};
use crate::error::Result;

/// Bytes of a block that is compressed by itself, as VTK has them.
const BLOCK: usize = 1 << 15;
/// Bytes of a number of a header.
const HEADER: usize = 8;

/// The bytes of an array, and its attributes.
struct Array<'a> {
    name: &'a str,
    kind: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

struct Writer {
    out: Vec<u8>,
    style: Style,
    /// Arrays that will be appended.
    appended: Vec<u8>,
}

pub(super) fn write(file: &MeshFile, style: Style) -> Result<Written> {
    let (grid, remarks) = grid_of(file, "vtu")?;
    let style = Style { zlib: style.zlib && style.encoding != Encoding::Ascii, ..style };
    let mut writer = Writer { out: Vec::new(), style, appended: Vec::new() };
    writer.grid(&grid);
    Ok(Written { bytes: writer.out, remarks, ..Written::default() })
}

/// XML's own characters.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Writer {
    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    fn grid(&mut self, grid: &Grid) {
        let compressor = if self.style.zlib { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        self.put("<?xml version=\"1.0\"?>");
        self.put(&format!(
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>"
        ));
        self.put("<UnstructuredGrid>");
        let (points, cells) = (grid.points.len(), grid.types.len());
        self.put(&format!("<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">"));
        self.put("<Points>");
        let bytes = grid.points.iter().flat_map(|x| [x.x, x.y, x.z]).flat_map(f64::to_le_bytes).collect();
        self.array(Array { name: "Points", kind: "Float64", components: 3, bytes });
        self.put("</Points>\n<Cells>");
        self.integers("connectivity", "Int64", &grid.connectivity);
        self.integers("offsets", "Int64", &grid.offsets);
        self.integers("types", "UInt8", &grid.types);
        self.put("</Cells>");
        for (section, data) in [("PointData", &grid.point_data), ("CellData", &grid.cell_data)] {
            self.put(&format!("<{section}>"));
            for (name, values) in data {
                self.integers(name, if name.contains(':') { "UInt8" } else { "Int32" }, values);
            }
            self.put(&format!("</{section}>"));
        }
        self.put("</Piece>\n</UnstructuredGrid>");
        if self.style.encoding == Encoding::Binary {
            self.out.extend_from_slice(b"<AppendedData encoding=\"raw\">\n_");
            self.out.append(&mut self.appended);
            self.put("\n</AppendedData>");
        }
        self.put("</VTKFile>");
    }

    fn integers(&mut self, name: &str, kind: &'static str, values: &[i64]) {
        let bytes = match kind {
            "UInt8" => values.iter().map(|&x| x as u8).collect(),
            "Int32" => values.iter().flat_map(|&x| (x as i32).to_le_bytes()).collect(),
            _ => values.iter().flat_map(|&x| x.to_le_bytes()).collect(),
        };
        self.array(Array { name, kind, components: 1, bytes });
    }

    fn array(&mut self, array: Array) {
        let Array { name, kind, components, bytes } = array;
        let head = format!("<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\"", escaped(name));
        match self.style.encoding {
            Encoding::Ascii => {
                self.put(&format!("{head} format=\"ascii\">"));
                ascii(&mut self.out, kind, &bytes);
                self.put("</DataArray>");
            }
            Encoding::Base64 => {
                self.put(&format!("{head} format=\"binary\">"));
                let (mut head, data) = self.packed(bytes);
                // Without compression the header belongs to the same stream.
                let text = match self.style.zlib {
                    true => STANDARD.encode(head) + &STANDARD.encode(data),
                    false => {
                        head.extend(data);
                        STANDARD.encode(head)
                    }
                };
                self.put(&text);
                self.put("</DataArray>");
            }
            Encoding::Binary => {
                self.put(&format!("{head} format=\"appended\" offset=\"{}\"/>", self.appended.len()));
                let (head, data) = self.packed(bytes);
                self.appended.extend(head);
                self.appended.extend(data);
            }
        }
    }

    /// Header and data.
    fn packed(&self, bytes: Vec<u8>) -> (Vec<u8>, Vec<u8>) {
        let mut head = Vec::with_capacity(HEADER);
        let mut number = |n: usize| head.extend_from_slice(&(n as u64).to_le_bytes());
        if !self.style.zlib {
            number(bytes.len());
            return (head, bytes);
        }
        let blocks: Vec<Vec<u8>> = bytes.chunks(BLOCK).map(deflated).collect();
        number(blocks.len());
        number(BLOCK);
        number(bytes.len() % BLOCK);
        blocks.iter().for_each(|block| number(block.len()));
        (head, blocks.concat())
    }
}

/// Memory takes every byte.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn ascii(out: &mut Vec<u8>, kind: &str, bytes: &[u8]) {
    let wide = |chunk: &[u8]| {
        let mut all = [0; 8];
        all[..chunk.len()].copy_from_slice(chunk);
        all
    };
    match kind {
        "Float64" => bytes.chunks(24).for_each(|point| {
            let x: Vec<String> = point.chunks(8).map(|x| format!("{:?}", f64::from_le_bytes(wide(x)))).collect();
            let _ = writeln!(out, "{}", x.join(" "));
        }),
        "UInt8" => bytes.iter().for_each(|x| drop(writeln!(out, "{x}"))),
        "Int32" => bytes.chunks(4).for_each(|x| {
            let mut four = [0; 4];
            four.copy_from_slice(x);
            let _ = writeln!(out, "{}", i32::from_le_bytes(four));
        }),
        _ => bytes.chunks(8).for_each(|x| drop(writeln!(out, "{}", i64::from_le_bytes(wide(x))))),
    }
}

//! XDMF markup in the subset that XDMFReader, Xdmf3ReaderS and Xdmf3ReaderT all read: temporal collections of uniform
//! grids, plain `DataItem`s of exactly the shape of their dataset, no HyperSlab, Function or Reference.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::heavy::{Heavy, Number};
use super::step::Center;
use crate::cli::number;

/// A named array on a grid; one column is a scalar, three are a vector, six a symmetric tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    pub name: &'static str,
    pub center: Center,
    pub data: Heavy,
}

/// How points hang together.
#[derive(Debug, Clone, PartialEq)]
pub enum Topology {
    Mixed {
        cells: usize,
        data: Heavy,
    },
    /// Points, with explicit connectivity: without it Xdmf3 shows none.
    Points {
        data: Heavy,
    },
    /// Lines between two points each.
    Lines {
        data: Heavy,
    },
}

/// One grid of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Uniform {
    pub time: f64,
    pub topology: Topology,
    pub geometry: Heavy,
    pub attributes: Vec<Attribute>,
}

/// The steps of one family as text.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    name: &'static str,
    text: String,
    pub steps: usize,
}

impl Collection {
    pub fn new(name: &'static str) -> Self {
        Collection { name, ..Default::default() }
    }

    /// Appends a step whose data lie in `file`.
    pub fn push(&mut self, step: &Uniform, file: &str) {
        self.text += &step_text(self.name, step, file);
        self.steps += 1;
    }
}

/// The whole document.
pub fn document(collections: &[&Collection]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"3.0\">\n  <Domain>\n",
    );
    for c in collections {
        let open = "    <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
        out += &open.replace("{}", c.name);
        out += &c.text;
        out += "    </Grid>\n";
    }
    out + "  </Domain>\n</Xdmf>\n"
}

fn step_text(name: &str, step: &Uniform, file: &str) -> String {
    let mut out = String::new();
    let (kind, nodes, cells, topology) = match &step.topology {
        Topology::Mixed { cells, data } => ("Mixed", "", *cells, data),
        // A Polyvertex is one cell of as many nodes as there are elements, unless it is said that each has one.
        Topology::Points { data } => ("Polyvertex", " NodesPerElement=\"1\"", data.dims[0], data),
        Topology::Lines { data } => ("Polyline", " NodesPerElement=\"2\"", data.dims[0] / 2, data),
    };
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "      <Grid Name=\"{name}\" GridType=\"Uniform\">\n        <Time Value=\"{}\"/>\n\
         \x20       <Topology TopologyType=\"{kind}\" NumberOfElements=\"{cells}\"{nodes}>\n{}        </Topology>\n\
         \x20       <Geometry GeometryType=\"XYZ\">\n{}        </Geometry>\n",
        number(step.time),
        data_item(topology, file),
        data_item(&step.geometry, file)
    );
    for attribute in &step.attributes {
        let kind = match attribute.data.dims[..] {
            [_, 6] => "Tensor6",
            [_, _] => "Vector",
            _ => "Scalar",
        };
        let _ = write!(
            out,
            "        <Attribute Name=\"{}\" AttributeType=\"{kind}\" Center=\"{:?}\">\n{}        </Attribute>\n",
            attribute.name,
            attribute.center,
            data_item(&attribute.data, file)
        );
    }
    out + "      </Grid>\n"
}

fn data_item(data: &Heavy, file: &str) -> String {
    let dims: Vec<String> = data.dims.iter().map(usize::to_string).collect();
    let (kind, precision) = match data.number {
        Number::Int(bytes) => ("Int", bytes),
        Number::Float(bytes) => ("Float", bytes),
    };
    format!(
        "          <DataItem Dimensions=\"{}\" NumberType=\"{kind}\" Precision=\"{precision}\" Format=\"HDF\">{}:{}</DataItem>\n",
        dims.join(" "),
        escape(file),
        data.path
    )
}

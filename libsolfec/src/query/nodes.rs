//! Nodes of a body in a frame.

use crate::frame::Frame;
use crate::ids::CatalogueRow;

/// Places of the nodes of a body [m]; `None` where the frame does not show it by its nodes.
pub fn nodes_of(frame: &Frame, body: CatalogueRow) -> Option<&[[f64; 3]]> {
    let at = frame.nodal.body.iter().position(|row| *row == body.0)?;
    let first: usize = frame.nodal.nodes[..at].iter().map(|count| *count as usize).sum();
    frame.nodes.x.get(first..first + frame.nodal.nodes[at] as usize)
}

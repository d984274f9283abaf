//! The order of rows inside a frame is part of the format: equal states give equal files.

use solfec::frame::{Frame, NodalRows, NodeRows, NO_BODY};
use solfec::model::{BodyRow, Model};
use solfec::shape::GeometryKind;
use solfec::table::Table;

use super::tables::Content;
use super::Catalogue;

/// What a body is made of; bodies of a class are contiguous in a frame. The discriminants are those of the file and
/// never change; new geometries count on from 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ShapeClass {
    /// One sphere.
    Sphere = 0,
    /// One mesh.
    Mesh = 1,
    /// One convex polyhedron.
    Convex = 2,
    /// Several shapes.
    Several = 3,
    /// One ellipsoid.
    Ellipsoid = 4,
}

/// Class of a body of the model.
pub fn shape_class(model: &Model, body: &BodyRow) -> ShapeClass {
    let rows = &model.shapes[body.shapes.start as usize..body.shapes.end as usize];
    class_of(rows.iter().map(|row| model.library[row.geometry as usize].kind()))
}

/// Class of a body of shapes of these kinds.
pub(super) fn class_of(mut kinds: impl ExactSizeIterator<Item = GeometryKind>) -> ShapeClass {
    match (kinds.len(), kinds.next()) {
        (1, Some(GeometryKind::Sphere)) => ShapeClass::Sphere,
        (1, Some(GeometryKind::Mesh)) => ShapeClass::Mesh,
        (1, Some(GeometryKind::Convex)) => ShapeClass::Convex,
        (1, Some(GeometryKind::Ellipsoid)) => ShapeClass::Ellipsoid,
        _ => ShapeClass::Several,
    }
}

/// Brings the rows of a frame into the order of the format.
pub(super) fn sort(content: &mut Content, catalogue: &Catalogue) {
    let body = |row: u32| (catalogue.shape_class[row as usize], catalogue.id[row as usize]);
    let (rigid, pseudo, nodal) = (&mut content.rigid, &mut content.pseudo, &content.nodal);
    if let Some(order) = order(rigid.body.len(), |i| body(rigid.body[i])) {
        rigid.reorder(&order);
    }
    if let Some(order) = order(pseudo.body.len(), |i| body(pseudo.body[i])) {
        pseudo.reorder(&order);
    }
    if let Some(order) = order(nodal.body.len(), |i| body(nodal.body[i])) {
        reorder_nodal(&mut content.nodal, &mut content.nodes, &order);
    }
    let laws = &mut content.laws;
    if let Some(order) = order(laws.body.len(), |i| body(laws.body[i])) {
        laws.reorder(&order);
    }
    let chars = &mut content.chars;
    if let Some(order) = order(chars.body.len(), |i| body(chars.body[i])) {
        chars.reorder(&order);
    }
    let c = &mut content.constraints;
    let id = |row: u32| match row {
        NO_BODY => u64::MAX,
        row => catalogue.id[row as usize],
    };
    if let Some(order) = order(c.id.len(), |i| (c.kind[i], id(c.master[i]), id(c.slave[i]), c.id[i])) {
        c.reorder(&order);
    }
}

/// The rows of a frame that belong to these bodies (for each row of the catalogue whether it does), with the
/// constraints whose bodies all do.
pub fn part_of(mut frame: Frame, bodies: &[bool]) -> Frame {
    let inside = |row: &u32| *row == NO_BODY || bodies.get(*row as usize).copied().unwrap_or(false);
    let chosen = |column: &[u32]| (0..column.len()).filter(|&i| inside(&column[i])).collect::<Vec<_>>();
    frame.rigid.reorder(&chosen(&frame.rigid.body));
    frame.pseudo.reorder(&chosen(&frame.pseudo.body));
    let nodal = chosen(&frame.nodal.body);
    reorder_nodal(&mut frame.nodal, &mut frame.nodes, &nodal);
    frame.laws.reorder(&chosen(&frame.laws.body));
    frame.chars.reorder(&chosen(&frame.chars.body));
    let c = &mut frame.constraints;
    let constraints: Vec<usize> = (0..c.id.len()).filter(|&i| inside(&c.master[i]) && inside(&c.slave[i])).collect();
    c.reorder(&constraints);
    frame.events.retain(|event| inside(&event.body.0));
    frame
}

/// The order that sorts `n` rows by `key`, or nothing if they are sorted.
fn order<K: Ord>(n: usize, key: impl Fn(usize) -> K) -> Option<Vec<usize>> {
    if (1..n).all(|i| key(i - 1) <= key(i)) {
        return None;
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| key(i));
    Some(order)
}

/// Reorders bodies with their nodes.
fn reorder_nodal(nodal: &mut NodalRows, nodes: &mut NodeRows, order: &[usize]) {
    let ranges = nodal.ranges();
    let of_nodes: Vec<usize> = order.iter().flat_map(|&i| ranges[i].clone()).collect();
    nodes.reorder(&of_nodes);
    nodal.reorder(order);
}

//! The order of rows inside a frame is part of the format: equal states give equal files.

use solfec::frame::{ConstraintRows, Frame, PseudoRows, RigidRows, NO_BODY};
use solfec::model::{BodyRow, Model};
use solfec::shape::Geometry;

use super::Catalogue;

/// What a body is made of; bodies of a class are contiguous in a frame. The discriminants are those of the file.
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
}

/// Class of a body of the model.
pub fn shape_class(model: &Model, body: &BodyRow) -> ShapeClass {
    if body.shapes.len() != 1 {
        return ShapeClass::Several;
    }
    let row = &model.shapes[body.shapes.start as usize];
    match model.library[row.geometry as usize].as_ref() {
        Geometry::Sphere(_) => ShapeClass::Sphere,
        Geometry::Mesh(_) => ShapeClass::Mesh,
        Geometry::Convex(_) => ShapeClass::Convex,
    }
}

/// Brings the rows of a frame into the order of the format.
pub(super) fn sort(frame: &mut Frame, catalogue: &Catalogue) {
    let body = |row: u32| (catalogue.shape_class[row as usize], catalogue.id[row as usize]);
    if let Some(order) = order(frame.rigid.body.len(), |i| body(frame.rigid.body[i])) {
        sort_rigid(&mut frame.rigid, &order);
    }
    if let Some(order) = order(frame.pseudo.body.len(), |i| body(frame.pseudo.body[i])) {
        sort_pseudo(&mut frame.pseudo, &order);
    }
    let c = &frame.constraints;
    let id = |row: u32| match row {
        NO_BODY => u64::MAX,
        row => catalogue.id[row as usize],
    };
    if let Some(order) = order(c.id.len(), |i| (c.kind[i], id(c.master[i]), id(c.slave[i]), c.id[i])) {
        sort_constraints(&mut frame.constraints, &order);
    }
}

/// The rows of a frame that belong to these bodies (for each row of the catalogue whether it does), with the constraints
/// whose bodies all do.
pub fn part_of(mut frame: Frame, bodies: &[bool]) -> Frame {
    let inside = |row: &u32| *row == NO_BODY || bodies.get(*row as usize).copied().unwrap_or(false);
    let rows = |n: usize, taken: &dyn Fn(usize) -> bool| (0..n).filter(|&i| taken(i)).collect::<Vec<_>>();
    let rigid = rows(frame.rigid.body.len(), &|i| inside(&frame.rigid.body[i]));
    let pseudo = rows(frame.pseudo.body.len(), &|i| inside(&frame.pseudo.body[i]));
    let c = &frame.constraints;
    let constraints = rows(c.id.len(), &|i| inside(&c.master[i]) && inside(&c.slave[i]));
    sort_rigid(&mut frame.rigid, &rigid);
    sort_pseudo(&mut frame.pseudo, &pseudo);
    sort_constraints(&mut frame.constraints, &constraints);
    frame.events.retain(|event| inside(&event.body));
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

fn permute<T: Copy>(rows: &mut Vec<T>, order: &[usize]) {
    *rows = order.iter().map(|&i| rows[i]).collect();
}

fn sort_rigid(r: &mut RigidRows, order: &[usize]) {
    permute(&mut r.body, order);
    permute(&mut r.x, order);
    permute(&mut r.rot, order);
    permute(&mut r.v, order);
    permute(&mut r.omega, order);
    permute(&mut r.energy, order);
}

fn sort_pseudo(p: &mut PseudoRows, order: &[usize]) {
    permute(&mut p.body, order);
    permute(&mut p.x, order);
    permute(&mut p.f, order);
    permute(&mut p.v, order);
    permute(&mut p.fdot, order);
    permute(&mut p.energy, order);
}

fn sort_constraints(c: &mut ConstraintRows, order: &[usize]) {
    permute(&mut c.id, order);
    permute(&mut c.kind, order);
    permute(&mut c.row, order);
    permute(&mut c.master, order);
    permute(&mut c.slave, order);
    permute(&mut c.point, order);
    permute(&mut c.normal, order);
    permute(&mut c.tangent1, order);
    permute(&mut c.tangent2, order);
    permute(&mut c.r, order);
    permute(&mut c.u, order);
    permute(&mut c.v, order);
    permute(&mut c.force, order);
    permute(&mut c.gap, order);
    permute(&mut c.area, order);
    permute(&mut c.merit, order);
    permute(&mut c.material, order);
    permute(&mut c.surf, order);
    permute(&mut c.state, order);
    permute(&mut c.aux, order);
}

//! Polyhedra.

use super::geometry::{Cell, CellForm, GeometryKind, Primitive, Size};
use super::inside::below_all;
use super::loops::{area_vector, diameter, middle, paired, round_off, sides, Side};
use super::{Convex, ConvexPart, Face, Geometry, Integrals, AREA_FLOOR, INNER_FACE, VOLUME_FLOOR};
use crate::error::short;
use crate::math::Vec3;
use crate::{Error, Result};

/// Contact numbers vertices and loop entries of a polyhedron with 16 bits.
const MOST: usize = u16::MAX as usize;

impl Convex {
    /// A polyhedron from `vertices` [m] and `faces`, loops counter-clockwise seen from outside. It must be closed, and
    /// planar and convex within `max(epsilon, 1e-9 · diameter)`, with a positive volume. Isolated vertices are dropped;
    /// the second value holds the warnings.
    pub fn new(vertices: Vec<Vec3>, faces: Vec<Face>, volid: i32, epsilon: f64) -> Result<(Convex, Vec<String>)> {
        check_size(&vertices, &faces)?;
        check_finite("vertex", &vertices)?;
        check_indices(vertices.len(), &faces)?;
        check_closed(&faces)?;
        let (convex, warnings) = drop_isolated(vertices, faces, volid);
        let size = diameter(&convex.vertices);
        let tolerance = epsilon.max(round_off(&convex.vertices));
        check_planar(&convex, tolerance, AREA_FLOOR * size * size)?;
        check_volume(&convex, VOLUME_FLOOR * size.powi(3))?;
        check_convex(&convex, tolerance)?;
        Ok((convex, warnings))
    }

    /// Faces that other bodies can touch.
    fn skin(&self) -> impl Iterator<Item = &Face> {
        self.faces.iter().filter(|face| face.surfid != INNER_FACE)
    }

    /// Coordinates around face `f`.
    pub(super) fn corners<'a>(&'a self, face: &'a Face) -> impl ExactSizeIterator<Item = Vec3> + Clone + 'a {
        face.nodes.iter().map(|&v| self.vertices[v as usize])
    }
}

impl Primitive for Convex {
    fn kind(&self) -> GeometryKind {
        GeometryKind::Convex
    }

    fn points(&self) -> &[Vec3] {
        &self.vertices
    }

    fn surfaces(&self, take: &mut dyn FnMut(i32)) {
        self.skin().for_each(|face| take(face.surfid));
    }

    fn integrals(&self) -> Integrals {
        self.integrals()
    }

    fn contains(&self, x: &Vec3, tolerance: f64) -> bool {
        below_all(self.faces.iter().map(|face| self.corners(face)), x, tolerance)
    }

    fn parts(&self) -> Vec<ConvexPart> {
        if self.skin().next().is_none() {
            return Vec::new();
        }
        vec![ConvexPart::Solid(self.solid())]
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let (form, volid) = (CellForm::Polygon, self.volid);
        self.skin().map(|face| Cell { form, nodes: &face.nodes, volid, surfid: Some(face.surfid) }).collect()
    }

    fn scaled(&self, place: &dyn Fn(&Vec3) -> Vec3, factors: &Vec3) -> Result<Geometry> {
        let mut faces = self.faces.clone();
        if factors.product() < 0.0 {
            faces.iter_mut().for_each(|face| face.nodes.reverse());
        }
        let vertices = self.vertices.iter().map(place).collect();
        Ok(Geometry::Convex(Convex { vertices, faces, volid: self.volid }))
    }

    fn bytes(&self) -> usize {
        24 * self.vertices.len() + 40 * self.faces.len()
    }

    fn sizes(&self) -> Vec<(&'static str, Size)> {
        vec![("vertices", Size::Count(self.vertices.len())), ("faces", Size::Count(self.faces.len()))]
    }
}

/// Every coordinate must be a number; `what` names the points in the message.
pub(super) fn check_finite(what: &str, points: &[Vec3]) -> Result<()> {
    match points.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
        None => Ok(()),
        Some(i) => {
            let (x, y, z) = (points[i].x, points[i].y, points[i].z);
            Err(Error::input(format!("{what} {i} is ({x}, {y}, {z}): all coordinates must be finite numbers")))
        }
    }
}

pub(super) fn check_size(vertices: &[Vec3], faces: &[Face]) -> Result<()> {
    let entries: usize = faces.iter().map(|f| f.nodes.len()).sum();
    if vertices.len() < 4 {
        return Err(Error::input(format!("polyhedron has {} vertices: give at least 4", vertices.len())));
    }
    if faces.len() < 4 {
        return Err(Error::input(format!("polyhedron has {} faces: give at least 4", faces.len())));
    }
    if vertices.len() > MOST || entries > MOST {
        return Err(Error::input(format!(
            "polyhedron has {} vertices and {entries} vertices around its faces, the limit is {MOST}: coarsen it or use a MESH",
            vertices.len()
        )));
    }
    Ok(())
}

fn check_indices(count: usize, faces: &[Face]) -> Result<()> {
    for (f, face) in faces.iter().enumerate() {
        if face.nodes.len() < 3 {
            return Err(Error::input(format!("face {f} has {} vertices: give at least 3", face.nodes.len())));
        }
        for (i, &v) in face.nodes.iter().enumerate() {
            if v as usize >= count {
                return Err(Error::input(format!(
                    "face {f} names vertex {v} at position {i}, but there are {count} vertices: use numbers from 0 to {}",
                    count - 1
                )));
            }
            if face.nodes[..i].contains(&v) {
                return Err(Error::input(format!("face {f} names vertex {v} twice: name each vertex once")));
            }
        }
    }
    Ok(())
}

/// (a) Every edge belongs to two faces that run along it in opposite directions.
fn check_closed(faces: &[Face]) -> Result<()> {
    let sides = sides(faces.iter().map(|f| f.nodes.as_slice()));
    let runs = || sides.chunk_by(|a, b| a.ends == b.ends).filter(|run| !paired(run));
    let mut faults = vec![0_usize; faces.len()];
    for side in runs().flatten() {
        faults[side.face as usize] += 1;
    }
    let most = faults.iter().copied().max().unwrap_or(0);
    let Some(worst) = faults.iter().position(|&n| n == most && n > 0) else {
        return Ok(());
    };
    let Some(run) = runs().find(|run| run.iter().any(|s| s.face as usize == worst)) else {
        return Ok(());
    };
    let [a, b] = run[0].ends;
    let text = match run {
        [_] => format!(
            "face {worst}: edge of vertices {a} and {b} belongs to no other face, the polyhedron is open: add the missing face"
        ),
        [s, t] => format!(
            "face {worst}: faces {} and {} run along the edge of vertices {a} and {b} in the same direction: reverse the \
             loop of face {worst}, all loops must be counter-clockwise seen from outside",
            s.face, t.face
        ),
        _ => format!(
            "face {worst}: edge of vertices {a} and {b} belongs to {} faces ({}): an edge joins two faces",
            run.len(),
            names(run)
        ),
    };
    Err(Error::input(text))
}

fn names(run: &[Side]) -> String {
    let faces: Vec<String> = run.iter().map(|s| s.face.to_string()).collect();
    faces.join(", ")
}

/// (e) Drops vertices that no face names.
fn drop_isolated(vertices: Vec<Vec3>, mut faces: Vec<Face>, volid: i32) -> (Convex, Vec<String>) {
    let mut used = vec![false; vertices.len()];
    for &v in faces.iter().flat_map(|f| &f.nodes) {
        used[v as usize] = true;
    }
    let lost: Vec<String> = (0..used.len()).filter(|&v| !used[v]).map(|v| v.to_string()).collect();
    if lost.is_empty() {
        return (Convex { vertices, faces, volid }, Vec::new());
    }
    renumber(&mut faces, &used);
    let vertices = vertices.into_iter().zip(&used).filter_map(|(x, &keep)| keep.then_some(x)).collect();
    let warning = format!("no face names vertex {}: dropped, later vertices are renumbered", lost.join(", "));
    (Convex { vertices, faces, volid }, vec![warning])
}

/// Makes faces count only the vertices in use.
pub(super) fn renumber(faces: &mut [Face], used: &[bool]) {
    let mut next = 0;
    let number: Vec<u32> = used
        .iter()
        .map(|&keep| {
            next += u32::from(keep);
            next.saturating_sub(1)
        })
        .collect();
    for v in faces.iter_mut().flat_map(|f| &mut f.nodes) {
        *v = number[*v as usize];
    }
}

/// (b) Every loop has an area and lies in a plane.
fn check_planar(convex: &Convex, tolerance: f64, least_area: f64) -> Result<()> {
    for (f, face) in convex.faces.iter().enumerate() {
        let area = area_vector(convex.corners(face));
        if area.norm() <= least_area {
            return Err(Error::input(format!(
                "face {f} has no area (zero normal): its vertices {:?} lie on a line",
                face.nodes
            )));
        }
        let (normal, center) = (area.normalize(), middle(convex.corners(face)));
        for (&v, x) in face.nodes.iter().zip(convex.corners(face)) {
            let height = normal.dot(&(x - center));
            if height.abs() > tolerance {
                return Err(Error::input(format!(
                    "face {f} is not planar: vertex {v} is {} off its plane, more than {}: split the face into triangles",
                    short(height.abs()),
                    short(tolerance)
                )));
            }
        }
    }
    Ok(())
}

/// (d) The volume is positive.
fn check_volume(convex: &Convex, least: f64) -> Result<()> {
    let volume = convex.integrals().volume;
    if volume > least {
        return Ok(());
    }
    let remedy = if volume < -least {
        "reverse the loops of all faces, they must be counter-clockwise seen from outside"
    } else {
        "its vertices must not lie in a plane"
    };
    Err(Error::input(format!("polyhedron has volume {}: {remedy}", short(volume))))
}

/// (c) Every vertex is on or below the plane of every face.
fn check_convex(convex: &Convex, tolerance: f64) -> Result<()> {
    for (f, face) in convex.faces.iter().enumerate() {
        let normal = area_vector(convex.corners(face)).normalize();
        let level = normal.dot(&middle(convex.corners(face)));
        for (v, x) in convex.vertices.iter().enumerate() {
            let height = normal.dot(x) - level;
            if height > tolerance {
                return Err(Error::input(format!(
                    "polyhedron is not convex: vertex {v} is {} above the plane of face {f}, more than {}: \
                     divide it into convex pieces or use HULL",
                    short(height),
                    short(tolerance)
                )));
            }
        }
    }
    Ok(())
}

//! A closed surface as convex polyhedra that do not overlap.
//!
//! Space is cut into boxes, and each piece is the convex hull of what a box holds of the solid: pieces lie in different
//! boxes, so their interiors are disjoint by construction. The hull of solid and box needs no Boolean operations: its
//! vertices are corners of the triangles clipped to the box, and corners of the box that lie in the solid. Pieces cover
//! the solid; what they have too much is the sum of the volumes of hulls minus that of the solid, which is known exactly
//! for each box (divergence theorem in one direction). The box with the greatest excess is cut next, where the volumes of
//! the two hulls are least together, until the bounds hold.

use super::faults::sound_surface;
use super::nearest::{Shell, Triangle};
use super::triangulate::triangulate;
use crate::math::Vec3;
use crate::shape::{Convex, Geometry, Integrals, RawMesh};
use crate::{Error, Result};

/// How close pieces must be to the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Volume of the pieces outside of the surface, as part of the volume that it encloses.
    pub volume: f64,
    /// Distance of faces of the pieces outside of the surface [m].
    pub distance: f64,
    /// Pieces at most.
    pub pieces: usize,
}

/// The pieces, and how close they are.
#[derive(Debug, Clone)]
pub struct Pieces {
    pub convex: Vec<Convex>,
    /// Of the solid that the surface encloses.
    pub solid: Integrals,
    /// Of the pieces together.
    pub together: Integrals,
    /// Greatest distance of a point of a face outside of the surface: an upper bound [m].
    pub distance: f64,
    /// Whether both bounds hold.
    pub within: bool,
}

/// Places at which a box is cut, on each axis, besides corners of the surface.
const CUTS: usize = 9;
const CORNERS: usize = 10;
/// The box around all is larger than the surface by this part of its diagonal.
const MARGIN: f64 = 1e-3;
/// Solids in a box under this part of the whole are round-off.
const NOTHING: f64 = 1e-9;
/// Corners no farther from a cut than this part of the diagonal lie in it.
const SNAP: f64 = 1e-9;
/// Excess under this part of the whole is round-off: the piece is what the box holds.
const EXACT: f64 = 1e-9;
/// Distances are found to this part of the diagonal, or of the distance itself if that is larger.
const FINE: f64 = 0.01;
const RELATIVE: f64 = 0.2;
/// Cuts keep this part of the width of a piece away from its ends, and from each other.
const APART: f64 = 2e-3;
/// Patches no farther from the plane of a face than this part of the diagonal lie in it.
const FLAT: f64 = 1e-6;

/// A polygon of the surface clipped to a box.
#[derive(Debug, Clone)]
struct Patch {
    corners: Vec<Vec3>,
    surfid: i32,
}

impl Patch {
    /// What lies above or below a plane across an axis. A patch in the plane belongs to the side where the solid is,
    /// one that only touches it to the other side.
    fn on_side(&self, axis: usize, at: f64, above: bool, snap: f64) -> Option<Patch> {
        let mut corners = self.corners.clone();
        corners.iter_mut().filter(|x| (x[axis] - at).abs() <= snap).for_each(|x| x[axis] = at);
        if corners.iter().all(|x| x[axis] == at) {
            let solid_above = area_vector(&self.corners)[axis] < 0.0;
            return (solid_above == above).then_some(Patch { corners, surfid: self.surfid });
        }
        let beyond = |x: &Vec3| if above { x[axis] > at } else { x[axis] < at };
        if !corners.iter().any(beyond) {
            return None;
        }
        let corners = clipped(&corners, axis, at, above);
        (corners.len() > 2).then_some(Patch { corners, surfid: self.surfid })
    }
}

struct Cell {
    low: Vec3,
    high: Vec3,
    patches: Vec<Patch>,
    hull: Convex,
    /// Volume of the hull beyond that of the solid in the box.
    excess: f64,
}

/// Convex pieces of the solid inside of a closed surface, in the order of their making.
///
/// # Errors
/// The surface is not closed, or not seen from outside; bounds that are not positive.
pub fn decompose(surface: &RawMesh, bounds: &Bounds) -> Result<Pieces> {
    if !(bounds.volume > 0.0 && bounds.distance > 0.0 && bounds.pieces > 0) {
        return Err(Error::input("bounds of pieces must be positive: volume, distance and number"));
    }
    let solid = sound_surface(surface)?;
    let work = Work::new(surface, solid.volume);
    let mut cells: Vec<Cell> = work.first().into_iter().collect();
    let mut distances: Vec<Option<f64>> = vec![None; cells.len()];
    loop {
        let excess: f64 = cells.iter().map(|cell| cell.excess).sum();
        let worst = |of: &dyn Fn(usize) -> f64| (0..cells.len()).max_by(|&a, &b| of(a).total_cmp(&of(b)));
        let full = cells.len() >= bounds.pieces;
        let chosen;
        if excess > bounds.volume * solid.volume && !full {
            chosen = worst(&|i| cells[i].excess);
        } else {
            for (cell, distance) in cells.iter().zip(&mut distances) {
                distance.get_or_insert_with(|| match cell.excess > EXACT * solid.volume {
                    true => work.distance(&cell.hull),
                    false => 0.0,
                });
            }
            let of = |i: usize| distances[i].unwrap_or(0.0);
            let greatest = worst(&of);
            let distance = greatest.map_or(0.0, of);
            if distance > bounds.distance && !full {
                chosen = greatest;
            } else {
                let within = excess <= bounds.volume * solid.volume && distance <= bounds.distance;
                return Ok(finish(cells, solid, distance, within));
            }
        }
        let Some(chosen) = chosen else { return Ok(finish(cells, solid, f64::INFINITY, false)) };
        let halves = work.cut(&cells[chosen]);
        distances.splice(chosen..=chosen, halves.iter().map(|_| None));
        cells.splice(chosen..=chosen, halves);
    }
}

fn finish(cells: Vec<Cell>, solid: Integrals, distance: f64, within: bool) -> Pieces {
    let convex: Vec<Convex> = cells.into_iter().map(|cell| cell.hull).collect();
    let each: Vec<Integrals> = convex.iter().map(|c| Geometry::from(c.clone()).integrals()).collect();
    Pieces { convex, solid, together: Integrals::together(&each), distance, within }
}

struct Work {
    shell: Shell,
    patches: Vec<Patch>,
    volume: f64,
    low: Vec3,
    high: Vec3,
}

impl Work {
    fn new(surface: &RawMesh, volume: f64) -> Work {
        let corner = |n: u32| surface.nodes[n as usize];
        let of_face = |(nodes, surfid): &(Vec<u32>, i32)| {
            let patch = |t: [u32; 3]| Patch { corners: t.map(corner).to_vec(), surfid: *surfid };
            triangulate(nodes, &surface.nodes).into_iter().map(patch).collect::<Vec<Patch>>()
        };
        let patches: Vec<Patch> = surface.faces.iter().flat_map(of_face).collect();
        let all: Vec<Triangle> = patches.iter().map(|p| [p.corners[0], p.corners[1], p.corners[2]]).collect();
        let first = all[0][0];
        let (low, high) = all.iter().flatten().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
        Work { shell: Shell::new(all), patches, volume, low, high }
    }

    fn diagonal(&self) -> f64 {
        (self.high - self.low).norm()
    }

    fn first(&self) -> Option<Cell> {
        let margin = Vec3::repeat(MARGIN * self.diagonal());
        self.cell(self.low - margin, self.high + margin, self.patches.clone())
    }

    /// The piece of a box, given what the box holds of the surface; `None` if it holds nothing of the solid.
    fn cell(&self, low: Vec3, high: Vec3, patches: Vec<Patch>) -> Option<Cell> {
        let volume = self.volume_in(&low, &high);
        if volume <= NOTHING * self.volume {
            return None;
        }
        let mut hull = Convex::hull(&self.points(&low, &high, &patches), 0, 0).ok()?;
        name_faces(&mut hull, &patches, FLAT * self.diagonal());
        let excess = (hull_volume(&hull) - volume).max(0.0);
        Some(Cell { low, high, patches, hull, excess })
    }

    /// Points of which the hull of solid and box is made.
    fn points(&self, low: &Vec3, high: &Vec3, patches: &[Patch]) -> Vec<Vec3> {
        let corners = (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { low[i] } else { high[i] }));
        let inside = corners.filter(|x| self.shell.holds(x));
        patches.iter().flat_map(|patch| patch.corners.iter().copied()).chain(inside).collect()
    }

    /// Volume of the solid in a box: what each triangle covers on the way from the face of least x, seen along x.
    fn volume_in(&self, low: &Vec3, high: &Vec3) -> f64 {
        let mut volume = 0.0;
        for triangle in self.shell.triangles() {
            let mut corners = triangle.to_vec();
            for axis in [1, 2] {
                corners = clipped(&clipped(&corners, axis, low[axis], true), axis, high[axis], false);
            }
            let (area, center) = along_x(&clipped(&clipped(&corners, 0, low.x, true), 0, high.x, false));
            volume += area * (center - low.x);
            // A triangle in the far face itself has been counted.
            if corners.iter().any(|x| x.x > high.x) {
                volume += along_x(&clipped(&corners, 0, high.x, true)).0 * (high.x - low.x);
            }
        }
        volume
    }

    /// The two halves of a cell, or what is left of them; the cell itself where no cut helps.
    fn cut(&self, cell: &Cell) -> Vec<Cell> {
        let mut best: Option<(f64, usize, f64)> = None;
        for axis in 0..3 {
            for at in self.places(cell, axis) {
                let volume = |(low, high, patches): &(Vec3, Vec3, Vec<Patch>)| {
                    // What cannot be made a piece is no way to cut.
                    Convex::hull(&self.points(low, high, patches), 0, 0).map_or(f64::INFINITY, |h| hull_volume(&h))
                };
                let sum: f64 = self.halves(cell, axis, at).iter().map(volume).sum();
                if best.is_none_or(|(least, _, _)| sum < least) {
                    best = Some((sum, axis, at));
                }
            }
        }
        let old = hull_volume(&cell.hull);
        let extent = extent(&cell.patches, &cell.low, &cell.high);
        let longest = (extent.1 - extent.0).imax();
        let (axis, at) = match best {
            Some((sum, axis, at)) if sum < old * (1.0 - NOTHING) => (axis, at),
            // Nothing is gained at once: closer to it by half.
            Some(_) | None => (longest, 0.5 * (extent.0[longest] + extent.1[longest])),
        };
        let halves = self.halves(cell, axis, at);
        halves.into_iter().filter_map(|(low, high, patches)| self.cell(low, high, patches)).collect()
    }

    fn halves(&self, cell: &Cell, axis: usize, at: f64) -> [(Vec3, Vec3, Vec<Patch>); 2] {
        let (mut middle_low, mut middle_high) = (cell.low, cell.high);
        (middle_high[axis], middle_low[axis]) = (at, at);
        let side = |above: bool| -> Vec<Patch> {
            let clip = |patch: &Patch| patch.on_side(axis, at, above, SNAP * self.diagonal());
            cell.patches.iter().filter_map(clip).collect()
        };
        [(cell.low, middle_high, side(false)), (middle_low, cell.high, side(true))]
    }

    /// Where to cut along an axis: evenly, and at some corners of the surface, where edges of machined parts are.
    fn places(&self, cell: &Cell, axis: usize) -> Vec<f64> {
        let (low, high) = extent(&cell.patches, &cell.low, &cell.high);
        let width = high[axis] - low[axis];
        let mut places: Vec<f64> = (1..=CUTS).map(|k| low[axis] + width * k as f64 / (CUTS + 1) as f64).collect();
        let mut corners: Vec<f64> =
            cell.patches.iter().flat_map(|patch| patch.corners.iter().map(|x| x[axis])).collect();
        corners.sort_by(f64::total_cmp);
        corners.dedup_by(|a, b| (*a - *b).abs() <= APART * width);
        let step = corners.len().div_ceil(CORNERS).max(1);
        places.extend(corners.into_iter().step_by(step));
        let slack = APART * width;
        places.retain(|&at| at > low[axis] + slack && at < high[axis] - slack);
        places
    }

    /// Greatest distance of the faces of a hull outside of the surface: branch and bound on triangles, because distances
    /// change no faster than places.
    fn distance(&self, hull: &Convex) -> f64 {
        let mut open: Vec<Triangle> = Vec::new();
        for face in &hull.faces {
            let x: Vec<Vec3> = face.nodes.iter().map(|&n| hull.vertices[n as usize]).collect();
            open.extend((2..x.len()).map(|i| [x[0], x[i - 1], x[i]]));
        }
        let (mut least, mut most, fine) = (0.0_f64, 0.0_f64, FINE * self.diagonal());
        while let Some(t) = open.pop() {
            let center = (t[0] + t[1] + t[2]) / 3.0;
            let radius = t.iter().map(|x| (x - center).norm()).fold(0.0, f64::max);
            let near = self.shell.distance(&center);
            let slack = fine.max(RELATIVE * least);
            if near + radius <= least + slack {
                most = most.max((near + radius).min(least + slack));
                continue;
            }
            let inside = self.shell.holds(&center);
            if inside && near >= radius {
                continue;
            }
            let here = if inside { 0.0 } else { near };
            least = least.max(here);
            if here + radius <= least + fine.max(RELATIVE * least) {
                most = most.max(here + radius);
                continue;
            }
            let [ab, bc, ca] = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| 0.5 * (t[i] + t[j]));
            open.extend([[t[0], ab, ca], [ab, t[1], bc], [ca, bc, t[2]], [ab, bc, ca]]);
        }
        most.max(least)
    }
}

/// The box of what a box holds of the surface.
fn extent(patches: &[Patch], low: &Vec3, high: &Vec3) -> (Vec3, Vec3) {
    let all = || patches.iter().flat_map(|patch| &patch.corners);
    match all().next() {
        None => (*low, *high),
        Some(first) => all().fold((*first, *first), |(low, high), x| (low.inf(x), high.sup(x))),
    }
}

fn hull_volume(hull: &Convex) -> f64 {
    Geometry::from(hull.clone()).integrals().volume
}

/// The part of a polygon above or below a plane across an axis (Sutherland and Hodgman 1974).
fn clipped(corners: &[Vec3], axis: usize, at: f64, above: bool) -> Vec<Vec3> {
    let height = |x: &Vec3| if above { x[axis] - at } else { at - x[axis] };
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, a) in corners.iter().enumerate() {
        let b = &corners[(i + 1) % corners.len()];
        let (ha, hb) = (height(a), height(b));
        if ha >= 0.0 {
            kept.push(*a);
        }
        if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
            let mut x = a + (b - a) * (ha / (ha - hb));
            x[axis] = at;
            kept.push(x);
        }
    }
    kept
}

/// Area of a polygon seen along x, with its sign, and x of its centre.
fn along_x(corners: &[Vec3]) -> (f64, f64) {
    let (mut area, mut moment, mut size) = (0.0, 0.0, 0.0);
    for i in 2..corners.len() {
        let (a, b, c) = (corners[0], corners[i - 1], corners[i]);
        let part = 0.5 * (b - a).cross(&(c - a)).x;
        area += part;
        moment += part * (a.x + b.x + c.x) / 3.0;
        size += part.abs();
    }
    let plain = corners.first().map_or(0.0, |x| x.x);
    (area, if size > 0.0 && area != 0.0 { moment / area } else { plain })
}

/// Surface ids of the faces of a hull: of the patches in its plane, the id with the greatest area; of faces of cuts and
/// over hollows, the id with the greatest area of the piece.
fn name_faces(hull: &mut Convex, patches: &[Patch], tolerance: f64) {
    let mut areas: std::collections::BTreeMap<i32, f64> = std::collections::BTreeMap::new();
    let weighed: Vec<(f64, &Patch)> = patches.iter().map(|p| (area_vector(&p.corners).norm(), p)).collect();
    weighed.iter().for_each(|(area, patch)| *areas.entry(patch.surfid).or_default() += area);
    let most = |areas: &std::collections::BTreeMap<i32, f64>| {
        areas.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(id, _)| *id)
    };
    let plain = most(&areas).unwrap_or(0);
    if areas.len() < 2 {
        hull.faces.iter_mut().for_each(|face| face.surfid = plain);
        return;
    }
    for face in &mut hull.faces {
        let x: Vec<Vec3> = face.nodes.iter().map(|&n| hull.vertices[n as usize]).collect();
        let normal = area_vector(&x).normalize();
        let mut within: std::collections::BTreeMap<i32, f64> = std::collections::BTreeMap::new();
        for (area, patch) in &weighed {
            if patch.corners.iter().all(|y| (y - x[0]).dot(&normal).abs() <= tolerance) {
                *within.entry(patch.surfid).or_default() += area;
            }
        }
        face.surfid = most(&within).unwrap_or(plain);
    }
}

fn area_vector(corners: &[Vec3]) -> Vec3 {
    (2..corners.len()).map(|i| 0.5 * (corners[i - 1] - corners[0]).cross(&(corners[i] - corners[0]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshdata::{compact, extract, seen_faces, weld};
    use crate::shape::{Mesh, Pipe};

    const BOUNDS: Bounds = Bounds { volume: 0.02, distance: 1.0, pieces: 64 };

    fn surface(mesh: &RawMesh) -> RawMesh {
        let mut surface = RawMesh { faces: seen_faces(mesh), nodes: mesh.nodes.clone(), ..RawMesh::default() };
        compact(&mut surface);
        surface
    }

    /// Three quarters of a 2 × 2 × 1 block.
    fn corner_piece() -> RawMesh {
        let corners = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0, 0, 1], [2, 0, 1], [2, 2, 1], [0, 2, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let block = RawMesh::from(&Mesh::hex(&corners, [2, 2, 1], 4, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap());
        surface(&extract(&block, |e, _| e != 3, |_, _, _| true).0)
    }

    fn disjoint(pieces: &[Convex]) {
        let bounds = |c: &Convex| {
            let first = c.vertices[0];
            c.vertices.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)))
        };
        for (i, a) in pieces.iter().enumerate() {
            for b in &pieces[..i] {
                let ((la, ha), (lb, hb)) = (bounds(a), bounds(b));
                let overlap = ha.inf(&hb) - la.sup(&lb);
                assert!(overlap.min() <= 1e-12, "{overlap}");
            }
        }
    }

    /// An angle is two boxes exactly: no volume too much, mass and inertia of the solid.
    #[test]
    fn an_angle_becomes_two_boxes() {
        let pieces = decompose(&corner_piece(), &BOUNDS).unwrap();
        assert_eq!(pieces.convex.len(), 2);
        assert!((pieces.together.volume - 3.0).abs() < 1e-12 && (pieces.solid.volume - 3.0).abs() < 1e-12);
        assert!((pieces.together.center - pieces.solid.center).norm() < 1e-12);
        assert!((pieces.together.euler - pieces.solid.euler).norm() < 1e-12);
        assert!(pieces.within && pieces.distance < 0.02, "{}", pieces.distance);
        disjoint(&pieces.convex);
        let ids = |c: &Convex| c.faces.iter().map(|face| face.surfid).collect::<Vec<i32>>();
        assert!(pieces.convex.iter().all(|c| ids(c).contains(&1) && ids(c).contains(&6)));
    }

    #[test]
    fn a_convex_surface_stays_one_piece() {
        let cube = surface(&extract(&corner_piece_block(), |_, _| true, |_, _, _| true).0);
        let pieces = decompose(&cube, &BOUNDS).unwrap();
        assert_eq!((pieces.convex.len(), pieces.convex[0].faces.len()), (1, 6));
    }

    fn corner_piece_block() -> RawMesh {
        let corners: [Vec3; 8] = std::array::from_fn(|k| {
            Vec3::new(
                f64::from(k as u8 % 4 == 1 || k as u8 % 4 == 2),
                f64::from(k as u8 % 4 > 1),
                f64::from(k as u8 > 3),
            )
        });
        RawMesh::from(&Mesh::hex(&corners, [1, 1, 1], 4, &[1; 6], [None; 3]).unwrap())
    }

    /// A ring needs many pieces; each bound is kept, or the report says that it is not.
    #[test]
    fn a_ring_is_approximated_within_its_bounds() {
        let pipe =
            Pipe { point: Vec3::zeros(), direction: Vec3::z(), inner_radius: 0.6, thickness: 0.4, counts: [1, 16, 1] };
        let mut ring = surface(&RawMesh::from(&Mesh::pipe(&pipe, 0, &[1, 2, 3, 4]).unwrap()));
        weld(&mut ring, 1e-12);
        let bounds = Bounds { volume: 0.1, distance: 0.2, pieces: 40 };
        let pieces = decompose(&ring, &bounds).unwrap();
        let excess = pieces.together.volume / pieces.solid.volume - 1.0;
        assert!(
            pieces.within && excess <= 0.1 && excess > -1e-9 && pieces.distance <= 0.2,
            "{excess} {}",
            pieces.distance
        );
        assert!((pieces.together.center - pieces.solid.center).norm() < 0.02);
        disjoint(&pieces.convex);
        let few = decompose(&ring, &Bounds { pieces: 2, ..bounds }).unwrap();
        assert!(!few.within && few.convex.len() <= 2);
    }

    #[test]
    fn an_open_surface_is_refused() {
        let mut open = corner_piece();
        open.faces.pop();
        let error = decompose(&open, &BOUNDS).unwrap_err().to_string();
        assert!(error.contains("the surface is not closed"), "{error}");
    }

    #[test]
    fn the_volume_in_a_box_is_exact() {
        let work = Work::new(&corner_piece(), 3.0);
        let volume = |low: [f64; 3], high: [f64; 3]| work.volume_in(&Vec3::from(low), &Vec3::from(high));
        assert!((volume([-1.0; 3], [3.0; 3]) - 3.0).abs() < 1e-14);
        assert!((volume([0.5, 0.5, 0.25], [1.5, 1.5, 0.75]) - 0.375).abs() < 1e-14);
        assert!(volume([1.1, 1.1, 0.1], [1.9, 1.9, 0.9]).abs() < 1e-14);
        // boxes that end at faces of the solid
        assert!((volume([0.5, 1.0, 0.0], [1.0, 2.0, 1.0]) - 0.5).abs() < 1e-14);
        assert!((volume([0.0, 0.0, 0.0], [2.0, 1.0, 1.0]) - 2.0).abs() < 1e-14);
    }
}

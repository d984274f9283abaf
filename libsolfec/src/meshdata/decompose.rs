//! A closed surface as convex polyhedra that do not overlap.
//!
//! Space is cut into convex cells by planes, and each piece is the convex hull of what a cell holds of the solid: pieces
//! lie in different cells, so their interiors are disjoint by construction. The hull of solid and cell needs no Boolean
//! operations: its vertices are corners of the triangles clipped to the cell, and corners of the cell that lie in the
//! solid. Pieces cover the solid; what they have too much is the sum of the volumes of hulls minus that of the solid,
//! which is known exactly for each cell (divergence theorem in one direction). The cell with the greatest excess is cut
//! next, where the volumes of the two hulls are least together, until the bounds hold. [`cuts`](super::cuts) proposes the
//! planes, in three ways; the best result is taken.

use rayon::prelude::*;

use super::cell::{clipped, Cell, Cut};
use super::cuts::{Planes, Proposals};
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

/// The box around all is larger than the surface by this part of its diagonal.
const MARGIN: f64 = 1e-3;
/// Solids in a cell under this part of the whole are round-off.
const NOTHING: f64 = 1e-9;
/// Corners no farther from a cut than this part of the diagonal lie in it.
const SNAP: f64 = 1e-9;
/// Excess under this part of the whole is round-off: the piece is what the cell holds.
const EXACT: f64 = 1e-9;
/// Distances are found to this part of the diagonal, or of the distance itself if that is larger.
const FINE: f64 = 0.01;
const RELATIVE: f64 = 0.2;
/// Cuts whose hulls have the same volume but for this part are equal: the one with the smaller greater half is taken.
const EQUAL: f64 = 1e-6;
/// Patches no farther from the plane of a face than this part of the diagonal lie in it.
const FLAT: f64 = 1e-6;

/// A polygon of the surface clipped to a cell.
#[derive(Debug, Clone)]
struct Patch {
    corners: Vec<Vec3>,
    surfid: i32,
}

impl Patch {
    /// What lies below a plane. A patch in the plane belongs to the side where the solid is, one that only touches it to
    /// the other side.
    fn below(&self, cut: &Cut, snap: f64) -> Option<Patch> {
        let mut corners = self.corners.clone();
        let mut inside = 0;
        for x in &mut corners {
            let height = cut.above(x);
            if height.abs() <= snap {
                *x -= cut.normal * height;
                inside += 1;
            }
        }
        if inside == corners.len() {
            let solid_below = area_vector(&self.corners).dot(&cut.normal) > 0.0;
            return solid_below.then_some(Patch { corners, surfid: self.surfid });
        }
        if !corners.iter().any(|x| cut.above(x) < -snap) {
            return None;
        }
        let corners = clipped(&corners, cut, snap);
        (corners.len() > 2).then_some(Patch { corners, surfid: self.surfid })
    }
}

/// A cell with what it holds of the surface.
struct Part {
    cell: Cell,
    patches: Vec<Patch>,
    hull: Convex,
    /// Volume of the hull beyond that of the solid in the cell.
    excess: f64,
    distance: Option<f64>,
    /// Whether no plane cuts it.
    whole: bool,
}

/// Convex pieces of the solid inside of a closed surface, in the order of their places.
///
/// # Errors
/// The surface is not closed, or not seen from outside; bounds that are not positive.
pub fn decompose(surface: &RawMesh, bounds: &Bounds) -> Result<Pieces> {
    if !(bounds.volume > 0.0 && bounds.distance > 0.0 && bounds.pieces > 0) {
        return Err(Error::input("bounds of pieces must be positive: volume, distance and number"));
    }
    let solid = sound_surface(surface)?;
    let work = Work::new(surface, solid.volume);
    let mut best = work.pieces(bounds, &solid, Proposals::All);
    for proposals in [Proposals::Hollows, Proposals::Axes] {
        let other = work.pieces(bounds, &solid, proposals);
        let rank = |p: &Pieces| (!p.within, p.convex.len());
        let better = rank(&other).cmp(&rank(&best)).then(other.together.volume.total_cmp(&best.together.volume));
        if better.is_lt() {
            best = other;
        }
    }
    Ok(best)
}

fn finish(parts: Vec<Part>, solid: Integrals, distance: f64, within: bool) -> Pieces {
    let convex: Vec<Convex> = parts.into_iter().map(|part| part.hull).collect();
    let each: Vec<Integrals> = convex.iter().map(|c| Geometry::from(c.clone()).integrals()).collect();
    Pieces { convex, solid, together: Integrals::together(&each), distance, within }
}

struct Work {
    shell: Shell,
    patches: Vec<Patch>,
    planes: Planes,
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
        let planes = Planes::new(surface, (high - low).norm());
        Work { shell: Shell::new(all), patches, planes, volume, low, high }
    }

    fn diagonal(&self) -> f64 {
        (self.high - self.low).norm()
    }

    /// Cuts until the bounds hold.
    fn pieces(&self, bounds: &Bounds, solid: &Integrals, proposals: Proposals) -> Pieces {
        let margin = Vec3::repeat(MARGIN * self.diagonal());
        let first = Cell::boxed(&(self.low - margin), &(self.high + margin));
        let mut parts: Vec<Part> = self.part(first, self.patches.clone()).into_iter().collect();
        loop {
            let excess: f64 = parts.iter().map(|part| part.excess).sum();
            let small = excess <= bounds.volume * solid.volume;
            if small || parts.len() >= bounds.pieces || parts.iter().all(|part| part.whole) {
                parts.iter_mut().for_each(|part| self.measure(part));
            }
            let far = |part: &Part| part.distance.unwrap_or(0.0);
            let distance = parts.iter().map(far).fold(0.0, f64::max);
            let of = |part: &Part| if small { far(part) } else { part.excess };
            let open = (0..parts.len()).filter(|&i| !parts[i].whole && parts.len() < bounds.pieces);
            let chosen = open.max_by(|&a, &b| of(&parts[a]).total_cmp(&of(&parts[b])));
            let Some(chosen) = chosen.filter(|_| !small || distance > bounds.distance) else {
                return finish(parts, *solid, distance, small && distance <= bounds.distance);
            };
            match self.cut(&parts[chosen], proposals) {
                Some(halves) => drop(parts.splice(chosen..=chosen, halves)),
                None => parts[chosen].whole = true,
            }
        }
    }

    fn measure(&self, part: &mut Part) {
        if part.distance.is_none() {
            let exact = part.excess <= EXACT * self.volume;
            part.distance = Some(if exact { 0.0 } else { self.distance(&part.hull) });
        }
    }

    /// The piece of a cell, given what the cell holds of the surface; `None` if it holds nothing of the solid.
    fn part(&self, cell: Cell, patches: Vec<Patch>) -> Option<Part> {
        let volume = self.volume_in(&cell);
        if volume <= NOTHING * self.volume {
            return None;
        }
        let mut hull = Convex::hull(&self.points(&cell, &patches), 0, 0).ok()?;
        name_faces(&mut hull, &patches, FLAT * self.diagonal());
        let excess = (hull_volume(&hull) - volume).max(0.0);
        Some(Part { cell, patches, hull, excess, distance: None, whole: false })
    }

    /// Points of which the hull of solid and cell is made.
    fn points(&self, cell: &Cell, patches: &[Patch]) -> Vec<Vec3> {
        let mut corners: Vec<Vec3> = cell.corners().copied().collect();
        corners.sort_by(|a, b| a.iter().partial_cmp(b.iter()).unwrap_or(std::cmp::Ordering::Equal));
        corners.dedup();
        let inside = corners.into_iter().filter(|x| self.shell.holds(x));
        patches.iter().flat_map(|patch| patch.corners.iter().copied()).chain(inside).collect()
    }

    /// Volume of the solid in a cell.
    fn volume_in(&self, cell: &Cell) -> f64 {
        self.shell.triangles().iter().map(|triangle| cell.behind(triangle)).sum()
    }

    /// The two halves of a part; `None` where no cut divides it.
    fn cut(&self, part: &Part, proposals: Proposals) -> Option<[Part; 2]> {
        let corners: Vec<Vec3> = part.patches.iter().flat_map(|patch| patch.corners.iter().copied()).collect();
        let planes = self.planes.of(&corners, |x| part.cell.holds(x), proposals);
        let volume = |(cell, patches): &(Cell, Vec<Patch>)| {
            // What cannot be made a piece is no way to cut.
            Convex::hull(&self.points(cell, patches), 0, 0).map_or(f64::INFINITY, |h| hull_volume(&h))
        };
        let tried: Vec<[f64; 2]> =
            planes.par_iter().map(|plane| self.halves(part, plane).map(|half| volume(&half))).collect();
        let sum = |halves: &[f64; 2]| halves[0] + halves[1];
        let least = tried.iter().map(sum).fold(f64::INFINITY, f64::min);
        let mut best: Vec<usize> = (0..tried.len()).filter(|&i| sum(&tried[i]) <= least * (1.0 + EQUAL)).collect();
        best.retain(|_| least.is_finite());
        best.sort_by(|&a, &b| tried[a][0].max(tried[a][1]).total_cmp(&tried[b][0].max(tried[b][1])));
        best.into_iter().find_map(|i| {
            let [below, above] = self.halves(part, &planes[i]).map(|(cell, patches)| self.part(cell, patches));
            Some([below?, above?])
        })
    }

    /// The cells below and above a plane, with what they hold of the surface.
    fn halves(&self, part: &Part, plane: &Cut) -> [(Cell, Vec<Patch>); 2] {
        let snap = SNAP * self.diagonal();
        [*plane, plane.flipped()].map(|plane| {
            let patches = part.patches.iter().filter_map(|patch| patch.below(&plane, snap)).collect();
            (part.cell.below(&plane, snap), patches)
        })
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

fn hull_volume(hull: &Convex) -> f64 {
    Geometry::from(hull.clone()).integrals().volume
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
    use crate::meshdata::{compact, extract, move_nodes, seen_faces, weld};
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

    /// What two pieces have in common has no volume: of one, what lies below all faces of the other.
    fn disjoint(pieces: &[Convex]) {
        let loops = |c: &Convex| -> Vec<Vec<Vec3>> {
            c.faces.iter().map(|face| face.nodes.iter().map(|&n| c.vertices[n as usize]).collect()).collect()
        };
        for (i, a) in pieces.iter().enumerate() {
            for b in &pieces[..i] {
                let mut common = Cell { faces: loops(a) };
                for face in loops(b) {
                    let plane = Cut::through(&face[0], &area_vector(&face)).unwrap();
                    common = common.below(&plane, 1e-12);
                }
                assert!(common.volume() <= 1e-9 * a.vertices.len() as f64, "{}", common.volume());
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
        assert!(pieces.within && excess <= 0.1 && excess > -1e-9 && pieces.distance <= 0.2, "{excess}");
        // Sectors of two chords: between the chord of 45° and those of 22.5°, r² (sin 22.5° − sin 45° / 2) each.
        let sectors = 8.0 * 0.36 * ((std::f64::consts::PI / 8.0).sin() - 0.125_f64.sqrt());
        assert_eq!(pieces.convex.len(), 8);
        assert!((excess * pieces.solid.volume - sectors).abs() < 1e-9, "{excess}");
        assert!((pieces.together.center - pieces.solid.center).norm() < 0.02);
        disjoint(&pieces.convex);
        let few = decompose(&ring, &Bounds { pieces: 2, ..bounds }).unwrap();
        assert!(!few.within && few.convex.len() <= 2);
    }

    /// Turned against the axes the angle is two pieces all the same: planes go along its faces.
    #[test]
    fn a_turned_angle_becomes_two_pieces() {
        let mut angle = corner_piece();
        let turn = crate::shape::rotation_about(&Vec3::new(1.0, 2.0, 0.5), 33.0).unwrap();
        move_nodes(&mut angle, |x| turn * x, false);
        let pieces = decompose(&angle, &BOUNDS).unwrap();
        assert_eq!(pieces.convex.len(), 2);
        assert!((pieces.together.volume - 3.0).abs() < 1e-9, "{}", pieces.together.volume);
        assert!((pieces.together.center - pieces.solid.center).norm() < 1e-9);
        disjoint(&pieces.convex);
    }

    /// A hinge: a plate with a knuckle of half a tube at its end, as a profile of length 3.
    #[test]
    fn a_hinge_has_few_pieces() {
        let arc = |r: f64, k: i32| {
            let angle = f64::from(k) * std::f64::consts::PI / 8.0;
            Vec3::new(r * angle.cos(), r * angle.sin(), 0.0)
        };
        let plate = [[-4.0, 0.0], [-1.0, 0.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let inner = (1..8).map(|k| arc(0.6, 8 - k));
        let mut profile: Vec<Vec3> = vec![plate[0], Vec3::new(-0.6, 0.0, 0.0)];
        profile.extend(inner);
        profile.push(arc(0.6, 0));
        profile.extend((0..8).map(|k| arc(1.0, k)));
        profile.extend([Vec3::new(-1.0, 0.4, 0.0), Vec3::new(-4.0, 0.4, 0.0)]);
        let n = profile.len() as u32;
        let nodes: Vec<Vec3> = profile.iter().copied().chain(profile.iter().map(|x| x + Vec3::z() * 3.0)).collect();
        let mut faces = vec![((0..n).rev().collect::<Vec<u32>>(), 1), ((n..2 * n).collect(), 2)];
        faces.extend((0..n).map(|k| (vec![k, (k + 1) % n, (k + 1) % n + n, k + n], 3)));
        let hinge = RawMesh { nodes, faces, ..RawMesh::default() };
        let bounds = Bounds { volume: 0.03, distance: 0.1, pieces: 64 };
        let pieces = decompose(&hinge, &bounds).unwrap();
        let excess = pieces.together.volume / pieces.solid.volume - 1.0;
        assert!(pieces.within && excess <= 0.03, "{excess}");
        assert!(pieces.convex.len() <= 8, "{}", pieces.convex.len());
        disjoint(&pieces.convex);
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
        let volume = |low: [f64; 3], high: [f64; 3]| work.volume_in(&Cell::boxed(&Vec3::from(low), &Vec3::from(high)));
        assert!((volume([-1.0; 3], [3.0; 3]) - 3.0).abs() < 1e-14);
        assert!((volume([0.5, 0.5, 0.25], [1.5, 1.5, 0.75]) - 0.375).abs() < 1e-14);
        assert!(volume([1.1, 1.1, 0.1], [1.9, 1.9, 0.9]).abs() < 1e-14);
        // boxes that end at faces of the solid
        assert!((volume([0.5, 1.0, 0.0], [1.0, 2.0, 1.0]) - 0.5).abs() < 1e-14);
        assert!((volume([0.0, 0.0, 0.0], [2.0, 1.0, 1.0]) - 2.0).abs() < 1e-14);
    }
}

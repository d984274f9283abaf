//! A pair of solids in its own frame: vertices about the centre of the common box, face planes, and how far each
//! face plane separates the other solid.

use super::extent::{bounds, greater, lesser, sum, top};
use super::polygon::polygon_distance;
use super::GeometryError;
use crate::contact::ManifoldPoint;
use crate::math::Vec3;
use crate::shape::{farthest, SolidView};

/// Round-off of a coordinate after a motion, in units of its magnitude (a few operations, each half an ulp).
const ROUNDOFF: f64 = 64.0 * f64::EPSILON;
/// Distances below this part of the pair's diagonal can count as zero when epsilon allows it.
const SAME: f64 = 1e-4;

/// Solids with more faces are looked at only where they are near each other.
pub(super) const FEW: usize = 16;

/// Buffers of the narrow phase; they keep their capacity, nothing else survives a call.
#[derive(Debug, Default)]
pub struct Workspace {
    places: [Place; 2],
    scratch: Scratch,
}

impl Workspace {
    pub(super) fn split(&mut self) -> (&mut [Place; 2], &mut Scratch) {
        (&mut self.places, &mut self.scratch)
    }
}

/// Columns x, y, z of four points: what the processor takes at a time.
pub(super) type Four = [[f64; 4]; 3];

#[derive(Debug, Default)]
pub(super) struct Place {
    vertices: Vec<Vec3>,
    /// The vertices again, the last one repeated to fill up.
    fours: Vec<Four>,
    offset: Vec<f64>,
    separation: Vec<f64>,
}

/// Polygon buffers of clipping.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub polygon: Vec<Vec3>,
    pub spare: Vec<Vec3>,
    /// All vertices of the contact polygon or of the overlap.
    pub points: Vec<Vec3>,
    pub facets: Vec<Facet>,
    /// Normals of the master's faces.
    pub normals: Vec<Four>,
    /// Heights of the vertices of one solid over a plane of the other.
    pub heights: Vec<f64>,
    /// For each face of that solid: does it come near the overlap.
    pub near: Vec<bool>,
    /// For each master face: does it coincide with a slave face.
    pub covered: Vec<bool>,
    /// The faces that can cut the other solid's within the overlap.
    pub cutting: Vec<usize>,
}

/// A facet of the overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Outward of the overlap.
    pub normal: Vec3,
    pub area: f64,
    pub face: usize,
    /// Which solid's surface it belongs to.
    pub owner: Owner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Slave,
    Master,
    /// Inner faces, and coinciding skins of both: no part in the normal.
    Neither,
}

/// One solid of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand<'a> {
    pub view: &'a SolidView<'a>,
    /// In the frame of the pair.
    pub vertices: &'a [Vec3],
    /// Face planes are `normal · x = offset`.
    pub offset: &'a [f64],
    /// Least height of the other solid over each face plane; positive: the plane separates. Far below the greatest one,
    /// an upper bound that is far below it too.
    pub separation: &'a [f64],
}

impl Operand<'_> {
    pub fn faces(&self) -> usize {
        self.offset.len()
    }

    pub fn normal(&self, face: usize) -> &Vec3 {
        &self.view.normals[face]
    }

    pub fn is_skin(&self, face: usize) -> bool {
        face < self.view.topology.skin
    }

    pub fn loop_of(&self, face: usize) -> impl Iterator<Item = &Vec3> + Clone {
        self.view.topology.face(face).iter().map(|&v| &self.vertices[v as usize])
    }

    /// Height of `x` over the plane of `face`.
    pub fn height(&self, face: usize, x: &Vec3) -> f64 {
        self.normal(face).dot(x) - self.offset[face]
    }

    /// Surface id of the skin face whose polygon is nearest to `x`, a point of the solid to within epsilon; ties go to
    /// the lowest face number.
    pub fn nearest_surface(&self, x: &Vec3, tie: f64) -> i32 {
        let skin = self.view.topology.skin;
        let (mut face, mut least, mut inner) = (0, f64::INFINITY, f64::INFINITY);
        for f in 0..self.faces() {
            let h = self.height(f, x).abs();
            if f >= skin {
                inner = lesser(inner, h);
            } else if h < least - tie {
                (face, least) = (f, h);
            }
        }
        // In a convex solid the nearest plane is that of the nearest face; only if that is inside the mesh, look on.
        if inner < least - tie {
            least = f64::INFINITY;
            for f in 0..skin {
                let d = polygon_distance(x, self.loop_of(f), self.normal(f), self.offset[f]);
                if d < least - tie {
                    (face, least) = (f, d);
                }
            }
        }
        self.view.topology.surfid.get(face).copied().unwrap_or(0)
    }

    /// Surface id of `face`, or of the skin face nearest to `x` when `face` lies inside a mesh.
    pub fn surface(&self, face: usize, x: &Vec3, tie: f64) -> i32 {
        if self.is_skin(face) {
            self.view.topology.surfid[face]
        } else {
            self.nearest_surface(x, tie)
        }
    }
}

/// A face plane as a separating axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub of_slave: bool,
    pub face: usize,
    pub separation: f64,
}

/// Two solids that no face plane separates by more than epsilon.
#[derive(Debug)]
pub(super) struct Pair<'a> {
    pub slave: Operand<'a>,
    pub master: Operand<'a>,
    /// Touch or not: epsilon, at least the round-off.
    pub eps: f64,
    /// Coinciding or not: epsilon, but a small part of the pair.
    pub same: f64,
    /// Bound of round-off.
    pub tiny: f64,
    center: Vec3,
    /// From the middle of the slave's vertices to that of the master's.
    toward: Vec3,
}

impl<'a> Pair<'a> {
    /// None when boxes or a face plane of one solid prove a distance above epsilon.
    pub fn place(
        slave: &'a SolidView,
        master: &'a SolidView,
        epsilon: f64,
        places: &'a mut [Place; 2],
    ) -> Result<Option<Self>, GeometryError> {
        let (slow, shigh) = bounds(slave.vertices);
        let (mlow, mhigh) = bounds(master.vertices);
        let (low, high) = (slow.inf(&mlow), shigh.sup(&mhigh));
        let center = 0.5 * (low + high);
        let size = (high - low).norm();
        let tiny = round_off(size, &center);
        let eps = epsilon.max(tiny);
        // A sum of all coordinates sees every NaN; minima and maxima do not.
        let (ssum, msum) = (sum(slave.vertices), sum(master.vertices));
        if !((ssum + msum).sum() + size).is_finite() {
            return Err(GeometryError::NotFinite);
        }
        let apart = |k: usize| slow[k].max(mlow[k]) > shigh[k].min(mhigh[k]) + eps;
        if (0..3).any(apart) {
            return Ok(None);
        }
        let [s, m] = places;
        s.set(slave, &center);
        m.set(master, &center);
        let same = coincidence(eps, size).max(tiny);
        let toward = msum / master.vertices.len() as f64 - ssum / slave.vertices.len() as f64;
        let far = |solid: &SolidView| eps + same + solid.normals.len() as f64 * tiny;
        if !(separate(slave, s, m, &toward, eps, far(slave)) && separate(master, m, s, &-toward, eps, far(master))) {
            return Ok(None);
        }
        Ok(Some(Pair { slave: s.part(slave), master: m.part(master), eps, same, tiny, center, toward }))
    }

    /// Greatest separation of all face planes.
    pub fn deepest(&self) -> f64 {
        let greatest = |p: &Operand| p.separation.iter().copied().fold(f64::NEG_INFINITY, greater);
        greatest(&self.slave).max(greatest(&self.master))
    }

    /// The face plane of greatest separation, among skin faces or among all. Ties go to the direction in which the
    /// master's centre lies, so that swapping the solids reverses it.
    pub fn axis(&self, skin_only: bool) -> Option<Axis> {
        let mut best: Option<(Axis, f64)> = None;
        for (of_slave, part, sign) in [(true, &self.slave, 1.0), (false, &self.master, -1.0)] {
            let count = if skin_only { part.view.topology.skin } else { part.faces() };
            for face in 0..count {
                let separation = part.separation[face];
                if best.is_some_and(|(b, _)| separation < b.separation - self.tiny) {
                    continue;
                }
                let along = sign * part.normal(face).dot(&self.toward);
                let better = best.is_none_or(|(b, a)| separation > b.separation + self.tiny || along > a + self.tiny);
                if better {
                    best = Some((Axis { of_slave, face, separation }, along));
                }
            }
        }
        best.map(|(axis, _)| axis)
    }

    /// Unit vector of the axis, from slave to master.
    pub fn direction(&self, axis: &Axis) -> Vec3 {
        if axis.of_slave {
            *self.slave.normal(axis.face)
        } else {
            -self.master.normal(axis.face)
        }
    }

    pub fn to_space(&self, hit: ManifoldPoint) -> ManifoldPoint {
        ManifoldPoint {
            slave_point: hit.slave_point + self.center,
            master_point: hit.master_point + self.center,
            ..hit
        }
    }
}

impl Place {
    fn set(&mut self, solid: &SolidView, center: &Vec3) {
        self.vertices.clear();
        self.vertices.extend(solid.vertices.iter().map(|v| v - center));
        in_fours(&self.vertices, &mut self.fours);
        self.offset.clear();
        let faces = solid.normals.iter().enumerate();
        self.offset.extend(faces.map(|(f, n)| top(n, solid.topology.face(f), &self.vertices)));
    }

    fn part<'a>(&'a self, view: &'a SolidView) -> Operand<'a> {
        Operand { view, vertices: &self.vertices, offset: &self.offset, separation: &self.separation }
    }
}

/// Fills the separations of `place`; false as soon as one exceeds `eps`. `toward` points to the other solid.
fn separate(solid: &SolidView, place: &mut Place, other: &Place, toward: &Vec3, eps: f64, far: f64) -> bool {
    place.separation.clear();
    if solid.normals.len() > FEW {
        return separate_many(solid, place, other, toward, eps, far);
    }
    for (n, offset) in solid.normals.iter().zip(&place.offset) {
        let s = lowest_of_fours(n, &other.fours) - offset;
        if s > eps {
            return false;
        }
        place.separation.push(s);
    }
    true
}

/// The same for many faces: that of a face that is less than the greatest of a skin face by more than `far` is an upper
/// bound, from the vertex that is lowest over the best face.
fn separate_many(solid: &SolidView, place: &mut Place, other: &Place, toward: &Vec3, eps: f64, far: f64) -> bool {
    let Place { offset, separation, .. } = place;
    let along = |f: usize| toward.dot(&solid.normals[f]);
    let facing = (1..solid.topology.skin).fold(0, |best, f| if along(f) > along(best) { f } else { best });
    let exact = |f: usize| lowest_of_fours(&solid.normals[f], &other.fours) - offset[f];
    let mut best = if solid.topology.skin > 0 { exact(facing) } else { f64::NEG_INFINITY };
    if best > eps {
        return false;
    }
    let mut tip = farthest(&other.vertices, &-solid.normals[facing]);
    for (f, n) in solid.normals.iter().enumerate() {
        let bound = n.dot(&tip) - offset[f];
        if bound < best - far {
            separation.push(bound);
            continue;
        }
        let s = exact(f);
        if s > eps {
            return false;
        }
        if s > best && f < solid.topology.skin {
            best = s;
            tip = farthest(&other.vertices, &-n);
        }
        separation.push(s);
    }
    true
}

/// Bound of the round-off of coordinates after a motion, for things of this size about this centre.
pub(in super::super) fn round_off(size: f64, center: &Vec3) -> f64 {
    ROUNDOFF * (size + center.amax())
}

/// Distance within which planes and points of a pair of this size coincide: epsilon, but a small part of the pair.
pub(super) fn coincidence(epsilon: f64, size: f64) -> f64 {
    epsilon.min(SAME * size)
}

/// Points by columns of four, the last one repeated to fill up.
pub(super) fn in_fours(points: &[Vec3], fours: &mut Vec<Four>) {
    fours.clear();
    fours.extend(points.chunks(4).map(in_columns));
}

/// Up to four points by columns.
fn in_columns(points: &[Vec3]) -> Four {
    let padded = |k: usize| points[k.min(points.len() - 1)];
    let [a, b, c, d] = match *points {
        [a, b, c, d] => [a, b, c, d],
        _ => [padded(0), padded(1), padded(2), padded(3)],
    };
    [[a.x, b.x, c.x, d.x], [a.y, b.y, c.y, d.y], [a.z, b.z, c.z, d.z]]
}

/// Least product of a vector with all points.
pub(super) fn lowest_of_fours(n: &Vec3, points: &[Four]) -> f64 {
    let mut low = [f64::INFINITY; 4];
    for [x, y, z] in points {
        for k in 0..4 {
            low[k] = lesser(low[k], n.x * x[k] + n.y * y[k] + n.z * z[k]);
        }
    }
    lesser(lesser(low[0], low[1]), lesser(low[2], low[3]))
}

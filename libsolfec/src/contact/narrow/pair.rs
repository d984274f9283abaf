//! A pair of solids in its own frame: vertices about the centre of the common box, face planes, and how far each
//! face plane separates the other solid.

use super::extent::{farthest, greater, lesser, most, reach, top};
use super::fours::{self, in_fours, Four};
use super::gjk::{closest, Closest};
use super::polygon::polygon_distance;
use super::GeometryError;
use crate::contact::ManifoldPoint;
use crate::math::Vec3;
use crate::shape::{SolidView, Topology};

/// Round-off of a coordinate after a motion, in units of its magnitude (a few operations, each half an ulp).
const ROUNDOFF: f64 = 64.0 * f64::EPSILON;
/// Distances below this part of the pair's diagonal can count as zero when epsilon allows it.
const SAME: f64 = 1e-4;

/// Solids with more faces are looked at only where they are near each other.
pub(super) const FEW: usize = 16;
/// Fewer vertices are searched faster point by point than by columns of four.
const FEW_VERTICES: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Place {
    vertices: Vec<Vec3>,
    /// The vertices again, the last one repeated to fill up.
    fours: Vec<Four>,
    offset: Vec<f64>,
    separation: Vec<f64>,
}

/// One solid of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand<'a> {
    pub view: &'a SolidView<'a>,
    /// In the frame of the pair.
    pub vertices: &'a [Vec3],
    /// The same.
    pub fours: &'a [Four],
    /// Face planes are `normal · x = offset`; of many faces, these are found when asked for.
    offset: &'a [f64],
    /// Least height of the other solid over each face plane; positive: the plane separates. Far below the greatest one,
    /// an upper bound that is far below it too.
    pub separation: &'a [f64],
}

impl Operand<'_> {
    pub fn faces(&self) -> usize {
        self.view.normals.len()
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

    /// The first of the vertices farthest along `direction`.
    fn farthest(&self, direction: &Vec3) -> usize {
        if self.vertices.len() > FEW_VERTICES {
            fours::farthest(self.fours, direction)
        } else {
            farthest(self.vertices, direction)
        }
    }

    /// The first corner of a face.
    pub fn corner(&self, face: usize) -> &Vec3 {
        let Topology { face_start, face_nodes, .. } = self.view.topology;
        &self.vertices[face_nodes[face_start[face] as usize] as usize]
    }

    #[inline(always)]
    pub fn offset(&self, face: usize) -> f64 {
        match self.offset.get(face) {
            Some(offset) => *offset,
            None => top(self.normal(face), self.view.topology.face(face), self.vertices),
        }
    }

    /// Height of `x` over the plane of `face`.
    pub fn height(&self, face: usize, x: &Vec3) -> f64 {
        self.normal(face).dot(x) - self.offset(face)
    }

    /// Surface id of the skin face whose polygon is nearest to `x`, a point of the solid to within epsilon; ties go to
    /// the lowest face number.
    pub fn nearest_surface(&self, x: &Vec3, tie: f64) -> i32 {
        let Topology { skin, surfid, .. } = self.view.topology;
        if let Some(only) = surfid.first().filter(|first| surfid.iter().all(|id| id == *first)) {
            return *only;
        }
        let skin = *skin;
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
                let d = polygon_distance(x, self.loop_of(f), self.normal(f), self.offset(f));
                if d < least - tie {
                    (face, least) = (f, d);
                }
            }
        }
        surfid.get(face).copied().unwrap_or(0)
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
        let (slow, shigh, ssum) = reach(slave.vertices);
        let (mlow, mhigh, msum) = reach(master.vertices);
        let (low, high) = (slow.inf(&mlow), shigh.sup(&mhigh));
        let center = 0.5 * (low + high);
        let size = (high - low).norm();
        let tiny = round_off(size, &center);
        let eps = epsilon.max(tiny);
        // A sum of all coordinates sees every NaN; minima and maxima do not.
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
        let parts = |facing: Option<Facing>| facing.is_some_and(|f| f.separation > eps);
        let of_slave = Facing::of(slave, s, m, &toward);
        if parts(of_slave) {
            return Ok(None);
        }
        let of_master = Facing::of(master, m, s, &-toward);
        if parts(of_master)
            || !separate(slave, s, m, of_slave, eps, far(slave))
            || !separate(master, m, s, of_master, eps, far(master))
        {
            return Ok(None);
        }
        Ok(Some(Pair { slave: s.part(slave), master: m.part(master), eps, same, tiny, center, toward }))
    }

    /// Greatest separation of all face planes.
    pub fn deepest(&self) -> f64 {
        greater(most(self.slave.separation), most(self.master.separation))
    }

    /// The skin plane of greatest separation. Ties go to the direction in which the master's centre lies, so that
    /// swapping the solids reverses it.
    pub fn axis(&self) -> Option<Axis> {
        let mut best: Option<(Axis, f64)> = None;
        for (of_slave, part, sign) in [(true, &self.slave, 1.0), (false, &self.master, -1.0)] {
            for face in 0..part.view.topology.skin {
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

    /// The closest points of the slave and of the master moved by `shift`; `toward` is a guess of their direction.
    pub fn closest(&self, shift: &Vec3, toward: &Vec3) -> Closest {
        let (a, b) = (&self.slave, &self.master);
        let tips = |d: &Vec3| [a.farthest(d), b.farthest(&-d)];
        closest(a.vertices, b.vertices, tips, shift, toward, self.tiny)
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
    }

    fn offset_of(&self, solid: &SolidView, face: usize) -> f64 {
        top(&solid.normals[face], solid.topology.face(face), &self.vertices)
    }

    fn part<'a>(&'a self, view: &'a SolidView) -> Operand<'a> {
        let Place { vertices, fours, offset, separation } = self;
        Operand { view, vertices, fours, offset, separation }
    }
}

/// Of a solid with many faces, the skin face that looks most toward the other solid.
#[derive(Debug, Clone, Copy)]
struct Facing {
    face: usize,
    /// As [`Operand::separation`]; -∞ if there is no skin face.
    separation: f64,
}

impl Facing {
    /// None of a solid with few faces.
    fn of(solid: &SolidView, place: &Place, other: &Place, toward: &Vec3) -> Option<Facing> {
        if solid.normals.len() <= FEW {
            return None;
        }
        let skin = &solid.normals[..solid.topology.skin];
        let mut facing = Facing { face: 0, separation: f64::NEG_INFINITY };
        if !skin.is_empty() {
            facing.face = farthest(skin, toward);
            let n = &skin[facing.face];
            facing.separation = fours::lowest(n, &other.fours) - place.offset_of(solid, facing.face);
        }
        Some(facing)
    }
}

/// Fills the separations of `place`, and the offsets of few faces; false as soon as a separation exceeds `eps`.
fn separate(solid: &SolidView, place: &mut Place, other: &Place, facing: Option<Facing>, eps: f64, far: f64) -> bool {
    place.separation.clear();
    place.offset.clear();
    if let Some(facing) = facing {
        return separate_many(solid, place, other, facing, eps, far);
    }
    let faces = solid.normals.iter().enumerate();
    place.offset.extend(faces.map(|(f, n)| top(n, solid.topology.face(f), &place.vertices)));
    for (n, offset) in solid.normals.iter().zip(&place.offset) {
        let s = fours::lowest(n, &other.fours) - offset;
        if s > eps {
            return false;
        }
        place.separation.push(s);
    }
    true
}

/// The same of many faces: the separation of a face that is less than the greatest of a skin face by more than `far` is an upper
/// bound, from a corner of the face and the vertex that is lowest over the best face.
fn separate_many(solid: &SolidView, place: &mut Place, other: &Place, facing: Facing, eps: f64, far: f64) -> bool {
    let Topology { face_start, face_nodes, skin, .. } = solid.topology;
    let tip_over = |n: &Vec3| other.vertices[fours::farthest(&other.fours, &-n)];
    let corner = |f: usize| &place.vertices[face_nodes[face_start[f] as usize] as usize];
    let (mut best, first) = (facing.separation, tip_over(&solid.normals[facing.face]));
    let mut tip = first;
    let bounds = solid.normals.iter().enumerate().map(|(f, n)| n.dot(&(first - corner(f))));
    place.separation.extend(bounds);
    for (f, n) in solid.normals.iter().enumerate() {
        if place.separation[f] < best - far {
            continue;
        }
        place.separation[f] = n.dot(&(tip - corner(f)));
        if place.separation[f] < best - far {
            continue;
        }
        let s = fours::lowest(n, &other.fours) - place.offset_of(solid, f);
        if s > eps {
            return false;
        }
        if s > best && f < *skin {
            best = s;
            tip = tip_over(n);
        }
        place.separation[f] = s;
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

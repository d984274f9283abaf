//! The parts of space that a surface divides, and whether a part is enclosed.
//!
//! A triangle has two sides, each of which looks into one part of space. Around an edge triangles follow each other by
//! angle, and the sides that face each other across a wedge look into the same part. Sides that hang together so are a
//! *wall*. A wall that encloses a volume is the outer one of a *region*; other walls of a region surround what lies
//! within it. So surfaces may meet themselves at nodes, edges and faces, but must not cross themselves.

use std::collections::HashMap;

use super::nearest::{Shell, Triangle};
use crate::math::{Components, Vec3};

/// Triangles at an edge closer than this lie on each other [radian].
const SAME_ANGLE: f64 = 1e-9;
/// A wall of less volume, in cubes of the size of the surface, encloses nothing but round-off.
const EMPTY: f64 = 1e-14;
/// How often the distance of a point from a triangle is halved until the point is seen from there.
const HALVINGS: usize = 40;

/// Side `2 t` is the front of triangle `t`, from which its corners are counter-clockwise; `2 t + 1` is its back.
pub struct Regions {
    /// The wall of each side.
    wall: Vec<u32>,
    regions: Vec<Region>,
    /// All triangles.
    surface: Shell,
}

/// What an outer wall encloses, islands included.
pub struct Region {
    number: u32,
    /// Sides of the outer wall, ascending.
    pub sides: Vec<usize>,
    /// The outer wall as seen from outside of the region.
    shell: Shell,
    volume: f64,
}

impl Regions {
    /// Triangles of points that are there. Points at one place are one.
    pub fn of(points: &[Vec3], triangles: &[[u32; 3]]) -> Regions {
        let corners: Vec<Triangle> = triangles.iter().map(|t| t.map(|n| points[n as usize])).collect();
        let (wall, count) = walls(&at_one_place(points, triangles), points);
        let mut sides: Vec<Vec<usize>> = vec![Vec::new(); count];
        wall.iter().enumerate().for_each(|(side, &number)| sides[number as usize].push(side));
        let size = corners.iter().flatten().map(|x| (x - corners[0][0]).norm()).fold(0.0, f64::max);
        let region = |(number, sides): (u32, Vec<usize>)| {
            let triangles: Vec<Triangle> = sides.iter().map(|&side| away(side, &corners)).collect();
            let shell = Shell::new(triangles);
            let volume = shell.volume();
            (volume > EMPTY * size.powi(3)).then_some(Region { number, sides, shell, volume })
        };
        let regions = (0..).zip(sides).filter_map(region).collect();
        Regions { wall, regions, surface: Shell::new(corners) }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Region> {
        self.regions.iter()
    }

    /// The region that a point is in: of those whose outer wall is around it the smallest.
    pub fn at(&self, x: &Vec3) -> Option<&Region> {
        let around = self.regions.iter().filter(|region| region.shell.holds(x));
        around.min_by(|a, b| a.volume.total_cmp(&b.volume))
    }

    /// Whether only other regions are beyond the outer wall of the one that holds `x`.
    pub fn is_within(&self, region: &Region, x: &Vec3) -> bool {
        let is_outer = |wall: u32| self.regions.binary_search_by_key(&wall, |region| region.number).is_ok();
        region.sides.iter().all(|side| is_outer(self.wall[side ^ 1]))
            || self.regions.iter().any(|other| other.number != region.number && other.shell.holds(x))
    }

    /// Whether as many triangles around a point look inwards as outwards.
    pub fn is_empty_at(&self, x: &Vec3) -> bool {
        self.surface.turns(x).abs() < 0.5
    }

    /// A point in a region, off the middle of one of its largest triangles and farther from the surface than half of
    /// the way to that.
    pub fn point_in(&self, region: &Region) -> Option<Vec3> {
        let area = |t: &Triangle| 0.5 * (t[1] - t[0]).cross(&(t[2] - t[0])).norm();
        let mut seats: Vec<(f64, &Triangle)> = region.shell.triangles().iter().map(|t| (area(t), t)).collect();
        seats.sort_by(|a, b| b.0.total_cmp(&a.0));
        seats.into_iter().find_map(|(area, t)| {
            let inwards = (t[2] - t[0]).cross(&(t[1] - t[0])).try_normalize(0.0)?;
            let middle = (t[0] + t[1] + t[2]) / 3.0;
            let mut way = area.sqrt();
            (0..HALVINGS).find_map(|_| {
                way *= 0.5;
                let x = middle + inwards * way;
                let free = self.surface.distance(&x) > 0.5 * way;
                (free && self.at(&x).is_some_and(|found| found.number == region.number)).then_some(x)
            })
        })
    }
}

/// A triangle as seen from outside of what this side of it looks into.
fn away(side: usize, corners: &[Triangle]) -> Triangle {
    let [a, b, c] = corners[side / 2];
    if side.is_multiple_of(2) {
        [a, c, b]
    } else {
        [a, b, c]
    }
}

/// Triangles whose corners at one place have one number.
fn at_one_place(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut first: HashMap<[u64; 3], u32> = HashMap::new();
    // Adding zero makes one of both zeros.
    let place = |x: &Vec3| [x.x, x.y, x.z].map(|x| (x + 0.0).to_bits());
    let number: Vec<u32> = (0..).zip(points).map(|(n, x)| *first.entry(place(x)).or_insert(n)).collect();
    triangles.iter().map(|t| t.map(|n| number[n as usize])).collect()
}

/// A triangle at an edge.
struct Leaf {
    edge: [u32; 2],
    triangle: usize,
    /// Whether it runs along the edge from the smaller number to the larger one.
    forward: bool,
    opposite: u32,
}

impl Leaf {
    /// The side that looks where the angle about the edge grows, or falls.
    fn side(&self, growing: bool) -> usize {
        2 * self.triangle + usize::from(self.forward != growing)
    }
}

/// Numbers of the walls of all sides, in the order of their first sides, and how many walls there are.
fn walls(triangles: &[[u32; 3]], points: &[Vec3]) -> (Vec<u32>, usize) {
    let mut leaves: Vec<Leaf> = Vec::with_capacity(3 * triangles.len());
    let whole = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    for (triangle, t) in triangles.iter().enumerate().filter(|(_, t)| whole(t)) {
        for k in 0..3 {
            let [a, b, opposite] = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
            leaves.push(Leaf { edge: [a.min(b), a.max(b)], triangle, forward: a < b, opposite });
        }
    }
    leaves.sort_by_key(|leaf| leaf.edge);
    let mut sides = Components::new(2 * triangles.len());
    for around in leaves.chunk_by_mut(|a, b| a.edge == b.edge) {
        if around.len() > 2 {
            sort_by_angle(around, points);
        }
        for (k, leaf) in around.iter().enumerate() {
            let next = &around[(k + 1) % around.len()];
            sides.join(leaf.side(true) as u32, next.side(false) as u32);
        }
    }
    sides.numbers()
}

/// By the angle about the edge. Of triangles that lie on each other those whose fronts face each other come side by
/// side: solids that touch.
fn sort_by_angle(around: &mut [Leaf], points: &[Vec3]) {
    let [a, b] = around[0].edge.map(|n| points[n as usize]);
    let along = (b - a).normalize();
    let across = |leaf: &Leaf| {
        let arm = points[leaf.opposite as usize] - a;
        arm - along * arm.dot(&along)
    };
    let first = around.iter().map(across).fold(Vec3::zeros(), |a, b| if b.norm() > a.norm() { b } else { a });
    let second = along.cross(&first);
    let angle = |leaf: &Leaf| {
        let arm = across(leaf);
        let angle = arm.dot(&second).atan2(arm.dot(&first));
        if angle < -SAME_ANGLE {
            angle + 2.0 * std::f64::consts::PI
        } else {
            angle
        }
    };
    around.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    for same in around.chunk_by_mut(|a, b| angle(b) - angle(a) <= SAME_ANGLE) {
        same.sort_by_key(|leaf| !leaf.forward);
    }
}

//! Boxes, walls and arches of hexahedral blocks.

use crate::math::Vec3;
use crate::shape::Mesh;
use crate::{Error, Result};

/// Bricks of one wall or arch at most.
const MOST: usize = 10_000_000;

/// A box between two opposite corners, in `counts` hexahedra, with the surface ids z−, x−, y+, x+, y−, z+.
///
/// # Errors
/// Corners that span no volume; what [`Mesh::hex`] refuses.
pub fn brick(one: &Vec3, other: &Vec3, counts: [usize; 3], volid: i32, surfids: &[i32; 6]) -> Result<Mesh> {
    let (low, high) = (one.inf(other), one.sup(other));
    if !(high - low).iter().all(|side| *side > 0.0) {
        let (x, y, z) = (high.x - low.x, high.y - low.y, high.z - low.z);
        return Err(Error::input(format!(
            "sides of the box are ({x}, {y}, {z}): give corners that differ in x, y and z"
        )));
    }
    Mesh::hex(&corners(&low, &high), counts, volid, surfids, [None; 3])
}

fn corners(low: &Vec3, high: &Vec3) -> [Vec3; 8] {
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let quad = |z: f64| [at(low.x, low.y, z), at(high.x, low.y, z), at(high.x, high.y, z), at(low.x, high.y, z)];
    let ([a, b, c, d], [e, f, g, h]) = (quad(low.z), quad(high.z));
    [a, b, c, d, e, f, g, h]
}

/// How the courses of a wall lie on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// Every other course begins and ends with half a brick.
    Running,
    /// Joint over joint.
    Stack,
}

/// A wall of one brick's thickness, along x, its courses along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The lowest corner [m].
    pub corner: Vec3,
    /// Length, thickness and height of a brick [m].
    pub brick: Vec3,
    /// Bricks in a course of whole ones, and courses.
    pub counts: [usize; 2],
    pub bond: Bond,
    /// Space between bricks, beside and above each other [m].
    pub joint: f64,
    /// Hexahedra of a brick.
    pub divisions: [usize; 3],
    pub volid: i32,
    pub surfids: [i32; 6],
}

/// The bricks of a wall, course by course from below, along x.
///
/// # Errors
/// Numbers that are not finite, sides or counts that are not positive, a joint that is negative or as long as a brick.
pub fn wall(wall: &Wall) -> Result<Vec<Mesh>> {
    let Wall { corner, brick: size, counts: [along, courses], joint, .. } = *wall;
    if !(size.min() > 0.0 && size.iter().all(|s| s.is_finite())) {
        let (l, t, h) = (size.x, size.y, size.z);
        return Err(Error::input(format!("sides of a brick are ({l}, {t}, {h}): give three positive, finite numbers")));
    }
    if along == 0 || courses == 0 || along.saturating_mul(courses) > MOST {
        return Err(Error::input(format!(
            "the wall has {courses} courses of {along} bricks: give positive numbers, {MOST} bricks in all at most"
        )));
    }
    if !(joint >= 0.0 && joint < size.x) {
        return Err(Error::input(format!("joint of the wall is {joint}: give a length from 0 to less than a brick")));
    }
    let mut bricks = Vec::new();
    for course in 0..courses {
        let z = corner.z + course as f64 * (size.z + joint);
        let shifted = wall.bond == Bond::Running && course % 2 == 1;
        for [start, end] in spans(along, size.x, joint, shifted) {
            let low = Vec3::new(corner.x + start, corner.y, z);
            let high = Vec3::new(corner.x + end, corner.y + size.y, z + size.z);
            bricks.push(brick(&low, &high, wall.divisions, wall.volid, &wall.surfids)?);
        }
    }
    Ok(bricks)
}

/// Where the bricks of a course begin and end.
fn spans(count: usize, length: f64, joint: f64, shifted: bool) -> Vec<[f64; 2]> {
    let pitch = length + joint;
    let whole = |k: usize, from: f64| [from + k as f64 * pitch, from + k as f64 * pitch + length];
    if !shifted {
        return (0..count).map(|k| whole(k, 0.0)).collect();
    }
    let half = 0.5 * (length - joint);
    let end = (count - 1) as f64 * pitch + length;
    let middle = (0..count - 1).map(|k| whole(k, half + joint));
    std::iter::once([0.0, half]).chain(middle).chain([[end - half, end]]).collect()
}

/// A ring of wedge-shaped bricks about an axis along y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arch {
    /// On the axis, where the ring begins [m].
    pub center: Vec3,
    /// Inner radius, thickness of the ring, and its depth along y [m].
    pub radius: f64,
    pub thickness: f64,
    pub depth: f64,
    pub count: usize,
    /// Where it begins and ends [degree], from +x towards +z.
    pub angles: [f64; 2],
    /// Hexahedra of a brick along the thickness, the depth and around.
    pub divisions: [usize; 3],
    pub volid: i32,
    /// First joint, inside, back (y+), outside, front (y−), second joint.
    pub surfids: [i32; 6],
}

/// The bricks of an arch, in the sense of the angle. Corners lie on circles; neighbours share a plane face exactly.
///
/// # Errors
/// Numbers that are not finite or not positive, angles that do not grow or span more than a turn, bricks of half a turn
/// or more.
pub fn arch(arch: &Arch) -> Result<Vec<Mesh>> {
    let lengths = [("radius", arch.radius), ("thickness", arch.thickness), ("depth", arch.depth)];
    if let Some((name, value)) = lengths.into_iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        return Err(Error::input(format!("{name} of the arch is {value}: give a positive, finite length")));
    }
    let [from, to] = arch.angles;
    let span = to - from;
    if !(span > 0.0 && span <= 360.0) {
        return Err(Error::input(format!(
            "angles of the arch are {from} and {to}: the second is greater, by 360 at most"
        )));
    }
    if arch.count == 0 || arch.count > MOST || span / arch.count as f64 >= 180.0 {
        let count = arch.count;
        return Err(Error::input(format!(
            "the arch of {span} degrees has {count} bricks: give at most {MOST}, each under 180 degrees"
        )));
    }
    // A closed ring ends where it begins.
    let joints = if span == 360.0 { arch.count } else { arch.count + 1 };
    let direction = |k: usize| {
        let (sine, cosine) = (from + span * ((k % joints) as f64 / arch.count as f64)).to_radians().sin_cos();
        Vec3::new(cosine, 0.0, sine)
    };
    let block = |k: usize| {
        let face = |k: usize| {
            let (inner, outer) = (direction(k) * arch.radius, direction(k) * (arch.radius + arch.thickness));
            let depth = Vec3::y() * arch.depth;
            // Counter-clockwise seen from the next joint: outward is local x, the depth local y.
            [inner, outer, outer + depth, inner + depth].map(|x| arch.center + x)
        };
        let ([a, b, c, d], [e, f, g, h]) = (face(k), face(k + 1));
        Mesh::hex(&[a, b, c, d, e, f, g, h], arch.divisions, arch.volid, &arch.surfids, [None; 3])
    };
    (0..arch.count).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(mesh: &Mesh, surfid: i32) -> f64 {
        let faces = mesh.boundary.iter().filter(|face| face.surfid == surfid);
        let of = |face: &crate::shape::BoundaryFace| {
            let nodes = mesh.elements[face.element as usize].face(face.local.into());
            crate::shape::area_vector(nodes.map(|n| mesh.nodes[n as usize])).norm()
        };
        faces.map(of).sum()
    }

    fn bond(bond: Bond, joint: f64) -> Wall {
        Wall {
            corner: Vec3::new(1.0, 2.0, 3.0),
            brick: Vec3::new(0.25, 0.12, 0.06),
            counts: [4, 3],
            bond,
            joint,
            divisions: [1; 3],
            volid: 1,
            surfids: [1, 2, 3, 4, 5, 6],
        }
    }

    #[test]
    fn a_wall_in_running_bond_has_straight_ends_and_the_volume_of_its_bricks() {
        for joint in [0.0, 0.01] {
            let bricks = wall(&bond(Bond::Running, joint)).unwrap();
            assert_eq!(bricks.len(), 4 + 5 + 4);
            let volumes: Vec<f64> = bricks.iter().map(|b| b.integrals().volume).collect();
            let whole = 0.25 * 0.12 * 0.06;
            let half = 0.5 * (0.25 - joint) * 0.12 * 0.06;
            assert!((volumes.iter().sum::<f64>() - 11.0 * whole - 2.0 * half).abs() < 1e-15);
            let ends = |course: std::ops::Range<usize>| {
                let nodes = || bricks[course.clone()].iter().flat_map(|b| &b.nodes);
                let low = nodes().fold(f64::INFINITY, |low, x| low.min(x.x));
                (low, nodes().fold(0.0, |high: f64, x| high.max(x.x)))
            };
            let length = 4.0 * 0.25 + 3.0 * joint;
            for course in [0..4, 4..9, 9..13] {
                let (low, high) = ends(course);
                assert!(low == 1.0 && (high - 1.0 - length).abs() < 1e-15, "{low} {high}");
            }
        }
        assert_eq!(wall(&bond(Bond::Stack, 0.0)).unwrap().len(), 12);
    }

    /// Each brick has the volume ½ sin(Δ) ((r + t)² − r²) d, and its sides the areas of a trapezoid.
    #[test]
    fn an_arch_of_wedges_has_the_volume_of_its_chords() {
        let (r, t, d, n) = (2.0, 0.5, 1.5, 9);
        let whole = Arch {
            center: Vec3::new(1.0, 0.0, -1.0),
            radius: r,
            thickness: t,
            depth: d,
            count: n,
            angles: [0.0, 180.0],
            divisions: [1; 3],
            volid: 1,
            surfids: [1, 2, 3, 4, 5, 6],
        };
        for (angles, span) in [([0.0, 180.0], 180.0_f64), ([30.0, 390.0], 360.0)] {
            let bricks = arch(&Arch { angles, ..whole }).unwrap();
            let step = (span / n as f64).to_radians();
            for brick in &bricks {
                let exact = 0.5 * step.sin() * ((r + t) * (r + t) - r * r) * d;
                assert!((brick.integrals().volume - exact).abs() < 1e-14);
                for (id, exact) in [
                    (1, t * d),
                    (6, t * d),
                    (2, 2.0 * (0.5 * step).sin() * r * d),
                    (4, 2.0 * (0.5 * step).sin() * (r + t) * d),
                    (3, exact / d),
                    (5, exact / d),
                ] {
                    assert!((area(brick, id) - exact).abs() < 1e-14, "side {id}");
                }
                let on = |id: i32, y: f64| brick.nodes_on_surface(id).iter().all(|k| brick.nodes[*k as usize].y == y);
                assert!(on(5, 0.0) && on(3, d));
            }
            let shared = |k: usize| {
                let (one, next) = (&bricks[k % n], &bricks[(k + 1) % n]);
                let places = |mesh: &Mesh, id: i32| {
                    let mut at: Vec<[f64; 3]> =
                        mesh.nodes_on_surface(id).iter().map(|k| mesh.nodes[*k as usize].into()).collect();
                    at.sort_by(|a, b| a.partial_cmp(b).unwrap());
                    at
                };
                assert_eq!(places(one, 6), places(next, 1), "joint {k}");
            };
            (0..if span == 360.0 { n } else { n - 1 }).for_each(shared);
        }
    }

    #[test]
    fn impossible_brickwork_is_refused() {
        let error = |result: Result<Vec<Mesh>>| result.unwrap_err().to_string();
        let plain = bond(Bond::Running, 0.0);
        assert!(error(wall(&Wall { joint: 0.3, ..plain })).contains("joint of the wall is 0.3"));
        assert!(error(wall(&Wall { counts: [0, 1], ..plain })).contains("1 courses of 0 bricks"));
        assert!(error(wall(&Wall { brick: Vec3::zeros(), ..plain })).contains("sides of a brick"));
        let flat = brick(&Vec3::zeros(), &Vec3::new(1.0, 1.0, 0.0), [1; 3], 1, &[1; 6]).unwrap_err().to_string();
        assert!(flat.contains("sides of the box are (1, 1, 0)"), "{flat}");
    }
}

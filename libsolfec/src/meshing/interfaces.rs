//! Where polyhedra below a plane touch polyhedra above it: what a cut of a collection consists of.

use super::plane::distance_to_polygon;
use super::{Split, REACH};
use crate::math::{local_base, Components, Mat3, Vec3};
use crate::meshdata::cell::{clipped, Cut};
use crate::shape::Convex;

/// Vertices nearer to the plane than this multiple of epsilon are on it. Polyhedra of one side may reach twice epsilon
/// to the other.
const ON_THE_PLANE: f64 = 3.0;

/// Where a polyhedron below and one above touch each other.
struct Patch {
    pair: [u32; 2],
    /// In axes of the plane, the third of which is its normal.
    corners: Vec<Vec3>,
}

/// What opens a cut near a point: pairs of polyhedra, one below and one above, that touch there no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Opened {
    All,
    Part(Vec<[u32; 2]>),
    /// The point is not on the cut.
    Nothing,
}

/// The pairs of `polyhedra` that touch across the plane where this hangs together with the `point`. They are on these
/// sides of it, and `touching` says which ones touch.
pub(super) fn opened(polyhedra: &[Convex], sides: &[i8], touching: &[Vec<u32>], split: &Split, point: &Vec3) -> Opened {
    if !(sides.contains(&-1) && sides.contains(&1)) {
        return Opened::All;
    }
    let axes = local_base(&split.plane.normal()).transpose();
    let patches = patches(polyhedra, sides, touching, split, &axes);
    let x = in_the_plane(point, split, &axes);
    let reach = REACH * split.epsilon;
    let Some(first) = patches.iter().position(|patch| distance_to_polygon(&patch.corners, &x) <= reach) else {
        return Opened::Nothing;
    };
    let (number, count) = connected(&patches, polyhedra.len(), touching);
    if count == 1 {
        return Opened::All;
    }
    let chosen = patches.iter().zip(&number).filter(|(_, part)| **part == number[first]);
    Opened::Part(chosen.map(|(patch, _)| patch.pair).collect())
}

fn patches(polyhedra: &[Convex], sides: &[i8], touching: &[Vec<u32>], split: &Split, axes: &Mat3) -> Vec<Patch> {
    let feet: Vec<Vec<Vec3>> = polyhedra.iter().map(|convex| footprint(convex, split, axes)).collect();
    let mut patches = Vec::new();
    for (low, neighbours) in (0..).zip(touching).filter(|(low, _)| sides[*low as usize] < 0) {
        for &high in neighbours.iter().filter(|high| sides[**high as usize] > 0) {
            let corners = common(&feet[low as usize], &feet[high as usize]);
            if !corners.is_empty() {
                patches.push(Patch { pair: [low, high], corners });
            }
        }
    }
    patches
}

/// Patches that meet: the number of the part of each, and how many there are. Only patches of polyhedra that are the
/// same or touch each other can meet.
fn connected(patches: &[Patch], polyhedra: usize, touching: &[Vec<u32>]) -> (Vec<u32>, usize) {
    let mut of_low: Vec<Vec<u32>> = vec![Vec::new(); polyhedra];
    (0..).zip(patches).for_each(|(p, patch)| of_low[patch.pair[0] as usize].push(p));
    let mut sets = Components::new(patches.len());
    for (p, patch) in (0..).zip(patches) {
        let low = patch.pair[0];
        let near = touching[low as usize].iter().chain([&low]).flat_map(|n| &of_low[*n as usize]);
        for &other in near.filter(|other| **other < p) {
            let apart = sets.root(other) != sets.root(p);
            if apart && !common(&patches[other as usize].corners, &patch.corners).is_empty() {
                sets.join(p, other);
            }
        }
    }
    sets.numbers()
}

fn in_the_plane(x: &Vec3, split: &Split, axes: &Mat3) -> Vec3 {
    let along = axes * x;
    Vec3::new(along.x, along.y, split.plane.height(x))
}

/// The hull of the vertices of a polyhedron on the plane, enlarged by epsilon so that points and edges have an area.
fn footprint(convex: &Convex, split: &Split, axes: &Mat3) -> Vec<Vec3> {
    let e = split.epsilon;
    let on = convex.vertices.iter().map(|x| in_the_plane(x, split, axes)).filter(|x| x.z.abs() <= ON_THE_PLANE * e);
    let square = |x: Vec3| [[-e, -e], [e, -e], [e, e], [-e, e]].map(|[u, v]| Vec3::new(x.x + u, x.y + v, 0.0));
    hull(on.flat_map(square).collect())
}

/// The convex polygon around points of the plane, counter-clockwise (Andrew 1979).
fn hull(mut points: Vec<Vec3>) -> Vec<Vec3> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut chain = half_hull(points.iter());
    chain.extend(half_hull(points.iter().rev()));
    chain
}

/// The lower chain from the first to the last point, without the last.
fn half_hull<'a>(points: impl Iterator<Item = &'a Vec3>) -> Vec<Vec3> {
    let mut chain: Vec<Vec3> = Vec::new();
    for x in points {
        while let [.., a, b] = &chain[..] {
            if (b - a).cross(&(x - b)).z > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(*x);
    }
    chain.pop();
    chain
}

/// What two convex polygons of the plane have in common.
fn common(a: &[Vec3], b: &[Vec3]) -> Vec<Vec3> {
    let mut rest = a.to_vec();
    for k in 0..b.len() {
        let along = b[(k + 1) % b.len()] - b[k];
        if let Some(side) = Cut::through(&b[k], &Vec3::new(along.y, -along.x, 0.0)) {
            rest = clipped(&rest, &side, 0.0);
        }
    }
    if b.is_empty() {
        Vec::new()
    } else {
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(low: [f64; 2], size: f64) -> Vec<Vec3> {
        let corner = |u: f64, v: f64| Vec3::new(low[0] + size * u, low[1] + size * v, 0.0);
        hull(vec![corner(1.0, 1.0), corner(0.0, 0.0), corner(0.5, 0.4), corner(1.0, 0.0), corner(0.0, 1.0)])
    }

    #[test]
    fn polygons_have_common_parts() {
        let area = |a: &[Vec3]| crate::shape::area_vector(a.iter().copied()).z;
        let one = square([0.0, 0.0], 1.0);
        assert!(one.len() == 4 && (area(&one) - 1.0).abs() < 1e-15);
        assert!((area(&common(&one, &square([0.5, 0.75], 1.0))) - 0.125).abs() < 1e-15);
        assert!(common(&one, &square([1.5, 0.0], 1.0)).is_empty());
        assert!(common(&one, &[]).is_empty() && common(&[], &one).is_empty());
    }
}

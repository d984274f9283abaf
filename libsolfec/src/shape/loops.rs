//! Face loops: areas, planes, and the edges where two of them meet.

use super::solid::Edge;
use super::FLATNESS;
use crate::math::Vec3;

/// Diagonal of the bounding box of `points`; 0 if there are none.
pub fn diameter(points: &[Vec3]) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let (low, high) = points.iter().fold((*first, *first), |(low, high), x| (low.inf(x), high.sup(x)));
    (high - low).norm()
}

/// Distance under which `points` are in one plane: round-off of their size, or of their coordinates when they are far
/// away.
pub fn round_off(points: &[Vec3]) -> f64 {
    let far = points.iter().fold(0.0_f64, |far, x| far.max(x.amax()));
    (FLATNESS * diameter(points)).max(8.0 * f64::EPSILON * far)
}

/// Mean of the corners of a loop.
pub fn middle(corners: impl ExactSizeIterator<Item = Vec3>) -> Vec3 {
    let n = corners.len() as f64;
    corners.sum::<Vec3>() / n
}

/// Area vector of a loop (Newell): its norm is the area, its direction the outward normal.
pub fn area_vector(corners: impl ExactSizeIterator<Item = Vec3> + Clone) -> Vec3 {
    let mut rest = corners.clone();
    let Some(origin) = rest.next() else {
        return Vec3::zeros();
    };
    let arms = rest.map(|x| x - origin);
    let next = arms.clone().skip(1);
    0.5 * arms.zip(next).map(|(a, b)| a.cross(&b)).sum::<Vec3>()
}

/// A side of a face loop: `ends` ascend; `forward` if the loop runs from the first to the second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Side {
    pub ends: [u32; 2],
    pub backward: bool,
    pub face: u32,
}

/// Sides of all loops, sorted, so that the sides of one edge are neighbours and the forward one comes first.
pub fn sides<'a>(loops: impl Iterator<Item = &'a [u32]> + Clone) -> Vec<Side> {
    // Where the sides of each lower end begin; they are few, and sorted where they lie.
    let mut at = vec![0; 1 + loops.clone().flatten().max().map_or(0, |&v| v as usize + 1)];
    for_each_side(loops.clone(), |side| at[side.ends[0] as usize + 1] += 1);
    let mut count = 0;
    for begin in &mut at {
        count += *begin;
        *begin = count;
    }
    let mut sides = vec![Side::default(); count];
    for_each_side(loops, |side| {
        let place = &mut at[side.ends[0] as usize];
        sides[*place] = side;
        *place += 1;
    });
    let mut begin = 0;
    for &end in &at {
        sides[begin..end].sort_unstable_by_key(Side::after_lower_end);
        begin = end;
    }
    sides
}

fn for_each_side<'a>(loops: impl Iterator<Item = &'a [u32]>, mut take: impl FnMut(Side)) {
    for (face, nodes) in loops.enumerate() {
        let mut last = nodes[nodes.len() - 1];
        for &node in nodes {
            take(Side { ends: [last.min(node), last.max(node)], backward: last > node, face: face as u32 });
            last = node;
        }
    }
}

impl Side {
    /// A number that sorts the sides of one lower end as their other fields do, and faster.
    fn after_lower_end(&self) -> u128 {
        let place = u64::from(self.backward) << 32 | u64::from(self.face);
        u128::from(self.ends[1]) << 64 | u128::from(place)
    }
}

/// Whether the sides of one edge are a proper pair: two, in opposite directions.
pub fn paired(run: &[Side]) -> bool {
    matches!(run, [a, b] if !a.backward && b.backward)
}

/// Edges of a closed polyhedron in ascending order of their vertices.
pub fn edges<'a>(loops: impl Iterator<Item = &'a [u32]> + Clone) -> Vec<Edge> {
    let sides = sides(loops);
    let pairs = sides.chunk_by(|a, b| a.ends == b.ends).filter(|run| paired(run));
    let mut edges = Vec::with_capacity(sides.len() / 2);
    edges.extend(
        pairs.map(|run| Edge { nodes: run[0].ends.map(|v| v as u16), faces: [run[0].face as u16, run[1].face as u16] }),
    );
    edges
}

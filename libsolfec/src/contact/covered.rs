//! Faces between the polyhedra of one body, which other bodies cannot touch: they count as faces inside a mesh.

use std::borrow::Cow;

use super::narrow::{area_and_moment, cut, perimeter, round_off};
use crate::math::Vec3;
use crate::shape::{ConvexPart, Solid};

/// Opposite normals have at most this cosine.
const OPPOSITE: f64 = -1.0 + 1e-6;

/// The solid, with those faces inside that faces of the `others` cover together, but for slits narrower than `epsilon`
/// [m].
pub fn without_covered<'a>(solid: &'a Solid, others: &[&Solid], epsilon: f64) -> Cow<'a, Solid> {
    let open: Vec<bool> = (0..solid.topology.skin).map(|face| is_open(solid, face, others, epsilon)).collect();
    if open.iter().all(|open| *open) {
        return Cow::Borrowed(solid);
    }
    Cow::Owned(solid.with_skin(|face| open[face]))
}

/// The polyhedra among parts.
pub fn polyhedra<'a>(parts: &[&'a ConvexPart], rows: &[u32]) -> Vec<&'a Solid> {
    let polyhedron = |row: &u32| match parts[*row as usize] {
        ConvexPart::Solid(solid) if solid.mesh_nodes.is_empty() => Some(solid),
        ConvexPart::Solid(_) | ConvexPart::Ball { .. } | ConvexPart::Curved(_) => None,
    };
    rows.iter().filter_map(polyhedron).collect()
}

fn is_open(solid: &Solid, face: usize, others: &[&Solid], epsilon: f64) -> bool {
    let mut open = vec![corners(solid, face).copied().collect::<Vec<Vec3>>()];
    for other in others {
        let is_opposite = |g: &usize| other.normals[*g].dot(&solid.normals[face]) <= OPPOSITE;
        for g in (0..other.topology.faces()).filter(is_opposite) {
            open = open.into_iter().flat_map(|piece| uncovered(piece, other, g, epsilon)).collect();
        }
    }
    !open.is_empty()
}

/// Convex pieces of a convex polygon that a face of another solid leaves uncovered.
fn uncovered(polygon: Vec<Vec3>, other: &Solid, face: usize, epsilon: f64) -> Vec<Vec<Vec3>> {
    let n = &other.normals[face];
    let near = |x: &Vec3| round_off(0.0, x);
    let (mut pieces, mut rest, mut spare) = (Vec::new(), polygon.clone(), Vec::new());
    let ends = corners(other, face).cycle().skip(1);
    for (a, b) in corners(other, face).zip(ends) {
        let outwards = (b - a).cross(n).normalize();
        let mut beyond = rest.clone();
        if cut(&mut beyond, &mut spare, &-outwards, -outwards.dot(a), near(a)) && is_wide(&beyond, n, epsilon) {
            pieces.push(beyond);
        }
        if !cut(&mut rest, &mut spare, &outwards, outwards.dot(a), near(a)) {
            return vec![polygon];
        }
    }
    let on_it = |x: &Vec3| corners(other, face).next().is_some_and(|a| n.dot(&(x - a)).abs() <= epsilon.max(near(x)));
    if rest.iter().all(on_it) {
        pieces
    } else {
        vec![polygon]
    }
}

/// Whether a polygon is wider than `epsilon`, if it is long.
fn is_wide(polygon: &[Vec3], n: &Vec3, epsilon: f64) -> bool {
    let margin = polygon.first().map_or(epsilon, |x| epsilon.max(round_off(0.0, x)));
    2.0 * area_and_moment(polygon, n).0.abs() > margin * perimeter(polygon)
}

fn corners(solid: &Solid, face: usize) -> impl Iterator<Item = &Vec3> + Clone {
    solid.topology.face(face).iter().map(|&v| &solid.vertices[v as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Convex;

    fn block(low: [f64; 3], high: [f64; 3]) -> Solid {
        let corner = |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { low[i] } else { high[i] });
        let corners: Vec<Vec3> = (0..8).map(corner).collect();
        Convex::hull(&corners, 1, 1).expect("a block").solid()
    }

    /// How many faces stay skin of a block that lies below the others.
    fn skin(others: &[Solid]) -> usize {
        let below = block([0.0; 3], [3.0, 2.0, 1.0]);
        let others: Vec<&Solid> = others.iter().collect();
        without_covered(&below, &others, 1e-3).topology.skin
    }

    #[test]
    fn faces_are_covered_by_several_others_together() {
        let on = |x: [f64; 2], y: [f64; 2], z: f64| block([x[0], y[0], z], [x[1], y[1], 2.0]);
        let quarters = [
            on([-1.0, 1.2], [0.0, 0.5], 1.0),
            on([1.2, 4.0], [0.0, 0.5], 1.0),
            on([-1.0, 2.0], [0.5, 2.0], 1.0),
            on([2.0, 3.0], [0.5, 2.0], 1.0),
        ];
        assert_eq!(skin(&quarters), 5);
        for k in 0..4 {
            let three: Vec<Solid> =
                quarters.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, q)| q.clone()).collect();
            assert_eq!(skin(&three), 6, "without {k}");
        }
        // Overlaps count once.
        assert_eq!(skin(&[on([0.0, 2.0], [0.0, 2.0], 1.0), on([0.5, 2.5], [0.0, 2.0], 1.0)]), 6);
        assert_eq!(skin(&[on([0.0, 2.0], [0.0, 2.0], 1.0), on([1.5, 3.0], [0.0, 2.0], 1.0)]), 5);
        // A slit, and a face beside the plane.
        for (by, faces) in [(5e-4, 5), (5e-3, 6)] {
            assert_eq!(skin(&[on([0.0, 1.5], [0.0, 2.0], 1.0), on([1.5 + by, 3.0], [0.0, 2.0], 1.0)]), faces, "{by}");
            assert_eq!(skin(&[on([0.0, 1.5], [0.0, 2.0], 1.0), on([1.5, 3.0], [0.0, 2.0], 1.0 + by)]), faces, "{by}");
        }
    }
}

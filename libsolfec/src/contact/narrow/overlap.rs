//! Contact of solids that overlap: facets of the intersection K are the faces of each solid clipped by the planes of
//! the other; point, area, normal and gap follow from them.

use super::clip::{area_and_moment, cut};
use super::extent::{greater, lesser, lowest};
use super::gjk::closest;
use super::pair::{in_fours, lowest_of_fours, Facet, Operand, Owner, Pair, Scratch, FEW};
use super::touch::{point_contact, EDGE_WIDTH, ONE_PLANE};
use crate::contact::ManifoldPoint;
use crate::math::Vec3;

/// Below this part of Σ a² the facet normals cancel and the least translation decides.
const CANCELLED: f64 = 1e-6;
/// Planes can coincide only with at least this cosine between their normals.
const ALMOST_PARALLEL: f64 = 0.99;
/// The same for a test that may round otherwise.
const POSSIBLY_PARALLEL: f64 = ALMOST_PARALLEL - 1e-9;

/// A facet whose normal has a smaller cosine with the contact normal contributes round-off.
const ACROSS: f64 = 1e-9;

pub fn overlap(pair: &Pair, scratch: &mut Scratch) -> Option<ManifoldPoint> {
    let (area, moment) = clip_facets(pair, scratch);
    let smallest = EDGE_WIDTH * pair.same;
    if area <= smallest * smallest {
        return point_contact(pair);
    }
    let point = moment / area;
    let (normal, gap, axis) = match facet_normal(pair, &scratch.facets) {
        Some(n) => (n, gap_along(pair, &n, &scratch.points), None),
        None => {
            let axis = pair.axis(true).or_else(|| pair.axis(false))?;
            (pair.direction(&axis), axis.separation.min(0.0), Some(axis))
        }
    };
    let surface = |part: &Operand, owner: Owner, outward: Vec3| match axis {
        Some(axis) if axis.of_slave == (owner == Owner::Slave) => part.surface(axis.face, &point, pair.tiny),
        _ => match strongest(&scratch.facets, owner, &outward) {
            Some(face) => part.view.topology.surfid[face],
            None => part.nearest_surface(&point, pair.tiny),
        },
    };
    Some(ManifoldPoint {
        slave_point: point,
        master_point: point,
        normal,
        gap,
        area: 0.5 * area,
        projected: projected(&scratch.facets, &normal),
        surf: [surface(&pair.master, Owner::Master, -normal), surface(&pair.slave, Owner::Slave, normal)],
    })
}

/// Area of the slave's own facets as seen along the normal.
fn projected(facets: &[Facet], normal: &Vec3) -> f64 {
    let of_slave = facets.iter().filter(|f| f.owner == Owner::Slave);
    of_slave.map(|f| f.area * f.normal.dot(normal).max(0.0)).sum()
}

/// Fills facets and their vertices; returns the surface of the overlap and its first moment.
fn clip_facets(pair: &Pair, scratch: &mut Scratch) -> (f64, Vec3) {
    let (slave, master) = (&pair.slave, &pair.master);
    scratch.points.clear();
    scratch.facets.clear();
    scratch.covered.clear();
    scratch.covered.resize(master.faces(), false);
    in_fours(master.view.normals, &mut scratch.normals);
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    let nearest = find_near(slave, master, pair.tiny, scratch);
    for face in 0..slave.faces() {
        if !scratch.near[face] && !coincide(pair, face, nearest) {
            continue;
        }
        let aligned = -lowest_of_fours(&-slave.normal(face), &scratch.normals) >= POSSIBLY_PARALLEL;
        let partner = if aligned { mark_coinciding(pair, face, &mut scratch.covered) } else { None };
        let owner = match (slave.is_skin(face), partner.map(|p| master.is_skin(p))) {
            (true, Some(true)) => Owner::Neither,
            (true, _) => Owner::Slave,
            (false, Some(true)) => Owner::Master,
            (false, _) => Owner::Neither,
        };
        let label = match (owner, partner) {
            (Owner::Master, Some(p)) => p,
            _ => face,
        };
        let skip = |g: usize| partner.is_some() && coincide(pair, face, g);
        let (a, m) = clip_facet(slave, face, master, skip, (label, owner), (nearest, pair.tiny), scratch);
        area += a;
        moment += m;
    }
    let nearest = find_near(master, slave, pair.tiny, scratch);
    for face in 0..master.faces() {
        if scratch.covered[face] || !scratch.near[face] {
            continue;
        }
        let owner = if master.is_skin(face) { Owner::Master } else { Owner::Neither };
        let (a, m) = clip_facet(master, face, slave, |_| false, (face, owner), (nearest, pair.tiny), scratch);
        area += a;
        moment += m;
    }
    (area, moment)
}

/// What of two solids can matter to the overlap: the faces of `part` that are not wholly beyond the plane of `other`
/// that comes nearest to separating them, and the faces of `other`, if these are many, whose planes reach into the box
/// about what is below that plane. Returns that plane.
fn find_near(part: &Operand, other: &Operand, tiny: f64, scratch: &mut Scratch) -> usize {
    let Scratch { heights, near, cutting, .. } = scratch;
    let greatest = |best: usize, g: usize| if other.separation[g] > other.separation[best] { g } else { best };
    let nearest = (0..other.faces()).fold(0, greatest);
    heights.clear();
    heights.extend(part.vertices.iter().map(|x| other.height(nearest, x)));
    near.clear();
    near.resize(part.faces(), false);
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let mut reach = |x: Vec3| {
        for k in 0..3 {
            low[k] = lesser(low[k], x[k]);
            high[k] = greater(high[k], x[k]);
        }
    };
    let many = other.faces() > FEW;
    // By a margin that rounding of cuts cannot reach.
    let limit = 2.0 * tiny;
    for edge in &part.view.topology.edges {
        let [i, j] = edge.nodes.map(usize::from);
        let (ha, hb) = (heights[i], heights[j]);
        if ha > limit && hb > limit {
            continue;
        }
        edge.faces.iter().for_each(|&f| near[f as usize] = true);
        if !many {
            continue;
        }
        let (a, b) = (part.vertices[i], part.vertices[j]);
        let crossing = || a + (b - a) * ((ha - limit) / (ha - hb));
        reach(if ha > limit { crossing() } else { a });
        reach(if hb > limit { crossing() } else { b });
    }
    if many {
        let (center, half) = (0.5 * (low + high), 0.5 * (high - low));
        let top = |g: usize| other.height(g, &center) + other.normal(g).abs().dot(&half);
        cutting.clear();
        cutting.extend((0..other.faces()).filter(|&g| g == nearest || top(g) > 0.0));
    }
    nearest
}

/// Marks the master faces on the plane of this slave face; returns one, a skin face when there is any.
fn mark_coinciding(pair: &Pair, face: usize, covered: &mut [bool]) -> Option<usize> {
    let mut partner = None;
    for (g, mark) in covered.iter_mut().enumerate() {
        if coincide(pair, face, g) {
            *mark = true;
            // Skin faces come first.
            partner = partner.or(Some(g));
        }
    }
    partner
}

/// Whether a slave and a master face lie on one plane, both solids on the same side of it.
#[inline(always)]
fn coincide(pair: &Pair, face: usize, other: usize) -> bool {
    let (slave, master) = (&pair.slave, &pair.master);
    slave.normal(face).dot(master.normal(other)) >= ALMOST_PARALLEL
        && (master.loop_of(other).all(|x| slave.height(face, x).abs() <= pair.same)
            || slave.loop_of(face).all(|x| master.height(other, x).abs() <= pair.same))
}

/// The part of one face inside the other solid, recorded under its label. The plane `nearest` of the other, which cuts
/// off most, comes first.
#[inline(never)]
fn clip_facet(
    part: &Operand,
    face: usize,
    other: &Operand,
    skip: impl Fn(usize) -> bool,
    (label, owner): (usize, Owner),
    (nearest, tiny): (usize, f64),
    scratch: &mut Scratch,
) -> (f64, Vec3) {
    let Scratch { polygon, spare, cutting, .. } = scratch;
    polygon.clear();
    polygon.extend(part.loop_of(face));
    let mut keep = |g: usize| cut(polygon, spare, other.normal(g), other.offset[g], tiny);
    let left = if other.faces() <= FEW || skip(nearest) {
        (0..other.faces()).all(|g| skip(g) || keep(g))
    } else {
        keep(nearest) && cutting.iter().all(|&g| g == nearest || skip(g) || keep(g))
    };
    if !left {
        return (0.0, Vec3::zeros());
    }
    let normal = *part.normal(face);
    let (area, moment) = area_and_moment(polygon, &normal);
    if area <= 0.0 {
        return (0.0, Vec3::zeros());
    }
    scratch.points.extend_from_slice(polygon);
    scratch.facets.push(Facet { normal, area, face: label, owner });
    (area, moment)
}

/// `Σ_slave a² n − Σ_master a² n`, pieces of one plane taken together; none when it says nothing.
fn facet_normal(pair: &Pair, facets: &[Facet]) -> Option<Vec3> {
    let (mut sum, mut weight) = (Vec3::zeros(), 0.0);
    let (mut slave, mut master) = (false, false);
    for facet in facets {
        let sign = match facet.owner {
            Owner::Slave => 1.0,
            Owner::Master => -1.0,
            Owner::Neither => continue,
        };
        slave |= facet.owner == Owner::Slave;
        master |= facet.owner == Owner::Master;
        let plane: f64 = facets
            .iter()
            .filter(|f| f.owner == facet.owner && f.normal.dot(&facet.normal) >= ONE_PLANE)
            .map(|f| f.area)
            .sum();
        sum += facet.normal * (sign * facet.area * plane);
        weight += facet.area * plane;
    }
    let length = sum.norm();
    if !(slave && master && length > CANCELLED * weight) {
        return None;
    }
    let normal = sum / length;
    let least = pair.direction(&pair.axis(true)?);
    (normal.dot(&least) > 0.0).then_some(normal)
}

/// Gap along `n`: push the solids apart by the width `w` of their overlap each; what is missing to `2w`.
fn gap_along(pair: &Pair, n: &Vec3, points: &[Vec3]) -> f64 {
    let width = -lowest(&-n, points) - lowest(n, points);
    if width <= pair.eps {
        return -width;
    }
    let (a, b) = (pair.slave.vertices, pair.master.vertices);
    let apart = closest(a, b, &(n * (2.0 * width)), n, pair.tiny).distance;
    (apart - 2.0 * width).min(0.0)
}

/// The skin face that contributes most to the outward normal of one side.
fn strongest(facets: &[Facet], owner: Owner, outward: &Vec3) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for f in facets.iter().filter(|f| f.owner == owner) {
        let cosine = f.normal.dot(outward);
        let part = f.area * f.area * cosine;
        if cosine > ACROSS && part > best.map_or(0.0, |(_, most)| most) {
            best = Some((f.face, part));
        }
    }
    best.map(|(face, _)| face)
}

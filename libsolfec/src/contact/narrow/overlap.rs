//! Contact of solids that overlap: facets of the intersection K are the faces of each solid clipped by the planes of
//! the other; point, area, normal and gap follow from them.

use wide::f64x4;

use super::clip::{area_and_moment, cut};
use super::extent::lowest;
use super::fours::{products, Four};
use super::near::{self, coincide, Near, ALMOST_PARALLEL};
use super::pair::{Operand, Pair, FEW};
use super::touch::{point_contact, EDGE_WIDTH, ONE_PLANE};
use super::workspace::{Facet, Owner, Scratch};
use crate::contact::ManifoldPoint;
use crate::math::Vec3;

/// Below this part of Σ a² the facet normals cancel and the least translation decides.
const CANCELLED: f64 = 1e-6;
/// Planes can coincide only with at least this cosine between their normals, also if a test rounds otherwise.
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
        Normal::OfFacets(n) => (n, gap_along(pair, &n, &scratch.points), None),
        Normal::OfPlane => {
            let axis = pair.axis()?;
            (pair.direction(&axis), axis.separation.min(0.0), Some(axis))
        }
        Normal::None => return None,
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
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    let mut near = std::mem::take(&mut scratch.near);
    if near::find(pair, &mut near) {
        let [s, m] = &near;
        for &face in &s.faces {
            let (a, m) = clip_slave_facet(pair, face, m, scratch);
            area += a;
            moment += m;
        }
        for &face in &m.faces {
            if scratch.covered[face] {
                continue;
            }
            let owner = if master.is_skin(face) { Owner::Master } else { Owner::Inside };
            let (a, m) = clip_facet(master, face, slave, (s, pair.tiny), |_| false, (face, owner), scratch);
            area += a;
            moment += m;
        }
    }
    scratch.near = near;
    (area, moment)
}

/// The facet on a face of the slave; `near` is what is near of the master.
fn clip_slave_facet(pair: &Pair, face: usize, near: &Near, scratch: &mut Scratch) -> (f64, Vec3) {
    let (slave, master) = (&pair.slave, &pair.master);
    let parallel = |cosines: f64x4| cosines.simd_ge(f64x4::splat(POSSIBLY_PARALLEL)).any();
    let aligned = near.planes.iter().any(|(normals, _)| parallel(products(slave.normal(face), normals)));
    let partner = if aligned { mark_coinciding(pair, face, &mut scratch.covered) } else { None };
    let owner = match (slave.is_skin(face), partner.map(|p| master.is_skin(p))) {
        (true, Some(true)) | (false, Some(false)) => Owner::Both,
        (true, _) => Owner::Slave,
        (false, Some(true)) => Owner::Master,
        (false, None) => Owner::Inside,
    };
    let label = match (owner, partner) {
        (Owner::Master, Some(p)) => p,
        _ => face,
    };
    let near = (near, pair.tiny);
    if partner.is_some() {
        let skip = |g: usize| coincide(pair, face, g);
        clip_facet(slave, face, master, near, skip, (label, owner), scratch)
    } else {
        clip_facet(slave, face, master, near, |_| false, (label, owner), scratch)
    }
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

/// The part of one face inside the other solid, recorded under its label; planes to `skip` do not cut. The plane that
/// cuts off most comes first.
fn clip_facet(
    part: &Operand,
    face: usize,
    other: &Operand,
    (near, tiny): (&Near, f64),
    skip: impl Fn(usize) -> bool,
    (label, owner): (usize, Owner),
    scratch: &mut Scratch,
) -> (f64, Vec3) {
    let Scratch { polygon, spare, .. } = scratch;
    polygon.clear();
    polygon.extend(part.loop_of(face));
    let nearest = near.nearest;
    let mut keep = |polygon: &mut Vec<Vec3>, g: usize| cut(polygon, spare, other.normal(g), other.offset(g), tiny);
    let left = if other.faces() <= FEW || skip(nearest) {
        (0..other.faces()).all(|g| skip(g) || keep(polygon, g))
    } else {
        keep(polygon, nearest)
            && near.planes.iter().zip(near.cutting.chunks(4)).all(|(planes, faces)| {
                let tops = tops(planes, polygon);
                faces.iter().zip(tops).all(|(&g, top)| top <= tiny || skip(g) || keep(polygon, g))
            })
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

/// Greatest heights of a polygon over four planes.
#[inline(always)]
fn tops((normals, offsets): &(Four, f64x4), polygon: &[Vec3]) -> [f64; 4] {
    let none = f64x4::splat(f64::NEG_INFINITY);
    polygon.iter().fold(none, |tops, x| (products(x, normals) - offsets).fast_max(tops)).to_array()
}

/// Where the normal of an overlap comes from.
enum Normal {
    /// The skin facets of both.
    OfFacets(Vec3),
    /// The skin plane of largest separation: one solid contains the other, both are the same, or facets cancel.
    OfPlane,
    /// Nothing: the overlap is inside of both meshes, and what bounds it are their neighbours.
    None,
}

/// `Σ_slave a² n − Σ_master a² n`, pieces of one plane taken together.
fn facet_normal(pair: &Pair, facets: &[Facet]) -> Normal {
    let (mut sum, mut weight) = (Vec3::zeros(), 0.0);
    for facet in facets {
        let sign = match facet.owner {
            Owner::Slave => 1.0,
            Owner::Master => -1.0,
            Owner::Both | Owner::Inside => continue,
        };
        let plane: f64 = facets
            .iter()
            .filter(|f| f.owner == facet.owner && f.normal.dot(&facet.normal) >= ONE_PLANE)
            .map(|f| f.area)
            .sum();
        sum += facet.normal * (sign * facet.area * plane);
        weight += facet.area * plane;
    }
    let of = |owner: Owner| facets.iter().any(|facet| facet.owner == owner);
    let (slave, master) = (of(Owner::Slave), of(Owner::Master));
    if !slave && !master && of(Owner::Inside) {
        return Normal::None;
    }
    let length = sum.norm();
    let normal = sum / length;
    let agrees = || pair.axis().is_some_and(|least| normal.dot(&pair.direction(&least)) > 0.0);
    if slave && master && length > CANCELLED * weight && agrees() {
        Normal::OfFacets(normal)
    } else {
        Normal::OfPlane
    }
}

/// Gap along `n`: push the solids apart by the width `w` of their overlap each; what is missing to `2w`.
fn gap_along(pair: &Pair, n: &Vec3, points: &[Vec3]) -> f64 {
    let width = -lowest(&-n, points) - lowest(n, points);
    if width <= pair.eps {
        return -width;
    }
    let apart = pair.closest(&(n * (2.0 * width)), n).distance;
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

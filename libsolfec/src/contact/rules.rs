//! What decides, beside geometry, which contacts there are.

use super::Objects;
use crate::ids::{BodyId, BodyIndex, ObjectIndex};
use crate::material::{lookup, SurfaceMaterial};
use crate::model::{Settings, Sparsify};

/// Pairs that never touch: each pair ascending, pairs sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exclusions {
    bodies: Vec<[BodyId; 2]>,
    surfaces: Vec<[i32; 2]>,
    /// Ids of bodies and numbers of their parts ([`Objects::number`]).
    parts: Vec<[(BodyId, u32); 2]>,
}

impl Exclusions {
    /// `bodies` holds pairs of ids.
    pub fn new(bodies: &[[u64; 2]], surfaces: &[[i32; 2]]) -> Self {
        let bodies: Vec<[BodyId; 2]> = bodies.iter().map(|pair| pair.map(BodyId)).collect();
        Exclusions { bodies: sorted(&bodies), surfaces: sorted(surfaces), parts: Vec::new() }
    }

    /// With these parts: body id and number of one and of the other.
    pub fn with_parts(mut self, parts: &[[u64; 4]]) -> Self {
        // No body has so many parts that a number is cut off.
        let pair = |&[p, a, q, b]: &[u64; 4]| [(BodyId(p), a as u32), (BodyId(q), b as u32)];
        self.parts = sorted(&parts.iter().map(pair).collect::<Vec<_>>());
        self
    }

    /// Whether the same pairs of bodies never touch.
    pub(super) fn same_bodies(&self, other: &Exclusions) -> bool {
        self.bodies == other.bodies
    }

    /// Whether bodies of these ids never touch.
    pub fn bodies(&self, p: BodyId, q: BodyId) -> bool {
        !self.bodies.is_empty() && self.bodies.binary_search(&[p.min(q), p.max(q)]).is_ok()
    }

    /// Whether these parts of two bodies, the one of smaller id first, never touch.
    pub fn parts(&self, objects: &Objects, bodies: [BodyIndex; 2], parts: [ObjectIndex; 2]) -> bool {
        let end = |k: usize| (objects.id(bodies[k]), objects.number(bodies[k], parts[k]));
        let ends = || {
            let [a, b] = [end(0), end(1)];
            [a.min(b), a.max(b)]
        };
        self.has_parts() && self.parts.binary_search(&ends()).is_ok()
    }

    /// Whether parts of bodies never touch one by one.
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Whether these surfaces never touch.
    pub fn surfaces(&self, [p, q]: [i32; 2]) -> bool {
        !self.surfaces.is_empty() && self.surfaces.binary_search(&[p.min(q), p.max(q)]).is_ok()
    }
}

fn sorted<T: Ord + Copy>(pairs: &[[T; 2]]) -> Vec<[T; 2]> {
    let mut pairs: Vec<[T; 2]> = pairs.iter().map(|&[p, q]| [p.min(q), p.max(q)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Whose bodies are looked at, where bodies of several processes are here: a contact belongs to the owner of its moving
/// body of smaller id.
#[derive(Debug, Clone, Copy, Default)]
pub struct Homes<'a> {
    /// Owner of each body; empty: all bodies are of this process.
    pub of_body: &'a [u32],
    pub own: u32,
}

impl Homes<'_> {
    /// Whether contacts between these bodies, the smaller id first, belong to this process.
    pub(super) fn own(&self, objects: &Objects, [i, j]: [BodyIndex; 2]) -> bool {
        let keeper = if objects.is_obstacle(i) { j } else { i };
        self.of_body.get(keeper.index()).is_none_or(|home| *home == self.own)
    }
}

/// The rules of one detection.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Geometric epsilon [m]; the objects must have been placed with the same.
    pub epsilon: f64,
    pub sparsify: Sparsify,
    /// Most contact points of a pair of faces.
    pub points: usize,
    pub excluded: &'a Exclusions,
    /// A contact with a gap of minus this or less breaks off the run [m].
    pub penetration_depth: f64,
    pub materials: &'a [SurfaceMaterial],
    /// Whether the time is exactly 0: contacts born now on cohesive surfaces bond.
    pub bonding: bool,
    /// Whether contacts that bore a force stay when their objects have parted: in quasi-statics, where the next step may
    /// close them again.
    pub bearing_stay: bool,
    /// `--compat sparsify`.
    pub compat_sparsify: bool,
    pub homes: Homes<'a>,
}

impl<'a> Rules<'a> {
    /// The rules of these settings at a time other than 0, without legacy switches.
    pub fn new(settings: &Settings, excluded: &'a Exclusions, materials: &'a [SurfaceMaterial]) -> Self {
        Rules {
            epsilon: settings.epsilon,
            sparsify: settings.sparsify,
            points: settings.contact_points as usize,
            excluded,
            penetration_depth: settings.penetration_depth,
            materials,
            bonding: false,
            bearing_stay: false,
            compat_sparsify: false,
            homes: Homes::default(),
        }
    }
}

/// Looks surface materials up; remembers the last pair, which is mostly the next.
#[derive(Debug, Clone, Default)]
pub struct Lookup {
    last: Option<([i32; 2], u32)>,
    /// Surface pairs for which two single-surface entries compete, ascending.
    pub ambiguous: Vec<[i32; 2]>,
}

impl Lookup {
    /// Forgets everything: the table may have changed.
    pub fn clear(&mut self) {
        self.last = None;
        self.ambiguous.clear();
    }

    /// Row of the material of a pair of surfaces.
    pub fn row(&mut self, table: &[SurfaceMaterial], surf: [i32; 2]) -> u32 {
        if let Some((_, row)) = self.last.filter(|(pair, _)| *pair == surf) {
            return row;
        }
        let (row, ambiguous) = lookup(table, surf[0], surf[1]);
        if ambiguous {
            let pair = [surf[0].min(surf[1]), surf[0].max(surf[1])];
            if let Err(place) = self.ambiguous.binary_search(&pair) {
                self.ambiguous.insert(place, pair);
            }
        }
        self.last = Some((surf, row as u32));
        row as u32
    }
}

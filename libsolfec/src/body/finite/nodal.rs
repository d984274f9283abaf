//! The inverse of a matrix between the nodes that contacts have reached. A body in the co-rotational formulation keeps it
//! as long as its factor: contacts that move over the same nodes cost no further solves.

use rayon::prelude::*;

use super::factor::Factor;
use super::half::{HalfSolved, GROUP};
use super::weights::Weights;
use crate::math::Mat3;

/// Nodes that are kept beyond those in use: this many times as many, and a few.
const SPARE: usize = 4;
const FEW: usize = 64;
/// No slot.
const NONE: u32 = u32::MAX;

/// Blocks of the inverse between two groups of nodes.
type Tile = [[Mat3; GROUP]; GROUP];

#[derive(Default)]
pub struct Nodal {
    /// Of each node, its slot.
    slot: Vec<u32>,
    groups: Vec<HalfSolved>,
    /// Of group g with group h ≤ g: at g (g + 1) / 2 + h.
    tiles: Vec<Tile>,
}

impl Nodal {
    /// The factor has changed.
    pub fn clear(&mut self) {
        *self = Nodal::default();
    }

    /// Makes all blocks between the nodes of these points.
    pub fn reach(&mut self, factor: &Factor, nodes: usize, points: &[Weights]) {
        let mut wanted: Vec<u32> = points.iter().flat_map(|w| w.entries().map(|(node, _)| node as u32)).collect();
        // Neighbours in the order of elimination share most of their paths.
        wanted.sort_unstable_by_key(|node| factor.place(*node));
        wanted.dedup();
        if self.groups.len() * GROUP > SPARE * wanted.len() + FEW {
            self.clear();
        }
        self.slot.resize(nodes, NONE);
        wanted.retain(|node| self.slot[*node as usize] == NONE);
        let known = self.groups.len();
        for (k, group) in wanted.chunks(GROUP).enumerate() {
            let first = ((known + k) * GROUP) as u32;
            (first..).zip(group).for_each(|(slot, node)| self.slot[*node as usize] = slot);
        }
        let solve = |scratch: &mut Vec<_>, group: &[u32]| factor.half_solve(group, scratch);
        self.groups.par_extend(wanted.par_chunks(GROUP).map_init(Vec::new, solve));
        let groups = &self.groups;
        let row = |g: usize| (0..=g).into_par_iter().map(move |h| groups[g].product(&groups[h]));
        self.tiles.par_extend((known..groups.len()).into_par_iter().flat_map(row));
    }

    /// The response of a point to unit forces at all slots.
    pub fn responses(&self, point: &Weights, out: &mut Vec<Mat3>) {
        out.clear();
        out.resize(self.groups.len() * GROUP, Mat3::zeros());
        for (node, weight) in point.entries() {
            let slot = self.slot[node] as usize;
            let (own, a) = (slot / GROUP, slot % GROUP);
            for (other, out) in out.chunks_exact_mut(GROUP).enumerate() {
                let tile = self.tile(own, other);
                for (b, out) in out.iter_mut().enumerate() {
                    *out += if own >= other { tile[a][b] } else { tile[b][a].transpose() } * weight;
                }
            }
        }
    }

    /// Of these responses, that to unit forces at another point.
    pub fn at(&self, point: &Weights, responses: &[Mat3]) -> Mat3 {
        point.entries().map(|(node, weight)| responses[self.slot[node] as usize] * weight).sum()
    }

    fn tile(&self, g: usize, h: usize) -> &Tile {
        let (high, low) = (g.max(h), g.min(h));
        &self.tiles[high * (high + 1) / 2 + low]
    }
}

//! Colours of pair blocks: within a colour no two blocks share a dynamic body, so their order and threads are
//! irrelevant.

use rayon::prelude::*;

use crate::ids::{BodyId, Slot};

/// All constraints of one body pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Ids of the two bodies, as in the contact key.
    pub key: [BodyId; 2],
    /// Slots of the dynamic bodies among them, [`Slot::NONE`] for what does not move or is counted already.
    pub slots: [Slot; 2],
}

/// Colour of a pair that found no free colour among the first 64; such pairs are swept one after another.
pub const TAIL: u8 = 64;

/// A colouring with kept memory. The colour of a pair depends on keys and bodies only, not on threads: greedy in order
/// of falling (hash of key, key), which is what Jones–Plassmann with this priority finds.
#[derive(Debug, Clone, Default)]
pub struct Colouring {
    pairs: Vec<Pair>,
    colours: Vec<u8>,
    priority: Vec<(u64, u32)>,
    used: Vec<u64>,
}

impl Colouring {
    /// Colours of `pairs` (keys distinct and ascending) on `slots` dynamic bodies; those of the last call when pairs
    /// are the same.
    pub fn colour(&mut self, pairs: &[Pair], slots: usize) -> &[u8] {
        if pairs != self.pairs {
            self.pairs.clear();
            self.pairs.extend_from_slice(pairs);
            self.greedy(slots);
        }
        &self.colours
    }

    fn greedy(&mut self, slots: usize) {
        self.priority.clear();
        let keys = self.pairs.iter().zip(0..);
        self.priority.extend(keys.map(|(pair, i)| (hash(pair.key), i)));
        self.priority.par_sort_unstable_by(|a, b| b.cmp(a));
        self.used.clear();
        self.used.resize(slots, 0);
        self.colours.clear();
        self.colours.resize(self.pairs.len(), TAIL);
        for &(_, i) in &self.priority {
            let slots = self.pairs[i as usize].slots;
            let bodies = slots.iter().filter(|&&s| s != Slot::NONE);
            let taken = bodies.clone().fold(0, |mask, &s| mask | self.used[s.index()]);
            let colour = taken.trailing_ones();
            if colour < u64::BITS {
                for &s in bodies {
                    self.used[s.index()] |= 1 << colour;
                }
                self.colours[i as usize] = colour as u8;
            }
        }
    }
}

/// A fixed 64-bit mix of a pair key (two rounds of the finaliser of splitmix64; Steele, Lea, Flood 2014).
fn hash([a, b]: [BodyId; 2]) -> u64 {
    let mix = |mut x: u64| {
        x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    mix(mix(a.0) ^ b.0)
}

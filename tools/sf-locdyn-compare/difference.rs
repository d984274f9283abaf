//! How far quantities of matched rows are from each other.

use std::collections::BTreeMap;

use clap::ValueEnum;
use solfec::dynamics::BlockSparse;
use solfec::math::Vec3;

use super::matching::{base_distance, Matching, Pair};
use super::side::Side;

/// What can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Quantity {
    #[value(name = "W")]
    W,
    #[value(name = "B")]
    B,
    #[value(name = "V")]
    V,
    #[value(name = "U")]
    U,
    #[value(name = "R")]
    R,
    #[value(name = "base")]
    Base,
    #[value(name = "mu")]
    Friction,
}

impl Quantity {
    pub const ALL: [Quantity; 7] =
        [Quantity::W, Quantity::B, Quantity::V, Quantity::U, Quantity::R, Quantity::Base, Quantity::Friction];

    pub fn name(self) -> &'static str {
        ["W", "B", "V", "U", "R", "base", "mu"][self as usize]
    }

    /// Whether the file has it.
    pub fn is_in(self, side: &Side) -> bool {
        match self {
            Quantity::W => true,
            Quantity::Base => side.places.is_some(),
            Quantity::Friction => side.friction.is_some(),
            Quantity::B | Quantity::V | Quantity::U | Quantity::R => self.vectors(side).is_some(),
        }
    }

    fn vectors(self, side: &Side) -> Option<&Vec<Vec3>> {
        match self {
            Quantity::B => side.free.as_ref(),
            Quantity::V => side.previous.as_ref(),
            Quantity::U => side.u.as_ref(),
            Quantity::R => side.r.as_ref(),
            Quantity::W | Quantity::Base | Quantity::Friction => None,
        }
    }
}

/// A difference and what is allowed of it, at a row of the first file and, for W, at a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Miss {
    pub size: f64,
    pub allowed: f64,
    pub row: usize,
    pub column: Option<usize>,
}

impl Miss {
    pub fn same(&self) -> bool {
        self.size <= self.allowed
    }
}

/// All differences of one quantity.
#[derive(Debug, Clone)]
pub struct Difference {
    pub quantity: Quantity,
    pub misses: Vec<Miss>,
}

impl Difference {
    pub fn same(&self) -> bool {
        self.misses.iter().all(Miss::same)
    }

    pub fn max(&self) -> f64 {
        self.misses.iter().fold(0.0, |max, m| max.max(m.size))
    }

    pub fn rms(&self) -> f64 {
        let sum: f64 = self.misses.iter().map(|m| m.size * m.size).sum();
        (sum / self.misses.len().max(1) as f64).sqrt()
    }

    /// Those beyond what is allowed, the worst first.
    pub fn worst(&self, top: usize) -> Vec<Miss> {
        let mut beyond: Vec<Miss> = self.misses.iter().filter(|m| !m.same()).copied().collect();
        beyond.sort_by(|p, q| q.size.total_cmp(&p.size));
        beyond.truncate(top);
        beyond
    }
}

/// Tolerances: `absolute + relative · scale`.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

/// The differences of a quantity that both files have. The scale of a vector is the largest of its kind in both files,
/// that of a block of W `√(|W_αα||W_ββ|)`, that of bases and friction 1.
pub fn difference(quantity: Quantity, sides: &[Side; 2], matching: &Matching, tolerance: Tolerance) -> Difference {
    let allowed = |scale: f64| tolerance.absolute + tolerance.relative * scale;
    let misses = match (quantity, sides.each_ref().map(|s| quantity.vectors(s))) {
        (_, [Some(a), Some(b)]) => {
            let scale = a.iter().chain(b).fold(0.0, |max: f64, x| max.max(x.norm()));
            let miss = |p: &Pair| Miss {
                size: (a[p.a] - p.turn * b[p.b]).norm(),
                allowed: allowed(scale),
                row: p.a,
                column: None,
            };
            matching.pairs.iter().map(miss).collect()
        }
        (Quantity::W, _) => blocks(sides, matching, allowed),
        (Quantity::Base, _) => match sides.each_ref().map(|s| s.places.as_ref()) {
            [Some(a), Some(b)] => {
                let size = |p: &Pair| base_distance(&a[p.a], &b[p.b]);
                scalars(matching, size, allowed(1.0))
            }
            _ => Vec::new(),
        },
        (Quantity::B | Quantity::V | Quantity::U | Quantity::R, _) => Vec::new(),
        (Quantity::Friction, _) => match sides.each_ref().map(|s| s.friction.as_ref()) {
            [Some(a), Some(b)] => {
                // Rows after the contacts have none.
                let at = |mu: &Vec<f64>, k: usize| mu.get(k).copied().unwrap_or(0.0);
                scalars(matching, |p| (at(a, p.a) - at(b, p.b)).abs(), allowed(1.0))
            }
            _ => Vec::new(),
        },
    };
    Difference { quantity, misses }
}

fn scalars(matching: &Matching, size: impl Fn(&Pair) -> f64, allowed: f64) -> Vec<Miss> {
    matching.pairs.iter().map(|p| Miss { size: size(p), allowed, row: p.a, column: None }).collect()
}

/// Blocks between matched rows; one that is not stored is zero.
fn blocks(sides: &[Side; 2], matching: &Matching, allowed: impl Fn(f64) -> f64) -> Vec<Miss> {
    let pair_of: [BTreeMap<usize, &Pair>; 2] =
        [matching.pairs.iter().map(|p| (p.a, p)).collect(), matching.pairs.iter().map(|p| (p.b, p)).collect()];
    let own = |w: &BlockSparse, i: usize| w.get(i, i).map_or(0.0, |block| block.norm());
    let scale = |p: &Pair| own(&sides[0].w, p.a).max(own(&sides[1].w, p.b));
    let mut misses = Vec::new();
    for row in &matching.pairs {
        let mut blocks = BTreeMap::new();
        for (j, block) in sides[0].w.row(row.a) {
            if let Some(p) = pair_of[0].get(&j) {
                blocks.insert(p.a, (*p, *block));
            }
        }
        for (j, block) in sides[1].w.row(row.b) {
            if let Some(p) = pair_of[1].get(&j) {
                let turned = row.turn * block * p.turn.transpose();
                blocks.entry(p.a).and_modify(|(_, sum)| *sum -= turned).or_insert((*p, -turned));
            }
        }
        misses.extend(blocks.into_iter().map(|(column, (p, miss))| Miss {
            size: miss.norm(),
            allowed: allowed((scale(row) * scale(p)).sqrt()),
            row: row.a,
            column: Some(column),
        }));
    }
    misses
}

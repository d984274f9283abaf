//! Packings of balls or grains that do not overlap: random sequential addition (Widom 1966), the largest first. A grain
//! is the hull of random points on its ball, so grains overlap no more than balls do.

use super::random::Random;
use crate::math::Vec3;
use crate::shape::{Convex, Shape, Sphere};
use crate::{Error, Result};

/// Where a packing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The whole box.
    Box,
    /// The upright cylinder in the middle of the box, as wide as its narrower side.
    Cylinder,
}

/// What it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    Ball,
    /// Convex polyhedra, the hull of this many points.
    Stone(usize),
}

/// A packing to be made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packing {
    pub count: usize,
    /// The least and the greatest radius; all between are alike [m].
    pub radii: [f64; 2],
    /// Opposite corners [m].
    pub low: Vec3,
    pub high: Vec3,
    pub region: Region,
    pub grain: Grain,
    /// Least distance between two, and from the walls [m].
    pub gap: f64,
    pub seed: u64,
    pub volid: i32,
    pub surfid: i32,
}

/// Places that are tried for one grain before the region counts as full.
const TRIES: usize = 20_000;
/// Cells of the grid in which neighbours are looked for, at most.
const MOST_CELLS: f64 = 1e6;
/// A stone has at least so many points.
const LEAST_POINTS: usize = 4;

/// The shapes of a packing, the largest first. The same seed gives the same shapes on every machine.
///
/// # Errors
/// Numbers that are not finite or not positive, a region too small for one grain, or too full: the text says how many
/// found a place.
pub fn packing(packing: &Packing) -> Result<Vec<Shape>> {
    check(packing)?;
    let mut random = Random::new(packing.seed);
    let [least, most] = packing.radii;
    let mut radii: Vec<f64> = (0..packing.count).map(|_| least + (most - least) * random.unit()).collect();
    radii.sort_by(|a, b| b.total_cmp(a));
    let mut grid = Grid::new(packing);
    let mut shapes = Vec::with_capacity(packing.count);
    for (k, radius) in radii.into_iter().enumerate() {
        let Some(center) = (0..TRIES).find_map(|_| grid.place(packing, &mut random, radius)) else {
            return Err(Error::input(format!(
                "{k} of {} grains found a place, and {TRIES} places for the next one are taken: give fewer or smaller \
                 grains, or a larger region",
                packing.count
            )));
        };
        shapes.push(match packing.grain {
            Grain::Ball => Shape::new(Sphere::new(center, radius, packing.volid, packing.surfid)?),
            Grain::Stone(points) => Shape::new(stone(packing, &mut random, center, radius, points)?),
        });
    }
    Ok(shapes)
}

/// A hull that has its centre inside: points on all sides of it.
fn stone(packing: &Packing, random: &mut Random, center: Vec3, radius: f64, points: usize) -> Result<Convex> {
    // Four points of a regular tetrahedron, turned, then any.
    let first = random.direction();
    let across = first.cross(&random.direction()).try_normalize(0.0).unwrap_or_else(Vec3::x);
    let third = first.cross(&across);
    let tetrahedron = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]];
    let turned = |[a, b, c]: [f64; 3]| (first * a + across * b + third * c) / 3f64.sqrt();
    let corners = tetrahedron.map(turned).into_iter().chain((LEAST_POINTS..points).map(|_| random.direction()));
    let places: Vec<Vec3> = corners.map(|u| center + u * radius).collect();
    Convex::hull(&places, packing.volid, packing.surfid)
}

fn check(packing: &Packing) -> Result<()> {
    let [least, most] = packing.radii;
    if !(least > 0.0 && most >= least && most.is_finite()) {
        return Err(Error::input(format!(
            "radii of the packing are {least} and {most}: give a least and a greatest one"
        )));
    }
    if packing.count == 0 {
        return Err(Error::input("the packing has no grains: give a positive number"));
    }
    if !(packing.gap >= 0.0 && packing.gap.is_finite()) {
        return Err(Error::input(format!("gap of the packing is {}: give a length that is not negative", packing.gap)));
    }
    if let Grain::Stone(points) = packing.grain {
        if points < LEAST_POINTS {
            return Err(Error::input(format!("stones are the hull of {points} points: give at least {LEAST_POINTS}")));
        }
    }
    let sides = packing.high - packing.low;
    if !(sides.min() >= 2.0 * (most + packing.gap) && sides.iter().all(|s| s.is_finite())) {
        let (x, y, z) = (sides.x, sides.y, sides.z);
        return Err(Error::input(format!(
            "sides of the box are ({x}, {y}, {z}): too small for a grain of radius {most}"
        )));
    }
    let room = sides.product();
    if packing.count as f64 * least.powi(3) * std::f64::consts::PI * 4.0 / 3.0 > room {
        let count = packing.count;
        return Err(Error::input(format!(
            "{count} balls of radius {least} have more volume than the box: give fewer or smaller grains"
        )));
    }
    Ok(())
}

/// Balls by the cells of a grid as wide as the largest of them.
struct Grid {
    low: Vec3,
    width: f64,
    counts: [usize; 3],
    cells: Vec<Vec<(Vec3, f64)>>,
}

impl Grid {
    fn new(packing: &Packing) -> Grid {
        let sides = packing.high - packing.low;
        let mut width = 2.0 * packing.radii[1] + packing.gap;
        while (sides / width).map(|n| n.floor() + 1.0).product() > MOST_CELLS {
            width *= 2.0;
        }
        let counts = [0, 1, 2].map(|i| (sides[i] / width) as usize + 1);
        Grid { low: packing.low, width, counts, cells: vec![Vec::new(); counts.iter().product()] }
    }

    /// A random place, if the ball fits there.
    fn place(&mut self, packing: &Packing, random: &mut Random, radius: f64) -> Option<Vec3> {
        let wall = Vec3::repeat(radius + packing.gap);
        let x = random.within(&(packing.low + wall), &(packing.high - wall));
        if packing.region == Region::Cylinder {
            let (middle, sides) = (0.5 * (packing.low + packing.high), packing.high - packing.low);
            let room = 0.5 * sides.x.min(sides.y) - radius - packing.gap;
            if (x - middle).xy().norm_squared() > room * room {
                return None;
            }
        }
        let at = [0, 1, 2].map(|i| (((x[i] - self.low[i]) / self.width) as usize).min(self.counts[i] - 1));
        let near = |i: usize| at[i].saturating_sub(1)..(at[i] + 2).min(self.counts[i]);
        for a in near(0) {
            for b in near(1) {
                for c in near(2) {
                    let meets = |(y, other): &(Vec3, f64)| {
                        let least = radius + other + packing.gap;
                        (x - y).norm_squared() < least * least
                    };
                    if self.cells[(a * self.counts[1] + b) * self.counts[2] + c].iter().any(meets) {
                        return None;
                    }
                }
            }
        }
        self.cells[(at[0] * self.counts[1] + at[1]) * self.counts[2] + at[2]].push((x, radius));
        Some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(region: Region, grain: Grain) -> Packing {
        Packing {
            count: 150,
            radii: [0.05, 0.09],
            low: Vec3::new(-0.5, -0.6, 1.0),
            high: Vec3::new(0.5, 0.6, 2.0),
            region,
            grain,
            gap: 0.002,
            seed: 7,
            volid: 3,
            surfid: 4,
        }
    }

    /// Distances between balls and from walls, by all pairs.
    #[test]
    fn balls_keep_their_distance() {
        for region in [Region::Box, Region::Cylinder] {
            let wanted = Packing { count: 100, ..wanted(region, Grain::Ball) };
            let balls: Vec<Sphere> =
                packing(&wanted).unwrap().iter().map(|shape| *shape.geometry.sphere().unwrap()).collect();
            assert_eq!(balls.len(), 100);
            for (k, a) in balls.iter().enumerate() {
                assert!((0.05..=0.09).contains(&a.radius) && (a.volid, a.surfid) == (3, 4));
                let inside = (a.center - wanted.low).min().min((wanted.high - a.center).min());
                assert!(inside >= a.radius + wanted.gap - 1e-15);
                let axis = 0.5 - a.center.xy().norm();
                assert!(region == Region::Box || axis >= a.radius + wanted.gap - 1e-15);
                for b in &balls[..k] {
                    assert!((a.center - b.center).norm() >= a.radius + b.radius + wanted.gap - 1e-15);
                    assert!(a.radius <= b.radius);
                }
            }
        }
    }

    #[test]
    fn stones_lie_in_their_balls_and_hold_their_centres() {
        let balls = packing(&wanted(Region::Box, Grain::Ball)).unwrap();
        let stones = packing(&wanted(Region::Box, Grain::Stone(12))).unwrap();
        assert_eq!(stones.len(), balls.len());
        for stone in &stones {
            let convex = stone.geometry.convex().unwrap();
            assert!(convex.vertices.len() >= 4 && convex.vertices.len() <= 12);
            let inside = convex.integrals();
            assert!(inside.volume > 0.12 * 4.0 / 3.0 * std::f64::consts::PI * 0.05f64.powi(3));
        }
    }

    /// The same places everywhere: bits of the first ball of a seed, and another seed gives others.
    #[test]
    fn the_seed_decides() {
        let first = |seed: u64| {
            let shapes = packing(&Packing { count: 3, seed, ..wanted(Region::Box, Grain::Ball) }).unwrap();
            *shapes[0].geometry.sphere().unwrap()
        };
        assert_eq!(first(7), first(7));
        assert_ne!(first(7), first(8));
        let ball = first(7);
        assert_eq!([ball.radius, ball.center.x].map(f64::to_bits), BITS, "{ball:?}");
    }

    const BITS: [u64; 2] = [4590863566263001264, 4589588081099838432];

    #[test]
    fn a_full_region_says_how_many_found_a_place() {
        let full = Packing { count: 250, radii: [0.1, 0.1], ..wanted(Region::Box, Grain::Ball) };
        let error = packing(&full).unwrap_err().to_string();
        assert!(error.contains(" of 250 grains found a place"), "{error}");
        let absurd = Packing { count: usize::MAX, ..full };
        assert!(packing(&absurd).unwrap_err().to_string().contains("more volume than the box"));
        let small = Packing { radii: [0.1, 0.9], ..full };
        assert!(packing(&small).unwrap_err().to_string().contains("too small for a grain of radius 0.9"));
    }
}

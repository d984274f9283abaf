//! Domains: which rank has which part of space, by recursive coordinate bisection (Berger and Bokhari 1987). Planes
//! normal to the coordinate axes halve the weight of points again and again; points anywhere, also new ones, belong to
//! the rank on whose side of all planes they are.

mod balance;

pub use balance::{imbalance, Balance, EndWeight};

use crate::comm::{self, Communicator};
use crate::math::Vec3;

/// Bisections of an interval in search of a plane: down to the last bit of its place.
const BISECTIONS: usize = 60;

/// Planes are tilted by so much, so that points in rows and columns come to them one after another.
const TILT: f64 = 1.0 / 64.0;

/// A plane: points whose tilted coordinate `axis` is below `at` are on its lower side.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plane {
    axis: usize,
    at: f64,
}

/// The planes between the domains of a number of ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct Cuts {
    ranks: usize,
    /// Plane `k` parts what plane `⌊k/2⌋` left; plane 1 is the first.
    planes: Vec<Plane>,
}

crate::table! {
    /// Planes of [`Cuts`].
    pub struct PlaneColumns("planes between processes", "q") {
        axis: u8 = "cuts/axis", "1", "axis along which space is cut, of the tilted coordinates";
        at: f64 = "cuts/at", "m", "where";
    }
}

/// A part of space that has not been cut for all of its ranks yet.
#[derive(Debug, Clone, Copy)]
struct Region {
    /// Its plane.
    plane: usize,
    low: usize,
    high: usize,
}

impl Region {
    fn middle(&self) -> usize {
        self.low + (self.high - self.low) / 2
    }

    /// The sides of its plane.
    fn sides(&self) -> [Region; 2] {
        let Region { plane, low, high } = *self;
        let middle = self.middle();
        [Region { plane: 2 * plane, low, high: middle }, Region { plane: 2 * plane + 1, low: middle, high }]
    }
}

impl Cuts {
    /// Cuts that were stored; `None` if these are no planes between so many ranks.
    pub fn of(ranks: usize, columns: &PlaneColumns) -> Option<Cuts> {
        let planes = columns.axis.iter().zip(&columns.at);
        let planes: Vec<Plane> = planes.map(|(axis, at)| Plane { axis: usize::from(*axis), at: *at }).collect();
        let whole = planes.len() == planes_between(ranks) && planes.iter().all(|plane| plane.axis < 3);
        whole.then_some(Cuts { ranks, planes })
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// To be stored.
    pub fn columns(&self) -> PlaneColumns {
        PlaneColumns {
            axis: self.planes.iter().map(|plane| plane.axis as u8).collect(),
            at: self.planes.iter().map(|plane| plane.at).collect(),
        }
    }

    /// Cuts for all ranks of `comm`; `points` are those of this rank, with weights. Collective.
    pub fn find(comm: &dyn Communicator, points: &[(Vec3, f64)]) -> Cuts {
        let points: &[(Vec3, f64)] = &points.iter().map(|(point, weight)| (tilted(point), *weight)).collect::<Vec<_>>();
        let ranks = comm.size();
        let mut cuts = Cuts { ranks, planes: vec![Plane { axis: 0, at: 0.0 }; planes_between(ranks)] };
        let mut regions = vec![Region { plane: 1, low: 0, high: ranks }];
        let mut region_of = vec![0; points.len()];
        loop {
            regions.retain(|region| region.high - region.low > 1);
            if regions.is_empty() {
                return cuts;
            }
            for (at, (point, _)) in region_of.iter_mut().zip(points) {
                *at = regions.iter().position(|region| cuts.plane(point, region)).unwrap_or(usize::MAX);
            }
            cuts.cut(comm, points, &region_of, &regions);
            regions = regions.iter().flat_map(Region::sides).collect();
        }
    }

    /// Whether a point comes to the plane of this region.
    fn plane(&self, point: &Vec3, region: &Region) -> bool {
        let mut plane = region.plane;
        while plane > 1 {
            let above = plane % 2 == 1;
            plane /= 2;
            if above != self.above(point, plane) {
                return false;
            }
        }
        true
    }

    fn above(&self, point: &Vec3, plane: usize) -> bool {
        let Plane { axis, at } = self.planes[plane];
        point[axis] >= at
    }

    /// Cuts regions along the longest side of the box of their points, all at once.
    fn cut(&mut self, comm: &dyn Communicator, points: &[(Vec3, f64)], region_of: &[usize], regions: &[Region]) {
        // Largest of -x, -y, -z, x, y, z.
        let mut boxes = vec![f64::NEG_INFINITY; 6 * regions.len()];
        let mut weights = vec![0.0; regions.len()];
        let inside = || points.iter().zip(region_of).filter(|(_, region)| **region < regions.len());
        for ((point, weight), &region) in inside() {
            weights[region] += weight;
            let bounds = &mut boxes[6 * region..6 * region + 6];
            (0..3).for_each(|k| (bounds[k], bounds[k + 3]) = (bounds[k].max(-point[k]), bounds[k + 3].max(point[k])));
        }
        comm::largest_each(comm, &mut boxes);
        comm::sum_each(comm, &mut weights);
        let mut ends = Vec::with_capacity(regions.len());
        for (region, bounds) in regions.iter().zip(boxes.chunks_exact(6)) {
            let side = |k: &usize| bounds[*k + 3] + bounds[*k];
            let axis = (0..3).fold(0, |best, k| if side(&k) > side(&best) { k } else { best });
            self.planes[region.plane].axis = axis;
            // A plane at the first end has no point below it, one at the second all.
            ends.push(if side(&axis) >= 0.0 { [-bounds[axis], bounds[axis + 3].next_up()] } else { [0.0; 2] });
        }
        let mut below_ends: Vec<[f64; 2]> = weights.iter().map(|weight| [0.0, *weight]).collect();
        let wanted = |k: usize| {
            let share = (regions[k].middle() - regions[k].low) as f64 / (regions[k].high - regions[k].low) as f64;
            share * weights[k]
        };
        for _ in 0..BISECTIONS {
            for (region, [low, high]) in regions.iter().zip(&ends) {
                self.planes[region.plane].at = 0.5 * (low + high);
            }
            let mut below = vec![0.0; regions.len()];
            for ((point, weight), &region) in inside() {
                below[region] += if self.above(point, regions[region].plane) { 0.0 } else { *weight };
            }
            comm::sum_each(comm, &mut below);
            for (k, region) in regions.iter().enumerate() {
                let side = usize::from(below[k] > wanted(k));
                (ends[k][side], below_ends[k][side]) = (self.planes[region.plane].at, below[k]);
            }
        }
        for (k, region) in regions.iter().enumerate() {
            let [few, many] = below_ends[k].map(|below| (below - wanted(k)).abs());
            self.planes[region.plane].at = ends[k][usize::from(many < few)];
        }
        // In the middle between the points on both sides, so that small motions bring none across.
        let mut nearest = vec![f64::NEG_INFINITY; 2 * regions.len()];
        for ((point, _), &region) in inside() {
            let plane = regions[region].plane;
            let (at, side) = (point[self.planes[plane].axis], usize::from(self.above(point, plane)));
            let near = &mut nearest[2 * region + side];
            *near = near.max([at, -at][side]);
        }
        comm::largest_each(comm, &mut nearest);
        for (region, near) in regions.iter().zip(nearest.chunks_exact(2)) {
            let middle = 0.5 * (near[0] - near[1]);
            if middle.is_finite() && middle > near[0] {
                self.planes[region.plane].at = middle;
            }
        }
    }

    /// The rank to which a point belongs.
    pub fn owner(&self, point: &Vec3) -> usize {
        let point = &tilted(point);
        let mut region = Region { plane: 1, low: 0, high: self.ranks };
        while region.high - region.low > 1 {
            let [below, above] = region.sides();
            region = if self.above(point, region.plane) { above } else { below };
        }
        region.low
    }
}

/// Length of the list of planes; not all are used.
fn planes_between(ranks: usize) -> usize {
    2 * ranks.next_power_of_two()
}

/// Coordinates along axes that are tilted towards the next two.
fn tilted(point: &Vec3) -> Vec3 {
    point + TILT * (point.yzx() + TILT * point.zxy())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::{Alone, InProcess};

    /// Cuts that all ranks of a world find, each with its share of the points.
    fn cuts(ranks: usize, points: &[(Vec3, f64)]) -> Cuts {
        let world = InProcess::world(ranks);
        let found: Vec<Cuts> = std::thread::scope(|scope| {
            let find = |comm: &InProcess| {
                let own: Vec<_> = points.iter().copied().skip(comm.rank()).step_by(ranks).collect();
                Cuts::find(comm, &own)
            };
            let threads: Vec<_> = world.iter().map(|comm| scope.spawn(move || find(comm))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a rank ends")).collect()
        });
        assert!(found.iter().all(|cuts| *cuts == found[0]), "ranks differ");
        found.into_iter().next().expect("a rank")
    }

    fn weights(ranks: usize, points: &[(Vec3, f64)]) -> Vec<f64> {
        let cuts = cuts(ranks, points);
        let mut weights = vec![0.0; ranks];
        points.iter().for_each(|(point, weight)| weights[cuts.owner(point)] += weight);
        weights
    }

    #[test]
    fn scattered_points_are_cut_into_equal_weights_for_any_number_of_ranks() {
        let mut seed = 1_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let points: Vec<_> =
            (0..3000).map(|_| (Vec3::new(number(), 3.0 * number(), number()), 0.5 + number())).collect();
        let all: f64 = points.iter().map(|(_, weight)| weight).sum();
        for ranks in 1..=17 {
            let share = all / ranks as f64;
            let weights = weights(ranks, &points);
            // Each of the cuts on the way is off by one point at most.
            assert!(weights.iter().all(|weight| (weight - share).abs() <= 5.0 * 1.5), "{ranks}: {weights:?}");
        }
    }

    #[test]
    fn points_in_a_grid_are_parted_evenly() {
        let along = |k: i32, n: i32| f64::from(k % n);
        let grids = [
            (0..36).map(|k| Vec3::new(along(k, 6), along(k / 6, 6), 0.0)).collect::<Vec<_>>(),
            (0..125).map(|k| Vec3::new(along(k, 5), along(k / 5, 5), along(k / 25, 5))).collect(),
            (0..9).map(|k| Vec3::new(along(k, 3), along(k / 3, 3), 2.0)).collect(),
        ];
        for grid in grids {
            let points: Vec<_> = grid.into_iter().map(|point| (point, 1.0)).collect();
            for ranks in 2..=9 {
                let share = points.len() as f64 / ranks as f64;
                let weights = weights(ranks, &points);
                // Each of the cuts on the way is off by half a point at most.
                assert!(weights.iter().all(|weight| (weight - share).abs() <= 1.5), "{ranks}: {weights:?}");
            }
        }
    }

    #[test]
    fn a_row_is_cut_across_and_a_point_at_a_cut_has_one_owner() {
        let points: Vec<_> = (0..8).map(|k| (Vec3::new(0.0, f64::from(k), 0.0), 1.0)).collect();
        let cuts = cuts(4, &points);
        let owners: Vec<usize> = points.iter().map(|(point, _)| cuts.owner(point)).collect();
        assert_eq!(owners, [0, 0, 1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn no_points_one_point_and_equal_points_have_owners() {
        assert_eq!(Cuts::find(&Alone, &[]).owner(&Vec3::zeros()), 0);
        for points in [vec![], vec![(Vec3::zeros(), 1.0)], vec![(Vec3::new(1.0, 2.0, 3.0), 1.0); 5]] {
            let weights = weights(3, &points);
            assert_eq!(weights.iter().sum::<f64>(), points.len() as f64);
        }
    }
}

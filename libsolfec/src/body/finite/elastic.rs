//! Elastic forces and tangents of a mesh: hexahedra in batches, other elements one by one, and their sums at the nodes in an order that
//! does not depend on the number of threads.

use pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use super::grid::Grid;
use super::hexes::{Batch, Vectors, CORNER};
use super::kernels::{self, Geometric};
use super::lanes::{Lanes, LANES};
use super::laws::Laws;
use super::stiffness::Stiffness;
use super::tangents::{block_of, Tangent, PAIRS};
use crate::math::{Mat3, Vec3};
use crate::shape::ElementKind;

/// Batches above which their forces are found by several threads.
const PARALLEL: usize = 1024;

/// What the elastic forces of a mesh are found from.
#[derive(Debug, Clone)]
pub struct Elastic {
    batches: Vec<Batch>,
    /// Elements of the batches, in their order.
    hexes: Vec<u32>,
    others: Vec<u32>,
    /// Of each node, where its forces stand among those of the batches.
    places: Option<Places>,
    arch: Arch,
}

/// Rows of a matrix of places.
#[derive(Debug, Clone)]
struct Places {
    offset: Vec<u32>,
    place: Vec<u32>,
    /// Forces of the corners of all batches, element by element [N].
    forces: Vec<[Vec3; 8]>,
}

impl Elastic {
    pub fn new(grid: &Grid, laws: &Laws) -> Elastic {
        let all = 0..grid.count() as u32;
        let (hexes, others): (Vec<u32>, Vec<u32>) = all.partition(|e| !laws.vary() && is_plain(grid, *e as usize));
        let batches: Vec<Batch> = hexes.chunks(LANES).map(|elements| Batch::new(grid, elements)).collect();
        let places = (batches.len() > PARALLEL).then(|| Places::new(grid, &batches, hexes.len()));
        let mut elastic = Elastic { batches, hexes, others, places, arch: Arch::new() };
        elastic.set_laws(laws);
        elastic
    }

    /// Materials of the elements have changed.
    pub fn set_laws(&mut self, laws: &Laws) {
        for (batch, elements) in self.batches.iter_mut().zip(self.hexes.chunks(LANES)) {
            elements.iter().enumerate().for_each(|(lane, e)| batch.set_law(lane, &laws.elements()[*e as usize]));
        }
    }

    /// Adds the internal forces of nodes at places `x` [m] to `force` [N], with a sign. Returns the largest norm of the
    /// Green–Lagrange strain at a point of integration.
    pub fn add_forces(&mut self, grid: &Grid, laws: &Laws, x: &[Vec3], sign: f64, force: &mut [Vec3]) -> f64 {
        let strain = match &mut self.places {
            Some(places) if rayon::current_num_threads() > 1 => {
                places.add(self.arch, &self.batches, grid, x, sign, force)
            }
            Some(_) | None => {
                let mut largest = Lanes::ZERO;
                for batch in &self.batches {
                    let (forces, strain) = evaluate(self.arch, batch, grid, x, sign);
                    largest = largest.max(strain);
                    for (nodes, lane) in batch.nodes[..batch.count].iter().zip(0..) {
                        nodes.iter().zip(&forces).for_each(|(node, f)| force[*node as usize] += of_lane(f, lane));
                    }
                }
                largest.largest()
            }
        };
        let others = self.others.iter().map(|e| *e as usize);
        kernels::add_forces(grid, laws, others, x, sign, force).max(strain.sqrt())
    }

    /// Assembles the tangent at places `x` [N/m]; `geometric` is not of the positive part alone.
    pub fn assemble(&self, grid: &Grid, laws: &Laws, x: &[Vec3], geometric: Geometric, stiffness: &mut Stiffness) {
        stiffness.block.fill(Mat3::zeros());
        let mut tangent = [[[Lanes::ZERO; 3]; 3]; PAIRS];
        for (batch, elements) in self.batches.iter().zip(self.hexes.chunks(LANES)) {
            let u = displacements(batch, grid, x);
            self.arch.dispatch(Tangents { batch, u: &u, share: geometric.share, out: &mut tangent });
            for (lane, e) in elements.iter().enumerate() {
                let nodes = &grid.mesh.elements[*e as usize].nodes;
                stiffness.add_element(*e as usize, nodes, |a, b| of_pair(&tangent, a, b, lane));
            }
        }
        stiffness.add_tangents(grid, laws, self.others.iter().map(|e| *e as usize), x, geometric);
    }
}

/// The block of two nodes of an element in its order.
fn of_pair(tangent: &Tangent, a: usize, b: usize, lane: usize) -> Mat3 {
    // The order of corners is its own inverse.
    let (a, b) = (CORNER[a], CORNER[b]);
    let pair = |a: usize, b: usize| a * (17 - a) / 2 + b - a;
    if a <= b {
        block_of(tangent, pair(a, b), lane)
    } else {
        block_of(tangent, pair(b, a), lane).transpose()
    }
}

impl Places {
    fn new(grid: &Grid, batches: &[Batch], elements: usize) -> Places {
        let nodes =
            || batches.iter().flat_map(|batch| &batch.nodes[..batch.count]).flatten().map(|node| *node as usize);
        let mut offset = vec![0; grid.nodes() + 1];
        nodes().for_each(|node| offset[node + 1] += 1);
        (0..grid.nodes()).for_each(|k| offset[k + 1] += offset[k]);
        let mut next = offset.clone();
        let mut place = vec![0; 8 * elements];
        for (k, node) in nodes().enumerate() {
            place[next[node] as usize] = k as u32;
            next[node] += 1;
        }
        Places { offset, place, forces: vec![[Vec3::zeros(); 8]; elements] }
    }

    /// As [`Elastic::add_forces`]: the forces of a node are added in the order of the elements here too. Returns the
    /// square of the largest strain.
    fn add(&mut self, arch: Arch, batches: &[Batch], grid: &Grid, x: &[Vec3], sign: f64, force: &mut [Vec3]) -> f64 {
        let of_batch = |(batch, out): (&Batch, &mut [[Vec3; 8]])| {
            let (forces, strain) = evaluate(arch, batch, grid, x, sign);
            out.iter_mut().enumerate().for_each(|(lane, out)| *out = forces.map(|f| of_lane(&f, lane)));
            strain.largest()
        };
        let all = batches.par_iter().zip(self.forces.par_chunks_mut(LANES)).with_min_len(64);
        let strain = all.map(of_batch).reduce(|| 0.0, f64::max);
        let forces = self.forces.as_flattened();
        force.par_iter_mut().enumerate().with_min_len(1024).for_each(|(node, force)| {
            let places = &self.place[self.offset[node] as usize..self.offset[node + 1] as usize];
            places.iter().for_each(|place| *force += forces[*place as usize]);
        });
        strain
    }
}

/// A whole hexahedron without modes of its own.
fn is_plain(grid: &Grid, e: usize) -> bool {
    let first_order = grid.groups().is_empty();
    first_order && grid.mesh.elements[e].kind == ElementKind::Hex && !grid.is_cut(e) && grid.cell(e).enhanced.is_none()
}

/// Displacements of the corners of a batch.
fn displacements(batch: &Batch, grid: &Grid, x: &[Vec3]) -> [Vectors; 8] {
    let mut u = [[Lanes::ZERO; 3]; 8];
    for (lane, nodes) in batch.nodes.iter().enumerate() {
        for (u, node) in u.iter_mut().zip(nodes) {
            let moved = x[*node as usize] - grid.mesh.nodes[*node as usize];
            (0..3).for_each(|axis| u[axis].0[lane] = moved[axis]);
        }
    }
    u
}

/// Forces of the corners of a batch, in the widest registers of this machine.
fn evaluate(arch: Arch, batch: &Batch, grid: &Grid, x: &[Vec3], sign: f64) -> ([Vectors; 8], Lanes) {
    let u = displacements(batch, grid, x);
    arch.dispatch(OfBatch { batch, u: &u, sign })
}

/// [`Batch::tangents`], as what the registers of a machine are chosen for.
struct Tangents<'a> {
    batch: &'a Batch,
    u: &'a [Vectors; 8],
    share: f64,
    out: &'a mut Tangent,
}

impl NullaryFnOnce for Tangents<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.batch.tangents(self.u, self.share, self.out);
    }
}

/// [`Batch::forces`], as what the registers of a machine are chosen for.
struct OfBatch<'a> {
    batch: &'a Batch,
    u: &'a [Vectors; 8],
    sign: f64,
}

impl NullaryFnOnce for OfBatch<'_> {
    type Output = ([Vectors; 8], Lanes);

    #[inline(always)]
    fn call(self) -> Self::Output {
        self.batch.forces(self.u, self.sign)
    }
}

#[inline(always)]
fn of_lane(vectors: &Vectors, lane: usize) -> Vec3 {
    Vec3::new(vectors[0].0[lane], vectors[1].0[lane], vectors[2].0[lane])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::kirchhoff::Kirchhoff;
    use crate::shape::Mesh;

    /// Hexahedra that are warped at random, with two materials.
    fn warped(counts: [usize; 3]) -> (Grid, Laws, impl FnMut() -> f64) {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mut mesh = Mesh::hex(&corners, counts, 1, &[1; 6], [None; 3]).expect("a mesh");
        let size = 0.3 / counts.into_iter().max().unwrap_or(1) as f64;
        mesh.nodes.iter_mut().for_each(|x| *x += Vec3::from_fn(|_, _| random()) * size);
        let grid = Grid::new("a box", mesh).expect("a grid");
        let law = |e: usize| Kirchhoff::new(1e3 + 500.0 * (e % 3) as f64, 0.3);
        let laws = (0..grid.mesh.elements.len()).map(law).collect::<Vec<_>>().into();
        (grid, laws, random)
    }

    #[test]
    fn batches_have_the_forces_of_single_elements() {
        let (grid, laws, mut random) = warped([3, 5, 2]);
        let x: Vec<Vec3> = grid.mesh.nodes.iter().map(|x| x + Vec3::from_fn(|_, _| 0.1 * random())).collect();
        let (mut found, mut expected) = (vec![Vec3::zeros(); x.len()], vec![Vec3::zeros(); x.len()]);
        let strain = Elastic::new(&grid, &laws).add_forces(&grid, &laws, &x, -1.0, &mut found);
        let same = kernels::add_forces(&grid, &laws, 0..laws.elements().len(), &x, -1.0, &mut expected);
        let scale = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!((strain - same).abs() < 1e-13 * same, "strain {strain}, not {same}");
        for (node, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!((found - expected).norm() < 1e-13 * scale, "node {node}: {found}, not {expected}");
        }
    }

    #[test]
    fn batches_have_the_tangents_of_single_elements() {
        let (grid, laws, mut random) = warped([3, 5, 2]);
        let x: Vec<Vec3> = grid.mesh.nodes.iter().map(|x| x + Vec3::from_fn(|_, _| 0.1 * random())).collect();
        let (mut found, mut expected) = (Stiffness::new(&grid), Stiffness::new(&grid));
        let geometric = Geometric { share: 0.7, positive: false };
        Elastic::new(&grid, &laws).assemble(&grid, &laws, &x, geometric, &mut found);
        expected.assemble(&grid, &laws, &x, geometric);
        let scale = expected.block.iter().map(Mat3::norm).fold(0.0, f64::max);
        for (k, (found, expected)) in found.block.iter().zip(&expected.block).enumerate() {
            assert!((found - expected).norm() < 1e-14 * scale, "block {k}: {found}, not {expected}");
        }
    }

    #[test]
    fn forces_have_the_same_bits_on_any_number_of_threads() {
        let (grid, laws, mut random) = warped([20, 16, 15]);
        let x: Vec<Vec3> = grid.mesh.nodes.iter().map(|x| x + Vec3::from_fn(|_, _| 0.01 * random())).collect();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut force = vec![Vec3::repeat(0.1); x.len()];
            let strain = pool.install(|| Elastic::new(&grid, &laws).add_forces(&grid, &laws, &x, 1.0, &mut force));
            (force, strain)
        };
        let one = on(1);
        assert!(one == on(2) && one == on(3));
    }
}

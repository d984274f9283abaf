//! A Delassus operator whose constraints are distributed over ranks of one process. Bodies are replicated: each rank
//! holds the operator of the whole problem and changes it in step with the others, in the order of a serial sweep.

use solfec::comm::{self, Communicator, InProcess};
use solfec::dynamics::{BlockKernel, BlockSparse, Delassus, FactorCost, Sweep, WholeMatrix};
use solfec::math::{sum_of_each, tree_sum, Mat3, Vec3, Wide};

/// First tag of the messages of a sweep; places follow.
const PLACES: u32 = 16;

/// The part of one rank.
pub struct Ranked<D> {
    whole: D,
    comm: InProcess,
    /// Rank of each constraint of the whole problem.
    owner: Vec<usize>,
    /// Constraints of this rank, ascending, and the place of each constraint among those of its owner.
    own: Vec<usize>,
    local: Vec<usize>,
    /// Places in the sweep of the whole problem, as places in the sweep of the owner.
    places: Vec<usize>,
    order: Vec<u32>,
    diagonal: Vec<Mat3>,
    free: Vec<Vec3>,
    previous: Vec<Vec3>,
}

impl<D: WholeMatrix> Ranked<D> {
    /// `owner` is the rank of each constraint of `whole`, the same on all ranks.
    pub fn new(whole: D, comm: InProcess, owner: Vec<usize>) -> Self {
        let rank = comm.rank();
        let local = numbered(owner.iter().copied(), comm.size());
        let places = numbered(whole.order().iter().map(|&row| owner[row as usize]), comm.size());
        let mine = |row: &&u32| owner[**row as usize] == rank;
        let order = whole.order().iter().filter(mine).map(|&row| local[row as usize] as u32).collect();
        let own: Vec<usize> = (0..owner.len()).filter(|&i| owner[i] == rank).collect();
        let diagonal = own.iter().map(|&i| whole.diagonal()[i]).collect();
        let free = own.iter().map(|&i| whole.free()[i]).collect();
        let previous = own.iter().map(|&i| whole.previous()[i]).collect();
        Ranked { whole, comm, owner, own, local, places, order, diagonal, free, previous }
    }

    fn vectors(&self, own: &[Vec3]) -> Vec<Vec3> {
        self.gather(|i| own[i].into()).into_iter().map(Vec3::from).collect()
    }

    fn matrices(&self, own: &[Mat3]) -> Vec<Mat3> {
        let entries = |i: usize| std::array::from_fn::<f64, 9, _>(|k| own[i][k]);
        self.gather(entries).into_iter().map(|entries| Mat3::from_column_slice(&entries)).collect()
    }

    /// Entries of this rank.
    fn take(&self, all: &[Vec3], own: &mut [Vec3]) {
        own.iter_mut().zip(&self.own).for_each(|(own, &i)| *own = all[i]);
    }
}

impl<D: WholeMatrix> Delassus for Ranked<D> {
    fn len(&self) -> usize {
        self.own.len()
    }

    fn rows(&self) -> usize {
        self.owner.len()
    }

    fn diagonal(&self) -> &[Mat3] {
        &self.diagonal
    }

    fn free(&self) -> &[Vec3] {
        &self.free
    }

    fn previous(&self) -> &[Vec3] {
        &self.previous
    }

    fn order(&self) -> &[u32] {
        &self.order
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        let r = self.vectors(r);
        let mut all = vec![Vec3::zeros(); r.len()];
        self.whole.apply(&r, &mut all);
        self.take(&all, u);
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut all = self.vectors(r);
        let owner: Vec<usize> = self.whole.order().iter().map(|&row| self.owner[row as usize]).collect();
        let shared = SharedKernel { kernel, comm: &self.comm, owner: &owner, places: &self.places };
        let sweep = self.whole.sweep(&mut all, &shared);
        self.take(&all, r);
        sweep
    }

    fn start(&mut self, r: &[Vec3]) {
        let r = self.vectors(r);
        self.whole.start(&r);
    }

    fn prepare_factors(&mut self) -> Option<FactorCost> {
        self.whole.prepare_factors()
    }

    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        let (x, y) = (self.matrices(x), self.matrices(y));
        self.whole.factor(&x, &y)
    }

    fn solve(&mut self, b: &mut [Vec3]) {
        let mut all = self.vectors(b);
        self.whole.solve(&mut all);
        self.take(&all, b);
    }

    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        let x = self.vectors(x);
        let mut all = vec![Vec3::zeros(); x.len()];
        self.whole.product(&x, &mut all);
        self.take(&all, out);
    }

    fn total<const N: usize>(&self, own: [f64; N]) -> [f64; N] {
        comm::sum(&self.comm, own)
    }

    fn greatest(&self, own: f64) -> f64 {
        comm::largest(&self.comm, [own])[0]
    }

    /// In the order of the whole problem, so that the bits are those of a serial run.
    fn sum<const N: usize>(&self, part: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        let all = self.gather(part);
        tree_sum(all.len(), |i| all[i])
    }

    fn sum_of_each<T: Send, const N: usize>(
        &self,
        items: &mut [T],
        part: impl Fn(usize, &mut T) -> [Wide; N] + Sync,
    ) -> [f64; N] {
        let own: Vec<[Wide; N]> = items.iter_mut().enumerate().map(|(i, item)| part(i, item)).collect();
        let lanes: Vec<Vec<[f64; 4]>> = (0..N).map(|k| self.gather(|i| own[i][k].to_array())).collect();
        sum_of_each(&mut vec![(); self.owner.len()], |i, _| std::array::from_fn(|k| Wide::new(lanes[k][i])))
    }
}

impl<D: WholeMatrix> WholeMatrix for Ranked<D> {
    fn assemble(&self) -> BlockSparse {
        self.whole.assemble()
    }

    fn gather<const N: usize>(&self, own: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        let bytes: Vec<u8> = (0..self.len()).flat_map(own).flat_map(f64::to_le_bytes).collect();
        let mut parts = vec![Vec::new(); self.comm.size()];
        comm::gather(&self.comm, &bytes, |rank, bytes| parts[rank] = numbers(bytes));
        let entry = |(&rank, &k): (&usize, &usize)| std::array::from_fn(|j| parts[rank][N * k + j]);
        self.owner.iter().zip(&self.local).map(entry).collect()
    }

    fn row_in_matrix(&self, i: usize) -> usize {
        self.own[i]
    }
}

/// How many of the same owner come before each item.
fn numbered(owners: impl Iterator<Item = usize>, ranks: usize) -> Vec<usize> {
    let mut count = vec![0; ranks];
    let next = |rank: usize| {
        count[rank] += 1;
        count[rank] - 1
    };
    owners.map(next).collect()
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|word| f64::from_le_bytes(std::array::from_fn(|i| word[i]))).collect()
}

/// Solves the blocks of this rank and sends what it finds; receives what the other ranks find.
struct SharedKernel<'a, K> {
    kernel: &'a K,
    comm: &'a InProcess,
    owner: &'a [usize],
    places: &'a [usize],
}

impl<K> SharedKernel<'_, K> {
    /// Numbers of the owner of `place`, on all ranks.
    fn share<const N: usize>(&self, place: usize, own: impl FnOnce(usize) -> [f64; N]) -> [f64; N] {
        let (rank, tag) = (self.owner[place], PLACES + place as u32);
        if rank == self.comm.rank() {
            let found = own(self.places[place]);
            let bytes: Vec<u8> = found.iter().flat_map(|x| x.to_le_bytes()).collect();
            (0..self.comm.size()).filter(|&to| to != rank).for_each(|to| self.comm.send(to, tag, &bytes));
            return found;
        }
        let mut message = Vec::new();
        self.comm.receive(rank, tag, &mut message);
        let found = numbers(&message);
        std::array::from_fn(|k| found[k])
    }
}

impl<K: BlockKernel> BlockKernel for SharedKernel<'_, K> {
    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
        let [x, y, z, solved] = self.share(place, |place| {
            let (r, solved) = self.kernel.solve(place, w, b, r);
            [r.x, r.y, r.z, f64::from(solved)]
        });
        (Vec3::new(x, y, z), solved == 1.0)
    }

    fn skips(&self, place: usize) -> bool {
        self.share(place, |place| [f64::from(self.kernel.skips(place))]) == [1.0]
    }
}

//! The operator of bodies: matrix-free where they keep their velocity, by blocks where they keep those of their points.

mod choice;
mod split;

use split::Split;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::elimination::MOST_ENTRIES;
use super::factors::{product, Factors, Kept};
use super::packed::{Attach, Packed};
use super::sparse::{symmetric, Pattern};
use super::sweep::Schedule;
use super::velocity_space::VelocitySpace;
use super::visits::PackedRow;
use super::{BlockKernel, BlockSparse, Delassus, End, FactorCost, Row, Sweep, WholeMatrix, GRAIN, SWEEP_GRAIN};
use crate::body::{Attachment, Axes, Condensed, Forces, Inertia, MaterialPoint, PointForce};
use crate::ids::{BodyId, BodyIndex, Slot};
use crate::math::{each, fill, Mat3, Vec3};

/// Blocks of `W` that take as long in a product as a block between nodes, to which forces come by way of weights.
const NODE_BLOCKS: usize = 2;

/// Nodes of a body in condensed form up to which products go by `W`.
const FEW_NODES: usize = 64;

/// Accuracy of solutions in the space of velocities, and of rough ones.
const EXACT: f64 = 1e-14;
const ROUGH: f64 = 1e-6;

/// `U = B + W R` on bodies: those in rigid and affine form keep their velocity and store nothing off the diagonal,
/// those in condensed form keep the velocities of their own constraint points. Filled anew every step into kept memory.
/// Sweeps are those of the order (part, body pair, row), one row after another, executed by levels of pairs.
#[derive(Debug, Default)]
pub struct BodyOperator {
    bodies: Packed,
    links: Vec<PackedRow>,
    /// Points of bodies in condensed form on which rows of other processes act.
    points_of_others: Vec<Attach>,
    /// Body pair, slot of the master and slot of the slave of each row, and number of bodies: what `slots`, `incidence`
    /// and the order of the schedule were made of.
    ends: Vec<([BodyId; 2], [Slot; 2])>,
    /// Of each row whether it is a contact.
    contacts: Vec<bool>,
    indexed: usize,
    slots: Vec<[Slot; 2]>,
    diagonal: Vec<Mat3>,
    split: Split,
    free: Vec<Vec3>,
    previous: Vec<Vec3>,
    incidence_start: Vec<u32>,
    incidence: Vec<Incidence>,
    /// Forces of the reactions that bodies were given last on masters [N], spatial.
    forces: Vec<Vec3>,
    /// A schedule for each part of a sweep, the part of each row if there are several, and the rows in the order of a
    /// sweep if there are.
    schedules: Vec<Schedule>,
    parts: Vec<u32>,
    order: Vec<u32>,
    /// Places of the first of four rows that are swept side by side.
    fours: Vec<u32>,
    assemblies: AtomicU64,
    /// Length of the step [s].
    h: f64,
    /// Whether bodies need not show the matrices that factors are made of.
    without_factors: bool,
    /// Whether a product with `W` reads less than one through the nodes of bodies in condensed form.
    small_matrix: bool,
    /// `W` and its factors, where a solver of this step asked for them.
    matrix: Option<BlockSparse>,
    factors: Factors,
    /// What is factored instead of `W`, where that is less work.
    velocity_space: Option<Box<VelocitySpace>>,
    /// Of earlier steps: bits do not depend on them.
    kept_factors: Kept,
    kept_space: Box<VelocitySpace>,
}

/// A constraint end on a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Incidence {
    row: u32,
    /// 0 master, 1 slave.
    end: u32,
}

impl Incidence {
    /// The force on this end of a constraint that pushes its master with `force`.
    fn turn(&self, force: &Vec3) -> Vec3 {
        force * [1.0, -1.0][self.end as usize]
    }
}

/// Places among those of all processes: of rows of this one, and of the rows and ends of points of others.
pub(super) struct PointPlaces {
    pub own: Vec<u32>,
    pub others: Vec<(u32, usize)>,
}

impl BodyOperator {
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether [`Delassus::factor`] may be called in the steps that follow, as it may from the start: bodies in condensed
    /// form need not show their matrices otherwise.
    pub fn expect_factors(&mut self, expected: bool) {
        self.without_factors = !expected;
    }

    /// Lets go of what bodies have shared with it for a step, so that they can use the memory again. Before the next
    /// [`BodyOperator::fill`] nothing but forces can be asked for.
    pub fn release(&mut self) {
        self.bodies.release();
    }

    /// Takes over the bodies (slot 0, 1, … in the order given) and the constraints (in key order) of a step of length
    /// `h` [s]. Constraints with no end on a dynamic body must have been left out, and all constraints of one pair key
    /// must be between the same slots.
    pub fn fill<'a>(&mut self, h: f64, bodies: impl IntoIterator<Item = Inertia<'a>>, rows: &[Row]) {
        self.fill_parts(h, bodies, rows, &[]);
    }

    /// The same for a sweep in parts ([`BodyOperator::sweep_part`]): `parts` is the part of each row, all of one pair in
    /// the same; none: there is one part.
    pub fn fill_parts<'a>(
        &mut self,
        h: f64,
        bodies: impl IntoIterator<Item = Inertia<'a>>,
        rows: &[Row],
        parts: &[u32],
    ) {
        let condensed = self.take_bodies(h, bodies);
        self.take_rows(&condensed, rows, parts, &[], None);
    }

    /// The first half of [`BodyOperator::fill`]: the bodies; returns those in condensed form.
    pub(super) fn take_bodies<'a>(
        &mut self,
        h: f64,
        bodies: impl IntoIterator<Item = Inertia<'a>>,
    ) -> Vec<&'a dyn Condensed> {
        self.schedules.iter_mut().for_each(Schedule::clear);
        (self.h, self.matrix) = (h, None);
        std::mem::take(&mut self.factors).keep(&mut self.kept_factors);
        if let Some(space) = self.velocity_space.take() {
            self.kept_space = space;
        }
        self.bodies.clear();
        self.split.clear();
        bodies.into_iter().filter_map(|body| self.bodies.push(h, &body)).collect()
    }

    /// The second half: the rows, and `others`, the points of bodies in condensed form on which rows of other processes
    /// act. Such bodies are asked for their points by `places`, if any, else in the order of sweeps.
    pub(super) fn take_rows(
        &mut self,
        condensed: &[&dyn Condensed],
        rows: &[Row],
        parts: &[u32],
        others: &[(Slot, MaterialPoint, Axes)],
        places: Option<PointPlaces>,
    ) {
        self.arrange(rows, parts);
        self.fill_links(rows);
        self.points_of_others.clear();
        self.points_of_others
            .extend(others.iter().map(|(slot, point, axes)| self.bodies.add_end(*slot, *point, *axes)));
        if self.bodies.has_condensed() {
            let factors = !self.without_factors;
            if let Some(places) = places {
                let ends = self.ends_by_place(&places);
                self.bodies.condense(self.h, condensed, ends.into_iter(), factors);
            } else {
                let order = order(&self.parts, &self.schedules, &self.order);
                let ends = order.iter().flat_map(|&row| self.links[row as usize].ends);
                let ends = ends.chain(self.points_of_others.iter().copied());
                self.bodies.condense(self.h, condensed, ends, factors);
            }
        }
        self.small_matrix = self.compares_small();
        let mut columns = [&mut self.previous, &mut self.free].map(std::mem::take);
        let (n, links) = (rows.len(), &self.links);
        fill(&mut columns[0], n, GRAIN, |i| self.velocity_before(&links[i]) + rows[i].drift_before);
        fill(&mut columns[1], n, GRAIN, |i| self.velocity_now(&links[i]) + links[i].drift);
        [self.previous, self.free] = columns;
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.resize(n, Mat3::zeros());
        each(&mut diagonal, GRAIN, |i, block| self.own_block(i, block));
        self.diagonal = diagonal;
        self.schedules.iter_mut().for_each(Schedule::permit);
    }

    /// All ends in the order of the rows of all processes.
    fn ends_by_place(&self, places: &PointPlaces) -> Vec<Attach> {
        let own = places
            .own
            .iter()
            .zip(&self.links)
            .flat_map(|(place, link)| (0..).zip(link.ends).map(|(k, end)| ((*place, k), end)));
        let mut ends: Vec<((u32, usize), Attach)> =
            own.chain(places.others.iter().copied().zip(self.points_of_others.iter().copied())).collect();
        ends.sort_by_key(|(place, _)| *place);
        ends.into_iter().map(|(_, end)| end).collect()
    }

    /// What a product reads: blocks of `W`, those of bodies counted one by one, against those between nodes. Matrices
    /// between many nodes are as fast as `W`.
    fn compares_small(&self) -> bool {
        if self.bodies.nodes().any(|nodes| nodes > FEW_NODES) {
            return false;
        }
        let squared = |ends: &[u32]| ((ends[1] - ends[0]) as usize).pow(2);
        let limit = NODE_BLOCKS * self.bodies.nodes().map(|nodes| nodes * nodes).sum::<usize>();
        self.can_sweep() && limit > 0 && self.incidence_start.windows(2).map(squared).sum::<usize>() <= limit
    }

    fn fill_links(&mut self, rows: &[Row]) {
        let mut links = std::mem::take(&mut self.links);
        links.resize(rows.len(), PackedRow::default());
        each(&mut links, GRAIN, |i, link| self.link(&rows[i], link));
        self.links = links;
        if !self.bodies.has_condensed() {
            return;
        }
        for (row, link) in rows.iter().zip(&mut self.links) {
            for (end, attach) in [Some(&row.master), row.slave.as_ref()].into_iter().zip(&mut link.ends) {
                if let Some(End::Point { slot, point, axes }) = end {
                    *attach = self.bodies.add_end(*slot, *point, *axes);
                }
            }
        }
    }

    /// The row as the sweep reads it, without ends at points of bodies in condensed form.
    fn link(&self, row: &Row, link: &mut PackedRow) {
        (link.base, link.drift) = (row.base, row.drift);
        for (k, end) in [Some(&row.master), row.slave.as_ref()].into_iter().enumerate() {
            (link.ends[k], link.arms[k]) = match end {
                Some(End::Body { slot, arm }) => (self.bodies.attach(*slot), *arm),
                Some(End::Point { .. } | End::Fixed) | None => (Attach::None, Vec3::zeros()),
            };
        }
    }

    /// Local velocity of the bodies of a constraint at the start of the step.
    fn velocity_before(&self, link: &PackedRow) -> Vec3 {
        let [master, slave] = [0, 1].map(|k| self.bodies.previous(link.ends[k], &link.arms[k]));
        link.base.tr_mul(&(master - slave))
    }

    /// What follows from the bodies that rows are between. Mostly they are as they were in the last step.
    fn arrange(&mut self, rows: &[Row], parts: &[u32]) {
        let ends = rows.iter().map(|row| (row.pair, row.ends()));
        let same = self.indexed == self.bodies.len() && self.parts == parts && !self.schedules.is_empty();
        let contacts = rows.iter().map(|row| row.contact);
        if same && self.ends.iter().copied().eq(ends.clone()) && self.contacts.iter().copied().eq(contacts.clone()) {
            return;
        }
        self.ends.clear();
        fill(&mut self.slots, rows.len(), GRAIN, |i| rows[i].slots());
        self.parts.clear();
        self.parts.extend_from_slice(parts);
        self.schedule(rows);
        self.ends.extend(ends);
        self.contacts.clear();
        self.contacts.extend(contacts);
        self.indexed = self.bodies.len();
        self.index_rows();
    }

    /// Builds the schedule of each part.
    fn schedule(&mut self, rows: &[Row]) {
        let (slots, parts, bodies) = (&self.slots, &self.parts, self.bodies.attachments());
        let count = parts.iter().max().map_or(1, |last| *last as usize + 1);
        self.schedules.resize_with(count, Schedule::default);
        self.order.clear();
        self.fours.clear();
        let mut first = 0;
        for (part, schedule) in (0..).zip(&mut self.schedules) {
            let own = (0..rows.len() as u32).filter(|&i| parts.is_empty() || parts[i as usize] == part);
            let begins = (first, self.fours.len());
            let of = |i: usize| (rows[i].pair, slots[i], rows[i].contact);
            schedule.build((own, rows.len()), begins, of, bodies);
            if !parts.is_empty() {
                self.order.extend_from_slice(schedule.order());
            }
            self.fours.extend((0..schedule.fours()).map(|k| (first + 4 * k) as u32));
            first += schedule.order().len();
        }
    }

    /// Sweeps the rows of one part; all parts one after another are a sweep.
    pub fn sweep_part<K: BlockKernel>(&mut self, part: usize, r: &mut [Vec3], kernel: &K) -> Sweep {
        let diagonal = self.split.swept(&self.diagonal);
        let Some(schedule) = self.schedules.get_mut(part) else { return Sweep::default() };
        schedule.load(&self.links, diagonal, self.bodies.has_condensed());
        schedule.run(self.bodies.pointers(), r, kernel)
    }

    /// Ends of constraints by body, in key order within a body.
    fn index_rows(&mut self) {
        let slot = |end: &Slot| Some(*end).filter(|&slot| slot != Slot::NONE).map(Slot::index);
        let start = &mut self.incidence_start;
        start.clear();
        start.resize(self.indexed + 2, 0);
        for (_, ends) in &self.ends {
            for slot in ends.iter().filter_map(slot) {
                start[slot + 2] += 1;
            }
        }
        for k in 2..start.len() {
            start[k] += start[k - 1];
        }
        self.incidence.clear();
        self.incidence.resize(start[self.indexed + 1] as usize, Incidence::default());
        for (row, (_, ends)) in (0..).zip(&self.ends) {
            for (end, of) in (0..).zip(ends) {
                if let Some(slot) = slot(of) {
                    let at = &mut start[slot + 1];
                    self.incidence[*at as usize] = Incidence { row, end };
                    *at += 1;
                }
            }
        }
    }

    fn incidences(&self, slot: Slot) -> &[Incidence] {
        let (start, slot) = (&self.incidence_start, slot.index());
        &self.incidence[start[slot] as usize..start[slot + 1] as usize]
    }

    /// Local velocities of the present body velocities.
    pub(super) fn gather(&self, u: &mut [Vec3]) {
        let links = &self.links[..u.len()];
        each(u, SWEEP_GRAIN, |i, u| *u = self.velocity_now(&links[i]) + links[i].drift);
    }

    /// Local velocity of the bodies of a constraint.
    fn velocity_now(&self, link: &PackedRow) -> Vec3 {
        let [master, slave] = [0, 1].map(|k| self.bodies.point(link.ends[k], &link.arms[k]));
        link.base.tr_mul(&(master - slave))
    }

    /// Bodies have the velocities that the reactions `r` give them, from their free ones or from rest.
    fn push(&mut self, r: &[Vec3], free: bool) {
        assert_eq!(r.len(), self.len());
        let links = &self.links;
        fill(&mut self.forces, links.len(), SWEEP_GRAIN, |i| links[i].base * r[i]);
        let (mut bodies, links) = (std::mem::take(&mut self.bodies), &self.links);
        bodies.respond_all(SWEEP_GRAIN, free, |slot| {
            self.incidences(slot).iter().map(|end| {
                let (link, k) = (&links[end.row as usize], end.end as usize);
                (link.ends[k], &link.arms[k], end.turn(&self.forces[end.row as usize]))
            })
        });
        self.bodies = bodies;
    }

    /// `out = W x` without `W`.
    fn product_by_bodies(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        self.start_still(x);
        self.gather_still(out);
    }

    /// Bodies have the velocities that `x` gives them from rest.
    pub(super) fn start_still(&mut self, x: &[Vec3]) {
        self.push(x, false);
    }

    /// Local velocities of the bodies alone.
    pub(super) fn gather_still(&self, out: &mut [Vec3]) {
        each(out, SWEEP_GRAIN, |i, out| *out = self.velocity_now(&self.links[i]));
    }

    /// The bodies, for exchanges with other processes.
    pub(super) fn packed(&self) -> &Packed {
        &self.bodies
    }

    pub(super) fn packed_mut(&mut self) -> &mut Packed {
        &mut self.bodies
    }

    /// Calls `take` with body, number, arm and base of each end of a row on a body that moves: master 0, slave 1.
    pub(super) fn each_end(&self, row: usize, mut take: impl FnMut(Slot, usize, &Vec3, &Mat3)) {
        let (link, (_, slots)) = (&self.links[row], &self.ends[row]);
        for k in [0, 1].into_iter().filter(|k| slots[*k] != Slot::NONE) {
            take(slots[k], k, &link.arms[k], &link.base);
        }
    }

    /// How an end of a row holds on to its body.
    pub(super) fn attach(&self, row: usize, end: usize) -> Attach {
        self.links[row].ends[end]
    }

    /// The same for a point of another process.
    pub(super) fn attach_of_other(&self, k: usize) -> Attach {
        self.points_of_others[k]
    }

    /// The force of a reaction on an end of its row [N].
    pub(super) fn force_at(&self, reaction: &Vec3, row: u32, end: u32) -> Vec3 {
        Incidence { row, end }.turn(&(self.links[row as usize].base * reaction))
    }

    /// Adds forces [N] at points of other processes on one body.
    pub(super) fn push_others(&mut self, slot: Slot, forces: impl Iterator<Item = (usize, Vec3)>) {
        let points = &self.points_of_others;
        self.bodies.push_points(slot, forces.map(|(k, force)| (points[k], force)));
    }

    /// Appends the sum of the forces that the last reactions put on a body, as [`Packed::put_sum`] does.
    pub(super) fn put_sum(&self, slot: Slot, out: &mut Vec<f64>) {
        let force = |end: &Incidence| {
            let link = &self.links[end.row as usize];
            (&link.arms[end.end as usize], end.turn(&self.forces[end.row as usize]))
        };
        self.bodies.put_sum(slot, self.incidences(slot).iter().map(force), out);
    }

    /// The diagonal block of row `i`, symmetric to the last bit.
    fn own_block(&self, i: usize, block: &mut Mat3) {
        let (row, (_, [master, slave])) = (&self.links[i], self.ends[i]);
        if master == slave {
            *block = symmetric(&self.coupling(i, i));
            return;
        }
        let own = |k: usize| self.bodies.coupling(row.ends[k], row.ends[k], &row.arms[k], &row.arms[k]);
        let image = match self.bodies.central(&row.ends, &row.arms) {
            Some(mass) => row.base * mass,
            None => [0, 1].into_iter().filter_map(own).sum::<Mat3>() * row.base,
        };
        let entry = |i: usize, j: usize| row.base.column(i).dot(&image.column(j));
        let [xy, xz, yz] = [entry(0, 1), entry(0, 2), entry(1, 2)];
        *block = Mat3::new(entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2));
    }

    /// `Σ σσ h E_αᵀ N E_β` over the bodies that rows `a` and `b` share.
    fn coupling(&self, a: usize, b: usize) -> Mat3 {
        let (row_a, row_b) = (&self.links[a], &self.links[b]);
        let mut sum = Mat3::zeros();
        for i in 0..2 {
            for j in 0..2 {
                let (arm_a, arm_b) = (&row_a.arms[i], &row_b.arms[j]);
                let Some(block) = self.bodies.coupling(row_a.ends[i], row_b.ends[j], arm_a, arm_b) else {
                    continue;
                };
                sum += if i == j { block } else { -block };
            }
        }
        row_a.base.tr_mul(&(sum * row_b.base))
    }

    /// What the reactions `r` do to bodies: `slots` are the slots by dense index.
    pub fn reactions<'a>(&'a self, r: &'a [Vec3], slots: &'a [Slot]) -> Reactions<'a> {
        self.reactions_and(&[], r, slots)
    }

    /// The same with forces of other processes, in order of slots.
    pub(super) fn reactions_and<'a>(
        &'a self,
        others: &'a [(Slot, PointForce)],
        r: &'a [Vec3],
        slots: &'a [Slot],
    ) -> Reactions<'a> {
        Reactions { operator: self, others, r, slots }
    }

    /// Whether bodies do not say what reactions do to the velocity of a row across its normal ([`End::Point`]).
    pub fn leaves_tangents_open(&self, row: usize) -> bool {
        self.links[row].ends.iter().any(|end| self.bodies.answers_in_part(*end))
    }

    /// Number of levels of body pairs: pairs of one level are swept side by side.
    pub fn levels(&self) -> usize {
        self.schedules.iter().map(Schedule::levels).sum()
    }

    /// Columns of row `i` of `W`, from the diagonal on.
    fn columns(&self, i: usize) -> Vec<u32> {
        let mut columns = Vec::new();
        for slot in self.slots[i].iter().filter(|&&s| s != Slot::NONE) {
            let rows = self.incidences(*slot).iter().map(|end| end.row);
            columns.extend(rows.filter(|&j| j as usize >= i));
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The pattern of `W`; `None` when it does not fit in memory.
    fn pattern(&self) -> Option<Pattern> {
        let mut entries = 0;
        let mut upper = Vec::with_capacity(self.len());
        for i in 0..self.len() {
            upper.push(self.columns(i));
            entries += upper[i].len();
            if entries > MOST_ENTRIES + self.len() {
                return None;
            }
        }
        Some(Pattern::from_upper(upper.len(), |i| upper[i].iter().copied()))
    }

    /// `W`, assembled by the first call of a step, and its factors.
    fn assembled(&mut self) -> (&BlockSparse, &mut Factors) {
        if self.matrix.is_none() && self.small_matrix {
            self.bodies.couple_all();
        }
        let w = self.matrix.take().unwrap_or_else(|| self.assemble());
        (self.matrix.insert(w), &mut self.factors)
    }

    /// How often `W` was assembled since this operator was made.
    pub fn assemblies(&self) -> u64 {
        self.assemblies.load(Ordering::Relaxed)
    }
}

impl Delassus for BodyOperator {
    fn len(&self) -> usize {
        self.links.len()
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
        order(&self.parts, &self.schedules, &self.order)
    }

    fn fours(&self) -> &[u32] {
        &self.fours
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        self.start(r);
        self.gather(u);
    }

    fn start(&mut self, r: &[Vec3]) {
        self.push(r, true);
    }

    fn only_body(&self, constraint: usize) -> Option<Slot> {
        match self.links[constraint].ends {
            [end @ Attach::Condensed(k), Attach::None] | [Attach::None, end @ Attach::Condensed(k)] => {
                self.bodies.has_matrix(k).then(|| self.bodies.slot(end))
            }
            _ => None,
        }
    }

    fn block(&self, i: usize, j: usize) -> Mat3 {
        self.coupling(i, j)
    }

    fn has_small_matrix(&self) -> bool {
        self.small_matrix
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        (0..self.schedules.len()).for_each(|part| sweep.add(&self.sweep_part(part, r, kernel)));
        sweep
    }

    fn can_sweep(&self) -> bool {
        !self.bodies.lacks_matrix()
    }

    fn prepare_factors(&mut self) -> Option<FactorCost> {
        if matches!(self.factors, Factors::None) && self.velocity_space.is_none() {
            self.choose();
        }
        self.velocity_space.as_ref().map(|space| space.cost()).or_else(|| self.factors.cost())
    }

    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        if let Some(space) = &mut self.velocity_space {
            return space.factor(x, y, &self.diagonal);
        }
        let (w, factors) = self.assembled();
        factors.factor(w, x, y)
    }

    fn solve(&mut self, b: &mut [Vec3]) {
        match &mut self.velocity_space {
            Some(space) => space.solve(b, EXACT),
            None => self.factors.solve(b),
        }
    }

    fn solve_roughly(&mut self, b: &mut [Vec3]) {
        match &mut self.velocity_space {
            Some(space) => space.solve(b, ROUGH),
            None => self.factors.solve(b),
        }
    }

    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        // Most bodies in condensed form have fewer nodes than constraints of one have blocks in the rows of W.
        let unfactored = matches!(self.factors, Factors::None);
        let through_nodes = unfactored && self.bodies.has_condensed() && !self.small_matrix;
        if self.velocity_space.is_some() || through_nodes {
            self.product_by_bodies(x, out);
        } else {
            product(self.assembled().0, x, out);
        }
    }
}

impl WholeMatrix for BodyOperator {
    fn assemble(&self) -> BlockSparse {
        self.assemblies.fetch_add(1, Ordering::Relaxed);
        let row = |i: usize| self.columns(i).into_iter().map(|j| (j, self.coupling(i, j as usize))).collect();
        let upper: Vec<_> = (0..self.len()).into_par_iter().with_min_len(GRAIN).map(row).collect();
        BlockSparse::from_upper(&upper)
    }
}

/// The rows in the order of a sweep: that of the only part, or of all parts.
fn order<'a>(parts: &[u32], schedules: &'a [Schedule], all: &'a [u32]) -> &'a [u32] {
    match (parts, schedules) {
        ([], [schedule]) => schedule.order(),
        _ => all,
    }
}

/// Reactions of all constraints of a step, as bodies receive them: in key order.
pub struct Reactions<'a> {
    operator: &'a BodyOperator,
    /// Forces of other processes, in order of slots.
    others: &'a [(Slot, PointForce)],
    /// Of the rows of this process; none where all forces are among `others`.
    r: &'a [Vec3],
    slots: &'a [Slot],
}

impl Reactions<'_> {
    /// Calls `take` with arm and force of each end of this process on the body of a slot.
    pub(super) fn at_arms(&self, slot: Slot, mut take: impl FnMut(&Vec3, &Vec3)) {
        for end in self.operator.incidences(slot) {
            let link = &self.operator.links[end.row as usize];
            take(&link.arms[end.end as usize], &end.turn(&(link.base * self.r[end.row as usize])));
        }
    }

    /// Ends of this process whose reactions are among these: all or none.
    fn own(&self, slot: Slot) -> &[Incidence] {
        if self.r.is_empty() {
            &[]
        } else {
            self.operator.incidences(slot)
        }
    }

    fn of_others(&self, slot: Slot) -> impl Iterator<Item = &PointForce> {
        let first = self.others.partition_point(|(other, _)| *other < slot);
        self.others[first..].iter().take_while(move |(other, _)| *other == slot).map(|(_, force)| force)
    }
}

impl Forces for Reactions<'_> {
    fn on(&self, body: BodyIndex, take: &mut dyn FnMut(&PointForce)) {
        let slot = self.slots[body.index()];
        if slot == Slot::NONE {
            return;
        }
        for end in self.own(slot) {
            let link = &self.operator.links[end.row as usize];
            let k = end.end as usize;
            let at = self.operator.bodies.attachment(link.ends[k], &link.arms[k]);
            take(&PointForce { at, force: end.turn(&(link.base * self.r[end.row as usize])) });
        }
        self.of_others(slot).for_each(take);
    }

    fn wrench(&self, body: BodyIndex) -> [Vec3; 2] {
        let (slot, mut sum) = (self.slots[body.index()], [Vec3::zeros(); 2]);
        if slot != Slot::NONE {
            for end in self.own(slot) {
                let link = &self.operator.links[end.row as usize];
                let force = end.turn(&(link.base * self.r[end.row as usize]));
                sum[0] += force;
                sum[1] += link.arms[end.end as usize].cross(&force);
            }
            for PointForce { at, force } in self.of_others(slot) {
                if let Attachment::Arm(arm) = at {
                    sum[0] += force;
                    sum[1] += arm.cross(force);
                }
            }
        }
        sum
    }
}

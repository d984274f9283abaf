//! The operator whose rows are distributed over ranks. Each rank has the bodies that its rows act on; a body on which
//! rows of several ranks act is *shared*. Products are exact: ranks add up what their reactions do to shared bodies. A
//! sweep is that of one sequential order: ranks that share a body have different colours, rows on shared bodies are
//! swept by colour of their rank, and the velocity of a shared body is handed on from rank to rank (after Adams 2001).
//! Rows on other bodies are swept meanwhile. Of a body in condensed form the forces at all its points are handed on
//! instead. On one rank this is the operator of bodies itself.

mod plan;
mod points;
mod replica;
mod sweeps;
mod times;
mod together;
mod whole;

pub use times::ExchangeTimes;

use std::sync::Arc;

use plan::{Neighbour, Plan};
use points::Points;
use sweeps::Exchange;
use together::Together;

use super::{BlockKernel, BodyOperator, Delassus, FactorCost, Reactions, Row, Sweep};
use crate::body::{Attachment, Inertia, PointForce};
use crate::comm::{self, Alone, Communicator};
use crate::ids::{BodyId, Slot};
use crate::math::{Mat3, Vec3};
use crate::model::Variant;
use crate::Result;

/// Tags of messages: sums of forces, velocities handed on, reactions.
const SUMS: u32 = 20;
const VELOCITIES: u32 = 21;
const REACTIONS: u32 = 22;

/// Most numbers of the sum of the forces on a body.
const WIDTH: usize = 12;

/// What is known of the bodies of a step that other ranks have as well.
#[derive(Clone, Copy)]
pub struct Copies<'a> {
    /// Rank that owns the body of each slot, and its id.
    pub homes: &'a [u32],
    pub ids: &'a [BodyId],
    /// Ranks that have copies of bodies of this rank, or bodies that this rank has copies of; ascending.
    pub partners: &'a [usize],
}

impl Copies<'_> {
    /// There is one rank.
    pub const NONE: Copies<'static> = Copies { homes: &[], ids: &[], partners: &[] };
}

/// Rows of this rank on bodies of any; see the text above.
pub struct RankOperator {
    own: BodyOperator,
    comm: Arc<dyn Communicator>,
    plan: Plan,
    points: Points,
    /// The operator of all rows, where every rank solves their problem.
    of_all: BodyOperator,
    exchange: Exchange,
    times: ExchangeTimes,
    /// Where every rank solves the problem of all.
    together: Option<Together>,
    /// Number of rows of the ranks before this one, and of all.
    first: usize,
    rows: usize,
    /// As of [`Copies`].
    homes: Vec<u32>,
    ids: Vec<BodyId>,
    /// Whether shared bodies have been swept since the ranks agreed on their velocities.
    swept: bool,
    /// Forces that reactions of other ranks put on bodies of this one, in order of slots.
    others: Vec<(Slot, PointForce)>,
    sums: Vec<f64>,
    message: Vec<f64>,
}

/// On one rank.
impl Default for RankOperator {
    fn default() -> Self {
        RankOperator::new(Arc::new(Alone))
    }
}

impl RankOperator {
    pub fn new(comm: Arc<dyn Communicator>) -> Self {
        let (plan, points, exchange, times) = Default::default();
        let (homes, ids, others, sums, message) = Default::default();
        let (own, of_all, together) = (BodyOperator::new(), BodyOperator::new(), None);
        let (first, rows, swept) = (0, 0, false);
        RankOperator {
            own,
            comm,
            plan,
            points,
            of_all,
            exchange,
            times,
            together,
            first,
            rows,
            homes,
            ids,
            swept,
            others,
            sums,
            message,
        }
    }

    fn alone(&self) -> bool {
        self.comm.size() == 1
    }

    /// As [`BodyOperator::expect_factors`].
    pub fn expect_factors(&mut self, expected: bool) {
        self.own.expect_factors(expected && self.alone());
        self.of_all.expect_factors(expected);
    }

    /// As [`BodyOperator::leaves_tangents_open`].
    pub fn leaves_tangents_open(&self, row: usize) -> bool {
        self.own.leaves_tangents_open(row)
    }

    /// As [`BodyOperator::release`].
    pub fn release(&mut self) {
        self.own.release();
    }

    /// Takes over the bodies and the rows of this rank as [`BodyOperator::fill`] does. Collective.
    pub fn fill<'a>(
        &mut self,
        h: f64,
        bodies: impl IntoIterator<Item = Inertia<'a>>,
        rows: &[Row],
        copies: &Copies<'_>,
    ) {
        if self.alone() {
            self.others.clear();
            self.together = None;
            (self.first, self.rows) = (0, rows.len());
            self.own.fill(h, bodies, rows);
            return;
        }
        self.fill_part(h, bodies, rows, copies, None);
    }

    /// The same where every rank is to solve the problem of all, [`RankOperator::problem`]: rows have these places among
    /// those of all ranks, and bodies receive forces in this order, so that bits do not depend on the number of ranks. False
    /// where a body has too many points for a dense matrix: then there is no problem of all. Collective.
    ///
    /// # Errors
    /// Messages between ranks are garbled.
    pub fn fill_together<'a>(
        &mut self,
        h: f64,
        bodies: impl IntoIterator<Item = Inertia<'a>>,
        rows: &[Row],
        copies: &Copies<'_>,
        place: Vec<u32>,
    ) -> Result<bool> {
        let bodies: Vec<Inertia<'a>> = bodies.into_iter().collect();
        self.fill_part(h, bodies.iter().copied(), rows, copies, Some(&place));
        let possible = self.can_sweep();
        if possible {
            self.bring_together(h, &bodies, rows, place)?;
        }
        Ok(possible)
    }

    fn fill_part<'a>(
        &mut self,
        h: f64,
        bodies: impl IntoIterator<Item = Inertia<'a>>,
        rows: &[Row],
        copies: &Copies<'_>,
        place: Option<&[u32]>,
    ) {
        self.others.clear();
        self.together = None;
        self.swept = false;
        [self.first, self.rows] = comm::count(&*self.comm, rows.len());
        self.homes.clear();
        self.homes.extend_from_slice(copies.homes);
        self.ids.clear();
        self.ids.extend_from_slice(copies.ids);
        self.times = ExchangeTimes::default();
        self.exchange.reset();
        if !self.alone() {
            self.timed(|times| &mut times.setup, |op| op.plan.find(&*op.comm, copies, rows));
        }
        let condensed = self.own.take_bodies(h, bodies);
        self.timed(|times| &mut times.setup, |op| op.find_points(rows));
        let places = place.map(|place| self.places_of_points(place));
        self.own.take_rows(&condensed, rows, self.plan.parts(), self.points.of_others(), places);
    }

    /// Learns the points of other ranks on bodies in condensed form.
    fn find_points(&mut self, rows: &[Row]) {
        let RankOperator { own, comm, plan, points, first, .. } = self;
        points.find(&**comm, (plan, *first), |slot| own.packed().is_condensed(slot), rows);
    }

    /// What the reactions `r` of all ranks do to bodies of this one, after [`RankOperator::exchange`] of the same `r`.
    pub fn reactions<'a>(&'a self, r: &'a [Vec3], slots: &'a [Slot]) -> Reactions<'a> {
        let own = if self.together.is_some() { &[] } else { r };
        self.own.reactions_and(&self.others, own, slots)
    }

    /// Brings the forces of reactions on shared bodies to all ranks that share them. Collective.
    pub fn exchange(&mut self, r: &[Vec3]) {
        self.others.clear();
        if self.together.is_some() {
            return self.exchange_together(r);
        }
        if self.alone() {
            return;
        }
        let operator = self.own.reactions(r, &[]);
        for neighbour in self.plan.neighbours() {
            self.message.clear();
            for &slot in &neighbour.common {
                if self.points.has(slot) {
                    let force = |row, end| self.own.force_at(&r[row as usize], row, end);
                    self.points.put_own(slot, force, &mut self.message);
                    continue;
                }
                let (mut total, mut moment) = (Vec3::zeros(), Mat3::zeros());
                operator.at_arms(slot, |arm, force| {
                    total += force;
                    moment += force * arm.transpose();
                });
                self.message.extend(total.iter().chain(&moment));
            }
            comm::send_numbers(&*self.comm, neighbour.rank, REACTIONS, &self.message);
        }
        for neighbour in self.plan.neighbours() {
            self.message.clear();
            comm::receive_numbers(&*self.comm, neighbour.rank, REACTIONS, &mut self.message);
            let mut rest = &self.message[..];
            for &slot in &neighbour.common {
                if self.points.has(slot) {
                    rest = self.points.take_from(slot, neighbour.rank, rest);
                    continue;
                }
                let Some((sum, later)) = rest.split_first_chunk::<WIDTH>() else { break };
                self.others.extend(four_forces(sum).map(|force| (slot, force)));
                rest = later;
            }
        }
        self.others.extend(self.points.point_forces());
        self.others.sort_by_key(|(slot, _)| *slot);
    }

    /// Number of levels of body pairs of this rank.
    pub fn levels(&self) -> usize {
        self.own.levels()
    }

    /// Number of colours of ranks.
    pub fn colours(&self) -> usize {
        comm::largest(&*self.comm, [f64::from(self.plan.colour()) + 1.0])[0] as usize
    }

    /// Numbers of rows of this rank on bodies that it shares with ranks of higher colours only, of higher and lower, of
    /// lower only, and of rows on its own.
    pub fn sets(&self) -> [usize; 4] {
        self.plan.sets()
    }

    /// As [`BodyOperator::assemblies`].
    pub fn assemblies(&self) -> u64 {
        self.own.assemblies()
    }

    /// After the reactions `r` of this rank have been given to its bodies: shared bodies get those of the others too;
    /// `free`: from their free velocities, else from rest. Parts are added in the order of ranks, so that all find the
    /// same sum.
    fn add_up(&mut self, r: &[Vec3], free: bool) {
        self.swept = false;
        let RankOperator { own, comm, plan, points, sums, message, .. } = self;
        for neighbour in plan.neighbours() {
            message.clear();
            for slot in &neighbour.common {
                own.put_sum(*slot, message);
                points.put_own(*slot, |row, end| own.force_at(&r[row as usize], row, end), message);
            }
            comm::send_numbers(&**comm, neighbour.rank, SUMS, message);
        }
        sums.clear();
        sums.resize(WIDTH * plan.slots().count(), 0.0);
        let mut add = |place: usize, part: &[f64]| {
            sums[WIDTH * place..].iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        };
        let after = plan.neighbours().partition_point(|neighbour| neighbour.rank < comm.rank());
        for turn in 0..=plan.neighbours().len() {
            message.clear();
            if turn == after {
                for (place, slot) in plan.slots().enumerate() {
                    message.clear();
                    own.put_sum(slot, message);
                    add(place, message);
                }
                continue;
            }
            let neighbour = &plan.neighbours()[if turn < after { turn } else { turn - 1 }];
            comm::receive_numbers(&**comm, neighbour.rank, SUMS, message);
            let mut rest = &message[..];
            for (slot, place) in neighbour.common.iter().zip(&neighbour.places) {
                let (part, later) = rest.split_at(own.packed().width(*slot).min(rest.len()));
                add(*place as usize, part);
                rest = points.take_from(*slot, neighbour.rank, later);
            }
        }
        for (place, slot) in plan.slots().enumerate() {
            let width = own.packed().width(slot);
            own.packed_mut().respond(slot, free, &sums[WIDTH * place..WIDTH * place + width]);
        }
        points.forces().for_each(|(slot, forces)| own.push_others(slot, forces));
    }

    /// Sends velocities of shared bodies: `to` chooses those that the rank is to have next.
    fn hand_on(&mut self, r: &[Vec3], to: fn(&Neighbour) -> &[Slot]) {
        for neighbour in self.plan.neighbours().iter().filter(|neighbour| !to(neighbour).is_empty()) {
            self.message.clear();
            for slot in to(neighbour) {
                self.own.packed().put_velocity(*slot, &mut self.message);
                let force = |row, end| self.own.force_at(&r[row as usize], row, end);
                self.points.put_all(*slot, force, &mut self.message);
            }
            comm::send_numbers(&*self.comm, neighbour.rank, VELOCITIES, &self.message);
        }
    }

    /// Receives velocities of shared bodies from the ranks that had them before.
    fn take_over(&mut self, from: fn(&Neighbour) -> &[Slot]) {
        let mut changes = Vec::new();
        for neighbour in self.plan.neighbours().iter().filter(|neighbour| !from(neighbour).is_empty()) {
            self.message.clear();
            comm::receive_numbers(&*self.comm, neighbour.rank, VELOCITIES, &mut self.message);
            let mut rest = &self.message[..];
            for &slot in from(neighbour) {
                let width = self.own.packed().width(slot) + self.points.width(slot);
                let (numbers, later) = rest.split_at(width);
                rest = later;
                if self.points.has(slot) {
                    self.points.take_all(slot, numbers, |k, change| changes.push((k, change)));
                    self.own.push_others(slot, changes.drain(..));
                } else {
                    self.own.packed_mut().take_velocity(slot, numbers);
                }
            }
        }
    }
}

impl Delassus for RankOperator {
    fn len(&self) -> usize {
        self.own.len()
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn diagonal(&self) -> &[Mat3] {
        self.own.diagonal()
    }

    fn free(&self) -> &[Vec3] {
        self.own.free()
    }

    fn previous(&self) -> &[Vec3] {
        self.own.previous()
    }

    fn order(&self) -> &[u32] {
        self.own.order()
    }

    fn fours(&self) -> &[u32] {
        self.own.fours()
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        self.start(r);
        self.own.gather(u);
    }

    fn start(&mut self, r: &[Vec3]) {
        self.own.start(r);
        if !self.alone() {
            self.timed(|times| &mut times.exchange, |op| op.add_up(r, true));
        }
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        if self.alone() {
            return self.own.sweep(r, kernel);
        }
        let sweep = self.sweep_own(r, kernel);
        let own = [sweep.change, sweep.size, sweep.failed as f64, sweep.active as f64];
        let sum = |op: &mut Self| comm::sum(&*op.comm, own);
        let [change, size, failed, active] = self.timed(|times| &mut times.exchange, sum);
        Sweep { change, size, failed: failed as usize, active: active as usize }
    }

    fn choose_exchange(&mut self, variant: Variant, innerloops: u32) {
        if !self.alone() {
            self.choose(variant, innerloops);
        }
    }

    fn swept_diagonal(&self) -> &[Mat3] {
        self.own.swept_diagonal()
    }

    fn can_sweep(&self) -> bool {
        !self.any(!self.own.can_sweep())
    }

    fn only_body(&self, constraint: usize) -> Option<Slot> {
        self.own.only_body(constraint).filter(|_| self.alone())
    }

    fn block(&self, i: usize, j: usize) -> Mat3 {
        self.own.block(i, j)
    }

    fn has_small_matrix(&self) -> bool {
        self.alone() && self.own.has_small_matrix()
    }

    /// Several ranks have none.
    fn prepare_factors(&mut self) -> Option<FactorCost> {
        if self.alone() {
            self.own.prepare_factors()
        } else {
            None
        }
    }

    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        self.alone() && self.own.factor(x, y)
    }

    fn solve(&mut self, b: &mut [Vec3]) {
        self.own.solve(b);
    }

    fn solve_roughly(&mut self, b: &mut [Vec3]) {
        self.own.solve_roughly(b);
    }

    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        if self.alone() {
            return self.own.product(x, out);
        }
        self.own.start_still(x);
        self.timed(|times| &mut times.exchange, |op| op.add_up(x, false));
        self.own.gather_still(out);
    }

    fn total<const N: usize>(&self, own: [f64; N]) -> [f64; N] {
        comm::sum(&*self.comm, own)
    }

    fn greatest(&self, own: f64) -> f64 {
        let [greatest] = comm::largest(&*self.comm, [own]);
        greatest
    }
}

/// Forces with this sum `Σ f` [N] and these moments `Σ f aᵀ` [N m] at their arms `a`, column by column: at the arms of unit
/// length along the axes, and at none.
fn four_forces(sum: &[f64; WIDTH]) -> [PointForce; 4] {
    let column = |k: usize| Vec3::from_column_slice(&sum[3 * k..3 * k + 3]);
    let rest = column(0) - column(1) - column(2) - column(3);
    let arms = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let forces = [rest, column(1), column(2), column(3)];
    std::array::from_fn(|k| PointForce { at: Attachment::Arm(arms[k]), force: forces[k] })
}

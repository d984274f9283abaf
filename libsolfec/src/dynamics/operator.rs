//! The matrix-free operator of rigid and pseudo-rigid bodies.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::factors::{product, Factors};
use super::kinetics::{PseudoInverse, PseudoState, RigidState};
use super::sparse::symmetric;
use super::sweep::{slots, Attach, Field, Link, Schedule};
use super::{
    BlockKernel, BlockSparse, Colouring, Delassus, End, FactorCost, Inverse, Kinetics, PseudoVelocity, Row, Sweep,
    WholeMatrix, GRAIN,
};
use crate::body::{Resultant, Twist};
use crate::math::{Mat3, Vec3};

/// `U = B + W R` on bodies in velocity form: each keeps its velocity, nothing off the diagonal is stored. Filled anew every
/// step into kept memory. Sweeps go by (colour of the body pair, pair, row); pairs that find no colour among 64, on a
/// dynamic body with very many neighbours, are swept in a serial tail, which is slower but exact (mass splitting of
/// 10.6 R2 would make them parallel).
#[derive(Debug, Default)]
pub struct BodyOperator {
    h: f64,
    rigid: Vec<RigidState>,
    pseudo: Vec<PseudoState>,
    table: Vec<[f64; 81]>,
    bodies: Vec<Attach>,
    rigid_slot: Vec<u32>,
    pseudo_slot: Vec<u32>,
    rigid_free: Vec<Twist>,
    rigid_previous: Vec<Twist>,
    pseudo_free: Vec<PseudoVelocity>,
    pseudo_previous: Vec<PseudoVelocity>,
    links: Vec<Link>,
    slots: Vec<[u32; 2]>,
    diagonal: Vec<Mat3>,
    free: Vec<Vec3>,
    previous: Vec<Vec3>,
    incidence_start: Vec<u32>,
    incidence: Vec<Incidence>,
    colouring: Colouring,
    schedule: Schedule,
    assemblies: AtomicU64,
    /// `W` and its factors, where a solver of this step asked for them.
    matrix: Option<BlockSparse>,
    factors: Factors,
}

/// A constraint end on a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Incidence {
    row: u32,
    /// 0 master, 1 slave.
    end: u32,
}

impl Incidence {
    fn sign(&self) -> f64 {
        if self.end == 0 {
            1.0
        } else {
            -1.0
        }
    }
}

impl BodyOperator {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes over the bodies (slot 0, 1, … in the order given) and the constraints (in key order) of a step of length `h`
    /// [s]. Constraints with no end on a dynamic body must have been left out, and all constraints of one pair key must
    /// be between the same slots.
    pub fn fill<'a>(&mut self, h: f64, bodies: impl IntoIterator<Item = Kinetics<'a>>, rows: &[Row]) {
        self.h = h;
        self.schedule.clear();
        (self.matrix, self.factors) = (None, Factors::default());
        self.fill_bodies(bodies);
        self.fill_rows(rows);
        self.index_rows();
        let slots = &self.slots;
        self.schedule.build(rows.len(), |i| rows[i].pair, |i| slots[i], &mut self.colouring, self.bodies.len());
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.resize(self.links.len(), Mat3::zeros());
        let items = diagonal.par_iter_mut().with_min_len(GRAIN).enumerate();
        items.for_each(|(i, w)| *w = symmetric(&self.coupling(i, i)));
        self.schedule.load(&self.links, &diagonal);
        self.diagonal = diagonal;
        self.reset_velocities();
        let mut free = std::mem::take(&mut self.free);
        free.resize(self.links.len(), Vec3::zeros());
        self.gather(&mut free);
        self.free = free;
    }

    fn fill_bodies<'a>(&mut self, bodies: impl IntoIterator<Item = Kinetics<'a>>) {
        self.rigid.clear();
        self.pseudo.clear();
        self.table.clear();
        self.bodies.clear();
        self.rigid_slot.clear();
        self.pseudo_slot.clear();
        self.rigid_free.clear();
        self.rigid_previous.clear();
        self.pseudo_free.clear();
        self.pseudo_previous.clear();
        for body in bodies {
            let slot = self.bodies.len() as u32;
            match body {
                Kinetics::Rigid { inv_mass, inv_inertia, free, previous } => {
                    self.bodies.push(Attach::Rigid(self.rigid.len() as u32));
                    self.rigid_slot.push(slot);
                    self.rigid_free.push(free);
                    self.rigid_previous.push(previous);
                    self.rigid.push(RigidState {
                        linear: free.linear,
                        angular: free.angular,
                        mass: self.h * inv_mass,
                        inertia: self.h * inv_inertia,
                    });
                }
                Kinetics::Pseudo { inv_mass, inverse, free, previous } => {
                    self.bodies.push(Attach::Pseudo(self.pseudo.len() as u32));
                    self.pseudo_slot.push(slot);
                    self.pseudo_free.push(free);
                    self.pseudo_previous.push(previous);
                    let inverse = match inverse {
                        Inverse::Euler(inverse) => PseudoInverse::Euler(self.h * inverse),
                        Inverse::Full(entries) => {
                            self.table.push(entries.map(|x| self.h * x));
                            PseudoInverse::Full(self.table.len() as u32 - 1)
                        }
                    };
                    self.pseudo.push(PseudoState {
                        linear: free.linear,
                        gradient: free.gradient,
                        mass: self.h * inv_mass,
                        inverse,
                    });
                }
            }
        }
    }

    fn fill_rows(&mut self, rows: &[Row]) {
        let mut links = std::mem::take(&mut self.links);
        rows.par_iter().with_min_len(GRAIN).map(|row| self.link(row)).collect_into_vec(&mut links);
        let mut previous = std::mem::take(&mut self.previous);
        let pairs = rows.par_iter().zip(&links).with_min_len(GRAIN);
        pairs.map(|(row, link)| self.velocity_before(link) + row.drift_before).collect_into_vec(&mut previous);
        rows.par_iter().with_min_len(GRAIN).map(slots).collect_into_vec(&mut self.slots);
        (self.links, self.previous) = (links, previous);
    }

    fn link(&self, row: &Row) -> Link {
        let attach = |end: Option<&End>| match end {
            Some(End::Body { slot, arm }) => (self.bodies[*slot as usize], *arm),
            Some(End::Fixed) | None => (Attach::None, Vec3::zeros()),
        };
        let ends = [attach(Some(&row.master)), attach(row.slave.as_ref())];
        Link { base: row.base, drift: row.drift, arms: ends.map(|(_, arm)| arm), ends: ends.map(|(body, _)| body) }
    }

    /// Local velocity of the bodies of a constraint at the start of the step.
    fn velocity_before(&self, link: &Link) -> Vec3 {
        let velocity = |k: usize| match link.ends[k] {
            Attach::None => Vec3::zeros(),
            Attach::Rigid(b) => {
                let twist = &self.rigid_previous[b as usize];
                twist.linear + twist.angular.cross(&link.arms[k])
            }
            Attach::Pseudo(b) => {
                let rate = &self.pseudo_previous[b as usize];
                rate.linear + rate.gradient * link.arms[k]
            }
        };
        link.base.tr_mul(&(velocity(0) - velocity(1)))
    }

    /// Ends of constraints by body, in key order within a body.
    fn index_rows(&mut self) {
        let (rigid, pseudo) = (&self.rigid_slot, &self.pseudo_slot);
        let slot = |end: &Attach| match end {
            Attach::None => None,
            Attach::Rigid(b) => Some(rigid[*b as usize] as usize),
            Attach::Pseudo(b) => Some(pseudo[*b as usize] as usize),
        };
        let start = &mut self.incidence_start;
        start.clear();
        start.resize(self.bodies.len() + 2, 0);
        for link in &self.links {
            for slot in link.ends.iter().filter_map(slot) {
                start[slot + 2] += 1;
            }
        }
        for k in 2..start.len() {
            start[k] += start[k - 1];
        }
        self.incidence.clear();
        self.incidence.resize(start[self.bodies.len() + 1] as usize, Incidence::default());
        for (row, link) in (0..).zip(&self.links) {
            for (end, attach) in (0..).zip(&link.ends) {
                if let Some(slot) = slot(attach) {
                    let at = &mut start[slot + 1];
                    self.incidence[*at as usize] = Incidence { row, end };
                    *at += 1;
                }
            }
        }
    }

    fn incidences(&self, slot: usize) -> &[Incidence] {
        let start = &self.incidence_start;
        &self.incidence[start[slot] as usize..start[slot + 1] as usize]
    }

    fn reset_velocities(&mut self) {
        for (state, free) in self.rigid.iter_mut().zip(&self.rigid_free) {
            state.linear = free.linear;
            state.angular = free.angular;
        }
        for (state, free) in self.pseudo.iter_mut().zip(&self.pseudo_free) {
            state.linear = free.linear;
            state.gradient = free.gradient;
        }
    }

    /// Local velocities of the present body velocities.
    fn gather(&self, u: &mut [Vec3]) {
        let point = |end: Attach, arm: &Vec3| match end {
            Attach::None => Vec3::zeros(),
            Attach::Rigid(b) => self.rigid[b as usize].point(arm),
            Attach::Pseudo(b) => self.pseudo[b as usize].point(arm),
        };
        let items = u.par_iter_mut().zip(&self.links).with_min_len(GRAIN);
        items.for_each(|(u, link)| {
            let [master, slave] = [0, 1].map(|k| point(link.ends[k], &link.arms[k]));
            *u = link.base.tr_mul(&(master - slave)) + link.drift;
        });
    }

    /// `Σ σσ h E_αᵀ N E_β` over the bodies that rows `a` and `b` share.
    fn coupling(&self, a: usize, b: usize) -> Mat3 {
        let (row_a, row_b) = (&self.links[a], &self.links[b]);
        let mut sum = Mat3::zeros();
        for i in 0..2 {
            for j in 0..2 {
                if row_a.ends[i] != row_b.ends[j] {
                    continue;
                }
                let (arm_a, arm_b) = (&row_a.arms[i], &row_b.arms[j]);
                let block = match row_a.ends[i] {
                    Attach::None => continue,
                    Attach::Rigid(k) => self.rigid[k as usize].coupling(arm_a, arm_b),
                    Attach::Pseudo(k) => self.pseudo[k as usize].coupling(arm_a, arm_b, &self.table),
                };
                sum += if i == j { block } else { -block };
            }
        }
        row_a.base.tr_mul(&(sum * row_b.base))
    }

    /// Reactions on body `slot`, summed in key order.
    fn resultant(&self, slot: usize, r: &[Vec3]) -> Resultant {
        let mut sum = Resultant { force: Vec3::zeros(), torque: Vec3::zeros(), moment: Mat3::zeros() };
        let deformable = matches!(self.bodies[slot], Attach::Pseudo(_));
        for end in self.incidences(slot) {
            let link = &self.links[end.row as usize];
            let force = link.base * r[end.row as usize] * end.sign();
            let arm = &link.arms[end.end as usize];
            sum.force += force;
            if deformable {
                sum.moment += force * arm.transpose();
            } else {
                sum.torque += arm.cross(&force);
            }
        }
        sum
    }

    /// What the reactions `r` do to each body, by slot: force and torque about the mass centre of a rigid body (spatial),
    /// force and moment `Σ f ⊗ A` of a pseudo-rigid one; averages over the step.
    pub fn resultants(&self, r: &[Vec3], out: &mut Vec<Resultant>) {
        (0..self.bodies.len())
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|slot| self.resultant(slot, r))
            .collect_into_vec(out);
    }

    /// Number of colours of body pairs, before small ones were merged.
    pub fn colours(&self) -> usize {
        self.schedule.colours()
    }

    /// `W`, assembled by the first call of a step, and its factors.
    fn assembled(&mut self) -> (&BlockSparse, &mut Factors) {
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
        self.schedule.order()
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        self.start(r);
        self.gather(u);
    }

    fn start(&mut self, r: &[Vec3]) {
        assert_eq!(r.len(), self.len());
        self.reset_velocities();
        let mut rigid = std::mem::take(&mut self.rigid);
        let items = rigid.par_iter_mut().zip(&self.rigid_slot).with_min_len(GRAIN);
        items.for_each(|(state, &slot)| {
            let sum = self.resultant(slot as usize, r);
            state.impulse(&sum.force, &sum.torque);
        });
        self.rigid = rigid;
        let mut pseudo = std::mem::take(&mut self.pseudo);
        let items = pseudo.par_iter_mut().zip(&self.pseudo_slot).with_min_len(GRAIN);
        items.for_each(|(state, &slot)| {
            let sum = self.resultant(slot as usize, r);
            state.impulse(&sum.force, &sum.moment, &self.table);
        });
        self.pseudo = pseudo;
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K, backward: bool) -> Sweep {
        let field = Field { table: &self.table, rigid: &mut self.rigid, pseudo: &mut self.pseudo };
        self.schedule.run(field, r, kernel, backward)
    }

    fn prepare_factors(&mut self) -> Option<FactorCost> {
        let (w, factors) = self.assembled();
        factors.prepare(w)
    }

    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        let (w, factors) = self.assembled();
        factors.factor(w, x, y)
    }

    fn solve(&mut self, b: &mut [Vec3]) {
        self.factors.solve(b);
    }

    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        product(self.assembled().0, x, out);
    }
}

impl WholeMatrix for BodyOperator {
    fn assemble(&self) -> BlockSparse {
        self.assemblies.fetch_add(1, Ordering::Relaxed);
        let mut upper = Vec::with_capacity(self.len());
        for i in 0..self.len() {
            let mut columns = Vec::new();
            for slot in self.slots[i].iter().filter(|&&s| s != super::NO_SLOT) {
                let rows = self.incidences(*slot as usize).iter().map(|end| end.row);
                columns.extend(rows.filter(|&j| j as usize >= i));
            }
            columns.sort_unstable();
            columns.dedup();
            let blocks = columns.into_iter().map(|j| (j, self.coupling(i, j as usize)));
            upper.push(blocks.collect());
        }
        BlockSparse::from_upper(&upper)
    }
}

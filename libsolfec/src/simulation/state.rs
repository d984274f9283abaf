//! The dynamic state of a simulation as plain columns: what a checkpoint holds. Rows are known by persistent ids; it
//! holds nothing that follows from the model and its program, and everything else that decides the steps to come.

use super::{Clock, Schedule};
pub use crate::body::{General, PseudoColumns, RigidColumns};
use crate::contact::ContactKey;
use crate::frame::{Event, SolverStatistics};
use crate::{Error, Result};

/// A simulation between two steps. Columns of a table have equal lengths; see [`super::Simulation::restore`].
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// `--compat schedule` is not part of it but of the model.
    pub clock: Clock,
    /// Step that made this state [s].
    pub last_h: f64,
    pub output: Schedule,
    /// Of CALLBACK; its function is that of the program.
    pub callback: Option<Schedule>,
    pub steps: u64,
    pub frames: u64,
    /// Step count of the last frame taken.
    pub frame_step: Option<u64>,
    /// RUNs begun.
    pub runs: u32,
    /// Id of the next contact or user constraint.
    pub next_constraint: u64,
    pub statistics: SolverStatistics,
    /// Rigid bodies and obstacles in order of id.
    pub rigid: RigidColumns,
    /// Pseudo-rigid bodies in order of id.
    pub pseudo: PseudoColumns,
    /// Bodies of other kinds in order of id.
    pub general: General,
    /// In key order.
    pub contacts: ContactColumns,
    /// User constraints in order of their rows.
    pub ties: TieColumns,
    /// Since the last frame.
    pub events: Vec<Event>,
}

/// Contacts of the last step. Vectors in pairs are of (master, slave).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactColumns {
    pub key: Vec<ContactKey>,
    pub id: Vec<u64>,
    /// Which of the two objects of the key is the slave: 0 or 1.
    pub slave: Vec<u8>,
    pub master_point: Vec<[f64; 3]>,
    pub slave_point: Vec<[f64; 3]>,
    /// The same points in the reference configurations.
    pub master_reference: Vec<[f64; 3]>,
    pub slave_reference: Vec<[f64; 3]>,
    /// Surface ids of (master, slave).
    pub surf: Vec<[i32; 2]>,
    /// Columns t1 t2 n, one after another.
    pub base: Vec<[f64; 9]>,
    pub gap: Vec<f64>,
    pub area: Vec<f64>,
    /// Row of the surface material.
    pub material: Vec<u32>,
    /// Cohesion strength [N], 0: not cohesive.
    pub cohesion: Vec<f64>,
    pub r: Vec<[f64; 3]>,
    pub u: Vec<[f64; 3]>,
    pub v: Vec<[f64; 3]>,
    pub merit: Vec<f64>,
    /// Whether the geometry is that of the step before.
    pub stale: Vec<bool>,
}

/// User constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TieColumns {
    /// Row of the model's table.
    pub row: Vec<u32>,
    pub id: Vec<u64>,
    /// The kind in files; a link of coincident points has become a fixed point, and the other way round.
    pub kind: Vec<u8>,
    /// When it was made [s].
    pub born: Vec<f64>,
    /// Where the reaction acts; zero for a slave that is not there.
    pub master_point: Vec<[f64; 3]>,
    pub slave_point: Vec<[f64; 3]>,
    pub master_reference: Vec<[f64; 3]>,
    pub slave_reference: Vec<[f64; 3]>,
    /// Columns t1 t2 n, one after another.
    pub base: Vec<[f64; 9]>,
    /// `Eᵀ(x_m − x_s)` when it was made; less that, at the start and in the middle of the step [m].
    pub origin: Vec<[f64; 3]>,
    pub before: Vec<[f64; 3]>,
    pub moved: Vec<[f64; 3]>,
    /// Whether the velocities of its bodies are still to be made to suit it.
    pub fresh: Vec<bool>,
    pub r: Vec<[f64; 3]>,
    pub u: Vec<[f64; 3]>,
    pub v: Vec<[f64; 3]>,
    pub merit: Vec<f64>,
    /// Prescribed velocity of the last step [m/s].
    pub prescribed: Vec<[f64; 3]>,
}

impl State {
    /// Whether columns of a table have equal lengths.
    pub(super) fn check(&self) -> Result<()> {
        let (b, p, c, t) = (&self.rigid, &self.pseudo, &self.contacts, &self.ties);
        let rigid = [b.id.len(), b.x.len(), b.rot.len(), b.v.len(), b.omega.len(), b.work.len()];
        let pseudo = [p.id.len(), p.x.len(), p.f.len(), p.v.len(), p.fdot.len(), p.work.len()];
        let points = [c.master_point.len(), c.slave_point.len(), c.master_reference.len(), c.slave_reference.len()];
        let plain = [c.key.len(), c.id.len(), c.slave.len(), c.surf.len(), c.base.len(), c.gap.len(), c.area.len()];
        let solved =
            [c.r.len(), c.u.len(), c.v.len(), c.merit.len(), c.material.len(), c.cohesion.len(), c.stale.len()];
        let contacts = [&points[..], &plain, &solved].concat();
        let points = [t.master_point.len(), t.slave_point.len(), t.master_reference.len(), t.slave_reference.len()];
        let plain = [t.row.len(), t.id.len(), t.kind.len(), t.born.len(), t.base.len(), t.fresh.len()];
        let measures = [t.origin.len(), t.before.len(), t.moved.len(), t.prescribed.len()];
        let solved = [t.r.len(), t.u.len(), t.v.len(), t.merit.len()];
        let ties = [&points[..], &plain, &measures, &solved].concat();
        for (name, lengths) in [
            ("rigid bodies", &rigid[..]),
            ("pseudo-rigid bodies", &pseudo),
            ("contacts", &contacts),
            ("constraints", &ties),
        ] {
            if lengths.iter().any(|n| *n != lengths[0]) {
                return Err(Error::input(format!("state: columns of {name} differ in length")));
            }
        }
        Ok(())
    }
}

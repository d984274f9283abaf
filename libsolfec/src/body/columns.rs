//! The state of bodies as plain columns, for checkpoints.

use crate::{Error, Result};

/// State of all bodies between two steps: a table for each kind with a fixed number of unknowns, and one for all
/// others. Rows are in order of id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodyColumns {
    pub rigid: RigidColumns,
    pub pseudo: PseudoColumns,
    pub general: General,
}

crate::table! {
    /// Rigid bodies and obstacles.
    pub struct RigidColumns("rigid bodies", "n") {
        id: u64 = "rigid/id", "1", "id of the body; rows ascend by it";
        x: [f64; 3] = "rigid/x", "m", "mass centre" .frame("spatial") .level("t+h");
        rot: [f64; 9] = "rigid/rot", "1", "rotation, column-wise" .frame("spatial") .level("t+h");
        v: [f64; 3] = "rigid/v", "m/s", "velocity of the mass centre" .frame("spatial") .level("t+h");
        omega: [f64; 3] = "rigid/omega", "rad/s", "angular velocity" .frame("reference") .level("t+h");
        work: [f64; 4] = "rigid/work", "J", "work so far: external, contact, friction, dissipated" .level("t+h");
    }
}

crate::table! {
    /// Pseudo-rigid bodies.
    pub struct PseudoColumns("pseudo-rigid bodies", "p") {
        id: u64 = "pseudo/id", "1", "id of the body; rows ascend by it";
        x: [f64; 3] = "pseudo/x", "m", "mass centre" .frame("spatial") .level("t+h");
        f: [f64; 9] = "pseudo/F", "1", "deformation gradient, row-wise" .frame("spatial") .level("t+h");
        v: [f64; 3] = "pseudo/v", "m/s", "velocity of the mass centre" .frame("spatial") .level("t+h");
        fdot: [f64; 9] = "pseudo/Fdot", "1/s", "its rate, row-wise" .frame("spatial") .level("t+h");
        work: [f64; 4] = "pseudo/work", "J", "work so far: external, contact, friction, dissipated" .level("t+h");
    }
}

crate::table! {
    /// Bodies of other kinds; their numbers follow those of the body before.
    pub struct GeneralColumns("bodies of other kinds", "g") {
        id: u64 = "general/id", "1", "id of the body; rows ascend by it";
        unknowns: u32 = "general/unknown_count", "1", "how many rows of general/unknown are its";
        velocities: u32 = "general/velocity_count", "1", "how many rows of general/velocity are its";
        work: [f64; 4] = "general/work", "J", "work so far: external, contact, friction, dissipated" .level("t+h");
    }
}

crate::table! {
    /// Unknowns of bodies of other kinds.
    pub struct UnknownColumns("unknowns", "gu") {
        value: f64 = "general/unknown", "1", "what the kind of the body has for its configuration" .level("t+h");
    }
}

crate::table! {
    /// Velocities of bodies of other kinds.
    pub struct VelocityColumns("velocities", "gv") {
        value: f64 = "general/velocity", "1", "what the kind of the body has for its velocity" .level("t+h");
    }
}

/// The bodies of kinds that have no table of their own: so many unknowns and velocities each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct General {
    pub bodies: GeneralColumns,
    pub unknowns: UnknownColumns,
    pub velocities: VelocityColumns,
}

/// A body of [`General`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneralBody<'a> {
    pub id: u64,
    pub unknowns: &'a [f64],
    pub velocities: &'a [f64],
    /// As of [`RigidColumns`].
    pub work: [f64; 4],
}

impl General {
    pub fn push(&mut self, body: GeneralBody) {
        self.bodies.id.push(body.id);
        self.bodies.unknowns.push(body.unknowns.len() as u32);
        self.bodies.velocities.push(body.velocities.len() as u32);
        self.bodies.work.push(body.work);
        self.unknowns.value.extend_from_slice(body.unknowns);
        self.velocities.value.extend_from_slice(body.velocities);
    }

    /// The bodies in order; counts must have been checked.
    pub fn iter(&self) -> impl Iterator<Item = GeneralBody<'_>> {
        let b = &self.bodies;
        let (mut unknowns, mut velocities) = (&self.unknowns.value[..], &self.velocities.value[..]);
        (0..b.id.len()).map(move |k| {
            let (of_body, rest) = unknowns.split_at(b.unknowns[k] as usize);
            let (its_velocities, later) = velocities.split_at(b.velocities[k] as usize);
            (unknowns, velocities) = (rest, later);
            GeneralBody { id: b.id[k], unknowns: of_body, velocities: its_velocities, work: b.work[k] }
        })
    }

    /// Whether the counts of the bodies give all numbers.
    ///
    /// # Errors
    /// They do not.
    pub fn check(&self) -> Result<()> {
        let sum = |counts: &[u32]| counts.iter().map(|&n| n as usize).sum::<usize>();
        let given = [sum(&self.bodies.unknowns), sum(&self.bodies.velocities)];
        let there = [self.unknowns.value.len(), self.velocities.value.len()];
        if given != there {
            let text =
                format!("state: bodies of other kinds have {given:?} unknowns and velocities, but there are {there:?}");
            return Err(Error::input(text));
        }
        Ok(())
    }
}

impl BodyColumns {
    /// Ids of all bodies, table by table.
    pub fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.rigid.id.iter().chain(&self.pseudo.id).chain(&self.general.bodies.id).copied()
    }
}

//! The state of bodies as plain columns, for checkpoints.

/// State of all bodies between two steps: a table for each kind with a fixed number of unknowns, and one for all others. Rows are
/// in order of id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodyColumns {
    pub rigid: RigidColumns,
    pub pseudo: PseudoColumns,
    pub general: General,
}

/// Rigid bodies and obstacles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RigidColumns {
    pub id: Vec<u64>,
    /// Mass centre [m].
    pub x: Vec<[f64; 3]>,
    /// Column-wise.
    pub rot: Vec<[f64; 9]>,
    pub v: Vec<[f64; 3]>,
    /// Referential.
    pub omega: Vec<[f64; 3]>,
    /// External, contact, friction, dissipated work so far [J]; other energies are functions of the state.
    pub work: Vec<[f64; 4]>,
}

/// Pseudo-rigid bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PseudoColumns {
    pub id: Vec<u64>,
    pub x: Vec<[f64; 3]>,
    /// Row-wise.
    pub f: Vec<[f64; 9]>,
    pub v: Vec<[f64; 3]>,
    /// Row-wise.
    pub fdot: Vec<[f64; 9]>,
    /// As of [`RigidColumns`].
    pub work: Vec<[f64; 4]>,
}

/// Bodies of other kinds; their numbers follow those of the body before.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GeneralColumns {
    pub id: Vec<u64>,
    /// How many unknowns and velocities each body has.
    pub unknowns: Vec<u32>,
    pub velocities: Vec<u32>,
    /// As of [`RigidColumns`].
    pub work: Vec<[f64; 4]>,
}

/// Numbers of all bodies of other kinds, one after another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValueColumns {
    pub value: Vec<f64>,
}

/// The bodies of kinds that have no table of their own: so many unknowns and velocities each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct General {
    pub bodies: GeneralColumns,
    pub unknowns: ValueColumns,
    pub velocities: ValueColumns,
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
}

impl BodyColumns {
    /// Ids of all bodies, table by table.
    pub fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.rigid.id.iter().chain(&self.pseudo.id).chain(&self.general.bodies.id).copied()
    }
}

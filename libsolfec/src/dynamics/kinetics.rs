//! What the operator is told of bodies and constraints, and bodies in velocity form: `H` gathers, `h M⁻¹ Hᵀ` scatters.

use crate::body::Twist;
use crate::math::{skew, Mat3, Vec3};

/// Velocity of a pseudo-rigid body: rate of the deformation gradient [1/s], velocity of the mass centre [m/s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoVelocity {
    pub gradient: Mat3,
    pub linear: Vec3,
}

/// Inverse of the operator that acts on `Ḟ` [1/(kg m²)].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Inverse<'a> {
    /// Explicit schemes: inverse of the Euler tensor; a moment `P` gives `Ḟ = P E⁻¹`.
    Euler(Mat3),
    /// Implicit schemes: 9×9, row-major, on `F` taken row by row.
    Full(&'a [f64; 81]),
}

/// One dynamic body of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kinetics<'a> {
    Rigid {
        /// [1/kg]; 0 stands for a body that does not move in translation.
        inv_mass: f64,
        /// Inverse inertia, spatial, at mid-step [1/(kg m²)]; zero without rotation.
        inv_inertia: Mat3,
        /// Velocity at the end of the step without reactions, about the mid-step mass centre.
        free: Twist,
        /// Velocity at the start of the step.
        previous: Twist,
    },
    Pseudo {
        inv_mass: f64,
        inverse: Inverse<'a>,
        free: PseudoVelocity,
        previous: PseudoVelocity,
    },
}

/// One end of a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// On an obstacle: no inverse inertia; its velocity comes as the drift of the row.
    Fixed,
    /// On the dynamic body of this slot. The arm leads from the mass centre to the point [m]: spatial at mid-step for a
    /// rigid body, referential (`X − X_centre`) for a pseudo-rigid one.
    Body { slot: u32, arm: Vec3 },
}

/// One constraint of a step. At least one end is on a dynamic body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Ids of the two bodies, smaller first, as in the contact key; constraints of equal pair are swept together.
    pub pair: (u64, u64),
    /// Columns t1 t2 n.
    pub base: Mat3,
    pub master: End,
    pub slave: Option<End>,
    /// Local velocity `Eᵀ(v_master − v_slave)` that obstacles contribute at t+h [m/s].
    pub drift: Vec3,
    /// The same at t.
    pub drift_before: Vec3,
}

/// A rigid body in the sweep: two cache lines, with the step folded into the inverses.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct RigidState {
    pub linear: Vec3,
    pub angular: Vec3,
    /// `h/m` and `h J⁻¹`.
    pub mass: f64,
    pub inertia: Mat3,
}

impl RigidState {
    #[inline(always)]
    pub fn point(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }

    #[inline(always)]
    pub fn push(&mut self, arm: &Vec3, force: &Vec3) {
        self.impulse(force, &arm.cross(force));
    }

    #[inline(always)]
    pub fn impulse(&mut self, force: &Vec3, torque: &Vec3) {
        self.linear += force * self.mass;
        self.angular += self.inertia * torque;
    }

    /// Velocity at arm `a` for a unit force at arm `b`.
    pub fn coupling(&self, a: &Vec3, b: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(self.mass) - skew(a) * self.inertia * skew(b)
    }
}

/// `h` times the inverse that acts on `Ḟ`; full ones are rows of a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum PseudoInverse {
    Euler(Mat3),
    Full(u32),
}

/// A pseudo-rigid body in the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct PseudoState {
    pub linear: Vec3,
    pub gradient: Mat3,
    pub mass: f64,
    pub inverse: PseudoInverse,
}

impl PseudoState {
    pub fn point(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.gradient * arm
    }

    #[inline(never)]
    pub fn push(&mut self, arm: &Vec3, force: &Vec3, table: &[[f64; 81]]) {
        self.impulse(force, &(force * arm.transpose()), table);
    }

    pub fn impulse(&mut self, force: &Vec3, moment: &Mat3, table: &[[f64; 81]]) {
        self.linear += force * self.mass;
        self.gradient += match self.inverse {
            PseudoInverse::Euler(inverse) => moment * inverse,
            PseudoInverse::Full(row) => full_product(&table[row as usize], moment),
        };
    }

    pub fn coupling(&self, a: &Vec3, b: &Vec3, table: &[[f64; 81]]) -> Mat3 {
        let translation = Mat3::from_diagonal_element(self.mass);
        translation
            + match self.inverse {
                PseudoInverse::Euler(inverse) => Mat3::from_diagonal_element((inverse * a).dot(b)),
                PseudoInverse::Full(row) => {
                    let inverse = &table[row as usize];
                    let sandwich = |i: usize, k: usize| -> f64 {
                        let row = |j: usize| (0..3).map(|l| inverse[9 * (3 * i + j) + 3 * k + l] * b[l]).sum::<f64>();
                        (0..3).map(|j| a[j] * row(j)).sum()
                    };
                    Mat3::from_fn(sandwich)
                }
            }
    }
}

/// A 9×9 row-major matrix times a 3×3 matrix taken row by row.
fn full_product(inverse: &[f64; 81], moment: &Mat3) -> Mat3 {
    let entry = |row: usize| {
        let terms = (0..9).map(|column| inverse[9 * row + column] * moment[(column / 3, column % 3)]);
        terms.sum::<f64>()
    };
    Mat3::from_fn(|i, j| entry(3 * i + j))
}

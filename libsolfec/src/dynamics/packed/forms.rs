//! Bodies in rigid and in affine form as the sweep holds them: velocity, and inverse inertia times the step.

use crate::math::{cross_columns, cross_rows, Mat3, MatOf, Vec3, VecOf, Wide, WideVec};

/// A rigid body in the sweep: two cache lines, with the step folded into the inverses.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct RigidSweep {
    pub linear: Vec3,
    pub angular: Vec3,
    /// `h/m` and `h J⁻¹`.
    pub mass: f64,
    pub inertia: Mat3,
}

impl RigidSweep {
    /// It does not move, and no force moves it.
    pub const AT_REST: RigidSweep = RigidSweep {
        linear: Vec3::new(0.0, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.0, 0.0),
        mass: 0.0,
        inertia: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

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
        Mat3::from_diagonal_element(self.mass) - cross_rows(&cross_columns(a, &self.inertia), b)
    }
}

const _: () = assert!(size_of::<RigidSweep>() == 4 * size_of::<Wide>());

/// Four rigid bodies side by side.
pub struct FourRigid([*mut Wide; 4]);

impl FourRigid {
    #[inline(always)]
    pub fn new(bodies: [*mut RigidSweep; 4]) -> FourRigid {
        FourRigid(bodies.map(<*mut RigidSweep>::cast))
    }

    /// Numbers `4 k .. 4 k + 4` of each, as they lie in memory one after another.
    ///
    /// # Safety
    /// Nobody may write to the bodies during the call.
    #[inline(always)]
    unsafe fn rows(&self, k: usize) -> [Wide; 4] {
        Wide::transpose(self.0.map(|body| unsafe { *body.add(k) }))
    }

    /// [`RigidSweep::point`] of each.
    ///
    /// # Safety
    /// As `rows`.
    #[inline(always)]
    pub unsafe fn points(&self, arms: &WideVec) -> WideVec {
        let ([x, y, z, a], [b, c, ..]) = unsafe { (self.rows(0), self.rows(1)) };
        VecOf::new(x, y, z) + VecOf::new(a, b, c).cross(arms)
    }

    /// [`RigidSweep::push`] of each but those that `stay`. Nothing but velocities changes.
    ///
    /// # Safety
    /// They are different, but for what stands for none, and nobody else may touch them during the call.
    #[inline(always)]
    pub unsafe fn push(&self, arms: &WideVec, force: &WideVec, stay: Wide) {
        let torque = arms.cross(force);
        let ([x, y, z, a], [b, c, mass, i]) = unsafe { (self.rows(0), self.rows(1)) };
        let ([j, k, l, m], [n, o, p, q]) = unsafe { (self.rows(2), self.rows(3)) };
        let (linear, angular) = (VecOf::new(x, y, z), VecOf::new(a, b, c));
        let inertia = MatOf([VecOf::new(i, j, k), VecOf::new(l, m, n), VecOf::new(o, p, q)]);
        let linear = VecOf::select(stay, &linear, &(linear + *force * mass));
        let angular = VecOf::select(stay, &angular, &(angular + &inertia * torque));
        let first = Wide::transpose([linear.x, linear.y, linear.z, angular.x]);
        let second = Wide::transpose([angular.y, angular.z, mass, i]);
        for (k, body) in self.0.into_iter().enumerate() {
            unsafe {
                *body = first[k];
                *body.add(1) = second[k];
            }
        }
    }
}

/// `h` times the inverse that acts on `Ḟ`; full ones are rows of a table.
#[derive(Debug, Clone, Copy)]
pub enum SweepInverse {
    Rows(Mat3),
    Full(u32),
}

/// A body in affine form in the sweep.
#[derive(Debug, Clone, Copy)]
pub struct AffineSweep {
    pub linear: Vec3,
    pub gradient: Mat3,
    /// `h/m`.
    pub mass: f64,
    pub inverse: SweepInverse,
}

impl AffineSweep {
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
            SweepInverse::Rows(inverse) => moment * inverse,
            SweepInverse::Full(row) => full_product(&table[row as usize], moment),
        };
    }

    pub fn coupling(&self, a: &Vec3, b: &Vec3, table: &[[f64; 81]]) -> Mat3 {
        let translation = Mat3::from_diagonal_element(self.mass);
        translation
            + match self.inverse {
                SweepInverse::Rows(inverse) => Mat3::from_diagonal_element((inverse * a).dot(b)),
                SweepInverse::Full(row) => {
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

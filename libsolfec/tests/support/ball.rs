//! One mass on a compliant floor.

use solfec::math::{Mat3, Vec3};
use solfec::model::{Penalty, PenaltyVariant};
use solfec::solver::{penalty, Compliance, Conditions, Law, Status, Unknowns, Workspace};

use crate::problems::{single_with, STEP};

/// A ball that moves along the normal and one tangent; `x` is the height of its lowest point.
pub struct Ball {
    pub x: f64,
    pub v: Vec3,
    pub mass: f64,
    pub h: f64,
    pub spring: f64,
    pub dashpot: f64,
    pub hpow: f64,
    pub friction: f64,
    /// Force on it beside the contact.
    pub load: Vec3,
}

impl Ball {
    /// Touching the floor at unit speed, m = 1, k = 1e4.
    pub fn new(h: f64) -> Self {
        Ball {
            x: 0.0,
            v: Vec3::new(0.0, 0.0, -1.0),
            mass: 1.0,
            h,
            spring: 1e4,
            dashpot: 0.0,
            hpow: 1.0,
            friction: 0.0,
            load: Vec3::zeros(),
        }
    }

    pub fn compliance(&self, gap: f64) -> Compliance {
        Compliance {
            gap,
            spring: self.spring,
            dashpot: self.dashpot,
            hpow: self.hpow,
            friction: self.friction,
            cohesion: 0.0,
        }
    }

    pub fn law(&self, gap: f64) -> Law {
        Law::SpringDashpot(self.compliance(gap))
    }

    /// Reaction and velocity at the end of a step with mid-step gap `gap`.
    pub fn reaction(&self, gap: f64, variant: PenaltyVariant) -> (Vec3, Vec3) {
        let w = Mat3::from_diagonal_element(self.h / self.mass);
        let mut op = single_with(w, self.v + self.load * (self.h / self.mass), self.v);
        let (mut r, mut u, mut parts) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        let step = Conditions { h: self.h, ..STEP };
        let settings = Penalty { variant };
        let report = penalty(&mut Workspace::new(), &mut op, &[self.law(gap)], &settings, step, unknowns);
        assert_eq!(report.status, Status::Converged);
        (r[0], u[0])
    }

    /// One step of the implicit variant.
    pub fn step(&mut self) {
        let middle = self.x + 0.5 * self.h * self.v.z;
        if middle <= 0.0 {
            self.v = self.reaction(middle, PenaltyVariant::Implicit).1;
        } else {
            self.v += self.load * (self.h / self.mass);
        }
        self.x = middle + 0.5 * self.h * self.v.z;
    }
}

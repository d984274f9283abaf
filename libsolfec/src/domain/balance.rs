//! When space is cut anew, and what constraints add to the weight of a rank.

use serde::{Deserialize, Serialize};

use crate::comm::{self, Communicator};

/// Settings of IMBALANCE_TOLERANCE.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Largest weight of a rank over the mean above which space is cut anew, > 0; infinite: never.
    pub tolerance: f64,
    /// Share in [0, 1] of what couples constraints in the weight of a constraint.
    pub weightfactor: f64,
    /// Steps between two looks at the weights, ≥ 1.
    pub updatefreq: u32,
}

impl Default for Balance {
    fn default() -> Self {
        Balance { tolerance: 1.1, weightfactor: 1.0, updatefreq: 10 }
    }
}

/// A body as the end of a constraint: how many velocities and how many constraints it has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EndWeight {
    pub velocities: f64,
    pub constraints: f64,
}

impl Balance {
    /// The first number that is out of range: its name and what is wanted.
    pub fn fault(&self) -> Option<(&'static str, &'static str)> {
        let Balance { tolerance, weightfactor, updatefreq } = *self;
        let fault = |bad: bool, name, wanted| bad.then_some((name, wanted));
        fault(tolerance.is_nan() || tolerance <= 0.0, "tolerance", "a positive number")
            .or_else(|| fault(!(0.0..=1.0).contains(&weightfactor), "weightfactor", "a number in [0, 1]"))
            .or_else(|| fault(updatefreq == 0, "updatefreq", "a positive integer"))
    }

    /// Whether weights are looked at before step `step`.
    pub fn is_due(&self, step: u64) -> bool {
        step.is_multiple_of(u64::from(self.updatefreq.max(1)))
    }

    /// Weight of a constraint (Koziara and Bićanić, Int. J. Numer. Meth. Engng 87, 2011, 437–456, eq. 16): the
    /// velocities of its bodies, and the factor times those that the other constraints of these bodies lead to.
    pub fn constraint_weight(&self, ends: &[EndWeight]) -> f64 {
        let own: f64 = ends.iter().map(|end| end.velocities).sum();
        let coupled: f64 = ends.iter().map(|end| end.velocities * (end.constraints - 1.0).max(0.0)).sum();
        own + self.weightfactor * coupled
    }
}

/// The largest weight of a rank over the mean; 1 if there is none. Collective.
pub fn imbalance(comm: &dyn Communicator, own: f64) -> f64 {
    let ([largest], [sum]) = (comm::largest(comm, [own]), comm::sum(comm, [own]));
    if sum > 0.0 {
        largest * comm.size() as f64 / sum
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::{Alone, InProcess};

    #[test]
    fn imbalance_is_the_largest_weight_over_the_mean() {
        let world = InProcess::world(3);
        std::thread::scope(|scope| {
            for comm in &world {
                scope.spawn(move || assert_eq!(imbalance(comm, comm.rank() as f64), 2.0));
            }
        });
        assert_eq!(imbalance(&Alone, 0.0), 1.0);
    }

    #[test]
    fn a_constraint_weighs_what_its_bodies_move_and_what_it_is_coupled_with() {
        let rigid = |constraints: f64| EndWeight { velocities: 6.0, constraints };
        let weight = |weightfactor: f64, ends: &[EndWeight]| {
            Balance { weightfactor, ..Balance::default() }.constraint_weight(ends)
        };
        let pair = [rigid(4.0), rigid(3.0)];
        assert_eq!([1.0, 0.0, 0.5].map(|factor| weight(factor, &pair)), [42.0, 12.0, 27.0]);
        assert_eq!(weight(1.0, &[rigid(1.0)]), 6.0);
        assert_eq!(weight(1.0, &[rigid(2.0), EndWeight::default()]), 12.0, "an obstacle adds nothing");
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let plain = Balance::default();
        assert_eq!(plain.fault(), None);
        let faults = [
            Balance { tolerance: 0.0, ..plain },
            Balance { weightfactor: f64::NAN, ..plain },
            Balance { updatefreq: 0, ..plain },
        ];
        assert_eq!(
            faults.map(|balance| balance.fault().map(|(name, _)| name)),
            ["tolerance", "weightfactor", "updatefreq"].map(Some)
        );
        assert!(Balance { updatefreq: 3, ..plain }.is_due(6) && !plain.is_due(6));
    }
}

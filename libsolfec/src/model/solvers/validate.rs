//! Which numbers solvers take; decks check the same when they make them.

use super::SolverSettings;
use crate::{Error, Result};

impl SolverSettings {
    /// Whether all numbers are in range.
    ///
    /// # Errors
    /// The first that is not, with its value and its range.
    pub fn validate(&self) -> Result<()> {
        let positive = |name: &'static str, value: f64| (name, value, value > 0.0 && !value.is_nan(), "> 0");
        let count = |name: &'static str, value: u32| (name, f64::from(value), value > 0, "> 0");
        let between = |name: &'static str, value: f64, low: f64, range: &'static str| {
            (name, value, value >= low && value < 2.0, range)
        };
        let checks = match self {
            SolverSettings::GaussSeidel(s) => vec![
                positive("epsilon", s.epsilon),
                count("maxiter", s.maxiter),
                positive("meritval", s.meritval),
                positive("diagepsilon", s.diagepsilon),
                count("diagmaxiter", s.diagmaxiter),
                between("relaxation", s.relaxation, f64::MIN_POSITIVE, "in (0, 2)"),
                count("innerloops", s.innerloops),
            ],
            SolverSettings::Penalty(_) => Vec::new(),
            SolverSettings::Newton(s) => return s.validate(),
            SolverSettings::Siconos(s) => vec![positive("epsilon", s.epsilon), count("maxiter", s.maxiter)],
            SolverSettings::InteriorPoint(s) => vec![positive("meritval", s.meritval), count("maxiter", s.maxiter)],
            SolverSettings::ProximalNewton(s) => {
                vec![positive("meritval", s.meritval), count("maxiter", s.maxiter), positive("alpha", s.alpha)]
            }
            SolverSettings::CorrectedSweeps(s) => {
                vec![positive("meritval", s.meritval), count("maxiter", s.maxiter), count("sweeps", s.sweeps)]
            }
            SolverSettings::Admm(s) => vec![
                positive("meritval", s.meritval),
                count("maxiter", s.maxiter),
                positive("rho", s.rho),
                between("relaxation", s.relaxation, 1.0, "from 1 to less than 2"),
            ],
            SolverSettings::Auto(s) => vec![positive("meritval", s.meritval)],
        };
        match checks.into_iter().find(|(_, _, good, _)| !good) {
            Some((name, value, _, range)) => {
                Err(Error::input(format!("{}: {name} must be {range}, not {value}", self.name())))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Admm, Auto, CorrectedSweeps, GaussSeidel, InteriorPoint, Newton, ProximalNewton, Siconos};
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named() {
        let gauss_seidel = GaussSeidel::new(1e-3, 10);
        let bad = [
            SolverSettings::GaussSeidel(GaussSeidel { epsilon: -1.0, ..gauss_seidel.clone() }),
            SolverSettings::GaussSeidel(GaussSeidel { relaxation: 7.0, ..gauss_seidel.clone() }),
            SolverSettings::GaussSeidel(GaussSeidel { diagmaxiter: 0, ..gauss_seidel.clone() }),
            SolverSettings::Newton(Newton { theta: 5.0, ..Newton::default() }),
            SolverSettings::Siconos(Siconos { epsilon: f64::NAN, ..Siconos::default() }),
            SolverSettings::InteriorPoint(InteriorPoint { maxiter: 0, ..InteriorPoint::default() }),
            SolverSettings::ProximalNewton(ProximalNewton { alpha: 0.0, ..ProximalNewton::default() }),
            SolverSettings::CorrectedSweeps(CorrectedSweeps { sweeps: 0, ..CorrectedSweeps::default() }),
            SolverSettings::Admm(Admm { rho: 0.0, ..Admm::default() }),
            SolverSettings::Auto(Auto { meritval: -1.0 }),
        ];
        for settings in bad {
            let text = settings.validate().unwrap_err().to_string();
            assert!(text.starts_with(settings.name()) && text.contains("must be"), "{text}");
        }
        assert!(SolverSettings::GaussSeidel(gauss_seidel).validate().is_ok());
        assert!(SolverSettings::Auto(Auto::default()).validate().is_ok());
        assert!(SolverSettings::Admm(Admm::default()).validate().is_ok());
    }
}

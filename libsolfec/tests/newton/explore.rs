use super::*;
use crate::matrix::*;
use solfec::model::SolverSettings;
#[test]
fn explore() {
    let world = balls();
    let mut simulation = world.simulation();
    let s = Newton { gsflag: true, maxiter: 300, ..Newton::default() };
    for k in 0..232 {
        if k == 231 { std::env::set_var("DBG", "1"); }
        simulation.step(&SolverSettings::Newton(s.clone())).unwrap();
    }
}

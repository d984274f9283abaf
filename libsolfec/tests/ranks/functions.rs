//! User functions of simulations on ranks: the first rank has them, and is asked for all.

use std::collections::BTreeSet;

use super::distributed::{distributed, mechanism, on_ranks, own_states, sweeps, States};
use solfec::ids::BodyId;
use solfec::load::{Call, UserFunctions};
use solfec::model::{FunctionKind, FunctionRow, Joint, LoadKind, LoadRow, SpringLaw};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::{External, NoExternal};
use solfec::{Error, Result};
use solfec_testing::world::World;

const FORCE: u32 = 3;
const SPRING: u32 = 5;

/// The functions of the first rank; others have none.
struct Functions {
    here: bool,
    /// From this time on they fail [s].
    until: f64,
    external: NoExternal,
}

impl UserFunctions for Functions {
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        assert!(self.here && !calls.is_empty(), "functions are called on the first rank only");
        let forced =
            calls.iter().filter_map(|call| if let Call::Force { body, .. } = call { Some(*body) } else { None });
        let bodies: Vec<BodyId> = forced.collect();
        assert_eq!(bodies.len(), bodies.iter().collect::<BTreeSet<_>>().len(), "a body and its copies are one");
        calls.iter().map(|call| self.value(call)).collect()
    }
}

impl Functions {
    fn value(&self, call: &Call) -> Result<Vec<f64>> {
        match call {
            Call::Force { function: FORCE, time, .. } if *time > self.until => Err(Error::input("no more")),
            Call::Force { function: FORCE, q, u, time, .. } => {
                let mut force = vec![0.0; u.len()];
                force[u.len() - 1] = 200.0 * time - u[u.len() - 1] + q[0];
                // Rigid bodies have a referential torque besides.
                force.extend(if u.len() == 6 { vec![0.0; 3] } else { Vec::new() });
                Ok(force)
            }
            Call::Spring { function: SPRING, stroke, rate } => {
                Ok(vec![-50.0 * stroke - 40.0 * stroke.powi(3) - 0.5 * rate])
            }
            other => Err(Error::input(format!("{other:?} is not expected"))),
        }
    }
}

impl Outside for Functions {
    fn external(&mut self) -> &mut dyn External {
        &mut self.external
    }
}

/// The mechanism with forces by a function on its first, sixth and last bar, and a spring by one.
fn driven() -> World {
    let mut world = mechanism();
    let row = |function, kind| FunctionRow { function, name: "f".into(), kind, line: 0 };
    world.model.functions.extend([row(FORCE, FunctionKind::Force), row(SPRING, FunctionKind::Spring)]);
    for body in [3, 8, 10] {
        world.model.loads.push(LoadRow { kind: LoadKind::Function { function: FORCE }, body, line: 0 });
    }
    for row in &mut world.model.constraints {
        if let Joint::Spring { law, .. } = &mut row.joint {
            *law = SpringLaw::Function { function: SPRING };
        }
    }
    world
}

/// States of all bodies after these steps, or the error that ended them.
fn run(ranks: usize, steps: usize, until: f64) -> Vec<Result<States>> {
    let model = driven().model;
    on_ranks(ranks, move |comm| {
        let here = solfec::comm::Communicator::rank(&comm) == 0;
        let mut functions = Functions { here, until, external: NoExternal };
        let mut simulation: Simulation = distributed(&World { model: model.clone() }, comm);
        for _ in 0..steps {
            simulation.step_with(&sweeps(1e-24).into(), &mut functions)?;
        }
        Ok(own_states(&simulation))
    })
}

fn all(parts: Vec<Result<States>>) -> States {
    parts.into_iter().flat_map(|part| part.expect("steps")).collect()
}

#[test]
fn the_first_rank_calls_the_functions_of_all() {
    let alone = all(run(1, 60, f64::INFINITY));
    for ranks in [2, 3, 5, 13] {
        let found = all(run(ranks, 60, f64::INFINITY));
        assert!(alone.keys().eq(found.keys()));
        for (id, state) in &alone {
            for (x, y) in state.iter().zip(&found[id]) {
                assert!((x - y).abs() <= 1e-8, "{ranks} ranks, body {id}: {x} and {y}");
            }
        }
    }
}

#[test]
fn a_function_that_fails_ends_the_step_of_all_ranks() {
    for error in run(4, 60, 0.02) {
        assert_eq!(error, Err(Error::input("no more")));
    }
}

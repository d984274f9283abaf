//! Problems of more rows than each rank solves at once: sweeps of all ranks together first, then the whole on each.

use std::sync::Arc;

use super::distributed::on_ranks;
use solfec::model::{Auto, ProximalNewton, SolverSettings};
use solfec::simulation::{Simulation, State, StepReport};
use solfec::solver::{Memory, Status};
use solfec_testing::bricks::bricks;
use solfec_testing::world::World;

/// The first step, of AUTO with this memory.
fn step(world: &World, ranks: usize, solver: &SolverSettings, memory: Memory) -> StepReport {
    let (model, solver) = (world.model.clone(), solver.clone());
    let reports = on_ranks(ranks, move |comm| {
        let state = State { memory, ..Simulation::new(&model).expect("a simulation").state() };
        let kinds = solfec::body::kinds();
        let restored = Simulation::restore_on_rank(&model, &[], &state, kinds, Arc::new(comm));
        *restored.expect("the state is of this model").step(&solver).expect("a step")
    });
    reports.into_iter().next().expect("a rank")
}

fn auto(meritval: f64) -> SolverSettings {
    SolverSettings::Auto(Auto { meritval })
}

/// The methods and iterations of one rank and of two, both within their tolerance.
fn methods(world: &World, solver: &SolverSettings, memory: Memory) -> [(&'static str, u32); 2] {
    let reports = [1, 2].map(|ranks| step(world, ranks, solver, memory));
    assert!(reports.iter().all(|report| report.contacts > 4096), "{} contacts", reports[0].contacts);
    assert_eq!(reports.each_ref().map(|report| report.solver.status), [Status::Converged; 2]);
    reports.map(|report| (report.solver.method, report.solver.iterations))
}

#[test]
fn what_sweeps_of_all_ranks_do_not_reach_each_of_them_solves() {
    let [alone, together] = methods(&bricks([1, 1, 1100]), &auto(1e-13), Memory::default());
    assert_eq!((alone.0, together.0), ("CORRECTED_SWEEPS", "CORRECTED_SWEEPS"));
    assert!(together.1 > alone.1 + 500, "{alone:?} and {together:?}: no sweeps before");
}

#[test]
fn where_methods_do_not_begin_with_sweeps_each_rank_solves_the_whole_at_once() {
    let block = bricks([7, 5, 6]);
    let newton = SolverSettings::ProximalNewton(ProximalNewton { meritval: 1e-10, ..ProximalNewton::default() });
    let corrections_are_cheap = Memory::of([9.0, 1.0, 9.0, 2.0, 0.0, 8.0, 0.0, 0.0, 0.0]);
    for (solver, memory) in [(newton, Memory::default()), (auto(1e-10), corrections_are_cheap)] {
        let [alone, together] = methods(&block, &solver, memory);
        assert_eq!(alone, together, "{}", solver.name());
    }
}

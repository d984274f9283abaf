//! The uninterrupted run and those that go on from its states.

use crate::models::{force, Scene};
use solfec::load::{Call, UserFunctions};
use solfec::model::{Op, SolverSettings, StoredOp};
use solfec::simulation::{Moment, Nothing, Outside, Run, Simulation, State};
use solfec::solver::External;
use solfec::Result;

/// What a run showed, moment by moment: numbers in full, so that equal texts are equal bits.
type Trace = Vec<String>;

/// A state between two steps, what had acted by then, and how much had been shown.
pub struct Stop {
    pub state: State,
    pub acted: usize,
    pub shown: usize,
}

/// Evaluates the functions of springs, and counts how often it is asked.
#[derive(Default)]
struct Springs {
    nothing: Nothing,
    batches: usize,
}

impl UserFunctions for Springs {
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        self.batches += 1;
        let value = |call: &Call| match *call {
            Call::Spring { function, stroke, rate } => vec![force(function, stroke, rate)],
            Call::Force { .. } | Call::Field { .. } => unreachable!("nothing else has a function"),
        };
        Ok(calls.iter().map(value).collect())
    }
}

impl Outside for Springs {
    fn external(&mut self) -> &mut dyn External {
        self.nothing.external()
    }
}

pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Runs to the end; operations act, and states are taken, when so many steps have been made.
fn go_on(scene: &Scene, simulation: &mut Simulation, mut run: Run, mut acted: usize, at: &[u64]) -> (Trace, Vec<Stop>) {
    let (mut trace, mut stops) = (Vec::new(), Vec::new());
    let mut springs = Springs::default();
    loop {
        if run.at_rest() {
            while let Some((_, op)) = scene.ops.get(acted).filter(|(step, _)| *step <= simulation.steps()) {
                simulation.apply(&scene.model.whole(op).expect("the rows are there")).expect("the operation acts");
                acted += 1;
            }
            if at.contains(&simulation.steps()) {
                stops.push(Stop { state: simulation.state(), acted, shown: trace.len() });
            }
        }
        springs.batches = 0;
        trace.push(match run.advance(simulation, &mut springs).expect("a step") {
            Moment::Stepped(report) => {
                let told = (report.step, report.pairs, report.sparsified, &report.solver, springs.batches);
                format!("step {told:?} {:?}", simulation.view())
            }
            Moment::Frame => format!("frame {:?}", simulation.take_frame()),
            Moment::Callback(function) => format!("callback {function}"),
            Moment::SolverFailed(_) => unreachable!("nobody is asked"),
            Moment::Done => break,
        });
    }
    (trace, stops)
}

pub fn started(scene: &Scene, solver: &SolverSettings, steps: u64, at: &[u64]) -> (Trace, Vec<Stop>, f64) {
    let mut simulation = Simulation::new(&scene.model).expect("a simulation");
    simulation.apply(&Op::Output { interval: 0.005, compress: 0, single: false }).expect("output");
    let run = Run::new(&mut simulation, solver.clone(), steps as f64 * scene.model.step);
    let end = run.end();
    let (trace, stops) = go_on(scene, &mut simulation, run, 0, at);
    (trace, stops, end)
}

/// The operations that had acted.
pub fn program(scene: &Scene, stop: &Stop) -> Vec<StoredOp> {
    scene.ops[..stop.acted].iter().map(|(_, op)| op.clone()).collect()
}

/// What is shown after each restart is what the uninterrupted run showed, to the last bit, on one thread and on two.
pub fn check(name: &str, scene: &Scene, solver: &SolverSettings, steps: u64, at: &[u64]) {
    let (trace, stops, end) = on_threads(1, || started(scene, solver, steps, at));
    assert!(stops.len() >= at.len(), "{name}: {} states", stops.len());
    for (k, stop) in stops.iter().enumerate() {
        let at = stop.state.steps;
        let rest = on_threads(1 + k % 2, || {
            let mut simulation =
                Simulation::restore(&scene.model, &program(scene, stop), &stop.state).expect("the state fits");
            assert_eq!(format!("{:?}", simulation.state()), format!("{:?}", stop.state), "{name}: state of step {at}");
            let run = Run::resume(solver.clone(), end);
            go_on(scene, &mut simulation, run, stop.acted, &[]).0
        });
        let expected = &trace[stop.shown..];
        assert_eq!(rest.len(), expected.len(), "{name} from step {at}: moments");
        if let Some(i) = (0..rest.len()).find(|&i| rest[i] != expected[i]) {
            let (a, b) = (&rest[i], &expected[i]);
            let place = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(0);
            let part = |text: &str| text[place.saturating_sub(200)..(place + 100).min(text.len())].to_string();
            panic!("{name} from step {at}, moment {i}:\n{}\n{}", part(a), part(b));
        }
    }
}

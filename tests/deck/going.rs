//! Continued results: what a session passes to its engine according to the checkpoint.

use solfec::load::UserFunctions;
use solfec_tools::cli::{CliError, Exit};
use solfec_tools::deck::continuation::Continuation;
use solfec_tools::deck::engine::{Opening, Outcome, Pause, Runner, Samples, Start};
use solfec_tools::deck::query::{Answer, Query};
use solfec_tools::deck::stored::Stored;
use solfec_tools::deck::{self, Deck, Environment, Fault, Language, Objects, Python2};

use super::*;

/// A callback makes body 2 in the first RUN; the deck makes body 3, which a function pushes, before the second.
const DECK: &str = "
s = SOLFEC('DYNAMIC', 0.01, 'out/going')
m = BULK_MATERIAL(s)
def ball(x): return BODY(s, 'RIGID', SPHERE((x, 0, 0), 1, 1, 1), m)
a = ball(0)
FIX_POINT(a, (0, 0, 0))
def grow():
    if s.nbod == 1: ball(10)
    return 1
CALLBACK(s, 0.05, (), grow)
solver = GAUSS_SEIDEL_SOLVER(1E-3, 10)
RUN(s, solver, 0.1)
b = ball(20)
def push(q, u, t, h): return (0,) * 9
FORCE(b, 'SPATIAL', (0, 0, 0), (0, 0, 0), push)
RUN(s, solver, 0.1)
assert (b.id, s.restarted) == (3, True), (b.id, s.restarted)
";

/// Goes on after so many RUNs, and writes down what it is asked to do.
struct Notes {
    directory: PathBuf,
    runs: u32,
    done: bool,
    notes: Vec<String>,
}

impl Notes {
    fn note(&mut self, text: String) {
        self.notes.push(text);
    }
}

impl Runner for Notes {
    fn open(&mut self, _: usize, _: &Model) -> Result<Opening, Fault> {
        let stored = Stored::open(&self.directory, 0)?;
        let program = if self.done { stored.run_end(self.runs) } else { stored.program.len() };
        let from = Continuation { stored, runs: self.runs, done: self.done, program, renamed: Vec::new() };
        Ok(Opening::Continue(Box::new(from)))
    }

    fn restore(&mut self, _: usize, model: &Model, program: &[StoredOp]) -> Result<(), Fault> {
        let runs = program.iter().filter(|op| matches!(op, Op::Run { .. })).count();
        let functions: Vec<u32> = model.functions.iter().map(|row| row.function).collect();
        self.note(format!(
            "restore: {} bodies, {} loads, {runs} RUNs, {functions:?}",
            model.bodies.len(),
            model.loads.len()
        ));
        Ok(())
    }

    fn release(&mut self, _: usize, _: bool) -> Result<(), Fault> {
        Ok(())
    }

    fn as_stored(&self, op: StoredOp) -> Result<StoredOp, Fault> {
        Ok(op)
    }

    fn apply(&mut self, _: usize, op: Op) -> Result<(), Fault> {
        // What is defined stands in no program.
        if let Some(stored) = op.stored() {
            self.note(format!("{stored:?}"));
        }
        Ok(())
    }

    fn begin(&mut self, model: &Model, start: &Start) -> Result<(), Fault> {
        self.note(format!("begin: {} bodies, resume {}", model.bodies.len(), start.resume));
        Ok(())
    }

    fn advance(&mut self, _: usize, _: &mut dyn UserFunctions, _: &mut dyn Samples) -> Result<Pause, Fault> {
        Ok(Pause::Done)
    }

    fn stop(&mut self, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn abandon(&mut self, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn go_on(&mut self, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn has_begun(&self, _: usize) -> bool {
        false
    }

    fn ask(&self, _: usize, _: &Query) -> Result<Answer, Fault> {
        Err(Fault::runtime("nothing runs"))
    }

    fn outcome(&self, _: usize) -> Outcome {
        Outcome::default()
    }

    fn record_iterations(&mut self, _: usize) {}

    fn finish(&mut self, _: Exit) -> Result<(), CliError> {
        Ok(())
    }
}

/// What the engine is asked to do when the deck goes on with the results of [`DECK`].
fn goes_on(text: &str, runs: u32, done: bool) -> Result<Vec<String>, String> {
    let folder = Folder::new();
    folder.write("deck.py", DECK.split("assert").next().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    let made = command.args(["-q", "deck.py"]).current_dir(&folder.0).output().unwrap();
    assert!(made.status.success(), "{}", super::text(&made.stderr));
    folder.write("deck.py", text);
    let mut engine = Notes { directory: folder.path("out/going"), runs, done, notes: Vec::new() };
    let mut objects = Objects::that_run(Environment::default());
    let deck = Deck {
        path: folder.path("deck.py"),
        text: None,
        root: None,
        python2: Python2::Never,
        set: Vec::new(),
        stdout_taken: true,
        muted: false,
        child: None,
    };
    let ran = deck::run(&deck, &Language::standard(), &mut objects, Some(&mut engine), &mut |_, _| ());
    ran.map_err(|error| error.text)?;
    Ok(engine.notes)
}

/// After a RUN that was over the state comes back once the deck does something, and what it does acts.
#[test]
fn a_finished_run_returns_at_once() {
    let notes = goes_on(DECK, 1, true).unwrap();
    let expected = [
        "restore: 2 bodies, 0 loads, 1 RUNs, [0]",
        "InsertBodies(Rows { rows: [2, 3] })",
        "InsertLoads(Rows { rows: [0, 1] })",
        "begin: 3 bodies, resume false",
    ];
    assert_eq!(notes, expected);
}

/// The RUN in progress goes on, with everything that was made by then.
#[test]
fn a_run_in_progress_goes_on() {
    let notes = goes_on(DECK, 2, false).unwrap();
    assert_eq!(notes, ["restore: 3 bodies, 1 loads, 2 RUNs, [0, 1]", "begin: 3 bodies, resume true"]);
}

/// So does the last one when it has become longer; a deck that only ends needs no state.
#[test]
fn the_last_run_may_become_longer() {
    let longer = DECK.replace("RUN(s, solver, 0.1)\nassert", "RUN(s, solver, 0.2)\nassert");
    let notes = goes_on(&longer, 2, true).unwrap();
    assert_eq!(notes.last().map(String::as_str), Some("begin: 3 bodies, resume true"));
    assert_eq!(goes_on(DECK, 2, true).unwrap(), Vec::<String>::new());
}

/// A deck that does something else by then gets an error that says what.
#[test]
fn a_deck_that_does_something_else() {
    let other = DECK.replace("FORCE(b,", "TORQUE(b, 'SPATIAL', (0, 0, 1), 1)\nFORCE(b,");
    let told = goes_on(&other, 2, false).unwrap_err();
    assert!(told.contains("load 1 (deck line 15) is of another kind than the stored one; run with -w"), "{told}");
}

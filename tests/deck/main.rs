//! Decks from end to end: the real sf-build and a real Python ($SF_TEST_PYTHON, else python3).

mod at_exit;
mod bad_input;
mod build_options;
mod constraints;
mod environment;
mod every_command;
mod exceptions;
mod exports;
mod functions;
mod going;
mod helpers;
mod initialize;
mod left_open;
mod live;
mod loads;
mod members;
mod meshes;
mod modal;
mod model_of_a_deck;
mod objects;
mod one_registration;
mod python2;
mod python2_expressions;
mod reference;
mod rigid_to_fem;
mod round_trip;
mod solvers;
mod speed;
mod splitting;
mod tool;
mod trace;

use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use solfec::model::{Model, Op, Rows, StoredOp};
use solfec_formats::model::read_file;
use tools_testing::scratch::Scratch;

/// A folder of decks.
struct Folder(Scratch);

impl Deref for Folder {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.0
    }
}

impl Folder {
    fn new() -> Folder {
        Folder(Scratch::new())
    }

    /// Runs sf-build here.
    fn build(&self, args: &[&str]) -> Output {
        self.build_with(args, "")
    }

    fn build_with(&self, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sf-build"));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        command.args(args).current_dir(&self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Runs sf-run with these arguments here.
    fn sf_run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        command.args(args).current_dir(&self.0).output().unwrap()
    }

    /// Models of a deck that must build.
    fn models(&self, deck: &str) -> Vec<Model> {
        self.write("deck.py", deck);
        let out = self.build(&["-f", "-o", "m.h5", "deck.py"]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        read_file(&self.path("m.h5")).unwrap().domains
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn model(deck: &str) -> Model {
    Folder::new().models(deck).remove(0)
}

/// What a deck prints.
fn prints(deck: &str) -> String {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{deck}\nSOLFEC('DYNAMIC', 1, 'out/printed')\n"));
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    text(&out.stdout)
}

/// Exit code and error lines of a deck that must fail.
fn fails(deck: &str) -> (i32, String) {
    let folder = Folder::new();
    folder.write("deck.py", deck);
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert!(!folder.path("m.h5").exists(), "a failed deck writes nothing");
    assert!(!folder.path("m.h5.part").exists());
    (out.status.code().unwrap(), text(&out.stderr))
}

const START: &str = "s = SOLFEC('DYNAMIC', 1e-3, 'out/test')\nm = BULK_MATERIAL(s, density=1000)\n";
const CUBE: &str = "[0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]";

fn decks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decks")
}

//! `--follow`: rows appear while a job runs.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results::{Options, Writer};

use super::decks::Decks;
use super::*;

/// Frames come one by one from a writer that this test drives.
#[test]
fn rows_appear_as_frames_are_committed() {
    let scratch = Scratch::new();
    let dir = scratch.path("live");
    let mut follower = spawn(
        Command::new(binary("sf-history"))
            .args([dir.to_str().unwrap(), "BODS", "d=diff(KINETIC)", "--follow", "-q", "--every", "2"])
            .stdout(Stdio::piped()),
    );
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines().map(Result::unwrap);
    let model = model();
    let file = ModelFile { domains: vec![model.clone()], ..ModelFile::default() };
    let mut writer = Writer::create(&dir, &file, Options::default()).unwrap();
    for (k, row) in ["0,5,NaN", "", "0.2,6,2.4000000000000004", "", "0.4,6,2.4000000000000004"].into_iter().enumerate()
    {
        writer.append(0, frame(&model, k)).unwrap();
        writer.flush().unwrap();
        if k == 0 {
            assert_eq!(lines.next().unwrap(), "time,BODS,d");
        }
        if !row.is_empty() {
            assert_eq!(lines.next().unwrap(), row);
        }
    }
    let runs = vec![r#"{"tool": "sf-run"}"#.to_string()];
    writer.finish(Provenance { runs, ..Provenance::default() }).unwrap();
    assert_eq!(lines.next(), None);
    assert!(follower.wait().unwrap().success());
}

/// A deck that does not end before there is a file `go`.
const SLOW: &str = "
import os, time
solfec = SOLFEC('DYNAMIC', 0.01, 'out/slow')
bulk = BULK_MATERIAL(solfec, density=1)
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 0, 0), bulk, label='BALL')
GRAVITY(solfec, (0, 0, -10))
def slowly():
    while solfec.time > 0.2 and not os.path.exists('go'):
        time.sleep(0.02)
    return 1
CALLBACK(solfec, 0.01, (), slowly)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.5)
";

#[test]
fn a_running_job() {
    let folder = Decks::new();
    std::fs::write(folder.path("deck.py"), SLOW).unwrap();
    let mut job = spawn(folder.command("sf-run").args(["-q", "deck.py"]));
    let mut follower =
        spawn(folder.command("sf-history").args(["out/slow", "CZ@BALL", "--follow", "-q"]).stdout(Stdio::piped()));
    let head = spawn(
        Command::new("bash")
            .current_dir(folder.path(""))
            .args(["-o", "pipefail", "-c", &format!("{} out/slow BODS --follow -q | head -1", binary("sf-history"))])
            .stdout(Stdio::piped()),
    );
    let headed = head.wait_with_output().unwrap();
    assert_eq!((headed.status.code(), headed.stdout.as_slice()), (Some(0), &b"time,BODS\n"[..]));
    assert!(job.try_wait().unwrap().is_none(), "head ends while the job runs");
    std::fs::write(folder.path("go"), "").unwrap();
    let mut all = String::new();
    follower.stdout.take().unwrap().read_to_string(&mut all).unwrap();
    assert!(follower.wait().unwrap().success() && job.wait().unwrap().success());
    let after = folder.tool("sf-history", &["out/slow", "CZ@BALL"]);
    assert_eq!(all, stdout(&after));
    assert_eq!(all.lines().count(), 52);
}

#[test]
fn what_cannot_be_followed() {
    for rest in [&["--time", "last"][..], &["--time", "0.1"], &["--format", "json"], &["--json"], &["-o", "x.csv"]] {
        let (_s, refused) = history(&[&["BODS", "--follow"], rest].concat());
        assert_eq!(refused.status.code(), Some(2), "{rest:?}: {}", stderr(&refused));
    }
}

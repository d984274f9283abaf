//! Results that go on from a checkpoint are those of an uninterrupted run.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::results::{bytes_of, options};
use super::sample;
use solfec::frame::Frame;
use solfec::model::{Op, StoredOp};
use solfec::simulation::State;
use solfec_formats::checkpoint::{self, Checkpoint};
use solfec_formats::model::Provenance;
use solfec_formats::results::{Reader, Writer};
use tools_testing::size::large;

/// One call of a writer.
#[derive(Debug, Clone)]
enum Call {
    Record(usize, StoredOp, u64),
    Step(usize, u64),
    Frame(usize, u64),
    RunOver(usize),
    EndRun(usize),
}

/// Steps of a frame.
const STEPS: u64 = 3;
/// The phases of the timing, as of [`options`].
const SECONDS: [f64; 2] = [0.25, 0.5];

fn frame(domain: usize, k: u64) -> Frame {
    let mut frame = sample::frame(k);
    (frame.step_count, frame.run) = (k * STEPS, if k < 4 { 0 } else { 1 });
    if domain == 1 {
        (frame.rigid, frame.pseudo, frame.chars) = Default::default();
        frame.constraints = Default::default();
        frame.events.clear();
    }
    frame
}

/// Two domains of two RUNs each with operations between them, frames every three steps and steps beyond the last frame;
/// bodies come and go, events happen. `live`: RUNs are merged when the next one begins.
fn job(live: bool) -> Vec<Call> {
    let ops = sample::operations();
    let run = ops[1].clone();
    let mut calls = Vec::new();
    for domain in 0..2 {
        calls.push(Call::Record(domain, ops[0].clone(), 0));
        for half in 0..2u64 {
            if live && half == 1 {
                calls.push(Call::EndRun(domain));
            }
            let begin = if half == 0 { 0 } else { 4 * STEPS - 1 };
            calls.push(Call::Record(domain, run.clone(), begin));
            for k in 4 * half..4 * half + 4 {
                let from = if k == 0 { 1 } else { (k - 1) * STEPS + 1 }.max(begin + 1);
                calls.extend((from..=k * STEPS).map(|t| Call::Step(domain, t)));
                calls.push(Call::Frame(domain, k));
            }
            if half == 0 {
                calls.extend((3 * STEPS + 1..4 * STEPS).map(|t| Call::Step(domain, t)));
            }
            calls.push(if live { Call::RunOver(domain) } else { Call::EndRun(domain) });
            let at = if half == 0 { begin + 4 * STEPS - 1 } else { 7 * STEPS };
            calls.push(Call::Record(domain, ops[9].clone(), at));
        }
        if live {
            calls.push(Call::EndRun(domain));
        }
    }
    calls
}

fn call(w: &mut Writer, call: &Call) {
    match call {
        Call::Record(domain, op, at) => w.record(*domain, op, *at),
        Call::Step(domain, t) => w.step(*domain, sample::step(*t), &SECONDS, Instant::now()),
        Call::Frame(domain, k) => w.append(*domain, frame(*domain, *k)),
        Call::RunOver(domain) => w.run_over(*domain, "done"),
        Call::EndRun(domain) => w.end_run(*domain, "done"),
    }
    .unwrap();
}

/// The checkpoint after these calls.
fn after(w: &Writer, calls: &[Call], state: &State) -> Checkpoint {
    let of = |call: &Call| match call {
        Call::Record(k, ..) | Call::Step(k, _) | Call::Frame(k, _) | Call::RunOver(k) | Call::EndRun(k) => *k,
    };
    let domain = calls.last().map_or(0, of);
    let is_run = |call: &&Call| matches!(call, Call::Record(k, Op::Run { .. }, _) if *k == domain);
    let over = |call: &&Call| matches!(call, Call::RunOver(k) | Call::EndRun(k) if *k == domain);
    let last = calls.iter().rev().find(|c| is_run(c) || over(c));
    let counts: Vec<_> = (0..2).map(|k| w.counts(k)).collect();
    Checkpoint {
        domain,
        runs: calls.iter().filter(is_run).count() as u32,
        run_end: 1.0,
        done: last.is_some_and(|c| over(&c)),
        program: counts[domain].2,
        frames: counts.iter().map(|c| c.0).collect(),
        steps: counts.iter().map(|c| c.1).collect(),
        state: state.clone(),
    }
}

pub fn state() -> State {
    let solfec = solfec::simulation::Simulation::new(&sample::file().domains[1]).unwrap();
    solfec.state()
}

/// All datasets of the master, byte for byte.
fn content(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    bytes_of(&hdf5::File::open(dir.join("same.sfr.h5")).unwrap(), "", &mut all);
    assert!(all.len() > 120, "{} datasets", all.len());
    all
}

fn folder(name: &str) -> PathBuf {
    let dir = sample::folder(name).join("same");
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// Makes the first calls of a job, committing after every few of them and after the last.
fn begun(dir: &Path, calls: &[Call], every: usize) -> Writer {
    let mut w = Writer::create(dir, &sample::file(), options()).unwrap();
    go_on(&mut w, calls, every);
    w.flush().unwrap();
    w
}

fn go_on(w: &mut Writer, calls: &[Call], every: usize) {
    for (i, c) in calls.iter().enumerate() {
        call(w, c);
        if i % every == 0 {
            w.flush().unwrap();
        }
    }
}

fn equal(dir: &Path, expected: &[(String, Vec<u8>)], what: &str) {
    let found = content(dir);
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert_eq!(a.0, b.0, "{what}");
        assert!(a.1 == b.1, "{what}: {} differs", a.0);
    }
    let segments = std::fs::read_dir(dir.join("segments")).unwrap().count();
    assert_eq!(segments, Reader::open(dir).unwrap().segments(0).unwrap().len(), "{what}: files of segments");
}

/// Killed at any call after a checkpoint at any call, however the clock divided the records into segments.
#[test]
fn results_go_on_from_any_record() {
    let state = state();
    for live in [false, true] {
        let calls = job(live);
        let reference = folder("reopen-reference");
        begun(&reference, &calls, 5).finish(Provenance::default()).unwrap();
        let expected = content(&reference);
        let dir = folder("reopen");
        // SF_LARGE=1: every call in turn. Both kinds of jobs together visit each kind of call.
        let stride = if large() { 1 } else { 11 };
        for (n, i) in (usize::from(live)..=calls.len()).step_by(stride).enumerate() {
            let every = 6 + i % 5;
            let killed = [i, i + 5, calls.len()][n % 3];
            let what = format!("live {live}: checkpoint after call {i}, killed after {killed}, commits every {every}");
            let mut w = begun(&dir, &calls[..i], every);
            let checkpoint = after(&w, &calls[..i], &state);
            go_on(&mut w, &calls[i..killed.min(calls.len()).max(i)], every);
            drop(w);
            let mut w = Writer::reopen(&dir, &sample::file(), Some(&checkpoint), options(), &|| ()).unwrap();
            assert_eq!(after(&w, &calls[..i], &state).frames, checkpoint.frames, "{what}");
            go_on(&mut w, &calls[i..], every + 1);
            w.finish(Provenance::default()).unwrap();
            equal(&dir, &expected, &what);
            std::fs::remove_dir_all(&dir).unwrap();
        }
    }
}

/// Killed while it is being cut: whatever had been done by then, it can be cut again.
#[test]
fn a_cut_that_was_killed_is_made_again() {
    let (state, calls) = (state(), job(false));
    let reference = folder("recut-reference");
    begun(&reference, &calls, 5).finish(Provenance::default()).unwrap();
    let expected = content(&reference);
    let dir = folder("recut");
    let (i, killed) = (20, calls.len() - 12);
    let start = || {
        let mut w = begun(&dir, &calls[..i], 4);
        let checkpoint = after(&w, &calls[..i], &state);
        go_on(&mut w, &calls[i..killed], 4);
        drop(w);
        checkpoint::write(&dir, &checkpoint, 3).unwrap();
        checkpoint
    };
    let reopen =
        |checkpoint: &Checkpoint| Writer::reopen(&dir, &sample::file(), Some(checkpoint), options(), &|| ()).unwrap();
    let finish = |checkpoint: &Checkpoint, what: &str| {
        let mut w = reopen(checkpoint);
        go_on(&mut w, &calls[i..], 7);
        w.finish(Provenance::default()).unwrap();
        equal(&dir, &expected, what);
        let parts = ["", "segments", "checkpoints"].map(|f| dir.join(f)).into_iter();
        let parts = parts.flat_map(|f| std::fs::read_dir(f).unwrap()).map(|e| e.unwrap().file_name());
        assert_eq!(parts.filter(|n| n.to_string_lossy().ends_with(".part")).count(), 0, "{what}");
        std::fs::remove_dir_all(&dir).unwrap();
    };
    let segments = |dir: &Path| {
        let mut all: Vec<PathBuf> =
            std::fs::read_dir(dir.join("segments")).unwrap().map(|e| e.unwrap().path()).collect();
        all.sort();
        all
    };

    let checkpoint = start();
    for part in
        ["same.sfr.h5", "same.sfm.h5", "segments/s00000.r0000.h5", "segments/s00077.r0000.h5", "checkpoints/c000009.h5"]
    {
        std::fs::write(dir.join(format!("{part}.part")), "half").unwrap();
    }
    finish(&checkpoint, "leftovers without final name");

    let checkpoint = start();
    drop(reopen(&checkpoint));
    finish(&checkpoint, "cut twice");

    let checkpoint = start();
    std::fs::remove_file(segments(&dir).last().unwrap()).unwrap();
    finish(&checkpoint, "the last segment was gone already");

    let checkpoint = start();
    let master = std::fs::read(dir.join("same.sfr.h5")).unwrap();
    drop(reopen(&checkpoint));
    std::fs::write(dir.join("same.sfr.h5"), &master).unwrap();
    finish(&checkpoint, "the segments were cut, the master was not");

    let checkpoint = start();
    // A merge that was killed before it removed what it had merged.
    let first = segments(&dir)[0].clone();
    let inner = {
        let spare = folder("recut-spare");
        drop(begun(&spare, &calls[..6], 3));
        std::fs::read(&segments(&spare)[1]).unwrap()
    };
    let leftover = first.with_file_name("s00900.r0000.h5");
    std::fs::write(&leftover, inner).unwrap();
    drop(reopen(&checkpoint));
    assert!(!leftover.exists());
    finish(&checkpoint, "the part of a merged segment was left");
}

#[test]
fn newer_checkpoints_go_and_older_ones_stay() {
    let (state, calls) = (state(), job(false));
    let dir = folder("reopen-checkpoints");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    let mut checkpoints = Vec::new();
    for (i, c) in calls.iter().enumerate() {
        call(&mut w, c);
        if i % 12 == 11 {
            w.flush().unwrap();
            let checkpoint = after(&w, &calls[..=i], &state);
            checkpoint::write(&dir, &checkpoint, 100).unwrap();
            checkpoints.push(checkpoint);
        }
    }
    drop(w);
    let latest = || checkpoint::latest(&dir).unwrap().0;
    assert_eq!(latest().unwrap().steps, checkpoints.last().unwrap().steps);
    let middle = &checkpoints[2];
    drop(Writer::reopen(&dir, &sample::file(), Some(middle), options(), &|| ()).unwrap());
    assert_eq!(latest().unwrap().steps, middle.steps);
    assert_eq!(std::fs::read_dir(dir.join("checkpoints")).unwrap().count(), 3);
    // Without a checkpoint nothing stays, nor when the results are made anew.
    drop(Writer::reopen(&dir, &sample::file(), None, options(), &|| ()).unwrap());
    assert!(latest().is_none());
    let r = Reader::open(&dir).unwrap();
    assert_eq!((r.frames(0).unwrap().len(), r.program(0).unwrap().len(), r.runs(0).unwrap().len()), (0, 0, 0));
    assert_eq!(r.model().unwrap(), sample::file());
}

/// The name of the results is that of their directory, also after it has been renamed.
#[test]
fn renamed_results_go_on_under_their_new_name() {
    let (state, calls) = (state(), job(false));
    let dir = folder("reopen-renamed");
    let w = begun(&dir, &calls, 5);
    let checkpoint = after(&w, &calls, &state);
    drop(w);
    let renamed = dir.with_file_name("renamed");
    let _ = std::fs::remove_dir_all(&renamed);
    std::fs::rename(&dir, &renamed).unwrap();
    let mut w = Writer::reopen(&renamed, &sample::file(), Some(&checkpoint), options(), &|| ()).unwrap();
    w.finish(Provenance::default()).unwrap();
    let names = std::fs::read_dir(&renamed).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".h5")).collect();
    names.sort();
    assert_eq!(names, ["renamed.sfm.h5", "renamed.sfr.h5"]);
    std::fs::rename(&renamed, &dir).unwrap();
    assert_eq!(Reader::open(&dir).unwrap().model().unwrap(), sample::file());
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_lost() {
    let (state, calls) = (state(), job(false));
    let dir = folder("reopen-refused");
    let w = begun(&dir, &calls, 4);
    let good = after(&w, &calls, &state);
    drop(w);
    let before = content(&dir);
    let refused = |checkpoint: &Checkpoint, file, options, text: &str| {
        let message = Writer::reopen(&dir, &file, Some(checkpoint), options, &|| ()).unwrap_err().to_string();
        assert!(message.contains(text), "{message}");
        assert_eq!(content(&dir), before);
    };
    let more = Checkpoint { frames: vec![8, 9], ..good.clone() };
    refused(&more, sample::file(), options(), "8 frames of domain 1, but the checkpoint counts 9");
    let more = Checkpoint { steps: vec![21, 22], ..good.clone() };
    refused(&more, sample::file(), options(), "1 step of domain 1 that the checkpoint counts is missing");
    let more = Checkpoint { program: 99, ..good.clone() };
    refused(&more, sample::file(), options(), "but the checkpoint counts 99 and 2");
    let less = Checkpoint { frames: vec![7, 8], ..good.clone() };
    refused(&less, sample::file(), options(), "the checkpoint counts other frames and steps");
    let one = Checkpoint { frames: vec![8], ..good.clone() };
    refused(&one, sample::file(), options(), "a model of 2 and a checkpoint of 1");
    let mut phases = options();
    phases.phases[0] = "another".into();
    refused(&good, sample::file(), phases, "its timings are of");
    let mut small = sample::file();
    small.domains[0].bodies.pop();
    refused(&good, small, options(), "body 4 is in its frames, but not in the model");
}

#[test]
fn runs_know_their_operations() {
    let dir = folder("reopen-runs");
    let calls = job(true);
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    let second = calls.iter().rposition(|c| matches!(c, Call::Record(0, Op::Run { .. }, _))).unwrap();
    go_on(&mut w, &calls[..second + 3], 1);
    w.flush().unwrap();
    let runs = Reader::open(&dir).unwrap().runs(0).unwrap();
    // OUTPUT, RUN; after the RUN one operation more; then the second RUN, which goes on.
    assert_eq!((runs[0].program_end, runs[0].reason.as_str()), (Some(2), "done"));
    assert_eq!((runs[0].first_step, runs[0].last_step), (0, 3 * STEPS));
    assert_eq!((runs[1].program_end, runs[1].reason.as_str()), (None, ""));
    assert_eq!(w.counts(0).2, 4);
    assert_eq!(w.counts(9), (0, 0, 0));
    w.run_over(0, "STOP").unwrap();
    w.end_run(0, "done").unwrap();
    let runs = Reader::open(&dir).unwrap().runs(0).unwrap();
    assert_eq!((runs[1].program_end, runs[1].reason.as_str()), (Some(4), "STOP"));
}

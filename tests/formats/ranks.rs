//! Results that several ranks wrote are read as one list of frames.

use std::path::{Path, PathBuf};
use std::sync::Barrier;

use solfec::frame::Frame;
use solfec_formats::checkpoint::Checkpoint;
use solfec_formats::results::{everything, pack, part_of, Options, Rank, Reader, Writer};

use super::sample;
use tools_testing::reads::whole_history;

const FRAMES: u64 = 8;

/// What rank `rank` of two holds of frame `k`: body 1 goes from the first rank to the second at frame 4, with its
/// contacts.
fn share(k: u64, rank: u32) -> Frame {
    let mut bodies = [rank == 0; 4];
    bodies[1] = (k < 4) == (rank == 0);
    bodies[3] = rank == 1;
    let mut frame = part_of(sample::frame(k), &bodies);
    // Constraints belong to the rank of their master, whose row is 1 in the sample.
    frame.constraints = if bodies[1] { sample::frame(k).constraints } else { Default::default() };
    frame
}

fn writer(dir: &Path, rank: u32) -> Writer {
    let options = Options { rank: Rank { number: rank, count: 2 }, ..Options::default() };
    Writer::create(dir, &sample::file(), options).unwrap()
}

/// Rank 0 commits often, rank 1 seldom; `last` frames of rank 1 are missing.
fn stored(name: &str, missing: u64) -> PathBuf {
    let dir = sample::folder(name).join("ranks");
    let (mut first, mut second) = (writer(&dir, 0), writer(&dir, 1));
    for k in 0..FRAMES {
        first.append(0, share(k, 0)).unwrap();
        first.flush().unwrap();
        if k < FRAMES - missing {
            second.append(0, share(k, 1)).unwrap();
        }
    }
    second.flush().unwrap();
    if missing == 0 {
        first.end_run(0, "done").unwrap();
        second.end_run(0, "done").unwrap();
    }
    dir
}

#[test]
fn frames_of_two_ranks_are_those_of_one() {
    for missing in [0, 3] {
        let dir = stored(&format!("ranks-{missing}"), missing);
        let results = Reader::open(&dir).unwrap();
        assert_eq!(results.ranks(), 2);
        let n = results.frames(0).unwrap().len() as u64;
        assert_eq!(n, FRAMES - missing, "a frame counts when all ranks have it");
        for k in 0..n {
            let whole = sample::frame(k);
            assert_eq!(results.read_frame(0, k as usize).unwrap(), whole, "frame {k}");
            assert_eq!(results.read_constraints(0, k as usize).unwrap(), whole.constraints, "frame {k}");
            let bodies = results.frames(0).unwrap().bodies(k as usize);
            assert_eq!(bodies, (whole.rigid.body.len() + whole.pseudo.body.len()) as u64);
        }
    }
}

#[test]
fn a_body_is_followed_from_rank_to_rank() {
    let results = Reader::open(&stored("ranks-history", 0)).unwrap();
    let history = whole_history(&results, 1);
    assert_eq!(history.frames, (0..FRAMES as usize).collect::<Vec<_>>());
    for (k, x) in history.rigid.x.iter().enumerate() {
        let frame = sample::frame(k as u64);
        let row = frame.rigid.body.iter().position(|&b| b == 1).unwrap();
        assert_eq!(*x, frame.rigid.x[row], "frame {k}");
    }
    let catalogue = results.catalogue(0).unwrap();
    assert_eq!((catalogue.born_frame[1], catalogue.dead_frame[1]), (0, -1));
    assert_eq!((catalogue.born_frame[3], catalogue.dead_frame[2]), (3, 5));
}

/// What rank `rank` of `count` holds of frame `k`: bodies go round.
fn dealt(k: u64, rank: u32, count: u32) -> Frame {
    let of = |body: u64| (body + k) % u64::from(count) == u64::from(rank);
    let mut frame = part_of(sample::frame(k), &[0, 1, 2, 3].map(of));
    frame.constraints = if of(1) { sample::frame(k).constraints } else { Default::default() };
    frame
}

/// Frames `from .. to` by these writers, one for each rank; the last `lost` of them of the first rank only.
fn go_on(writers: &mut [Writer], frames: std::ops::Range<u64>, lost: u64) {
    let count = writers.len() as u32;
    let last = frames.end - lost;
    for k in frames {
        for (rank, writer) in (0..).zip(writers.iter_mut()).filter(|(rank, _)| *rank == 0 || k < last) {
            writer.step(0, sample::step_of_ranks(k), &[], std::time::Instant::now()).unwrap();
            writer.append(0, dealt(k, rank, count)).unwrap();
            if k % 3 == u64::from(rank) % 3 {
                writer.flush().unwrap();
            }
        }
    }
    writers.iter_mut().for_each(|writer| writer.flush().unwrap());
}

/// Writers that go on together from the checkpoint after so many frames and steps.
fn reopened(dir: &Path, count: u32, frames: u64, steps: u64) -> Vec<Writer> {
    let checkpoint = Checkpoint {
        domain: 0,
        runs: 0,
        run_end: 1.0,
        done: false,
        program: 0,
        frames: vec![frames, 0],
        steps: vec![steps, 0],
        state: super::reopen::state(),
    };
    let all_there = Barrier::new(count as usize);
    let one = |number: u32| {
        let options = Options { rank: Rank { number, count }, ..Options::default() };
        let wait = || {
            all_there.wait();
        };
        Writer::reopen(dir, &sample::file(), Some(&checkpoint), options, &wait).unwrap()
    };
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || one(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Killed ranks leave frames that only some of them have; another number of ranks cuts them off and goes on.
#[test]
fn results_go_on_with_other_numbers_of_ranks() {
    let dir = sample::folder("ranks-other-numbers").join("ranks");
    let start = |number| {
        let options = Options { rank: Rank { number, count: 4 }, ..Options::default() };
        Writer::create(&dir, &sample::file(), options).unwrap()
    };
    let mut writers: Vec<Writer> = (0..4).map(start).collect();
    go_on(&mut writers, 0..3, 1);
    drop(writers);
    for (count, frames, lost) in [(2, 2..4, 0), (4, 3..6, 2), (1, 4..5, 0), (5, 5..8, 0)] {
        let mut writers = reopened(&dir, count, frames.start, frames.start);
        go_on(&mut writers, frames, lost);
        if count == 5 {
            writers.iter_mut().rev().for_each(|writer| writer.end_run(0, "done").unwrap());
            writers.iter_mut().rev().for_each(|writer| writer.finish(Default::default()).unwrap());
        }
    }
    let results = Reader::open(&dir).unwrap();
    assert_eq!((results.ranks(), results.frames(0).unwrap().len() as u64), (5, FRAMES));
    for k in 0..FRAMES {
        let whole = sample::frame(k);
        assert_eq!(results.read_frame(0, k as usize).unwrap(), whole, "frame {k}");
        let bodies = results.frames(0).unwrap().bodies(k as usize);
        assert_eq!(bodies, (whole.rigid.body.len() + whole.pseudo.body.len()) as u64, "frame {k}");
    }
    assert_eq!(results.steps(0).unwrap(), (0..FRAMES).map(sample::step_of_ranks).collect::<Vec<_>>());
    let history = whole_history(&results, 1);
    assert_eq!(history.frames, (0..FRAMES as usize).collect::<Vec<_>>());
}

/// The segments of a rank that are gone are missed, where it wrote and nowhere else.
#[test]
fn a_lost_segment_of_a_rank_is_missed() {
    let dir = stored("ranks-lost", 0);
    let mut alone = reopened(&dir, 1, FRAMES, 0);
    alone[0].finish(Default::default()).unwrap();
    Reader::open(&dir).unwrap();
    std::fs::remove_file(dir.join("segments/s00000.r0001.h5")).unwrap();
    let message = Reader::open(&dir).unwrap_err().to_string();
    assert!(message.contains("missing of rank 1"), "{message}");
}

#[test]
fn packed_results_of_ranks_are_those_of_one() {
    let dir = stored("ranks-packed", 0);
    let results = Reader::open(&dir).unwrap();
    let path = dir.join("out.h5");
    pack(&results, &everything(&results), &path, 0).unwrap();
    let packed = Reader::open(&path).unwrap();
    assert_eq!((packed.ranks(), packed.frames(0).unwrap().len() as u64), (1, FRAMES));
    for k in 0..FRAMES as usize {
        assert_eq!(packed.read_frame(0, k).unwrap(), sample::frame(k as u64), "frame {k}");
    }
    assert_eq!(packed.catalogue(0).unwrap(), results.catalogue(0).unwrap());
    let left = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
    assert!(!left.into_iter().any(|name| name.starts_with(".gathered")), "a folder stayed");
    // Links into the master would show the rows of one rank only.
    assert_eq!(results.frames(0).unwrap().constraint_rows(1), None);
}

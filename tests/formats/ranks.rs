//! Results that several ranks wrote are read as one list of frames.

use std::path::{Path, PathBuf};

use solfec::frame::Frame;
use solfec_formats::results::{everything, pack, part_of, Options, Rank, Reader, Writer};

use super::sample;

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
    let history = results.body_history(0, 1).unwrap();
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

#[test]
fn what_one_process_cannot_do_with_ranks_is_refused() {
    let dir = stored("ranks-refused", 0);
    let results = Reader::open(&dir).unwrap();
    let message = pack(&results, &everything(&results), &dir.join("out.h5"), 0).unwrap_err().to_string();
    assert!(message.contains("results of 2 ranks cannot be packed"), "{message}");
    // Links into the master would show the rows of one rank only.
    assert_eq!(results.frames(0).unwrap().constraint_rows(1), None);
}

//! Cost of histories and of opening results, in bytes read rather than in seconds. `SF_LARGE=1` uses larger results and
//! prints the times too.

use std::time::Instant;
use tools_testing::size::large;

use solfec_formats::results::Reader;

use super::*;
use tools_testing::made;
use tools_testing::reads::counted;

fn size_of(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap());
    entries.map(|e| if e.path().is_dir() { size_of(&e.path()) } else { e.metadata().unwrap().len() }).sum()
}

/// Places of one body among 10⁴: a chunk of two columns and of the row numbers for each frame.
#[test]
fn one_body_of_many() {
    const BODIES: usize = 10_000;
    let frames = if large() { 1000 } else { 60 };
    let scratch = Scratch::new();
    let dir = scratch.path("made");
    made::write(&dir, BODIES, frames).unwrap();
    let size = size_of(&dir);
    let history = || {
        let results = Reader::open(&dir).unwrap();
        let all: Vec<usize> = (0..frames).collect();
        results.body_motion(0, 6999, &all, solfec_formats::results::BodyColumns::Place).unwrap()
    };
    let begun = Instant::now();
    let Some((history, read)) = counted(history) else { return };
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(history.frames.len(), frames);
    assert!((history.rigid.x[frames - 1][2] - 7000.0 * (frames - 1) as f64 * made::INTERVAL).abs() < 1e-9);
    println!("one body of {BODIES} over {frames} frames: {} MB of {} read in {seconds:.3} s", read >> 20, size >> 20);
    assert!(read < size / 5, "{read} of {size} bytes");
}

/// Opening reads the index: twelve columns of eight bytes a frame.
#[test]
fn opening_reads_the_index() {
    let frames = if large() { 100_000 } else { 20_000 };
    let scratch = Scratch::new();
    let dir = scratch.path("made");
    made::write(&dir, 3, frames).unwrap();
    let open = || Reader::open(&dir).unwrap().frame_times(0).unwrap().len();
    let begun = Instant::now();
    let Some((count, read)) = counted(open) else { return };
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(count, frames);
    println!("opening {frames} frames: {} kB read in {seconds:.4} s", read >> 10);
    assert!(read < 120 * frames as u64 + (1 << 20), "{read} bytes");
}

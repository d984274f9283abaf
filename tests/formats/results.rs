use std::time::Instant;

use super::sample;
use solfec::frame::Frame;
use solfec_formats::model::Provenance;
use solfec_formats::results::{Options, Reader, Writer};
use tools_testing::reads::{counted, whole_history};

/// What only a hang exceeds [s].
const PATIENCE: u64 = 300;
const PHASES: [&str; 2] = ["detect", "solve"];

pub fn options() -> Options {
    Options { phases: PHASES.map(String::from).to_vec(), provenance: sample::file().provenance, ..Options::default() }
}

/// Steps `10 (k - 1) + 1 .. 10 k` and frame `k`.
fn feed(w: &mut Writer, k: u64) {
    for t in (10 * k).saturating_sub(9)..=10 * k {
        if t > 0 {
            w.step(0, sample::step(t), &[0.25, 0.5], Instant::now()).unwrap();
        }
    }
    w.append(0, sample::frame(k)).unwrap();
}

fn frames(path: &std::path::Path) -> Vec<Frame> {
    let r = Reader::open(path).unwrap();
    (0..r.frames(0).unwrap().len()).map(|k| r.read_frame(0, k).unwrap()).collect()
}

#[test]
fn frames_come_back_from_any_division_into_segments() {
    let expected: Vec<Frame> = (0..8).map(sample::frame).collect();
    for (name, flush_at) in [("one", vec![]), ("two", vec![4]), ("many", (0..8).collect::<Vec<u64>>())] {
        let dir = sample::folder(&format!("segments-{name}"));
        let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
        for k in 0..8 {
            feed(&mut w, k);
            if flush_at.contains(&k) {
                w.flush().unwrap();
            }
        }
        w.flush().unwrap();
        assert_eq!(frames(&dir), expected, "{name}");
        w.end_run(0, "done").unwrap();
        assert_eq!(frames(&dir), expected, "{name}, merged");
        let files = std::fs::read_dir(dir.join("segments")).unwrap().count();
        assert_eq!(files, 1, "{name}");
        let r = Reader::open(&dir).unwrap();
        let steps: Vec<_> = (1..=70).map(sample::step).collect();
        // As text: numbers that are not known equal each other.
        assert_eq!(format!("{:?}", r.steps(0).unwrap()), format!("{steps:?}"));
        let timing = r.timing(0).unwrap();
        assert_eq!(timing.name, PHASES);
        assert_eq!(timing.frame[0], [0.0, 0.0]);
        assert_eq!(timing.frame[1], [2.5, 5.0]);
        assert_eq!(timing.step.len(), 70);
        assert_eq!(r.model().unwrap(), sample::file());
    }
}

/// A reader sees whole frames of a run that goes on or was killed: no more and no less than was committed.
#[test]
fn a_reader_sees_what_is_committed() {
    let dir = sample::folder("running");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    assert_eq!(frames(&dir), []);
    feed(&mut w, 0);
    feed(&mut w, 1);
    assert_eq!(frames(&dir), [], "frames in memory are not committed");
    w.flush().unwrap();
    let old_master = std::fs::read(dir.join("running.sfr.h5")).unwrap();
    feed(&mut w, 2);
    w.flush().unwrap();
    feed(&mut w, 3);
    drop(w);
    // Killed between the rename of the segment and that of the master, with a segment half written.
    std::fs::write(dir.join("running.sfr.h5"), old_master).unwrap();
    std::fs::write(dir.join("segments/s00002.r0000.h5.part"), "half").unwrap();
    assert_eq!(frames(&dir), (0..3).map(sample::frame).collect::<Vec<_>>());
    let catalogue = Reader::open(&dir).unwrap().catalogue(0).unwrap();
    assert_eq!(catalogue.born_frame, [0, 0, 0, -1]);
}

/// Killed after the merged segment was committed, before its parts were removed.
#[test]
fn parts_of_a_merged_segment_do_not_count_twice() {
    let dir = sample::folder("half-merged");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    for k in 0..3 {
        feed(&mut w, k);
        w.flush().unwrap();
    }
    let part = dir.join("segments/s00001.r0000.h5");
    let bytes = std::fs::read(&part).unwrap();
    w.end_run(0, "done").unwrap();
    assert!(!part.exists());
    std::fs::write(&part, bytes).unwrap();
    assert_eq!(frames(&dir), (0..3).map(sample::frame).collect::<Vec<_>>());
}

#[test]
fn bodies_come_and_go() {
    let dir = sample::folder("history");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    for k in 0..8 {
        feed(&mut w, k);
        if k == 4 {
            w.flush().unwrap();
        }
    }
    w.flush().unwrap();
    let r = Reader::open(&dir).unwrap();
    let c = r.catalogue(0).unwrap();
    assert_eq!(c.born_frame, [0, 0, 0, 3]);
    assert_eq!(c.dead_frame, [-1, -1, 5, -1]);
    assert_eq!(c.shape_class, [1, 3, 1, 0]);
    for body in 0..4u32 {
        let h = whole_history(&r, body);
        let (mut ks, mut rigid, mut pseudo) = (vec![], vec![], vec![]);
        for k in 0..8 {
            let f = sample::frame(k);
            for i in (0..f.rigid.body.len()).filter(|&i| f.rigid.body[i] == body) {
                ks.push(k as usize);
                rigid.push((f.rigid.x[i], f.rigid.rot[i], f.rigid.energy[i]));
            }
            for i in (0..f.pseudo.body.len()).filter(|&i| f.pseudo.body[i] == body) {
                ks.push(k as usize);
                pseudo.push((f.pseudo.x[i], f.pseudo.fdot[i]));
            }
        }
        assert_eq!(h.frames, ks, "body {body}");
        let found: Vec<_> =
            (0..h.rigid.body.len()).map(|i| (h.rigid.x[i], h.rigid.rot[i], h.rigid.energy[i])).collect();
        assert_eq!(found, rigid, "body {body}");
        let found: Vec<_> = (0..h.pseudo.body.len()).map(|i| (h.pseudo.x[i], h.pseudo.fdot[i])).collect();
        assert_eq!(found, pseudo, "body {body}");
    }
    let energies = r.energies(0, Some(&[1, 2])).unwrap();
    let f = sample::frame(2);
    let expected: [f64; 6] = std::array::from_fn(|i| f.rigid.energy[1][i] + f.pseudo.energy[0][i]);
    assert_eq!(energies[2], expected);
    assert_eq!(r.energies(0, None).unwrap().len(), 8);
    assert_eq!(r.frames(0).unwrap().constraints(7), 3);
}

/// Rows are stored in the order of the format, however they come.
#[test]
fn rows_are_sorted() {
    let dir = sample::folder("order");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    let mut frame = sample::frame(3);
    frame.rigid.body.rotate_left(1);
    frame.rigid.x.rotate_left(1);
    frame.rigid.rot.rotate_left(1);
    frame.rigid.v.rotate_left(1);
    frame.rigid.omega.rotate_left(1);
    frame.rigid.energy.rotate_left(1);
    frame.constraints.id.reverse();
    frame.constraints.point.reverse();
    w.append(0, frame).unwrap();
    w.flush().unwrap();
    let got = &frames(&dir)[0];
    assert_eq!(got.rigid, sample::frame(3).rigid);
    assert_eq!(got.constraints.id, sample::frame(3).constraints.id);
    assert_eq!(got.constraints.point, sample::frame(3).constraints.point);
}

pub fn bytes_of(group: &hdf5::Group, path: &str, out: &mut Vec<(String, Vec<u8>)>) {
    for name in group.member_names().unwrap() {
        let here = format!("{path}/{name}");
        if here == "/timing" || here == "/provenance" || here == "/model" {
            continue;
        }
        if let Ok(set) = group.dataset(&name) {
            use hdf5::types::{TypeDescriptor as T, VarLenUnicode};
            let bytes = match set.dtype().unwrap().to_descriptor().unwrap() {
                T::VarLenUnicode => {
                    set.read_raw::<VarLenUnicode>().unwrap().iter().flat_map(|s| s.as_bytes().to_vec()).collect()
                }
                T::Float(_) => set.read_raw::<f64>().unwrap().iter().flat_map(|x| x.to_le_bytes()).collect(),
                _ => set.read_raw::<i64>().unwrap().iter().flat_map(|x| x.to_le_bytes()).collect(),
            };
            out.push((here, bytes));
        } else {
            bytes_of(&group.group(&name).unwrap(), &here, out);
        }
    }
}

/// However a run was divided by the clock, in the end all datasets are equal, byte for byte.
#[test]
fn equal_runs_give_equal_datasets() {
    let write = |every: u64| {
        let dir = sample::folder(&format!("equal-{every}")).join("same");
        let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
        for run in 0..2 {
            w.record(0, &sample::operations()[1], 40 * run).unwrap();
            for k in 4 * run..4 * run + 4 {
                feed(&mut w, k);
                if k % every == 0 {
                    w.flush().unwrap();
                }
            }
            w.end_run(0, "done").unwrap();
        }
        w.finish(Provenance::default()).unwrap();
        let mut all = Vec::new();
        bytes_of(&hdf5::File::open(dir.join("same.sfr.h5")).unwrap(), "", &mut all);
        assert!(all.len() > 60);
        all
    };
    let (a, b) = (write(1), write(3));
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(&b) {
        assert_eq!(x, y, "{}", x.0);
    }
}

#[test]
fn results_are_not_overwritten_by_accident() {
    let dir = sample::folder("guarded");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    feed(&mut w, 0);
    w.flush().unwrap();
    drop(w);
    let message = Writer::create(&dir, &sample::file(), options()).unwrap_err().to_string();
    assert!(message.contains("guarded: holds results"), "{message}");
    assert_eq!(frames(&dir).len(), 1);
    let overwrite = Options { overwrite: true, ..options() };
    Writer::create(&dir, &sample::file(), overwrite).unwrap();
    assert_eq!(frames(&dir).len(), 0);
}

#[test]
fn what_is_not_results_is_named() {
    let dir = sample::folder("nothing");
    let message = |p: &std::path::Path| Reader::open(p).unwrap_err().to_string();
    assert!(message(&dir).contains("no results here"), "{}", message(&dir));
    assert!(matches!(Reader::open(&dir.join("none")), Err(solfec_formats::Error::Io(_))));
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    feed(&mut w, 0);
    w.flush().unwrap();
    feed(&mut w, 1);
    w.flush().unwrap();
    // A model is not results, a cut segment is an error, a missing one too.
    assert!(message(&dir.join("nothing.sfm.h5")).contains("'solfec-results' is wanted"));
    let first = dir.join("segments/s00000.r0000.h5");
    let bytes = std::fs::read(&first).unwrap();
    std::fs::write(&first, &bytes[..bytes.len() / 2]).unwrap();
    assert!(message(&dir).contains("s00000.r0000.h5: damaged or cut short"), "{}", message(&dir));
    std::fs::remove_file(&first).unwrap();
    assert!(message(&dir).contains("a file is missing"), "{}", message(&dir));
    let wrong = Reader::open(&dir).is_err();
    assert!(wrong);
    let unknown = w.append(
        0,
        Frame { rigid: solfec::frame::RigidRows { body: vec![99], ..Default::default() }, ..sample::frame(0) },
    );
    assert!(unknown.unwrap_err().to_string().contains("body row 99, but the catalogue has 4"));
}

/// A frame that waits is committed by ticks alone, and ticks do not cut segments shorter than a second.
#[test]
fn frames_are_visible_in_time() {
    let dir = sample::folder("in-time");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    let begun = Instant::now();
    w.append(0, sample::frame(0)).unwrap();
    while !w.tick(Instant::now()).unwrap() {
        assert!(begun.elapsed().as_secs() < PATIENCE, "a frame waits");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(frames(&dir).len(), 1);
    let committed = (1..1000).filter(|&k| {
        w.append(0, Frame { index: k, ..sample::frame(k % 8) }).unwrap();
        w.tick(Instant::now()).unwrap()
    });
    let (segments, seconds) = (1 + committed.count() as u64, begun.elapsed().as_secs());
    assert!(segments <= 1 + seconds, "{segments} segments in {seconds} s");
}

/// A run without output writes nothing between its first frame and its last but checkpoints.
#[test]
fn steps_without_frames_are_not_written() {
    let dir = sample::folder("no-frames");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    feed(&mut w, 0);
    w.flush().unwrap();
    let begun = Instant::now();
    let seconds = vec![0.0; options().phases.len()];
    for k in 1..1000 {
        let now = begun + std::time::Duration::from_secs(k);
        w.step(0, sample::step(k), &seconds, now).unwrap();
        assert!(!w.tick(now).unwrap(), "steps alone are written after {k} s");
    }
    w.append(0, sample::frame(1)).unwrap();
    assert!(w.tick(begun + std::time::Duration::from_secs(2000)).unwrap(), "a frame waits");
}

/// Opening results: 1e5 frames open in less than 0.1 s (measured here: generous for a loaded machine).
#[test]
fn many_frames_open_at_once() {
    let dir = sample::folder("many-frames");
    let mut w = Writer::create(&dir, &sample::file(), Options::default()).unwrap();
    for k in 0..100_000 {
        let mut f = sample::frame(k % 3);
        (f.index, f.time) = (k, k as f64);
        w.append(0, f).unwrap();
    }
    w.end_run(0, "done").unwrap();
    let size: u64 =
        std::fs::read_dir(dir.join("segments")).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    let open = || {
        let reader = Reader::open(&dir).unwrap();
        assert_eq!(reader.frame_times(0).unwrap().len(), 100_000);
        reader
    };
    let Some((reader, opened)) = counted(open) else { return };
    let Some((count, read)) = counted(|| whole_history(&reader, 1).frames.len()) else { return };
    assert_eq!(count, 100_000);
    println!("{size} bytes, of which opening reads {opened} and a history {read}");
    assert!(opened < 120 * 100_000 + (1 << 20) && read < size, "{opened} and {read} of {size} bytes");
}

/// A reader that opens again and again while a writer commits and merges sees a growing prefix of the frames.
#[test]
fn a_reader_follows_a_writer() {
    let dir = sample::folder("followed");
    let mut w = Writer::create(&dir, &sample::file(), options()).unwrap();
    let follower = {
        let dir = dir.clone();
        std::thread::spawn(move || {
            let mut seen = 0;
            while seen < 40 {
                let r = Reader::open(&dir).unwrap();
                let index = &r.frames(0).unwrap().index;
                assert_eq!(*index, (0..index.len() as u64).collect::<Vec<_>>());
                assert!(index.len() >= seen, "{} frames after {seen}", index.len());
                if let Some(k) = index.len().checked_sub(1) {
                    assert_eq!(r.read_frame(0, k).unwrap().rigid, sample::frame(k as u64 % 8).rigid);
                }
                seen = index.len();
            }
        })
    };
    for k in 0..40 {
        let frame = Frame { index: k, ..sample::frame(k % 8) };
        w.append(0, frame).unwrap();
        w.flush().unwrap();
        if k % 10 == 9 {
            w.end_run(0, "done").unwrap();
        }
    }
    follower.join().unwrap();
}

use super::sample;
use solfec::query::Frame;
use solfec_formats::results::{Options, Reader, Writer};

const PHASES: [&str; 2] = ["detect", "solve"];

fn options() -> Options {
    Options {
        phases: PHASES.map(String::from).to_vec(),
        provenance: sample::file().provenance,
        ..Options::default()
    }
}

/// Steps `10 (k - 1) + 1 .. 10 k` and frame `k`.
fn feed(w: &mut Writer, k: u64) {
    for t in (10 * k).saturating_sub(9)..=10 * k {
        if t > 0 {
            w.step(0, sample::step(t), &[0.25, 0.5]).unwrap();
        }
    }
    w.append(0, sample::frame(k)).unwrap();
}

fn frames(path: &std::path::Path) -> Vec<Frame> {
    let r = Reader::open(path).unwrap();
    (0..r.frames(0).unwrap().len())
        .map(|k| r.read_frame(0, k).unwrap())
        .collect()
}

#[test]
fn frames_come_back_from_any_division_into_segments() {
    let expected: Vec<Frame> = (0..8).map(sample::frame).collect();
    for (name, flush_at) in [
        ("one", vec![]),
        ("two", vec![4]),
        ("many", (0..8).collect::<Vec<u64>>()),
    ] {
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
        assert_eq!(r.steps(0).unwrap(), (1..=70).map(sample::step).collect::<Vec<_>>());
        let timing = r.timing(0).unwrap();
        assert_eq!(timing.name, PHASES);
        assert_eq!(timing.frame[0], [0.0, 0.0]);
        assert_eq!(timing.frame[1], [2.5, 5.0]);
        assert_eq!(timing.step.len(), 70);
        assert_eq!(r.model().unwrap(), sample::file());
    }
}

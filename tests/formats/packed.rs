use super::{sample, strangers};
use solfec::frame::NO_BODY;
use solfec_formats::check_file;
use solfec_formats::results::{everything, pack, pack_to_bytes, Options, Results, Share, Writer};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tools_testing::reads::whole_history;
use tools_testing::same::{content, same_results};

/// Results of eight frames in segments that end after these frames, and the master.
fn write(name: &str, flush_at: &[u64], compress: u8) -> (PathBuf, PathBuf) {
    let dir = sample::folder(name).join("sample");
    let phases = vec!["detect".to_string()];
    let provenance = sample::file().provenance;
    let mut w =
        Writer::create(&dir, &sample::file(), Options { compress, phases, provenance, ..Options::default() }).unwrap();
    for k in 0..8u64 {
        for t in (10 * k).saturating_sub(9)..=10 * k {
            if t > 0 {
                w.step(0, sample::step(t), &[0.25], Instant::now()).unwrap();
            }
        }
        w.append(0, sample::frame(k)).unwrap();
        if flush_at.contains(&k) {
            w.flush().unwrap();
        }
    }
    w.flush().unwrap();
    (dir.clone(), dir.join("sample.sfr.h5"))
}

fn packed(dir: &Path, name: &str) -> PathBuf {
    let results = Results::open(dir).unwrap();
    let out = dir.with_file_name(name);
    pack(&results, &everything(&results), &out, 0).unwrap();
    out
}

#[test]
fn a_packed_file_holds_what_the_directory_holds() {
    let (dir, master) = write("pack-all", &[2, 5], 0);
    let file = packed(&dir, "all.h5");
    assert_eq!(same_results(&master, &file), None);
    assert!(content(&file).len() > 200);
    let (from, to) = (Results::open(&dir).unwrap(), Results::open(&file).unwrap());
    assert_eq!(from.domains(), to.domains());
    assert_eq!(from.frames(0).unwrap(), to.frames(0).unwrap());
    for k in 0..8 {
        assert_eq!(from.read_frame(0, k).unwrap(), to.read_frame(0, k).unwrap());
    }
    // As text: numbers that are not known equal each other.
    assert_eq!(format!("{:?}", from.steps(0).unwrap()), format!("{:?}", to.steps(0).unwrap()));
    assert_eq!(from.timing(0).unwrap(), to.timing(0).unwrap());
    assert_eq!(from.catalogue(0).unwrap(), to.catalogue(0).unwrap());
    assert_eq!(from.model().unwrap(), to.model().unwrap());
    assert_eq!(from.provenance().unwrap(), to.provenance().unwrap());
    assert_eq!(from.program(0).unwrap(), to.program(0).unwrap());
    assert_eq!(whole_history(&from, 1), whole_history(&to, 1));
    assert_eq!(from.energies(0, None).unwrap(), to.energies(0, None).unwrap());
}

/// Equal rows give equal files, however they lay in segments; a packed file packs to itself.
#[test]
fn packing_does_not_see_segments() {
    let (one, _) = write("pack-one", &[], 0);
    let (many, _) = write("pack-many", &[0, 1, 2, 3, 4, 5, 6], 1);
    let (one, many) = (packed(&one, "one.h5"), packed(&many, "many.h5"));
    assert_eq!(same_results(&one, &many), None);
    let results = Results::open(&one).unwrap();
    let again = one.with_file_name("again.h5");
    pack(&results, &everything(&results), &again, 1).unwrap();
    assert_eq!(same_results(&one, &again), None);
}

#[test]
fn the_comparison_sees_one_number() {
    let (dir, _) = write("pack-differ", &[], 0);
    let (one, other) = (packed(&dir, "one.h5"), packed(&dir, "other.h5"));
    let file = hdf5::File::open_rw(&other).unwrap();
    let set = file.dataset("domains/0/rigid/x").unwrap();
    let mut x = set.read_raw::<f64>().unwrap();
    x[5] = f64::from_bits(x[5].to_bits() + 1);
    set.write_raw(&x).unwrap();
    drop((set, file));
    assert_eq!(same_results(&one, &other).as_deref(), Some("/domains/0/rigid/x"));
}

#[test]
fn frames_and_bodies_are_chosen() {
    let (dir, _) = write("pack-some", &[1, 4], 0);
    let results = Results::open(&dir).unwrap();
    let frames = vec![2, 3, 6];
    let bodies = vec![false, true, true, false];
    let share = Share { domain: 0, frames: Some(frames.clone()), bodies: Some(bodies.clone()) };
    let out = dir.with_file_name("some.h5");
    pack(&results, &[share], &out, 0).unwrap();
    let some = Results::open(&out).unwrap();
    let inside = |b: u32| b == NO_BODY || bodies[b as usize];
    assert_eq!(some.frames(0).unwrap().index, [0, 1, 2]);
    for (i, &k) in frames.iter().enumerate() {
        let (all, kept) = (results.read_frame(0, k).unwrap(), some.read_frame(0, i).unwrap());
        assert_eq!((kept.time, kept.step_count, kept.run), (all.time, all.step_count, all.run));
        let expected: Vec<_> = (0..all.rigid.body.len()).filter(|&r| inside(all.rigid.body[r])).collect();
        assert_eq!(kept.rigid.x, expected.iter().map(|&r| all.rigid.x[r]).collect::<Vec<_>>());
        let c = &all.constraints;
        let expected: Vec<_> = (0..c.id.len()).filter(|&r| inside(c.master[r]) && inside(c.slave[r])).collect();
        assert_eq!(kept.constraints.id, expected.iter().map(|&r| c.id[r]).collect::<Vec<_>>());
        assert_eq!(kept.constraints.r, expected.iter().map(|&r| c.r[r]).collect::<Vec<_>>());
    }
    // Body 2 dies at frame 5, which is not taken: frame 6 is the third.
    let catalogue = some.catalogue(0).unwrap();
    assert_eq!(catalogue.born_frame, [-1, 0, 0, -1]);
    assert_eq!(catalogue.dead_frame, [-1, -1, 2, -1]);
    let times: Vec<f64> = some.steps(0).unwrap().iter().map(|s| s.time).collect();
    let (first, last) = (results.frame_times(0).unwrap()[2], results.frame_times(0).unwrap()[6]);
    assert_eq!((times.len(), times[0]), (41, first));
    assert!((times[40] - last).abs() < 1e-12);
    // The log begins with step 20, which ends at frame 2; its clock readings are those of the same steps.
    assert_eq!((results.steps_before(0).unwrap(), some.steps_before(0).unwrap()), (0, 19));
    assert_eq!(some.timing(0).unwrap().step, results.timing(0).unwrap().step[19..60]);
    // Events of frames that are left out belong to the next one that is taken.
    let events: Vec<_> = (2..=6).flat_map(|k| results.read_frame(0, k).unwrap().events).collect();
    let expected: Vec<_> = events.into_iter().filter(|e| inside(e.body.0)).collect();
    let found: Vec<_> = (0..3).flat_map(|k| some.read_frame(0, k).unwrap().events).collect();
    assert_eq!(found, expected);
    assert!(!found.is_empty());
}

#[test]
fn a_pipe_carries_packed_results() {
    let (dir, master) = write("pack-pipe", &[3], 0);
    let results = Results::open(&dir).unwrap();
    let bytes = pack_to_bytes(&results, &everything(&results), 1 << 30).unwrap();
    let out = dir.with_file_name("pipe.h5");
    std::fs::write(&out, &bytes).unwrap();
    drop(results);
    assert_eq!(same_results(&master, &out), None);
    let results = Results::open(&dir).unwrap();
    let memory = Results::from_bytes(bytes.clone(), "(standard input)").unwrap();
    assert_eq!(memory.read_frame(0, 7).unwrap(), results.read_frame(0, 7).unwrap());
    assert_eq!(memory.model().unwrap(), results.model().unwrap());
    let error = pack_to_bytes(&results, &everything(&results), 1000).unwrap_err().to_string();
    assert!(error.contains("1000 are allowed"), "{error}");
    let error = Results::from_bytes(bytes[..bytes.len() / 2].to_vec(), "(standard input)").unwrap_err().to_string();
    assert!(error.contains("cut short"), "{error}");
    let error = Results::from_bytes(std::fs::read(master).unwrap(), "(standard input)").unwrap_err().to_string();
    assert!(error.contains("pack it"), "{error}");
}

/// The recipe of the page for directories reads a packed file, and every dataset says what it is.
#[test]
fn h5py_alone_reads_a_packed_file() {
    let Some(python) = tools_testing::python::python_with("h5py") else { return };
    let (dir, _) = write("pack-stranger", &[3], 0);
    packed(&dir, "ball.h5");
    let recipe = strangers::recipe("results.md", "## Read with h5py").replace("ball/ball.sfr.h5", "ball.h5");
    let more = r#"
with h5py.File("ball.h5") as f:
    count = 0
    def look(name, o):
        global count
        if isinstance(o, h5py.Dataset):
            count += 1
            assert o.attrs["units"] and o.attrs["description"] and not o.is_virtual, name
    f.visititems(look)
    assert count > 100, count
    assert f.attrs["format"] == "solfec-results" and f["model"].attrs["format"] == "solfec-model"
    assert len(f["model/domains/0/bodies/id"]) == 4
assert len(z) == 8 and b - a == 3
"#;
    strangers::run(&python, &format!("{recipe}{more}"), dir.parent().unwrap());
}

/// A check reads everything, and names what is wrong.
#[test]
fn files_are_checked() {
    let (dir, master) = write("pack-check", &[3], 0);
    let out = packed(&dir, "all.h5");
    let model = dir.join("sample.sfm.h5");
    let segment = dir.join("segments/s00000.r0000.h5");
    for good in [&dir, &master, &out, &model, &segment] {
        assert_eq!(check_file(good).unwrap(), [""; 0], "{}", good.display());
    }
    let change = |change: &dyn Fn(&hdf5::File)| {
        std::fs::copy(&out, out.with_file_name("bad.h5")).unwrap();
        let file = hdf5::File::open_rw(out.with_file_name("bad.h5")).unwrap();
        change(&file);
        drop(file);
        check_file(&out.with_file_name("bad.h5")).unwrap().join(" ")
    };
    let told = change(&|file| {
        let set = file.dataset("domains/0/con/master").unwrap();
        let mut rows = set.read_raw::<u32>().unwrap();
        rows[2] = 77;
        set.write_raw(&rows).unwrap();
    });
    assert!(told.contains("body row 77, but the catalogue has 4"), "{told}");
    let told = change(&|file| file.unlink("domains/0/con/gap").unwrap());
    assert!(told.contains("con/gap: missing dataset"), "{told}");
    let told = change(&|file| file.unlink("model/domains/0/bodies/id").unwrap());
    assert!(told.contains("model: /domains/0/constraints/body1: row 0: no body has the id 2"), "{told}");
    assert!(check_file(&dir.join("none.h5")).is_err());
    std::fs::write(dir.join("text.h5"), "text").unwrap();
    assert!(check_file(&dir.join("text.h5")).is_err());
}

//! Several processes, started by the MPI library of this machine: models through the pipe, results of any number of
//! processes, orderly and other ends, mistakes.

use std::path::PathBuf;
use tools_testing::size::large;

use super::common::*;
use super::LONG;
use tools_testing::skip::skipped;

/// Largest difference of positions [m] and velocities [m/s] between numbers of processes, at a tolerance of 1e-8.
const AGREE: f64 = 1e-6;

/// Whether the tools were built with MPI and it can be started here.
pub fn can_run() -> bool {
    let launcher = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("mpirun").is_file()));
    let built = bin().join("sf-run-mpi").is_file();
    if !(launcher && built) {
        skipped("no mpirun, or tools without MPI (cargo --features mpi)");
    }
    launcher && built
}

/// Signals, options and codes with which runs on two processes end orderly, with a checkpoint.
pub fn assert_ends(folder: &Scratch, input: &str, signals: &[(&str, &str, i32)]) {
    for &(name, more, code) in signals {
        let child = start(folder, "sf-run", &["-np", "2", input, "-w", "-i", "0.1", "-o", "out", more]);
        wait_until("steps", || state(folder, "out", "/t") > 0.0);
        let id = child.id().to_string();
        std::process::Command::new("kill").args([&format!("-{name}"), &id]).status().expect("kill runs");
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{name}: {told}");
        assert_eq!(told.matches("go on with -c").count(), 1, "{told}");
        let t = state(folder, "out", "/last_checkpoint/t");
        assert!(t > 0.0 && t == state(folder, "out", "/t"), "{name}");
        let _ = std::fs::remove_file(folder.path("out/state.json"));
    }
}

/// Positions and velocities of all bricks over time, as CSV.
fn histories(folder: &Scratch, results: &str) -> Table {
    let items: Vec<String> = (2..=49).step_by(3).map(|id| format!("'DZ@id:{id}' 'VZ@id:{id}'")).collect();
    Table::parse(&done(folder, &format!("sf-history {results} {} KINETIC", items.join(" "))))
}

/// Positions and velocities differ by no more than `bound`, the last column by no more than that part of its largest.
pub fn assert_near(one: &Table, other: &Table, bound: f64, what: &str) {
    assert_eq!((&one.names, one.rows.len()), (&other.names, other.rows.len()), "{what}");
    let energy = one.rows.iter().filter_map(|row| row.last()).fold(0.0, |a: f64, b| a.max(b.abs()));
    for (row, (a, b)) in one.rows.iter().zip(&other.rows).enumerate() {
        for (k, (x, y)) in a.iter().zip(b).enumerate() {
            let scale = if k + 1 == a.len() { energy } else { 1.0 };
            assert!((x - y).abs() <= bound * scale, "{what}: frame {row}, {}: {x} and {y}", one.names[k]);
        }
    }
}

/// A folder with a deck: LONG with bricks that fall before they rest, cut short. None where nothing can run.
fn pile() -> Option<Scratch> {
    can_run().then(pile_anywhere)
}

/// The same whether or not MPI is there.
pub fn pile_anywhere() -> Scratch {
    let folder = Scratch::new();
    let deck = LONG.replace("(1.1*i, 1.1*j, k)", "(1.1*i, 1.1*j, 1.01*k + 0.01*(i + j))").replace("1000.0)", "0.1)");
    folder.write("pile.py", &deck);
    folder
}

/// Histories and `state.json` tell how constraints are distributed.
fn assert_distribution(folder: &Scratch, results: &str, processes: usize) {
    const ITEMS: &str = "CONS GSBOT GSMID GSTOP GSINN GSCOLORS GSINIT GSRUN GSCOM PARBAL";
    let table = Table::parse(&done(folder, &format!("sf-history {results} {ITEMS}")));
    let last = table.rows.last().expect("rows");
    let [cons, bottom, middle, top, inner, colours] = std::array::from_fn(|k| last[1 + k]);
    let times: Vec<f64> = (7..11).map(|k| table.rows.iter().map(|row| row[k]).sum()).collect();
    if processes == 1 {
        assert!([bottom, middle, top, inner, colours].iter().all(|x| x.is_nan()), "{last:?}");
        assert_eq!(times, [0.0; 4]);
        return;
    }
    assert_eq!(bottom + middle + top + inner, cons, "{last:?}");
    assert!(colours >= 1.0 && colours <= processes as f64, "{last:?}");
    assert!(times.iter().all(|seconds| *seconds > 0.0), "{times:?}");
    let count = |of: &str| ["sum", "min", "avg", "max"].map(|k| state(folder, results, &format!("/counts/{of}/{k}")));
    let [sum, least, mean, largest] = count("bodies");
    assert_eq!((sum, mean), (49.0, 49.0 / processes as f64));
    assert!(least <= mean && mean <= largest, "{least} {mean} {largest}");
    assert_eq!(count("external")[0], bottom + middle + top);
    let [sent, weight, boxes] = ["sent_mb", "weight", "boxes"].map(count);
    assert!(sent[0] > 0.0 && weight[0] > 0.0 && boxes[0] > 49.0, "{sent:?} {weight:?} {boxes:?}");
    let text = std::fs::read_to_string(folder.path(results).join("STATE")).expect("STATE");
    for title in ["BODIES: SUM 49 MIN ", "\nBOXES: SUM ", "\nEXTERNAL: SUM ", "\nMB SENT: SUM ", "\nDOM WEIGHT: SUM "] {
        assert!(text.contains(title), "{title}: {text}");
    }
}

#[test]
fn local_dynamics_of_processes_are_those_of_one() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("pile.py", LONG);
    let dump =
        |name: &str, how: &str| format!("sf-run {how} -q -o {name} --steps 1 --dump-locdyn 1:{name}.hdf5 pile.h5");
    done(&folder, &format!("sf-build pile.py -o pile.h5 && {}", dump("one", "")));
    for processes in [2, 3] {
        let name = format!("np{processes}");
        done(&folder, &dump(&name, &format!("-np {processes}")));
        let told = done(&folder, &format!("sf-locdyn-compare --quantities W,B --rtol 1e-12 one.hdf5 {name}.hdf5"));
        assert!(told.contains("same; 192 and 192 rows, 192 matched"), "{told}");
    }
}

/// Positions of the nodes in all frames of an export, with the name of the frame.
fn exported_nodes(folder: &Scratch, name: &str) -> Vec<(String, Vec<f64>)> {
    let file = hdf5::File::open(folder.path(&format!("{name}/long_bodies.xmf.h5"))).expect("an export");
    let bodies = file.group("bodies").expect("bodies");
    let mut frames = bodies.member_names().expect("frames");
    frames.retain(|name| name.starts_with("frame"));
    frames.sort();
    let read = |frame: String| {
        let set = bodies.dataset(&format!("{frame}/position")).expect("positions");
        (frame, set.read_raw().expect("numbers"))
    };
    frames.into_iter().map(read).collect()
}

/// Writes a program that is found before others when PATH begins with `folder`.
fn put_before(folder: &Scratch, name: &str, text: &str) {
    done(folder, "mkdir -p before");
    folder.write(&format!("before/{name}"), text);
    done(folder, &format!("chmod +x before/{name}"));
}

/// A launcher that gives each process a folder for temporary files of its own.
const OWN_FOLDERS: &str = r#"#!/bin/sh
processes=$2
shift 2
PATH=${PATH#*:}
exec mpirun -np "$processes" sh -c 'TMPDIR=$PWD/tmp${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; export TMPDIR
mkdir -p "$TMPDIR" && exec "$@"' sh "$@"
"#;

#[test]
fn the_pipe_gives_the_same_on_1_2_4_and_8_processes() {
    let Some(folder) = pile() else { return };
    put_before(&folder, "mpirun", OWN_FOLDERS);
    done(&folder, "sf-build pile.py | sf-run -q -o alone && sf-run --pack alone p0.h5 && sf-xdmf alone -o x0");
    let alone = histories(&folder, "p0.h5");
    let counts = |results: &str| done(&folder, &format!("sf-history {results} BODS CONS"));
    // What is drawn: nodes, cells and contact points by number, and times.
    let exported = |name: &str| done(&folder, &format!("cat {name}/*.xmf"));
    let drawn = exported_nodes(&folder, "x0");
    assert!(drawn.len() > 10);
    for processes in [1, 2, 4, 8] {
        let name = format!("np{processes}");
        done(&folder, &format!("sf-build pile.py | PATH=$PWD/before:$PATH sf-run -np {processes} -q -o {name}"));
        assert!((0..processes).all(|rank| folder.path(&format!("tmp{rank}")).is_dir()));
        let packed = format!("p{processes}.h5");
        done(&folder, &format!("sf-run --pack {name} {packed}"));
        assert_near(&alone, &histories(&folder, &packed), AGREE, &name);
        assert_eq!(counts(&packed), counts("p0.h5"), "{name}");
        assert_eq!(done(&folder, &format!("sf-history --follow {name} BODS CONS")), counts("alone"), "{name}");
        assert_distribution(&folder, &name, processes);
        let told = done(&folder, &format!("sf-info {name}"));
        assert!(told.contains("check: ok"), "{told}");
        done(&folder, &format!("sf-xdmf {name} -o x{processes}"));
        assert_eq!(exported(&format!("x{processes}")), exported("x0"), "{name}");
        for ((frame, nodes), (_, expected)) in exported_nodes(&folder, &format!("x{processes}")).iter().zip(&drawn) {
            assert_eq!(nodes.len(), expected.len(), "{name}: {frame}");
            assert!(nodes.iter().zip(expected).all(|(x, y)| (x - y).abs() <= AGREE), "{name}: {frame}");
        }
    }
}

/// Where there is neither mpirun nor mpiexec.
#[test]
fn srun_launches_processes() {
    let Some(folder) = pile() else { return };
    let path = done(&folder, "printf %s \"$PATH\"");
    put_before(
        &folder,
        "srun",
        &format!("#!/bin/sh\nPATH='{path}'\n[ \"$1\" = -n ] && shift && exec mpirun -np \"$@\"\n"),
    );
    done(&folder, "sf-build pile.py -o m.h5 && sf-run -np 2 -q m.h5 -o asked --steps 20");
    done(&folder, "run=$(command -v sf-run) && PATH=$PWD/before $run -np 2 -q m.h5 -o launched --steps 20");
    let history = |results: &str| done(&folder, &format!("sf-history {results} DZ@id:2 VZ@id:30 KINETIC"));
    assert_eq!(history("launched"), history("asked"));
}

#[test]
fn a_job_goes_on_with_other_numbers_of_processes() {
    let Some(folder) = pile() else { return };
    done(&folder, "sf-build pile.py -o m.h5 && sf-run -q m.h5 -o alone");
    for (processes, steps) in [("-np 4", 30), ("-np 7", 50), ("", 60), ("-np 3", 80), ("-np 2", 1000)] {
        done(&folder, &format!("sf-run {processes} -q m.h5 -o out -c --steps {steps}"));
    }
    assert_near(&histories(&folder, "alone"), &histories(&folder, "out"), AGREE, "4, 7, 1, 3 and 2 processes");
    let told = shell(&folder, "sf-run -np 2 m.h5 -o out -c");
    assert!(String::from_utf8_lossy(&told.stderr).contains("is finished; nothing to do"), "{told:?}");
    // What only several processes have to tell is missing in the steps that one of them made alone, and nowhere else.
    done(&folder, "sf-run --pack out packed.h5");
    for results in ["out", "packed.h5"] {
        let table = Table::parse(&done(&folder, &format!("sf-history {results} --per-step GSCOLORS GSINN")));
        assert_eq!(table.rows.len(), 100, "{results}");
        for (k, row) in table.rows.iter().enumerate() {
            assert_eq!(row[1..].iter().all(|x| x.is_nan()), (50..60).contains(&k), "{results}: step {}", k + 1);
        }
    }
}

/// One process stores nothing of several; what it has begun several go on with.
#[test]
fn results_of_one_process_have_no_columns_of_several() {
    let Some(folder) = pile() else { return };
    done(&folder, "sf-build pile.py -o m.h5 && sf-run -q m.h5 -o alone && sf-run -q m.h5 -o out --steps 50");
    done(&folder, "sf-run -np 2 -q m.h5 -o out -c && sf-run -np 2 -q m.h5 -o both");
    let members = |results: &str| {
        let master = hdf5::File::open(folder.path(&format!("{results}/{results}.sfr.h5"))).expect("a master");
        let names = |group: &str| master.group(group).and_then(|group| group.member_names()).expect("a group");
        let timers = master.dataset("timing/0/step").expect("timings").shape()[1];
        (names("domains/0/steps").iter().filter(|name| name.starts_with("gs")).count(), timers)
    };
    assert_eq!([members("alone"), members("out"), members("both")], [(0, 6), (5, 6), (5, 10)]);
    let master = hdf5::File::open(folder.path("out/out.sfr.h5")).expect("a master");
    let colours: Vec<f64> = master.dataset("domains/0/steps/gscolors").and_then(|set| set.read_raw()).expect("numbers");
    assert!(colours[..50].iter().all(|x| x.is_nan()) && colours[50..].iter().all(|x| *x >= 1.0), "{colours:?}");
    assert_near(&histories(&folder, "alone"), &histories(&folder, "out"), AGREE, "one process, then two");
}

#[test]
fn deterministic_runs_have_the_same_histories_on_any_number_of_processes() {
    let Some(folder) = pile() else { return };
    // Bodies of two forms and many sizes, whose energies add up differently in another order.
    let more = "
for k in range(9):
    kind = ('RIGID', 'PSEUDO_RIGID')[k % 2]
    BODY(solfec, kind, SPHERE((0.3 + 0.31*k, 0.2*k + 0.1, 6.3 + 0.7*k), 0.1 + 0.013*k, 1, 1), bulk)
GRAVITY(";
    let text = folder.read("pile.py");
    assert!(text.contains("\nGRAVITY("), "{text}");
    folder.write("pile.py", &text.replacen("\nGRAVITY(", more, 1));
    done(&folder, "sf-build pile.py -o m.h5");
    let history =
        |results: &str| done(&folder, &format!("sf-history {results} DX@id:2 VX@id:30 KINETIC CONTACT FRICTION"));
    let run = |how: &str| done(&folder, &format!("sf-run -q --deterministic --output-interval 0.001 m.h5 {how}"));
    run("-o alone --steps 60");
    for processes in [1, 2, 3] {
        run(&format!("-np {processes} -o np{processes} --steps 60"));
        assert_eq!(history(&format!("np{processes}")), history("alone"), "{processes} processes");
    }
    run("-np 4 -o out --steps 30");
    run("-np 3 -o out -c --steps 60");
    assert_eq!(history("out"), history("alone"), "4 and 3 processes");
}

#[test]
fn processes_of_a_launcher_join() {
    let Some(folder) = pile() else { return };
    let settings = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1";
    done(&folder, "sf-build pile.py -o m.h5 && sf-run -np 2 -q m.h5 -o asked --steps 20");
    done(&folder, &format!("{settings} mpirun -np 2 sf-run -q m.h5 -o joined --steps 20"));
    let history = |results: &str| done(&folder, &format!("sf-history {results} DZ@id:2 VZ@id:30 KINETIC"));
    assert_eq!(history("joined"), history("asked"));
    let told = shell(&folder, "PMI_SIZE=2 sf-run -np 2 m.h5");
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).contains("already one of 2 processes"), "{told:?}");
    let srun = "SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0";
    for (meeting, told) in [("", true), ("PMIX_RANK=0", false)] {
        let run = shell(&folder, &format!("{srun} {meeting} sf-run m.h5"));
        assert_eq!(String::from_utf8_lossy(&run.stderr).contains("how to find one another"), told, "{run:?}");
    }
}

/// The processes of MPI that work in this folder.
fn processes(folder: &Scratch) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
    let works_here = |process: &PathBuf| {
        std::fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "sf-run-mpi")
            && std::fs::read_link(process.join("cwd")).ok() == folder.path("").canonicalize().ok()
    };
    let name = |process: PathBuf| Some(process.file_name()?.to_string_lossy().into_owned());
    entries.filter(works_here).filter_map(name).collect()
}

/// Any process is killed at any instant; another number of them goes on. `SF_LARGE=1`: fifty times.
#[test]
fn a_killed_process_ends_the_job_and_what_is_stored_goes_on() {
    if !can_run() {
        return;
    }
    let kills = if large() { 50 } else { 3 };
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    // By then there is a frame besides that of the start, however slow the machine.
    let mut before = 0.1;
    for kill in 0..kills {
        let processes_now = ["3", "2", "4"][kill % 3];
        let args = ["-np", processes_now, "m.h5", "-q", "-c", "-i", "0.1", "--checkpoint-every", "1s", "-o", "out"];
        let child = start(&folder, "sf-run", &args);
        wait_until("steps", || state(&folder, "out", "/last_checkpoint/t") > before);
        std::thread::sleep(std::time::Duration::from_millis(37 * (kill as u64 * 7 % 11)));
        let there = processes(&folder);
        let victim = &there[kill % there.len()];
        assert!(std::process::Command::new("kill").args(["-KILL", victim]).status().expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(137), "{told}");
        assert!(told.contains("a process was killed") && told.contains("sf-run -c goes on"), "{told}");
        wait_until("end of the others", || processes(&folder).is_empty());
        before = state(&folder, "out", "/last_checkpoint/t");
        assert!(done(&folder, "sf-info out").contains("sf-run -c goes on"));
        let times = Table::parse(&done(&folder, "sf-history out KINETIC"));
        assert!(times.rows.last().is_some_and(|row| row[0] > 0.0), "no frames after kill {kill}");
    }
}

#[test]
fn processes_end_orderly_when_they_are_asked_to() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    assert_ends(&folder, "m.h5", &[("INT", "-v", 143), ("TERM", "-v", 143), ("USR1", "--requeue", 75)]);
}

/// A process that alone cannot write ends the others, which wait for it.
#[test]
fn an_error_of_one_process_ends_all() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    let child = start(&folder, "sf-run", &["-np", "3", "m.h5", "-q", "-i", "0.1", "-o", "out"]);
    wait_until("steps", || state(&folder, "out", "/t") > 0.0);
    // Segments that it cannot make.
    for k in 0..999 {
        let _ = std::fs::create_dir_all(folder.path(&format!("out/segments/s{k:05}.r0001.h5/x")));
    }
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), told.matches("error:").count()), (Some(4), 1), "{told}");
    assert!(told.contains(".r0001.h5: cannot write"), "{told}");
}

#[test]
fn a_warning_on_any_process_ends_all_where_it_is_an_error() {
    let Some(folder) = pile() else { return };
    let build = "sed 's/1E-8, 1000/1E-12, 1/' pile.py > strict.py && sf-build strict.py";
    let told = fails(&folder, &format!("{build} | sf-run -np 3 --strict -q -o out"), 3);
    assert_eq!(told.matches("error:").count(), 1, "{told}");
    assert!(told.contains("--strict makes this warning"), "{told}");
}

#[test]
fn a_mistake_is_told_once() {
    let folder = Scratch::new();
    assert!(fails(&folder, "sf-run -np none m.h5", 2).contains("is not a number of processes"));
    if !can_run() {
        return;
    }
    folder.write("long.py", LONG);
    for (line, code, text) in [
        ("sf-run -np 3 none.h5", 4, "none.h5: cannot read"),
        ("sf-run -np 3 --what", 2, "unexpected argument '--what'"),
        ("mkdir -p o && touch o/o.sfr.h5 && sf-build long.py | sf-run -np 3 -o o", 4, "holds results"),
    ] {
        let told = fails(&folder, line, code);
        assert_eq!(told.matches("error:").count(), 1, "{line}: {told}");
        assert!(told.contains(text), "{line}: {told}");
    }
}

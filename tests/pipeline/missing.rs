//! Results that lack segments, or have changed numbers: no tool takes them for whole, and strangers see the hole.

use super::common::*;
use super::BALL;

#[test]
fn missing_segments_are_an_error_with_a_number() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-run -q -o ball ball.py");
    folder.write("reading.py", &format!("{BALL}print(DURATION(solfec))\n").replace("out/ball", "ball"));
    done(&folder, "sf-run -q --read reading.py && mv ball/segments/* .");
    for (line, code) in [
        ("sf-history ball KINETIC", 3),
        ("sf-xdmf -o x ball", 3),
        ("sf-run --pack ball -o p.h5", 3),
        ("sf-run -q --read reading.py", 4),
    ] {
        let told = fails(&folder, line, code);
        assert!(told.contains("331 of 331 frames and steps are missing"), "{line}: {told}");
        assert!(told.contains("segments/s00000.r0000.h5"), "{line}: {told}");
    }
    let told = fails(&folder, "sf-run --check-file ball", 1);
    assert!(told.contains("331 of 331 frames and steps are missing"), "{told}");
    // Whoever reads the master by itself sees no plausible numbers.
    let program = "
import h5py, numpy
f = h5py.File('ball/ball.sfr.h5')['domains/0']
assert numpy.isnan(f['rigid/x'][...]).all() and numpy.isnan(f['steps/time'][...]).all()
assert (f['rigid/body'][...] == 2**32 - 1).all() and (f['con/surf'][...] == 2**31 - 1).all()
";
    python(&folder, "h5py", program);
}

/// One number that changed is found, wherever it is; readers cannot see it.
#[test]
fn changed_numbers_are_found_by_their_checksums() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q -o ball.sfm.h5 ball.py && sf-run -q -o ball ball.sfm.h5");
    done(&folder, "sf-run --check-file ball && sf-run --check-file ball.sfm.h5");
    let program = "
import h5py
for name, path in ('ball/segments/s00000.r0000.h5', 'rigid/x'), ('ball.sfm.h5', 'bodies/center'):
    with h5py.File(name) as f: at = f['domains/0/' + path].id.get_offset()
    with open(name, 'r+b') as f:
        f.seek(at + 3)
        byte = f.read(1)[0]
        f.seek(at + 3)
        f.write(bytes([byte ^ 16]))
";
    if python(&folder, "h5py", program).is_some() {
        done(&folder, "sf-history ball KINETIC");
        for (file, place) in [
            ("ball", "/domains/0/rigid/x"),
            ("ball/segments/s00000.r0000.h5", "/domains/0/rigid/x"),
            ("ball.sfm.h5", "/domains/0/bodies/center"),
        ] {
            let told = fails(&folder, &format!("sf-run --check-file {file}"), 1);
            assert!(told.contains(&format!("{place}: damaged: its numbers do not give their checksum")), "{told}");
        }
    }
}

/// With --verify the reading tools refuse what --check-file finds; without it they read on.
#[test]
fn reading_tools_verify_on_request() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q -o m.h5 ball.py && sf-run -q -o ball m.h5 --dump-locdyn 200:ld.hdf5");
    done(&folder, "sf-run -q -o cut --steps 100 m.h5 && cp ld.hdf5 whole.hdf5 && cp m.h5 sound.h5");
    let lines = [
        "sf-history --verify ball KINETIC",
        "sf-xdmf -q -w --verify ball -o x",
        "sf-xdmf -q -w --verify --initial m.h5 -o x",
        "sf-run -q -w --verify m.h5 -o new --steps 3",
        "sf-run -q -c --verify sound.h5 -o cut --steps 101",
        "sf-locdyn-compare --verify whole.hdf5 ld.hdf5",
        "sf-locdyn-compare solve --verify ld.hdf5",
    ];
    lines.iter().for_each(|line| drop(done(&folder, line)));
    let program = "
import h5py, glob
for name, path in ((glob.glob('ball/segments/*')[0], 'domains/0/rigid/x'), ('m.h5', 'domains/0/bodies/center'),
                   ('ld.hdf5', 'fclib_local/vectors/q'), (glob.glob('cut/segments/*')[0], 'domains/0/rigid/x')):
    with h5py.File(name) as f: at = f[path].id.get_offset()
    with open(name, 'r+b') as f:
        f.seek(at + 3)
        byte = f.read(1)[0]
        f.seek(at + 3)
        f.write(bytes([byte ^ 16]))
";
    if python(&folder, "h5py", program).is_none() {
        return;
    }
    for line in lines {
        let told = fails(&folder, line, 3);
        assert!(told.contains("damaged: its numbers do not give their checksum; 'sf-run --check-file "), "{told}");
    }
    done(
        &folder,
        "sf-history ball KINETIC; sf-xdmf -q -w ball -o x; sf-locdyn-compare solve ld.hdf5 --maxiter 9; true",
    );
    assert!(fails(&folder, "sf-run --verify - < m.h5", 2).contains("--verify: standard input"));
    assert!(fails(&folder, "sf-run --verify ball.py", 2).contains("a deck has no checksums"));
}

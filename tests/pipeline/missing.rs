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

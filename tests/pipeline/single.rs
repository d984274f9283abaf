//! Results in single precision: the same run in half the room.

use super::common::*;
use super::pieces::killed_in_the_middle;
use tools_testing::markup;

/// A heap of balls and blocks of all kinds of bodies.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/heap')
bulk = BULK_MATERIAL(solfec, 'KIRCHHOFF', young=1E6, poisson=0.25, density=1000)
SURFACE_MATERIAL(solfec, friction=0.4)
GRAVITY(solfec, (0, 0, -10))
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
BODY(solfec, 'OBSTACLE', SCALE(TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (0, 0, -1)), (9, 9, 1)), bulk)
for k in range(150):
    x, y, z = k % 5 + .3 * (k // 25 % 2), k // 5 % 5, .5 + 1.01 * (k // 25)
    if k % 3:
        BODY(solfec, 'RIGID', SPHERE((x + 1, y + 1, z), .5, 1, 1), bulk)
    else:
        block = TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (x + .5, y + .5, z - .5))
        kind = ['PSEUDO_RIGID', 'FINITE_ELEMENT', 'RIGID'][k // 3 % 3]
        made = BODY(solfec, kind, SCALE(block, (.99, .99, .99)), bulk)
        if kind == 'FINITE_ELEMENT':
            made.scheme = 'DEF_LIM'
OUTPUT(solfec, 0.005, precision='SINGLE')
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 200), 0.06)
";

/// Types of datasets of the master and of all segments.
const TYPES: &str = "
import glob, h5py
for folder in 'kept', 'ranks':
    found = set()
    for name in glob.glob(folder + '/*.sfr.h5') + glob.glob(folder + '/segments/*.h5'):
        with h5py.File(name) as f:
            d = f['domains/0']
            for part in ['rigid/x', 'pseudo/F', 'node/x', 'nodal/energy', 'con/R', 'con/force', 'con/aux', 'steps/time']:
                found.add((part, str(d[part].dtype)))
            found.add(('single', int(f.attrs['single'][0])))
    print(*(value for _, value in sorted(found, key=str)))
";

#[test]
fn results_in_single_precision_take_half_the_room() {
    let folder = Scratch::new();
    folder.write("single.py", DECK);
    folder.write("double.py", &DECK.replace("precision='SINGLE'", "precision='DOUBLE'"));
    done(&folder, "sf-build -q single.py -o single.h5 && sf-build -q double.py -o double.h5");
    done(&folder, "sf-run -q single.h5 -o whole && sf-run -q double.h5 -o double");
    let bytes =
        |of: &str| done(&folder, &format!("du -sb {of}/segments | cut -f1")).trim().parse::<f64>().expect("bytes");
    assert!(bytes("whole") < 0.6 * bytes("double"), "{} of {}", bytes("whole"), bytes("double"));
    let log = |of: &str| done(&folder, &format!("sf-history {of} CONS ITERS MERIT --per-step"));
    assert_eq!(log("whole"), log("double"), "the computation is in double precision");
    let info = done(&folder, "sf-info whole");
    assert!(info.contains("numbers: in single precision") && info.contains("check: ok"), "{info}");
    done(&folder, "sf-history --verify whole KINETIC > table.csv && sf-run -q --pack whole packed.h5");
    done(&folder, "sf-history packed.h5 KINETIC | diff - table.csv && sf-info packed.h5");
    let compare = "
import h5py, numpy, glob
one, other = (h5py.File(glob.glob(f + '/*.sfr.h5')[0])['domains/0'] for f in ('whole', 'double'))
packed = h5py.File('packed.h5')['domains/0']
for part in ['rigid/x', 'rigid/v', 'pseudo/F', 'node/x', 'con/R', 'con/U', 'con/point', 'con/gap']:
    a, b = one[part][...], other[part][...]
    assert a.dtype == numpy.float32 and b.dtype == numpy.float64 and len(a), part
    assert (a == b.astype(numpy.float32)).all() and (packed[part][...] == a).all() and packed[part].dtype == a.dtype, part
for part in ['steps/time', 'frames/time', 'con/aux']:
    assert (one[part][...] == other[part][...]).all() and one[part].dtype == numpy.float64, part
print('same')
";
    if let Some(told) = python(&folder, "h5py", compare) {
        assert_eq!(told, "same\n");
    }
    killed_in_the_middle(&folder, "single.h5");
}

/// On several processes too, and when a run goes on.
#[test]
fn the_option_of_sf_run_does_the_same() {
    let folder = Scratch::new();
    folder.write("double.py", &DECK.replace(", precision='SINGLE'", ""));
    done(&folder, "sf-build -q double.py -o double.h5");
    done(&folder, "sf-run -q --single double.h5 -o kept --steps 30; sf-run -q -c --single double.h5 -o kept");
    done(&folder, "sf-run -q --virtual 2 --single double.py -o ranks && sf-history -q ranks KINETIC");
    let types = "1 float32 float32 float32 float32 float32 float32 float64 float64";
    if let Some(told) = python(&folder, "h5py", TYPES) {
        for line in told.lines() {
            let mut found: Vec<&str> = line.split(' ').collect();
            found.sort_unstable();
            assert_eq!(found.join(" "), types, "{told}");
        }
        assert_eq!(told.lines().count(), 2);
    }
}

/// Contacts are links to numbers in single precision, of which the markup and the reader of VTK know.
#[test]
fn exports_link_to_numbers_in_single_precision() {
    let folder = Scratch::new();
    folder.write("single.py", DECK);
    done(&folder, "sf-run -q single.py -o whole && sf-xdmf -q whole -o viz");
    let contacts = folder.path("viz/heap_contacts.xmf");
    let grids = markup::one(&contacts);
    assert!(grids.iter().any(|grid| grid.points.single && grid.array("force").data.single));
    markup::vtk_reads(&contacts, std::slice::from_ref(&contacts));
}

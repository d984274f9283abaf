//! Known solutions: a thick ring under pressure, a plate with a hole, a bar that hits a wall.

use tools_testing::python::python_with;
use tools_testing::scratch::Scratch;

use super::{history, solved, told};

/// Runs a deck after lines that define what it depends on.
fn run(constants: &str, deck: &str) -> Scratch {
    let folder = Scratch::new();
    solved(&folder, &format!("# solfec: python3\n{constants}\n{deck}"));
    folder
}

fn items(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).into()).collect()
}

/// A ring of radii 1 and 2 m under pressure from within, in plane stress, of 12 n × 2n hexahedra.
const RING: &str = "
solfec = SOLFEC('QUASI_STATIC', 1, 'out/ring')
bulk = BULK_MATERIAL(solfec, young=1E9, poisson=0.3, density=1E3)
ring = PIPE((0, 0, 0), (0, 0, 0.1), 1, 1, 1, 12 * n, 2 * n, 1, [1, 2, 3, 4])
body = BODY(solfec, 'FINITE_ELEMENT', ring, bulk, label='RING', form='BC')
PRESSURE(body, 3, -1E6)
OUTPUT(solfec, 3)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 3)
";

/// Lame's solution: displacements converge with order 2; stresses at the middle of the wall.
#[test]
fn a_thick_ring_under_pressure_widens_by_the_solution_of_lame() {
    let (a, b, p, young, poisson) = (1.0, 2.0, 1e6, 1e9, 0.3);
    let scale = p * a * a / (b * b - a * a);
    let widening = |r: f64| scale / young * ((1.0 - poisson) * r + (1.0 + poisson) * b * b / r);
    let [radial, hoop] = [-1.0, 1.0].map(|sign| scale * (1.0 + sign * b * b / 2.25));
    let errors = [2, 4, 8].map(|n| {
        let folder = run(&format!("n = {n}"), RING);
        let names = ["DX@RING(1,0,0.05)", "DX@RING(2,0,0.05)", "SX@RING(1.5,0,0.05)", "SY@RING(1.5,0,0.05)"];
        let found = history(&folder, "out", &items(&names));
        let known = [widening(a), widening(b), radial, hoop];
        [0, 1, 2, 3].map(|k| (found[k] / known[k] - 1.0).abs())
    });
    for pair in errors.windows(2) {
        for (coarse, fine) in pair[0].iter().zip(&pair[1]).take(2) {
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.1, "order {order}");
        }
    }
    assert!(errors[2][0] < 1e-3 && errors[2][1] < 1e-3, "{errors:?}");
    assert!(errors[2][2] < 2e-3 && errors[2][3] < 2e-3, "{errors:?}");
}

/// Pressure on the present surface and on that of the reference configuration: in strains of 2e-4 both widen the ring by the
/// solution of the same mesh, up to a few strains.
#[test]
fn follower_and_dead_pressure_agree_in_small_strains() {
    let [dead, follower] = ["OFF", "ON"].map(|mode| {
        let large = RING.replace("form='BC'", "form='TL'").replace("-1E6)", &format!("-1E5, follower='{mode}')"));
        history(&run("n = 4", &large), "out", &items(&["DX@RING(1,0,0.05)", "DX@RING(2,0,0.05)"]))
    });
    for (dead, follower) in dead.iter().zip(&follower) {
        let apart = (follower / dead - 1.0).abs();
        assert!(apart < 1e-3 && apart > 1e-5, "{follower:e} and {dead:e}");
    }
}

/// The hoop stress at the inner surface, 5/3 of the pressure there: that of the elements converges with order one at best,
/// the recovered one faster. The estimated error is that of the elements, of order one, within a third.
#[test]
fn recovered_stresses_are_more_accurate_at_the_surface() {
    let hoop = 1e6 / 3.0 * (1.0 + 4.0);
    let found = [4, 8, 16].map(|n| {
        let folder = run(&format!("n = {n}"), RING);
        let at_surface = |flag: &str| {
            let table = told(&folder, &format!("sf-history -q out --time last {flag} 'SY@RING(1,0,0.05)'"));
            let last = table.lines().last().and_then(|line| line.split(',').nth(1)).expect("a value");
            (last.parse::<f64>().expect("a number") / hoop - 1.0).abs()
        };
        let told = told(&folder, "sf-info --json out");
        let known: serde_json::Value = serde_json::from_str(&told).expect("JSON");
        let error = known["domains"][0]["stress_error"].as_object().and_then(|of| of.values().next()?.as_f64());
        [at_surface(""), at_surface("--recovered"), error.expect("an error")]
    });
    for pair in found.windows(2) {
        assert!((pair[0][2] / pair[1][2]).log2() > 0.9, "the estimate: {found:?}");
        assert!((pair[0][1] / pair[1][1]).log2() > 1.5, "the recovered stress: {found:?}");
    }
    assert!(found[2][1] < 0.01 && found[2][1] < 0.5 * found[2][0], "{found:?}");
}

/// The error of each element, as sf-xdmf shows it, adds up to the number that sf-info tells; most of it is at the inner
/// surface.
#[test]
fn errors_of_elements_add_up_to_that_of_the_mesh() {
    let Some(python) = python_with("h5py") else { return };
    let folder = run("n = 4", RING);
    let info = told(&folder, "sf-info --json out");
    let known: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    let whole = known["domains"][0]["stress_error"]["RING"].as_f64();
    let whole = whole.or_else(|| known["domains"][0]["stress_error"].as_object()?.values().next()?.as_f64());
    told(&folder, "sf-xdmf -q out -o viz --attr ERROR");
    let script = "import glob, h5py, sys\n\
                  found = []\n\
                  for name in glob.glob('viz/*.h5'):\n\
                  \x20   with h5py.File(name) as f:\n\
                  \x20       f.visititems(lambda path, item: found.append((path, item[...].ravel().tolist()))\n\
                  \x20                    if path.endswith('stress_error') and isinstance(item, h5py.Dataset) else None)\n\
                  errors = sorted(found)[-1][1]\n\
                  count = 48 * 8\n\
                  last = errors[-count:]\n\
                  print(len(errors), sum(x * x for x in last) ** 0.5, max(last))\n";
    folder.write("read.py", script);
    let printed = told(&folder, &format!("{} read.py", python.display()));
    let numbers: Vec<f64> = printed.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let whole = whole.expect("an error");
    assert!((numbers[1] / whole - 1.0).abs() < 1e-9, "{printed}, not {whole}");
    assert!(numbers[2] > 1.5 * whole / 384f64.sqrt(), "{printed}");
}

/// A plate of 100 × 100 m with a hole of radius 1 m, pulled along x by 1 MPa; elements grow with the distance from the
/// hole, along circles near it and squares far from it.
const PLATE: &str = "
from math import cos, sin, pi
half, thick = 50, 0.2
solfec = SOLFEC('QUASI_STATIC', 1, 'out/plate')
bulk = BULK_MATERIAL(solfec, young=1E9, poisson=0.3, density=1E3)
around, along = 16 * n, 12 * n

def place(i, j):
    x, y, t = cos(2 * pi * i / around), sin(2 * pi * i / around), j / along
    r = half ** t
    r *= 1 - t * t + t * t / max(abs(x), abs(y))
    return x * r, y * r

nodes = []
for z in (0, thick):
    for j in range(along + 1):
        for i in range(around):
            nodes += [*place(i, j), z]
above = (along + 1) * around
elements, faces = [], []
for j in range(along):
    for i in range(around):
        k = (i + 1) % around
        low = [j * around + i, (j + 1) * around + i, (j + 1) * around + k, j * around + k]
        elements += [8] + low + [node + above for node in low] + [1]
        if j == along - 1 and abs(place(i + 0.5, along)[0]) > half - 1E-9:
            faces += [4, low[1], low[2], low[2] + above, low[1] + above, 2]
body = BODY(solfec, 'FINITE_ELEMENT', MESH(nodes, elements, [3] + faces), bulk, label='PLATE', form='BC')
PRESSURE(body, 2, 1E6)
OUTPUT(solfec, 4)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 4)
";

/// Kirsch's solution beside the hole, `σ (1 + 1/2r² + 3/2r⁴)`: 1.5185 and 1.2188 at 1.5 and 2 radii.
#[test]
fn a_plate_with_a_hole_has_the_stresses_of_kirsch() {
    let errors = [2, 4, 8].map(|n| {
        let folder = run(&format!("n = {n}"), PLATE);
        let names = ["SX@PLATE(0,1.5,0.1)", "SX@PLATE(0,2,0.1)", "SX@PLATE(40,0,0.1)"];
        let found = history(&folder, "out", &items(&names));
        let known = |r: f64| 1e6 * (1.0 + 0.5 / (r * r) + 1.5 / (r * r * r * r));
        [found[0] / known(1.5) - 1.0, found[1] / known(2.0) - 1.0, found[2] / 1e6 - 1.0].map(f64::abs)
    });
    assert!(errors[2].iter().all(|error| *error < 3e-3), "{errors:?}");
}

/// A bar of 1 m, 0.1 × 0.1 m across, of steel without Poisson's ratio, flies against a wall at 1 m/s.
const BAR: &str = "
length, side, young, density = 1, 0.1, 2E11, 8E3
wave = (young / density) ** 0.5
h = part * length / n / wave
solfec = SOLFEC('DYNAMIC', h, 'out/bar')
SURFACE_MATERIAL(solfec, friction=0)
bulk = BULK_MATERIAL(solfec, young=young, poisson=0, density=density)
box = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
bar = BODY(solfec, 'FINITE_ELEMENT', SCALE(HEX(box, 1, 1, n, 1, [1] * 6), (side, side, length)), bulk, label='BAR',
           form=form)
bar.scheme = scheme
BODY(solfec, 'OBSTACLE', TRANSLATE(HEX(box, 1, 1, 1, 1, [2] * 6), (-.5, -.5, -1)), bulk)
INITIAL_VELOCITY(bar, (0, 0, -1), (0, 0, 0))
OUTPUT(solfec, h)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000), 3 * length / wave)
";

/// Saint-Venant's solution: the wall is pressed by ρcSv for the time 2L/c in which the wave comes back.
#[test]
fn a_bar_that_hits_a_wall_presses_it_until_its_wave_is_back() {
    let wave = (2e11f64 / 8e3).sqrt();
    for (form, scheme) in [("TL", "DEF_EXP"), ("BC", "DEF_EXP"), ("BC", "DEF_LIM")] {
        let late = [20, 40].map(|n| {
            let folder = run(&format!("n, part, form, scheme = {n}, 0.5, '{form}', '{scheme}'"), BAR);
            let table = told(&folder, "sf-history -q out 'RZ[pair=1,2]@BAR'");
            let rows = table.lines().skip(1).map(|line| {
                let (time, force) = line.split_once(',').expect("two columns");
                let [time, force]: [f64; 2] = [time, force].map(|word| word.parse().expect("a number"));
                (time * wave, force.abs() / (8e3 * wave * 0.01))
            });
            let rows: Vec<(f64, f64)> = rows.collect();
            let during: Vec<f64> =
                rows.iter().filter(|(t, _)| (0.2..1.8).contains(t)).map(|(_, force)| *force).collect();
            let mean = during.iter().sum::<f64>() / during.len() as f64;
            assert!((mean - 1.0).abs() < 2e-3, "{form} {scheme}: mean force {mean} of that of the wave");
            let parted = rows.iter().filter(|(_, force)| *force > 0.01).map(|(t, _)| *t).fold(0.0, f64::max);
            (parted - 2.0).abs() * f64::from(n)
        });
        // Within two elements of the time, however many there are.
        assert!(late.iter().all(|elements| *elements < 2.0), "{form} {scheme}: parted {late:?} elements late");
    }
}

//! What a deck says of bodies that it makes between RUNs: the same live, recorded and after going on, and the same as
//! of bodies before the first RUN.

use solfec_formats::results::Results;

use super::common::*;

/// `make(o)` makes bodies of all kinds, o along x, and says of them in turn what can be said of a body.
const MAKE: &str = "
sol = SOLFEC('DYNAMIC', 1e-3, 'out')
sol.verbose = 'OFF'
CUBE = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
mat = BULK_MATERIAL(sol, young=1e6, poisson=0.3, density=1e3)
GS = GAUSS_SEIDEL_SOLVER(1e-10, 1000)
cube = lambda o, y: TRANSLATE(HEX(CUBE, 1, 1, 1, 0, [0]*6), (o, y, 0))
model = BODY(sol, 'FINITE_ELEMENT', cube(-9, -9), mat, form='BC')
values, vectors = MODAL_ANALYSIS(model, 8)
base = (values[:6], vectors[:6*24])
TURN = [0, 1, 0, -1, 0, 0, 0, 0, 1]
ROWS = [0, -1, 0, 1, 0, 0, 0, 0, 1]
E = (200, 0, 0, 0, 300, 0, 0, 0, 400)
def chars(b, o, y): BODY_CHARS(b, 2000, 1, (o + .7, y + .5, .4), E)
def make(o, when):
    new = lambda kind, y, **more: BODY(sol, kind, cube(o, y), mat, label=when + str(y), **more)
    for y, kind, turn in ((0, 'RIGID', TURN), (2, 'OBSTACLE', TURN), (4, 'PSEUDO_RIGID', ROWS)):
        b = new(kind, y)
        b.conf = turn + [o + .6, y + .5, .5]
        INITIAL_VELOCITY(b, (.1, .2, 0), (0, 0, 1))
        chars(b, o, y)
    b = new('FINITE_ELEMENT', 6)
    b.scheme = 'DEF_LIM'; b.damping = 1e-4; b.selfcontact = 'ON'
    b.conf = [x for node in range(8) for x in (.01*node, 0, 0)]
    INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 1))
    chars(b, o, 6)
    for y, form in ((8, 'BC-MODAL'), (10, 'BC-RO')):
        b = new('FINITE_ELEMENT', y, form=form, base=base)
        INITIAL_VELOCITY(b, (1, 2, 3), (.1, .2, .3))
    b = new('FINITE_ELEMENT', 12, form='BC-MODAL', base=base)
    b.velo = [3, 2, 1, .3, .2, .1]
    b = new('RIGID', 14)
    b.disable_rotation = 'ON'; INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 1)); b.disable_rotation = 'OFF'
    b = new('RIGID', 16)
    INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 1)); b.disable_rotation = 'ON'; b.disable_rotation = 'OFF'
";

/// Bodies with constraints that are moved after these were made.
const HELD: &str = "
def hold(o):
    a, b, c = [BODY(sol, 'RIGID', cube(o, y), mat) for y in (20, 22, 24)]
    FIX_POINT(a, (o + .2, 20.5, .5))
    PUT_SPRING(b, (o, 23, 0), c, (o, 24, 0), (1e4, 0), (-9, 9))
    PRESSURE(b, 0, 100)
    a.conf = TURN + [o + .5, 20.7, .5]
    b.conf = [1, 0, 0, 0, 1, 0, 0, 0, 1, o + .5, 22.4, .5]
    chars(b, o, 22)
    INITIAL_VELOCITY(c, (0, 0, 1), (0, 0, 0))
";

/// All frames with all their bits; a live deck inserts bodies one by one, its model some at once.
fn frames(folder: &Scratch, directory: &str) -> Vec<String> {
    let results = Results::open(&folder.path(directory)).expect("results");
    let count = results.frame_times(0).expect("frames").len();
    (0..count).map(|k| format!("{:?}", results.read_frame(0, k).expect("a frame"))).collect()
}

#[test]
fn bodies_made_between_runs_are_the_same_live_recorded_and_after_going_on() {
    let folder = Scratch::new();
    let run = "OUTPUT(sol, .005)\nRUN(sol, GS, .02)\n";
    folder.write("deck.py", &format!("{MAKE}{HELD}make(0, 'pre'); hold(0)\n{run}make(20, 'late'); hold(20)\n{run}"));
    done(&folder, "sf-run -q -w deck.py -o live");
    done(&folder, "sf-build deck.py -o m.h5; sf-run -q m.h5 -o played");
    assert_eq!(frames(&folder, "live"), frames(&folder, "played"));
    for steps in [10, 20, 30] {
        done(&folder, &format!("sf-run -q deck.py -o s{steps} --steps {steps}; sf-run -q deck.py -c -o s{steps}"));
        same(&folder, "live", &format!("s{steps}"));
    }
    // a deck that says something else of a body between RUNs is another one
    folder
        .write("other.py", &std::fs::read_to_string(folder.path("deck.py")).expect("the deck").replace("1e-4", "1e-5"));
    let told = fails(&folder, "sf-run -q deck.py -o s --steps 30; sf-run other.py -c -o s", 3);
    assert!(told.contains("has damping"), "{told}");
    let late =
        format!("{MAKE}{HELD}make(0, 'pre'); hold(0)\n{run}make(20, 'late'); b = BYLABEL(sol, 'BODY', 'late0')\n");
    for (name, damped) in [("first.py", 1), ("second.py", 2)] {
        folder.write(name, &format!("{late}INITIAL_VELOCITY(b, (0, 0, {damped}), (0, 0, 0)); hold(20)\n{run}"));
    }
    let told = fails(&folder, "sf-run -q first.py -o t --steps 30; sf-run second.py -c -o t", 3);
    assert!(told.contains("is described otherwise than the stored one"), "{told}");
}

/// A callback makes bodies, too, and they are there after going on.
#[test]
fn bodies_made_by_callbacks_are_the_same_after_going_on() {
    let folder = Scratch::new();
    let deck = "
def call():
    if sol.nbod == 1: make(0, 'call')
    return 1
CALLBACK(sol, .01, (), call)
OUTPUT(sol, .005); RUN(sol, GS, .02); make(20, 'late'); RUN(sol, GS, .02)
";
    folder.write("deck.py", &format!("{MAKE}{deck}"));
    done(&folder, "sf-run -q deck.py -o live");
    done(&folder, "sf-run -q deck.py -o stopped --steps 30; sf-run -q deck.py -c -o stopped");
    same(&folder, "live", "stopped");
}

/// Free bodies that are made alike move alike, whenever they are made.
#[test]
fn operations_mean_the_same_before_the_first_run_and_after() {
    let folder = Scratch::new();
    let told = "
def tell(o, when):
    for y in range(0, 18, 2):
        b = BYLABEL(sol, 'BODY', when + str(y))
        for x in ((o, y, 0), (o + 1, y + 1, 1)):
            print(','.join('%.17g' % x for x in tuple(DISPLACEMENT(b, x)) + tuple(VELOCITY(b, x))))
        print(','.join('%.17g' % x for x in list(ENERGY(sol, b)) + [b.mass]))
make(0, 'pre'); tell(0, 'pre'); RUN(sol, GS, .02); tell(0, 'pre')
make(20, 'late'); tell(20, 'late'); RUN(sol, GS, .02); tell(20, 'late')
";
    folder.write("deck.py", &format!("{MAKE}{told}"));
    let text = done(&folder, "sf-run -q deck.py -o live");
    let numbers: Vec<Vec<f64>> =
        text.lines().map(|line| line.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    let (before, after) = numbers.split_at(54);
    assert_eq!(before.len(), after.len());
    for (k, (a, b)) in before.iter().zip(after).enumerate() {
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs() / a.abs().max(1.0)).fold(0.0, f64::max);
        assert!(off < 1e-9, "line {k}: {a:?} before the first RUN, {b:?} after it");
    }
    // DISPLACEMENT and VELOCITY of the corner of the rigid body that BODY_CHARS follows: turned about (0.6, 0.5, 0.5)
    let expected = [1.1, 0.0, 0.0, 0.1 + 0.5, 0.2 + 0.5, 0.0];
    let off = before[0].iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-9, "{:?}", before[0]);
}

/// Points stay where they are, as fast as they are, when APPLY_BULKMAT moves the mass centre.
#[test]
fn points_stay_where_they_are_when_parts_become_heavier() {
    let folder = Scratch::new();
    let deck = "
heavy = BULK_MATERIAL(sol, young=1e6, poisson=0.3, density=3e3)
two = lambda o: MESH(CUBE + [0,0,2, 1,0,2, 1,1,2, 0,1,2], [8,0,1,2,3,4,5,6,7,1, 8,4,5,6,7,8,9,10,11,2], 0)
for k, (kind, turn) in enumerate((('RIGID', TURN), ('PSEUDO_RIGID', ROWS), ('FINITE_ELEMENT', None))):
    b = BODY(sol, kind, two(k), mat)
    b.conf = turn + [.5, .5, 1] if turn else [.1]*36
    INITIAL_VELOCITY(b, (0, 0, 0), (0, 3, 0))
    tell = lambda: [x for p in ((0, 0, 0), (1, 1, 2)) for x in tuple(DISPLACEMENT(b, p)) + tuple(VELOCITY(b, p))]
    before = tell()
    APPLY_BULKMAT(sol, b, 2, heavy)
    assert abs(b.center[2] - 1.25) < 1e-9, b.center
    assert max(abs(x - y) for x, y in zip(before, tell())) < 1e-9, (kind, before, tell())
";
    folder.write("deck.py", &format!("{MAKE}{deck}"));
    done(&folder, "sf-build deck.py -o m.h5");
}

/// BODY_CHARS of finite elements changes no mass of a node: what falls has the energy of its fall.
#[test]
fn characteristics_of_finite_elements_are_no_more_than_told() {
    let folder = Scratch::new();
    let deck = "
rho = FIELD(sol, [1e3, 3e3], x=[0, 1])
field, heavy = BULK_MATERIAL(sol, density=rho), BULK_MATERIAL(sol, density=4e3)
bodies = [BODY(sol, 'FINITE_ELEMENT', cube(0, 3*k), m, label='B%d' % k) for k, m in enumerate((mat, field, mat))]
APPLY_BULKMAT(sol, bodies[2], 0, heavy)
made = [b.mass for b in bodies]
def double():
    for b, m in zip(bodies, made):
        b.scheme = 'DEF_LIM'
        BODY_CHARS(b, 2*m, 4*b.volume, b.center, b.tensor)
        assert b.mass == 2*m
double()
GRAVITY(sol, (0, 0, -1))
RUN(sol, GS, .1)
if sol.mode == 'WRITE' and LIVE:
    for b, m in zip(bodies, made):
        assert b.mass == 2*m and abs(ENERGY(sol, b)[0] - .5*m*.01) < 1e-9*m, (b.label, ENERGY(sol, b), m)
double()
RUN(sol, GS, .1)
";
    folder.write("deck.py", &format!("LIVE = True\n{MAKE}{deck}"));
    let told = shell(&folder, "sf-run deck.py -o live");
    let warned = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.status.success() && warned.contains("moves by the masses of its nodes"), "{warned}");
    let table = Table::parse(&done(&folder, "sf-history live BALANCE KINETIC"));
    let (balance, kinetic) = (table.column("BALANCE"), table.column("KINETIC"));
    let most = kinetic.iter().fold(0.0, |a: f64, b| a.max(*b));
    let off = balance.iter().map(|b| (b - balance[0]).abs()).fold(0.0, f64::max);
    assert!(most > 0.0 && off < 1e-6 * most, "{balance:?} {kinetic:?}");
}

/// Members show what the deck has set last, whoever runs or reads.
#[test]
fn members_show_what_was_set_last() {
    let folder = Scratch::new();
    let deck = "
b = BODY(sol, 'FINITE_ELEMENT', cube(0, 0), mat)
r = BODY(sol, 'RIGID', cube(0, 5), mat)
RUN(sol, GS, .01)
late = BODY(sol, 'FINITE_ELEMENT', cube(9, 0), mat)
for x in (b, late):
    x.damping, x.scheme, x.selfcontact = 1e-3, 'DEF_LIM', 'ON'
r.disable_rotation = 'ON'
BODY_CHARS(r, 7, 1, (0, 5, 0), E)
def check():
    for x in (b, late): assert (x.damping, x.scheme, x.selfcontact) == (1e-3, 'DEF_LIM', 'ON')
    assert (r.disable_rotation, r.mass) == ('ON', 7)
check()
RUN(sol, GS, .01)
check()
";
    folder.write("deck.py", &format!("{MAKE}{deck}"));
    done(&folder, "sf-run -q deck.py -o live; sf-run -q deck.py -o live");
    done(&folder, "sf-run -q deck.py -o s --steps 15; sf-run -q deck.py -c -o s; sf-build deck.py -o m.h5");
}

/// The density of a material that only some elements of a body have stays, before the first RUN and after.
#[test]
fn the_density_of_a_part_stays() {
    let folder = Scratch::new();
    let deck = |run: &str| {
        format!(
            "{MAKE}heavy = BULK_MATERIAL(sol, density=3e3)\n\
             b = BODY(sol, 'FINITE_ELEMENT', cube(0, 0), mat, label='A')\n\
             BODY(sol, 'RIGID', cube(5, 0), BULK_MATERIAL(sol, density=2e3, label='free'))\n\
             APPLY_BULKMAT(sol, b, 0, heavy)\n{run}heavy.young = 2e6\nheavy.density = 3e3\n\
             BYLABEL(sol, 'BULK_MATERIAL', 'free').density = 1e3\n\
             heavy.density = 6e3\n"
        )
    };
    for run in ["", "RUN(sol, GS, .001)\n"] {
        folder.write("deck.py", &deck(run));
        let told = fails(&folder, "sf-build deck.py -o m.h5", 3);
        assert!(told.contains("density") && told.contains("make another BULK_MATERIAL"), "{told}");
        assert!(told.contains(" 'A'"), "{told}");
    }
}

//! Materials that vary: fields as functions of decks and as tables, over space and over time.

use tools_testing::scratch::Scratch;

use super::{history, solved, told};

/// A bar of 2 m, 0.1 × 0.1 m across, of `n` hexahedra without Poisson's ratio, pulled by 1 N; `field` is its modulus.
const BAR: &str = "
solfec = SOLFEC('QUASI_STATIC', 100, 'out')
bulk = BULK_MATERIAL(solfec, young=field(solfec), poisson=0, density=1E3)
box = [0,0,0, 2,0,0, 2,.1,0, 0,.1,0, 0,0,.1, 2,0,.1, 2,.1,.1, 0,.1,.1]
bar = BODY(solfec, 'FINITE_ELEMENT', HEX(box, n, 1, 1, 1, [1, 2, 3, 4, 5, 6]), bulk, label='BAR', form=form)
for p in ((0, 0, 0), (0, .1, 0), (0, 0, .1), (0, .1, .1)): FIX_POINT(bar, p)
PRESSURE(bar, 4, 100)
OUTPUT(solfec, 100)
RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 400)
";

/// Modulus 1E6 (1 + x/2).
const LINEAR: &str = "def modulus(base, x, y, z, t): return base * (1 + x / 2)\n\
                      def function(solfec): return FIELD(solfec, modulus, data=1E6)\n\
                      def steady(solfec): return FIELD(solfec, modulus, data=(1E6,), steady='ON')\n\
                      def table(solfec): return FIELD(solfec, [1E6, 2E6], x=[0, 2])\n";

/// Displacements of its ends: fixed points drift by what solvers tolerate.
const TIP: &str = "DX@BAR(2,.05,.05)";
const ROOT: &str = "DX@BAR(0,.05,.05)";

/// Runs the bar live.
fn live(head: &str) -> Scratch {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("# solfec: python3\n{head}\n{BAR}"));
    told(&folder, "sf-run -q -f deck.py");
    folder
}

fn items(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).into()).collect()
}

/// `u = F L ln 2 / (A E₀)`. Elements find it with the midpoint rule, and the stress is the same everywhere.
#[test]
fn a_bar_whose_modulus_grows_along_it_is_stretched_by_the_logarithm() {
    let logarithm = 2.0 * 100.0 / 1e6 * 2f64.ln();
    for form in ["BC", "TL"] {
        let off = [2, 4, 8].map(|n: usize| {
            let folder = live(&format!("n, form = {n}, '{form}'\n{LINEAR}field = table"));
            let found = history(&folder, "out", &items(&[TIP, ROOT, "SX@BAR(0.3,.05,.05)"]));
            let stretch = found[0] - found[1];
            let h = 2.0 / n as f64;
            let sum: f64 = (0..n).map(|e| h * 100.0 / (1e6 * (1.0 + (e as f64 + 0.5) * h / 2.0))).sum();
            // Strains of 1e-4 are not quite small in the total Lagrangian formulation.
            let bound = if form == "BC" { 1e-6 } else { 3e-4 };
            assert!((stretch / sum - 1.0).abs() < bound, "{form}, {n}: {stretch} {sum}");
            assert!((found[2] / 100.0 - 1.0).abs() < 5e-4, "{form}, {n}: stress {}", found[2]);
            (stretch / logarithm - 1.0).abs()
        });
        if form == "BC" {
            let orders = [(off[0] / off[1]).log2(), (off[1] / off[2]).log2()];
            assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.1), "{orders:?}");
        }
    }
}

/// A function that is called in each step, one that is called once, and a table give the same numbers; models with the
/// latter two run without their deck.
#[test]
fn functions_and_tables_give_the_same_motion() {
    let of = |name: &str| {
        let folder = live(&format!("n, form = 4, 'BC'\n{LINEAR}field = {name}"));
        told(&folder, "sf-history -q out 'DX@BAR(2,0,0)' 'SX@BAR(1.3,.05,.05)' INTERNAL@BAR")
    };
    let table = of("table");
    assert!(table.lines().count() == 6, "{table}");
    assert_eq!(of("steady"), table);
    assert_eq!(of("function"), table);
    let folder = Scratch::new();
    for name in ["steady", "table"] {
        solved(&folder, &format!("# solfec: python3\nn, form = 4, 'BC'\n{LINEAR}field = {name}\n{BAR}"));
        assert_eq!(told(&folder, "sf-history -q out 'DX@BAR(2,0,0)' 'SX@BAR(1.3,.05,.05)' INTERNAL@BAR"), table);
    }
    folder.write("live.py", &format!("# solfec: python3\nn, form = 4, 'BC'\n{LINEAR}field = function\n{BAR}"));
    let code = told(&folder, "sf-build -q -o live.h5 live.py 2> told; echo $?");
    assert_eq!(code, "7\n");
    assert!(folder.read("told").contains("the function 'modulus' needs live execution"), "{}", folder.read("told"));
}

/// Quasi-statics follows a modulus of `1e6 (1 + t/100)` at the end of each step: the bar is stretched by `F L / (A
/// E(t))`, and its stress stays. Tables and functions are the same; reading tools, packed results and READ decks find
/// the stress.
#[test]
fn a_modulus_that_grows_with_time_is_that_of_the_step() {
    let head =
        "n, form = 3, 'BC'\ndef function(solfec):\n    return FIELD(solfec, lambda x, y, z, t: 1E6 * (1 + t / 100))\n\
                def table(solfec): return FIELD(solfec, [1E6, 11E6], t=[0, 1000])\n";
    let mut tables = Vec::new();
    for name in ["function", "table"] {
        let folder = live(&format!("{head}field = {name}"));
        let table = told(&folder, &format!("sf-history -q out '{TIP}' '{ROOT}' 'SX@BAR(1,.05,.05)'"));
        for line in table.lines().skip(2) {
            let words: Vec<f64> = line.split(',').map(|word| word.parse().expect("a number")).collect();
            let known = 2.0 * 100.0 / (1e6 * (1.0 + words[0] / 100.0));
            assert!(((words[1] - words[2]) / known - 1.0).abs() < 1e-6, "{line}, not {known}");
            assert!((words[3] / 100.0 - 1.0).abs() < 5e-4, "{line}");
        }
        told(&folder, "sf-run -q --pack out packed.h5 && sf-history -q packed.h5 'SX@BAR(1,.05,.05)' > packed.csv");
        assert_eq!(told(&folder, "sf-history -q out 'SX@BAR(1,.05,.05)'"), folder.read("packed.csv"));
        told(&folder, "sf-xdmf -q out -o viz --attr STRESS,ERROR");
        tables.push(table);
    }
    assert_eq!(tables[0], tables[1]);
}

/// The functions of a dynamic step are called at its middle; density at time 0, when the body is made.
#[test]
fn fields_are_asked_at_the_middle_of_a_dynamic_step() {
    let deck = "# solfec: python3
solfec = SOLFEC('DYNAMIC', 0.25, 'out')
solfec.verbose = 'OFF'
called = {'young': set(), 'poisson': set(), 'density': set()}
def field(name, value):
    def function(x, y, z, t):
        called[name].add(t)
        return value * (1 + t * (name == 'young'))
    return FIELD(solfec, function, label=name)
bulk = BULK_MATERIAL(solfec, young=field('young', 1E3), poisson=field('poisson', 0.2), density=field('density', 1E3))
box = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
body = BODY(solfec, 'FINITE_ELEMENT', HEX(box, 1, 1, 1, 1, [1]*6), bulk, label='BOX')
body.scheme = 'DEF_LIM'
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.75)
print(sorted(called['young']), sorted(called['poisson']), sorted(called['density']))
print(bulk.young.label, BYLABEL(solfec, 'FIELD', 'young').label, round(body.mass, 9))
";
    let folder = Scratch::new();
    folder.write("deck.py", deck);
    let times = "[0.0, 0.125, 0.375, 0.625]";
    let body = told(&folder, "sf-run -q -f deck.py");
    assert_eq!(body, format!("{times} {times} [0.0]\nyoung young 1000.0\n"));
}

/// A density of `1000 (1 + x)` over a cube: mass 1500, centre at 5/9; the sum of the masses of the nodes is that of the
/// body, and it falls and turns about its centre.
#[test]
fn a_density_that_varies_moves_the_mass_centre() {
    let deck = "# solfec: python3
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
bulk = BULK_MATERIAL(solfec, young=1E6, density=FIELD(solfec, lambda x, y, z, t: 1E3 * (1 + x), steady=True))
box = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
body = BODY(solfec, 'FINITE_ELEMENT', HEX(box, 2, 1, 1, 1, [1]*6), bulk, label='BOX')
print(body.mass, *body.center)
BODY_MM_EXPORT(body, 'M.mtx', 'K.mtx')
";
    let folder = Scratch::new();
    folder.write("deck.py", deck);
    let printed = told(&folder, "sf-build -q -f -o model.h5 deck.py");
    let numbers: Vec<f64> = printed.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let known = [1500.0, 5.0 / 9.0, 0.5, 0.5];
    for (found, known) in numbers.iter().zip(known) {
        assert!((found / known - 1.0).abs() < 1e-12, "{printed}");
    }
    let masses = folder.read("M.mtx");
    let sum: f64 = masses.lines().filter_map(|line| line.split_whitespace().nth(2)?.parse::<f64>().ok()).sum();
    // The line of the sizes has 36 entries.
    assert!((sum - 36.0 - 3.0 * 1500.0).abs() < 1e-9, "{sum}");
}

/// A field with a jump where elements meet is two materials: the same motion of a bar that swings.
#[test]
fn a_field_with_a_jump_is_two_materials() {
    let deck = |young: &str, apply: &str| {
        format!(
            "# solfec: python3
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
soft = BULK_MATERIAL(solfec, young={young}, poisson=.25, density=1000, label='SOFT')
hard = BULK_MATERIAL(solfec, young=4E6, poisson=.25, density=1000, label='HARD')
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1, 2,0,0, 2,1,0, 2,0,1, 2,1,1]
mesh = MESH(nodes, [8, 0,1,2,3,4,5,6,7, 1, 8, 1,8,9,2,5,10,11,6, 7], 1)
bar = BODY(solfec, 'FINITE_ELEMENT', mesh, soft, label='BAR')
bar.scheme = 'DEF_LIM'
{apply}
for point in [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)]: FIX_POINT(bar, point)
FORCE(bar, 'SPATIAL', (2, .5, .5), (1, 0, 1), 5E3)
OUTPUT(solfec, .1)
RUN(solfec, NEWTON_SOLVER(1E-20, 100), .1)
"
        )
    };
    let [varying, split] = [
        deck("FIELD(solfec, lambda x, y, z, t: 1E6 if x < 1 else 4E6, steady='ON')", ""),
        deck("1E6", "APPLY_BULKMAT(solfec, bar, 7, 'HARD')"),
    ]
    .map(|deck| {
        let folder = Scratch::new();
        folder.write("deck.py", &deck);
        told(&folder, "sf-run -q -w -o out deck.py");
        super::history(&folder, "out", &items(&["DX@BAR(2,.5,.5)", "DZ@BAR(2,.5,.5)", "DX@BAR(1,.5,.5)", "INTERNAL"]))
    });
    for (a, b) in varying.iter().zip(&split) {
        assert!((a / b - 1.0).abs() < 1e-9, "{varying:?} {split:?}");
    }
}

/// What is wrong with a field is said with its name, its place and a remedy.
#[test]
fn wrong_fields_are_told() {
    let head = "# solfec: python3
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
box = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
def cube(kind, material, **more):
    return BODY(solfec, kind, HEX(box, 1, 1, 1, 1, [1]*6), material, **more)
steady = lambda f: FIELD(solfec, f, steady='ON')
";
    let folder = Scratch::new();
    let cases = [
        ("BULK_MATERIAL(solfec, young='nothing')", "young: field 'nothing' not found; create it before the material"),
        ("FIELD(solfec, [1, 2], x=[0, 0])", "axis x must hold finite numbers that increase"),
        ("FIELD(solfec, [1, 2, 3], x=[0, 1])", "3 values, but the axes x, y, z, t have [2, 1, 1, 1] entries: give 2"),
        ("FIELD(solfec, max, x=[0, 1])", "x is of tables; a function has no axes"),
        ("FIELD(solfec, [1], label='a'); FIELD(solfec, [1], label='a')", "another field has the label 'a'"),
        (
            "cube('FINITE_ELEMENT', BULK_MATERIAL(solfec, young=FIELD(solfec, [1E6, -1E6], z=[0, 1])))",
            "material: young is -",
        ),
        (
            "cube('FINITE_ELEMENT', BULK_MATERIAL(solfec, poisson=steady(lambda x, y, z, t: .5)))",
            "poisson is 0.5; give a number in (-1, 0.5) at (0.2113",
        ),
        (
            "cube('FINITE_ELEMENT', BULK_MATERIAL(solfec, young=steady(lambda x, y, z, t: 'soft')))",
            "returned 'soft'; return a number",
        ),
        ("cube('FINITE_ELEMENT', BULK_MATERIAL(solfec, young=steady(lambda x, y, z: 1)))", "TypeError"),
        (
            "cube('RIGID', BULK_MATERIAL(solfec, density=FIELD(solfec, [1E3])))",
            "has a density that is a FIELD, and a RIGID body has one value everywhere; give numbers",
        ),
        (
            "cube('PSEUDO_RIGID', BULK_MATERIAL(solfec, young=FIELD(solfec, [1E3])))",
            "varies by a FIELD, and a PSEUDO_RIGID body has one value everywhere; give numbers",
        ),
        (
            "m = BULK_MATERIAL(solfec, young=FIELD(solfec, [1E3])); b = cube('FINITE_ELEMENT', m); m.young = 5",
            "varies by a FIELD, and a body is made of it; create another material",
        ),
        (
            "m = BULK_MATERIAL(solfec, young=FIELD(solfec, [1E3])); b = cube('FINITE_ELEMENT', m); \
             APPLY_BULKMAT(solfec, b, 1, BULK_MATERIAL(solfec, label='other'))",
            "a material that varies is that of a whole body",
        ),
        (
            "m = BULK_MATERIAL(solfec, young=FIELD(solfec, [1E3])); \
             b = cube('FINITE_ELEMENT', BULK_MATERIAL(solfec, label='other')); APPLY_BULKMAT(solfec, b, 1, m)",
            "a material that varies is that of a whole body",
        ),
    ];
    for (lines, expected) in cases {
        folder.write("deck.py", &format!("{head}{lines}\n"));
        let told = told(&folder, "sf-build -q -f -o model.h5 deck.py 2>&1; true");
        assert!(told.contains(expected), "{lines}: {told}");
    }
    // Where the body is made for a run.
    let background = "m = BULK_MATERIAL(solfec, young=FIELD(solfec, [1E3]))
BODY(solfec, 'FINITE_ELEMENT', HULL([c / 2 + .1 for c in box], 1, 1), m, mesh=HEX(box, 1, 1, 1, 1, [1]*6))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.01)
";
    folder.write("deck.py", &format!("{head}{background}"));
    let refused = told(&folder, "sf-run -q -f deck.py 2>&1; echo code $?");
    assert!(refused.contains("a material that varies is for bodies whose shape is their mesh"), "{refused}");
    assert!(refused.ends_with("code 3\n"), "{refused}");
    // In a step.
    let step = "m = BULK_MATERIAL(solfec, young=FIELD(solfec, lambda x, y, z, t: 1E6 - 1E9 * t, label='soft'))
cube('FINITE_ELEMENT', m, label='BOX').scheme = 'DEF_LIM'
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.01)
";
    folder.write("deck.py", &format!("{head}{step}"));
    let told = told(&folder, "sf-run -q -f deck.py 2>&1; true");
    assert!(told.contains("FIELD 'soft': body 1 'BOX'"), "{told}");
    assert!(told.contains("young is -") && told.contains("at time 1.500000e-3 s"), "{told}");
}

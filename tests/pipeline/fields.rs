//! Bodies of materials that vary go the whole way: pipe, kill and continuation of models and of live decks, READ decks,
//! histories, export, packing.

use super::common::*;
use super::pieces::killed_in_the_middle;

/// Bars that swing, explicit and implicit, of both formulations, whose modulus grows along them and with time; one is
/// made between two RUNs, and one has a density that varies.
const DECK: &str = "
import time
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/fields')
soft = BULK_MATERIAL(solfec, young=young(solfec), poisson=FIELD(solfec, [0.1, 0.3], x=[0, 1]), density=1E3)
uneven = BULK_MATERIAL(solfec, label='UNEVEN', young=1E6, density=FIELD(solfec, [1E3, 3E3], z=[0, .2], label='grading'))
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
def bar(z, material, form, scheme, enhanced='OFF'):
    shape = SCALE(HEX(unit, 4, 1, 1, 1, [1]*6), (1, .2, .2))
    made = BODY(solfec, 'FINITE_ELEMENT', TRANSLATE(shape, (0, 0, z)), material, label='BAR%d' % z, form=form,
                enhanced=enhanced)
    made.scheme = scheme
    FIX_POINT(made, (0, 0, z))
    FIX_POINT(made, (0, .2, z))
    FIX_POINT(made, (0, 0, z + .2))
    return made
GRAVITY(solfec, (0, 0, -10))
bar(0, soft, 'TL', 'DEF_EXP')
bar(1, soft, 'BC', 'DEF_LIM')
bar(2, soft, 'TL', 'DEF_LIM', 'ON')
bar(3, uneven, 'BC', 'DEF_EXP')
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 500), 0.05)
last = bar(4, soft, 'BC', 'DEF_EXP')
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 500), 0.1)
if solfec.mode == 'READ':
    SEEK(solfec, 0.15)
    print(soft.young.label, uneven.density.label, STRESS(last, (.1, .1, 4.1))[0] > 0, len(last.conf))
";

const TABLE: &str = "def young(solfec): return FIELD(solfec, [[1E6, 2E6], [2E6, 3E6]], x=[0, 1], t=[0, 0.2])\n";
const FUNCTION: &str =
    "def young(solfec): return FIELD(solfec, lambda x, y, z, t: 1E6 * (1 + min(max(x, 0), 1) + min(t / 0.2, 1)))\n";

/// Histories of the tip of each bar, and stresses near its root.
const ITEMS: &str = "DZ@BAR0(1,.1,.1) DZ@BAR1(1,.1,1.1) DZ@BAR2(1,.1,2.1) DZ@BAR3(1,.1,3.1) DZ@BAR4(1,.1,4.1) \
                     SX@BAR0(.1,.1,.19) SX@BAR1(.1,.1,1.19) SX@BAR4(.1,.1,4.19) INTERNAL";

fn quoted(items: &str) -> String {
    items.split_whitespace().map(|item| format!(" '{item}'")).collect()
}

#[test]
fn materials_that_vary_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{TABLE}{DECK}"));
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o fields.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "fields.sfm.h5");
    assert_eq!(done(&folder, "sf-run -q --read -o whole deck.py"), "FIELD_0 grading True 60\n");
    let items = quoted(ITEMS);
    done(&folder, &format!("sf-info whole && sf-history -q whole {items} > whole.csv && sf-xdmf -q whole -o viz"));
    done(&folder, &format!("sf-run -q --pack whole packed.h5 && sf-history -q packed.h5 {items} | diff - whole.csv"));
    // A function that gives the same values, to the last bits.
    folder.write("live.py", &format!("{FUNCTION}{DECK}"));
    done(&folder, "sf-run -q -f live.py");
    let numbers = |csv: &str| -> Vec<f64> { csv.lines().skip(1).flat_map(|l| l.split(',')).map(number).collect() };
    let (found, known) = (done(&folder, &format!("sf-history -q out/fields {items}")), folder.read("whole.csv"));
    let (found, known) = (numbers(&found), numbers(&known));
    assert_eq!(found.len(), known.len());
    for (k, (a, b)) in found.iter().zip(&known).enumerate() {
        assert!((a - b).abs() <= 1e-6 * b.abs().max(1e-3) || (a.is_nan() && b.is_nan()), "number {k}: {a}, not {b}");
    }
}

fn number(word: &str) -> f64 {
    if word.is_empty() {
        return f64::NAN;
    }
    word.parse().expect("a number")
}

/// A live deck whose functions are called in each step is killed and goes on.
#[test]
fn functions_of_materials_go_on_after_a_kill() {
    let folder = Scratch::new();
    let slow = "import time\ndef young(solfec):\n    def modulus(x, y, z, t):\n        if x > .9: time.sleep(1E-4)\n\
                \x20       return 1E6 * (1 + x + 5 * t)\n    return FIELD(solfec, modulus)\n";
    folder.write("deck.py", &format!("{slow}{DECK}"));
    done(&folder, "sf-run -q deck.py && mv out whole");
    let child = start(&folder, "sf-run", &["-q", "--checkpoint-every", "0.03s", "deck.py"]);
    let mut child = child;
    wait_until("checkpoint", || std::fs::read_dir(folder.path("out/fields/checkpoints")).is_ok_and(|d| d.count() > 0));
    child.kill().expect("a child to kill");
    child.wait().expect("its end");
    done(&folder, "sf-run -q -c deck.py");
    same(&folder, "whole/fields", "out/fields");
}

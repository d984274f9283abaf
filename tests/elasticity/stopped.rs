//! A block of each formulation slides on an obstacle until friction stops it. With SF_LARGE=1 it has 5184 elements.

use tools_testing::scratch::Scratch;
use tools_testing::size::large;

use super::{solved, told};

/// A block of 1 m slides with 0.1 m/s and friction 0.5; reduced ones have 24 modes.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/block')
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
bulk = BULK_MATERIAL(solfec, young=1E8, poisson=0.3, density=1000)
BODY(solfec, 'OBSTACLE', BOX((-1, -1, -1), (2, 2, 0), 1, 1), bulk)
mesh = BOX((0, 0, 0), (1, 1, 1), 2, 2, i=n[0], j=n[1], k=n[2])
base = {}
if form in ('BC-MODAL', 'BC-RO'):
    made = BODY(solfec, 'FINITE_ELEMENT', COPY(mesh), bulk)
    base = {'base': MODAL_ANALYSIS(made, 24)}
    DELETE(solfec, made)
block = BODY(solfec, 'FINITE_ELEMENT', mesh, bulk, label='BLOCK', form=form, **base)
block.scheme, block.damping = 'DEF_LIM', 1E-3
INITIAL_VELOCITY(block, (0.1, 0, 0), (0, 0, 0))
OUTPUT(solfec, 1E-3)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 500), 0.03)
";

/// It stops after `v/μg = 0.02` s and `v²/2μg = 1` mm as a whole, up to its vibrations under its own weight; friction
/// takes the energy with which it came.
#[test]
fn blocks_of_each_formulation_are_stopped_by_friction() {
    let elements = if large() { [18, 18, 16] } else { [4, 4, 4] };
    for form in ["TL", "BC", "BC-MODAL", "BC-RO"] {
        let folder = Scratch::new();
        solved(&folder, &format!("# solfec: python3\nn, form = {elements:?}, '{form}'\n{DECK}"));
        let table = told(&folder, "sf-history -q out PX@BLOCK CX@BLOCK RZ[on=bodies]@BLOCK FRICTION");
        let rows: Vec<Vec<f64>> = table
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|word| word.parse().expect("a number")).collect())
            .collect();
        let (first, last) = (&rows[0], &rows[rows.len() - 1]);
        let weight = rows[1..].iter().map(|row| row[3]).sum::<f64>() / (rows.len() - 1) as f64;
        assert!((weight / 1e4 - 1.0).abs() < 0.01, "{form}: mean force {weight} N of the weight");
        assert!((rows[10][1] - 50.0).abs() < 6.0 && last[1].abs() < 10.0, "{form}: momenta {:?}, {last:?}", rows[10]);
        assert!(((last[2] - first[2]) / 1e-3 - 1.0).abs() < 0.1, "{form}: way {} m", last[2] - first[2]);
        assert!((last[4] / -5.0 - 1.0).abs() < 0.15, "{form}: friction took {} J", last[4]);
    }
}

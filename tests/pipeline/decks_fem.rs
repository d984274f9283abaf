//! The validation decks of finite elements of Solfec-1.0, beside the repository: whole runs, and what they compare.
//!
//! Decks compare displacements and stresses with references, most of them of Code_Aster. Beside the decks lie the values
//! that Solfec-1.0 computed. Where it is far from the references, as it is on coarse meshes, we are compared with its
//! values, otherwise with the references. Distances are fractions of the largest value of the quantity.

use super::common::*;
use super::decks_beside::decks;
use tools_testing::size::large;

/// What computed values are compared with.
#[derive(Clone, Copy)]
enum With {
    Original,
    Reference,
}

use With::{Original, Reference};

/// Deck, what it is compared with, the largest distances of displacements and of stresses.
///
/// BM07: the references are those of linear theory, while strains of 6e-4 change the stresses of the deck, whose solver
/// converges. BM09, BM15, BM17: Solfec-1.0 is further from Code_Aster. BM19: the references of displacements have another
/// unit. Stresses there lie under the edge of a punch and depend on where contact points are.
const COMPARED: [(&str, With, f64, f64); 5] = [
    ("BM07/BM07_hexa", Reference, 1.5e-3, 2.0e-3),
    ("BM09/BM09_hexa", Reference, 0.0, 0.02),
    ("BM11/BM11_all", Original, 0.0, 1.2e-3),
    ("BM13/BM13_coarse", Original, 1e-4, 1e-4),
    ("BM17/BM17_tetra", Reference, 0.01, 0.013),
];

/// The same, for those that take a minute.
const COMPARED_LARGE: [(&str, With, f64, f64); 4] = [
    ("BM05/BM05_hexa", Original, 2e-4, 0.0),
    ("BM13/BM13_fine", Original, 1e-4, 1e-4),
    ("BM15/BM15_mixed", Reference, 0.03, 0.2),
    ("BM19/BM19_mixed", Original, 5e-3, 0.15),
];

/// Its steps are so short that a merit of 1e-8, the deck's own, leaves a tenth of these distances to chance.
const TIGHTER: &str = "BM15/BM15_mixed";

/// Decks that compare one number and say PASSED.
const PASSED: [&str; 4] = ["BM01/BM01_force", "BM01/BM01_pressure", "BM03/BM03_hexa", "BM03/BM03_tetra"];

fn run(folder: &Scratch, deck: &str) -> String {
    done(folder, &format!("rm -rf results; sf-run -q -f -o results --python2 always tests/{deck}.py"))
}

#[test]
fn decks_of_finite_elements_pass() {
    let Some(folder) = decks() else { return };
    for deck in PASSED {
        let told = run(&folder, deck);
        assert!(told.contains("PASSED"), "{deck}: {told}");
    }
}

#[test]
fn decks_of_finite_elements_have_the_values_that_they_compare() {
    let Some(folder) = decks() else { return };
    for (deck, with, displacement, stress) in COMPARED.iter().chain(COMPARED_LARGE.iter().filter(|_| large())) {
        compare(&folder, deck, *with, [("disp", *displacement), ("stre", *stress)]);
    }
}

/// One line of what Solfec-1.0 computed: `line, quantity, "where", computed, reference, error, tolerance`.
struct Row {
    quantity: String,
    computed: f64,
    reference: f64,
}

fn rows(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let mut parts = line.split('"');
        let (quantity, numbers) = (parts.nth(1)?, parts.nth(2)?);
        let mut numbers = numbers.split(',').skip(1).map_while(|x| x.parse().ok());
        Some(Row { quantity: quantity.into(), computed: numbers.next()?, reference: numbers.next()? })
    };
    text.lines().skip(1).map(|line| row(line).expect("a row of computed values")).collect()
}

/// Runs a deck so that it tells all comparisons, and compares by kinds of quantities.
fn compare(folder: &Scratch, deck: &str, with: With, bounds: [(&str, f64); 2]) {
    let path = format!("tests/{deck}.py");
    let (tells_failures, tells_all) = ("if error > tolerance:", "if True:");
    let text = folder.read(&path);
    assert!(text.contains(tells_failures), "{deck}");
    let text = text.replace(tells_failures, tells_all);
    let merit = if deck == TIGHTER { "NEWTON_SOLVER (1E-12, delta" } else { "NEWTON_SOLVER (delta" };
    folder.write(&path, &text.replace("NEWTON_SOLVER (delta", merit));
    let told = run(folder, deck);
    let after = |line: &str| line.split(" was ").nth(1)?.split_whitespace().next()?.parse::<f64>().ok();
    let found: Vec<f64> = told.lines().filter_map(after).collect();
    let name = deck.rsplit('/').next().expect("a name");
    let rows = rows(&folder.read(&format!("tests/computed/{name}.csv")));
    assert_eq!(found.len(), rows.len(), "{deck}: {told}");
    for (kind, bound) in bounds {
        let (mut largest, mut distance): (f64, f64) = (0.0, 0.0);
        for (row, found) in rows.iter().zip(&found).filter(|(row, _)| row.quantity.starts_with(kind)) {
            let other = match with {
                Original => row.computed,
                Reference => row.reference,
            };
            largest = largest.max(other.abs());
            distance = distance.max((other - found).abs());
        }
        assert!(distance <= bound * largest, "{deck}: {kind} {:e}", distance / largest);
    }
}

#[test]
fn computed_values_are_read() {
    let rows = rows("line,quantity\n7,\"disp[2]\",\"item=4; pnt=(1.0, 1.0)\",-4.1E-05,-4.0E-05,0.1,0.2\n");
    assert_eq!((rows.len(), rows[0].quantity.as_str()), (1, "disp[2]"));
    assert_eq!((rows[0].computed, rows[0].reference), (-4.1e-5, -4.0e-5));
}

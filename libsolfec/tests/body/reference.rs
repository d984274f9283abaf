//! Runs of the original that lie beside the repository (`shared/data/reference`, see its README).

use std::io::Write;
use std::path::PathBuf;

use super::*;

/// Rows of numbers of a reference table, without its head; `None` if it is absent.
fn table(name: &str) -> Option<Vec<Vec<f64>>> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let found = here.ancestors().map(|a| a.join("shared/data/reference").join(name)).find(|p| p.is_file());
    let Some(path) = found else {
        let _ = writeln!(std::io::stderr(), "skipped: shared/data/reference/{name} is not beside the repository");
        return None;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
    Some(text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect())
}

/// Rotation, spin and total energy of the original after ten seconds, to round-off of its own sums.
#[test]
fn heavy_symmetrical_top() {
    for (scheme, name) in RIGID_SCHEMES.into_iter().zip(["pos", "neg", "imp"]) {
        for h in [0.001, 0.003, 0.009] {
            let Some(rows) = table(&format!("heavy-symmetrical-top/heavy-symmetrical-top-rig_{name}-{h}-final.csv"))
            else {
                return;
            };
            let last = &rows[0];
            let mut b = top(scheme);
            for _ in 0..(last[0] / h).round() as usize {
                step(&mut b, h, Vec3::zeros(), top_load);
            }
            for (found, expected) in b.configuration(at(0)).iter().zip(&last[3..15]) {
                near(*found, *expected, 1e-9, "configuration");
            }
            for (found, expected) in b.velocity(at(0)).iter().zip(&last[15..21]) {
                near(*found, *expected, 1e-9, "velocity");
            }
        }
    }
}

#[test]
fn projectile_with_drag() {
    let (Some(rows), Some(history)) = (table("projectile/projectile-bodies.csv"), table("projectile/projectile.csv"))
    else {
        return;
    };
    let h = 1.976 / 1024.0;
    let mut b = projectile();
    for (row, energies) in rows[1..].iter().zip(&history) {
        step(&mut b, h, PROJECTILE_GRAVITY, drag);
        for (found, expected) in b.configuration(at(0))[9..].iter().zip(&row[12..15]) {
            near(*found, *expected, 1e-12, "place");
        }
        for (found, expected) in b.velocity(at(0))[3..].iter().zip(&row[18..21]) {
            near(*found, *expected, 1e-12, "velocity");
        }
        near(b.energies(at(0))[KINETIC], energies[1], 1e-11, "kinetic");
        near(b.energies(at(0))[EXTERNAL], energies[2], 1e-11, "external");
    }
}

//! Tables of whole runs: our own, by the recurrences of the schemes, and those of Solfec-1.0.

use super::*;
use solfec_testing::tables::tables;

/// Rotation and spin after a second in our tables, ten seconds in those of Solfec-1.0, to round-off of their own sums.
#[test]
fn heavy_symmetrical_top() {
    for (scheme, name) in RIGID_SCHEMES.into_iter().zip(["pos", "neg", "imp"]) {
        for h in [0.001, 0.003, 0.009] {
            let name = format!("heavy-symmetrical-top/heavy-symmetrical-top-rig_{name}-{h}-final.csv");
            for rows in tables(&name) {
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
}

#[test]
fn projectile_with_drag() {
    let histories = tables("projectile/projectile.csv");
    for (rows, history) in tables("projectile/projectile-bodies.csv").iter().zip(&histories) {
        let h = 1.976 / 1024.0;
        let mut b = projectile();
        for (row, energies) in rows[1..].iter().zip(history) {
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
}

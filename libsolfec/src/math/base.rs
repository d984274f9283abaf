//! The local base of a constraint as a function of its normal alone (docs/conventions.md 2).

use super::{Mat3, Vec3};

/// Below this sine between the normal and e_x the first tangent is made with e_y instead.
const PARALLEL_SINE: f64 = 1e-6;

/// Columns `[t1 t2 n]`: `t1 = e_x × n / |e_x × n|` (e_y near `n = ±e_x`), `t2 = t1 × n`. The triple is left-handed
/// (`t1 × t2 = −n`), as in all decks and files; never make one tangent from the other two by a right-hand rule.
pub fn local_base(n: &Vec3) -> Mat3 {
    let mut t1 = Vec3::x().cross(n);
    let mut sine = t1.norm();
    if sine < PARALLEL_SINE {
        t1 = Vec3::y().cross(n);
        sine = t1.norm();
    }
    t1 /= sine;
    Mat3::from_columns(&[t1, t1.cross(n), *n])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_give_the_documented_triples() {
        let columns = |n: Vec3| {
            let e = local_base(&n);
            (e.column(0).into_owned(), e.column(1).into_owned())
        };
        assert_eq!(columns(Vec3::z()), (-Vec3::y(), -Vec3::x()));
        assert_eq!(columns(Vec3::y()), (Vec3::z(), -Vec3::x()));
        assert_eq!(columns(Vec3::x()), (-Vec3::z(), -Vec3::y()));
    }
}

//! Units of items and of what is computed from them, as powers of kg, m and s.

use std::ops::{Add, Neg};

/// Powers of kg, m, s. Angles are numbers; their unit is only kept to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    powers: [i32; 3],
    angle: bool,
}

impl Unit {
    pub const ONE: Unit = Unit::of(0, 0, 0);
    pub const METRE: Unit = Unit::of(0, 1, 0);
    pub const SECOND: Unit = Unit::of(0, 0, 1);
    pub const SPEED: Unit = Unit::of(0, 1, -1);
    pub const NEWTON: Unit = Unit::of(1, 1, -2);
    pub const PASCAL: Unit = Unit::of(1, -1, -2);
    pub const JOULE: Unit = Unit::of(1, 2, -2);
    pub const MOMENTUM: Unit = Unit::of(1, 1, -1);
    pub const ANGULAR_MOMENTUM: Unit = Unit::of(1, 2, -1);
    pub const RADIAN: Unit = Unit { powers: [0, 0, 0], angle: true };
    pub const SPIN: Unit = Unit { powers: [0, 0, -1], angle: true };

    const fn of(kg: i32, m: i32, s: i32) -> Unit {
        Unit { powers: [kg, m, s], angle: false }
    }

    /// Whether quantities of the units can be added.
    pub fn same(self, other: Unit) -> bool {
        self.powers == other.powers
    }
}

/// Unit of a product.
impl Add for Unit {
    type Output = Unit;

    fn add(self, other: Unit) -> Unit {
        let angle = self.angle && other == Unit::ONE || other.angle && self == Unit::ONE;
        Unit { powers: std::array::from_fn(|k| self.powers[k] + other.powers[k]), angle }
    }
}

/// Unit of the inverse.
impl Neg for Unit {
    type Output = Unit;

    fn neg(self) -> Unit {
        Unit { powers: self.powers.map(|p| -p), angle: false }
    }
}

/// `1` for numbers; a name where there is one, else powers: `kg2 m/s`.
impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = [(Unit::JOULE, "J"), (Unit::NEWTON, "N"), (Unit::PASCAL, "Pa"), (Unit::of(1, 2, -3), "W")];
        if let Some((_, name)) = named.iter().find(|(unit, _)| unit == self) {
            return f.write_str(name);
        }
        if *self == Unit::of(1, 0, -2) {
            return f.write_str("N/m");
        }
        let power = |(name, p): (&str, i32)| if p == 1 { name.to_string() } else { format!("{name}{p}") };
        let bases = ["kg", "m", "s"].into_iter().zip(self.powers);
        let mut above: Vec<String> = bases.clone().filter(|(_, p)| *p > 0).map(power).collect();
        if self.angle {
            above.push("rad".into());
        }
        let below: Vec<String> = bases.filter(|(_, p)| *p < 0).map(|(name, p)| power((name, -p))).collect();
        let above = if above.is_empty() { "1".into() } else { above.join(" ") };
        if below.is_empty() {
            return f.write_str(&above);
        }
        write!(f, "{above}/{}", below.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_their_names() {
        for (unit, text) in [
            (Unit::ONE, "1"),
            (Unit::SPEED, "m/s"),
            (Unit::NEWTON + Unit::METRE, "J"),
            (Unit::JOULE + -Unit::METRE, "N"),
            (Unit::NEWTON + Unit::SPEED, "W"),
            (Unit::NEWTON + -Unit::METRE, "N/m"),
            (Unit::ANGULAR_MOMENTUM, "kg m2/s"),
            (Unit::SPIN, "rad/s"),
            (Unit::SPIN + Unit::METRE, "m/s"),
            (-Unit::SECOND, "1/s"),
            (Unit::SPEED + -Unit::SECOND, "m/s2"),
        ] {
            assert_eq!(unit.to_string(), text);
        }
        assert!(!Unit::METRE.same(Unit::SECOND) && Unit::RADIAN.same(Unit::ONE));
    }
}

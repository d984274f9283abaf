//! Bulk materials and surface-pair materials with their precedence.

mod field;

pub use field::{Field, FieldTable, FieldValues, Quantity, Samples, Varying};

use serde::{Deserialize, Serialize};

use crate::json::real;

/// Surface id that stands for any surface (`i32::MAX`, as in decks and files).
pub const ANY: i32 = i32::MAX;

/// Poisson's ratio of what does not change its volume.
pub const INCOMPRESSIBLE: f64 = 0.5;

/// Saint Venant–Kirchhoff material, SI units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkMaterial {
    pub label: String,
    /// Young's modulus [Pa] > 0.
    pub young: f64,
    /// Poisson's ratio, −1 < ν ≤ ½; ½, incompressible, has no stiffness: see [`BulkMaterial::check_stiffness`].
    pub poisson: f64,
    /// Density [kg/m³] > 0.
    pub density: f64,
    /// Tensile strength [Pa], may be infinite.
    pub tensile: f64,
    /// Fracture energy [J/m²], may be infinite.
    pub fracene: f64,
    /// Fields in place of the numbers above.
    pub varying: Varying,
}

impl BulkMaterial {
    /// Whether a body that deforms can be made of it.
    ///
    /// # Errors
    /// Poisson's ratio is ½.
    pub fn check_stiffness(&self) -> Result<(), String> {
        if self.poisson < INCOMPRESSIBLE {
            return Ok(());
        }
        Err(format!(
            "material '{}' has Poisson's ratio {}, which leaves its stiffness without bound; give less than 0.5 (0.49), \
             or make the body rigid",
            self.label, self.poisson
        ))
    }
}

/// The two contact laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SurfaceModel {
    SignoriniCoulomb,
    SpringDashpot,
}

/// Contact law of an unordered pair of surfaces; `surf` is sorted ascending, [`ANY`] last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMaterial {
    pub surf: [i32; 2],
    pub label: String,
    pub model: SurfaceModel,
    /// Coulomb friction ≥ 0.
    #[serde(with = "real")]
    pub friction: f64,
    /// Cohesion [N/m²] ≥ 0.
    #[serde(with = "real")]
    pub cohesion: f64,
    /// Newton restitution in [0, 1].
    #[serde(with = "real")]
    pub restitution: f64,
    /// Spring per contact point [N/m^hpow] ≥ 0.
    #[serde(with = "real")]
    pub spring: f64,
    /// Dashpot per contact point [N s/m]; negative: critical.
    #[serde(with = "real")]
    pub dashpot: f64,
    /// Hertz power ≥ 1.
    #[serde(with = "real")]
    pub hpow: f64,
}

impl Default for SurfaceMaterial {
    /// The entry every model is born with: frictionless, plastic Signorini contact of any pair.
    fn default() -> Self {
        SurfaceMaterial {
            surf: [ANY, ANY],
            label: "DEFAULT".into(),
            model: SurfaceModel::SignoriniCoulomb,
            friction: 0.0,
            cohesion: 0.0,
            restitution: 0.0,
            spring: 0.0,
            dashpot: 0.0,
            hpow: 1.0,
        }
    }
}

impl SurfaceMaterial {
    /// Whether it does what [`SurfaceMaterial::default`] does, under its name.
    pub fn is_the_default(&self) -> bool {
        let plain = self.label == "DEFAULT" && self.model == SurfaceModel::SignoriniCoulomb;
        plain && [self.friction, self.cohesion, self.restitution] == [0.0; 3]
    }
}

/// Row of the material of surfaces `p` and `q`, and whether the choice was ambiguous: the exact pair, then the pair of
/// one of them with any (both exist: the smaller surface id, ambiguous), then the pair of any with any (row 0).
/// See docs/conventions.md 7.
pub fn lookup(table: &[SurfaceMaterial], p: i32, q: i32) -> (usize, bool) {
    let row = |a: i32, b: i32| {
        let pair = [a.min(b), a.max(b)];
        table.iter().position(|m| m.surf == pair)
    };
    if let Some(exact) = row(p, q) {
        return (exact, false);
    }
    let (small, large) = (row(p.min(q), ANY), row(p.max(q), ANY));
    match (small, large) {
        (Some(a), other) => (a, other.is_some_and(|b| b != a)),
        (None, Some(b)) => (b, false),
        (None, None) => (row(ANY, ANY).unwrap_or(0), false),
    }
}

//! How the values that a deck states differ from those of stored results, member by member, where both have the same
//! rows. What goes on must go on as it began, so there leaving out is a difference too; a deck that only reads may
//! state less. What callbacks and later operations change is not compared.

use serde_json::Value;
use solfec::load::Series;
use solfec::material::{BulkMaterial, Field, FieldValues, Quantity, SurfaceMaterial, ANY};
use solfec::math::Vec3;
use solfec::model::{BodyRow, ConstraintRow, Joint, LoadKind, LoadRow, Model, Scheme, Settings, Solver, SpringLaw};

use super::matching::{body_difference, Rows};

/// A deck and the results it is compared with.
pub struct Comparison<'a> {
    pub deck: &'a Model,
    pub stored: &'a Model,
    /// Rows that have been compared before.
    pub from: Rows,
    /// Nothing has run in the deck yet: materials and settings are those of the start.
    pub start: bool,
    /// Initial states of bodies are compared too.
    pub states: bool,
    /// The deck has given the surface material of all surfaces without one of their own.
    pub states_default: bool,
    /// The results go on.
    pub strictly: bool,
}

impl Comparison<'_> {
    /// The first difference; `None`: there is none.
    pub fn difference(&self) -> Option<String> {
        let materials = || self.fields().or_else(|| self.bulk()).or_else(|| self.surface());
        let start = || {
            self.analysis()
                .or_else(|| self.switches())
                .or_else(|| self.gravity())
                .or_else(materials)
                .or_else(|| self.settings())
        };
        let start = self.start.then(start).flatten();
        start.or_else(|| self.bodies()).or_else(|| self.loads()).or_else(|| self.constraints())
    }

    fn analysis(&self) -> Option<String> {
        let Comparison { deck, stored, .. } = self;
        if deck.analysis != stored.analysis {
            return Some(format!("SOLFEC: analysis is {:?}, stored is {:?}", deck.analysis, stored.analysis));
        }
        (deck.step != stored.step).then(|| format!("SOLFEC: the step is {}, stored is {}", deck.step, stored.step))
    }

    /// Results that go on keep their laws; results that are read were made by them.
    fn switches(&self) -> Option<String> {
        let (ours, theirs) = (switches(self.deck), switches(self.stored));
        let text = || format!("legacy switches (--compat) are {ours}, stored are {theirs}; give the same ones");
        (self.strictly && ours != theirs).then(text)
    }

    /// Series have other row numbers in another process.
    fn same_series(&self, ours: u32, theirs: u32) -> bool {
        self.deck.series.get(ours as usize) == self.stored.series.get(theirs as usize)
    }

    fn gravity(&self) -> Option<String> {
        match (self.deck.settings.gravity, self.stored.settings.gravity) {
            (Some(ours), Some(theirs)) => ours.into_iter().zip(theirs).zip("xyz".chars()).find_map(|((a, b), axis)| {
                let text = format!("GRAVITY: {axis} is {}, stored is {}", self.ours(a), self.theirs(b));
                (!self.same_series(a, b)).then_some(text)
            }),
            (None, Some(_)) if self.strictly => Some("GRAVITY is missing, and is stored".into()),
            (Some(_), None) => Some("GRAVITY is not stored".into()),
            (None, _) => None,
        }
    }

    fn ours(&self, row: u32) -> String {
        series(self.deck.series.get(row as usize))
    }

    fn theirs(&self, row: u32) -> String {
        series(self.stored.series.get(row as usize))
    }

    /// Functions are not compared: their text is the deck's.
    fn fields(&self) -> Option<String> {
        let differs = |(ours, theirs): &(&Field, &Field)| {
            let values = match (&ours.values, &theirs.values) {
                (FieldValues::Function { .. }, FieldValues::Function { .. }) => false,
                (a @ (FieldValues::Function { .. } | FieldValues::Steady | FieldValues::Table(_)), b) => a != b,
            };
            values || ours.label != theirs.label
        };
        let (ours, _) = self.deck.fields.iter().zip(&self.stored.fields).find(differs)?;
        Some(format!("FIELD '{}' is not the stored one", ours.label))
    }

    fn bulk(&self) -> Option<String> {
        self.deck.bulk.iter().find_map(|ours| match self.stored.bulk.iter().find(|b| b.label == ours.label) {
            Some(theirs) => bulk(ours, theirs).map(|text| format!("BULK_MATERIAL '{}': {text}", ours.label)),
            None if self.strictly || self.names(ours) => Some(format!("BULK_MATERIAL '{}' is not stored", ours.label)),
            None => None,
        })
    }

    /// Whether a body is made of the material.
    fn names(&self, material: &BulkMaterial) -> bool {
        let row = self.deck.bulk.iter().position(|b| b.label == material.label);
        self.deck.bodies.iter().flat_map(BodyRow::materials).any(|of| Some(of as usize) == row)
    }

    fn surface(&self) -> Option<String> {
        let stated = |m: &&SurfaceMaterial| self.strictly || self.states_default || **m != SurfaceMaterial::default();
        let ours = self.deck.surface.iter().filter(stated).find_map(|ours| {
            let name = format!("SURFACE_MATERIAL '{}' of {}", ours.label, pair(ours.surf));
            match self.stored.surface.iter().find(|m| m.surf == ours.surf) {
                Some(theirs) => members(ours, theirs).map(|text| format!("{name}: {text}")),
                None => Some(format!("{name} is not stored")),
            }
        });
        let missing = || {
            let of = |theirs: &&SurfaceMaterial| self.deck.surface.iter().all(|m| m.surf != theirs.surf);
            let theirs = self.stored.surface.iter().find(of)?;
            Some(format!("SURFACE_MATERIAL '{}' of {} is missing, and is stored", theirs.label, pair(theirs.surf)))
        };
        ours.or_else(|| self.strictly.then(missing).flatten())
    }

    /// What differs from the defaults is stated.
    fn settings(&self) -> Option<String> {
        let (ours, theirs, plain) = (&self.deck.settings, &self.stored.settings, Settings::default());
        let bodies = ours.excluded_bodies.iter().find(|pair| !theirs.excluded_bodies.contains(pair));
        let surfaces = ours.excluded_surfaces.iter().find(|pair| !theirs.excluded_surfaces.contains(pair));
        let objects = ours.excluded_objects.iter().find(|pair| !theirs.excluded_objects.contains(pair));
        let differs = [
            ("GEOMETRIC_EPSILON", ours.epsilon != plain.epsilon && ours.epsilon != theirs.epsilon),
            ("EXTENTS", ours.extents.is_some() && ours.extents != theirs.extents),
            (
                "UNPHYSICAL_PENETRATION",
                ours.penetration_depth.is_finite() && ours.penetration_depth != theirs.penetration_depth,
            ),
            (
                "CONTACT_POINTS",
                ours.contact_points != plain.contact_points && ours.contact_points != theirs.contact_points,
            ),
            ("CONTACT_SPARSIFY", ours.sparsify != plain.sparsify && ours.sparsify != theirs.sparsify),
            ("CONTACT_EXCLUDE_BODIES", bodies.is_some()),
            ("CONTACT_EXCLUDE_SURFACES", surfaces.is_some()),
            ("CONTACT_EXCLUDE_OBJECTS", objects.is_some()),
        ];
        let (command, _) = differs.into_iter().find(|(_, differs)| *differs)?;
        Some(format!("{command} has other values than the stored one"))
    }

    fn bodies(&self) -> Option<String> {
        let pairs = self.deck.bodies.iter().zip(&self.stored.bodies).skip(self.from.bodies);
        pairs
            .into_iter()
            .find_map(|(ours, theirs)| self.body(ours, theirs).map(|what| format!("{} {what}", ours.title())))
    }

    fn body(&self, ours: &BodyRow, theirs: &BodyRow) -> Option<String> {
        let stated = |state: &[f64]| self.states && (self.strictly || state.iter().any(|x| *x != 0.0));
        let material = |model: &Model, row: u32| model.bulk.get(row as usize).map_or("", |m| &m.label).to_string();
        let (a, b) = (material(self.deck, ours.material), material(self.stored, theirs.material));
        if a != b {
            return Some(format!("is of material '{a}', stored is '{b}'"));
        }
        let mut volids = ours.volumes.iter().chain(&theirs.volumes).map(|(volid, _)| *volid);
        let other = |&volid: &i32| {
            let of = |model: &Model, body: &BodyRow| material(model, body.material_of(volid));
            of(self.deck, ours) != of(self.stored, theirs)
        };
        if let Some(volid) = volids.find(other) {
            return Some(format!("has another material of volume id {volid} than the stored one"));
        }
        if stated(&ours.velo) && ours.velo != theirs.velo {
            return Some(format!(
                "begins in another state: its velocity is {}, stored is {}",
                numbers(&ours.velo),
                numbers(&theirs.velo)
            ));
        }
        if self.states && self.strictly && !self.described_alike(ours.id) {
            let text = "is described otherwise than the stored one by what the deck does before its first RUN";
            return Some(format!("{text}: velocity, configuration, BODY_CHARS or members"));
        }
        if self.states && (self.strictly || !ours.conf.is_empty()) && ours.conf != theirs.conf {
            return Some("begins in another state: its configuration is not the stored one".into());
        }
        if (self.strictly || ours.damping != 0.0) && ours.damping != theirs.damping {
            return Some(format!("has damping {}, stored is {}", ours.damping, theirs.damping));
        }
        if ours.form != theirs.form {
            return Some(format!("is of form '{}', stored is '{}'", ours.form.name(), theirs.form.name()));
        }
        if ours.reduced().is_some() && ours.base != theirs.base {
            return Some("has another reduced base than the stored one".into());
        }
        if self.strictly && ours.samples != theirs.samples {
            return Some("has other values of the FIELD of its material than the stored one".into());
        }
        if ours.selfcontact != theirs.selfcontact && (self.strictly || ours.selfcontact) {
            return Some("touches itself, or does not, other than the stored one".into());
        }
        if (self.strictly || ours.scheme != Scheme::Default) && ours.scheme != theirs.scheme {
            return Some(format!("has scheme {:?}, stored is {:?}", ours.scheme, theirs.scheme));
        }
        None
    }

    /// Whether the operations that describe a body and are not in its row are the same.
    fn described_alike(&self, id: u64) -> bool {
        let (deck, stored) = (self.deck, self.stored);
        let rows = deck.body_row(id).zip(stored.body_row(id));
        rows.is_none_or(|(ours, theirs)| deck.descriptions(ours).eq(stored.descriptions(theirs)))
    }

    fn loads(&self) -> Option<String> {
        let rows = self.deck.loads.iter().enumerate().skip(self.from.loads);
        rows.into_iter().find_map(|(row, ours)| {
            let found = if self.strictly {
                let theirs = self.stored.loads.get(row)?;
                self.load(ours, theirs)
            } else {
                self.any_load(ours)
            };
            found.map(|what| format!("load {} (deck line {}) {what}", row + 1, ours.line))
        })
    }

    /// A deck that reads may have left out loads before this one.
    fn any_load(&self, ours: &LoadRow) -> Option<String> {
        let alike = |theirs: &&LoadRow| {
            theirs.body == ours.body && std::mem::discriminant(&theirs.kind) == std::mem::discriminant(&ours.kind)
        };
        let mut differences = self.stored.loads.iter().filter(alike).map(|theirs| self.load(ours, theirs));
        let missing =
            || Some(format!("on body {} is not among the {} stored ones", ours.body, self.stored.loads.len()));
        let Some(first) = differences.next() else { return missing() };
        first.filter(|_| differences.all(|other| other.is_some()))
    }

    /// Functions are not compared: their text is the deck's.
    fn load(&self, ours: &LoadRow, theirs: &LoadRow) -> Option<String> {
        use LoadKind::{Force, Function, Pressure, Torque};
        let mut same = ours.kind;
        let mut value = None;
        match (&mut same, &theirs.kind) {
            (Function { .. }, Function { .. }) => return None,
            (Force { value: a, .. }, Force { value: b, .. })
            | (Torque { value: a, .. }, Torque { value: b, .. })
            | (Pressure { value: a, .. }, Pressure { value: b, .. }) => {
                if !self.same_series(*a, *b) {
                    value = Some(format!("has value {}, stored is {}", self.ours(*a), self.theirs(*b)));
                }
                *a = *b;
            }
            (Force { .. } | Torque { .. } | Pressure { .. } | Function { .. }, _) => {}
        }
        value.or_else(|| (same != theirs.kind).then(|| "acts in another place or direction than the stored one".into()))
    }

    fn constraints(&self) -> Option<String> {
        let pairs = self.deck.constraints.iter().zip(&self.stored.constraints).enumerate().skip(self.from.constraints);
        pairs.into_iter().find_map(|(row, (ours, theirs))| {
            let what = self.constraint(ours, theirs)?;
            Some(format!("user constraint {} (deck line {}) {what}", row + 1, ours.line))
        })
    }

    fn constraint(&self, ours: &ConstraintRow, theirs: &ConstraintRow) -> Option<String> {
        if let Some(k) = (0..2).find(|&k| ours.points[k] != theirs.points[k]) {
            let (a, b) = (point(&ours.points[k]), point(&theirs.points[k]));
            return Some(format!("has point {a}, stored is {b}"));
        }
        self.joint(&ours.joint, &theirs.joint)
    }

    fn joint(&self, ours: &Joint, theirs: &Joint) -> Option<String> {
        let mut same = *ours;
        let mut differs = None;
        let mut value = |a: &mut u32, b: u32| {
            if !self.same_series(*a, b) {
                differs = Some(format!("has value {}, stored is {}", self.ours(*a), self.theirs(b)));
            }
            *a = b;
        };
        match (&mut same, theirs) {
            (Joint::FixPoint { strength: a }, Joint::FixPoint { strength: b })
            | (Joint::RigidLink { strength: a }, Joint::RigidLink { strength: b }) => {
                return (a != b).then(|| format!("has strength {a}, stored is {b}"));
            }
            (Joint::Drive { series: a, .. }, Joint::Drive { series: b, .. })
            | (
                Joint::Spring { law: SpringLaw::Table { series: a }, .. },
                Joint::Spring { law: SpringLaw::Table { series: b }, .. },
            ) => value(a, *b),
            (Joint::Drive3 { series: a, .. }, Joint::Drive3 { series: b, .. }) => {
                a.iter_mut().zip(b).for_each(|(a, b)| value(a, *b));
            }
            (
                Joint::Spring { law: SpringLaw::Function { function: a }, .. },
                Joint::Spring { law: SpringLaw::Function { function: b }, .. },
            ) => *a = *b,
            (
                Joint::Spring { law: SpringLaw::Linear { stiffness, damping }, .. },
                Joint::Spring { law: SpringLaw::Linear { stiffness: k, damping: c }, .. },
            ) if (*stiffness, *damping) != (*k, *c) => {
                return Some(format!("has the spring ({stiffness}, {damping}), stored is ({k}, {c})"));
            }
            (
                Joint::FixPoint { .. }
                | Joint::FixDirection { .. }
                | Joint::Drive { .. }
                | Joint::Drive3 { .. }
                | Joint::RigidLink { .. }
                | Joint::Spring { .. },
                _,
            ) => {}
        }
        differs.or_else(|| (same != *theirs).then(|| "has another direction or limits than the stored one".into()))
    }
}

/// How a RUN differs from the stored one in its solver.
pub fn solver_difference(ours: &Solver, theirs: &Solver) -> Option<String> {
    let [our_name, their_name] = [ours, theirs].map(|solver| solver.settings.name());
    if our_name != their_name {
        return Some(format!("uses {our_name}, stored is {their_name}"));
    }
    // Numbers of functions are those of a process.
    let ours = Solver { callback: theirs.callback, ..ours.clone() };
    members(&ours, theirs).map(|text| format!("uses {our_name} with other members: {text}"))
}

/// The members of a plain record that differ.
fn members<T: serde::Serialize>(ours: &T, theirs: &T) -> Option<String> {
    let (ours, theirs) = (serde_json::to_value(ours).ok()?, serde_json::to_value(theirs).ok()?);
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else { return None };
    let differs = |(name, value): (&String, &Value)| {
        let stored = theirs.get(name)?;
        (value != stored).then(|| format!("{name} is {value}, stored is {stored}"))
    };
    let all: Vec<String> = ours.iter().filter_map(differs).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn bulk(ours: &BulkMaterial, theirs: &BulkMaterial) -> Option<String> {
    let mut fields = Quantity::ALL.into_iter().zip(ours.varying.rows().into_iter().zip(theirs.varying.rows()));
    if let Some((quantity, (a, _))) = fields.find(|(_, (a, b))| a != b) {
        let [is, stored] = if a.is_some() { ["a FIELD", "not that one"] } else { ["a number", "a FIELD"] };
        return Some(format!("{} is {is}, stored is {stored}", quantity.name()));
    }
    let numbers = [
        ("young", ours.young, theirs.young),
        ("poisson", ours.poisson, theirs.poisson),
        ("density", ours.density, theirs.density),
        ("tensile", ours.tensile, theirs.tensile),
        ("fracene", ours.fracene, theirs.fracene),
    ];
    let (name, a, b) = numbers.into_iter().find(|(_, a, b)| a != b)?;
    Some(format!("{name} is {a}, stored is {b}"))
}

/// Names of the legacy switches of a model, for comparing and for people.
fn switches(model: &Model) -> String {
    let mut names = model.compat.clone();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return "none".into();
    }
    names.join(",")
}

fn pair(surfaces: [i32; 2]) -> String {
    match surfaces.map(|id| if id == ANY { "any".into() } else { id.to_string() }) {
        [a, b] if a == b && a == "any" => "all other surfaces".into(),
        [a, b] => format!("surfaces {a} and {b}"),
    }
}

/// A constant is its value.
fn series(series: Option<&Series>) -> String {
    match series.map(|series| (series.label.as_str(), series.values())) {
        Some((_, [value])) => value.to_string(),
        Some(("", values)) => format!("a series of {} points", values.len()),
        Some((label, values)) => format!("the series '{label}' of {} points", values.len()),
        None => "nothing".into(),
    }
}

fn numbers(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(f64::to_string).collect();
    if texts.is_empty() {
        return "zero".into();
    }
    format!("({})", texts.join(", "))
}

fn point(p: &Vec3) -> String {
    format!("({}, {}, {})", p.x, p.y, p.z)
}

/// How a model differs from one that it should continue, where both have the same rows: the member is named.
pub fn model_difference(new: &Model, old: &Model) -> Option<String> {
    let from = Rows::default();
    let values =
        Comparison { deck: new, stored: old, from, start: true, states: true, states_default: true, strictly: true };
    let mut bodies = new.bodies.iter().zip(&old.bodies);
    bodies.find_map(|(ours, theirs)| body_difference(ours, theirs)).or_else(|| values.difference())
}

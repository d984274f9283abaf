//! Bodies of materials that vary: their samples at time 0, as far as functions of the deck give them.

use std::sync::Arc;

use solfec::body::{name_of, NewBody, Sites};
use solfec::material::{BulkMaterial, FieldValues, Quantity, Samples};
use solfec::math::Vec3;
use solfec::model::{BodyKind, BodyRow};
use solfec::shape::Shape;

use super::domain::Domain;
use super::fault::Fault;
use super::place::Place;
use super::value::{Handle, Value};

/// A body that a command is making.
#[derive(Debug, Clone, PartialEq)]
pub struct Making {
    pub solfec: Handle,
    pub row: BodyRow,
    pub shapes: Vec<Shape>,
    /// Objects of the deck that will be empty.
    pub emptied: Vec<Handle>,
    pub place: Place,
}

/// A body that waits for the functions by which its material varies.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    making: Making,
    samples: Samples,
    pub sites: Sites,
    /// Functions to be called, and what they give.
    pub calls: Vec<(Quantity, u32)>,
}

/// Samples of a body of a material that varies; `None` if the body needs none.
///
/// # Errors
/// A kind of body that takes no such material, a mesh of which no body can be made.
pub fn sampling(domain: &Domain, making: Making) -> Result<Sampling, Fault> {
    let Making { row, shapes, .. } = &making;
    let material = &domain.in_force.bulk[row.material as usize];
    let name = name_of(row);
    let sites = Sites::of(&NewBody { name: &name, row, bulk: &domain.in_force.bulk, shapes })?;
    let (samples, calls) = (Samples::default(), Vec::new());
    let mut sampling = Sampling { samples, sites, calls, making };
    for (quantity, field) in Quantity::ALL.into_iter().zip(material.varying.rows()) {
        let number = |x: f64| vec![x; sampling.sites.places.len()];
        let field = field.and_then(|row| Some((row, domain.model.fields.get(row as usize)?)));
        let values = match field.map(|(row, field)| (row, &field.values)) {
            None => number(plain(material, quantity)),
            Some((_, FieldValues::Table(table))) => {
                sampling.sites.places.iter().map(|x: &Vec3| table.at(x, 0.0)).collect()
            }
            Some((row, FieldValues::Function { .. } | FieldValues::Steady)) => {
                let missing = || Fault::value("material: the function of its FIELD is not here");
                let function = domain.field_functions.get(&row).ok_or_else(missing)?;
                sampling.calls.push((quantity, *function));
                continue;
            }
        };
        *sampling.column(quantity) = values;
    }
    Ok(sampling)
}

/// Whether a body needs samples.
///
/// # Errors
/// It cannot have them.
pub fn needs_samples(row: &BodyRow, material: &BulkMaterial) -> Result<bool, Fault> {
    let refuse = |text: &str| {
        let kind = row.kind.name();
        Err(Fault::value(format!(
            "material: '{}' {text}, and a {kind} body has one value everywhere; give numbers",
            material.label
        )))
    };
    let varying = &material.varying;
    match row.kind {
        BodyKind::FiniteElement => Ok(varying.any()),
        BodyKind::PseudoRigid if varying.any() => refuse("varies by a FIELD"),
        BodyKind::Rigid | BodyKind::Obstacle if varying.density.is_some() => refuse("has a density that is a FIELD"),
        BodyKind::PseudoRigid | BodyKind::Rigid | BodyKind::Obstacle => Ok(false),
    }
}

fn plain(material: &BulkMaterial, quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Young => material.young,
        Quantity::Poisson => material.poisson,
        Quantity::Density => material.density,
    }
}

impl Sampling {
    fn column(&mut self, quantity: Quantity) -> &mut Vec<f64> {
        match quantity {
            Quantity::Young => &mut self.samples.young,
            Quantity::Poisson => &mut self.samples.poisson,
            Quantity::Density => &mut self.samples.density,
        }
    }

    /// Takes what the function `name` has returned: the numbers of all places, else `wrong`, which is none.
    ///
    /// # Errors
    /// It is not.
    pub fn take(
        &mut self,
        quantity: Quantity,
        name: String,
        values: Option<Vec<f64>>,
        wrong: &Value,
    ) -> Result<(), Fault> {
        let points = self.sites.places.len();
        let Some(values) = values.filter(|values| values.len() == points) else {
            let text = format!("material: function '{name}' returned {}; return a number", wrong.describe());
            return Err(Fault::wrong_type(text));
        };
        *self.column(quantity) = values;
        Ok(())
    }

    /// The body with its samples; `varies`: its density is a field, from which its mass follows.
    ///
    /// # Errors
    /// Samples that no body can have.
    pub fn finish(mut self, varies: bool) -> Result<Making, Fault> {
        let Samples { young, poisson, density } = &self.samples;
        for (quantity, values) in Quantity::ALL.into_iter().zip([young, poisson, density]) {
            for (value, x) in values.iter().zip(&self.sites.places) {
                let at = |text: String| Fault::value(format!("material: {text} at ({}, {}, {})", x.x, x.y, x.z));
                quantity.check(*value).map_err(at)?;
            }
        }
        let row = &mut self.making.row;
        if varies {
            row.chars = self.sites.characteristics(density, row.chars.volume);
        }
        row.samples = Some(Arc::new(self.samples));
        Ok(self.making)
    }

    /// Row of the material of the body.
    pub fn material(&self) -> u32 {
        self.making.row.material
    }

    /// The SOLFEC object.
    pub fn solfec(&self) -> Handle {
        self.making.solfec
    }
}

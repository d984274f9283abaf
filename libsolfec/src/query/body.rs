//! One body at one instant: place, velocity and stress of its points, whatever the table that shows it.

use super::point::{Parts, Point};
use super::recovered::{Recovered, Source};
use crate::body::{mises, pushed_forward, reduced_state, Energies, Kirchhoff};
use crate::frame::{PseudoRows, RigidRows};
use crate::ids::CatalogueRow;
use crate::material::{BulkMaterial, Samples};
use crate::math::{skew, Mat3, Vec3};
use crate::model::{BodyRow, Characteristics, Model};
use crate::shape::{Element, QuadratureNode};

/// A body as a frame or a history shows it.
pub struct BodyView<'a> {
    row: CatalogueRow,
    body: &'a BodyRow,
    chars: Characteristics,
    energies: Energies,
    pub(super) form: Form<'a>,
}

/// How a table describes the motion of a body.
pub(super) enum Form<'a> {
    Rigid { rows: &'a RigidRows, at: usize, motion: Affine },
    Pseudo { rows: &'a PseudoRows, at: usize, motion: Affine },
    Nodal(Nodal<'a>),
}

/// `x(X) = x + F (X − X0)`, `v(X) = v + Ḟ (X − X0)`.
#[derive(Clone, Copy)]
pub(super) struct Affine {
    pub f: Mat3,
    pub x: Vec3,
    x0: Vec3,
    pub v: Vec3,
    pub rate: Mat3,
}

impl Affine {
    fn place(&self, reference: &Vec3) -> Vec3 {
        self.x + self.f * (reference - self.x0)
    }

    fn velocity(&self, reference: &Vec3) -> Vec3 {
        self.v + self.rate * (reference - self.x0)
    }

    fn reference(&self, place: &Vec3) -> Option<Vec3> {
        Some(self.x0 + self.f.try_inverse()? * (place - self.x))
    }
}

/// Nodes of the meshes of a body, in their order, interpolated in between.
pub(super) struct Nodal<'a> {
    pub model: &'a Model,
    parts: Parts,
    pub x: &'a [[f64; 3]],
    pub v: &'a [[f64; 3]],
    /// Young's modulus [Pa] and Poisson's ratio of each element of a material that varies, as it is now.
    laws: Option<Vec<[f64; 2]>>,
}

impl Nodal<'_> {
    /// A field given at the nodes, at a point; NaN where the meshes have no such point.
    fn at(&self, point: &Point, field: &[[f64; 3]]) -> Vec3 {
        let value = |node: u32| field.get(node as usize).map_or(Vec3::repeat(f64::NAN), |x| Vec3::from(*x));
        self.parts.interpolate(point, value)
    }

    fn displacement(&self, node: u32, x: &[f64; 3]) -> [f64; 3] {
        (Vec3::from(*x) - self.parts.reference(node)).into()
    }

    /// Of an element with this volume id, given the materials in force and the body.
    fn law(&self, element: u32, volid: i32, bulk: &[BulkMaterial], body: &BodyRow) -> Option<Kirchhoff> {
        match &self.laws {
            Some(laws) => laws
                .get(element as usize / self.parts.in_element())
                .map(|[young, poisson]| Kirchhoff::new(*young, *poisson)),
            None => bulk.get(body.material_of(volid) as usize).map(Kirchhoff::of),
        }
    }

    fn place(&self, node: u32) -> Vec3 {
        self.x.get(node as usize).map_or(Vec3::repeat(f64::NAN), |x| Vec3::from(*x))
    }
}

impl<'a> BodyView<'a> {
    /// Row `at` of the table of rigid bodies and obstacles, with characteristics that are not those of the model.
    pub(super) fn rigid(
        model: &'a Model,
        row: CatalogueRow,
        rows: &'a RigidRows,
        at: usize,
        chars: Option<Characteristics>,
    ) -> Option<Self> {
        let body = model.bodies.get(row.index())?;
        let chars = chars.unwrap_or(body.chars);
        let f = Mat3::from_column_slice(&rows.rot[at]);
        let rate = f * skew(&rows.omega[at].into());
        let motion = Affine { f, x: rows.x[at].into(), x0: chars.center, v: rows.v[at].into(), rate };
        Some(BodyView { row, body, chars, energies: rows.energy[at], form: Form::Rigid { rows, at, motion } })
    }

    /// Row `at` of the table of pseudo-rigid bodies; as [`BodyView::rigid`].
    pub(super) fn pseudo(
        model: &'a Model,
        row: CatalogueRow,
        rows: &'a PseudoRows,
        at: usize,
        chars: Option<Characteristics>,
    ) -> Option<Self> {
        let body = model.bodies.get(row.index())?;
        let chars = chars.unwrap_or(body.chars);
        let (f, rate) = (Mat3::from_row_slice(&rows.f[at]), Mat3::from_row_slice(&rows.fdot[at]));
        let motion = Affine { f, x: rows.x[at].into(), x0: chars.center, v: rows.v[at].into(), rate };
        Some(BodyView { row, body, chars, energies: rows.energy[at], form: Form::Pseudo { rows, at, motion } })
    }

    /// A body that deforms: places and velocities of its nodes.
    pub(super) fn nodal(
        model: &'a Model,
        row: CatalogueRow,
        energies: Energies,
        x: &'a [[f64; 3]],
        v: &'a [[f64; 3]],
        laws: Option<(&'a [f64], &'a [f64])>,
    ) -> Option<Self> {
        let body = model.bodies.get(row.index())?;
        let parts = Parts::of(model, body);
        let now = |(young, poisson): (&[f64], &[f64])| young.iter().zip(poisson).map(|(e, nu)| [*e, *nu]).collect();
        let first = || body.samples.as_ref().map(|samples| means(&parts, samples));
        let laws = laws.map(now).or_else(first);
        Some(BodyView { row, body, chars: body.chars, energies, form: Form::Nodal(Nodal { model, parts, x, v, laws }) })
    }

    /// Row of the body in the model.
    pub fn row(&self) -> CatalogueRow {
        self.row
    }

    /// The body as the model describes it.
    pub fn body(&self) -> &'a BodyRow {
        self.body
    }

    /// Mass, volume, mass centre and tensor as they are at this instant; see [`Frame::chars`](crate::frame::Frame).
    pub fn chars(&self) -> &Characteristics {
        &self.chars
    }

    /// Kinetic, internal, external, contact, friction, dissipated [J].
    pub fn energies(&self) -> Energies {
        self.energies
    }

    /// The same point with its element, where the body deforms: it is then not searched for in each frame.
    pub fn pin(&self, point: &Point) -> Point {
        match &self.form {
            Form::Rigid { .. } | Form::Pseudo { .. } => *point,
            Form::Nodal(nodal) => nodal.parts.pin(point),
        }
    }

    /// Current place of a point [m].
    pub fn place(&self, point: &Point) -> Vec3 {
        match &self.form {
            Form::Rigid { motion, .. } | Form::Pseudo { motion, .. } => motion.place(&point.reference),
            Form::Nodal(nodal) => nodal.at(point, nodal.x),
        }
    }

    /// Displacement of a point [m].
    pub fn displacement(&self, point: &Point) -> Vec3 {
        self.place(point) - point.reference
    }

    /// Velocity of a point [m/s], spatial.
    pub fn velocity(&self, point: &Point) -> Vec3 {
        match &self.form {
            Form::Rigid { motion, .. } | Form::Pseudo { motion, .. } => motion.velocity(&point.reference),
            Form::Nodal(nodal) => nodal.at(point, nodal.v),
        }
    }

    /// The point that is now at `place`; `None` where the motion cannot be inverted.
    pub fn point_at(&self, place: &Vec3) -> Option<Point> {
        match &self.form {
            Form::Rigid { motion, .. } | Form::Pseudo { motion, .. } => motion.reference(place).map(Point::new),
            Form::Nodal(nodal) => nodal.parts.find(|node| nodal.place(node), place),
        }
    }

    /// Cauchy stress [Pa] at a point in spatial axes, xx yy zz xy xz yz, and von Mises' measure of it; zeros for rigid
    /// bodies and obstacles. At a node, and on faces and edges of elements, the mean over the elements that meet there,
    /// of von Mises' measure too. `bulk` are the materials in force, see [`materials`](super::materials); `None`
    /// without the body's material.
    pub fn stress(&self, point: &Point, bulk: &[BulkMaterial]) -> Option<[f64; 7]> {
        if matches!(self.form, Form::Rigid { .. }) {
            return Some([0.0; 7]);
        }
        let law = Kirchhoff::of(bulk.get(self.body.material as usize)?);
        let found = match &self.form {
            Form::Rigid { .. } => Vec::new(),
            Form::Pseudo { motion, .. } => vec![(motion.f, law.second_stress(&motion.f))],
            Form::Nodal(nodal) => {
                let law_of = |element: u32, volid: i32| nodal.law(element, volid, bulk, self.body);
                nodal.parts.stresses(point, (&law_of, self.body.enhanced), |node| nodal.place(node))
            }
        };
        let mut mean = [0.0; 7];
        for (f, stress) in &found {
            mean.iter_mut().zip(with_mises(&pushed_forward(stress, f))).for_each(|(mean, s)| *mean += s);
        }
        // NaN where there is no such point.
        Some(mean.map(|sum| sum / found.len() as f64))
    }

    /// [`stress`](Self::stress) at each of these points.
    pub fn stresses(&self, points: &[Point], bulk: &[BulkMaterial]) -> Option<Vec<[f64; 7]>> {
        match (&self.form, points.first()) {
            (_, None) => Some(Vec::new()),
            (Form::Rigid { .. } | Form::Pseudo { .. }, Some(any)) => Some(vec![self.stress(any, bulk)?; points.len()]),
            (Form::Nodal(_), _) => points.iter().map(|point| self.stress(point, bulk)).collect(),
        }
    }

    /// As [`stresses`](Self::stresses), of a body that deforms by the recovered stress.
    pub fn recovered_stresses(&self, points: &[Point], bulk: &[BulkMaterial]) -> Option<Vec<[f64; 7]>> {
        match self.recovered(bulk) {
            Some(recovered) => Some(points.iter().map(|point| with_mises(&recovered.at(point))).collect()),
            None => self.stresses(points, bulk),
        }
    }

    /// The estimated error of the stresses at each of these points: that of the element, see [`Recovered::error_at`]; zero
    /// where a body has none. `None` without a material.
    pub fn stress_errors(&self, points: &[Point], bulk: &[BulkMaterial]) -> Option<Vec<f64>> {
        if !matches!(self.form, Form::Nodal(_)) {
            return Some(vec![0.0; points.len()]);
        }
        let recovered = self.recovered(bulk)?;
        let error = |point: &Point| Some(recovered.error_at(point)).filter(|error| error.is_finite()).unwrap_or(0.0);
        Some(points.iter().map(error).collect())
    }

    /// The recovered stress of a body that deforms, see [`Recovered`]; `None` for other bodies and without a material.
    pub fn recovered(&self, bulk: &[BulkMaterial]) -> Option<Recovered<'_>> {
        let Form::Nodal(nodal) = &self.form else { return None };
        let mut met: Vec<u32> = self.body.materials().collect();
        met.sort_unstable();
        met.dedup();
        let law = |element: u32, volid: i32| {
            let number = met.binary_search(&self.body.material_of(volid)).ok()?;
            Some((nodal.law(element, volid, bulk, self.body)?, number as u32))
        };
        let place = |node: u32| nodal.place(node);
        Recovered::new(&nodal.parts, &Source { law: &law, enhanced: self.body.enhanced, place: &place })
    }

    /// Configuration in the layout of `conf`: rotation by columns or deformation gradient by rows, then the mass
    /// centre; displacements of the nodes of a body that deforms.
    pub fn configuration(&self) -> Vec<f64> {
        match &self.form {
            Form::Rigid { rows, at, .. } => [&rows.rot[*at][..], &rows.x[*at]].concat(),
            Form::Pseudo { rows, at, .. } => [&rows.f[*at][..], &rows.x[*at]].concat(),
            Form::Nodal(nodal) => match self.reduced(nodal) {
                Some((conf, _)) => conf,
                None => (0u32..).zip(nodal.x).flat_map(|(node, x)| nodal.displacement(node, x)).collect(),
            },
        }
    }

    /// Velocity in the layout of `velo`: referential angular velocity or rate of the deformation gradient by rows, then
    /// the velocity of the mass centre; velocities of the nodes of a body that deforms.
    pub fn rates(&self) -> Vec<f64> {
        match &self.form {
            Form::Rigid { rows, at, .. } => [&rows.omega[*at][..], &rows.v[*at]].concat(),
            Form::Pseudo { rows, at, .. } => [&rows.fdot[*at][..], &rows.v[*at]].concat(),
            Form::Nodal(nodal) => match self.reduced(nodal) {
                Some((_, velo)) => velo,
                None => nodal.v.as_flattened().to_vec(),
            },
        }
    }

    /// Configuration and velocity; of a rigid or pseudo-rigid body as if its mass centre were at `center` in the
    /// reference configuration.
    pub fn state_about(&self, center: &Vec3) -> (Vec<f64>, Vec<f64>) {
        let (mut conf, mut velo) = (self.configuration(), self.rates());
        if let Form::Rigid { motion, .. } | Form::Pseudo { motion, .. } = &self.form {
            for (numbers, vector) in [(&mut conf, motion.place(center)), (&mut velo, motion.velocity(center))] {
                numbers.truncate(numbers.len() - 3);
                numbers.extend(&vector);
            }
        }
        (conf, velo)
    }

    /// Configuration and velocity of a reduced body.
    fn reduced(&self, nodal: &Nodal<'_>) -> Option<(Vec<f64>, Vec<f64>)> {
        self.body.reduced()?;
        let vectors = |numbers: &[[f64; 3]]| numbers.iter().map(|x| Vec3::from(*x)).collect();
        reduced_state(nodal.model, self.body, vectors(nodal.x), vectors(nodal.v)).ok()
    }
}

/// Means of Young's modulus and Poisson's ratio over the elements, from values at their points of integration.
fn means(parts: &Parts, samples: &Samples) -> Vec<[f64; 2]> {
    let mut first = 0;
    let mean = |(element, (of, _)): (u32, (&Element, Vec<u32>))| {
        let then = parts.corners(element, |node| parts.reference(node)).map_or([Vec3::zeros(); 8], |(_, then, _)| then);
        let volume = |point: QuadratureNode| point.weight * of.kind.jacobian(&then, &point.natural).determinant();
        // All points of a tetrahedron of second order have the same.
        let volumes: Vec<f64> = of.kind.quadrature().into_iter().map(volume).collect();
        let points = first..first + volumes.len();
        first = points.end;
        let mean = |values: &[f64]| {
            let values = values.get(points.clone()).unwrap_or_default();
            values.iter().zip(&volumes).map(|(x, volume)| x * volume).sum::<f64>() / volumes.iter().sum::<f64>()
        };
        [mean(&samples.young), mean(&samples.poisson)]
    };
    (0..).zip(parts.elements()).step_by(parts.in_element()).map(mean).collect()
}

/// Cauchy stress and von Mises' measure of a deformation gradient.
fn with_mises(s: &[f64; 6]) -> [f64; 7] {
    let [xx, yy, zz, xy, xz, yz] = *s;
    [xx, yy, zz, xy, xz, yz, mises(s)]
}

//! The bodies that tables show: those of a frame, or one body in many frames.

use super::body::BodyView;
use crate::frame::{CharsRows, Frame, LawRows, NodalRows, NodeRows, PseudoRows, RigidRows};
use crate::ids::CatalogueRow;
use crate::model::{Characteristics, Model};

/// The tables of bodies of a frame, with the model whose bodies they show.
#[derive(Clone, Copy)]
pub struct ShownBodies<'a> {
    model: &'a Model,
    rigid: &'a RigidRows,
    pseudo: &'a PseudoRows,
    nodal: &'a NodalRows,
    nodes: &'a NodeRows,
    /// Elements whose material has changed, and where those of each row of `nodal` begin if they belong to many frames.
    laws: Option<(&'a LawRows, Option<&'a [usize]>)>,
    chars: Chars<'a>,
}

/// Characteristics that are not those of the model.
#[derive(Clone, Copy)]
enum Chars<'a> {
    /// Of the bodies of a frame.
    OfFrame(&'a CharsRows),
    /// Of each row of one body; empty if it has none anywhere.
    OfRows(&'a [Option<Characteristics>]),
}

/// Where the tables have a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownRow(Table);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    Rigid(usize),
    Pseudo(usize),
    /// Its row, and the first of its nodes.
    Nodal(usize, usize),
}

impl<'a> ShownBodies<'a> {
    /// The bodies of a frame.
    pub fn of(model: &'a Model, frame: &'a Frame) -> Self {
        let Frame { rigid, pseudo, nodal, nodes, laws, chars, .. } = frame;
        let (laws, chars) = (Some((laws, None)), Chars::OfFrame(chars));
        ShownBodies { model, rigid, pseudo, nodal, nodes, laws, chars }
    }

    /// The bodies of these tables; columns that nobody asks for may be missing in `nodes`.
    pub fn of_tables(
        model: &'a Model,
        (rigid, pseudo): (&'a RigidRows, &'a PseudoRows),
        (nodal, nodes): (&'a NodalRows, &'a NodeRows),
    ) -> Self {
        ShownBodies { model, rigid, pseudo, nodal, nodes, laws: None, chars: Chars::OfRows(&[]) }
    }

    /// The same with the elements whose material has changed: those of row i of `nodal` are the rows from `starts[i]` to
    /// `starts[i + 1]`.
    pub fn with_laws(self, laws: &'a LawRows, starts: &'a [usize]) -> Self {
        ShownBodies { laws: Some((laws, Some(starts))), ..self }
    }

    /// The same where row i of `rigid` or `pseudo` has these characteristics.
    pub fn with_chars(self, chars: &'a [Option<Characteristics>]) -> Self {
        ShownBodies { chars: Chars::OfRows(chars), ..self }
    }

    fn chars_of(&self, body: CatalogueRow, at: usize) -> Option<Characteristics> {
        match self.chars {
            Chars::OfFrame(rows) => rows.of(body.0).map(Characteristics::from),
            Chars::OfRows(rows) => rows.get(at).copied().flatten(),
        }
    }

    /// Young's modulus and Poisson's ratio of the elements of row `at` of `nodal`, where they have changed.
    fn laws_of(&self, body: CatalogueRow, at: usize) -> Option<(&'a [f64], &'a [f64])> {
        let (laws, starts) = self.laws?;
        let rows = match starts {
            None => laws.of(body.0),
            Some(starts) => *starts.get(at)?..*starts.get(at + 1)?,
        };
        let slices = (laws.young.get(rows.clone())?, laws.poisson.get(rows)?);
        Some(slices).filter(|(young, _)| !young.is_empty())
    }

    /// Bodies (catalogue rows) and where they are, table after table.
    pub fn rows(&self) -> impl Iterator<Item = (CatalogueRow, ShownRow)> + 'a {
        let rigid = self.rigid.body.iter().enumerate().map(|(i, &body)| (body, Table::Rigid(i)));
        let pseudo = self.pseudo.body.iter().enumerate().map(|(i, &body)| (body, Table::Pseudo(i)));
        let mut next = 0;
        let nodal = self.nodal.body.iter().zip(&self.nodal.nodes).enumerate().map(move |(i, (&body, &count))| {
            let first = next;
            next += count as usize;
            (body, Table::Nodal(i, first))
        });
        rigid.chain(pseudo).chain(nodal).map(|(body, table)| (CatalogueRow(body), ShownRow(table)))
    }

    /// All bodies, table after table; those that the model does not have are left out.
    pub fn all(self) -> impl Iterator<Item = BodyView<'a>> {
        self.rows().filter_map(move |(body, row)| self.view(body, row))
    }

    /// The body (catalogue row) shown in this row; `None` when the model does not have it.
    pub fn view(&self, body: CatalogueRow, row: ShownRow) -> Option<BodyView<'a>> {
        match row.0 {
            Table::Rigid(at) => BodyView::rigid(self.model, body, self.rigid, at, self.chars_of(body, at)),
            Table::Pseudo(at) => BodyView::pseudo(self.model, body, self.pseudo, at, self.chars_of(body, at)),
            Table::Nodal(at, first) => {
                let range = first..first + *self.nodal.nodes.get(at)? as usize;
                let of = |column: &'a [[f64; 3]]| column.get(range.clone()).unwrap_or_default();
                BodyView::nodal(
                    self.model,
                    body,
                    self.nodal.energy[at],
                    of(&self.nodes.x),
                    of(&self.nodes.v),
                    self.laws_of(body, at),
                )
            }
        }
    }

    /// The body of this catalogue row; `None` when the tables do not show it.
    pub fn find(&self, body: CatalogueRow) -> Option<BodyView<'a>> {
        let (_, row) = self.rows().find(|(shown, _)| *shown == body)?;
        self.view(body, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::BulkMaterial;
    use crate::math::{Mat3, Vec3};
    use crate::model::{Analysis, BodyKind, BodyRow, Characteristics, Formulation, Scheme, ShapeRow};
    use crate::query::Point;
    use crate::shape::Mesh;
    use std::sync::Arc;

    /// Largest error of sums of a few products of numbers near 1.
    const TOLERANCE: f64 = 1e-14;

    /// One body whose mass centre is at `center`.
    fn model(kind: BodyKind, center: Vec3) -> Model {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        let (tensile, fracene) = (f64::INFINITY, f64::INFINITY);
        let steel = BulkMaterial {
            label: "steel".into(),
            young: 2e11,
            poisson: 0.0,
            density: 7e3,
            tensile,
            fracene,
            varying: Default::default(),
        };
        model.bulk.push(steel);
        model.bodies.push(BodyRow {
            id: 1,
            label: String::new(),
            kind,
            form: Formulation::TotalLagrangian,
            base: None,
            enhanced: false,
            quadratic: false,
            samples: None,
            scheme: Scheme::Default,
            material: 0,
            volumes: Vec::new(),
            shapes: 0..0,
            chars: Characteristics { mass: 1.0, volume: 1.0, center, tensor: Mat3::identity() },
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        });
        model
    }

    #[test]
    fn a_turning_body_carries_its_points() {
        // Quarter turn about z, turning at 2 rad/s about the same axis, centre moving along y.
        let rows = RigidRows {
            body: vec![0],
            x: vec![[5.0, 0.0, 0.0]],
            rot: vec![[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]],
            v: vec![[0.0, 3.0, 0.0]],
            omega: vec![[0.0, 0.0, 2.0]],
            energy: vec![[0.0; 6]],
        };
        let model = model(BodyKind::Rigid, Vec3::new(1.0, 1.0, 1.0));
        let (pseudo, nodal, nodes) = Default::default();
        let shown = ShownBodies::of_tables(&model, (&rows, &pseudo), (&nodal, &nodes));
        let body = shown.find(CatalogueRow(0)).unwrap();
        let point = Point::new(Vec3::new(2.0, 1.0, 1.0));
        assert!((body.place(&point) - Vec3::new(5.0, 1.0, 0.0)).norm() < TOLERANCE);
        assert!((body.displacement(&point) - Vec3::new(3.0, 0.0, -1.0)).norm() < TOLERANCE);
        // v = v_c + ω × r with r = (0, 1, 0).
        assert!((body.velocity(&point) - Vec3::new(-2.0, 3.0, 0.0)).norm() < TOLERANCE);
        assert!((body.point_at(&body.place(&point)).unwrap().reference - point.reference).norm() < TOLERANCE);
        assert_eq!(body.stress(&point, &model.bulk), Some([0.0; 7]));
        assert_eq!((body.configuration().len(), body.rates().len()), (12, 6));
    }

    #[test]
    fn a_sheared_body_moves_by_tensors_row_by_row() {
        let rows = PseudoRows {
            body: vec![0],
            x: vec![[0.0; 3]],
            f: vec![[1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]],
            v: vec![[0.0; 3]],
            fdot: vec![[0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
            energy: vec![[0.0; 6]],
        };
        let model = model(BodyKind::PseudoRigid, Vec3::zeros());
        let (rigid, nodal, nodes) = Default::default();
        let shown = ShownBodies::of_tables(&model, (&rigid, &rows), (&nodal, &nodes));
        let body = shown.find(CatalogueRow(0)).unwrap();
        assert_eq!(body.place(&Point::new(Vec3::new(0.0, 2.0, 0.0))), Vec3::new(1.0, 2.0, 0.0));
        assert_eq!(body.velocity(&Point::new(Vec3::new(0.0, 0.0, 1.0))), Vec3::new(7.0, 0.0, 0.0));
    }

    #[test]
    fn a_stretched_bar_has_its_cauchy_stress() {
        // F = diag(1.1, 1, 1), ν = 0: E_xx = 0.105, P_xx = F E S_xx, σ = P Fᵀ / J = 1.1² · 0.105 E / 1.1.
        let f = vec![[1.1, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]];
        let zero = || vec![[0.0; 3]];
        let rows = PseudoRows { body: vec![0], f, x: zero(), v: zero(), fdot: vec![[0.0; 9]], energy: vec![[0.0; 6]] };
        let model = model(BodyKind::PseudoRigid, Vec3::zeros());
        let (rigid, nodal, nodes) = Default::default();
        let shown = ShownBodies::of_tables(&model, (&rigid, &rows), (&nodal, &nodes));
        let body = shown.find(CatalogueRow(0)).unwrap();
        let s = body.stress(&Point::new(Vec3::zeros()), &model.bulk).unwrap();
        let expected = 1.1 * 0.105 * 2e11;
        assert!((s[0] - expected).abs() < TOLERANCE * expected, "{s:?}");
        assert!((s[6] - expected).abs() < TOLERANCE * expected, "{s:?}");
        assert_eq!(s[1..6], [0.0; 5]);
        assert_eq!(body.stress(&Point::new(Vec3::zeros()), &[]), None);
    }
    /// Two hexahedra turned a quarter about z, stretched to double along z and moving upwards the faster the higher.
    #[test]
    fn nodes_carry_the_points_of_a_mesh() {
        let mut model = model(BodyKind::FiniteElement, Vec3::zeros());
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 2], [1, 0, 2], [1, 1, 2], [0, 1, 2]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [1, 1, 2], 1, &[1; 6], [None; 3]).unwrap();
        let shift = Vec3::new(5.0, 0.0, 0.0);
        let moved = |x: &Vec3| Vec3::new(-x.y, x.x, 2.0 * x.z);
        let reference: Vec<Vec3> = mesh.nodes.iter().map(|x| x + shift).collect();
        model.library.push(Arc::new(mesh.into()));
        model.shapes.push(ShapeRow { geometry: 0, rotation: Mat3::identity(), shift });
        model.bodies[0].shapes = 0..1;
        let nodes = NodeRows {
            x: reference.iter().map(|x| moved(x).into()).collect(),
            v: reference.iter().map(|x| [0.0, 0.0, x.z]).collect(),
        };
        let nodal = NodalRows { body: vec![0], nodes: vec![12], energy: vec![[1.0; 6]] };
        let (rigid, pseudo) = Default::default();
        let shown = ShownBodies::of_tables(&model, (&rigid, &pseudo), (&nodal, &nodes));
        let body = shown.find(CatalogueRow(0)).unwrap();
        let point = body.pin(&Point::new(Vec3::new(5.25, 0.5, 1.75)));
        assert!((body.place(&point) - moved(&point.reference)).norm() < TOLERANCE * 10.0);
        assert!((body.velocity(&point) - Vec3::new(0.0, 0.0, 1.75)).norm() < TOLERANCE * 10.0);
        let found = body.point_at(&body.place(&point)).unwrap();
        assert!((found.reference - point.reference).norm() < TOLERANCE * 10.0);
        let top = reference.iter().position(|x| *x == Vec3::new(6.0, 1.0, 2.0)).unwrap();
        assert_eq!(body.place(&Point::node(reference[top], top as u32)), Vec3::new(-1.0, 6.0, 4.0));
        assert_eq!((body.configuration().len(), body.rates().len(), body.energies()), (36, 36, [1.0; 6]));
        // E_zz = ½ (2² − 1), ν = 0: σ_zz = F S Fᵀ / J = 2² · 1.5 E / 2.
        let s = body.stress(&point, &model.bulk).unwrap();
        assert!((s[2] - 3.0 * 2e11).abs() < 1e-12 * s[2], "{s:?}");
        assert!(s[..2].iter().chain(&s[3..6]).all(|x| x.abs() < 1e-12 * s[2]), "{s:?}");
    }
}

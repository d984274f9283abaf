//! The bodies that tables show: those of a frame, or one body in many frames.

use super::body::BodyView;
use crate::frame::{Frame, PseudoRows, RigidRows};
use crate::ids::CatalogueRow;
use crate::model::Model;

/// The tables of bodies of a frame, with the model whose bodies they show.
#[derive(Clone, Copy)]
pub struct ShownBodies<'a> {
    model: &'a Model,
    rigid: &'a RigidRows,
    pseudo: &'a PseudoRows,
}

/// Where the tables have a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownRow(Table);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    Rigid(usize),
    Pseudo(usize),
}

impl<'a> ShownBodies<'a> {
    /// The bodies of a frame.
    pub fn of(model: &'a Model, frame: &'a Frame) -> Self {
        ShownBodies::of_tables(model, &frame.rigid, &frame.pseudo)
    }

    /// The bodies of these tables.
    pub fn of_tables(model: &'a Model, rigid: &'a RigidRows, pseudo: &'a PseudoRows) -> Self {
        ShownBodies { model, rigid, pseudo }
    }

    /// Numbers of the rows, table after table, in the order of [`rows`](Self::rows).
    pub fn len(&self) -> usize {
        self.rigid.x.len() + self.pseudo.x.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Row `i` of all tables together.
    pub fn row(&self, i: usize) -> Option<ShownRow> {
        let table = match i.checked_sub(self.rigid.x.len()) {
            None => Table::Rigid(i),
            Some(i) if i < self.pseudo.x.len() => Table::Pseudo(i),
            Some(_) => return None,
        };
        Some(ShownRow(table))
    }

    /// Bodies (catalogue rows) and where they are, table after table.
    pub fn rows(&self) -> impl Iterator<Item = (CatalogueRow, ShownRow)> + 'a {
        let rigid = self.rigid.body.iter().enumerate().map(|(i, &body)| (CatalogueRow(body), Table::Rigid(i)));
        let pseudo = self.pseudo.body.iter().enumerate().map(|(i, &body)| (CatalogueRow(body), Table::Pseudo(i)));
        rigid.chain(pseudo).map(|(body, table)| (body, ShownRow(table)))
    }

    /// All bodies, table after table; those that the model does not have are left out.
    pub fn all(self) -> impl Iterator<Item = BodyView<'a>> {
        self.rows().filter_map(move |(body, row)| self.view(body, row))
    }

    /// The body (catalogue row) shown in this row; `None` when the model does not have it.
    pub fn view(&self, body: CatalogueRow, row: ShownRow) -> Option<BodyView<'a>> {
        match row.0 {
            Table::Rigid(at) => BodyView::rigid(self.model, body, self.rigid, at),
            Table::Pseudo(at) => BodyView::pseudo(self.model, body, self.pseudo, at),
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
    use crate::model::{Analysis, BodyKind, BodyRow, Characteristics, Scheme};
    use crate::query::Point;

    /// Largest error of sums of a few products of numbers near 1.
    const TOLERANCE: f64 = 1e-14;

    /// One body whose mass centre is at `center`.
    fn model(kind: BodyKind, center: Vec3) -> Model {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        let (tensile, fracene) = (f64::INFINITY, f64::INFINITY);
        let steel = BulkMaterial { label: "steel".into(), young: 2e11, poisson: 0.0, density: 7e3, tensile, fracene };
        model.bulk.push(steel);
        model.bodies.push(BodyRow {
            id: 1,
            label: String::new(),
            kind,
            scheme: Scheme::Default,
            material: 0,
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
        let none = PseudoRows::default();
        let body = ShownBodies::of_tables(&model, &rows, &none).find(CatalogueRow(0)).unwrap();
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
        let none = RigidRows::default();
        let body = ShownBodies::of_tables(&model, &none, &rows).find(CatalogueRow(0)).unwrap();
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
        let none = RigidRows::default();
        let body = ShownBodies::of_tables(&model, &none, &rows).find(CatalogueRow(0)).unwrap();
        let s = body.stress(&Point::new(Vec3::zeros()), &model.bulk).unwrap();
        let expected = 1.1 * 0.105 * 2e11;
        assert!((s[0] - expected).abs() < TOLERANCE * expected, "{s:?}");
        assert!((s[6] - expected).abs() < TOLERANCE * expected, "{s:?}");
        assert_eq!(s[1..6], [0.0; 5]);
        assert_eq!(body.stress(&Point::new(Vec3::zeros()), &[]), None);
    }
}

//! The one way to change a model: operations fold into its tables while nothing has run, and go to its program after.

use std::sync::Arc;

use super::fold::put;
use super::groups::{changes_conditions, describes_a_body, only_acts};
use super::{Base, BodyKind, BodyRow, Conditions, Definition, Insertion, Model, NewBody, Op, Rows, ShapeRow, StoredOp};
use crate::{Error, Result};

impl Model {
    /// Applies `op`. Before the first RUN it changes tables and settings (RUN, OUTPUT and the like excepted, and what
    /// rows of bodies do not hold, see [`Op::describes`]); afterwards it is also appended to the program. Consecutive
    /// insertions become one.
    ///
    /// # Errors
    /// An unknown body, a velocity or configuration of wrong length, rows that do not follow those of the tables, more
    /// surface materials than results can number.
    pub fn apply(&mut self, op: Op) -> Result<()> {
        self.history.follow(&self.program);
        if let Some(id) = op.describes() {
            let row = self.row_of(id)?;
            let mut body = self.bodies[row].clone();
            body.describe(&op)?;
            if !self.started() && body.holds(&op) {
                self.bodies[row] = body;
                return Ok(());
            }
        }
        let folded = self.fill_tables(&op)?;
        if let Some(stored) = op.stored().filter(|_| self.started() || !folded) {
            self.append(stored);
        }
        Ok(())
    }

    /// Gives the model the program that it has after `program` acted, where its tables hold all rows already. Results
    /// of earlier versions have operations on bodies made between RUNs both there and in the rows of these bodies:
    /// saying them twice says nothing else.
    ///
    /// # Errors
    /// An operation on a body that the model does not have.
    pub fn replay<'a>(&mut self, program: impl IntoIterator<Item = &'a StoredOp>) -> Result<()> {
        self.program.clear();
        for op in program {
            if let Some(id) = op.describes() {
                self.row_of(id)?;
            }
            self.append(op.clone());
        }
        Ok(())
    }

    /// The operations that describe the body of this row and are not in it: those of the program between its insertion
    /// and the first RUN after that.
    pub fn descriptions(&self, row: usize) -> impl Iterator<Item = &StoredOp> {
        let body = self.bodies.get(row);
        let inserts = |op: &StoredOp| op.bodies().is_some_and(|rows| rows.contains(&(row as u32)));
        let since = match body.map(|body| body.kind) {
            Some(_) if self.started() => &self.program[self.program.iter().rposition(inserts).unwrap_or(0)..],
            Some(BodyKind::FiniteElement) => &self.program[..],
            // All that is said of others before the first RUN is in their rows.
            Some(BodyKind::Obstacle | BodyKind::Rigid | BodyKind::PseudoRigid) | None => &[],
        };
        let id = body.map(|body| body.id);
        since.iter().take_while(|op| !matches!(op, Op::Run { .. })).filter(move |op| op.describes() == id)
    }

    pub(super) fn row_of(&self, id: u64) -> Result<usize> {
        self.body_row(id).ok_or_else(|| Error::input(format!("body {id} does not exist")))
    }

    /// Fills tables and, before the first RUN, settings; false for what belongs to the program in any case.
    fn fill_tables(&mut self, op: &Op) -> Result<bool> {
        match op {
            Op::Define(definition) => self.define(definition),
            Op::InsertBodies(bodies) => self.insert_bodies(bodies)?,
            Op::InsertConstraints(rows) => append_rows(&mut self.constraints, rows, "constraint")?,
            Op::InsertLoads(rows) => append_rows(&mut self.loads, rows, "load")?,
            Op::Split { fragments, .. } => {
                self.insert_bodies(fragments)?;
                return Ok(false);
            }
            changes_conditions!() => {
                if let Op::SurfaceMaterial { row, .. } = op {
                    check_surface_material(*row)?;
                }
                if !self.started() {
                    self.conditions().fold(op);
                }
            }
            describes_a_body!() | only_acts!() => return Ok(false),
        }
        Ok(true)
    }

    fn conditions(&mut self) -> Conditions<'_> {
        let Model { step, settings, bulk, surface, .. } = self;
        Conditions { step, settings, bulk, surface }
    }

    fn define(&mut self, definition: &Definition) {
        match definition {
            Definition::Series { row, series } => put(&mut self.series, *row, series.clone()),
            Definition::Field { row, field } => put(&mut self.fields, *row, field.clone()),
            Definition::Bulk { .. } => {
                self.conditions().define(definition);
            }
            Definition::Function(function) => {
                let known = self.functions.binary_search_by_key(&function.function, |row| row.function);
                if let Err(at) = known {
                    self.functions.insert(at, function.clone());
                }
            }
            Definition::DisplayPoint(point) => self.display_points.push(point.clone()),
            Definition::Base(base) => {
                self.base(base);
            }
            Definition::Verbose(verbose) => self.verbose.clone_from(verbose),
        }
    }

    fn insert_bodies(&mut self, bodies: &Insertion<NewBody>) -> Result<()> {
        check_first(self.bodies.len(), bodies.first, "body")?;
        for NewBody { body, shapes } in bodies.rows.iter() {
            check_first(self.shapes.len(), body.shapes.start, "shape")?;
            for shape in shapes {
                let geometry = self.geometries.row(&mut self.library, &shape.geometry);
                self.shapes.push(ShapeRow { geometry, rotation: shape.rotation, shift: shape.shift });
            }
            let base = body.base.as_ref().map(|base| self.base(base));
            self.bodies.push(BodyRow { base, ..body.clone() });
        }
        Ok(())
    }

    /// The base of the table that is equal to this one, which is added if there is none.
    fn base(&mut self, base: &Arc<Base>) -> Arc<Base> {
        let same = |known: &&Arc<Base>| Arc::ptr_eq(known, base) || ***known == **base;
        if let Some(known) = self.bases.iter().find(same) {
            return Arc::clone(known);
        }
        self.bases.push(Arc::clone(base));
        Arc::clone(base)
    }

    fn append(&mut self, op: StoredOp) {
        let merged = match (self.program.last_mut(), &op) {
            (Some(Op::InsertBodies(last)), Op::InsertBodies(next))
            | (Some(Op::InsertConstraints(last)), Op::InsertConstraints(next))
            | (Some(Op::InsertLoads(last)), Op::InsertLoads(next)) => last.extend(next),
            _ => false,
        };
        if !merged {
            self.program.push(op);
        }
    }
}

impl Rows {
    /// Takes in rows that follow these; false if they do not.
    fn extend(&mut self, next: &Rows) -> bool {
        let follow = self.rows[1] == next.rows[0];
        if follow {
            self.rows[1] = next.rows[1];
        }
        follow
    }
}

fn append_rows<T: Clone>(table: &mut Vec<T>, new: &Insertion<T>, what: &str) -> Result<()> {
    check_first(table.len(), new.first, what)?;
    table.extend_from_slice(&new.rows);
    Ok(())
}

/// Frames hold the surface material of a contact in 16 bits, -1 for other constraints.
fn check_surface_material(row: u32) -> Result<()> {
    const MOST: u32 = i16::MAX as u32 + 1;
    if row < MOST {
        return Ok(());
    }
    Err(Error::input(format!("{MOST} surface materials are there, the most that results can number; give fewer")))
}

fn check_first(rows: usize, first: u32, what: &str) -> Result<()> {
    if first as usize == rows {
        return Ok(());
    }
    Err(Error::input(format!("{what} row {first} cannot follow the {rows} that are there")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::SurfaceMaterial;
    use crate::math::{Mat3, Vec3};
    use crate::model::{Analysis, Characteristics, Formulation, GaussSeidel, Scheme, SolverSettings};
    use crate::shape::{Geometry, Shape, Sphere};

    fn body(kind: BodyKind) -> BodyRow {
        BodyRow {
            id: 0,
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
            chars: Characteristics { mass: 1.0, volume: 1.0, center: Vec3::zeros(), tensor: Mat3::identity() },
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        }
    }

    fn insert(model: &mut Model, kind: BodyKind) {
        let op = model.new_body(body(kind), Vec::new());
        model.apply(op).unwrap();
    }

    fn run(model: &mut Model) {
        let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 10)).into();
        model.apply(Op::Run { duration: 1.0, solver }).unwrap();
    }

    fn spin(body: u64) -> Op {
        Op::InitialVelocity { body, linear: [1.0, 2.0, 3.0], angular: [0.0, 0.0, 5.0] }
    }

    #[test]
    fn before_the_first_run_operations_fold_into_the_tables() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        model.apply(Op::Step { value: 0.5 }).unwrap();
        model.apply(Op::GeometricEpsilon { value: 1e-3 }).unwrap();
        let material = SurfaceMaterial { surf: [1, 2], ..Default::default() };
        model.apply(Op::SurfaceMaterial { row: 1, material }).unwrap();
        assert_eq!(model.program, []);
        assert_eq!((model.step, model.settings.epsilon, model.surface.len()), (0.5, 1e-3, 2));
    }

    #[test]
    fn a_model_has_no_more_surface_materials_than_results_can_number() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        for row in [32_767, 32_768] {
            let added = model.apply(Op::SurfaceMaterial { row, material: SurfaceMaterial::default() });
            assert_eq!(added.is_ok(), row == 32_767, "{added:?}");
        }
    }

    #[test]
    fn what_later_operations_insert_is_kept() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        run(&mut model);
        let mut over = model.clone();
        over.keep_what_comes_later();
        assert_eq!((over.bodies.len(), &over.program), (0, &model.program));
        insert(&mut model, BodyKind::Rigid);
        let whole: Vec<Op> = model.program.iter().map(|op| model.whole(op).unwrap()).collect();
        model.keep_what_comes_later();
        assert!(model.program.iter().map(|op| model.whole(op).unwrap()).eq(whole));
    }

    #[test]
    fn spatial_velocities_take_the_layout_of_the_body() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        insert(&mut model, BodyKind::PseudoRigid);
        // a quarter turn about x carries e_y to e_z: the spatial spin about z is one about y for the body
        model.bodies[0].conf = vec![1., 0., 0., 0., 0., 1., 0., -1., 0., 0., 0., 0.];
        model.apply(spin(1)).unwrap();
        model.apply(spin(2)).unwrap();
        assert_eq!(model.bodies[0].velo, [0., 5., 0., 1., 2., 3.]);
        assert_eq!(model.bodies[1].velo, [0., -5., 0., 5., 0., 0., 0., 0., 0., 1., 2., 3.]);
    }

    #[test]
    fn after_a_run_operations_are_appended_and_insertions_merge() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        run(&mut model);
        insert(&mut model, BodyKind::Rigid);
        insert(&mut model, BodyKind::Rigid);
        model.apply(spin(2)).unwrap(); // body 2 has not run yet: its row stays that of its creation
        model.apply(spin(1)).unwrap();
        let spins = [spin(2), spin(1)].map(|op| op.stored().unwrap());
        assert_eq!(model.program[1..], [&[Op::InsertBodies(Rows { rows: [1, 3] })], &spins[..]].concat());
        assert!(model.bodies[1].velo.is_empty());
        run(&mut model);
        model.apply(spin(2)).unwrap();
        assert_eq!(model.program.last(), spin(2).stored().as_ref());
        let described = |row: usize| model.descriptions(row).cloned().collect::<Vec<_>>();
        assert_eq!((described(0), described(1), described(2)), (vec![], vec![spins[0].clone()], vec![]));
    }

    #[test]
    fn characteristics_of_finite_elements_stay_operations() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::FiniteElement);
        let (center, tensor) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let op = Op::BodyChars { body: 1, mass: 2.0, volume: 1.0, center, tensor };
        model.apply(op.clone()).unwrap();
        assert_eq!((&model.program[..], model.bodies[0].chars.mass), (&[op.stored().unwrap()][..], 1.0));
        assert_eq!(model.descriptions(0).count(), 1);
    }

    #[test]
    fn points_stay_where_they_are_and_as_fast_when_characteristics_change_before_the_first_run() {
        let quarter = [0., 1., 0., -1., 0., 0., 0., 0., 1., 4., 5., 6.];
        let chars = |body| {
            let (center, tensor) = ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            Op::BodyChars { body, mass: 2.0, volume: 1.0, center, tensor }
        };
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        for kind in [BodyKind::Rigid, BodyKind::Obstacle, BodyKind::PseudoRigid] {
            insert(&mut model, kind);
            let id = model.bodies.len() as u64;
            let mut conf = quarter.to_vec();
            if kind == BodyKind::PseudoRigid {
                (conf[1], conf[3]) = (-1.0, 1.0); // by rows
            }
            model.apply(Op::SetConfiguration { body: id, conf }).unwrap();
            model.apply(spin(id)).unwrap();
            model.apply(chars(id)).unwrap();
            let body = &model.bodies[id as usize - 1];
            // the arm e_x is turned to e_y, which spins about z
            assert_eq!(body.conf[9..], [4.0, 6.0, 6.0], "{kind:?}");
            assert_eq!(body.velo[body.velo.len() - 3..], [1.0 - 5.0, 2.0, 3.0], "{kind:?}");
        }
        insert(&mut model, BodyKind::Rigid);
        model.apply(chars(4)).unwrap();
        assert!(model.bodies[3].conf.is_empty() && model.bodies[3].velo.is_empty());
    }

    #[test]
    fn a_rotation_that_was_disabled_is_gone_before_the_first_run_too() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        let disable = |body, on| Op::DisableRotation { body, on };
        for ops in [[disable(1, true), spin(1), disable(1, false)], [spin(2), disable(2, true), disable(2, false)]] {
            insert(&mut model, BodyKind::Rigid);
            ops.into_iter().try_for_each(|op| model.apply(op)).unwrap();
        }
        model.bodies.iter().for_each(|body| assert_eq!(body.velo, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]));
    }

    #[test]
    fn rows_that_do_not_follow_are_refused() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        let op = model.new_body(body(BodyKind::Rigid), Vec::new());
        model.apply(op.clone()).unwrap();
        assert_eq!(model.apply(op), Err(Error::input("body row 0 cannot follow the 1 that are there")));
    }

    #[test]
    fn fragments_are_bodies_of_the_program() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        insert(&mut model, BodyKind::Rigid);
        run(&mut model);
        let Op::InsertBodies(fragments) = model.new_body(body(BodyKind::Rigid), Vec::new()) else { panic!() };
        model.apply(Op::Split { body: 1, fragments }).unwrap();
        assert_eq!(model.program[1..], [Op::Split { body: 1, fragments: Rows { rows: [1, 2] } }]);
        assert_eq!((model.bodies.len(), model.inserted_later()), (2, 1..2));
        let whole = model.whole(&model.program[1]).unwrap();
        assert_eq!(whole.stored().as_ref(), Some(&model.program[1]));
    }

    #[test]
    fn equal_geometries_are_stored_once() {
        let ball = |radius| Shape::new(Geometry::Sphere(Sphere::new(Vec3::zeros(), radius, 1, 1).unwrap()));
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        for radius in [1.0, 2.0, 1.0] {
            let op = model.new_body(body(BodyKind::Rigid), vec![ball(radius)]);
            model.apply(op).unwrap();
        }
        let rows: Vec<u32> = model.shapes.iter().map(|shape| shape.geometry).collect();
        assert_eq!((model.library.len(), rows), (2, vec![0, 1, 0]));
    }

    #[test]
    fn unknown_bodies_and_wrong_lengths_are_errors() {
        let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/a");
        assert!(model.apply(spin(1)).is_err());
        insert(&mut model, BodyKind::Rigid);
        run(&mut model);
        let op = Op::SetVelocity { body: 1, velo: vec![0.0; 12] };
        assert_eq!(model.apply(op), Err(Error::input("velocity has 12 numbers; give 6")));
    }
}

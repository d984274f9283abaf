//! Rigid links and springs as lines between the points they join, where the bodies carry them.

use solfec::frame::{ConstraintRows, Frame, NO_BODY, NO_ROW};
use solfec::ids::CatalogueRow;
use solfec::model::constraint_kind::{RIGLNK, SPRING};
use solfec::model::{ConstraintRow, Joint, Model};
use solfec::query::{Point, ShownBodies};

use super::contacts::{identities, kept};
use super::context::{Context, Emit, Wanted};
use super::step::{Array, CellKind, Cells, Center, Layout, Step, POINTS};
use crate::cli::CliError;

/// The family of edges under way.
///
/// A missing step would show the edges of the step before. So when the last edge has gone, one of no length and id 0
/// stays.
#[derive(Default)]
pub struct Edges {
    /// Ids of the edges of each layout so far.
    layouts: Vec<Vec<u64>>,
    /// An end of the newest edge.
    anchor: Option<[f64; 3]>,
}

impl Edges {
    /// Whether a model has links or springs.
    pub fn occur(model: &Model) -> bool {
        model.constraints.iter().any(|row| kind(row).is_some())
    }

    pub fn add(&mut self, of: &Context, frame: &Frame, emit: &mut Emit) -> Result<(), CliError> {
        let described;
        let c = if frame.step_count == 0 && frame.constraints.id.is_empty() {
            described = first(of.model);
            &described
        } else {
            &frame.constraints
        };
        let ends = ends(of, frame, c);
        let (rows, mut points): (Vec<usize>, Vec<[[f64; 3]; 2]>) = ends.into_iter().unzip();
        if let Some(newest) = points.last() {
            self.anchor = Some(newest[0]);
            let ids: Vec<u64> = rows.iter().map(|&i| c.id[i]).collect();
            return self.show(of, frame, c, (&rows, ids), &points, emit);
        }
        let Some(anchor) = self.anchor else { return Ok(()) };
        points.push([anchor; 2]);
        let nothing = ConstraintRows {
            id: vec![0],
            kind: vec![0],
            row: vec![NO_ROW],
            master: vec![NO_BODY],
            slave: vec![NO_BODY],
            r: vec![[0.0; 3]],
            gap: vec![0.0],
            ..ConstraintRows::default()
        };
        self.show(of, frame, &nothing, (&[0], vec![0]), &points, emit)
    }

    fn show(
        &mut self,
        of: &Context,
        frame: &Frame,
        c: &ConstraintRows,
        (rows, ids): (&[usize], Vec<u64>),
        points: &[[[f64; 3]; 2]],
        emit: &mut Emit,
    ) -> Result<(), CliError> {
        let mut cells = Cells::default();
        (0..rows.len() as i64).for_each(|i| cells.push(CellKind::Line, [2 * i, 2 * i + 1]));
        let number = self.layouts.iter().position(|known| *known == ids).unwrap_or_else(|| {
            self.layouts.push(ids);
            self.layouts.len() - 1
        });
        let layout = Layout { number, cells, arrays: identities(of, c, rows, Center::Cell).into() };
        let mut arrays = Vec::new();
        if of.wants(Wanted::Reac) {
            arrays.push(Array::reals("axial_force", Center::Cell, rows.iter().map(|&i| c.r[i][2]).collect()));
        }
        if of.wants(Wanted::Gap) {
            arrays.push(Array::reals("gap", Center::Cell, rows.iter().map(|&i| c.gap[i]).collect()));
        }
        let points = Array::vectors(POINTS, Center::Node, points.as_flattened());
        emit(&Step { index: frame.index, time: frame.time, layout: &layout, points, arrays })
    }
}

fn kind(row: &ConstraintRow) -> Option<u8> {
    match row.joint {
        Joint::RigidLink { .. } => Some(RIGLNK),
        Joint::Spring { .. } => Some(SPRING),
        Joint::FixPoint { .. } | Joint::FixDirection { .. } | Joint::Drive { .. } | Joint::Drive3 { .. } => None,
    }
}

/// Rows of the edges that are there before anything has run.
fn first(model: &Model) -> ConstraintRows {
    let mut c = ConstraintRows::default();
    let body = |id: u64| model.body_row(id).map_or(NO_BODY, |row| row as u32);
    for (i, row) in model.constraints[..model.constraints_later().start].iter().enumerate() {
        let Some(kind) = kind(row) else { continue };
        c.id.push(i as u64 + 1);
        c.kind.push(kind);
        c.row.push(i as u32);
        c.master.push(body(row.master));
        c.slave.push(row.slave.map_or(NO_BODY, body));
        c.point.push(row.points[0].into());
        c.r.push([0.0; 3]);
        c.gap.push(0.0);
    }
    c
}

/// Kept rows of links and springs, and their ends: master, slave. The points on the bodies are those of the model.
fn ends(of: &Context, frame: &Frame, c: &ConstraintRows) -> Vec<(usize, [[f64; 3]; 2])> {
    let bodies = ShownBodies::of(of.model, frame);
    let edges = (0..c.id.len()).filter(|&i| matches!(c.kind[i], RIGLNK | SPRING) && kept(of, c, i));
    let found = edges.filter_map(|i| {
        let [point, end] = of.model.constraints.get(c.row[i] as usize)?.points;
        let master = bodies.find(CatalogueRow(c.master[i]))?.place(&Point::new(point));
        // Without a slave the second point is a place in space.
        let slave = bodies.find(CatalogueRow(c.slave[i]));
        let other = slave.map_or(end, |slave| slave.place(&Point::new(end)));
        Some((i, [master.into(), other.into()]))
    });
    found.collect()
}

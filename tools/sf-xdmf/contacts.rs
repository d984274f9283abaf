//! Contacts and other constraints as points with reactions.

use solfec::frame::{ConstraintRows, Frame, NO_BODY};

use super::context::{Context, Emit, Wanted};
use super::step::{Array, Cells, Center, Layout, Step, POINTS};
use crate::cli::CliError;

/// The family of contacts under way.
///
/// Xdmf2 reads no grid of zero points, and a missing step would show the reactions of the step before. So a frame
/// without contacts gets one point, id 0, of zero force, at the place of a contact of another frame.
#[derive(Default)]
pub struct Contacts {
    /// Numbers of points so far; the position of each is the number of its layout.
    counts: Vec<usize>,
    /// Place of the newest contact.
    anchor: Option<[f64; 3]>,
    /// Frames before the first contact.
    waiting: Vec<Instant>,
}

/// Number and time of a frame.
#[derive(Debug, Clone, Copy)]
struct Instant {
    index: u64,
    time: f64,
}

/// Whether all bodies of constraint `i` are chosen.
pub fn kept(of: &Context, c: &ConstraintRows, i: usize) -> bool {
    of.chosen(c.master[i]) && (c.slave[i] == NO_BODY || of.chosen(c.slave[i]))
}

impl Contacts {
    /// Adds a frame; as long as there was no contact there are no steps. A subset of bodies keeps the constraints whose
    /// bodies are all in it.
    pub fn add(&mut self, of: &Context, frame: &Frame, emit: &mut Emit) -> Result<(), CliError> {
        let c = &frame.constraints;
        let rows: Vec<usize> = (0..c.id.len()).filter(|&i| kept(of, c, i)).collect();
        let now = Instant { index: frame.index, time: frame.time };
        if let Some(&last) = rows.last() {
            self.anchor = Some(c.point[last]);
            for earlier in std::mem::take(&mut self.waiting) {
                self.show_nothing(of, earlier, c.point[last], emit)?;
            }
            return self.show(of, now, c, &rows, emit);
        }
        match self.anchor {
            Some(point) => self.show_nothing(of, now, point, emit),
            None => {
                self.waiting.push(now);
                Ok(())
            }
        }
    }

    fn show_nothing(&mut self, of: &Context, now: Instant, point: [f64; 3], emit: &mut Emit) -> Result<(), CliError> {
        let nothing = ConstraintRows {
            id: vec![0],
            kind: vec![0],
            master: vec![NO_BODY],
            slave: vec![NO_BODY],
            point: vec![point],
            normal: vec![[0.0; 3]],
            u: vec![[0.0; 3]],
            force: vec![[0.0; 3]],
            gap: vec![0.0],
            area: vec![0.0],
            ..ConstraintRows::default()
        };
        self.show(of, now, &nothing, &[0], emit)
    }

    fn show(
        &mut self,
        of: &Context,
        now: Instant,
        c: &ConstraintRows,
        rows: &[usize],
        emit: &mut Emit,
    ) -> Result<(), CliError> {
        // What is whole stands in the results as it is.
        let whole = rows.len() == c.id.len();
        let vector = |name, column, values: &[[f64; 3]]| Array {
            column: whole.then_some(column),
            ..Array::vectors(name, Center::Node, &pick(values, rows))
        };
        let scalar = |name, column, values: &[f64]| Array {
            column: whole.then_some(column),
            ..Array::reals(name, Center::Node, pick(values, rows))
        };
        let mut arrays = vec![vector("normal", "con/normal", &c.normal), scalar("area", "con/area", &c.area)];
        if of.wants(Wanted::Reac) {
            arrays.push(vector("force", "con/force", &c.force));
        }
        if of.wants(Wanted::Gap) {
            arrays.push(scalar("gap", "con/gap", &c.gap));
        }
        if of.wants(Wanted::Relv) {
            let global: Vec<[f64; 3]> = rows.iter().map(|&i| relative_velocity(c, i)).collect();
            arrays.push(Array::vectors("relative_velocity", Center::Node, &global));
        }
        arrays.extend(identities(of, c, rows, Center::Node));
        let layout = Layout { number: self.number(rows.len()), cells: Cells::vertices(rows.len()), arrays: Vec::new() };
        let points = vector(POINTS, "con/point", &c.point);
        emit(&Step { index: now.index, time: now.time, layout: &layout, points, arrays })
    }

    /// Number of the layout of so many points.
    fn number(&mut self, count: usize) -> usize {
        self.counts.iter().position(|&n| n == count).unwrap_or_else(|| {
            self.counts.push(count);
            self.counts.len() - 1
        })
    }
}

/// Ids of constraints and bodies (0: none), numbers of kinds.
pub fn identities(of: &Context, c: &ConstraintRows, rows: &[usize], center: Center) -> [Array; 4] {
    let id_of = |row: u32| of.model.bodies.get(row as usize).map_or(0, |b| b.id as i64);
    let column =
        |name, value: &dyn Fn(usize) -> i64| Array::integers(name, center, rows.iter().map(|&i| value(i)).collect());
    [
        column("id", &|i| c.id[i] as i64),
        column("kind", &|i| i64::from(c.kind[i])),
        column("master", &|i| id_of(c.master[i])),
        column("slave", &|i| id_of(c.slave[i])),
    ]
}

fn pick<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&i| values[i]).collect()
}

/// `U` in global axes: `t1 U1 + t2 U2 + n U3`. The point that stands for no contact has no normal and no velocity.
fn relative_velocity(c: &ConstraintRows, i: usize) -> [f64; 3] {
    if c.normal[i] == [0.0; 3] {
        return [0.0; 3];
    }
    let (base, u) = (c.base(i), c.u[i]);
    (base.column(0) * u[0] + base.column(1) * u[1] + base.column(2) * u[2]).into()
}

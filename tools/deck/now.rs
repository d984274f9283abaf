//! The present state of a SOLFEC object, whatever knows it: before the first RUN its model, then a running simulation,
//! or a frame of stored results. Members and reading commands ask here, so that live and stored reading are one code.

use solfec::body::Energies;
use solfec::frame::Frame;
use solfec::ids::{BodyId, CatalogueRow};
use solfec::math::{tree_sum, Vec3};
use solfec::model::{BodyRow, Model, Op, StoredOp};
use solfec::query::{self, described_body, described_point, BodyView, NodalMasses, Point, ShownBodies, ShownRow};
use solfec::simulation::Simulation;

use super::domain::Domain;
use super::engine::Runner;
use super::fault::Fault;
use super::matching::Rows;
use super::query::{Answer, Query};
use super::stored::Stored;
use crate::history::sample::outside;

/// The view of one object.
pub struct Now<'a> {
    pub(super) domain: &'a Domain,
    pub(super) state: State<'a>,
    /// Results that go on, between RUNs that are not performed again: rows that the deck has made since the last of
    /// them. They and what the deck has deleted are not in the frame.
    pub(super) since: Option<Rows>,
}

/// What knows the state.
pub(super) enum State<'a> {
    /// Nothing has run.
    Described,
    /// Number of the object, and who runs it.
    Running(usize, &'a dyn Runner),
    Stored(&'a Stored, &'a Frame),
}

impl<'a> Now<'a> {
    pub fn described(domain: &'a Domain) -> Now<'a> {
        Now { domain, state: State::Described, since: None }
    }

    pub fn running(domain: &'a Domain, k: usize, engine: &'a dyn Runner) -> Now<'a> {
        Now { domain, state: State::Running(k, engine), since: None }
    }

    /// Before a frame is loaded, stored results show the model of the deck.
    pub fn stored(domain: &'a Domain, stored: &'a Stored) -> Now<'a> {
        let state = stored.frame().map_or(State::Described, |frame| State::Stored(stored, frame));
        Now { domain, state, since: None }
    }

    /// The same where results go on: what the deck has done since that frame counts too.
    pub fn going(domain: &'a Domain, stored: &'a Stored, rows: Rows) -> Now<'a> {
        let now = Now::stored(domain, stored);
        let since = matches!(now.state, State::Stored(..)).then_some(rows);
        Now { since, ..now }
    }

    /// Whether the deck has made the body of this row after the frame.
    fn later(&self, row: usize) -> bool {
        self.since.is_some_and(|since| row >= since.bodies)
    }

    fn later_id(&self, id: u64) -> bool {
        self.since.is_some() && self.domain.model.body_row(id).is_some_and(|row| self.later(row))
    }

    /// Whether the deck has deleted the body after the frame.
    pub(super) fn gone(&self, id: u64) -> bool {
        self.since.is_some() && self.domain.deleted.bodies.contains(&id)
    }

    /// The model whose rows the state is of.
    fn model(&self) -> &'a Model {
        match self.state {
            State::Stored(stored, _) if self.since.is_none() => &stored.model,
            State::Described | State::Running(..) | State::Stored(..) => &self.domain.model,
        }
    }

    /// Where the frame has a body.
    fn place_of(&self, stored: &Stored, row: usize, id: u64) -> Option<ShownRow> {
        if self.later(row) || self.gone(id) {
            return None;
        }
        stored.place(row)
    }

    /// Whether stored results, and what the deck has done since, have a body.
    fn has(&self, stored: &Stored, row: usize, id: u64) -> bool {
        !self.gone(id) && (self.later(row) || stored.place(row).is_some())
    }

    /// [s]
    pub fn time(&self) -> Result<f64, Fault> {
        Ok(match self.state {
            State::Described => 0.0,
            State::Running(k, engine) => clock(k, engine)?.0,
            State::Stored(_, frame) => frame.time,
        })
    }

    /// Time step in force [s].
    pub fn step(&self) -> Result<f64, Fault> {
        Ok(match self.state {
            State::Described => self.domain.model.step,
            State::Running(k, engine) => clock(k, engine)?.1,
            State::Stored(_, frame) => frame.h,
        })
    }

    /// Ids of the bodies that exist, the latest first.
    pub fn bodies(&self) -> Result<Vec<u64>, Fault> {
        let made = || self.domain.model.bodies.iter().rev().map(|body| body.id);
        Ok(match self.state {
            State::Described => made().filter(|id| !self.domain.deleted.bodies.contains(id)).collect(),
            State::Running(k, engine) => match engine.ask(k, &Query::Bodies)? {
                Answer::Bodies(ids) => ids.into_iter().rev().collect(),
                other => return Err(other.unexpected()),
            },
            State::Stored(stored, _) => {
                let rows = self.model().bodies.iter().enumerate().rev();
                rows.filter(|(row, body)| self.has(stored, *row, body.id)).map(|(_, body)| body.id).collect()
            }
        })
    }

    /// The latest body with this label, by its id; labels are unique by habit only.
    pub fn labelled(&self, label: &str) -> Result<Option<u64>, Fault> {
        let named = self.model().bodies.iter().enumerate().rev().filter(|(_, body)| body.label == label);
        for (row, body) in named {
            let here = match self.state {
                State::Described => !self.domain.deleted.bodies.contains(&body.id),
                State::Running(k, engine) => match engine.ask(k, &Query::Exists(body.id))? {
                    Answer::Exists(here) => here,
                    other => return Err(other.unexpected()),
                },
                State::Stored(stored, _) => self.has(stored, row, body.id),
            };
            if here {
                return Ok(Some(body.id));
            }
        }
        Ok(None)
    }

    fn row(&self, id: u64) -> Result<usize, Fault> {
        let row = self.model().body_row(id);
        row.ok_or_else(|| Fault::wrong_type("body does not exist in this SOLFEC object"))
    }

    /// Whether nothing has moved a body since the deck described it.
    fn as_described_now(&self, id: u64) -> bool {
        matches!(self.state, State::Described) || self.later_id(id)
    }

    /// Asks a body as it is now; `None` when the frame does not hold it.
    ///
    /// # Errors
    /// The body does not exist, or a running simulation does not have it any more.
    pub fn body<T>(&self, id: u64, ask: impl FnOnce(&BodyView) -> T) -> Result<Option<T>, Fault> {
        let shown = match self.state {
            State::Stored(stored, frame) if !self.later_id(id) => {
                let row = self.row(id)?;
                let bodies = ShownBodies::of(self.model(), frame);
                let place = self.place_of(stored, row, id);
                return Ok(place.and_then(|at| bodies.view(catalogue(row), at)).map(|body| ask(&body)));
            }
            State::Running(k, engine) => match engine.ask(k, &Query::Body(id))? {
                Answer::Frame(frame) => *frame,
                other => return Err(other.unexpected()),
            },
            State::Described | State::Stored(..) => described_body(self.model(), catalogue(self.row(id)?))?,
        };
        let body = ShownBodies::of(self.model(), &shown).all().next();
        Ok(body.map(|body| ask(&body)))
    }

    /// Whether a body may be elsewhere than in its reference configuration.
    pub fn moved(&self, body: &BodyRow) -> bool {
        !matches!(self.state, State::Described) || !body.conf.is_empty()
    }

    /// Where a reference point of a body is; `None` when the frame does not hold the body.
    pub fn point(&self, id: u64, reference: &Vec3) -> Result<Option<Vec3>, Fault> {
        if self.as_described_now(id) {
            return Ok(Some(described_point(self.model(), catalogue(self.row(id)?), reference)?));
        }
        self.body(id, |body| body.place(&Point::new(*reference)))
    }

    /// What is said of a reference point at which nothing is known, because the mesh of the body ends before it.
    pub fn outside(&self, id: u64, reference: &Vec3) -> Result<Option<String>, Fault> {
        let model = self.model();
        let body = &model.bodies[self.row(id)?];
        Ok(if body.kind.moves_all_places() { None } else { outside(model, body, reference) })
    }

    /// Configuration in the layout of docs/conventions.md 5; NaN when the frame does not hold the body.
    pub fn configuration(&self, id: u64) -> Result<Vec<f64>, Fault> {
        self.numbers(id, |body| body.configuration())
    }

    /// Mass centre [m]; NaN when the frame does not hold the body.
    pub fn center(&self, id: u64) -> Result<Vec<f64>, Fault> {
        let center = |body: &BodyView| body.center(&mut NodalMasses::default()).unwrap_or(Vec3::repeat(f64::NAN));
        self.numbers(id, |body| center(body).iter().copied().collect())
    }

    /// Velocity in the layout of the configuration; NaN when the frame does not hold the body.
    pub fn velocity(&self, id: u64) -> Result<Vec<f64>, Fault> {
        self.numbers(id, |body| body.rates())
    }

    /// Numbers of a body, as many NaN when the frame does not hold it.
    fn numbers(&self, id: u64, ask: impl Fn(&BodyView) -> Vec<f64>) -> Result<Vec<f64>, Fault> {
        if let Some(numbers) = self.body(id, &ask)? {
            return Ok(numbers);
        }
        let described = described_body(self.model(), catalogue(self.row(id)?))?;
        let body = ShownBodies::of(self.model(), &described).all().next();
        Ok(vec![f64::NAN; body.map_or(0, |body| ask(&body).len())])
    }

    /// Sum over bodies, over all with `None` [J]; those that are not there add nothing.
    pub fn energies(&self, ids: Option<&[u64]>) -> Result<Energies, Fault> {
        match self.state {
            State::Stored(stored, frame) => self.stored_energies(stored, frame, ids),
            State::Running(k, engine) => match engine.ask(k, &Query::Energies(ids.map(<[u64]>::to_vec)))? {
                Answer::Energies(energies) => Ok(energies),
                other => Err(other.unexpected()),
            },
            State::Described => {
                let simulation = self.before_first_run()?;
                let bodies = simulation.bodies();
                Ok(match ids {
                    None => bodies.energy_total(),
                    Some(ids) => {
                        sum(ids.iter().filter_map(|id| bodies.index(BodyId(*id))).map(|index| bodies.energies(index)))
                    }
                })
            }
        }
    }

    /// Before the first RUN, with the works that were taken over.
    fn before_first_run(&self) -> Result<Simulation, Fault> {
        let model = &self.domain.model;
        let before = model.program.iter().take_while(|op| !matches!(op, Op::Run { .. }));
        simulation(model, model, before)
    }

    /// In order of id, as a running simulation adds them: equal states have equal sums.
    fn stored_energies(&self, stored: &Stored, frame: &Frame, ids: Option<&[u64]>) -> Result<Energies, Fault> {
        let bodies = &self.model().bodies;
        let made = self.since.map_or(bodies.len(), |since| since.bodies.min(bodies.len()));
        let mut latest = None;
        if made < bodies.len() {
            // Bodies that have been made since then, alone.
            let mut model = self.model().clone();
            model.bodies.drain(..made);
            (model.constraints, model.loads, model.program) = (Vec::new(), Vec::new(), Vec::new());
            let since = self.model().program.iter().rev().take_while(|op| !matches!(op, Op::Run { .. }));
            let since: Vec<&StoredOp> = since.collect();
            latest = Some(simulation(&model, self.model(), since.into_iter().rev())?);
        }
        let shown = ShownBodies::of(self.model(), frame);
        let of = |row: usize| match self.place_of(stored, row, bodies[row].id) {
            Some(at) => shown.view(catalogue(row), at).map(|body| body.energies()),
            None if self.later(row) && !self.gone(bodies[row].id) => {
                let bodies_made = latest.as_ref()?.bodies();
                Some(bodies_made.energies(bodies_made.index(BodyId(bodies[row].id))?))
            }
            None => None,
        };
        Ok(match ids {
            Some(ids) => sum(ids.iter().filter_map(|id| of(self.model().body_row(*id)?))),
            None => {
                let all: Vec<Energies> = (0..bodies.len()).filter_map(of).collect();
                tree_sum(all.len(), |i| all[i])
            }
        })
    }

    /// Cauchy stress xx yy zz xy xz yz at a point and its von Mises measure [Pa]; `None` when the frame does not hold
    /// the body.
    pub fn stress(&self, id: u64, point: &Point) -> Result<Option<[f64; 7]>, Fault> {
        let at_frame;
        let bulk = match self.state {
            State::Stored(stored, frame) if self.since.is_none() => {
                at_frame = query::materials(&stored.model, &stored.program, frame.step_count);
                &at_frame
            }
            State::Described | State::Running(..) | State::Stored(..) => &self.domain.in_force.bulk,
        };
        Ok(self.body(id, |body| body.stress(point, bulk))?.flatten())
    }

    /// Label of a surface material by its row.
    pub fn surface_label(&self, row: usize) -> Option<String> {
        let made = self.domain.in_force.surface.get(row).map(|material| material.label.clone());
        match self.state {
            State::Stored(stored, _) => made.or_else(|| stored.surface().get(row).map(|m| m.label.clone())),
            State::Described | State::Running(..) => made,
        }
    }
}

/// The bodies of a model after operations of `whole` on them that are no part of their rows.
fn simulation<'a>(
    model: &Model,
    whole: &Model,
    program: impl Iterator<Item = &'a StoredOp>,
) -> Result<Simulation, Fault> {
    let mut simulation = Simulation::new(model)?;
    for op in program {
        let works = if let Op::SetEnergies { body, .. } = op { Some(*body) } else { None };
        if op.describes().or(works).is_some_and(|id| model.body_row(id).is_some()) {
            simulation.apply(&whole.whole(op)?)?;
        }
    }
    Ok(simulation)
}

fn sum(rows: impl Iterator<Item = Energies>) -> Energies {
    rows.fold([0.0; 6], |sum, row| std::array::from_fn(|k| sum[k] + row[k]))
}

/// Time and step in force [s].
fn clock(k: usize, engine: &dyn Runner) -> Result<(f64, f64), Fault> {
    match engine.ask(k, &Query::Clock)? {
        Answer::Clock { time, step } => Ok((time, step)),
        other => Err(other.unexpected()),
    }
}

fn catalogue(row: usize) -> CatalogueRow {
    CatalogueRow(row as u32)
}

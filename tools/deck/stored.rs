//! Results of an earlier run as a deck sees them: in READ mode, or where it goes on.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use solfec::frame::{Frame, NO_BODY};
use solfec::ids::CatalogueRow;
use solfec::material::SurfaceMaterial;
use solfec::model::{constraint_kind, fold, ConstraintRow, Joint, Model, Op, StoredOp};
use solfec::query::{ShownBodies, ShownRow};
use solfec_formats::results::{Reader, Results, RunRow, Timing};
use solfec_formats::Error;

use super::fault::{Fault, FaultKind};

/// One SOLFEC object of stored results.
pub struct Stored {
    pub results: Rc<Results>,
    /// Which domain of the results.
    pub domain: usize,
    /// As it was at the end of the results.
    pub model: Model,
    /// Position of the current frame, and the frame; none until the first reading command.
    pub current: Option<(usize, Frame)>,
    /// Operations that acted, and the steps made before each.
    pub program: Vec<(StoredOp, u64)>,
    /// Bodies, constraints and loads before the first RUN.
    pub base: [usize; 3],
    runs: Vec<RunRow>,
    places: Places,
    /// Rows of user constraints in the model by their ids, as far as frames have shown them.
    rows: BTreeMap<u64, u32>,
    timing: Option<Timing>,
}

/// Where the current frame has things.
#[derive(Default)]
struct Places {
    /// For each row of the model's bodies, where the frame has it.
    bodies: Vec<Option<ShownRow>>,
    /// Ids of constraints with their rows in the frame, ascending.
    constraints: Vec<(u64, usize)>,
    /// Rows of user constraints in the model with their rows in the frame, ascending.
    ties: Vec<(u32, usize)>,
}

impl Stored {
    /// Opens domain `domain` of the results in a directory.
    ///
    /// # Errors
    /// What the results are damaged by.
    pub fn open(directory: &Path, domain: usize) -> Result<Stored, Fault> {
        Stored::of(Rc::new(Reader::open(directory).map_err(fault)?), domain)
    }

    /// Domain `domain` of opened results.
    ///
    /// # Errors
    /// What the results are damaged by.
    pub fn of(results: Rc<Results>, domain: usize) -> Result<Stored, Fault> {
        let mut file = results.model().map_err(fault)?;
        if domain >= file.domains.len() {
            let text = format!("{}: has no domain {domain}", results.name());
            return Err(Fault::new(FaultKind::System, text));
        }
        let model = file.domains.swap_remove(domain);
        let program = results.program(domain).map_err(fault)?;
        let base = results.base(domain).map_err(fault)?.map(|rows| rows as usize);
        Ok(Stored {
            model,
            program,
            base,
            runs: results.runs(domain).map_err(fault)?,
            results,
            domain,
            current: None,
            places: Places::default(),
            rows: BTreeMap::new(),
            timing: None,
        })
    }

    /// Times of the frames [s].
    ///
    /// # Errors
    /// There are none.
    pub fn times(&self) -> Result<&[f64], Fault> {
        let times = self.results.frame_times(self.domain).map_err(fault)?;
        if times.is_empty() {
            Err(Fault::runtime(format!("{}: the results hold no frame", self.results.dir().display())))
        } else {
            Ok(times)
        }
    }

    /// Makes frame `k` the current one.
    pub fn show(&mut self, k: usize) -> Result<(), Fault> {
        if self.current.as_ref().is_some_and(|(now, _)| *now == k) {
            return Ok(());
        }
        let frame = self.results.read_frame(self.domain, k).map_err(fault)?;
        self.places = self.find(&frame);
        self.current = Some((k, frame));
        Ok(())
    }

    /// Loads the first frame if none is loaded; whether it was so.
    pub fn wake(&mut self) -> Result<bool, Fault> {
        self.times()?;
        let first = self.current.is_none();
        if first {
            self.show(0)?;
        }
        Ok(first)
    }

    /// Position of the last frame of RUN `run`, counted from 1, or of an earlier one.
    pub fn last_of_run(&self, run: u32) -> Option<usize> {
        let frames = self.results.frames(self.domain).ok()?;
        frames.run.partition_point(|&r| r < run).checked_sub(1)
    }

    /// The current frame.
    pub fn frame(&self) -> Option<&Frame> {
        self.current.as_ref().map(|(_, frame)| frame)
    }

    /// Where the current frame has the body of this row of the model.
    pub fn place(&self, row: usize) -> Option<ShownRow> {
        self.places.bodies.get(row).copied().flatten()
    }

    /// Row in the current frame of the constraint with this id.
    pub fn constraint(&self, id: u64) -> Option<usize> {
        let ids = &self.places.constraints;
        ids.binary_search_by_key(&id, |c| c.0).ok().map(|k| ids[k].1)
    }

    /// Row in the current frame of the user constraint of this row of the model.
    pub fn tie(&self, row: u32) -> Option<usize> {
        let ties = &self.places.ties;
        ties.binary_search_by_key(&row, |t| t.0).ok().map(|k| ties[k].1)
    }

    /// Row in the model of the user constraint with this id.
    pub fn tie_row(&self, id: u64) -> Option<u32> {
        self.rows.get(&id).copied()
    }

    /// Clock readings.
    pub fn timing(&mut self) -> Result<&Timing, Fault> {
        if self.timing.is_none() {
            self.timing = Some(self.results.timing(self.domain).map_err(fault)?);
        }
        self.timing.as_ref().ok_or_else(|| Fault::runtime("the timing cannot be read"))
    }

    /// Surface materials as they are at the end.
    pub fn surface(&self) -> Vec<SurfaceMaterial> {
        fold(&self.model, self.program.iter().map(|(op, _)| op)).surface
    }

    /// Position in the program of RUN `run`, counted from 1.
    pub fn run_op(&self, run: u32) -> Option<usize> {
        let runs = self.program.iter().enumerate().filter(|(_, (op, _))| matches!(op, Op::Run { .. }));
        runs.map(|(at, _)| at).nth(run.checked_sub(1)? as usize)
    }

    /// Operations that had acted when RUN `run`, counted from 1, was over; all of them if it never was.
    pub fn run_end(&self, run: u32) -> usize {
        let over = run.checked_sub(1).and_then(|k| self.runs.get(k as usize)?.program_end);
        over.unwrap_or(self.program.len()).min(self.program.len())
    }

    /// Finds bodies and constraints of a frame.
    fn find(&mut self, frame: &Frame) -> Places {
        let mut places = Places { bodies: vec![None; self.model.bodies.len()], ..Places::default() };
        for (body, row) in ShownBodies::of(&self.model, frame).rows() {
            if let Some(place) = places.bodies.get_mut(body.index()) {
                *place = Some(row);
            }
        }
        places.constraints = frame.constraints.id.iter().copied().zip(0..).collect();
        places.constraints.sort_unstable();
        for &(id, at) in &places.constraints {
            if frame.constraints.kind[at] != constraint_kind::CONTACT {
                if let Some(row) = self.learn(frame, id, at) {
                    places.ties.push((row, at));
                }
            }
        }
        places.ties.sort_unstable();
        places
    }

    /// Row in the model of the user constraint at row `at` of a frame. Those of the start have the first ids; ids of later ones
    /// ascend with their rows, among contacts, so the one of the same bodies and kind that is nearest is meant.
    fn learn(&mut self, frame: &Frame, id: u64, at: usize) -> Option<u32> {
        if let Some(row) = self.rows.get(&id) {
            return Some(*row);
        }
        let first = self.base[1];
        if id <= first as u64 {
            self.rows.insert(id, id as u32 - 1);
            return Some(id as u32 - 1);
        }
        let rows = &frame.constraints;
        let body = |row: u32| self.model.bodies.get(row as usize).map(|body| body.id);
        let (master, slave) =
            (body(rows.master[at])?, (rows.slave[at] != NO_BODY).then(|| body(rows.slave[at])).flatten());
        let body_at = ShownBodies::of(&self.model, frame).find(CatalogueRow(rows.master[at]))?;
        let reference = body_at.point_at(&rows.point[at].into())?.reference;
        let below = self.rows.range(..id).next_back().map_or(first, |(_, row)| *row as usize + 1).max(first);
        let above = self.rows.range(id..).next().map_or(self.model.constraints.len(), |(_, row)| *row as usize);
        let same = |row: &&(u32, &ConstraintRow)| {
            row.1.master == master && row.1.slave == slave && can_be(&row.1.joint, rows.kind[at])
        };
        let candidates: Vec<(u32, &ConstraintRow)> =
            (below as u32..).zip(self.model.constraints.get(below..above)?).collect();
        let far = |row: &ConstraintRow| (row.points[0] - reference).norm();
        let (row, _) = *candidates.iter().filter(same).min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
        self.rows.insert(id, row);
        Some(row)
    }
}

/// Whether a constraint of the model shows as this kind: links of coincident points are glue, and points held apart are links.
fn can_be(joint: &Joint, kind: u8) -> bool {
    let point_or_link = [constraint_kind::FIXPNT, constraint_kind::RIGLNK];
    joint.number() == kind || point_or_link.contains(&joint.number()) && point_or_link.contains(&kind)
}

/// Files that cannot be read or are damaged, as a deck sees them.
pub fn fault(error: Error) -> Fault {
    let (Error::Io(text) | Error::Format(text)) = error;
    Fault::new(FaultKind::System, text)
}

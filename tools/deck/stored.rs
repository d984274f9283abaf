//! Results of an earlier run as a deck sees them: in READ mode, or where it goes on.

use std::path::Path;
use std::rc::Rc;

use solfec::frame::{Frame, NO_ROW};
use solfec::material::SurfaceMaterial;
use solfec::model::{fold, Model, Op, StoredOp};
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
    /// An object that the deck made before has written them.
    pub of_this_deck: bool,
    runs: Vec<RunRow>,
    places: Places,
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
    user_constraints: Vec<(u32, usize)>,
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
            of_this_deck: false,
            runs: results.runs(domain).map_err(fault)?,
            results,
            domain,
            current: None,
            places: Places::default(),
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
    pub fn user_constraint(&self, row: u32) -> Option<usize> {
        let rows = &self.places.user_constraints;
        rows.binary_search_by_key(&row, |found| found.0).ok().map(|k| rows[k].1)
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
    fn find(&self, frame: &Frame) -> Places {
        let mut places = Places { bodies: vec![None; self.model.bodies.len()], ..Places::default() };
        for (body, row) in ShownBodies::of(&self.model, frame).rows() {
            if let Some(place) = places.bodies.get_mut(body.index()) {
                *place = Some(row);
            }
        }
        places.constraints = frame.constraints.id.iter().copied().zip(0..).collect();
        places.constraints.sort_unstable();
        let rows = frame.constraints.row.iter().copied().zip(0..);
        places.user_constraints = rows.filter(|&(row, _)| row != NO_ROW).collect();
        places.user_constraints.sort_unstable();
        places
    }
}

/// Files that cannot be read or are damaged, as a deck sees them.
pub fn fault(error: Error) -> Fault {
    let (Error::Io(text) | Error::Full(text) | Error::Format(text)) = error;
    Fault::new(FaultKind::System, text)
}

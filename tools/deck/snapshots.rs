//! Samples of co-rotated displacements: what COROTATED_DISPLACEMENTS asks for, taken by a run or while frames are read.

use solfec::body::Pencil;
use solfec::frame::Frame;
use solfec::math::Vec3;
use solfec::model::{Model, Op};
use solfec::query::nodes_of;

use super::engine::Samples;
use super::value::Value;

/// Round-off of times, relative to them.
const SLACK: f64 = 1e-12;

/// When samples are taken.
#[derive(Debug, Clone, PartialEq)]
pub enum Instants {
    /// At the first step that ends at or after each, ascending [s].
    Listed(Vec<f64>),
    /// [s]; 0: every step.
    Every(f64),
    /// As frames.
    Output,
}

/// One call of COROTATED_DISPLACEMENTS.
pub struct Sampler {
    /// The SOLFEC object.
    pub domain: usize,
    /// Ids of the bodies.
    pub bodies: Vec<(u64, Pencil)>,
    pub instants: Instants,
    /// How many of the listed instants are over, or when the last sample of an interval was due.
    over: usize,
    last: Option<f64>,
    /// What the deck has not got yet: displacements of the nodes of a body.
    samples: Vec<Vec<f64>>,
}

impl Sampler {
    pub fn new(domain: usize, bodies: Vec<(u64, Pencil)>, instants: Instants) -> Sampler {
        Sampler { domain, bodies, instants, over: 0, last: None, samples: Vec::new() }
    }

    /// How many samples are due at a time.
    fn due(&mut self, time: f64, output: f64) -> usize {
        let until = time + SLACK * (1.0 + time.abs());
        let interval = match &self.instants {
            Instants::Listed(list) => {
                let before = std::mem::replace(&mut self.over, list.partition_point(|instant| *instant <= until));
                return self.over - before.min(self.over);
            }
            Instants::Every(interval) => *interval,
            Instants::Output => output,
        };
        let last = *self.last.get_or_insert(time);
        if time <= last || last + interval > until {
            return 0;
        }
        self.last = Some(if interval > 0.0 { last + ((until - last) / interval).floor() * interval } else { time });
        1
    }

    fn take(&mut self, frame: &Frame, model: &Model) {
        for (id, pencil) in &self.bodies {
            let row = model.body_row(*id).map(|row| solfec::ids::CatalogueRow(row as u32));
            let Some(nodes) = row.and_then(|row| nodes_of(frame, row)) else { continue };
            let x: Vec<Vec3> = nodes.iter().map(|x| Vec3::from(*x)).collect();
            let displacements = pencil.corotated(&x);
            self.samples.extend(displacements.map(|u| u.iter().flat_map(|u| [u.x, u.y, u.z]).collect::<Vec<f64>>()));
        }
    }
}

/// Interval of frames after a program [s]; 0: every step.
fn output(model: &Model) -> f64 {
    let interval =
        |op: &Op<solfec::model::ByRow>| if let Op::Output { interval, .. } = op { Some(*interval) } else { None };
    model.program.iter().rev().find_map(interval).unwrap_or(0.0)
}

/// The samplers of an object during a run.
pub struct OfRun<'a> {
    samplers: Vec<&'a mut Sampler>,
    /// None where there are no samplers at all.
    model: Option<&'a Model>,
    /// How many samples of each are due.
    due: Vec<usize>,
}

impl<'a> OfRun<'a> {
    /// Those of a SOLFEC object with this model.
    pub fn new(samplers: &'a mut [Sampler], domain: usize, model: Option<&'a Model>) -> OfRun<'a> {
        let samplers = samplers.iter_mut().filter(|sampler| sampler.domain == domain).collect();
        OfRun { samplers, model, due: Vec::new() }
    }
}

impl Samples for OfRun<'_> {
    fn bodies(&self) -> Vec<u64> {
        let mut bodies: Vec<u64> = self.samplers.iter().flat_map(|s| &s.bodies).map(|(id, _)| *id).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    fn due(&mut self, time: f64) -> bool {
        let Some(output) = self.model.map(output) else { return false };
        self.due = self.samplers.iter_mut().map(|sampler| sampler.due(time, output)).collect();
        self.due.iter().any(|due| *due > 0)
    }

    fn take(&mut self, frame: &Frame) {
        let Some(model) = self.model else { return };
        for (sampler, due) in self.samplers.iter_mut().zip(&self.due) {
            (0..*due).for_each(|_| sampler.take(frame, model));
        }
    }
}

/// Takes a stored frame, whatever its time.
pub fn sample_frame(samplers: &mut [Sampler], domain: usize, model: &Model, frame: &Frame) {
    samplers.iter_mut().filter(|sampler| sampler.domain == domain).for_each(|sampler| sampler.take(frame, model));
}

/// What the deck gets: for each sampler its number, then its new samples. `None` if there is nothing new.
pub fn deliver(samplers: &mut [Sampler]) -> Value {
    let new = |(k, sampler): (usize, &mut Sampler)| {
        let samples: Vec<Value> = sampler.samples.drain(..).map(Value::Reals).collect();
        (!samples.is_empty()).then(|| Value::List(vec![Value::Int(k as i64), Value::List(samples)]))
    };
    let all: Vec<Value> = samplers.iter_mut().enumerate().filter_map(new).collect();
    if all.is_empty() {
        Value::None
    } else {
        Value::List(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(instants: Instants, output: f64) -> Vec<usize> {
        let mut sampler = Sampler::new(0, Vec::new(), instants);
        (0..=10).map(|k| sampler.due(0.1 * f64::from(k), output)).collect()
    }

    #[test]
    fn each_instant_is_sampled_once() {
        let listed = Instants::Listed(vec![0.0, 0.25, 0.28, 0.5, 2.0]);
        assert_eq!(taken(listed, 0.0), [1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0]);
        assert_eq!(taken(Instants::Every(0.0), 0.0), [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(taken(Instants::Every(0.25), 0.0), [0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1]);
        assert_eq!(taken(Instants::Output, 0.5), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    }
}

//! What a step tells of how bodies and constraints are distributed over ranks, and of their messages.

use super::super::Simulation;
use crate::comm;
use crate::dynamics::ExchangeTimes;

/// A number of each rank: the sum, the least and the largest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    pub sum: f64,
    pub least: f64,
    pub largest: f64,
}

/// How a step was distributed over ranks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distribution {
    /// Bodies that ranks own, and boxes of convex parts, copies included.
    pub bodies: Spread,
    pub boxes: Spread,
    pub constraints: Spread,
    /// Constraints on bodies on which constraints of other ranks act too.
    pub external: Spread,
    pub sparsified: Spread,
    /// Bytes that were sent.
    pub sent: Spread,
    /// Weights by which bodies are dealt out.
    pub weight: Spread,
    /// Colours of ranks in the sweep.
    pub colours: u32,
    /// Constraints of all ranks whose bodies are shared with later ranks only, with earlier and later ones, with earlier
    /// ones only, and with none.
    pub sets: [u64; 4],
    /// Seconds that this rank spent on exchange.
    pub times: ExchangeTimes,
}

impl Simulation {
    /// The distribution of a step that began with so many bytes sent and removed so many contacts. Collective.
    pub(in crate::simulation) fn distribution(&self, sparsified: usize, sent: u64) -> Distribution {
        let operator = &self.work.operator;
        let constraints = self.contacts.len() + self.constraints.len();
        let boxes: usize = self.bodies.indices().map(|body| self.objects.parts_of(body)).sum();
        let weights = self.weights();
        let weight: f64 = self.bodies.own().map(|(_, body)| weights[body.index()]).sum();
        let sets = operator.sets();
        let [bottom, middle, top, _] = sets;
        let counts = [self.bodies.own().count(), boxes, constraints, bottom + middle + top, sparsified];
        let mut numbers = [0.0; 7];
        numbers.iter_mut().zip(counts).for_each(|(number, count)| *number = count as f64);
        (numbers[5], numbers[6]) = ((self.sent() - sent) as f64, weight);
        let mut sums: [f64; 11] = [0.0; 11];
        sums[..7].copy_from_slice(&numbers);
        sums[7..].iter_mut().zip(sets).for_each(|(sum, set)| *sum = set as f64);
        let sums = comm::sum(&*self.comm, sums);
        let largest = comm::largest(&*self.comm, numbers);
        let least = comm::largest(&*self.comm, numbers.map(|number| -number)).map(|number| -number);
        let spread = |k: usize| Spread { sum: sums[k], least: least[k], largest: largest[k] };
        Distribution {
            bodies: spread(0),
            boxes: spread(1),
            constraints: spread(2),
            external: spread(3),
            sparsified: spread(4),
            sent: spread(5),
            weight: spread(6),
            colours: operator.colours() as u32,
            sets: std::array::from_fn(|k| sums[7 + k] as u64),
            times: operator.times(),
        }
    }

    /// Bytes that this rank has sent.
    pub(in crate::simulation) fn sent(&self) -> u64 {
        let [_, bytes] = self.counted.sent();
        bytes
    }
}

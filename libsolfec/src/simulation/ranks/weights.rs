//! Weights of bodies, by which they are dealt out: their own, and those of the constraints that their owner has.

use super::super::Simulation;
use crate::domain::EndWeight;
use crate::ids::BodyIndex;

impl Simulation {
    /// Weights by dense index: velocities, convex parts, and constraints of this rank.
    pub(super) fn weights(&self) -> Vec<f64> {
        let velocities = |body: BodyIndex| match self.bodies.is_obstacle(body) {
            true => 0.0,
            false => self.bodies.velocity(body).len() as f64,
        };
        let mut ends: Vec<EndWeight> =
            (self.bodies.indices()).map(|body| EndWeight { velocities: velocities(body), constraints: 0.0 }).collect();
        let mut weights: Vec<f64> = (self.bodies.indices())
            .map(|body| ends[body.index()].velocities + self.objects.parts_of(body) as f64)
            .collect();
        let pairs = || self.contacts.iter().map(|contact| [contact.master.body, contact.slave.body]);
        let constraints = || {
            self.constraints.iter().map(|constraint| {
                let master = constraint.master.body();
                [master, constraint.slave.map_or(master, |slave| slave.body())]
            })
        };
        for [a, b] in pairs().chain(constraints()) {
            ends[a.index()].constraints += 1.0;
            if a != b {
                ends[b.index()].constraints += 1.0;
            }
        }
        for [a, b] in pairs().chain(constraints()) {
            let of = [ends[a.index()], if a == b { EndWeight::default() } else { ends[b.index()] }];
            weights[self.keeper([a, b]).index()] += self.settings.balance.constraint_weight(&of);
        }
        weights
    }
}

//! Which bodies are shared with which ranks in a step, in which order the ranks sweep them, and which rows can be swept
//! while others are waited for.

use super::Copies;
use crate::comm::{self, Communicator};
use crate::dynamics::Row;
use crate::ids::{BodyId, Slot};

/// Tags of messages: bodies with rows, their members, colours.
const ROWS: u32 = 16;
const MEMBERS: u32 = 17;
const COLOURS: u32 = 18;

/// Parts of a sweep: rows inside before those on shared bodies, these by where the ranks that share them stand, and the
/// rest of the rows inside.
pub const BEFORE: u32 = 0;
/// All ranks that share the bodies of the row come later.
pub const BOTTOM: u32 = 1;
/// Some come earlier, some later.
pub const MIDDLE: u32 = 2;
/// All come earlier.
pub const TOP: u32 = 3;
pub const AFTER: u32 = 4;

/// The part of a row, by whether ranks of lower and of higher colour share its bodies; none for a row inside.
fn part_between([lower, higher]: [bool; 2]) -> Option<u32> {
    match (lower, higher) {
        (true, true) => Some(MIDDLE),
        (true, false) => Some(TOP),
        (false, true) => Some(BOTTOM),
        (false, false) => None,
    }
}

/// A rank that shares bodies with this one; bodies are in order of id.
#[derive(Debug, Default)]
pub struct Neighbour {
    pub rank: usize,
    colour: u32,
    /// All that both share, and their places among the shared bodies of this rank.
    pub common: Vec<Slot>,
    pub places: Vec<u32>,
    /// Those that it sweeps right after this rank, and right before.
    pub to: Vec<Slot>,
    pub from: Vec<Slot>,
    /// Those that it sweeps first and this rank last, and the other way round.
    pub back_to: Vec<Slot>,
    pub back_from: Vec<Slot>,
}

fn members_of<'a>(shared: &[(Slot, u32)], members: &'a [usize], k: usize) -> &'a [usize] {
    let end = shared.get(k + 1).map_or(members.len(), |(_, first)| *first as usize);
    &members[shared[k].1 as usize..end]
}

/// The plan of a step.
#[derive(Debug, Default)]
pub struct Plan {
    /// Shared bodies in order of id: slot, and where its members begin.
    shared: Vec<(Slot, u32)>,
    members: Vec<usize>,
    /// Ascending by rank.
    neighbours: Vec<Neighbour>,
    colour: u32,
    /// Part of a sweep to which each row belongs.
    parts: Vec<u32>,
    words: Vec<u64>,
}

impl Plan {
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    pub fn colour(&self) -> u32 {
        self.colour
    }

    pub fn neighbours(&self) -> &[Neighbour] {
        &self.neighbours
    }

    /// Slots of the shared bodies, in order of id.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.shared.iter().map(|(slot, _)| *slot)
    }

    /// The shared bodies and how many ranks share each.
    pub fn shares(&self) -> impl Iterator<Item = (Slot, usize)> + '_ {
        (0..self.shared.len()).map(|k| (self.shared[k].0, self.members_of(k).len()))
    }

    /// Ranks that share body `k` of the shared ones.
    fn members_of(&self, k: usize) -> &[usize] {
        members_of(&self.shared, &self.members, k)
    }

    /// Numbers of rows in parts [`BOTTOM`], [`MIDDLE`] and [`TOP`], and of those inside.
    pub fn sets(&self) -> [usize; 4] {
        let count = |part: u32| self.parts.iter().filter(|of| **of == part).count();
        [count(BOTTOM), count(MIDDLE), count(TOP), count(BEFORE) + count(AFTER)]
    }

    /// Finds the plan of a step with these rows. Collective.
    pub fn find(&mut self, comm: &dyn Communicator, copies: &Copies<'_>, rows: &[Row]) {
        self.find_members(comm, copies, rows);
        self.find_neighbours(comm.rank());
        self.find_colour(comm);
        self.find_lanes(comm.rank());
        self.part_rows(comm, copies, rows);
    }

    /// Owners hear who has rows on copies of their bodies, and tell all of these and themselves of each other.
    fn find_members(&mut self, comm: &dyn Communicator, copies: &Copies<'_>, rows: &[Row]) {
        let rank = comm.rank();
        let slots = rows.iter().flat_map(|row| [row.master.slot(), row.slave.map_or(Slot::NONE, |end| end.slot())]);
        let home = |slot: Slot| copies.homes[slot.index()] as usize;
        let mut touched: Vec<Slot> = slots.filter(|slot| *slot != Slot::NONE && home(*slot) != rank).collect();
        touched.sort_unstable_by_key(|slot| copies.ids[slot.index()]);
        touched.dedup();
        for &partner in copies.partners {
            self.words.clear();
            let of_partner = touched.iter().filter(|slot| home(**slot) == partner);
            self.words.extend(of_partner.map(|slot| copies.ids[slot.index()].0));
            comm::send_words(comm, partner, ROWS, &self.words);
        }
        let mut sharing: Vec<(BodyId, usize)> = Vec::new();
        for &partner in copies.partners {
            self.words.clear();
            comm::receive_words(comm, partner, ROWS, &mut self.words);
            sharing.extend(self.words.iter().map(|id| (BodyId(*id), partner)));
        }
        sharing.sort_unstable();
        // Of each shared body: id, number of members, members.
        let mut lists: Vec<(BodyId, Vec<usize>)> = Vec::new();
        for of_body in sharing.chunk_by(|a, b| a.0 == b.0) {
            let mut members: Vec<usize> = of_body.iter().map(|(_, member)| *member).chain([rank]).collect();
            members.sort_unstable();
            lists.push((of_body[0].0, members));
        }
        for &partner in copies.partners {
            self.words.clear();
            for (id, members) in lists.iter().filter(|(_, members)| members.contains(&partner)) {
                self.words.extend([id.0, members.len() as u64]);
                self.words.extend(members.iter().map(|member| *member as u64));
            }
            comm::send_words(comm, partner, MEMBERS, &self.words);
        }
        for &partner in copies.partners {
            self.words.clear();
            comm::receive_words(comm, partner, MEMBERS, &mut self.words);
            let mut words = self.words.iter();
            while let (Some(id), Some(count)) = (words.next(), words.next()) {
                lists.push((BodyId(*id), words.by_ref().take(*count as usize).map(|word| *word as usize).collect()));
            }
        }
        lists.sort_unstable();
        let mut by_id: Vec<(BodyId, Slot)> = (0..).map(Slot).zip(copies.ids).map(|(slot, id)| (*id, slot)).collect();
        by_id.sort_unstable();
        self.shared.clear();
        self.members.clear();
        for (id, members) in lists {
            if let Ok(k) = by_id.binary_search_by_key(&id, |(id, _)| *id) {
                self.shared.push((by_id[k].1, self.members.len() as u32));
                self.members.extend(members);
            }
        }
    }

    fn find_neighbours(&mut self, rank: usize) {
        let mut ranks: Vec<usize> = self.members.iter().copied().filter(|member| *member != rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        self.neighbours.clear();
        self.neighbours.extend(ranks.into_iter().map(|rank| Neighbour { rank, ..Neighbour::default() }));
    }

    /// The smallest colour that no neighbour of lower rank has.
    fn find_colour(&mut self, comm: &dyn Communicator) {
        let rank = comm.rank();
        let hear = |neighbour: &mut Neighbour| {
            let mut words = Vec::new();
            comm::receive_words(comm, neighbour.rank, COLOURS, &mut words);
            neighbour.colour = words.first().map_or(0, |colour| *colour as u32);
        };
        let (lower, higher) = {
            let first = self.neighbours.partition_point(|neighbour| neighbour.rank < rank);
            self.neighbours.split_at_mut(first)
        };
        lower.iter_mut().for_each(hear);
        let taken = |colour: &u32| lower.iter().any(|neighbour| neighbour.colour == *colour);
        self.colour = (0..=lower.len() as u32).find(|colour| !taken(colour)).unwrap_or_default();
        for neighbour in lower.iter().chain(&*higher) {
            comm::send_words(comm, neighbour.rank, COLOURS, &[u64::from(self.colour)]);
        }
        higher.iter_mut().for_each(hear);
    }

    /// Who has the velocity of each shared body before and after this rank.
    fn find_lanes(&mut self, rank: usize) {
        let place = |neighbours: &[Neighbour], member: usize| {
            neighbours.binary_search_by_key(&member, |neighbour| neighbour.rank).ok()
        };
        for k in 0..self.shared.len() {
            let slot = self.shared[k].0;
            let members = members_of(&self.shared, &self.members, k);
            let neighbours = &mut self.neighbours;
            for member in members.iter().filter(|member| **member != rank) {
                if let Some(n) = place(neighbours, *member) {
                    neighbours[n].common.push(slot);
                    neighbours[n].places.push(k as u32);
                }
            }
            let mut turn: Vec<(u32, usize)> = members
                .iter()
                .map(|&member| (place(neighbours, member).map_or(self.colour, |n| neighbours[n].colour), member))
                .collect();
            turn.sort_unstable();
            let Some(at) = turn.iter().position(|(_, member)| *member == rank) else { continue };
            let last = turn.len() - 1;
            let mut note = |member: usize, list: fn(&mut Neighbour) -> &mut Vec<Slot>| {
                if let Some(n) = place(neighbours, member) {
                    list(&mut neighbours[n]).push(slot);
                }
            };
            if at > 0 {
                note(turn[at - 1].1, |neighbour| &mut neighbour.from);
            } else {
                note(turn[last].1, |neighbour| &mut neighbour.back_from);
            }
            if at < last {
                note(turn[at + 1].1, |neighbour| &mut neighbour.to);
            } else {
                note(turn[0].1, |neighbour| &mut neighbour.back_to);
            }
        }
    }

    /// Parts of the sweep. A rank whose colour comes late sweeps more of what is inside before.
    fn part_rows(&mut self, comm: &dyn Communicator, copies: &Copies<'_>, rows: &[Row]) {
        let [last] = comm::largest(comm, [f64::from(self.colour)]);
        // Whether ranks of lower and of higher colour share the body of each slot.
        let mut sharing = vec![[false; 2]; copies.ids.len()];
        for k in 0..self.shared.len() {
            for neighbour in self.neighbours.iter().filter(|other| self.members_of(k).contains(&other.rank)) {
                sharing[self.shared[k].0.index()][usize::from(neighbour.colour > self.colour)] = true;
            }
        }
        let with = |row: &Row, side: usize| {
            let ends = [row.master.slot(), row.slave.map_or(Slot::NONE, |end| end.slot())];
            ends.iter().any(|slot| *slot != Slot::NONE && sharing[slot.index()][side])
        };
        let shared = |row: &Row| part_between([0, 1].map(|side| with(row, side)));
        let inside = rows.iter().filter(|row| shared(row).is_none());
        let mut pairs: Vec<[BodyId; 2]> = inside.map(|row| row.pair).collect();
        pairs.sort_unstable();
        let share = if last > 0.0 { f64::from(self.colour) / last } else { 0.0 };
        let from = pairs.get((share * pairs.len() as f64) as usize).copied();
        self.parts.clear();
        let half = |row: &Row| if from.is_none_or(|from| row.pair < from) { BEFORE } else { AFTER };
        self.parts.extend(rows.iter().map(|row| shared(row).unwrap_or_else(|| half(row))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::InProcess;

    /// Colours that the ranks of a graph find, by its edges.
    fn colours(ranks: usize, edges: &[[usize; 2]]) -> Vec<u32> {
        let world = InProcess::world(ranks);
        std::thread::scope(|scope| {
            let find = |comm: &InProcess| {
                let rank = comm.rank();
                let others =
                    (0..ranks).filter(|other| edges.contains(&[rank, *other]) || edges.contains(&[*other, rank]));
                let neighbours = others.map(|rank| Neighbour { rank, ..Neighbour::default() }).collect();
                let mut plan = Plan { neighbours, ..Plan::default() };
                plan.find_colour(comm);
                plan.colour
            };
            let threads: Vec<_> = world.iter().map(|comm| scope.spawn(move || find(comm))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a rank ends")).collect()
        })
    }

    #[test]
    fn ranks_take_the_smallest_colour_that_no_neighbour_of_lower_rank_has() {
        assert_eq!(colours(3, &[[0, 1], [1, 2]]), [0, 1, 0]);
        assert_eq!(colours(4, &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]), [0, 1, 2, 3]);
        assert_eq!(colours(5, &[[0, 4], [1, 4], [2, 3]]), [0, 0, 0, 1, 1]);
    }

    #[test]
    fn rows_belong_to_sets_by_the_colours_of_the_ranks_that_share_their_bodies() {
        assert_eq!(
            [[true, false], [false, true], [true, true], [false, false]].map(part_between),
            [Some(TOP), Some(BOTTOM), Some(MIDDLE), None]
        );
    }
}

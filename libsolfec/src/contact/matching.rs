//! Nearest first: which new things take the place of which old ones.

use super::Contact;

/// Memory of the matching.
#[derive(Debug, Default)]
pub struct Matching {
    /// Distance, row of the new thing, row of the old one.
    pub offers: Vec<(f64, u32, u32)>,
    taken: Vec<bool>,
}

impl Matching {
    /// Hands out the offers of `counts` new and old rows: the nearest first, ties in order of rows, each row once.
    pub fn hand_out(&mut self, counts: [usize; 2], mut take: impl FnMut(usize, usize)) {
        self.offers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        self.taken.clear();
        self.taken.resize(counts[0] + counts[1], false);
        for &(_, i, j) in &self.offers {
            let (i, j) = (i as usize, j as usize);
            if !self.taken[i] && !self.taken[counts[0] + j] {
                self.taken[i] = true;
                self.taken[counts[0] + j] = true;
                take(i, j);
            }
        }
        self.offers.clear();
    }
}

/// Distance of two contacts of one body pair in the reference configuration of the body on which they are nearer: a
/// point stays where it is on the body whose corner it is [m].
pub fn distance(a: &Contact, b: &Contact) -> f64 {
    let turned = a.slave_second != b.slave_second;
    let (master, slave) = if turned { (&b.slave, &b.master) } else { (&b.master, &b.slave) };
    let on_master = (a.master.reference - master.reference).norm();
    on_master.min((a.slave.reference - slave.reference).norm())
}

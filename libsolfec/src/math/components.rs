//! Connected components.

/// A union-find forest over `0..n`; the root of a set is its least member.
pub struct Components(Vec<u32>);

impl Components {
    pub fn new(count: usize) -> Components {
        Components((0..count as u32).collect())
    }

    /// The least member of the set of `i`.
    pub fn root(&mut self, i: u32) -> u32 {
        let mut at = i;
        while self.0[at as usize] != at {
            let above = self.0[at as usize];
            self.0[at as usize] = self.0[above as usize];
            at = above;
        }
        at
    }

    pub fn join(&mut self, i: u32, k: u32) {
        let (a, b) = (self.root(i), self.root(k));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// For each member the number of its set; sets are numbered in the order of their least members. And how many there
    /// are.
    pub fn numbers(&mut self) -> (Vec<u32>, usize) {
        let mut number = vec![0; self.0.len()];
        let mut count = 0;
        for i in 0..self.0.len() {
            let root = self.root(i as u32) as usize;
            if root == i {
                number[i] = count;
                count += 1;
            } else {
                number[i] = number[root];
            }
        }
        (number, count as usize)
    }
}

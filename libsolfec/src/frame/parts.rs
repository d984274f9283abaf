//! Frames of several ranks: as bytes, and put together.

use super::{EventRows, Frame, FrameRows};
use crate::table::{put_table, take_table, Table};
use crate::{Error, Result};

impl Frame {
    /// All of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut row = FrameRows::default();
        row.push(self.row());
        let events = EventRows::of(&self.events);
        let Frame { rigid, pseudo, nodal, nodes, laws, chars, constraints, .. } = self;
        let tables: [&dyn Table; 9] = [&row, rigid, pseudo, nodal, nodes, laws, chars, constraints, &events];
        let mut bytes = Vec::new();
        tables.into_iter().for_each(|table| put_table(table, &mut bytes));
        bytes
    }

    /// The frame that [`Frame::to_bytes`] gave.
    ///
    /// # Errors
    /// Bytes that are no frame.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Frame> {
        let garbled = || Error::input("a frame of another rank is garbled; do all ranks run the same version?");
        let mut row = FrameRows::default();
        take_table(&mut row, &mut bytes).ok_or_else(garbled)?;
        if row.index.len() != 1 {
            return Err(garbled());
        }
        let mut frame = Frame::empty(row.row(0));
        let mut events = EventRows::default();
        let Frame { rigid, pseudo, nodal, nodes, laws, chars, constraints, .. } = &mut frame;
        let tables: [&mut dyn Table; 8] = [rigid, pseudo, nodal, nodes, laws, chars, constraints, &mut events];
        for table in tables {
            take_table(table, &mut bytes).ok_or_else(garbled)?;
        }
        frame.events = events.events().map_err(Error::input)?;
        Ok(frame)
    }

    /// Appends the rows of another rank at the same instant. Constraints are in their order then: by (kind, master,
    /// slave, id).
    pub fn join(&mut self, mut other: Frame) {
        self.rigid.append(&mut other.rigid);
        self.pseudo.append(&mut other.pseudo);
        self.nodal.append(&mut other.nodal);
        self.nodes.append(&mut other.nodes);
        self.laws.append(&mut other.laws);
        self.chars.append(&mut other.chars);
        self.constraints.append(&mut other.constraints);
        self.events.append(&mut other.events);
        self.events.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.body.cmp(&b.body)));
        let c = &self.constraints;
        let mut order: Vec<usize> = (0..c.id.len()).collect();
        order.sort_by_key(|&k| (c.kind[k], c.master[k], c.slave[k], c.id[k]));
        self.constraints.reorder(&order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::FrameRow;

    fn frame(body: u32, constraint: u64) -> Frame {
        let row =
            FrameRow { index: 3, time: 0.5, step_count: 7, h: 1e-3, run: 1, iterations: 4.0, merit: 0.0, error: 1e-9 };
        let mut frame = Frame::empty(row);
        frame.rigid.body.push(body);
        frame.rigid.x.push([f64::from(body), 1.0 / 3.0, -0.0]);
        frame.rigid.rot.push([0.5; 9]);
        frame.rigid.v.push([1.0; 3]);
        frame.rigid.omega.push([2.0; 3]);
        frame.rigid.energy.push([3.0; 6]);
        let c = &mut frame.constraints;
        (c.id, c.kind, c.master) = (vec![constraint], vec![0], vec![body]);
        (c.row, c.slave, c.point) = (vec![0], vec![0], vec![[0.0; 3]]);
        (c.user_tangents, c.normal) = (vec![[0.0; 6]], vec![[0.0, 0.0, 1.0]]);
        (c.r, c.u, c.v, c.force) = (vec![[1.0; 3]], vec![[0.0; 3]], vec![[0.0; 3]], vec![[1.0; 3]]);
        (c.gap, c.area, c.merit) = (vec![-1e-6], vec![1.0], vec![0.0]);
        (c.material, c.surf, c.state, c.aux) = (vec![0], vec![[1, 2]], vec![0], vec![[0.0; 4]]);
        frame
    }

    #[test]
    fn frames_survive_as_bytes_and_are_put_together() {
        let mut one = Frame::from_bytes(&frame(5, 9).to_bytes()).expect("a frame");
        assert_eq!(one, frame(5, 9));
        one.join(frame(2, 4));
        assert_eq!((one.rigid.body, one.constraints.id), (vec![5, 2], vec![4, 9]));
        assert!(Frame::from_bytes(&frame(5, 9).to_bytes()[..40]).is_err());
    }
}

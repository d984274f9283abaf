//! The order of elimination of the nodes of a mesh by nested dissection (George 1973): a plane across the longest way
//! parts the nodes in two, the layer of nodes along it goes last, and either part is treated in the same way. Meshes of
//! solids fill far less than with the minimum degree.

use super::stiffness::Pattern;
use crate::math::Vec3;

/// Parts of at most this many nodes are not divided.
const LEAF: usize = 40;
/// The smaller of two parts has at least this share of the nodes.
const BALANCE: usize = 6;

/// Nodes in the order of elimination, given their places [m] and which of them are coupled.
pub fn nested_dissection(places: &[Vec3], pattern: &Pattern) -> Vec<u32> {
    let mut dissection =
        Dissection { places, neighbours: Neighbours::new(pattern), left: vec![false; places.len()], order: Vec::new() };
    dissection.part((0..places.len() as u32).collect());
    dissection.order
}

struct Dissection<'a> {
    places: &'a [Vec3],
    neighbours: Neighbours,
    /// Marks of the nodes before a plane; none between calls.
    left: Vec<bool>,
    order: Vec<u32>,
}

/// Nodes of both parts, and those that keep them apart.
struct Cut {
    left: Vec<u32>,
    right: Vec<u32>,
    between: Vec<u32>,
}

impl Dissection<'_> {
    fn part(&mut self, nodes: Vec<u32>) {
        let cuts = (0..3).filter_map(|axis| self.cut(&nodes, axis));
        let cut = if nodes.len() > LEAF { cuts.collect() } else { Vec::new() };
        match cut.into_iter().min_by_key(|cut| cut.between.len()) {
            None => self.order.extend(self.sorted(nodes)),
            Some(Cut { left, right, between }) => {
                self.part(left);
                self.part(right);
                self.order.extend(self.sorted(between));
            }
        }
    }

    /// A cut across an axis through the middle node; none where it would part off too few.
    fn cut(&mut self, nodes: &[u32], axis: usize) -> Option<Cut> {
        let place = |node: &u32| self.places[*node as usize][axis];
        let mut places: Vec<f64> = nodes.iter().map(place).collect();
        let middle = places.len() / 2;
        let plane = *places.select_nth_unstable_by(middle, f64::total_cmp).1;
        let (left, right): (Vec<u32>, Vec<u32>) = nodes.iter().partition(|node| place(node) < plane);
        if left.len().min(right.len()) * BALANCE < nodes.len() {
            return None;
        }
        left.iter().for_each(|node| self.left[*node as usize] = true);
        let touches = |node: &u32| self.neighbours.of(*node).iter().any(|other| self.left[*other as usize]);
        let (between, right) = right.into_iter().partition(touches);
        left.iter().for_each(|node| self.left[*node as usize] = false);
        Some(Cut { left, right, between })
    }

    /// Nodes along the axes, the longest first.
    fn sorted(&self, mut nodes: Vec<u32>) -> Vec<u32> {
        let places = || nodes.iter().map(|node| self.places[*node as usize]);
        let (low, high) = places()
            .fold((Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN)), |(low, high), x| (low.inf(&x), high.sup(&x)));
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| (high - low)[*b].total_cmp(&(high - low)[*a]));
        let key = |node: &u32| axes.map(|axis| self.places[*node as usize][axis]);
        nodes.sort_by(|a, b| {
            let coordinates = key(a).into_iter().zip(key(b)).map(|(a, b)| a.total_cmp(&b));
            coordinates.fold(std::cmp::Ordering::Equal, |known, next| known.then(next)).then(a.cmp(b))
        });
        nodes
    }
}

/// Of each node, those that are coupled with it.
struct Neighbours {
    offset: Vec<u32>,
    node: Vec<u32>,
}

impl Neighbours {
    fn new(pattern: &Pattern) -> Neighbours {
        let coupled = || {
            let columns = (0..).zip(pattern.columns());
            let pairs = columns.flat_map(|(a, (_, range))| pattern.row[range].iter().map(move |b| (a, *b)));
            pairs.filter(|(a, b)| a != b).flat_map(|(a, b): (u32, u32)| [(a, b), (b, a)])
        };
        let nodes = pattern.offset.len() - 1;
        let mut offset = vec![0; nodes + 1];
        coupled().for_each(|(a, _)| offset[a as usize + 1] += 1);
        (0..nodes).for_each(|k| offset[k + 1] += offset[k]);
        let (mut next, mut node) = (offset.clone(), vec![0; offset[nodes] as usize]);
        for (a, b) in coupled() {
            let place = &mut next[a as usize];
            node[*place as usize] = b;
            *place += 1;
        }
        Neighbours { offset, node }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.node[self.offset[node as usize] as usize..self.offset[node as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::finite::grid::Grid;
    use crate::body::finite::stiffness::Stiffness;
    use crate::shape::Mesh;

    /// Every node comes once; the plane across the middle of a bar comes last.
    #[test]
    fn the_middle_of_a_bar_comes_last() {
        let corners = [[0, 0, 0], [4, 0, 0], [4, 1, 0], [0, 1, 0], [0, 0, 1], [4, 0, 1], [4, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [16, 3, 3], 1, &[1; 6], [None; 3]).unwrap();
        let grid = Grid::new("a bar", mesh).unwrap();
        let order = nested_dissection(&grid.mesh.nodes, &Stiffness::new(&grid).pattern);
        let last: Vec<f64> = order[order.len() - 16..].iter().map(|node| grid.mesh.nodes[*node as usize].x).collect();
        assert!(last.iter().all(|x| (x - 2.0).abs() < 1e-12), "{last:?}");
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!((0..grid.nodes() as u32).eq(sorted));
    }
}
